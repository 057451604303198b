"""What the table's evaluator asks of a namespace of arrays, for single numbers and no package."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

log1p, sin, sqrt = math.log1p, math.sin, math.sqrt
ceil, floor = math.ceil, math.floor
minimum, maximum = min, max


def array(numbers: Any, dtype: str) -> Any:
    """What was given, already float64."""
    assert dtype == "float64"
    return numbers


def searchsorted(edges: Sequence[float], number: float, side: str) -> int:
    """How many of the edges lie before the number."""
    return (bisect_right if side == "right" else bisect_left)(edges, number)


def take(numbers: Any, place: int, axis: int = 0) -> Any:
    """One number, or one of every column."""
    return [column[place] for column in numbers] if axis else numbers[place]


def where(condition: bool, there: float, otherwise: float) -> float:
    """One of two numbers, neither of them NaN."""
    assert not math.isnan(there) and not math.isnan(otherwise)
    return there if condition else otherwise


def sign(number: float) -> float:
    """1, −1 or 0."""
    return math.copysign(1.0, number) if number else 0.0


def log(number: float) -> float:
    """The natural logarithm of a number above 0."""
    return math.log(number)


def power(base: float, exponent: float) -> float:
    """base^exponent, infinite beyond float64, and of 0 to a negative power as in numpy."""
    if base == 0 and exponent < 0:
        return math.inf
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf


def exp(number: float) -> float:
    """e^number, infinite beyond float64."""
    return power(math.e, number) if number > 700 else math.exp(number)


def expm1(number: float) -> float:
    """e^number − 1, infinite beyond float64."""
    return exp(number) if number > 700 else math.expm1(number)


def mod(number: float, divisor: float) -> float:
    """The rest of a division."""
    return math.fmod(number, divisor)


def square(number: float) -> float:
    """The number times itself."""
    return number * number
