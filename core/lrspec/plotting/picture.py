"""What one picture shows: a panel for every hyperparameter, a line in it for every document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lrspec.curve import Curve
from lrspec.plotting.samples import Samples, sample
from lrspec.plotting.scales import Consumed, Stage, consumed, log_floor, stages, wants_log

# More stages than this would be a pattern, not a help.
_MOST_STAGES = 30


@dataclass(frozen=True, slots=True)
class Drawn:
    """A curve to be drawn from step 0 to `last`, and what it is called."""

    label: str
    curve: Curve
    last: int


@dataclass(frozen=True, slots=True)
class Line:
    """A curve as points, and what it is called."""

    label: str
    curve: Curve
    samples: Samples


@dataclass(frozen=True, slots=True)
class Panel:
    """The lines of one hyperparameter.

    `floor` is the least value of a log axis, None for a straight one. Stages are those of a panel
    with a single line.
    """

    name: str
    lines: tuple[Line, ...]
    floor: float | None
    stages: tuple[Stage, ...]

    @property
    def unit(self) -> str:
        """What the values are: rates, multiples of the host's, or some of each."""
        bases = {line.curve.base is None for line in self.lines}
        return self.name if bases == {False} else f"{self.name} (multiple of base)"


@dataclass(frozen=True, slots=True)
class Picture:
    """Panels over the same steps, from 0 to `last`; `consumed` is a second count along the run."""

    panels: tuple[Panel, ...]
    last: int
    consumed: Consumed | None


def picture(drawn: Sequence[Drawn], most: int, *, log: bool | None = None) -> Picture:
    """The picture of these curves, with at most about `most` points a line.

    `log` None takes a log axis in the panels whose values lie far apart.
    """
    names = dict.fromkeys(each.curve.name for each in drawn)
    panels = tuple(
        _panel(name, [each for each in drawn if each.curve.name == name], most, log)
        for name in names
    )
    last = max(each.last for each in drawn)
    return Picture(panels, last, consumed([each.curve for each in drawn], last))


def _panel(name: str, drawn: Sequence[Drawn], most: int, log: bool | None) -> Panel:
    lines = tuple(
        Line(each.label, each.curve, sample(each.curve, each.last, most)) for each in drawn
    )
    curves, last = [each.curve for each in drawn], max(each.last for each in drawn)
    floor = None
    if wants_log(curves, last) if log is None else log:
        values = [value for line in lines for value in line.samples.values]
        floor = log_floor(curves, last, values)
    shaded = stages(curves[0], last) if len(curves) == 1 else []
    return Panel(name, lines, floor, tuple(shaded if len(shaded) <= _MOST_STAGES else ()))
