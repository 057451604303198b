"""Values that a document or a host should not hold, and values that are right but extreme.

They are chosen by a generator of random numbers that hypothesis seeds: edits are many and small,
and to draw each from a strategy takes longer than to read what comes of it.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

# Numbers within the limits of the language, where arithmetic may leave float64.
NUMBERS: tuple[int | float, ...] = (
    *(0, 1, -1, 0.5, 2, 3, 10, 1e-3, 0.1, 1e300, -1e300, 1e150, 1e-150, 1e-300, 1e-320, 5e-324),
    *(-5e-324, -0.0, 2**24 + 1, 2**31 - 1, 2**31, 2**53, 2**53 + 2, 10**15, 10**22),
    *(1.0000000000000002, 0.9999999999999999, 0.30000000000000004, 1.0000001, 0.999999, 1.5, 1e6),
)
_AMOUNTS = (
    *("0", "1", "2", "7.25", "0.1", "1e3", "1e-3", "100000", "2147483647", "9007199254740993"),
    *("1e-300", "1e-999", "1e300", "1e308", "1e999", "1e15", "0.333333333333333333333333333"),
    *("1." + "0" * 400 + "1", "9" * 320, "0." + "0" * 5000 + "1", "1" * 4400),
)
UNITS = (
    *("%", " steps", " step", " epochs", " samples", " tokens", "k tokens", "T samples"),
    *("M steps", "B epochs"),
)
ODD_TEXTS = (
    *(
        "",
        " ",
        "\n",
        "1",
        "1e-5",
        "absolute",
        "Absolute",
        "steps",
        "1steps",
        "1  steps",
        "+1 steps",
    ),
    *("-1 steps", "01 steps", ".5 epochs", "1 steps\n", "１ steps", "1\u00a0steps", "1 Steps"),
    *("10 %", "1e1000%", "nan", ".inf", "~", "<<", "x-y", "é", "😀", "\u2028", "\ufeff", "\0"),
    *("\x7f", "\x85", "\ud800", "\udfff", "#", "a: b", "- a", "!!int 1", "&a", "*a", "'", '"'),
    *("\\", "%", "@", "`", "|", ">", "?", "[", "{", "null", "true", "0x1F", "1_0", "1:30"),
)
# What is no number of the language, or no plain data at all.
_ODD = (
    *(None, True, False, math.nan, math.inf, -math.inf, 1.1e300, -2e300, 10**400, -(10**5000)),
    *(2**1100, 1j, b"x", frozenset({1}), object, range(3), ()),
)

FIELDS = (
    *("lrspec", "$schema", "name", "description", "base", "axis", "sample", "rounding", "training"),
    *(
        "schedule",
        "schedules",
        "steps",
        "batch_size",
        "sequence_length",
        "steps_per_epoch",
        "start",
    ),
    *("value", "length", "until", "initial", "final", "after", "exponent", "power", "origin"),
    *("asymptote", "rate", "every", "staircase", "timescale", "amplitude", "count_from"),
    *("boundaries", "values", "period", "count", "stretch", "shrink", "toward", "of", "minimum"),
    *("maximum", "by", "constant", "linear", "cosine", "polynomial", "geometric", "inverse"),
    *("exponential", "inverse_sqrt", "power_law", "token_power", "piecewise_linear", "repeat"),
    *("piecewise_constant", "product", "sum", "clamp", "quantize", "advance", "lr", "momentum"),
)
WORDS = ("steps", "samples", "tokens", "start", "middle", "end", "none", "floor", "ceil", "nearest")
ODD_WORDS = (
    "absolute",
    "extend",
    "hold",
    "initial",
    "final",
    "run",
    "stage",
    "lr",
    "x-a",
    "Lr",
    "𝓁",
)


def amount(random: Random) -> str:
    """The number of a quantity, of any size."""
    if random.random() < 0.5:
        return random.choice(_AMOUNTS)
    return f"{10 ** random.uniform(-2, 5):.2f}"


def quantity(random: Random) -> str:
    """An amount in any unit."""
    return amount(random) + random.choice(UNITS)


def number(random: Random) -> int | float:
    """A number that the language may take, of any size."""
    match random.randrange(4):
        case 0:
            return random.choice((1, -1)) * 10 ** random.uniform(-320, 300)
        case 1:
            return random.randrange(2 ** random.randrange(1, 60))
        case _:
            return random.choice(NUMBERS)


def key(random: Random) -> Any:
    """A key: a word of the language, another, or no text at all."""
    match random.randrange(6):
        case 0:
            return random.choice(ODD_TEXTS)
        case 1:
            return random.choice((text(random), 1, None, 0.5, ()))
        case _:
            return random.choice(FIELDS)


def text(random: Random) -> str:
    """A few characters from anywhere."""
    planes = (0x80, 0x80, 0x250, 0x3000, 0x110000)
    return "".join(
        chr(random.randrange(random.choice(planes))) for _ in range(random.randrange(12))
    )


def word(random: Random) -> str:
    """A word that is the value of some field."""
    return random.choice(WORDS + ODD_WORDS)


def value(random: Random) -> Any:
    """Anything, right or not."""
    match random.randrange(16):
        case 0 | 1 | 2:
            return random.choice(_ODD)
        case 3 | 4 | 5:
            return number(random)
        case 6 | 7 | 8:
            return quantity(random)
        case 9 | 10:
            return random.choice(ODD_TEXTS)
        case 11:
            return word(random)
        case 12:
            return text(random)
        case 13:
            return [value(random) for _ in range(random.randrange(4))]
        case 14:
            return {key(random): value(random) for _ in range(random.randrange(3))}
        case _:
            return nested(random.choice((3, 80, 200)))


def nested(levels: int) -> Any:
    """A list in a list in a list."""
    made: Any = []
    for _ in range(levels):
        made = [made]
    return made
