"""How far one has to look to have seen every part of a curve."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, isfinite
from typing import TYPE_CHECKING

from lrspec import resolved
from lrspec.formulas import Interpolation
from lrspec.resolved import Clock, Exact, simplest

if TYPE_CHECKING:
    from lrspec.curve import Curve
    from lrspec.resolved import Node


def reach(curve: Curve) -> int:
    """The last step at which something of the curve begins or ends, whether the run comes to it or
    not; 0 where nothing does.

    Where the length of the run is not known, what goes on by a formula is seen for a stretch that
    tells it from others: until its period or its `every` is over, for its `timescale`, or up to
    where a `token_power` begins to fall.
    """
    last = max(
        0, *(ceil(end) for phase in curve.phases() for end in (phase.start, phase.stop or 0))
    )
    found = [*_ends(curve.resolution.root)]
    if curve.steps is None:
        found += _stretches(curve.resolution.root, curve.resolution.clock)
    finite = (simplest(Fraction(position)) for position in found if isfinite(position))
    step = max((ceil(curve.units.steps(position)) for position in finite), default=0)
    # A float64 may be a little more than the same end is exactly.
    return step if step - last > last >> 52 else last


def _ends(node: Node) -> Iterator[Exact | float]:
    """The last position that a node states, of each part of it; those in a period lie within it."""
    if isinstance(node, Interpolation):
        yield node.stop
    match node:
        case resolved.PiecewiseLinear() | resolved.PiecewiseConstant():
            yield node.boundaries[-1]
        case resolved.Timeline():
            yield node.edges[-1]
        case _:
            pass
    for child in _children(node):
        yield from _ends(child)


def _stretches(node: Node, clock: Clock) -> Iterator[Exact | float]:
    """Where a first stretch of what goes on for ever is over."""
    match node:
        case resolved.Exponential() | resolved.Staircase() | resolved.Quantize():
            yield node.start + node.every
        case resolved.InverseSqrt() | resolved.PowerLaw():
            yield node.start + node.timescale
        case resolved.TokenPower():
            yield node.since + _fall(node, clock)
        case resolved.Repeat():
            yield node.start + node.period
        case resolved.Growing():
            yield node.start + node.periods.start(2)
        case _:
            pass
    for child in _children(node):
        yield from _stretches(child, clock)


def _children(node: Node) -> tuple[Node, ...]:
    """The parts of a node that go on with it, on its own positions."""
    match node:
        case resolved.Timeline():
            return node.rows[-1:]
        case resolved.Product() | resolved.Sum():
            return node.children
        case resolved.Clamp() | resolved.Quantize():
            return (node.child,)
        case _:
            return ()


def _fall(node: resolved.TokenPower, clock: Clock) -> float:
    """About how far along the axis a power of the tokens falls below the value before it."""
    assert clock.batches is not None and clock.sequence_length is not None
    sizes = clock.batches.values
    try:
        share = node.amplitude * max(sizes) / (node.initial * node.base)
        tokens = share ** (-1 / node.exponent)
    except (OverflowError, ZeroDivisionError):
        return 0.0
    size = {"tokens": 1, "samples": clock.sequence_length}.get(
        clock.axis, clock.sequence_length * min(sizes)
    )
    return tokens / size if isfinite(tokens) else 0.0
