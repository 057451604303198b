"""The rules about values: what a stage starts with, which way it goes, and how far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from lrspec.limits import LAST_STEP
from lrspec.lint_run import ONE_WAY, PIECEWISE, TO_A_FINAL, Run, shown_step
from lrspec.problems import Path, Problem

# No training has a rate above it.
_LARGE = 10
# So many steps are looked at in a stage whose values have no one way.
_LOOKS = 200


def no_change(run: Run) -> Iterator[Problem]:
    """A warmup without a first value starts where it ends, at 1."""
    for stage in run.all:
        inherits = stage.kind in TO_A_FINAL and not run.writes(stage.path, "initial")
        if inherits and stage.final is not None and run.alike(stage.initial, stage.final):
            yield run.warning(
                "no-change",
                stage.path,
                f"this {stage.kind} goes from {stage.initial:.6g} to {stage.final:.6g}",
                field="final",
                hint="a warmup writes its 'initial'" if stage is run.all[0] else None,
            )


def first_update_at_zero(run: Run) -> Iterator[Problem]:
    """Nothing is learnt from the first batch."""
    if run.is_rate and run.curve(0) == 0:
        first = run.all[0]
        rises = run.curve.resolution.clock.sample == "start" and run.curve(1) != 0
        at_the_end = ", or read the curve at the end of a step with 'sample: end'"
        field = "values" if first.kind in PIECEWISE else _first_field(first.kind)
        yield run.warning(
            "first-update-at-zero",
            first.path,
            "the first update is at rate 0 and changes nothing",
            field=field,
            hint=f"start above 0{at_the_end if rises else ''}",
        )


def jump(run: Run) -> Iterator[Problem]:
    """A stage starts at another value than the one before it ends with."""
    for before, after in pairwise(run.all):
        final, initial = before.final, after.initial
        if final is None or run.alike(final, initial) or run.is_over(after.start):
            continue
        field = _first_field(after.kind)
        left_out = "left out, it starts where the stage before it ends"
        yield run.warning(
            "jump",
            after.path,
            f"the value jumps from {final:.6g} to {initial:.6g} at step {shown_step(after.start)}",
            field=field,
            hint=left_out if run.writes(after.path, field) else None,
        )


def _first_field(kind: str) -> str:
    """The field that a value before a stage stands for, where it is left out."""
    return "value" if kind == "constant" else "initial"


def late_rise(run: Run) -> Iterator[Problem]:
    """A decay that goes up: its two ends are the wrong way round, or a base is forgotten."""
    for stage in run.all[1:] if run.is_rate else ():
        final, initial = stage.final, stage.initial
        rises = final is not None and run.is_less(initial, final)
        if rises and stage.kind in TO_A_FINAL[1:]:
            yield run.warning(
                "late-rise",
                stage.path,
                f"this {stage.kind} rises, from {initial:.6g} to {final:.6g}",
                field="final",
            )


def wrong_rates(run: Run) -> Iterator[Problem]:
    """Some update goes up the gradient, or has a rate that no training has: a percentage, or a base
    that is multiplied twice. Of each, the first step seen."""
    if not run.is_rate:
        return
    wrong: dict[str, tuple[Callable[[float], bool], str]] = {
        "negative-rate": (lambda value: value < 0, "negative")
    }
    if run.curve.base is not None:
        wrong["large-rate"] = (lambda value: value > _LARGE, f"more than {_LARGE}")
    for path, steps, one_way in _looks(run):
        ends = [run.curve(step) for step in (steps[0], steps[-1])] if one_way else []
        if one_way and not any(is_wrong(end) for is_wrong, _ in wrong.values() for end in ends):
            continue
        for step in _spread(steps):
            value = run.curve(step)
            for code in [code for code, (is_wrong, _) in wrong.items() if is_wrong(value)]:
                _, word = wrong.pop(code)
                yield run.warning(code, path, f"the rate is {value:.6g} at step {step}, {word}")


def _looks(run: Run) -> Iterator[tuple[Path, range, bool]]:
    """The steps that are read in each stage, and whether their values go one way; at the end those
    after the last stage, whose value is held there."""
    spans = [
        (stage.path, phase.start, phase.stop, stage.kind in ONE_WAY)
        for stage in run.all
        for phase in stage.phases
    ]
    last = run.curve.pieces[-1]
    if last.stop is not None:
        spans.append((last.path, float(run.step(last.stop)), None, False))
    horizon = LAST_STEP + 1 if run.steps is None else run.steps
    for path, start, stop, one_way in spans:
        first = run.first(start)
        if stop is not None:
            end = run.first(stop)
        else:
            end = first + _LOOKS if run.steps is None else run.steps
        steps = range(first, min(end, horizon))
        if steps:
            yield path, steps, one_way


def _spread(steps: range) -> list[int]:
    """All of few steps, else the ends and some between."""
    last = len(steps) - 1
    return [steps[i] for i in sorted({last * i // _LOOKS for i in range(_LOOKS + 1)})]
