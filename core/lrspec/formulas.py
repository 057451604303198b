"""The formula of every leaf as a function of one float64 position (clauses 8.2 to 8.5).

Interpolating kinds give exactly `initial` and `final` at their ends, are monotone in between and
lose no relative accuracy near an end of 0: the value is lo + (hi − lo)·w, anchored at the end `lo`
of smaller magnitude, with the weight w computed from the distances d to that end and o to the
other, ξ = d/L and η = o/L. (The familiar b + (a − b)·½(1 + cos πu) is off by up to 1e11 ULP.)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, expm1, fmod, inf, isinf, log, log1p, pi, sin, sqrt
from typing import TypeAlias

from lrspec import resolved
from lrspec.powers import growth, power_of_quotient, power_of_sum, raised, saturate

Formula: TypeAlias = Callable[[float], float]
Weight: TypeAlias = Callable[[float, float], float]
Interpolation: TypeAlias = (
    resolved.Linear | resolved.Cosine | resolved.Polynomial | resolved.Geometric | resolved.Inverse
)

_HALF_PI = pi / 2
_STEEP = 1e150
_FEW = 64


@dataclass(frozen=True, slots=True)
class Anchored:
    """The two ends of an interpolation, by magnitude instead of time.

    `low` is the value of smaller magnitude (the final one on a tie) and stands at the edge `near`,
    `high` at the edge `far`; a position p is ξ = (p − near)/reach from the low end and
    η = (far − p)/reach from the high one, both between 0 and 1. `reach` is the length, negative
    where the low end comes last.
    """

    low: float
    high: float
    near: float
    far: float
    reach: float

    @property
    def rise(self) -> float:
        """Hi − lo."""
        return self.high - self.low


def anchored(node: Interpolation) -> Anchored:
    """Which end of `node` is the anchor (clause 8.3)."""
    start, stop, initial, final = node.start, node.stop, node.initial, node.final
    if abs(final) <= abs(initial):
        return Anchored(final, initial, stop, start, start - stop)
    return Anchored(initial, final, start, stop, stop - start)


def interpolation(node: Interpolation) -> Formula:
    """The formula of a kind that runs from `initial` at `start` to `final` at `stop`."""
    start, stop, initial, final = node.start, node.stop, node.initial, node.final
    if initial == final:
        return lambda p: initial
    if isinf(final - initial):
        # An inherited value may be as large as float64 goes; quarters of the ends are near enough.
        quarter = interpolation(replace(node, initial=initial / 4, final=final / 4))
        return lambda p: saturate(4 * quarter(p))
    least, most = min(initial, final), max(initial, final)
    inside = _inside(node)

    def held(p: float) -> float:
        if p >= stop:
            return final
        if p <= start:
            return initial
        value = inside(p)
        return value if least <= value <= most else _nearer(value, least, most)

    if isinstance(node, resolved.Inverse) or not node.extend:
        if isinstance(node, resolved.Linear):
            return _line(node)
        if isinstance(node, resolved.Cosine) and node.exponent == 1:
            return _half_cosine(node)
        return held
    beyond = _extension(node)
    return lambda p: beyond(p) if p > stop else held(p)


def _nearer(value: float, least: float, most: float) -> float:
    return least if value < least else most


def _line(node: resolved.Linear) -> Formula:
    """`interpolation` of a straight line, in one function: the most frequent leaf of all."""
    start, stop, initial, final = node.start, node.stop, node.initial, node.final
    ends = anchored(node)
    low, high, near, reach, rise = ends.low, ends.high, ends.near, ends.reach, ends.rise
    least, most = min(initial, final), max(initial, final)

    def at(p: float) -> float:
        if p >= stop:
            return final
        if p <= start:
            return initial
        value = low + rise * ((p - near) / reach)
        return value if least <= value <= most else high

    return at


def _half_cosine(node: resolved.Cosine) -> Formula:
    """`interpolation` of half a cosine without an exponent, in one function: the second most
    frequent leaf."""
    start, stop, initial, final = node.start, node.stop, node.initial, node.final
    ends = anchored(node)
    low, near, far, reach, rise = ends.low, ends.near, ends.far, ends.reach, ends.rise
    least, most = min(initial, final), max(initial, final)
    sine, half_pi = sin, _HALF_PI

    def at(p: float) -> float:
        if p >= stop:
            return final
        if p <= start:
            return initial
        fraction = (p - near) / reach
        if fraction <= 0.5:
            root = sine(half_pi * fraction)
            value = low + rise * (root * root)
        else:
            root = sine(half_pi * ((far - p) / reach))
            value = low + rise * (1.0 - root * root)
        return value if least <= value <= most else _nearer(value, least, most)

    return at


def _inside(node: Interpolation) -> Formula:
    """The anchored form strictly between the ends (clause 8.3); that of a straight line is good
    anywhere."""
    if isinstance(node, resolved.Geometric):
        return _geometric(node)
    ends = anchored(node)
    low, near, far = ends.low, ends.near, ends.far
    weighted = _weighted(node, ends)
    if ends.reach < 0:
        return lambda p: low + weighted(near - p, p - far)
    return lambda p: low + weighted(p - near, far - p)


def _geometric(node: resolved.Geometric) -> Formula:
    """C + (a − c)·((b − c)/(a − c))^u, also beyond the end."""
    start, initial, c = node.start, node.initial, node.asymptote
    if c == 0:
        grown = growth(initial, node.final, initial, node.stop - start)
        return lambda p: grown(p - start)
    ends = anchored(node)
    low, high, near, reach = ends.low, ends.high, ends.near, ends.reach
    height = low - c
    ratio = (high - c) / height
    # ln((hi − c)/(lo − c)), accurate also where the ratio is near 1
    rate = (
        log1p((high - low) / height) if 0.5 < ratio < 2 else log(abs(high - c)) - log(abs(height))
    )
    grown = growth(height, high - c, height, reach)

    def at(p: float) -> float:
        logarithm = (p - near) / reach * rate
        if -1 <= logarithm <= 1:
            return low + height * expm1(logarithm)
        return saturate(low + (grown(p - near) - height))

    return at


def _weighted(
    node: resolved.Linear | resolved.Cosine | resolved.Polynomial | resolved.Inverse,
    ends: Anchored,
) -> Weight:
    """(hi − lo)·w(d, o), with w of the table in clause 8.3."""
    rise, length, at_final = ends.rise, abs(ends.reach), ends.reach < 0
    match node:
        case resolved.Linear():
            return lambda near, far: rise * (near / length)
        case resolved.Cosine():
            weight = _cosine_weight(node.exponent, at_final, length)
            return lambda near, far: rise * weight(near, far)
        case resolved.Polynomial():
            if (node.origin == "final") == at_final:
                power = power_of_quotient(rise, node.power, length)
                return lambda near, far: power(near)
            complement = _complement_weight(node.power, length)
            return lambda near, far: rise * complement(near, far)
        case resolved.Inverse():  # pragma: no branch - nothing else is left
            above, below = ends.high - node.asymptote, ends.low - node.asymptote
            ratio = above / below
            if ratio <= _STEEP:
                return lambda near, far: rise * (near / (near + far * ratio))
            # The same, without a product that leaves float64.
            share, inverse = below * (rise / above), below / above
            return lambda near, far: share * (near / (near * inverse + far))


def _cosine_weight(exponent: float, at_final: bool, length: float) -> Weight:
    """The weight of a cosine with an exponent, also 1."""

    def root_of(near: float, far: float) -> float:
        """Sin(π/2·ξ), by the cosine of η in the half where that is the steadier one."""
        fraction = near / length
        return sin(_HALF_PI * fraction) if fraction <= 0.5 else cos(_HALF_PI * (far / length))

    if at_final:
        return lambda near, far: root_of(near, far) ** (2 * exponent)

    def complement(near: float, far: float) -> float:
        fraction = near / length
        if fraction <= 0.5:
            root = sin(_HALF_PI * fraction)
            return -expm1(exponent * log1p(-root * root))
        return -expm1(2 * exponent * log(sin(_HALF_PI * (far / length))))

    return complement


def _complement_weight(exponent: float, length: float) -> Weight:
    """1 − η^exponent without cancellation."""

    def complement(near: float, far: float) -> float:
        fraction, rest = near / length, far / length
        if exponent == 1:
            return fraction
        if exponent == 2:
            return fraction * (1 + rest)
        if exponent == 3:
            return fraction * (1 + rest + rest * rest)
        if exponent == 0.5:
            return fraction / (1 + sqrt(rest))
        return -expm1(exponent * (log1p(-fraction) if fraction <= 0.5 else log(rest)))

    return complement


def _extension(
    node: resolved.Linear | resolved.Cosine | resolved.Polynomial | resolved.Geometric,
) -> Formula:
    """The formula beyond `stop`, u no longer clipped (clause 8.4)."""
    start, stop, initial, final = node.start, node.stop, node.initial, node.final
    length = stop - start
    match node:
        case resolved.Linear():
            line = _inside(node)
            return lambda p: saturate(line(p))
        case resolved.Geometric():
            return _geometric(node)
        case resolved.Cosine():
            inside = interpolation(resolved.Cosine(start, stop, initial, final, node.exponent))

            def folded(p: float) -> float:
                rest = fmod(p - start, 2 * length)
                return inside(start + (rest if rest <= length else 2 * length - rest))

            return folded
        case resolved.Polynomial():  # pragma: no branch - nothing else is left
            if node.origin == "initial":
                height = final - initial
                return lambda p: saturate(
                    initial + height * raised((p - start) / length, node.power)
                )
            height, odd = initial - final, node.power % 2 == 1

            def signed(p: float) -> float:
                power = raised((p - stop) / length, node.power)
                return saturate(final + height * (-power if odd else power))

            return signed


def exponential(node: resolved.Exponential) -> Formula:
    """Initial·rate^((p − start)/every)."""
    start = node.start
    grown = growth(node.initial, node.rate, 1.0, node.every)
    return lambda p: grown(p - start)


def staircase(node: resolved.Staircase) -> Formula:
    """Initial·rate^index of a whole index."""
    return growth(node.initial, node.rate, 1.0, 1.0)


def inverse_sqrt(node: resolved.InverseSqrt) -> Formula:
    """Initial·√(timescale/(timescale + p − start)), correctly rounded operations only."""
    start, initial, timescale = node.start, node.initial, node.timescale
    return lambda p: initial * sqrt(timescale / (timescale + (p - start)))


def power_law(node: resolved.PowerLaw) -> Formula:
    """Initial·(1 + (p − start)/timescale)^−exponent."""
    start = node.start
    power = power_of_sum(node.initial, node.timescale, -node.exponent)
    return lambda p: power(p - start)


_Segment: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]


def _segment(start: float, stop: float, initial: float, final: float) -> _Segment:
    """What a straight line is computed from: its start and the value there, then lo, hi − lo, the
    edge of lo, the length (negative where lo comes last), the bounds, and hi."""
    if initial == final:
        return start, initial, initial, 0.0, 0.0, 1.0, initial, initial, initial
    if abs(final) <= abs(initial):
        low, high, near, reach = final, initial, stop, start - stop
    else:
        low, high, near, reach = initial, final, start, stop - start
    least, most = min(initial, final), max(initial, final)
    return start, initial, low, high - low, near, reach, least, most, high


def piecewise_linear(node: resolved.PiecewiseLinear) -> Formula:
    """The straight line between neighbouring boundaries, found by bisection, held outside."""
    boundaries, values = node.boundaries, node.values

    def segment(index: int) -> _Segment:
        """The line before boundary `index`."""
        if index in (0, len(boundaries)):
            value = values[max(index - 1, 0)]
            return _segment(-inf, inf, value, value)
        before = index - 1
        return _segment(boundaries[before], boundaries[index], values[before], values[index])

    segments: Sequence[_Segment] | None = None
    if len(boundaries) <= _FEW:
        segments = [segment(index) for index in range(len(boundaries) + 1)]

    def at(p: float) -> float:
        index = bisect_right(boundaries, p)
        # Many knots would be many segments: each is made when it is needed.
        start, initial, low, rise, near, reach, least, most, high = (
            segments[index] if segments else segment(index)
        )
        if p == start:
            return initial
        value = low + rise * ((p - near) / reach)
        return value if least <= value <= most else high

    return at


def piecewise_constant(node: resolved.PiecewiseConstant, left: bool) -> Formula:
    """Values[i] from boundaries[i − 1] on; `left`: just before the position."""
    boundaries, values = node.boundaries, node.values
    search = bisect_left if left else bisect_right
    return lambda p: values[search(boundaries, p)]
