"""What a place in a document comes to: the resolved step and value, and a picture of the curve."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil

from lrspec import resolved
from lrspec.curve import Curve
from lrspec.document import Document
from lrspec.extremes import extremes
from lrspec.lsp.tokens import Token, token_at
from lrspec.phase_lines import shown_kind, shown_step, shown_value
from lrspec.problems import Path, SpecError
from lrspec.source import Mark, Source
from lrspec.stages import Stage, stages

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 40
_FAR = 1 << 53
# What a hover on them is about: the run as a whole.
_OF_THE_RUN = ("base", "training", "schedule", "schedules", "axis", "sample", "rounding")


def path_at(source: Source, lines: list[str], line: int, column: int) -> tuple[Path, Token] | None:
    """The path of the key or scalar at a place (from 0), and the word there."""
    before = ((mark, path) for path, mark in source.marks.on(line + 1) if mark.column <= column + 1)
    # The last of those that begin at one place is the innermost.
    last: tuple[Mark, Path] | None = None
    for mark, path in before:
        if last is None or mark >= last[0]:
            last = mark, path
    if last is None:
        return None
    token = token_at(lines, *last[0])
    return (last[1], token) if token.covers(line, column) else None


def hover(document: Document, path: Path) -> str | None:
    """Markdown about what stands at a path: of the stage there, of the field, of the run; None
    where the document cannot be bound as it is, or where nothing there has a step or a value."""
    if path[:1] == () or path[0] not in _OF_THE_RUN:
        return None
    name = path[1] if path[0] in ("schedules", "base") and len(path) > 1 else document.names[0]
    bound = _bound(document, str(name))
    if bound is None:
        return None
    curve, found = bound
    stage = next((stage for stage in found if path[: len(stage.path)] == stage.path), None)
    said = [_about_run(curve)] if stage is None else [_about_stage(curve, found, stage)]
    if stage is not None:
        said += _about_field(curve, stage, path[len(stage.path) + 1 :])
    return "\n\n".join([*said, _picture(curve, found, stage)])


@lru_cache(maxsize=8)
def _bound(document: Document, name: str) -> tuple[Curve, tuple[Stage, ...]] | None:
    try:
        curve = document.bind(name=name)
    except SpecError:
        return None
    return curve, stages(curve)


def _about_run(curve: Curve) -> str:
    length = "a run of unknown length" if curve.steps is None else f"a run of {curve.steps} steps"
    unit = "multiples of a base" if curve.base is None else f"rates, 1 stands for {curve.base!r}"
    return f"**{curve.name}** over {length}, in {unit}"


def _about_stage(curve: Curve, found: tuple[Stage, ...], stage: Stage) -> str:
    number = f"stage {found.index(stage) + 1} of {len(found)}" if len(found) > 1 else "one stage"
    span = f"from step {shown_step(stage.start)}"
    values = f"from {shown_value(stage.initial)}"
    if stage.stop is not None:
        span += f" to {shown_step(stage.stop)}"
    if stage.final is not None:
        values += f" to {shown_value(stage.final)}"
    for extreme in filter(None, extremes(curve, stage.phases)):
        values += f", between {shown_value(extreme[0])} and {shown_value(extreme[1])}"
    return f"**{shown_kind(curve, stage.path, stage.kind)}**, {number}: {span}, {values}"


def _about_field(curve: Curve, stage: Stage, field: Path) -> list[str]:
    """What a field of the stage comes to."""
    match field:
        case ("length" | "until",) if stage.stop is not None:
            steps = Fraction(stage.stop) - Fraction(stage.start)
            end = shown_step(stage.stop)
            return [f"`{field[0]}`: {shown_step(_plain(steps))} steps, to step {end}"]
        case ("initial" | "value",):
            at = shown_step(stage.start)
            return [f"`{field[0]}`: {shown_value(stage.initial)}, at step {at}"]
        case ("final",) if stage.stop is not None and stage.final is not None:
            at = shown_step(stage.stop)
            return [f"`final`: {shown_value(stage.final)}, towards step {at}"]
        case ("boundaries" | "values", int(index)):
            return _about_point(curve, stage, str(field[0]), index)
        case _:
            return []


def _about_point(curve: Curve, stage: Stage, field: str, index: int) -> list[str]:
    """A boundary and the value that it has, or that holds from it on."""
    node = next(piece.node for piece in curve.pieces if piece.path == stage.path)
    # No other kind has such a field.
    assert isinstance(node, resolved.PiecewiseLinear | resolved.PiecewiseConstant)
    shift = isinstance(node, resolved.PiecewiseConstant)
    factor = 1.0 if curve.base is None else curve.base
    boundary = index - shift if field == "values" else index
    value = shown_value(node.values[boundary + shift] * factor)
    if boundary < 0:
        return [f"`values`: {value}, before the first boundary"]
    step = shown_step(_plain(Fraction(curve.units.steps(Fraction(node.boundaries[boundary])))))
    return [f"`{field}`: {value}, {'from' if shift else 'at'} step {step}"]


def _picture(curve: Curve, found: tuple[Stage, ...], stage: Stage | None) -> str:
    """The curve in one line of bars, and a line under it that marks the stage."""
    last = _last(curve, found)
    steps = [last * column // (_WIDTH - 1) for column in range(_WIDTH)]
    values = [curve(step) for step in steps]
    low, high = min(0.0, *values), max(values)
    # Of half the values, so that their distance is no more than the largest float64.
    span = high / 2 - low / 2 or 1.0
    heights = ((value / 2 - low / 2) / span for value in values)
    bars = "".join(_BARS[round(height * (len(_BARS) - 1))] for height in heights)
    scale = f"step 0 to {last}, at most {shown_value(high)}"
    if stage is None:
        return f"```text\n{bars}\n{scale}\n```"
    stop = last if stage.stop is None else stage.stop
    marks = "".join("‾" if stage.start <= step <= stop else " " for step in steps)
    return f"```text\n{bars}\n{marks.rstrip()}\n{scale}\n```"


def _last(curve: Curve, found: tuple[Stage, ...]) -> int:
    """The last step of the picture: the end of the run and of all stages; of one without an end as
    much as is before its last knot, where steps go so far."""
    ends = [curve.steps or 0, _WIDTH]
    for stage in found:
        start = ceil(stage.phases[-1].start)
        beyond = start if start > _FAR else 2 * start
        ends.append(beyond if stage.stop is None else ceil(stage.stop))
    return max(ends)


def _plain(number: Fraction) -> int | float:
    return number.numerator if number.denominator == 1 else float(number)
