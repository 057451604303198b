"""A picture drawn by matplotlib, as PNG or SVG."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# matplotlib does not say what its methods pass on.

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from lrspec.plotting.picture import Panel, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Inches.
_WIDTH, _HEIGHT, _MORE = 8.0, 3.6, 2.6
# About so many characters of a label of a stage stand beside each other.
_CHARACTERS = 105
# Counts from here on are written with a letter.
_LONG = 10_000
# Beyond this the room about a curve would be beyond float64.
_LARGEST = 1e200
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
        figure = Figure((_WIDTH, _HEIGHT + _MORE * (count - 1)), dpi=150, layout="constrained")
        axes: list[Axes] = list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])
        for number, (axis, panel) in enumerate(zip(axes, picture.panels, strict=True)):
            _panel(axis, panel, legend=number == 0)
        axes[0].set_xlim(0, max(picture.last, 1))
        axes[-1].set_xlabel("step")
        axes[-1].xaxis.set_major_formatter(lambda step, _: _number(step))
        if picture.consumed is not None:
            _second(axes[0], picture)
        metadata = {"Date": None} if form == "svg" else {}
        figure.savefig(target, format=form, metadata=metadata)


def _panel(axis: Axes, panel: Panel, *, legend: bool) -> None:
    for line in panel.lines:
        values = [max(-_LARGEST, min(value, _LARGEST)) for value in line.samples.values]
        axis.plot(line.samples.steps, values, linewidth=1.6, label=line.label)
    if panel.floor is not None:
        axis.set_yscale("log", nonpositive="mask")
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        low = max(panel.floor, 1 / _LARGEST)
        high = max(max(max(line.samples.values) for line in panel.lines), low)
        decades = max(log10(high) - log10(low), 0.1)
        axis.set_ylim(low * 10 ** (-0.03 * decades), min(high, _LARGEST) * 10 ** (0.13 * decades))
    else:
        axis.margins(y=0.1)
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:.6g}")
    axis.set_ylabel(panel.unit)
    axis.grid(color="#d8dce2", linewidth=0.6)
    axis.set_axisbelow(True)
    _stages(axis, panel)
    if legend and (len(panel.lines) > 1 or not panel.stages):
        handles = axis.get_lines()
        # One that begins with _ is left out.
        axis.legend(handles, [f" {line.label}" for line in panel.lines])


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
