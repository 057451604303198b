"""What a picture of curves needs beside their points: where it ends, whether its axis is a
logarithm, the stages, and what else was consumed at a step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log10

from lrspec.clock import BatchMap
from lrspec.curve import Curve
from lrspec.facts import settle

# Values that lie further apart than this many decades are shown on a log axis.
DECADES = 3
# What is said where a log axis shows nothing.
NOTHING = "no value is above 0: there is nothing to draw on a log axis"


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase of the table, cut where the picture ends."""

    start: float
    stop: float
    kind: str


def stages(curve: Curve, last: int) -> list[Stage]:
    """The phases of a curve that the picture shows; what is held after the last one is none."""
    rows = (
        (p.start, last if p.stop is None else min(p.stop, last), p.kind) for p in curve.phases()
    )
    return [Stage(*row) for row in rows if row[0] < row[1]]


def marks(curves: Iterable[Curve], last: int) -> list[float]:
    """The steps between stages that the picture shows, without its ends."""
    found = {stage.start for curve in curves for stage in stages(curve, last)}
    return sorted(found - {0.0})


def written(curves: Iterable[Curve], last: int) -> Iterator[float]:
    """The values at the ends of the stages that the picture shows, and at its own."""
    for curve in curves:
        for phase in curve.phases():
            if phase.start <= last:
                yield phase.initial
                if phase.final is not None and phase.stop is not None and phase.stop <= last:
                    yield phase.final
        yield curve(last)


def wants_log(curves: Iterable[Curve], last: int) -> bool:
    """Whether the values at the ends of stages are so far apart that a straight axis hides some of
    them: more than `DECADES`, zeros aside and none below zero."""
    values = list(written(curves, last))
    positive = [value for value in values if value > 0]
    if not positive or min(values) < 0:
        return False
    return log10(max(positive)) - log10(min(positive)) > DECADES


def log_floor(curves: Iterable[Curve], last: int, values: Iterable[float]) -> float | None:
    """The least value that a log axis shows, None if there is none above 0: no more than `DECADES`
    below the ends of stages, since what goes to 0 has no end there."""
    least = min((value for value in values if value > 0), default=None)
    if least is None:
        return None
    ends = min((value for value in written(curves, last) if value > 0), default=least)
    return max(least, ends / 10.0**DECADES)


def last_step(curve: Curve, horizon: int) -> int:
    """Where a picture of the whole run ends: at its horizon, whose value shows where the curve
    arrives; but before it where the curve jumps there, as a `repeat` that begins again does."""
    if horizon < 2:
        return horizon
    before, end, at, after = (curve(horizon + i) for i in (-2, -1, 0, 1))
    steps = abs(end - before), abs(after - at)
    return horizon - 1 if abs(at - end) > 4 * max(*steps, 1e-3 * abs(end)) else horizon


@dataclass(frozen=True, slots=True)
class Consumed:
    """What else is counted along the run: straight lines between `steps`, at which `amounts` have
    been consumed."""

    unit: str
    steps: Sequence[float]
    amounts: Sequence[float]

    def step(self, amount: float) -> float:
        """The step, whole or not, at which so much has been consumed."""
        row = min(bisect_right(self.amounts, amount), len(self.amounts) - 1)
        (a, b), (i, j) = self.amounts[row - 1 : row + 1], self.steps[row - 1 : row + 1]
        # Amounts may be too large for float64 to tell apart.
        return i + (j - i) * (amount - a) / (b - a) if a < b else j


def consumed(curves: Sequence[Curve], last: int) -> Consumed | None:
    """Epochs, tokens or samples along the run, whichever is known for all the curves alike: the
    unit of the document's axis before others, then epochs before tokens before samples."""
    first, *others = (list(_known(curve, last)) for curve in curves)
    return next((known for known in first if all(known in other for other in others)), None)


def _known(curve: Curve, last: int) -> Iterator[Consumed]:
    given = dict(curve.facts)
    override = bool(given.pop("override", False))
    given.pop("name", None)
    document = curve.document
    facts = settle(document.model, document.source, given, name=curve.name, override=override)
    units, end = facts.units, max(last, 1)
    found: list[Consumed] = []
    if units.steps_per_epoch is not None:
        found.append(Consumed("epochs", [0, end], [0, _float(end / units.steps_per_epoch)]))
    if units.batches is not None:
        samples = BatchMap(units.batches).samples
        steps = [*(step for step in units.batches.starts if step < end), end]
        amounts = list(map(samples, steps))
        if (length := units.sequence_length) is not None:
            found.append(Consumed("tokens", steps, [_float(each * length) for each in amounts]))
        found.append(Consumed("samples", steps, list(map(_float, amounts))))
    drawable = [known for known in found if 0 < known.amounts[-1] < inf]
    yield from sorted(drawable, key=lambda known: known.unit != units.axis)


def _float(amount: Fraction | int) -> float:
    """The amount; infinity where it is beyond float64."""
    try:
        return float(amount)
    except OverflowError:
        return inf
