"""The stages of a curve, each with the phases that it has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from lrspec.curve import Curve
from lrspec.phases import Phase
from lrspec.problems import Path, pointer


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that is not empty: where it stands, its span in steps, its values at both ends, and
    its phases, which are several for a piecewise kind."""

    path: Path
    kind: str
    start: int | float
    stop: int | float | None
    initial: float
    final: float | None
    phases: tuple[Phase, ...]


def stages(curve: Curve) -> tuple[Stage, ...]:
    """The stages in their order."""
    paths = {pointer(piece.path): piece.path for piece in curve.pieces}
    return tuple(
        _stage(paths[path], tuple(phases))
        for path, phases in groupby(curve.phases(), lambda phase: phase.path)
    )


def _stage(path: Path, phases: tuple[Phase, ...]) -> Stage:
    first, last = phases[0], phases[-1]
    return Stage(path, first.kind, first.start, last.stop, first.initial, last.final, phases)
