"""A node: a schedule on its span, with what it sees from there (clauses 5.1, 5.7, 5.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

from generator.clock import Clock
from generator.decimals import rounded
from generator.periods import Periods, periods_of
from generator.quantities import Ruler, distance, duration, position, positive_duration
from generator.refusal import Refused
from generator.values import Value

Schedule: TypeAlias = Mapping[str, Any] | Sequence[Any]
"""A schedule as it stands in a document: one kind with its fields, or a list of stages."""

NEEDS_LENGTH = ("linear", "cosine", "polynomial", "geometric", "inverse")


def kind_and_fields(schedule: Schedule) -> tuple[str, Mapping[str, Any]]:
    """The kind of a schedule and its fields; a list is of the kind "list" and has none."""
    if not isinstance(schedule, Mapping):
        return "list", {}
    ((kind, fields),) = schedule.items()
    return kind, fields or {}


@dataclass(frozen=True)
class Place:
    """Where a node stands, and what it sees from there."""

    start: Fraction
    end: Fraction | None
    bounded: bool
    ruler: Ruler
    before: Node | Value | None  # whose closing value is inherited (6.3); None in a `sum`
    passed: Fraction  # from the start of the innermost list to its stage here (7.18)
    backward: bool = False  # laid from its end, after an open stage (5.6)


@dataclass(frozen=True, eq=False)
class Node:
    """A schedule on its span [start, end); what lies inside is laid out when it is asked for."""

    schedule: Schedule
    place: Place
    clock: Clock

    @property
    def kind(self) -> str:
        """One of the kinds, or "list"."""
        return kind_and_fields(self.schedule)[0]

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the kind."""
        return kind_and_fields(self.schedule)[1]

    @property
    def has_written_length(self) -> bool:
        """Whether it has `length` or `until`."""
        return "length" in self.fields or "until" in self.fields

    @cached_property
    def s(self) -> Fraction:
        """The start as a float64 (3.9)."""
        return rounded(self.place.start)

    @cached_property
    def t(self) -> Fraction | None:
        """The end as a float64 (3.9), or None."""
        return None if self.place.end is None else rounded(self.place.end)

    @property
    def is_empty(self) -> bool:
        """Whether the span holds nothing."""
        return self.s == self.t

    # The fields that are positions and durations.

    def exact_duration(self, field: str) -> Fraction:
        """A duration above 0, exact."""
        return positive_duration(self.fields[field], self.place.ruler, self.clock)

    def duration(self, field: str) -> Fraction:
        """A duration above 0, as a float64 (3.9)."""
        return rounded(self.exact_duration(field))

    def boundaries(self) -> list[Fraction]:
        """The boundaries as float64 (3.9)."""
        exact = [position(b, self.place.ruler, self.clock) for b in self.fields["boundaries"]]
        found = [rounded(boundary) for boundary in exact]
        if any(later <= earlier for earlier, later in pairwise(found)):
            raise Refused("boundaries-order")
        return found

    def periods(self) -> Periods:
        """The periods of a `repeat`."""
        end, start = self.place.end, self.place.start
        span = None if end is None else end - start
        return periods_of(self.fields, span, self.place.ruler, self.clock)

    # What stands inside.

    def inside(self, schedule: Schedule, **changes: Any) -> Node:
        """A schedule on this node's span, but for `changes` to its place (5.11)."""
        return stand(schedule, replace(self.place, backward=False, **changes), self.clock)

    def child(self) -> Node:
        """The schedule of a wrapper."""
        start = self.place.start
        if self.kind == "advance" and "by" in self.fields:
            start -= duration(self.fields["by"], self.place.ruler, self.clock)
        elif self.kind == "advance":
            start -= self.place.passed
        return self.inside(self.fields["schedule"], start=start)

    def children(self) -> list[Node]:
        """The schedules of a combinator."""
        before = Value.of(1) if self.kind == "product" else None
        return [self.inside(child, before=before) for child in self.fields["of"]]

    def period(self, index: int) -> Node:
        """The schedule of a `repeat` on one of its periods (7.14)."""
        length = self.periods().length(index)
        ruler = Ruler(Fraction(0), length, in_repeat=True)
        return self.inside(
            self.fields["schedule"],
            start=Fraction(0),
            end=length,
            bounded=True,
            ruler=ruler,
            passed=Fraction(0),
        )


def written_end(
    fields: Mapping[str, Any], start: Fraction, ruler: Ruler, clock: Clock
) -> Fraction | None:
    """The end that `length` or `until` gives to a node that starts at `start` (5.1)."""
    if "length" in fields:
        return start + distance(fields["length"], start, ruler, clock)
    if "until" in fields:
        end = position(fields["until"], ruler, clock)
        if end < start:
            raise Refused("until-before-start")
        return end
    return None


def stand(schedule: Schedule, place: Place, clock: Clock) -> Node:
    """A schedule on a span, unless its own `length` or `until` gives it another end (5.1)."""
    end = written_end(kind_and_fields(schedule)[1], place.start, place.ruler, clock)
    if end is not None:
        place = replace(place, end=end, bounded=True)
    return checked(Node(schedule, place, clock))


def checked(node: Node) -> Node:
    """The node, unless it needs a length and has none (5.10)."""
    count_alone = node.kind == "repeat" and "period" not in node.fields
    if (node.kind in NEEDS_LENGTH or count_alone) and node.place.end is None:
        raise Refused("length-needed", node.kind)
    return node
