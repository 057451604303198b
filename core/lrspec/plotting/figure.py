"""A picture drawn by matplotlib, as PNG or SVG."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# matplotlib does not say what its methods pass on.

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from lrspec.plotting.axis import LogAxis, divided, written
from lrspec.plotting.picture import Line, Panel, Picture
from lrspec.plotting.scales import NOTHING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches.
_WIDTH, _HEIGHT, _MORE = 8.0, 3.6, 2.6
# About so many characters of a label of a stage stand beside each other.
_CHARACTERS = 105
# Counts from here on are written with a letter.
_LONG = 10_000
# A legend of more documents, or with longer names, stands below: it would hide the lines.
_FEW, _SHORT = 4, 40
# Of longer names the end is written, of more documents the first.
_LONGEST, _MOST = 100, 84
# Inches of a line of the legend, of a character in it, and of what stands before its text.
_ROW, _LETTER, _HANDLE = 0.165, 0.075, 0.75
_SHADES = ("#f2f4f7", "#ffffff")
_SETTINGS: Mapping[str, object] = {
    # The same picture gives the same file.
    "svg.hashsalt": "lrspec",
    # What a user named is text, not a formula.
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
}


def draw(picture: Picture, target: Path | TextIO, form: str) -> None:
    """Write the picture to a file as "png" or "svg", or to a stream of text as the latter.

    The same picture gives the same bytes.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from matplotlib import rc_context, rcParamsDefault
    from matplotlib.figure import Figure

    settings: Any = {**rcParamsDefault, **_SETTINGS}
    with warnings.catch_warnings(), rc_context(settings):
        warnings.simplefilter("ignore")  # a name may have characters that the font lacks
        count = len(picture.panels)
        legend = _Legend(picture)
        height = _HEIGHT + _MORE * (count - 1) + legend.height
        figure = Figure((_WIDTH, height), dpi=150, layout="constrained")
        axes: list[Axes] = list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])
        for axis, panel in zip(axes, picture.panels, strict=True):
            _panel(axis, panel)
        axes[0].set_xlim(0, max(picture.last, 1))
        axes[-1].set_xlabel("step")
        axes[-1].xaxis.set_major_formatter(lambda step, _: _number(step))
        if picture.consumed is not None:
            _second(axes[0], picture)
        legend.draw(figure, axes[0])
        metadata = {"Date": None} if form == "svg" else {}
        figure.savefig(target, format=form, metadata=metadata)


class _Legend:
    """What the documents are called: in the first panel, or below all of them, which adds to the
    height of the figure."""

    def __init__(self, picture: Picture) -> None:
        lines = {line.label: line for panel in picture.panels for line in panel.lines}
        self.lines = list(lines.values())
        self.needed = len(self.lines) > 1 or not picture.panels[0].stages
        self.more = len(self.lines) - _MOST
        longest = min(max(map(len, lines)), _LONGEST)
        self.inside = len(self.lines) <= _FEW and longest <= _SHORT
        self.columns = max(1, floor(_WIDTH / (_HANDLE + _LETTER * longest)))

    @property
    def height(self) -> float:
        """Inches below the panels."""
        if self.inside or not self.needed:
            return 0.0
        return _ROW * (2 + -(-min(len(self.lines), _MOST) // self.columns))

    def draw(self, figure: Figure, axis: Axes) -> None:
        """Into the axis, or below everything."""
        from matplotlib.lines import Line2D

        if not self.needed:
            return
        handles = [Line2D([], [], **_drawn(line)) for line in self.lines[:_MOST]]
        # One that begins with _ is left out.
        labels = [f" {_end(line.label)}" for line in self.lines[:_MOST]]
        if self.inside:
            axis.legend(handles, labels, handlelength=3)
            return
        title = f"and {self.more} more" if self.more > 0 else None
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=self.columns,
            handlelength=4,
            frameon=False,
            title=title,
        )


def _drawn(line: Line) -> dict[str, Any]:
    """How matplotlib is told of a style."""
    style = line.style
    # In multiples of the width, which is how it measures dashes.
    dash = (0, [length / style.width for length in style.dash]) if style.dash else "solid"
    return {"color": style.colour, "linewidth": style.width, "linestyle": dash}


def _end(label: str) -> str:
    """The last part of a long name: paths differ there."""
    return label if len(label) <= _LONGEST else f"…{label[1 - _LONGEST :]}"


def _panel(axis: Axes, panel: Panel) -> None:
    axis.set_ylabel(panel.unit)
    if panel.log and panel.floor is None:
        axis.set_yticks([])
        axis.text(0.5, 0.5, NOTHING, ha="center", va="center", transform=axis.transAxes)
    elif panel.log and panel.floor is not None:
        _logarithm(axis, panel, LogAxis(panel.floor, panel.ends[1]))
    else:
        _straight(axis, panel)
    axis.grid(color="#d8dce2", linewidth=0.6)
    axis.set_axisbelow(True)
    _stages(axis, panel)


def _straight(axis: Axes, panel: Panel) -> None:
    power = panel.power
    for line in panel.lines:
        values = line.samples.values
        places = [divided(value, power) for value in values] if power else values
        axis.plot(line.samples.steps, places, **_drawn(line))
    axis.margins(y=0.1)
    axis.yaxis.set_major_formatter(lambda value, _: written(value, power))


def _logarithm(axis: Axes, panel: Panel, along: LogAxis) -> None:
    """Drawn by the logarithms: what matplotlib makes of a log axis ends before float64 does."""
    for line in panel.lines:
        axis.plot(line.samples.steps, list(map(along.place, line.samples.values)), **_drawn(line))
    axis.set_ylim(along.low, along.high)
    places, texts = zip(*along.ticks(), strict=True)
    axis.set_yticks(places, texts)
    axis.set_yticks(along.marks(), minor=True)


def _stages(axis: Axes, panel: Panel) -> None:
    """Shades under the stages, with their kinds where there is room."""
    end = max((stage.stop for stage in panel.stages), default=0)
    for number, stage in enumerate(panel.stages):
        shade = _SHADES[number % len(_SHADES)]
        axis.axvspan(stage.start, stage.stop, color=shade, linewidth=0, zorder=0)
        if stage.start:
            axis.axvline(stage.start, color="#9aa3ad", linewidth=0.7, linestyle=":")
        if len(stage.kind) <= _CHARACTERS * (stage.stop - stage.start) / end:
            axis.annotate(
                stage.kind,
                ((stage.start + stage.stop) / 2, 1),
                (0, -3),
                xycoords=axis.get_xaxis_transform(),
                textcoords="offset points",
                ha="center",
                va="top",
                color="#5b6570",
                fontsize=8,
            )


def _second(axis: Axes, picture: Picture) -> None:
    """Epochs, tokens or samples above the steps."""
    from matplotlib.ticker import MaxNLocator

    assert picture.consumed is not None
    known = picture.consumed
    ticks = [
        amount
        for amount in MaxNLocator(7).tick_values(0, known.amounts[-1])
        if 0 <= amount <= known.amounts[-1]
    ]
    above = axis.twiny()
    above.set_xlim(axis.get_xlim())
    above.set_xticks([known.step(amount) for amount in ticks], list(map(_number, ticks)))
    above.set_xlabel(known.unit)


def _number(value: float) -> str:
    """A count: in full while it is short, else with k, M, B or T."""
    for unit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(unit, _LONG):
            return f"{value / unit:.6g}{letter}"
    return f"{value:.6g}"
