"""Numbers: exact rationals from text, the nearest float64, and 60 digits in between."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

from mpmath import mp

mp.dps = 60

LARGEST = Fraction(sys.float_info.max)


def rational(number: float) -> Fraction:
    """The rational of the shortest decimal text that reads as the same float64 (3.3, 7.14)."""
    return Fraction(repr(number))


def to_float64(exact: Fraction) -> float:
    """The nearest float64; beyond the largest finite one that one, with its sign (7.19)."""
    if abs(exact) > LARGEST:
        return sys.float_info.max if exact > 0 else -sys.float_info.max
    return exact.numerator / exact.denominator  # one correctly rounded division of integers


def rounded(exact: Fraction) -> Fraction:
    """The number a position or duration becomes when it is rounded once to float64 (3.9)."""
    return Fraction(to_float64(exact))


def digits(number: Fraction | float) -> Any:
    """The number with 60 digits."""
    if isinstance(number, Fraction):
        return mp.mpf(number.numerator) / mp.mpf(number.denominator)
    return mp.mpf(number)


def exactly(number: Any) -> Fraction:
    """The rational that an mpmath number is."""
    sign, mantissa, exponent, _ = number._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def ulp(number: Any) -> Any:
    """The distance of neighbouring float64 at this magnitude."""
    if number == 0:
        return mp.mpf(2) ** -1074
    _, _, exponent, bits = number._mpf_
    exponent += bits - 1  # of the leading bit
    return mp.mpf(2) ** (max(exponent, -1022) - 52)


def text(number: float) -> str:
    """A float64 in 17 significant digits, which name it and no other."""
    return f"{number:.17g}"
