"""The rows of a leaf: the numbers of the anchored forms (clauses 8.2 to 8.5), and where each holds.

The ends, knots and plateaus of a leaf are rows of their own, so that they are exact on any device,
whatever a compiler makes of the formula between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import expm1, log, log1p, sqrt
from typing import Final, Literal, NamedTuple, TypeAlias

from lrspec import resolved
from lrspec.table import form
from lrspec.table.form import LARGEST

Row: TypeAlias = dict[str, float]

# From where on a row holds: from an edge on, after it, or as its owner (clause 6.1), which under a
# limit from the left means after it.
Side: TypeAlias = Literal["from", "after", "own"]

_LONGEST_EXPONENT: Final = 700.0
_SMALLEST: Final = 2.0**-1022


class Piece(NamedTuple):
    """A row and where it begins; `edge` is None for the first."""

    side: Side
    edge: float | None
    row: Row


Plain: TypeAlias = (
    resolved.Constant
    | resolved.Linear
    | resolved.Cosine
    | resolved.Polynomial
    | resolved.Geometric
    | resolved.Inverse
    | resolved.Exponential
    | resolved.InverseSqrt
    | resolved.PowerLaw
    | resolved.PiecewiseLinear
    | resolved.PiecewiseConstant
)


def pieces(leaf: Plain) -> list[Piece]:
    """The rows of a leaf that is a function of the rounded position alone."""
    match leaf:
        case resolved.Constant():
            return _only(constant(leaf.value))
        case resolved.Exponential():
            return _from_start(leaf.start, leaf.initial, _exponential(leaf))
        case resolved.InverseSqrt():
            row: Row = {"shape": form.INVERSE_SQRT, "rise": leaf.initial}
            return _only({**row, "anchor": leaf.start, "length": leaf.timescale})
        case resolved.PowerLaw():
            return _from_start(leaf.start, leaf.initial, _power_law(leaf))
        case resolved.PiecewiseLinear():
            return list(_piecewise_linear(leaf))
        case resolved.PiecewiseConstant():
            rest = zip(leaf.boundaries, leaf.values[1:], strict=True)
            return [
                Piece("from", None, constant(leaf.values[0])),
                *(Piece("own", edge, constant(value)) for edge, value in rest),
            ]
        case _:
            return _interpolation(leaf)


def constant(value: float) -> Row:
    """A line that does not rise."""
    return {"low": value}


def staircase(leaf: resolved.Staircase) -> Row:
    """initial·rate^i of the index i, whose columns are still to be added."""
    if leaf.initial == 0:
        return constant(0.0)
    row: Row = {"shape": form.STAIRCASE, "rise": leaf.initial}
    return {**row, "power0": leaf.rate, "exponent0": 0.0, "exponent1": 1.0}


def token_power(leaf: resolved.TokenPower, batch: int, anchor: float, at: float, slope: int) -> Row:
    """amplitude·batch·T^exponent/base with T = at + slope·(p − anchor), at most initial."""
    rise = min(leaf.amplitude * batch / leaf.base, LARGEST)
    row: Row = {"shape": form.POWER, "rise": rise, "maximum": leaf.initial}
    row |= {"anchor": anchor, "power0": at, "power1": float(slope)}
    return {**row, "exponent0": leaf.exponent, "exponent1": 0.0}


def _only(row: Row) -> list[Piece]:
    return [Piece("from", None, row)]


def _from_start(start: float, initial: float, row: Row) -> list[Piece]:
    """A formula that may leave float64 before its start, where array code computes it though it is
    not asked for."""
    return [Piece("from", None, constant(initial)), Piece("after", start, row)]


def _twice(row: Row, factor: float, falls: bool) -> Row:
    """The square of half the exponent, where the power may leave float64 and the value not."""
    if abs(factor) <= 1 if falls else abs(factor) >= 1:
        return row
    halves = {name: row[name] / 2 for name in ("exponent0", "exponent1")}
    return {**row, **halves, "shape": form.POWER_TWICE}


def _exponential(leaf: resolved.Exponential) -> Row:
    if leaf.initial == 0:
        return constant(0.0)
    rate, every = leaf.rate, leaf.every
    if rate < _SMALLEST:  # some backends take subnormal numbers for 0
        rate, every = sqrt(sqrt(rate)), every / 4
    row: Row = {"shape": form.POWER, "rise": leaf.initial, "power0": rate}
    row |= {"anchor": leaf.start, "length": every, "exponent0": 0.0, "exponent1": 1.0}
    return _twice(row, leaf.initial, rate < 1)


def _power_law(leaf: resolved.PowerLaw) -> Row:
    row: Row = {"shape": form.POWER, "rise": leaf.initial, "power1": 1.0}
    row |= {"anchor": leaf.start, "length": leaf.timescale}
    return _twice({**row, "exponent0": -leaf.exponent, "exponent1": 0.0}, leaf.initial, True)


# -- interpolating kinds ------------------------------------------------------------------------

Interpolation: TypeAlias = (
    resolved.Linear | resolved.Cosine | resolved.Polynomial | resolved.Geometric | resolved.Inverse
)


def _interpolation(leaf: Interpolation) -> list[Piece]:
    """`initial` up to the start, `final` from the stop on, the anchored form between them."""
    if leaf.initial == leaf.final:
        return _only(constant(leaf.initial))
    found = [Piece("from", None, constant(leaf.initial))]
    if leaf.start < leaf.stop:
        found.append(Piece("after", leaf.start, _inside(leaf)))
    found.append(Piece("from", leaf.stop, constant(leaf.final)))
    if not isinstance(leaf, resolved.Inverse) and leaf.extend:
        found.append(Piece("after", leaf.stop, _beyond(leaf)))
    return found


class _Anchor(NamedTuple):
    """The end of smaller magnitude, from which the distance is measured, and the other."""

    at_final: bool
    low: float
    high: float
    row: Row


def _anchor(leaf: Interpolation) -> _Anchor:
    length = leaf.stop - leaf.start
    at_final = abs(leaf.final) <= abs(leaf.initial)
    if at_final:
        low, high, row = leaf.final, leaf.initial, _ends(leaf.stop, leaf.start, -length)
    else:
        low, high, row = leaf.initial, leaf.final, _ends(leaf.start, leaf.stop, length)
    # Only an inherited value can make it infinite, and then only by what float32 does not see.
    rise = max(min(high - low, LARGEST), -LARGEST)
    return _Anchor(at_final, low, high, {**row, "low": low, "rise": rise})


def _ends(anchor: float, other: float, length: float) -> Row:
    return {"anchor": anchor, "other": other, "length": length}


def _inside(leaf: Interpolation) -> Row:
    """The row strictly between the ends, which never leaves the interval of its values."""
    least, most = sorted((leaf.initial, leaf.final))
    return {**_free(leaf), "minimum": least, "maximum": most}


def _free(leaf: Interpolation) -> Row:
    """The row of the anchored form (clause 8.3), not held in the interval."""
    if isinstance(leaf, resolved.Geometric) and leaf.asymptote == 0:
        return _geometric(leaf)
    anchor = _anchor(leaf)
    match leaf:
        case resolved.Linear():
            return anchor.row
        case resolved.Cosine():
            return {**anchor.row, **_cosine(leaf.exponent, anchor.at_final)}
        case resolved.Polynomial():
            near = (leaf.origin == "final") == anchor.at_final
            return {**anchor.row, **(_near if near else _far)(leaf.power)}
        case resolved.Inverse():
            tilt = (anchor.high - leaf.asymptote) / (anchor.low - leaf.asymptote)
            return {**anchor.row, "shape": form.INVERSE, "tilt": min(tilt, LARGEST)}
        case _:
            return {**anchor.row, **_bent(anchor.low, anchor.high, leaf.asymptote)}


def _cosine(exponent: float, at_final: bool) -> Row:
    if exponent == 1:
        return {"shape": form.COSINE}
    if at_final:
        row: Row = {"shape": form.COSINE_POWER, "power0": 0.0, "power1": 1.0}
        return {**row, "exponent0": exponent, "exponent1": 0.0}
    return {"shape": form.COSINE_COMPLEMENT, "exponent0": exponent}


def _near(power: float) -> Row:
    """ξ^power."""
    if power == 1:
        return {"shape": form.LINE}
    row: Row = {"shape": form.POWER, "power0": 0.0, "power1": 1.0}
    return {**row, "exponent0": power, "exponent1": 0.0}


def _far(power: float) -> Row:
    """1 − η^power."""
    if power == 1:
        return {"shape": form.LINE}
    return {"shape": form.COMPLEMENT, "exponent0": power}


def _bent(low: float, high: float, asymptote: float) -> Row:
    """expm1(ξ·λ)/expm1(λ) with λ = ln((hi − c)/(lo − c))."""
    ratio = (high - asymptote) / (low - asymptote)
    if 0.5 < ratio < 2:
        bend = log1p((high - low) / (low - asymptote))
    elif _SMALLEST <= ratio <= LARGEST:
        bend = log(ratio)
    else:  # the quotient alone leaves float64
        bend = log(abs(high - asymptote)) - log(abs(low - asymptote))
    if abs(bend) < 2**-60:
        return {"shape": form.LINE}
    if bend > _LONGEST_EXPONENT:
        return {"shape": form.STEEP, "bend": bend, "divisor": expm1(-bend)}
    return {"shape": form.GEOMETRIC, "bend": bend, "divisor": expm1(bend)}


def _geometric(leaf: resolved.Geometric) -> Row:
    """initial·(final/initial)^(x/L), the form without an asymptote."""
    row: Row = {"shape": form.POWER, "rise": leaf.initial, "exponent0": 0.0, "exponent1": 1.0}
    row |= {"anchor": leaf.start, "length": leaf.stop - leaf.start}
    ratio = leaf.final / leaf.initial
    if 1e-280 < ratio < 1e280:
        return {**row, "power0": ratio}
    return {
        **row,
        "shape": form.POWER_TWICE,
        "power0": sqrt(abs(leaf.final)) / sqrt(abs(leaf.initial)),
    }


def _beyond(
    leaf: resolved.Linear | resolved.Cosine | resolved.Polynomial | resolved.Geometric,
) -> Row:
    """The row after the stop of an extended kind (clause 8.4)."""
    length = leaf.stop - leaf.start
    match leaf:
        case resolved.Cosine():
            return {**_inside(leaf), "turn_start": leaf.start, "turn": 2 * length}
        case resolved.Polynomial() if leaf.origin == "final":
            row = _ends(leaf.stop, leaf.start, -length)
            return {
                **row,
                "low": leaf.final,
                "rise": leaf.initial - leaf.final,
                **_near(leaf.power),
            }
        case resolved.Polynomial():
            row = _ends(leaf.start, leaf.stop, length)
            row |= {"low": leaf.initial, "rise": leaf.final - leaf.initial}
            return {**row, **_near(leaf.power)}
        case resolved.Geometric() if leaf.asymptote == 0:
            falls = abs(leaf.final) < abs(leaf.initial)
            row = _geometric(leaf)
            return row if row["shape"] == form.POWER_TWICE else _twice(row, leaf.initial, falls)
        case resolved.Geometric():
            row = _free(leaf)
            if row["shape"] == form.STEEP and abs(leaf.final) <= abs(leaf.initial):
                # lo + (lo − c)·expm1(ξ·λ): ξ is negative, the power small.
                row |= {"shape": form.GEOMETRIC, "divisor": 1.0}
                row |= {"rise": leaf.final - leaf.asymptote}
            return row
        case _:
            return _free(leaf)


# -- piecewise kinds ----------------------------------------------------------------------------


def _piecewise_linear(leaf: resolved.PiecewiseLinear) -> Iterator[Piece]:
    """Straight lines between the knots, and a row for a knot that a line may miss by rounding."""
    knots = list(zip(leaf.boundaries, leaf.values, strict=True))
    yield Piece("from", None, constant(leaf.values[0]))
    for (start, initial), (stop, final) in pairwise(knots):
        if initial == final:
            yield Piece("from", start, constant(initial))
            continue
        falls = abs(final) <= abs(initial)
        low, high = (final, initial) if falls else (initial, final)
        row = {"low": low, "rise": high - low, "anchor": start, "length": stop - start}
        if falls:
            row |= {"anchor": stop, "length": start - stop}
        row |= {"minimum": min(low, high), "maximum": max(low, high)}
        if low + (high - low) == high:
            yield Piece("from", start, row)
        elif falls:
            yield Piece("from", start, constant(initial))
            yield Piece("after", start, row)
        else:
            yield Piece("from", start, row)
            yield Piece("from", stop, constant(final))
    yield Piece("from", knots[-1][0], constant(knots[-1][1]))
