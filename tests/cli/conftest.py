"""Running the command line: in this process, in a directory of its own."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lrspec.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command left: its exit status, its output, its error output."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of its output."""
        return self.out.splitlines()


Cli = Callable[..., Done]

PRODUCTION = """\
lrspec: 1
base: absolute
training: {steps: 88004}
schedule:
  piecewise_linear:
    boundaries: [0, 45%, 90%, 100%]
    values: [1e-5, 4e-3, 1e-5, 1e-6]
"""


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """Run `lrspec ARGUMENTS…` in an empty directory, with `stdin` as its input."""
    monkeypatch.chdir(tmp_path)
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: str, stdin: str | bytes = b"") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main(arguments)
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write a file in the directory that commands run in; its name is returned."""

    def write(text: str | bytes, name: str = "a.lrspec.yaml") -> str:
        data = text.encode() if isinstance(text, str) else text
        (tmp_path / name).write_bytes(data)
        return name

    return write
