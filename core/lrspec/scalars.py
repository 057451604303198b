"""What plain text means: the scalars of the YAML 1.2 core schema, and of JSON."""

from __future__ import annotations

import math
import re
from typing import TypeAlias

Scalar: TypeAlias = None | bool | int | float | str

_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(
    r"""
    ([-+]?[0-9]+)
    | ([-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)
    | (0o[0-7]+)
    | (0x[0-9a-fA-F]+)
    | ([-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))
    """,
    re.VERBOSE,
)
_INTEGER, _FLOAT, _OCTAL, _HEXADECIMAL, _NOT_FINITE = range(1, 6)
_NOT_FINITE_WORD = re.compile(r"[-+]?\.?(?:nan|inf|infinity)", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")

# Shorter whole numbers than this are float64 as they stand; `int` itself refuses very long ones.
_EXACT_DIGITS = 16


class NotFiniteError(ValueError):
    """A number is NaN, infinite, or rounds to no finite float64."""


def plain_scalar(text: str) -> Scalar:
    """What text without quotes is in YAML 1.2 core; raises NotFiniteError."""
    if text in _WORDS:
        return _WORDS[text]
    value = number(text)
    return text if value is None else value


def number_or_text(text: str) -> int | float | str:
    """The number that a text is, and the text itself where it is none that is finite."""
    try:
        found = number(text)
    except NotFiniteError:
        return text
    return text if found is None else found


def number(text: str) -> int | float | None:
    """The number that a text is in YAML 1.2 core, or None when it is none.

    `1e-5`, `.5`, `5.`, `017` (seventeen), `0x1F` and `0o17` are numbers; `1_000`, `0b11` and `1:30`
    are not. A number is the float64 nearest to its text, as an int where it is written as one.
    Raises NotFiniteError for `.nan` and `.inf`, and beyond the range of float64.
    """
    if not text or text[0] not in "+-.0123456789":
        return None
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    form = found.lastindex
    if form == _INTEGER:
        return int(text) if len(text) < _EXACT_DIGITS else nearest_integer(float(text), text)
    if form == _FLOAT:
        value = float(text)
        if math.isfinite(value):
            return value
    elif form != _NOT_FINITE:
        try:
            value = float(int(text[2:], 8 if form == _OCTAL else 16))
        except OverflowError:
            raise NotFiniteError(text) from None
        return nearest_integer(value, text)
    raise NotFiniteError(text)


def names_no_finite_number(text: str) -> bool:
    """Whether a text spells NaN or an infinity, in any of the spellings that people use."""
    return _NOT_FINITE_WORD.fullmatch(text) is not None


def half_a_character(text: str) -> bool:
    """Whether a text holds a surrogate: half of a character, which no file can store."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def nearest_integer(value: float, text: str) -> int:
    """A whole float64 as int; raises NotFiniteError with the text when it is infinite."""
    if not math.isfinite(value):
        raise NotFiniteError(text)
    return int(value)
