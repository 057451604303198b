"""A curve drawn with characters: below the table of its phases, as wide as the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lrspec.cli.terminal import Terminal
    from lrspec.curve import Curve
    from lrspec.plotting.samples import Samples

_ROWS = 14
_NARROWEST, _WIDEST = 40, 120
# A character has so many dots across and down.
_ACROSS, _DOWN = 2, 4
_NO_DOTS = "\u2800"
# Edge, tick, corner, line and mark of the axes.
_FRAME = {True: ("│", "┤", "└", "─", "┴"), False: ("|", "+", "`", "-", "+")}
# Parts of a power of ten to label the multiples of.
_PARTS = (Fraction(1, 2), Fraction(1), Fraction(5, 2), Fraction(5))
_COLOUR, _QUIET = "cyan", "bright_black"


@dataclass(frozen=True, slots=True)
class Scale:
    """The vertical axis: `low` on the lowest row of dots, `high` on the highest."""

    low: float
    high: float
    log: bool

    def height(self, value: float) -> float:
        """How high a value lies, from 0 to 1; what is below the axis is on it."""
        # Exact, since what lies between two values of float64 may be beyond it or too small for it.
        bottom, here, top = map(self._along, (self.low, max(value, self.low), self.high))
        return 0.5 if bottom == top else float((here - bottom) / (top - bottom))

    def _along(self, value: float) -> Fraction:
        return Fraction(log10(value) if self.log else value)

    def ticks(self) -> list[float]:
        """Values to label: both ends, and round ones between."""
        if self.low == self.high:
            return [self.low]
        if self.log:
            powers = range(ceil(log10(self.low)), floor(log10(self.high)) + 1)
            return [self.low, self.high, *(10.0**power for power in powers)]
        low, high = Fraction(self.low), Fraction(self.high)
        reach = (high - low) / 2
        # Of whole numbers, which may be of any size.
        unit = Fraction(10) ** floor(log10(reach.numerator) - log10(reach.denominator))
        unit *= next(part for part in _PARTS if 2 * reach / (unit * part) <= 6)
        first, final = ceil(low / unit), floor(high / unit)
        return [self.low, self.high, *(float(number * unit) for number in range(first, final + 1))]


def chart(out: Terminal, curve: Curve, last: int, *, log: bool) -> None:
    """Draw the curve from step 0 to `last`."""
    charts(out, [(None, curve)], last, log=log)


def charts(
    out: Terminal, titled: Sequence[tuple[str | None, Curve]], last: int, *, log: bool
) -> None:
    """Draw curves below each other, each below its title, from step 0 to `last` and along the same
    values."""
    from lrspec.plotting.samples import sample
    from lrspec.plotting.scales import NOTHING

    width = max(_NARROWEST, min(out.console.width, _WIDEST))
    found = [sample(curve, last, 20 * width) for _, curve in titled]
    scale = scale_of(
        [curve for _, curve in titled], last, [v for each in found for v in each.values], log=log
    )
    for (title, curve), samples in zip(titled, found, strict=True):
        if title is not None:
            out.line()
            out.line(title, "bold")
        if scale is None or (log and max(samples.values) <= 0):
            out.line(NOTHING)
        else:
            _chart(out, curve, samples, last, scale, width)


def _chart(
    out: Terminal, curve: Curve, found: Samples, last: int, scale: Scale, width: int
) -> None:
    from rich.text import Text

    from lrspec.plotting.scales import marks

    labels = _labels(scale)
    margin = max(map(len, labels.values()))
    inside = width - margin - 2
    edge, tick, corner, line, mark = _FRAME[fine := _takes_dots(out)]
    for number, row in enumerate(_dots(found.steps, found.values, scale, inside, last)):
        text = Text(f"{labels.get(number, ''):>{margin}} ")
        text.append(tick if number in labels else edge, _QUIET)
        dots = row if fine else "".join(dot if dot == _NO_DOTS else "*" for dot in row)
        text.append(dots.replace(_NO_DOTS, " ").rstrip(), _COLOUR)
        out.console.print(text)
    steps = [0.0, float(last), *marks([curve], last)]
    places = [_column(step, last, inside) for step in steps]
    axis = "".join(mark if place in places else line for place in range(inside))
    out.line(f"{'':>{margin}} {corner}{axis}", _QUIET)
    for below in (_numbers(steps, places, inside), _kinds(curve, last, inside)):
        out.line(f"{'':>{margin}}  {below}".rstrip())


def scale_of(
    curves: Sequence[Curve], last: int, values: Sequence[float], *, log: bool
) -> Scale | None:
    """The vertical axis for these values; None for a log axis without any."""
    from lrspec.plotting.scales import log_floor

    low, high = min(values), max(values)
    if not log:
        # From 0, where that costs less than half of the height.
        return Scale(0.0 if 0 < low < high / 2 else low, high, False)
    least = log_floor(curves, last, values)
    return None if least is None else Scale(least, high, True)


def _labels(scale: Scale) -> dict[int, str]:
    """Row -> label, the ends first, none beside another."""
    labels: dict[int, str] = {}
    for value in scale.ticks():
        row = _ROWS - 1 - _dot(scale.height(value), _ROWS * _DOWN) // _DOWN
        if not labels.keys() & {row - 1, row, row + 1}:
            labels[row] = f"{value:.4g}"
    return labels


def _dots(
    steps: Sequence[int], values: Sequence[float], scale: Scale, inside: int, last: int
) -> Iterable[str]:
    """Rows of dots, the uppermost first."""
    from plotille import Canvas

    across, down = inside * _ACROSS, _ROWS * _DOWN
    canvas = Canvas(inside, _ROWS, xmin=0, ymin=0, xmax=across, ymax=down)
    before: tuple[int, int] | None = None
    for step, value in zip(steps, values, strict=True):
        if scale.log and value <= 0:
            before = None
            continue
        place = _dot(step / max(last, 1), across), _dot(scale.height(value), down)
        canvas.line(*(before or place), *place)
        before = place
    return str(canvas.plot()).splitlines()


def _dot(share: float, dots: int) -> int:
    return round(share * (dots - 1))


def _column(step: float, last: int, inside: int) -> int:
    return _dot(step / max(last, 1), inside * _ACROSS) // _ACROSS


def _numbers(steps: Iterable[float], places: Iterable[int], inside: int) -> str:
    """Steps below their places, as many as there is room for."""
    from lrspec.phase_lines import shown_step

    row = _Row(inside)
    for step, place in zip(steps, places, strict=True):
        row.put(shown_step(step), place)
    return row.text()


def _kinds(curve: Curve, last: int, inside: int) -> str:
    """The kind of each stage below it, where there is room."""
    from lrspec.plotting.scales import stages

    row = _Row(inside)
    for stage in stages(curve, last):
        start, stop = _column(stage.start, last, inside), _column(stage.stop, last, inside)
        if len(stage.kind) <= stop - start:
            row.put(stage.kind, (start + stop) // 2)
    return row.text()


class _Row:
    """A line of so many characters, on which words do not touch."""

    def __init__(self, width: int) -> None:
        self.cells = [" "] * width

    def put(self, word: str, place: int) -> None:
        """Write the word about its place, if it is free there."""
        start = min(max(place - len(word) // 2, 0), len(self.cells) - len(word))
        around = self.cells[max(start - 1, 0) : start + len(word) + 1]
        if start >= 0 and all(cell == " " for cell in around):
            self.cells[start : start + len(word)] = word

    def text(self) -> str:
        return "".join(self.cells)


def _takes_dots(out: Terminal) -> bool:
    """Whether the output's encoding has dots and lines."""
    try:
        "".join([*_FRAME[True], _NO_DOTS]).encode(out.stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
