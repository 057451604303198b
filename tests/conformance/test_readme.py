"""Every block of the README does what it says, in one folder that has the README's documents."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.backends import Backend
from tests.conformance.readme import blocks, documents, files, sessions
from tests.docs.pages import ROOT, Block

from lrspec.binding import as_curves
from lrspec.loading import load, loads
from lrspec.problems import SpecError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files of the README lie; the present folder."""
    for block in files():
        assert block.file is not None
        (tmp_path / block.file).write_text(block.text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_sessions(backend: Backend) -> None:
    """One after the other, as if typed into one interpreter."""
    known: dict[str, Any] = {}
    wrong: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for block in sessions(backend.name):
        session = doctest.DocTestParser().get_doctest(
            block.text, known, str(block), "README.md", block.line - 1
        )
        runner.run(session, out=wrong.append, clear_globs=False)
        known = session.globs

    assert runner.tries > 0
    assert not wrong, "".join(wrong)


def consoles() -> list[Block]:
    return [block for block in blocks() if block.language == "console" and block.dialogue]


@pytest.mark.parametrize("block", consoles(), ids=str)
def test_commands(block: Block, folder: Path) -> None:
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    for command, output in block.dialogue:
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.stdout == output


@pytest.mark.parametrize("block", documents(), ids=lambda block: block.file)
def test_documents(block: Block) -> None:
    """All can be bound as they stand, but for the one that shows what errors look like."""
    if block.file == "broken.lrspec.yaml":
        with pytest.raises(SpecError):
            loads(block.text)
    else:
        assert as_curves(loads(block.text), {})


def test_the_first_document_is_the_example() -> None:
    example = load(ROOT / "examples" / "warmup-hold-cosine.lrspec.yaml")

    # It leaves out what `lrspec check` is told.
    allowed = {"x-allow": ["first-update-at-zero"]}
    assert {**loads(documents()[0].text).to_dict(), **allowed} == example.to_dict()


def test_no_block_is_left_out() -> None:
    run = {*files(), *consoles()}
    run |= {block for name in ("core", "torch", "optax", "keras") for block in sessions(name)}
    left = [block for block in blocks() if block not in run]

    # The two commands for a fresh machine: see `tests/packaging/test_readme.py`, and `.ci/run`.
    assert [block.text.count("\n") for block in left] == [1, 1]
    assert all(".venv/bin/pip install" in block.text for block in left)
