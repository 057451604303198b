"""The words of a text: where the one ends that begins at the mark of a problem or a value."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BREAK = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_PLAIN_IN_FLOW = re.compile(r"[^\s,\[\]{}#:](?:[^,\[\]{}:\n]|:(?!\s|$))*")
_GOES_ON = re.compile(r"[\[{,]\s*(?:\s#.*)?$")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)*")
_PLAIN = re.compile(r"[^\s#:,\[\]{}](?:[^:#\n]|:(?!\s|$)|(?<!\s)#)*")


def lines_of(text: str) -> list[str]:
    """The lines of a text as editors count them: only by carriage returns and line feeds."""
    lines = _BREAK.split(text)
    return lines if lines[-1] else lines[:-1]


@dataclass(frozen=True, slots=True)
class Token:
    """A word in a line: from `start` to `stop`, both counted from 0 in characters."""

    line: int
    start: int
    stop: int
    text: str

    def covers(self, line: int, column: int) -> bool:
        """Whether a place is in it, its end included: there a cursor stands after it."""
        return line == self.line and self.start <= column <= self.stop


def token_at(lines: list[str], line: int, column: int) -> Token:
    """The word that begins at a place, counted from 1: a key or a scalar, with its quotes; a single
    character where a list or mapping begins there. Its anchor and tag are no part of it."""
    row = line - 1
    text = lines[row] if row < len(lines) else ""
    start = min(column - 1, len(text))
    properties = _PROPERTIES.match(text, start)
    start = properties.end() if properties else start
    above = next((line for line in reversed(lines[max(row - 9, 0) : row]) if line.strip()), "")
    plain = _PLAIN_IN_FLOW if _in_flow(text[:start], above) else _PLAIN
    found = _QUOTED.match(text, start) or plain.match(text, start)
    word = found[0].rstrip() if found else text[start : start + 1]
    return Token(row, start, start + len(word), word)


def _in_flow(before: str, above: str) -> bool:
    """Whether a bracket is open in a line so far, or the line above has left one open: it ends
    where only something in brackets goes on."""
    opened = before.count("{") + before.count("[") > before.count("}") + before.count("]")
    return opened or _GOES_ON.search(above) is not None
