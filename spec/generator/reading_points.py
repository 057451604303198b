"""The steps at which a case is read: beside every knot, half-way between, and far beyond."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from generator.curve import Curve
from generator.lists import stages_of
from generator.nodes import Node

FAR = (10**6, 2**31 - 1)
MOST_PERIODS = 4


def steps_of(curve: Curve) -> list[int]:
    """0, 1, one before, at and after every knot, half-way between knots, and far beyond."""
    clock = curve.run.clock
    knots = sorted({knot for knot in knots_of(curve.root) if knot >= 0} | {Fraction(0)})
    if clock.axis == "tokens":
        knots = [clock.steps(knot / clock.known_sequence_length()) for knot in knots]
    elif clock.axis == "samples":
        knots = [clock.steps(knot) for knot in knots]
    if clock.batches is not None and len(clock.batches) > 1:
        knots = sorted({*knots, *(Fraction(start) for start, _ in clock.batches)})
    steps = {0, 1, *FAR}
    for knot in knots:
        steps |= {floor(knot) - 1, floor(knot), ceil(knot), floor(knot) + 1}
    for earlier, later in pairwise(knots):
        steps.add(floor((earlier + later) / 2))
    return sorted(step for step in steps if 0 <= step <= max(FAR))


def knots_of(node: Node) -> set[Fraction]:
    """The edges, boundaries and first few periods in and below a node."""
    found = {node.place.start}
    if node.place.end is not None:
        found.add(node.place.end)
    match node.kind:
        case "list":
            for stage in stages_of(node):
                found |= knots_of(stage)
        case "product" | "sum":
            for child in node.children():
                found |= knots_of(child)
        case "clamp" | "advance" | "quantize":
            found |= knots_of(node.child())
        case "repeat":
            periods = node.periods()
            last = MOST_PERIODS if periods.count is None else min(MOST_PERIODS, periods.count)
            for index in range(last):
                begin = node.place.start + periods.start(index)
                found |= {begin + knot for knot in knots_of(node.period(index))}
            if periods.count is not None:
                found.add(node.place.start + periods.total())
        case "piecewise_linear" | "piecewise_constant":
            found |= set(node.boundaries())
        case _:
            pass
    for name in ("every", "timescale"):
        if name in node.fields:
            found.add(node.place.start + node.exact_duration(name))
            found.add(node.place.start + 2 * node.exact_duration(name))
    return found
