"""Values as they stand in messages: short, on one line, in the words of the language."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 40
# Python writes no whole number of more digits in decimal.
_WRITTEN_BITS = 4300 * 3


def short(text: str) -> str:
    """At most 40 characters of a text, its middle left out, unprintable characters escaped."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 4 :]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quoted(text: str) -> str:
    """A text in quotes: `'cosine'`."""
    return f"'{short(text)}'"


def shown(value: object) -> str:
    """A value as a message names what it found: `'10%'`, `0.1`, `true`, `nothing`, `a list`."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int) and value.bit_length() > _WRITTEN_BITS:
        return short(hex(value))
    if isinstance(value, int | float):
        return short(repr(value))
    empty = "n empty" if not value else ""
    return f"a{empty} list" if isinstance(value, list) else f"a{empty} mapping"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in one phrase: `a`, `a and b`, `a, b and c`."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
