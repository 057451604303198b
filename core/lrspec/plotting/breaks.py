"""Where a curve is not smooth: the steps at which a stage, piece, period, multiple or batch size
begins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

from lrspec import resolved
from lrspec.clock import position
from lrspec.curve import Curve
from lrspec.periods import Walk
from lrspec.resolved import Exact, Node

# Two children that both move can have a peak anywhere between their ends: it is looked for in so
# many parts of the span.
_PARTS = 256

_Place: TypeAlias = float | Fraction


class TooManyError(ValueError):
    """There are more than was asked for."""


def breaks(curve: Curve, last: int, most: int, *, first: int = 0) -> list[int]:
    """The steps after `first` up to `last` at which something begins, in order.

    From one of them to just before the next the curve follows one formula, or one product or sum of
    formulas, without a jump or a kink; only where a `clamp` begins to hold is not among them.

    Raises:
        TooManyError: There are more than `most`.
    """
    clock = curve.resolution.clock
    found = _Places(most)
    first_step = _step_of(clock, last)
    at = position(clock)
    places = found.of(curve.resolution.root, Fraction(at(first)), Fraction(at(last)))
    found.check(len(set(places)))
    steps = set(map(first_step, set(places)))
    if clock.batches is not None:
        steps.update(clock.batches.starts)
    return sorted(step for step in steps if first < step <= last)


class _StepOf:
    """The first step that belongs to what begins at a place (clauses 2.4, 2.5, 6.1)."""

    def __init__(self, clock: resolved.Clock, last: int) -> None:
        self.steps = range(last + 1)
        self.at = position(clock)
        self.search = bisect_right if clock.sample == "end" else bisect_left

    def __call__(self, place: _Place) -> int:
        return self.search(self.steps, place, key=self.at)


def _step_of(clock: resolved.Clock, last: int) -> _StepOf | _WholeStepOf:
    return _WholeStepOf(clock) if clock.axis == "steps" else _StepOf(clock, last)


class _WholeStepOf:
    """The same along an axis of steps, without a search."""

    def __init__(self, clock: resolved.Clock) -> None:
        self.sample = clock.sample

    def __call__(self, place: _Place) -> int:
        if self.sample == "end":
            return floor(place)
        return ceil(place) if self.sample == "start" else ceil(Fraction(place) - Fraction(1, 2))


class _Places:
    """Collects places on the axis between two ends; raises TooManyError early, when more than
    `most` are sure to come."""

    def __init__(self, most: int) -> None:
        self.most = most

    def check(self, number: int) -> None:
        """Whether there may be so many of one kind."""
        if number > self.most:
            raise TooManyError

    def of(self, node: Node, low: Exact, high: Exact) -> list[_Place]:
        """Where something of the node begins, from `low` to `high`."""
        return [place for place in self._of(node, low, high) if low <= place <= high]

    def _of(self, node: Node, low: Exact, high: Exact) -> Iterator[_Place]:
        match node:
            case resolved.Constant():
                pass
            case resolved.Cosine():
                yield from self._halves(node, high)
            case (
                resolved.Linear()
                | resolved.Polynomial()
                | resolved.Geometric()
                | resolved.Inverse()
            ):
                yield from (node.start, node.stop)
            case resolved.Exponential() | resolved.InverseSqrt() | resolved.PowerLaw():
                yield node.start
            case resolved.TokenPower():
                yield node.since
            case resolved.PiecewiseLinear() | resolved.PiecewiseConstant():
                yield from node.boundaries
            case resolved.Timeline():
                yield from self._stages(node, low, high)
            case resolved.Repeat():
                yield from self._periods(node, low, high)
            case resolved.Growing():
                yield from self._growing(node, low, high)
            case resolved.Product() | resolved.Sum():
                yield from self._combination(node, low, high)
            case resolved.Clamp():
                yield from self.of(node.child, low, high)
            case _:
                yield from self._multiples(node, low, high)

    def _halves(self, node: resolved.Cosine, high: Exact) -> Iterator[_Place]:
        """Both ends and the middle, where the bend turns; under `after: extend` again and again."""
        half = Fraction(node.stop - node.start) / 2
        number = 2
        if node.extend and half:
            number = max(2, floor((high - Fraction(node.start)) / half))
        self.check(number)
        yield from (Fraction(node.start) + i * half for i in range(number + 1))

    def _stages(self, node: resolved.Timeline, low: Exact, high: Exact) -> Iterator[_Place]:
        start = low
        for edge, row in zip((*map(Fraction, node.edges), high), node.rows, strict=True):
            if start <= min(edge, high):
                yield from self.of(row, start, min(edge, high))
            start = max(start, edge)
        yield from node.edges

    def _multiples(
        self,
        node: resolved.Quantize | resolved.Staircase | resolved.Repeat,
        low: Exact,
        high: Exact,
    ) -> Iterator[Exact]:
        """Where each multiple or period begins, the one before `low` too."""
        every = node.period if isinstance(node, resolved.Repeat) else node.every
        first = max(0, floor((low - node.start) / Fraction(every)))
        final = floor((high - node.start) / Fraction(every))
        self.check(final - first)
        yield from (node.start + i * every for i in range(first, final + 1))

    def _periods(self, node: resolved.Repeat, low: Exact, high: Exact) -> Iterator[_Place]:
        starts = list(self._multiples(node, low, high))
        inside = [Fraction(place) for place in self.of(node.child, 0, node.period)]
        self.check(len(starts) * len(inside))
        yield from starts
        yield from (start + place for start in starts for place in inside)

    def _growing(self, node: resolved.Growing, low: Exact, high: Exact) -> Iterator[_Place]:
        walk = Walk(node.periods, left=False)
        walk.to(max(low - node.start, 0))
        first = walk.index
        final = None if node.periods.count is None else node.periods.count - 1
        while (start := node.start + walk.start) <= high:
            length = walk.length if walk.index != final else high - start
            yield start
            for place in self.of(node.resolve(walk.length), 0, length):
                yield start + Fraction(place)
            if walk.index == final:
                break
            self.check(walk.index - first)
            walk.to(walk.end)

    def _combination(
        self, node: resolved.Product | resolved.Sum, low: Exact, high: Exact
    ) -> Iterator[_Place]:
        for child in node.children:
            yield from self.of(child, low, high)
        moving = [c for c in node.children if not isinstance(c, resolved.Constant)]
        if len(moving) > 1:
            part = Fraction(high - low) / _PARTS
            yield from (low + i * part for i in range(_PARTS))


def grows(node: Node) -> bool:
    """Whether a `repeat` in it has periods of different lengths, each of which takes long to
    find."""
    match node:
        case resolved.Growing():
            return True
        case resolved.Timeline():
            return any(map(grows, node.rows))
        case resolved.Product() | resolved.Sum():
            return any(map(grows, node.children))
        case resolved.Repeat() | resolved.Clamp() | resolved.Quantize():
            return grows(node.child)
        case _:
            return False
