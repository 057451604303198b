"""The phases of a curve as lines of a table, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lrspec.columns import table
from lrspec.held import held

if TYPE_CHECKING:
    from lrspec.curve import Curve

HEADINGS = ("from", "to", "kind", "from value", "to value")
RIGHT = (True, True, False, True, True)


def phase_lines(curve: Curve) -> list[str]:
    """A line of headings, one for every phase, and a last one for what comes after: a value that is
    held, or a formula that goes on."""
    return table([HEADINGS, *phase_rows(curve)], RIGHT)


def phase_rows(curve: Curve) -> Iterator[tuple[str, ...]]:
    """The cells of these lines, without the headings."""
    end: int | float | None = 0
    for phase in curve.phases():
        end = phase.stop
        stop = "open" if end is None else shown_step(end)
        final = "" if end is None or phase.final is None else shown_value(phase.final)
        yield shown_step(phase.start), stop, phase.kind, shown_value(phase.initial), final
    if end is not None:
        value = held(curve, end)
        kind, text = ("goes on", "") if value is None else ("held", shown_value(value))
        yield shown_step(end), "open", kind, text, ""


def shown_step(number: float) -> str:
    """A step, whole or not, in full."""
    return str(int(number)) if number == int(number) else repr(number)


def shown_value(value: float) -> str:
    """A value to nine digits: what people write in full, without the noise of the last bits."""
    return f"{value:.9g}"
