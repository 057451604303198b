"""What becomes of errors, in this process."""

from __future__ import annotations

import errno
import io
import os
import runpy
import sys
from pathlib import Path

import click
import pytest
from tests.cli.conftest import Cli

from lrspec.cli import main


def test_python_m_lrspec(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["lrspec", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("lrspec", run_name="__main__")

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("lrspec 1.")


def test_an_interrupt(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lrspec.cli.documents.document_at", interrupted)
    done = cli("show", "a.yaml")

    assert done.status == 130
    assert not done.out.strip() and not done.err.strip()


class Broken(io.StringIO):
    """An output on which nothing arrives."""

    def __init__(self, number: int, descriptor: int) -> None:
        super().__init__()
        self.number = number
        self.descriptor = descriptor

    def flush(self) -> None:
        raise OSError(self.number, os.strerror(self.number))

    def fileno(self) -> int:
        return self.descriptor


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "lrspec: the output: No space left on device\n"), (errno.EPIPE, "")],
)
def test_an_output_that_is_lost(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    number: int,
    said: str,
) -> None:
    descriptor = os.open(tmp_path / "lost", os.O_WRONLY | os.O_CREAT)

    @main.command.command(name="nothing-printed")
    def nothing_printed() -> None:
        pass

    monkeypatch.setattr(sys, "stdout", Broken(number, descriptor))
    try:
        assert main.main(["nothing-printed"]) == 1
        assert os.path.samestat(os.fstat(descriptor), Path(os.devnull).stat())
    finally:
        os.close(descriptor)
        del main.command.commands[nothing_printed.name or ""]
    assert capsys.readouterr().err == said


def test_an_error_of_click_has_its_status(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise click.ClickException("this is why")

    monkeypatch.setattr("lrspec.cli.documents.document_at", refused)

    assert cli("show", "a.yaml") == type(cli("--help"))(1, "", "Error: this is why\n")


@pytest.mark.parametrize("command", ["check", "show", "values"])
def test_no_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    assert main.main([command, "-"]) == 2
