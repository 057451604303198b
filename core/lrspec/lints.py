"""The rules behind the warnings of `lrspec.linting`, each from a bound curve to what may not be
meant in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, isclose
from typing import Any, TypeAlias

from lrspec.curve import Curve
from lrspec.held import held
from lrspec.phases import Phase
from lrspec.problems import Path, Problem
from lrspec.resolved import Exact
from lrspec.spans import Piece
from lrspec.stages import Stage, stages

Rule: TypeAlias = Callable[["Run"], Iterator[Problem]]

# Of the change that a stage makes: what its last update may lack of the final value.
_LACKING = 1e-3
# A jump of less is the rounding of somebody's calculator.
_JUMP = 1e-6
# What rounding leaves where values cancel, as a share of the largest.
_ROUNDED = 1e-12
# No training has a rate above it.
_LARGE = 10
# Multiples of a base come to 1 somewhere; rates stay far below.
_NEAR_ONE = 0.1
# So many steps are looked at beside the ends of the stages.
_LOOKS = 200
# A length that is written as none, in any unit.
_NOTHING = re.compile(r"0(?:\.0+)?(?:[eE][+-]?[0-9]+)?(?![0-9.])")
_TO_A_FINAL = ("linear", "cosine", "polynomial", "geometric", "inverse")
_WITHOUT_OTHERS_INSIDE = (*_TO_A_FINAL, "constant", "piecewise_linear", "piecewise_constant")


class Run:
    """A curve and its stages, as the rules look at them."""

    def __init__(self, curve: Curve) -> None:
        self.curve = curve
        self.steps = curve.steps
        self.is_rate = curve.name == "lr"
        self.all = stages(curve) or (_empty(curve),)
        ends = [end for stage in self.all for end in (stage.initial, stage.final or 0.0)]
        self._rounded = _ROUNDED * max(map(abs, ends), default=0.0)
        self._kinds = {piece.path: piece.kind for piece in curve.pieces}

    def warning(
        self, code: str, path: Path, message: str, *, field: str | None = None, hint: str | None
    ) -> Problem:
        """A warning about a stage, placed on one of its fields where that is written."""
        source = self.curve.document.source
        if field is not None and self.writes(path, field):
            path = (*path, self._kinds[path], field)
        return source.problem(code, path, message, hint=hint, severity="warning")

    def writes(self, path: Path, field: str) -> bool:
        """Whether a stage has a field, or inherits or does without it."""
        return field in _body(self.curve.document.source.data, path)

    def updates(self, start: Exact, stop: Exact) -> int:
        """How many steps are read within [start, stop), both in steps (clause 2.4)."""
        sample = self.curve.resolution.clock.sample
        if sample == "end":
            return floor(stop) - floor(start)
        shift = Fraction(1, 2) if sample == "middle" else 0
        return ceil(stop - shift) - ceil(start - shift)

    def alike(self, one: float, two: float) -> bool:
        """Whether two values are as good as equal, beside the largest of the curve."""
        return isclose(one, two, rel_tol=_JUMP, abs_tol=self._rounded)

    def is_over(self, start: float) -> bool:
        """Whether no update of the run is read at `start`, in steps, or after it."""
        return self.steps is not None and self.updates(Fraction(start), Fraction(self.steps)) <= 0


def _empty(curve: Curve) -> Stage:
    """What stands for the stages of a curve where all are empty."""
    last = curve.pieces[-1]
    return Stage(last.path, last.kind, 0, 0, curve(0), None, ())


def first_update_at_zero(run: Run) -> Iterator[Problem]:
    """Nothing is learnt from the first batch."""
    if run.is_rate and run.curve(0) == 0:
        rises = run.curve.resolution.clock.sample == "start" and run.curve(1) != 0
        at_the_end = ", or read the curve at the end of a step with 'sample: end'"
        yield run.warning(
            "first-update-at-zero",
            run.all[0].path,
            "the first update is at rate 0 and changes nothing",
            field="initial",
            hint=f"start above 0{at_the_end if rises else ''}",
        )


def final_not_applied(run: Run) -> Iterator[Problem]:
    """The run ends an update before the value that its last stage declares."""
    if run.steps is None:
        return
    last = run.steps - 1
    for stage in run.all:
        final = stage.final
        ends_with_the_run = stage.stop is not None and ceil(stage.stop) == run.steps
        if not ends_with_the_run or stage.kind not in (*_TO_A_FINAL, "piecewise_linear"):
            continue
        applied = run.curve(last)
        assert final is not None
        if abs(applied - final) > _LACKING * abs(stage.phases[-1].initial - final):
            yield run.warning(
                "final-not-applied",
                stage.path,
                f"the last update, {last}, is at {applied:.6g}: {final:.6g} would be that of"
                f" update {run.steps}, after the run",
                field="final",
                hint="'sample: end' reads the curve at the end of each step",
            )


def jump(run: Run) -> Iterator[Problem]:
    """A stage starts at another value than the one before it ends with."""
    for before, after in pairwise(run.all):
        final, initial = before.final, after.initial
        if final is None or run.alike(final, initial) or run.is_over(after.start):
            continue
        field = "value" if after.kind == "constant" else "initial"
        left_out = "left out, it starts where the stage before it ends"
        yield run.warning(
            "jump",
            after.path,
            f"the value jumps from {final:.6g} to {initial:.6g} at step {_step(after.start)}",
            field=field,
            hint=left_out if run.writes(after.path, field) else None,
        )


def long_warmup(run: Run) -> Iterator[Problem]:
    """The rate still rises when half of the run is over."""
    if run.steps is None or not run.is_rate:
        return
    top: Phase | None = None
    for stage in run.all:
        for phase in stage.phases:
            final = phase.initial - 1 if phase.final is None else phase.final
            if final < phase.initial or phase.kind not in _WITHOUT_OTHERS_INSIDE:
                break
            top = phase if final > phase.initial else top
        else:
            continue
        break
    if top is None or top.stop is None or top.stop * 2 <= run.steps:
        return
    yield run.warning(
        "long-warmup",
        run.all[0].path,
        f"the rate rises up to step {_step(top.stop)} of {run.steps}, more than half of the run",
        hint=None,
    )


def empty_stage(run: Run) -> Iterator[Problem]:
    """A stage that is not written as empty has no step of its own."""
    curve = run.curve
    steps = curve.units.steps
    for piece in curve.pieces:
        if piece.stop is None or _is_written_empty(curve.document.source.data, piece):
            continue
        start, stop = Fraction(steps(piece.start)), Fraction(steps(piece.stop))
        if run.updates(start, stop) == 0:
            length = float(stop - start)
            yield run.warning(
                "empty-stage",
                piece.path,
                f"this stage is {length:g} steps long and no update falls into it",
                field="length",
                hint=None,
            )


def late_rise(run: Run) -> Iterator[Problem]:
    """A decay that goes up: its two ends are the wrong way round, or a base is forgotten."""
    for stage in run.all[1:] if run.is_rate else ():
        final, initial = stage.final, stage.initial
        rises = final is not None and final > initial and not run.alike(final, initial)
        if rises and stage.kind in _TO_A_FINAL[1:]:
            yield run.warning(
                "late-rise",
                stage.path,
                f"this {stage.kind} rises, from {initial:.6g} to {final:.6g}",
                field="final",
                hint=None,
            )


def never_reached(run: Run) -> Iterator[Problem]:
    """The run is over before a stage begins."""
    for stage in run.all:
        if run.is_over(stage.start):
            yield run.warning(
                "never-reached",
                stage.path,
                f"this stage starts at step {_step(stage.start)}, the run ends at {run.steps}",
                hint=None,
            )


def run_goes_on(run: Run) -> Iterator[Problem]:
    """The run is longer than the stages that are written."""
    end = run.all[-1].stop
    # One update more has the last value of the stages, as where the peaks of others end.
    if end is None or run.steps is None or run.updates(Fraction(end), Fraction(run.steps)) <= 1:
        return
    value = held(run.curve, end)
    then = "goes on by its formula" if value is None else f"is held at {value:.6g}"
    yield run.warning(
        "run-goes-on",
        run.all[-1].path,
        f"the schedule ends at step {_step(end)} and the run at {run.steps}: it {then}",
        hint="a stage without a length takes what is left",
    )


def negative_rate(run: Run) -> Iterator[Problem]:
    """Some update goes up the gradient."""
    yield from _extreme(run, "negative-rate", lambda value: value < 0, "negative")


def large_rate(run: Run) -> Iterator[Problem]:
    """A rate that no training has: a percentage, or a base that is multiplied twice."""
    if run.curve.base is not None:
        wrong = f"more than {_LARGE}"
        yield from _extreme(run, "large-rate", lambda value: value > _LARGE, wrong)


def _extreme(
    run: Run, code: str, is_wrong: Callable[[float], bool], word: str
) -> Iterator[Problem]:
    """The first step seen at which a rate is wrong."""
    if not run.is_rate:
        return
    for stage in run.all:
        for step in _seen(stage, run.steps, last=stage is run.all[-1]):
            value = run.curve(step)
            if is_wrong(value):
                message = f"the rate is {value:.6g} at step {step}, {word}"
                yield run.warning(code, stage.path, message, hint=None)
                return


def _seen(stage: Stage, steps: int | None, *, last: bool) -> list[int]:
    """Steps of a stage within the run, and after the last stage to the end of the run: all of few,
    else the ends and some between."""
    start = ceil(stage.start)
    stops = [ceil(stage.stop)] if stage.stop is not None else []
    if steps is not None:
        stops = [steps] if last else [*stops, steps]
    stop = min(stops, default=start + _LOOKS)
    spread = {start + (stop - 1 - start) * i // _LOOKS for i in range(_LOOKS + 1)}
    knots = {floor(phase.stop) for phase in stage.phases if phase.stop is not None}
    return sorted(step for step in spread | knots if start <= step < stop)


def _is_written_empty(data: Any, piece: Piece) -> bool:
    length = _body(data, piece.path).get("length")
    return length is not None and _NOTHING.match(str(length)) is not None


def _body(data: Any, path: Path) -> dict[str, Any]:
    """The fields of the node at a path."""
    for part in path:
        data = data[part]
    (body,) = data.values()
    return body or {}


def _step(number: int | float) -> str:
    return f"{number:g}" if number != int(number) else str(int(number))


def no_change(run: Run) -> Iterator[Problem]:
    """A warmup without a first value starts where it ends, at 1."""
    for stage in run.all:
        inherits = stage.kind in _TO_A_FINAL and not run.writes(stage.path, "initial")
        if inherits and stage.final is not None and run.alike(stage.initial, stage.final):
            yield run.warning(
                "no-change",
                stage.path,
                f"this {stage.kind} goes from {stage.initial:.6g} to {stage.final:.6g}",
                field="final",
                hint="a warmup writes its 'initial'" if stage is run.all[0] else None,
            )


def no_base(run: Run) -> Iterator[Problem]:
    """Values of a momentum are mostly what they say, not multiples of the optimizer's."""
    curve = run.curve
    if not run.is_rate and curve.base is None:
        source = curve.document.source
        yield source.problem(
            "no-base",
            ("schedules", curve.name),
            f"{curve.name} has no base: its values are multiples of the optimizer's {curve.name}",
            key=True,
            hint=f"write base: {{{curve.name}: absolute}} if they are what they say",
            severity="warning",
        )


def rates_under_a_base(run: Run) -> Iterator[Problem]:
    """Rates that are written under a base are multiplied by it."""
    base = run.curve.base
    if not run.is_rate or base is None or run.curve.document.model.bases.get("lr") == "absolute":
        return
    if any(stage.kind not in _WITHOUT_OTHERS_INSIDE for stage in run.all):
        return
    phases = [phase for stage in run.all for phase in stage.phases]
    ends = [end for phase in phases for end in (phase.initial, phase.final or 0.0)]
    largest = max(map(abs, ends), default=0.0) / base
    if 0 < largest < _NEAR_ONE and base < _NEAR_ONE:
        yield run.curve.document.source.problem(
            "rates-under-a-base",
            ("base",),
            f"no value is more than {largest:.6g}, and each is multiplied by the base {base!r}",
            hint="write 'base: absolute' if the values are rates",
            severity="warning",
        )


RULES: tuple[Rule, ...] = (
    no_base,
    rates_under_a_base,
    no_change,
    first_update_at_zero,
    final_not_applied,
    jump,
    long_warmup,
    empty_stage,
    late_rise,
    never_reached,
    run_goes_on,
    negative_rate,
    large_rate,
)
