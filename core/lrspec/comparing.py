"""Where two curves differ, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lrspec.curve import Curve
from lrspec.held import held
from lrspec.reach import reach

# Values that are held at a time.
_CHUNK = 1 << 16
_OPEN = 100


@dataclass(frozen=True, slots=True)
class At:
    """The values of two curves at a step."""

    step: int
    one: float
    two: float

    @property
    def distance(self) -> float:
        """How far apart they are."""
        return abs(self.one - self.two)

    @property
    def relative(self) -> float:
        """How far apart they are, as a share of the larger one; 0 where both are 0."""
        larger = max(abs(self.one), abs(self.two))
        return self.distance / larger if larger else 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """The first step at which two curves differ, the one at which they are farthest apart, and at
    how many they differ."""

    first: At
    largest: At
    steps: int


def difference(
    one: Curve,
    two: Curve,
    last: int,
    *,
    tolerance: float = 0.0,
    progress: Callable[[int, int], object] = lambda _done, _steps: None,
) -> Difference | None:
    """How two curves differ at the steps from 0 to `last`, both looked at; None where they do not.

    Values that are apart by no more than `tolerance`, as a share of the larger one, count as equal;
    with 0 all bits are. Curves of one fingerprint are equal everywhere, and are not evaluated.
    `progress` is told now and then how many steps of how many are compared.
    """
    if one.fingerprint == two.fingerprint:
        return None
    seen = last_seen(one, two, last)
    first = largest = None
    farthest = -1.0
    steps = 0
    for step, a, b in _unequal(one, two, seen, progress):
        distance = abs(a - b)
        if tolerance and distance <= tolerance * max(abs(a), abs(b)):
            continue
        first = first or At(step, a, b)
        # The last step that is looked at stands for all those after it.
        steps += 1 if step < seen else 1 + last - seen
        if distance > farthest:
            farthest, largest = distance, At(step, a, b)
    return None if first is None or largest is None else Difference(first, largest, steps)


def last_seen(one: Curve, two: Curve, last: int) -> int:
    """The last step that has to be looked at: where both curves hold a value, one stands for all
    after it."""
    end = horizon(one, two)
    return min(last, end + 1) if both_hold(one, two, end) else last


def both_hold(one: Curve, two: Curve, end: int) -> bool:
    """Whether both curves hold a value from their horizon on, for ever."""
    return all(held(curve, end) is not None for curve in (one, two))


def horizon(one: Curve, two: Curve) -> int:
    """The longer horizon: the end of the run, or of what a curve has after it; 100 steps where
    nothing has an end."""
    return max(max(curve.steps or 0, reach(curve)) for curve in (one, two)) or _OPEN


def _unequal(
    one: Curve, two: Curve, last: int, progress: Callable[[int, int], object]
) -> Iterator[tuple[int, float, float]]:
    for start in range(0, last + 1, _CHUNK):
        progress(start, last + 1)
        stop = min(start + _CHUNK, last + 1)
        ones, twos = one.values(start, stop), two.values(start, stop)
        if ones != twos:
            pairs = zip(range(start, stop), ones, twos, strict=True)
            yield from ((step, a, b) for step, a, b in pairs if a != b)
