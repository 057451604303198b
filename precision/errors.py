"""Errors in units in the last place (ULP) of the exact value, and the limits of 8.6 and 8.7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precision.exact import Doubles, Exact

Values: TypeAlias = npt.NDArray[Any]

FLOAT32_LIMIT = 0.501
_SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class Errors:
    """The error at every step, and the limit there.

    `settled` is where the reference alone decides the bits. Where a curve crosses 0 it may have
    fewer right digits than a float32 holds, and every rounding on the way shows.
    """

    ulps: Doubles
    limits: Doubles
    settled: npt.NDArray[np.bool_]

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Where the limit is exceeded."""
        return self.ulps > self.limits

    def worst(self) -> int:
        """The place of the largest error; where limits are exceeded, of the largest excess."""
        return int(np.argmax(self.ulps - self.limits if self.over.any() else self.ulps))


def double_errors(exact: Exact, values: Values, scale: float = 0.0) -> Errors:
    """Of float64 (8.6); `scale` is the larger end where the ends are of opposite sign."""
    unit = ulp(np.maximum(np.abs(exact.high), scale), -1022, 52)
    # A value that was selected is the nearest float64 or it is wrong.
    low = np.where(exact.allowed == 0, 0.0, exact.low)
    return Errors(
        _distance(exact, low, values) / unit, exact.allowed / unit, np.ones(len(unit), bool)
    )


def single_errors(exact: Exact, values: Values) -> Errors:
    """Of float32 (8.7): half an ULP for the rounding, and what the reference is allowed."""
    unit = ulp(np.abs(exact.high), -126, 23)
    ulps = _distance(exact, exact.low, values) / unit
    flushed = (np.abs(exact.high) < _SMALLEST_NORMAL) & (values == 0)
    allowed = exact.allowed / unit
    settled = allowed <= FLOAT32_LIMIT - 0.5
    return Errors(np.where(flushed, 0.0, ulps), FLOAT32_LIMIT + allowed, settled)


def ulp(magnitudes: Doubles, smallest_exponent: int, digits: int) -> Doubles:
    """The distance of neighbouring numbers with so many binary digits after the first."""
    exponents: npt.NDArray[np.int32] = np.frexp(magnitudes)[1] - 1
    exponents = np.where(magnitudes == 0, smallest_exponent, exponents)
    found: Doubles = np.ldexp(1.0, np.maximum(exponents, smallest_exponent) - digits)
    return found


def _distance(exact: Exact, low: Doubles, values: Values) -> Doubles:
    """How far the values are; what is no number is infinitely far."""
    distance = np.abs((values.astype(np.float64) - exact.high) - low)
    return np.where(np.isfinite(distance), distance, np.inf)
