"""Powers whose exponent or base is a quotient, within a few ULP whatever their size.

base^(n/d) in float64 loses about |ln base · n/d| half ULPs to the rounding of n/d alone: hundreds
for a rate that decays by 1e-300. Where that is more than a few, the rounding error of the quotient
is computed exactly (Dekker's product) and made up for.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, exp, inf, log, sqrt
from sys import float_info

LARGEST = float_info.max
_CALM = 16.0  # up to this |ln of the power| the plain form stays within the limits of clause 8.6
_WITHIN = 600.0  # the exponential of this is within float64, with room for a factor
_BEYOND = 3000.0  # a power beyond this is beyond float64 whatever float64 multiplies it
_SPLITTER = 2.0**27 + 1
_SMALLEST_NORMAL = float_info.min


def saturate(value: float) -> float:
    """The largest finite number of the sign where `value` is infinite (clause 7.19)."""
    return copysign(LARGEST, value) if value in (inf, -inf) else value


def growth(factor: float, high: float, low: float, denominator: float) -> Callable[[float], float]:
    """The function n ↦ factor·(high/low)^(n/denominator), for high/low > 0; saturated, 0 where it
    is below float64."""
    base, parts = high / low, 1
    if (
        not _SMALLEST_NORMAL <= base <= LARGEST
    ):  # the quotient leaves float64, its fourth root does not
        base, parts = sqrt(sqrt(abs(high))) / sqrt(sqrt(abs(low))), 4
    rate = log(base)
    limit = _CALM / abs(rate) if rate else inf

    def at(numerator: float) -> float:
        exponent = numerator / denominator
        if parts == 1 and -limit <= exponent <= limit:
            return saturate(factor * base**exponent)
        missed = residual(numerator, denominator, exponent)
        return _multiplied(factor * _made_up(missed * parts * rate), base, exponent * parts, rate)

    return at


def _made_up(logarithm: float) -> float:
    """The factor that makes up for what was rounded away: near 1 unless an exponent is beyond 2^50.

    It is bounded, also where the quotient was infinite and its error NaN: the power decides then.
    """
    return exp(min(300.0, logarithm))


def _multiplied(factor: float, base: float, exponent: float, rate: float) -> float:
    """Factor·base^exponent, the power in pieces that stay within float64; rate is ln base."""
    if factor == 0:
        return factor  # whatever the power
    size = abs(exponent * rate)
    if size > _BEYOND:
        return copysign(LARGEST if (exponent > 0) == (rate > 0) else 0.0, factor)
    pieces = 1
    while size > _WITHIN * pieces:
        pieces *= 2
    piece = base ** (exponent / pieces)
    for _ in range(pieces):
        factor *= piece
    return saturate(factor)


def power_of_sum(factor: float, timescale: float, exponent: float) -> Callable[[float], float]:
    """The function x ↦ factor·(1 + x/timescale)^exponent, for x ≥ 0."""
    if abs(exponent) <= _CALM / 2:
        return lambda x: saturate(factor * (1 + x / timescale) ** exponent)

    def at(x: float) -> float:
        quotient = x / timescale
        base = 1 + quotient
        # What the sum rounded away, exactly, and what the quotient did.
        larger, smaller = (1.0, quotient) if quotient < 1 else (quotient, 1.0)
        missed = smaller - (base - larger) + residual(x, timescale, quotient)
        return _multiplied(factor * _made_up(exponent * (missed / base)), base, exponent, log(base))

    return at


def power_of_quotient(
    factor: float, exponent: float, denominator: float
) -> Callable[[float], float]:
    """The function n ↦ factor·(n/denominator)^exponent, for n ≥ 0; 1, 2, 3 and ½ by operations that
    every platform rounds alike."""
    if exponent == 1:
        return lambda n: factor * (n / denominator)
    if exponent == 2:
        return lambda n: factor * _squared(n / denominator)
    if exponent == 3:
        return lambda n: factor * _cubed(n / denominator)
    if exponent == 0.5:
        return lambda n: factor * sqrt(n / denominator)
    if exponent <= _CALM:
        return lambda n: factor * raised(n / denominator, exponent)

    def at(numerator: float) -> float:
        base = numerator / denominator
        if base == 0:
            return 0.0
        missed = residual(numerator, denominator, base)
        factor_ = factor * _made_up(exponent * (missed / base))
        return _multiplied(factor_, base, exponent, log(base))

    return at


def raised(base: float, exponent: float) -> float:
    """Base^exponent, inf beyond float64."""
    try:
        power: float = base**exponent
    except OverflowError:
        return inf
    return power


def _squared(x: float) -> float:
    return x * x


def _cubed(x: float) -> float:
    return x * x * x


def residual(numerator: float, denominator: float, quotient: float) -> float:
    """Numerator/denominator − quotient, for a quotient that is the first one rounded."""
    product = quotient * denominator
    high = _SPLITTER * quotient
    high -= high - quotient
    low = quotient - high
    top = _SPLITTER * denominator
    top -= top - denominator
    bottom = denominator - top
    error = ((high * top - product) + high * bottom + low * top) + low * bottom
    return ((numerator - product) - error) / denominator
