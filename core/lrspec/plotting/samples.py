"""A curve as points to draw straight lines through: few of them, each exact, both sides of every
jump among them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log, log1p, ulp
from typing import TypeAlias

from lrspec.curve import Curve
from lrspec.plotting.breaks import TooManyError, breaks, grows

# How close lines are to a curve, as a share of its range: what no picture shows, even when it is
# enlarged, and what one may show when it is.
_FINE = 1e-6
_COARSE = 1e-3
# So many values are computed at once; of a longer run with too much in it, some.
_ALL = 2**20
# How many steps are looked at in each part of such a run.
_LOOKS = 64
# Where values take long there are no more parts than this, and few steps of each are looked at.
_SLOW_PARTS, _SLOW_LOOKS = 512, 4
_GOLDEN = 0.6180339887498949
# Closer than what is asked for, since only some steps are compared.
_MARGIN = 0.3
# On a log axis what is this much smaller than the peak is not looked at closely.
_FAINT = 1e-9
# The range of a curve is first taken from its breaks and this many steps between them.
_SPREAD = 64

_Point: TypeAlias = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Samples:
    """Points of a curve in order of their steps.

    `within` says what the straight lines between them are worth: 0.0 where every step is a point;
    otherwise every step lies so close to a line, as a share of the curve's range; None where the
    curve has too much in it for that: then the points are the least and the greatest of each part.
    """

    steps: Sequence[int]
    values: Sequence[float]
    within: float | None


def sample(curve: Curve, last: int, most: int) -> Samples:
    """At most about `most` points of the curve from step 0 to `last`: every step where they are
    enough, else lines as close as they allow, else the least and the greatest of each part."""
    if last < most:
        return every(curve, last)
    try:
        coarse = lines(curve, last, _COARSE, most=most)
    except TooManyError:
        return envelope(curve, last, most)
    # Half the distance between points is a quarter of their distance from the curve.
    finer = _COARSE * (len(coarse.steps) / (0.7 * most)) ** 2
    if finer >= _COARSE:
        return coarse
    try:
        return lines(curve, last, max(finer, _FINE), most=most)
    except TooManyError:
        return coarse


def every(curve: Curve, last: int) -> Samples:
    """Every step."""
    return Samples(range(last + 1), curve.values(0, last + 1), 0.0)


def lines(curve: Curve, last: int, tolerance: float, *, most: int) -> Samples:
    """Points such that every step is as close to the straight line between its neighbours as
    `tolerance`, a share of the curve's range.

    On a log axis it is as close to the straight line there as ten times `tolerance`, a share of the
    value; down to a billionth of the peak.

    Both steps beside every break are points.

    Raises:
        TooManyError: That takes more than `most` points.
    """
    fixed = {0, last}
    for step in breaks(curve, last, most):
        fixed |= {step - 1, step}
    if len(fixed) > most:
        raise TooManyError
    looked = {step: curve(step) for step in fixed | {last * i // _SPREAD for i in range(_SPREAD)}}
    close = _Close(curve, looked.values(), tolerance)
    steps, values = [0], [looked[0]]
    for start, stop in pairwise(sorted(fixed)):
        for step, value in _between(curve, (start, looked[start]), (stop, looked[stop]), close):
            steps.append(step)
            values.append(value)
            if len(steps) > most:
                raise TooManyError
    return Samples(steps, values, tolerance)


class _Close:
    """Whether a line between two points of the curve is good enough."""

    def __init__(self, curve: Curve, values: Iterable[float], tolerance: float) -> None:
        least, greatest = inf, -inf
        for value in values:
            least, greatest = min(least, value), max(greatest, value)
        peak = max(abs(least), abs(greatest))
        self.curve = curve
        # A rounding of the values is none of the curve's doing.
        self.distance = max(_MARGIN * (tolerance * greatest - tolerance * least), 4 * ulp(peak))
        self.share = 10 * _MARGIN * tolerance
        self.faint = _FAINT * peak

    def __call__(self, start: _Point, stop: _Point) -> bool:
        """It is looked at in the middle and halfway to it: all of a short line."""
        (i, u), (j, v) = start, stop
        reach = j - i
        for step in {i + reach // 4, i + reach // 2, j - reach // 4} - {i, j}:
            value, along = self.curve(step), (step - i) / reach
            # Between the ends: what is rounded there may be beyond float64.
            line = max(min(u, v), min(u * (1 - along) + v * along, max(u, v)))
            if abs(value - line) > self.distance:
                return False
            if max(value, u, v) > self.faint and not self._on_log_axis(value, u, v, along):
                return False
        return True

    def _on_log_axis(self, value: float, u: float, v: float, along: float) -> bool:
        if min(value, u, v) <= 0:  # to a value that a log axis does not show no line can be drawn
            return False
        apart = (1 - along) * log(u) + along * log(v) - log(value)
        # What float64 has no finer values for is none of the curve's doing.
        return abs(apart) <= log1p(self.share + ulp(value) / value)


def _between(curve: Curve, start: _Point, stop: _Point, close: _Close) -> Iterator[_Point]:
    """Points after `start` up to `stop`, halving until the lines are close."""
    ahead = [stop]
    while ahead:
        stop = ahead[-1]
        if stop[0] - start[0] > 1 and not close(start, stop):
            middle = (start[0] + stop[0]) // 2
            ahead.append((middle, curve(middle)))
        else:
            yield stop
            start = ahead.pop()


def envelope(curve: Curve, last: int, most: int) -> Samples:
    """The first, the least, the greatest and the last value of each part of the run, whose parts
    are as many as that allows.

    Of very long runs, and where values take long, some steps of each part stand for it.
    """
    slow = grows(curve.resolution.root)
    parts = max(1, min(most // 4, _SLOW_PARTS) if slow else most // 4)
    edges = sorted({(last + 1) * i // parts for i in range(parts + 1)})
    values = None if slow or last >= _ALL else curve.values(0, last + 1)
    shares = list(_spread(_SLOW_LOOKS if slow else _LOOKS))
    points: dict[int, float] = {}
    for start, stop in pairwise(edges):
        looked: Sequence[int]
        if values is not None:
            looked, part = range(start, stop), values[start:stop]
        else:
            reach = stop - start
            looked = sorted({start, stop - 1, *(start + int(reach * x) for x in shares)})
            part = array("d", map(curve, looked))
        marks = {0, part.index(min(part)), part.index(max(part)), len(part) - 1}
        points.update((looked[i], part[i]) for i in sorted(marks))
    return Samples(list(points), list(points.values()), None)


def _spread(number: int) -> Iterator[float]:
    """Numbers from 0 to 1 that no period matches."""
    return (i * _GOLDEN % 1 for i in range(1, number))
