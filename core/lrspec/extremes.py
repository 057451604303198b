"""The least and the greatest value of a phase, where they are not those at its two ends."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from math import isclose
from typing import TYPE_CHECKING

from lrspec.limits import LAST_STEP

if TYPE_CHECKING:
    from lrspec.curve import Curve
    from lrspec.phases import Phase

# Their values go one way from the start to the end.
_ONE_WAY = (
    "constant",
    "linear",
    "cosine",
    "polynomial",
    "geometric",
    "inverse",
    "exponential",
    "inverse_sqrt",
    "power_law",
    "piecewise_linear",
    "piecewise_constant",
)
# All steps of so many are looked at, of all phases together and of one; of more at about so many,
# and fewer where each takes long.
_ALL, _EVERY, _SOME = 2**18, 2**17, 2**12
_SLOW_EVERY, _SLOW_SOME = 2**10, 2**7
_GOLDEN = 0.6180339887498949
# Less apart is rounding, as a share of the value, and of the largest where values cancel.
_ROUNDED, _CANCELLED = 1e-9, 1e-12


def extremes(curve: Curve, phases: Iterable[Phase]) -> list[tuple[float, float] | None]:
    """For each phase the least and the greatest of its values, None where no step of it has one
    beyond those at its ends; a phase without an end is followed until it has been seen.

    All steps of few are looked at; of many both sides of everything that begins in them, or where
    that is too much in their first and last part and around the best; and steps between.
    """
    phases = list(phases)
    asked = [phase for phase in phases if phase.kind not in _ONE_WAY]
    if not asked:
        return [None] * len(phases)
    from lrspec.plotting.breaks import grows

    slow = grows(curve.resolution.root)
    every, some = (_SLOW_EVERY, _SLOW_SOME) if slow else (_EVERY, _SOME)
    share = max(_SLOW_SOME, _ALL // len(asked))
    every, some = min(every, share), min(some, share)
    return [None if phase.kind in _ONE_WAY else _of(curve, phase, every, some) for phase in phases]


def _of(curve: Curve, phase: Phase, every: int, some: int) -> tuple[float, float] | None:
    steps = _steps(curve, phase)
    if not steps:
        return None
    end = curve(steps[-1]) if phase.final is None else phase.final
    ends = sorted((phase.initial, end))
    if len(steps) <= every:
        values = curve.values(steps.start, steps.stop)
        low, high = min(values), max(values)
    else:
        looked = _looked(curve, steps, some)
        low = _least(curve, looked)
        high = -_least(lambda step: -curve(step), looked)
    low, high = min(low, ends[0]), max(high, ends[1])
    rounded = _CANCELLED * max(abs(low), abs(high))
    pairs = ((low, ends[0]), (high, ends[1]))
    if all(isclose(*pair, rel_tol=_ROUNDED, abs_tol=rounded) for pair in pairs):
        return None
    return low, high


def _steps(curve: Curve, phase: Phase) -> range:
    """The steps that are read in a phase (clause 2.4)."""
    from lrspec.lint_run import first_step

    start = first_step(curve, phase.start)
    if phase.stop is not None:
        return range(start, min(first_step(curve, phase.stop), LAST_STEP + 1))
    from lrspec.reach import reach

    return range(start, min(max(curve.steps or 0, reach(curve) + 1), LAST_STEP + 1))


def _looked(curve: Curve, steps: range, some: int) -> list[int]:
    """Some of many steps, in order."""
    first, last, many = steps[0], steps[-1], len(steps)
    looked = {first, last}
    looked.update(steps[int(many * (i * _GOLDEN % 1))] for i in range(some))
    began, reach = _began(curve, steps, first, some)
    looked |= began
    if reach < many:
        looked |= _began(curve, steps, last, some)[0]
        values = {step: curve(step) for step in looked}
        for best in (min(values, key=values.__getitem__), max(values, key=values.__getitem__)):
            looked |= _began(curve, steps, best, some)[0]
    return sorted(looked)


def _began(curve: Curve, steps: range, around: int, some: int) -> tuple[set[int], int]:
    """Both sides of everything that begins around a step, no further from it than that there are
    `some`, and how far that is."""
    from lrspec.plotting.breaks import TooManyError, breaks

    reach = len(steps)
    while reach > 1:
        first, last = max(steps[0], around - reach), min(steps[-1], around + reach)
        try:
            found = breaks(curve, last, some, first=first)
        except TooManyError:
            reach >>= 3
        else:
            return {step for each in found for step in (each - 1, each)}, reach
    return set(), reach


def _least(value: Callable[[int], float], looked: list[int]) -> float:
    """The least value, also between the neighbours of the best of the steps looked at."""
    best = min(looked, key=value)
    at = bisect_left(looked, best)
    low, high = looked[max(at - 1, 0)], looked[min(at + 1, len(looked) - 1)]
    while high - low > 3:
        third = (high - low) // 3
        one, two = low + third, high - third
        if value(one) < value(two):
            high = two
        else:
            low = one
    return min(value(best), *map(value, range(low, high + 1)))
