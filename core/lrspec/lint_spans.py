"""The rules about spans: where stages and the run end, and what no update is read in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, inf

from lrspec import resolved
from lrspec.lint_run import ONE_WAY, PIECEWISE, TO_A_FINAL, Run, shown_step
from lrspec.problems import Problem
from lrspec.resolved import Exact
from lrspec.spans import Piece
from lrspec.stages import Stage

# Of the change that a stage makes: what its last update may lack of the final value.
_LACKING = 1e-3
# A length that is written as none, in any unit.
_NOTHING = re.compile(r"0(?:\.0+)?(?:[eE][+-]?[0-9]+)?(?![0-9.])")


def final_not_applied(run: Run) -> Iterator[Problem]:
    """The run ends an update before the value that its last stage declares."""
    if run.steps is None:
        return
    last = run.steps - 1
    for stage in run.all:
        final = _declared(run, stage)
        # What follows may take over from there, or the stage go on beyond its end.
        if final is None or not run.alike(run.curve(run.steps), final):
            continue
        applied = run.curve(last)
        phase = next(phase for phase in reversed(stage.phases) if not run.is_over(phase.start))
        if abs(applied - final) > _LACKING * abs(phase.initial - final):
            yield run.warning(
                "final-not-applied",
                stage.path,
                f"the last update, {last}, is at {applied:.6g}: {final:.6g} would be that of"
                f" update {run.steps}, after the run",
                field="final",
                hint="'sample: end' reads the curve at the end of each step",
            )


def _declared(run: Run, stage: Stage) -> float | None:
    """The value that a stage which ends with the run declares for its end."""
    if stage.stop is None or ceil(stage.stop) != run.steps or run.is_over(stage.start):
        return None
    if stage.kind != "piecewise_linear":
        return stage.final if stage.kind in TO_A_FINAL else None
    node, stop = stage.piece.node, stage.piece.stop
    assert isinstance(node, resolved.PiecewiseLinear)
    assert stop is not None
    # A line to a knot beyond the end is cut: see `never_reached`.
    return stage.final if node.boundaries[-1] <= float(stop) else None


def long_warmup(run: Run) -> Iterator[Problem]:
    """The rate still rises when half of the run is over."""
    if run.steps is None or not run.is_rate:
        return
    top = min(_top(run), run.steps)
    if top * 2 > run.steps:
        yield run.warning(
            "long-warmup",
            run.all[0].path,
            f"the rate rises up to step {shown_step(top)} of {run.steps}, more than half of the"
            " run",
        )


def _top(run: Run) -> float:
    """Up to which step the rate rises and never falls."""
    top, before = 0.0, -inf
    for stage in run.all:
        if stage.kind not in ONE_WAY:
            break
        for number, phase in enumerate(stage.phases):
            initial, final = phase.initial, phase.final
            if run.is_less(initial, before):
                return top
            if number and run.is_less(before, initial):
                top = phase.start
            if final is None or phase.stop is None or run.is_less(final, initial):
                return top
            if run.is_less(initial, final):
                top = phase.stop
            before = final
    return top


def empty_stage(run: Run) -> Iterator[Problem]:
    """A stage that is not written as empty has no step of its own."""
    for piece in run.curve.pieces:
        if piece.stop is None or _is_written_empty(run, piece):
            continue
        start, stop = run.step(piece.start), run.step(piece.stop)
        if run.updates(start, stop) == 0:
            length = float(stop - start)
            yield run.warning(
                "empty-stage",
                piece.path,
                f"this stage is {length:g} steps long and no update falls into it",
                field="length",
            )


def _is_written_empty(run: Run, piece: Piece) -> bool:
    length = run.written(piece.path)[1].get("length")
    return length is not None and _NOTHING.match(str(length)) is not None


def never_reached(run: Run) -> Iterator[Problem]:
    """The run is over before a stage begins, or before a value that stands at a boundary."""
    for stage in run.all:
        if run.is_over(stage.start):
            yield run.warning(
                "never-reached",
                stage.path,
                f"this stage starts at step {shown_step(stage.start)}, the run ends at {run.steps}",
            )
    for piece, in_period in run.everything():
        if piece.kind in PIECEWISE:
            yield from _unused(run, piece, in_period=in_period)


def _unused(run: Run, piece: Piece, *, in_period: bool) -> Iterator[Problem]:
    """The first boundary of a piecewise kind that lies after its end, or after that of the run."""
    node = piece.node
    assert isinstance(node, resolved.PiecewiseLinear | resolved.PiecewiseConstant)
    is_empty = piece.stop is not None and float(piece.start) >= float(piece.stop)
    if is_empty or (not in_period and run.is_over(run.step(piece.start))):
        return
    is_line = isinstance(node, resolved.PiecewiseLinear)
    for number, boundary in enumerate(node.boundaries):
        end = _end_before(run, piece, boundary, is_line=is_line, in_period=in_period)
        if end is not None:
            at = shown_step(boundary if in_period else run.step(Fraction(boundary)))
            value = f"the value at boundary {at}" if is_line else f"the value from boundary {at} on"
            yield run.warning(
                "never-reached",
                piece.path,
                f"{value} is never used: {end}",
                field="boundaries",
                item=number,
            )
            return


def _end_before(
    run: Run, piece: Piece, boundary: float, *, is_line: bool, in_period: bool
) -> str | None:
    """The end, in words, that comes before a boundary; a line still has the value at its end (see
    `final_not_applied`)."""
    stop = piece.stop
    # Rounded, as positions are compared (clause 3.9).
    if stop is not None and (boundary > float(stop) or (boundary == float(stop) and not is_line)):
        if in_period:
            axis = run.curve.resolution.clock.axis
            return f"its stage ends at {axis[:-1]} {shown_step(stop)} of the period"
        if run.step(stop) != run.steps:
            return f"its stage ends at step {shown_step(run.step(stop))}"
    if in_period or run.steps is None:
        return None
    at = run.step(Fraction(boundary))
    is_after = at > run.steps if is_line else run.is_over(at)
    return f"the run ends at step {run.steps}" if is_after else None


def run_goes_on(run: Run) -> Iterator[Problem]:
    """The run is longer than the stages that are written."""
    written = _written_end(run, run.curve.pieces)
    if written is None or run.steps is None:
        return
    end = run.step(written)
    # One update more has the last value of the stages, as where the peaks of others end.
    if run.updates(end, run.steps) <= 1:
        return
    value = run.curve(run.steps - 1)
    yield run.warning(
        "run-goes-on",
        run.all[-1].path,
        f"the schedule ends at step {shown_step(end)} and the run at {run.steps}: it is held at"
        f" {value:.6g}",
        hint="a stage without a length takes what is left",
    )


def _written_end(run: Run, pieces: Sequence[Piece]) -> Exact | None:
    """Where the last of some stages ends by its length or of its own, and with it all that it
    holds; None where something takes what is left, or is said to go on."""
    last = pieces[-1]
    kind, body = run.written(last.path)
    if body.get("after") == "extend":
        return None
    if body.keys() & {"length", "until"} or (
        kind == "repeat" and {"period", "count"} <= body.keys()
    ):
        return last.stop
    ends = [_written_end(run, child) for child in last.inside]
    known = [end for end in ends if end is not None]
    return max(known) if known and len(known) == len(ends) else None
