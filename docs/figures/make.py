"""Writes the figures of docs/plots.md, by the commands on that page: python -m docs.figures.make"""

from __future__ import annotations

import contextlib
import io
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import ROOT, blocks

from lrspec.cli.main import main

PAGE = ROOT / "docs" / "plots.md"
FIGURES = ROOT / "docs" / "figures"


def make(target: Path) -> None:
    """Write every SVG that a command on the page writes into this folder."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in blocks(PAGE):
            if block.file is not None:
                Path(block.file).write_text(block.text, "utf-8")
            for command, _ in block.dialogue:
                _, *arguments = shlex.split(command)
                with contextlib.redirect_stdout(io.StringIO()):
                    main(arguments)
        for figure in Path().glob("*.svg"):
            (target / figure).write_bytes(figure.read_bytes())


if __name__ == "__main__":
    make(FIGURES)
