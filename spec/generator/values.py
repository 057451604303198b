"""A value with 60 digits, and how far a float64 evaluator may be from it (clause 8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from mpmath import mp

from generator.bits import finite
from generator.decimals import LARGEST, digits, exactly, to_float64, ulp

# Far below the smallest float64. A rational of such a number would be all zeros, as would that of
# one far beyond the largest.
TINY = mp.mpf(2) ** -1100
SMALLEST_NORMAL = mp.mpf(2) ** -1022


@dataclass(frozen=True)
class Value:
    """An exact value and the largest error that arithmetic in float64 may have reached.

    No error means that the float64 nearest to the value is what every evaluator gives: a number of
    the document that was selected, or one operation of float64 on two of those. `bits` is the
    float64 that the bit-equal forms of clause 8 give; None where another form was used.
    """

    exact: Any
    error: Any
    bits: float | None

    @staticmethod
    def of(number: float) -> Value:
        """A number of the document."""
        return Value(digits(number), mp.mpf(0), float(number))

    @staticmethod
    def within(exact: Any, ulps: int, scale: Any = 0, bits: float | None = None) -> Value:
        """A value that is known to so many ULP of the larger of itself and `scale`."""
        error = ulps * ulp(max(abs(exact), abs(scale)))
        if abs(exact) < SMALLEST_NORMAL and not scale:
            # The relative error is that of larger values, and one rounding is added.
            error = ulps * abs(exact) * mp.mpf(2) ** -52 + ulp(0)
        return saturated(Value(exact, error, bits))

    def nearest(self) -> float:
        """The nearest float64."""
        if abs(self.exact) < TINY:
            return 0.0
        if abs(self.exact) > digits(LARGEST):
            return float(mp.sign(self.exact) * digits(LARGEST))
        return to_float64(exactly(self.exact))

    def settled(self) -> Value:
        """The value as an operand: one that is no float64 has been rounded before."""
        if digits(self.nearest()) == self.exact:
            return self
        return replace(self, error=self.error + ulp(self.exact) / 2)

    def times(self, other: Value) -> Value:
        """The product, in one operation."""
        x, y = self.settled(), other.settled()
        error = abs(x.exact) * y.error + abs(y.exact) * x.error + x.error * y.error
        bits = None if x.bits is None or y.bits is None else _normal(x.bits * y.bits, x, y)
        return _operation(x.exact * y.exact, error, bits)

    def plus(self, other: Value) -> Value:
        """The sum, in one operation."""
        x, y = self.settled(), other.settled()
        bits = None if x.bits is None or y.bits is None else finite(x.bits + y.bits)
        return _operation(x.exact + y.exact, x.error + y.error, bits)

    def minus(self, other: Value) -> Value:
        """The difference, in one operation."""
        negative = None if other.bits is None else -other.bits
        return self.plus(Value(-other.exact, other.error, negative))

    def carrying(self, *inherited: Value) -> Value:
        """The value of a formula whose ends were themselves known to some error only."""
        error = self.error
        for end in inherited:
            grown = abs(self.exact / end.exact) if end.exact else mp.mpf(1)
            error += end.settled().error * max(mp.mpf(1), grown)
        return replace(self, error=error)


def _normal(product: float, x: Value, y: Value) -> float | None:
    """The product where it is a normal float64 or 0 times something; what comes of one that is not
    depends on what it is multiplied by next (7.19)."""
    if SMALLEST_NORMAL <= abs(product) <= LARGEST or 0 in (x.bits, y.bits):
        return product
    return None


def _operation(exact: Any, error: Any, bits: float | None) -> Value:
    """The result of one operation; on exact operands it is the nearest float64 itself."""
    return Value(exact, error + ulp(exact) / 2 if error else error, bits)


def saturated(value: Value) -> Value:
    """The largest finite number where the value is beyond it (7.19)."""
    largest = digits(LARGEST)
    if abs(value.exact) <= largest:
        return value
    end = mp.sign(value.exact) * largest
    return Value(end, mp.mpf(0), None if value.bits is None else float(end))
