"""The fenced blocks of a page: their languages, the files they are, what their commands print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A file says its name in a comment in its first line. JSON has none; there the name stands before
# the block.
_NAMED = re.compile(r"(?:#|;|//|--) (\S+\.\w+)\n")
_NAMED_ABOVE = re.compile(r"`(\S+\.json)`:?\n+\Z")
_ASKED = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One block, the line of the page where its text begins, and the file that it is."""

    language: str
    text: str
    line: int
    file: str | None

    @property
    def dialogue(self) -> list[tuple[str, str]]:
        """Command and output, for each `$` of a console."""
        return [(command, output) for command, output in _ASKED.findall(self.text)]

    def __str__(self) -> str:
        return f"line {self.line}"


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text("utf-8")
    found: list[Block] = []
    for match in _FENCED.finditer(text):
        named = _NAMED.match(match[2]) or _NAMED_ABOVE.search(text[: match.start()])
        line = text.count("\n", 0, match.start(2)) + 1
        found.append(Block(match[1], match[2], line, None if named is None else named[1]))
    return found
