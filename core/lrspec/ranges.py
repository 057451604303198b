"""Values at many steps at once, bit for bit what `curve(step)` gives, without the cost of a call
for each."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import pi, sin
from typing import TypeAlias

from lrspec import resolved
from lrspec.clock import position
from lrspec.evaluate import Position, combined, function, shrunk
from lrspec.formulas import anchored
from lrspec.powers import LARGEST, saturate
from lrspec.resolved import Clock, Node, Resolution

Positions: TypeAlias = Sequence[Position]


def values(resolution: Resolution, steps: range) -> array[float]:
    """The values at `steps`, which ascend from 0 or more."""
    clock = resolution.clock
    positions: Positions
    if clock.axis == "steps" and clock.sample != "middle":
        shift = 1 if clock.sample == "end" else 0
        positions = range(steps.start + shift, steps.stop + shift, steps.step)
    else:
        positions = list(map(position(clock), steps))
    result = _Reader(clock).read(resolution.root, positions)
    factor = resolution.base
    if factor is None or factor == 1.0:
        return array("d", result)
    scaled = [value * factor for value in result]
    if factor > 1 and not all(-LARGEST <= value <= LARGEST for value in scaled):
        scaled = list(map(saturate, scaled))
    return array("d", scaled)


class _Reader:
    """Reads nodes at ascending positions, a stage at a time."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.left = clock.sample == "end"
        self.row_of = bisect_left if self.left else bisect_right
        self.first_after = bisect_right if self.left else bisect_left

    def read(self, node: Node, positions: Positions) -> list[float]:
        """One value a position."""
        match node:
            case resolved.Constant(value):
                return [value] * len(positions)
            case resolved.Linear(extend=False) if node.initial != node.final:
                return _line(node, positions)
            case resolved.Cosine(exponent=1, extend=False) if node.initial != node.final:
                return _half_cosine(node, positions)
            case resolved.PiecewiseLinear() if len(node.values) < len(positions):
                return self._timeline(_lines(node), positions)
            case resolved.Timeline():
                return self._timeline(node, positions)
            case resolved.Repeat(start=int(), period=int()) if isinstance(positions, range):
                return self._repeat(node, positions)
            case resolved.Product() | resolved.Sum():
                columns = [self.read(child, positions) for child in node.children]
                return list(map(combined(node), *columns))
            case _:
                return list(map(function(node, self.clock, left=self.left), positions))

    def _timeline(self, node: resolved.Timeline, positions: Positions) -> list[float]:
        result: list[float] = []
        edges = node.edges
        taken = 0
        while taken < len(positions):
            row = self.row_of(edges, positions[taken])
            last = row == len(edges)
            until = len(positions) if last else self.first_after(positions, edges[row], taken)
            result += self.read(node.rows[row], positions[taken:until])
            taken = until
        return result

    def _repeat(self, node: resolved.Repeat, positions: range) -> list[float]:
        assert isinstance(node.start, int) and isinstance(node.period, int)
        result: list[float] = []
        taken = 0
        while taken < len(positions):
            offset = positions[taken] - node.start
            period = (offset - 1 if self.left else offset) // node.period
            origin = node.start + period * node.period
            until = self.first_after(positions, origin + node.period, taken)
            part = positions[taken:until]
            local = range(part.start - origin, part.stop - origin, part.step)
            found = self.read(node.child, local)
            if node.shrink != 1:
                found = [shrunk(value, node.shrink, period, node.toward) for value in found]
            result += found
            taken = until
        return result


def _lines(node: resolved.PiecewiseLinear) -> resolved.Timeline:
    """The pieces of a piecewise linear curve as stages."""
    knots = list(zip(node.boundaries, node.values, strict=True))
    lines = (resolved.Linear(x, u, y, v) for (x, y), (u, v) in pairwise(knots))
    first, last = resolved.Constant(node.values[0]), resolved.Constant(node.values[-1])
    return resolved.Timeline(node.boundaries, (first, *lines, last))


def _line(node: resolved.Linear, positions: Positions) -> list[float]:
    """`formulas.interpolation` of a straight line at every position."""
    ends = anchored(node)
    low, near, reach, rise = ends.low, ends.near, ends.reach, ends.rise
    first, last = _between(node, positions)
    found = [low + rise * ((p - near) / reach) for p in positions[first:last]]
    return _with_ends(node, first, found, len(positions) - last)


def _half_cosine(node: resolved.Cosine, positions: Positions) -> list[float]:
    """The same of half a cosine without an exponent."""
    ends = anchored(node)
    low, near, far, reach, rise = ends.low, ends.near, ends.far, ends.reach, ends.rise
    half_pi = pi / 2
    first, last = _between(node, positions)
    found = [
        low + rise * ((root := sin(half_pi * fraction)) * root)
        if (fraction := (p - near) / reach) <= 0.5
        else low + rise * (1.0 - (root := sin(half_pi * ((far - p) / reach))) * root)
        for p in positions[first:last]
    ]
    return _with_ends(node, first, found, len(positions) - last)


def _between(node: resolved.Linear | resolved.Cosine, positions: Positions) -> tuple[int, int]:
    """Which of the positions lie strictly between the ends."""
    return bisect_right(positions, node.start), bisect_left(positions, node.stop)


def _with_ends(
    node: resolved.Linear | resolved.Cosine, before: int, found: list[float], after: int
) -> list[float]:
    least, most = sorted((node.initial, node.final))
    if found and not (least <= min(found) and max(found) <= most):
        found = [min(max(value, least), most) for value in found]
    return [node.initial] * before + found + [node.final] * after
