"""The resolved stages of a curve as rows for people and tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from lrspec import resolved
from lrspec.evaluate import function
from lrspec.powers import saturate
from lrspec.problems import pointer
from lrspec.resolved import Exact, Node, Resolution
from lrspec.spans import Piece
from lrspec.units import Units


@dataclass(frozen=True, slots=True)
class Phase:
    """One stage, or one piece of a piecewise kind.

    `start` and `stop` are steps: whole numbers as int, others as float (39601.8); `stop` is None
    where the stage goes on for ever. `initial` and `final` are the values at the start and at the
    end (as a limit from the left), None without an end; with a base they are rates. `path` is the
    JSON pointer to the node.
    """

    start: int | float
    stop: int | float | None
    kind: str
    initial: float
    final: float | None
    path: str


def phases(pieces: Iterable[Piece], resolution: Resolution, units: Units) -> tuple[Phase, ...]:
    """The pieces of a layout that are not empty, in order, positions as steps and values with the
    base."""
    factor = 1.0 if resolution.base is None else resolution.base

    def step(position: Exact) -> int | float:
        exact = Fraction(units.steps(position))
        return exact.numerator if exact.denominator == 1 else float(exact)

    def value(node: Node, at: Exact, *, left: bool) -> float:
        found = function(node, resolution.clock, left=left, fractions=True)(at)
        return saturate(found * factor)

    return tuple(
        Phase(
            step(start),
            None if stop is None else step(stop),
            piece.kind,
            value(piece.node, start, left=False),
            None if closing is None else saturate(closing * factor),
            pointer(piece.path),
        )
        for piece in pieces
        for start, stop, closing in _rows(piece, resolution)
    )


def _rows(
    piece: Piece, resolution: Resolution
) -> Iterator[tuple[Exact, Exact | None, float | None]]:
    """Start, stop and closing value of a piece, or of each part of a piecewise one."""
    start, stop, node = piece.start, piece.stop, piece.node
    if stop is not None and float(stop) <= float(start):  # empty once rounded (clause 6.2)
        return
    if isinstance(node, resolved.PiecewiseLinear | resolved.PiecewiseConstant):
        at_end = function(node, resolution.clock, left=True)
        for boundary in node.boundaries:
            if float(start) < boundary and (stop is None or boundary < float(stop)):
                yield start, Fraction(boundary), at_end(boundary)
                start = Fraction(boundary)
    yield start, stop, piece.closing
