"""What the rules of `lrspec.lints` look at: a bound curve, its stages, and which updates are read
where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor, isclose
from typing import Any, TypeAlias

from lrspec.curve import Curve
from lrspec.problems import Path, Problem
from lrspec.resolved import Exact
from lrspec.spans import Piece
from lrspec.stages import Stage, stages

Rule: TypeAlias = Callable[["Run"], Iterator[Problem]]

TO_A_FINAL = ("linear", "cosine", "polynomial", "geometric", "inverse")
PIECEWISE = ("piecewise_linear", "piecewise_constant")
# Nothing stands in them, and each phase of them goes one way from its start to its end.
ONE_WAY = (*TO_A_FINAL, "constant", *PIECEWISE)

# A jump of less is the rounding of somebody's calculator.
_JUMP = 1e-6
# What rounding leaves where values cancel, as a share of the largest.
_ROUNDED = 1e-12


class Run:
    """A curve and its stages, as the rules look at them."""

    def __init__(self, curve: Curve) -> None:
        self.curve = curve
        self.steps = curve.steps
        self.is_rate = curve.name == "lr"
        self.all = stages(curve) or (_empty(curve),)
        ends = [end for stage in self.all for end in (stage.initial, stage.final or 0.0)]
        self._rounded = _ROUNDED * max(map(abs, ends), default=0.0)

    def warning(
        self,
        code: str,
        path: Path,
        message: str,
        *,
        field: str | None = None,
        item: int | None = None,
        hint: str | None = None,
    ) -> Problem:
        """A warning about a stage, placed on one of its fields where that is written, or on an item
        of it."""
        source = self.curve.document.source
        if field is not None and self.writes(path, field):
            kind, _ = self.written(path)
            path = (*path, kind, field) if item is None else (*path, kind, field, item)
        return source.problem(code, path, message, hint=hint, severity="warning")

    def written(self, path: Path) -> tuple[str, dict[str, Any]]:
        """The kind of the node at a path, and its fields."""
        data: Any = self.curve.document.source.data
        for part in path:
            data = data[part]
        ((kind, body),) = data.items()
        return kind, body or {}

    def writes(self, path: Path, field: str) -> bool:
        """Whether a stage has a field, or inherits or does without it."""
        return field in self.written(path)[1]

    def step(self, position: Exact) -> Fraction:
        """A position on the axis in steps."""
        return Fraction(self.curve.units.steps(position))

    def first(self, start: Exact | float) -> int:
        """The first update that is read at `start`, in steps, or after it (clause 2.4)."""
        return first_step(self.curve, start)

    def updates(self, start: Exact | float, stop: Exact | float) -> int:
        """How many updates are read within [start, stop), both in steps."""
        return self.first(stop) - self.first(start)

    def is_over(self, start: Exact | float) -> bool:
        """Whether no update of the run is read at `start`, in steps, or after it."""
        return self.steps is not None and self.updates(start, self.steps) <= 0

    def alike(self, one: float, two: float) -> bool:
        """Whether two values are as good as equal, beside the largest of the curve."""
        return isclose(one, two, rel_tol=_JUMP, abs_tol=self._rounded)

    def is_less(self, one: float, two: float) -> bool:
        """Whether a value is less than another, and not only by rounding."""
        return one < two and not self.alike(one, two)

    def everything(self) -> Iterator[tuple[Piece, bool]]:
        """The pieces of the curve and what stands in them, each with whether it stands in a period
        of a `repeat`."""
        waiting = [(piece, False) for piece in reversed(self.curve.pieces)]
        while waiting:
            piece, in_period = waiting.pop()
            yield piece, in_period
            waiting += [(inner, True) for inner in reversed(piece.period)]
            for child in reversed(piece.inside):
                waiting += [(inner, in_period) for inner in reversed(child)]


def first_step(curve: Curve, start: Exact | float) -> int:
    """The first step that is read at `start`, in steps, or after it (clause 2.4)."""
    sample = curve.resolution.clock.sample
    if sample == "end":
        return floor(start)
    return ceil(start - Fraction(1, 2) if sample == "middle" else start)


def shown_step(number: float | Fraction) -> str:
    """A step as messages write it: 80, 39601.8."""
    return str(int(number)) if number == int(number) else f"{float(number):g}"


def _empty(curve: Curve) -> Stage:
    """What stands for the stages of a curve where all are empty."""
    last = curve.pieces[-1]
    return Stage(last, 0, 0, curve(0), None, ())
