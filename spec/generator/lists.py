"""Lists: which stage is open, and where every stage starts and ends (clauses 5.2 to 5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from generator.clock import Clock
from generator.nodes import Node, Place, Schedule, checked, kind_and_fields, written_end
from generator.periods import periods_of
from generator.quantities import Ruler, distance, is_percentage
from generator.refusal import Refused

Span: TypeAlias = tuple[Fraction, Fraction | None]


def is_open(stage: Schedule) -> bool:
    """Whether a stage's length is neither written nor its own (5.3)."""
    kind, fields = kind_and_fields(stage)
    if "length" in fields or "until" in fields:
        return False
    if kind == "list":
        return not all(ends_without_percentage(inner) for inner in stage)
    return not (kind == "repeat" and "period" in fields and "count" in fields)


def ends_without_percentage(stage: Schedule) -> bool:
    """Whether a stage ends, by what is written or of its own, and not by `%` (5.3)."""
    if is_open(stage):
        return False
    _, fields = kind_and_fields(stage)
    deciding = [fields[name] for name in ("length", "until") if name in fields]
    if not deciding and "period" in fields:
        deciding = [fields["period"]]
    return not any(is_percentage(written) for written in deciding)


def end_of(stage: Schedule, start: Fraction, ruler: Ruler, clock: Clock) -> Fraction:
    """Where a stage that is not open ends when it starts at `start`."""
    kind, fields = kind_and_fields(stage)
    end = written_end(fields, start, ruler, clock)
    if end is not None:
        return end
    if kind == "repeat":
        return start + periods_of(fields, None, ruler, clock).total()
    inner_ruler = replace(ruler, start=start, end=None)
    for inner in stage:
        start = end_of(inner, start, inner_ruler, clock)
    return start


def start_of(stage: Schedule, end: Fraction, ruler: Ruler, clock: Clock) -> Fraction:
    """Where a stage that is not open starts when it ends at `end`."""
    kind, fields = kind_and_fields(stage)
    if "until" in fields:
        raise Refused("until-after-open")
    if "length" in fields:
        return end - distance(fields["length"], end, ruler, clock, direction=-1)
    if kind == "repeat":
        return end - periods_of(fields, None, ruler, clock).total()
    stages = list(stage)
    free = 0 if (last := last_until(stages)) is None else last + 1
    for inner in reversed(stages[free:]):
        end = start_of(inner, end, ruler, clock)
    if free:
        # The position counts from the start of this list, which is where it comes out right (5.6).
        _, fields = kind_and_fields(stages[free - 1])
        end -= distance(fields["until"], end, ruler, clock, direction=-1)
    return end


def last_until(stages: Sequence[Schedule]) -> int | None:
    """The last stage of a list that has `until`."""
    return max(
        (i for i, stage in enumerate(stages) if "until" in kind_and_fields(stage)[1]), default=None
    )


def laid_forward(
    stages: Sequence[Schedule], start: Fraction, ruler: Ruler, clock: Clock
) -> list[Span]:
    """The spans of stages that follow each other from `start`."""
    spans: list[Span] = []
    for stage in stages:
        end = end_of(stage, start, ruler, clock)
        spans.append((start, end))
        start = end
    return spans


def laid_backward(
    stages: Sequence[Schedule], end: Fraction | None, ruler: Ruler, clock: Clock
) -> list[Span]:
    """The spans of stages that follow each other up to `end`."""
    spans: list[Span] = []
    for stage in reversed(stages):
        if end is None:
            raise Refused("length-needed", "a stage after an open one in a span without an end")
        start = start_of(stage, end, ruler, clock)
        spans.insert(0, (start, end))
        end = start
    return spans


def spans_of(node: Node) -> list[Span]:
    """The span of every stage of a list."""
    place, clock, stages = node.place, node.clock, list(node.schedule)
    ruler = replace(place.ruler, start=place.start, end=place.end)
    opened = [index for index, stage in enumerate(stages) if is_open(stage)]
    if len(opened) > 1:
        raise Refused("two-open-stages")
    if not opened and place.backward:
        free = 0 if (last := last_until(stages)) is None else last + 1
        ahead = laid_forward(stages[:free], place.start, ruler, clock)
        return [*ahead, *laid_backward(stages[free:], place.end, ruler, clock)]
    if not opened:
        spans = laid_forward(stages, place.start, ruler, clock)
        if place.bounded and place.end is not None and _end(spans, place) > place.end:
            raise Refused("does-not-fit")
        return spans

    before, after = stages[: opened[0]], stages[opened[0] + 1 :]
    ahead = laid_forward(before, place.start, ruler, clock)
    behind = laid_backward(after, place.end, ruler, clock)
    start = _end(ahead, place)
    end = behind[0][0] if behind else place.end
    if end is not None and end < start and (behind or place.bounded):
        raise Refused("nothing-left")
    if end is not None and end <= start and not behind and not place.bounded:
        end = None  # an open last stage for which nothing is left has no end (5.8)
    return [*ahead, (start, end), *behind]


def _end(spans: list[Span], place: Place) -> Fraction:
    """Where spans that were laid from the start of a place end."""
    end = spans[-1][1] if spans else place.start
    assert end is not None
    return end


@cache
def stages_of(node: Node) -> list[Node]:
    """The stages of a list, each on its span and after the one before it."""
    place, stages, spans = node.place, list(node.schedule), spans_of(node)
    ruler = replace(place.ruler, start=place.start, end=place.end)
    opened = [index for index, stage in enumerate(stages) if is_open(stage)]
    laid: list[Node] = []
    for index, (stage, (start, end)) in enumerate(zip(stages, spans, strict=True)):
        takes_the_end = index in opened and index + 1 == len(stages)
        stands = Place(
            start=start,
            end=end,
            bounded=place.bounded if takes_the_end else True,
            ruler=ruler,
            before=laid[-1] if laid else place.before,
            passed=start - place.start,
            backward=place.backward or bool(opened and index > opened[0]),
        )
        laid.append(checked(Node(stage, stands, node.clock)))
    return laid
