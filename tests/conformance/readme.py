"""The code blocks of the README, and the backend that each needs."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT, Block
from tests.docs.pages import blocks as blocks_of

README = ROOT / "README.md"


def blocks() -> list[Block]:
    """All blocks, in order."""
    return blocks_of(README)


def files() -> list[Block]:
    """Those that are files to the sessions and commands."""
    return [block for block in blocks() if block.file is not None]


def documents() -> list[Block]:
    """Those that are documents."""
    return [block for block in files() if (block.file or "").endswith(".lrspec.yaml")]


def sessions(backend: str) -> list[Block]:
    """The Python sessions of the section that a backend has, in order.

    A session goes with the adapter that it uses, or that the one before it in its section does.
    """
    text = README.read_text("utf-8")
    starts = [
        text.count("\n", 0, match.start()) for match in re.finditer("^## ", text, re.MULTILINE)
    ]
    found: list[Block] = []
    section, now = 0, "core"
    for block in blocks():
        here = sum(start < block.line for start in starts)
        if here != section:
            section, now = here, "core"
        if block.language == "pycon":
            used = re.search(r"lrspec_(\w+)", block.text)
            now = used[1] if used is not None else now
            if now == backend:
                found.append(block)
    return found
