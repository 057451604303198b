"""The phases of a curve as lines of a table, for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from lrspec.columns import table
from lrspec.embedded import below
from lrspec.extremes import extremes
from lrspec.held import held
from lrspec.problems import Path, pointer

if TYPE_CHECKING:
    from lrspec.curve import Curve

HEADINGS = ("from", "to", "kind", "from value", "to value")
RIGHT = (True, True, False, True, True)
_EXTREMES = ("lowest", "highest")


def phase_lines(curve: Curve) -> list[str]:
    """The lines of `phase_table`, its columns aligned."""
    rows = phase_table(curve)
    return table(rows, (*RIGHT, *[True] * (len(rows[0]) - len(RIGHT))))


def phase_table(curve: Curve) -> list[tuple[str, ...]]:
    """The cells of a line of headings, one for every phase, and a last one for what comes after: a
    value that is held, or a formula that goes on.

    Where some phase has values beyond those at its two ends there are two columns more, with its
    least and its greatest.
    """
    rows = [HEADINGS, *phase_rows(curve)]
    found = extremes(curve, curve.phases())
    if not any(found):
        return rows
    shown = [
        ("", "") if each is None else (shown_value(each[0]), shown_value(each[1])) for each in found
    ]
    cells = zip_longest(rows, [_EXTREMES, *shown], fillvalue=("", ""))
    return [(*row, *more) for row, more in cells]


def phase_rows(curve: Curve) -> Iterator[tuple[str, ...]]:
    """The cells of each phase and of what comes after, from its start to its value at the end."""
    paths = {pointer(piece.path): piece.path for piece in curve.pieces}
    end: int | float | None = 0
    for phase in curve.phases():
        end = phase.stop
        stop = "open" if end is None else shown_step(end)
        final = "" if end is None or phase.final is None else shown_value(phase.final)
        kind = shown_kind(curve, paths[phase.path], phase.kind)
        yield shown_step(phase.start), stop, kind, shown_value(phase.initial), final
    if end is not None:
        value = held(curve, end)
        kind, text = ("goes on", "") if value is None else ("held", shown_value(value))
        yield shown_step(end), "open", kind, text, ""


def shown_kind(curve: Curve, path: Path, kind: str) -> str:
    """The kind that stands at a path, and what stands in it where that is one kind in which nothing
    stands: `repeat cosine`."""
    body = below(curve.document.source.data, (*path, kind))
    inner = body.get("schedule") if isinstance(body, dict) else None
    while isinstance(inner, list) and len(inner) == 1:
        (inner,) = inner
    if not isinstance(inner, dict):
        return kind
    ((name, body),) = inner.items()
    leaf = not isinstance(body, dict) or {"schedule", "of"}.isdisjoint(body)
    return f"{kind} {name}" if leaf else kind


def shown_step(number: float) -> str:
    """A step, whole or not, in full."""
    return str(int(number)) if number == int(number) else repr(number)


def shown_value(value: float) -> str:
    """A value to nine digits: what people write in full, without the noise of the last bits."""
    return f"{value:.9g}"
