"""The forms that clause 8 marks bit-equal, in float64 as they are written there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import sqrt


def finite(number: float) -> float:
    """The largest finite float64 in the place of an infinity (7.19)."""
    return max(-sys.float_info.max, min(number, sys.float_info.max))


def anchored(
    a: float, b: float, s: float, t: float, p: float, weight: Callable[[float, float, bool], float]
) -> float:
    """lo + (hi - lo)·w, clipped unless extended (8.3); a weight gets ξ, η and whether lo is b."""
    lo_is_final = abs(b) <= abs(a)
    lo, hi = (b, a) if lo_is_final else (a, b)
    d, o = (t - p, p - s) if lo_is_final else (p - s, t - p)
    length = t - s
    found = lo + (hi - lo) * weight(d / length, o / length, lo_is_final)
    return finite(found) if p > t else max(min(a, b), min(found, max(a, b)))


def line(a: float, b: float, s: float, t: float, p: float) -> float:
    """`linear`, on to beyond t (8.4)."""
    return anchored(a, b, s, t, p, lambda xi, eta, lo_is_final: xi)


def polynomial(
    a: float, b: float, s: float, t: float, p: float, power: float, origin: str
) -> float | None:
    """`polynomial` of power 1, 2, 3 or a half; None for others and beyond t."""
    if p > t or power not in (1, 2, 3, 0.5):
        return None

    def weight(xi: float, eta: float, lo_is_final: bool) -> float:
        if power == 1:
            return xi
        if lo_is_final == (origin == "final"):
            return {2: xi * xi, 3: xi * xi * xi, 0.5: sqrt(xi)}[power]
        return {
            2: xi * (1 + eta),
            3: xi * (1 + eta + eta * eta),
            0.5: xi / (1 + sqrt(eta)),
        }[power]

    return anchored(a, b, s, t, p, weight)


def inverse_sqrt(a: float, timescale: float, x: float) -> float:
    """a·√(T/(T + x)) (8.5)."""
    return a * sqrt(timescale / (timescale + x))
