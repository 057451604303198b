"""The stages of a curve, each with the phases that it has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from lrspec.curve import Curve
from lrspec.phases import Phase
from lrspec.problems import Path, pointer
from lrspec.spans import Piece


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that is not empty: its place and span as it is laid out, its span in steps, its
    values at both ends, and its phases, which are several for a piecewise kind."""

    piece: Piece
    start: int | float
    stop: int | float | None
    initial: float
    final: float | None
    phases: tuple[Phase, ...]

    @property
    def path(self) -> Path:
        """Where it stands in the document."""
        return self.piece.path

    @property
    def kind(self) -> str:
        """The kind that stands there."""
        return self.piece.kind


def stages(curve: Curve) -> tuple[Stage, ...]:
    """The stages in their order."""
    pieces = {pointer(piece.path): piece for piece in curve.pieces}
    return tuple(
        _stage(pieces[path], tuple(phases))
        for path, phases in groupby(curve.phases(), lambda phase: phase.path)
    )


def _stage(piece: Piece, phases: tuple[Phase, ...]) -> Stage:
    first, last = phases[0], phases[-1]
    return Stage(piece, first.start, last.stop, first.initial, last.final, phases)
