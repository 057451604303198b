"""A document bound to the facts of a run: its values step by step (clauses 1.8, 4.4, 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.evaluate import value
from generator.facts import Run, settle
from generator.nodes import Node, Place, Schedule, kind_and_fields, stand
from generator.quantities import Ruler
from generator.refusal import Refused
from generator.values import Value, saturated


@dataclass(frozen=True)
class Curve:
    """The schedule of one name, on the span of the run."""

    root: Node
    run: Run

    def at(self, step: int) -> Value:
        """The value at a step, the base multiplied last."""
        found = value(self.root, self.run.clock.point(step), self.run)
        if self.run.base is None or self.run.absolute:
            return found
        return saturated(found.times(Value.of(self.run.base)))


def bind(document: Mapping[str, Any], facts: Mapping[str, Any], name: str = "lr") -> Curve:
    """The curve of one of a document's names."""
    scheduled: Mapping[str, Schedule] = document.get("schedules") or {"lr": document["schedule"]}
    if name not in scheduled:
        raise Refused("not-scheduled", name)
    run = settle(document, facts, name)
    schedule = scheduled[name]
    if run.absolute and not first_is_written(schedule):
        raise Refused("initial-required")
    start = Fraction(0)
    end = None if run.steps is None else run.clock.edge(Fraction(run.steps))
    place = Place(
        start=start,
        end=end,
        bounded=False,
        ruler=Ruler(start, end),
        before=Value.of(1),
        passed=Fraction(0),
    )
    return Curve(stand(schedule, place, run.clock), run)


def first_is_written(schedule: Schedule) -> bool:
    """Whether the first value of a curve stands in the document (6.4)."""
    kind, fields = kind_and_fields(schedule)
    if kind == "list":
        return first_is_written(next(iter(schedule)))
    if kind == "product":
        return any(first_is_written(child) for child in fields["of"])
    if kind == "sum":
        return all(first_is_written(child) for child in fields["of"])
    if "schedule" in fields:
        return first_is_written(fields["schedule"])
    return bool({"initial", "value", "values"} & fields.keys())
