"""Cutting a schedule to a length, so that another can follow it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from lrspec.importing.nodes import Node, Schedule, advance, constant, number
from lrspec.importing.sequence import closing

_WRAPPERS = ("clamp", "quantize", "advance")
_RAMPS = ("linear", "cosine", "polynomial", "geometric", "inverse")


def decimal(value: float) -> Decimal:
    """The number of the shortest text of a float."""
    return Decimal(repr(value))


def span(length: Decimal) -> int | str:
    """A number of steps as a document states it: `7`, or `7.25 steps`.

    Differences of decimals are exact, so that lengths add up to the ends that they come from.
    """
    whole = length.to_integral_value()
    return int(whole) if whole == length else f"{length.normalize():f} steps"


def cut(schedule: Schedule, length: float | Decimal) -> Schedule:
    """The schedule over its first `length` steps, of just this length.

    What ends before goes on as it would: it holds its last value, or repeats. What would end later
    stops in the middle. Lengths inside are numbers of steps.
    """
    if not isinstance(length, Decimal):
        length = decimal(length)
    if isinstance(schedule, list):
        return _cut_list(schedule, length)
    ((kind, body),) = schedule.items()
    body = dict(body or {})
    own = _length(body)
    if kind == "piecewise_constant" and own is None:
        return _cut_pieces(body, length)
    if own is None and kind == "repeat" and (first := _first_period(body, length)) is not None:
        return cut(first, length)
    if own is None:
        return {kind: {**body, "length": span(length)}}
    if own == length:
        return _without_end(kind, body)
    if own > length:
        return _shortened(kind, body, own, length)
    if body.get("after") == "extend":
        return advance(schedule, 0, span(length))
    end = closing(schedule)
    return [schedule, constant(None if end is None else number(end), span(length - own))]


def length_of(schedule: Schedule) -> Decimal | None:
    """The length in steps that is written, or that the stages have together; None where it is
    open."""
    if not isinstance(schedule, list):
        ((_, body),) = schedule.items()
        return _length(body or {})
    lengths = [length_of(stage) for stage in schedule]
    return (
        None
        if None in lengths
        else sum((length for length in lengths if length is not None), Decimal(0))
    )


def _length(body: Node) -> Decimal | None:
    length = body.get("length")
    return None if length is None else _steps_in(length)


def _steps_in(duration: int | str) -> Decimal:
    return Decimal(duration.removesuffix(" steps") if isinstance(duration, str) else duration)


def _first_period(body: Node, length: Decimal) -> Schedule | None:
    """The schedule of a `repeat` with the length of its first period, where that is enough and no
    length inside is a share of it."""
    if "period" not in body or "%" in repr(body) or _steps_in(body["period"]) < length:
        return None
    inner: Any = body["schedule"]
    stages: list[Any] = [*inner] if isinstance(inner, list) else [inner]
    before = length_of(stages[:-1])
    last: Node = stages[-1]
    ((kind, fields),) = last.items()
    if before is None or not isinstance(fields, dict) or kind not in _RAMPS:
        return None
    return [*stages[:-1], {kind: {"length": span(_steps_in(body["period"]) - before), **fields}}]


def _without_end(kind: str, body: Node) -> Node:
    return {kind: {key: value for key, value in body.items() if key != "after"}}


def _shortened(kind: str, body: Node, own: Decimal, length: Decimal) -> Node:
    if kind == "constant":
        return {kind: {**body, "length": span(length)}}
    if kind == "linear" and "initial" in body:
        initial, final = body["initial"], body["final"]
        reached = initial + (final - initial) * float(length / own)
        return _without_end(kind, {**body, "final": reached, "length": span(length)})
    return advance(_without_end(kind, body), 0, span(length))


def _cut_pieces(body: Node, length: Decimal) -> Node:
    bounds = [bound for bound in body["boundaries"] if _steps_in(bound) < length]
    values = body["values"][: len(bounds) + 1]
    if not bounds:
        return constant(values[0], span(length))
    return {"piecewise_constant": {"boundaries": bounds, "values": values, "length": span(length)}}


def _cut_list(stages: list[Any], length: Decimal) -> Schedule:
    kept: list[Any] = []
    before: float | None = None
    past = Decimal(0)
    last = stages[-1]
    for stage in stages[:-1]:
        stage = _started(stage, before)
        own = length_of(stage)
        if own is None or past + own >= length:
            last = stage
            break
        kept.append(stage)
        past += own
        before = closing(stage)
    # Boundaries count from the start of the list.
    part = moved(cut(moved(_started(last, before), -past), length - past), past)
    kept += part if isinstance(part, list) else [part]
    return kept[0] if len(kept) == 1 else kept


def _started(stage: Schedule, before: float | None) -> Schedule:
    """The stage with the value that it inherits written."""
    if not isinstance(stage, dict) or before is None:
        return stage
    ((kind, body),) = stage.items()
    field = "value" if kind == "constant" else "initial"
    if kind in ("constant", *_RAMPS) and field not in (body or {}):
        return {kind: {field: number(before), **(body or {})}}
    return stage


def moved(schedule: Schedule, by: int | Decimal) -> Schedule:
    """The schedule with its boundaries, which count from the start of the list that it stands in,
    `by` steps later."""
    if by == 0:
        return schedule
    if isinstance(schedule, list):
        return [moved(stage, by) for stage in schedule]
    ((kind, body),) = schedule.items()
    body = dict(body or {})
    if "boundaries" in body:
        body["boundaries"] = [span(_steps_in(bound) + by) for bound in body["boundaries"]]
    if "of" in body:
        body["of"] = [
            child if isinstance(child, list) else moved(child, by) for child in body["of"]
        ]
    if kind in _WRAPPERS and not isinstance(body["schedule"], list):
        body["schedule"] = moved(body["schedule"], by)
    return {kind: body or None}
