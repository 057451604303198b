"""Which steps of a curve are worth showing when nobody says which."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lrspec.curve import Curve

ABOUT = 20
# The last step shown where nothing of the curve has an end.
_OPEN = 100


def knots(curve: Curve) -> set[int]:
    """The steps at which a stage or piece starts or ends, both neighbours where that is between
    two."""
    edges = {0.0, *(edge for phase in curve.phases() for edge in (phase.start, phase.stop or 0))}
    return {step for edge in edges for step in (floor(edge), ceil(edge)) if step >= 0}


def horizon(curves: Iterable[Curve]) -> int:
    """The last step worth showing: the end of the run, or of the last stage if that is later; where
    the run is not known, twice as far as anything begins or ends if a stage goes on for ever."""
    from lrspec.reach import reach

    last = 0
    for curve in curves:
        edge = max(knots(curve))
        end = max(edge, curve.steps or 0)
        if curve.steps is None and any(phase.stop is None for phase in curve.phases()):
            end = max(2 * reach(curve), 0 if edge else _OPEN)
        last = max(last, end)
    return last or _OPEN


def default_steps(curves: Iterable[Curve]) -> list[int]:
    """About 20 steps from 0 to the horizon, every knot among them."""
    curves = tuple(curves)
    chosen = set[int]().union(*map(knots, curves))
    last = horizon(curves)
    more = max(ABOUT - len(chosen), 1)
    chosen |= {last * i // more for i in range(more + 1)}
    return sorted(chosen)
