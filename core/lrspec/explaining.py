"""Turns what a validator finds in one part of a document into problems that say what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lrspec.explaining_fields import Fields
from lrspec.explaining_schedules import Schedules
from lrspec.form import Fault, Form
from lrspec.problems import Path, Problem
from lrspec.source import Json, Source


def explain(
    source: Source,
    form: Form,
    part: str | None,
    path: Path,
    instance: Json,
    faults: Sequence[Fault],
) -> Iterator[Problem]:
    """The problems behind the faults of one part, which stands at `path` in the document.

    Faults only tell where to look. What is said is worked out from the instance and its schema, so
    that one fault gives one problem, whatever a validator makes of it.
    """
    return _Explainer(source, form, part, path, instance).explain(faults)


class _Explainer(Schedules, Fields):
    """Sorts what was found by place, and asks for the problems of each."""

    def explain(self, faults: Sequence[Fault]) -> Iterator[Problem]:
        groups: dict[Path, list[Fault]] = {}
        conflicted: set[Path] = set()
        for fault in faults:
            path = fault.path
            if fault.keyword is None:
                # A field that another one excludes; the path is that of the mapping with both.
                conflicted.add(path)
            groups.setdefault(path, []).append(fault)
        if self.part is not None and groups.pop((), []):
            yield from self.schedule(self.instance)
        for path, found in groups.items():
            if path[:1] in self.settled:
                continue
            value = self.value(path)
            if path[:-1] in conflicted and path:
                found = [fault for fault in found if "dependencies" not in fault.schema_path]
            wrong = next((fault for fault in found if fault.keyword == "type"), None)
            if wrong is not None:
                yield self.type(path, value, self.schema_of(wrong), wrong)
            elif isinstance(value, dict) and not any(fault.keyword == "enum" for fault in found):
                yield from self.fields(path, value, found)
            elif found:
                yield self.item(path, value, self.schema_of(found[0]), found[0])
