"""What one picture shows: a panel for every hyperparameter, a line in it for every document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lrspec.curve import Curve
from lrspec.plotting.axis import power_of
from lrspec.plotting.samples import Samples, sample
from lrspec.plotting.scales import Consumed, Stage, consumed, log_floor, stages, wants_log
from lrspec.plotting.styles import Style, styles

# More stages than this would be a pattern, not a help.
_MOST_STAGES = 30


@dataclass(frozen=True, slots=True)
class Drawn:
    """A curve to be drawn from step 0 to `last`, and what its document is called, which no other
    is."""

    label: str
    curve: Curve
    last: int


@dataclass(frozen=True, slots=True)
class Line:
    """A curve as points, what its document is called, and how all lines of that are drawn."""

    label: str
    curve: Curve
    samples: Samples
    style: Style


@dataclass(frozen=True, slots=True)
class Panel:
    """The lines of one hyperparameter.

    `floor` is the least value that a log axis shows, None where none is above 0; `log` says whether
    the axis is one. Stages are those of a panel with a single line.
    """

    name: str
    lines: tuple[Line, ...]
    log: bool
    floor: float | None
    stages: tuple[Stage, ...]

    @property
    def unit(self) -> str:
        """What the values are: rates, multiples of the host's, or some of each."""
        bases = {line.curve.base is None for line in self.lines}
        return self.name if bases == {False} else f"{self.name} (multiple of base)"

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest value."""
        values = [line.samples.values for line in self.lines]
        return min(map(min, values)), max(map(max, values))

    @property
    def power(self) -> int:
        """Values divided by this power of ten are drawn along a straight axis."""
        return power_of(max(map(abs, self.ends)))

    @property
    def missing(self) -> list[Line]:
        """The lines of which a log axis shows nothing."""
        return [line for line in self.lines if self.log and max(line.samples.values) <= 0]


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
    labels = dict.fromkeys(each.label for each in drawn)
    style_of = dict(zip(labels, styles(len(labels)), strict=True))
    points = [
        Line(each.label, each.curve, sample(each.curve, each.last, most), style_of[each.label])
        for each in drawn
    ]
    panels = tuple(
        _panel(name, [line for line in points if line.curve.name == name], log) for name in names
    )
    last = max(each.last for each in drawn)
    return Picture(panels, last, consumed([each.curve for each in drawn], last))


def _panel(name: str, lines: Sequence[Line], log: bool | None) -> Panel:
    curves, last = [line.curve for line in lines], max(line.samples.steps[-1] for line in lines)
    floor = log_floor(curves, last, (value for line in lines for value in line.samples.values))
    logged = wants_log(curves, last) if log is None else log
    shaded = stages(curves[0], last) if len(curves) == 1 else []
    shown = tuple(shaded if len(shaded) <= _MOST_STAGES else ())
    return Panel(name, tuple(lines), logged, floor, shown)
