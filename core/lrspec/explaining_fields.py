"""Explains mappings with fields: those that are missing, unknown, in conflict or badly named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lrspec.explaining_values import Values
from lrspec.form import Fault
from lrspec.hints import did_you_mean, field_for, run_length_hint
from lrspec.problems import Path, Problem
from lrspec.schema_words import Schema, holds_schedule, holds_schedules, sentence
from lrspec.shorten import listed, quoted, short
from lrspec.source import Json

# More names than this say less than none.
_FEW = 4


class Fields(Values):
    """The problems of the fields of a mapping."""

    def fields(self, path: Path, value: dict[str, Json], faults: list[Fault]) -> Iterator[Problem]:
        """The problems of a mapping with fields, from what was found at its path."""
        # Fields that are missing only because something else stands for them.
        solved: set[str] = set()
        for fault in faults:
            if fault.keyword == "additionalProperties":
                known = fault.schema["properties"]
                for name in value:
                    if name not in known and not _extension(name, fault.schema):
                        yield self.unknown(path, name, value, fault.schema, solved)
            elif "propertyNames" in fault.schema_path:
                yield self.bad_name(path, fault.instance, fault.schema)
            elif fault.keyword == "minProperties":
                yield self.problem(
                    "missing-field",
                    path,
                    "expected at least one name, found none",
                    key=True,
                    expected="at least one name",
                    found="none",
                    hint=sentence(fault.schema),
                )
        if any(fault.keyword is None for fault in faults):
            yield from self.conflicts(path, value, self.form.at(self.part, path))
        # A validator tells of each missing field; once is enough to find them all.
        required = {fault.schema_path: fault for fault in faults if fault.keyword == "required"}
        for place, fault in required.items():
            if place[-2:] == ("then", "required"):
                without = self.form.resolve(self.part, place[:-2])["if"]["not"]["required"]
                either = [*fault.argument, *without]
                if not solved.intersection(either):
                    yield self.missing(path, listed(map(quoted, either), "or"), either[0], None)
                continue
            for name in fault.argument:
                if name not in value and name not in solved:
                    const = fault.schema["properties"][name].get("const")
                    hint = None if const is None else f"write {name}: {const}"
                    yield self.missing(path, quoted(name), name, hint)

    def missing(self, path: Path, names: str, name: str, hint: str | None) -> Problem:
        """A field that is left out; `names` is how the message calls it."""
        return self.problem(
            "missing-field",
            path,
            f"missing field {names}",
            key=True,
            expected=name,
            hint=hint,
        )

    def unknown(
        self,
        path: Path,
        name: str,
        value: dict[str, Json],
        schema: Schema,
        solved: set[str],
    ) -> Problem:
        """An unknown field; `solved` takes the fields that are missing because of it."""
        hint = self.unknown_hint(path, name, value, schema, solved)
        return self.problem(
            "unknown-field",
            path,
            f"unknown field {quoted(name)}",
            at=(*path, name),
            key=True,
            found=short(name),
            hint=hint,
        )

    def unknown_hint(
        self,
        path: Path,
        name: str,
        value: dict[str, Json],
        schema: Schema,
        solved: set[str],
    ) -> str:
        """Where the field belongs, what it stands for, or which fields there are."""
        known = schema["properties"]
        free = [field for field in known if field not in value]
        if name in self.form.kinds:
            for field in free:
                if holds_schedule(known[field]) or holds_schedules(known[field]):
                    solved.add(field)
                    return f"it is a kind: write it under '{field}'"
            solved.update(schema.get("required", []))
            return "it is a kind, not a field"
        kind = str(path[0]) if self.part is not None and len(path) == 1 else None
        owners = [owner for owner in self.form.owners(name) if owner != kind]
        if owners and kind is not None:
            if len(owners) > _FEW:
                return f"it belongs to other kinds, such as {owners[0]}"
            return f"it belongs to {listed(owners)}"
        if kind is not None and name in self.form.root["properties"]:
            return "it stands at the top of the document"
        for field, inner in known.items():
            if name in inner.get("properties", {}) and not path:
                return f"it stands under '{field}'"
        if path == ("training",) and "steps" in free:
            length = run_length_hint(name, value[name], known["steps"]["pattern"])
            if length is not None:
                return length
        meant = field_for(name, free)
        if meant is not None:
            solved.add(meant)
            return f"did you mean '{meant}'?"
        return f"the fields are {listed(known)}"

    def conflicts(self, path: Path, value: dict[str, Json], schema: Schema) -> Iterator[Problem]:
        """Every pair of fields that exclude each other; the later one is at fault."""
        order = list(value)
        for field, condition in schema["dependencies"].items():
            for other, allowed in condition.get("properties", {}).items():
                if allowed is False and field in value and other in value:
                    pair = sorted((field, other), key=order.index)
                    yield self.problem(
                        "conflicting-fields",
                        path,
                        f"{quoted(pair[0])} and {quoted(pair[1])} are both given",
                        at=(*path, pair[1]),
                        key=True,
                        expected="one of them",
                        found="both",
                        hint="give one of them",
                    )

    def bad_name(self, path: Path, name: str, names: Schema) -> Problem:
        """A name of a hyperparameter that has not the form of one."""
        plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        fits = re.search(names["pattern"], plain) is not None
        return self.problem(
            "bad-name",
            path,
            f"{quoted(name)} is not a name",
            at=(*path, name),
            key=True,
            found=short(name),
            hint=did_you_mean(short(plain)) if fits else sentence(names),
        )


def _extension(name: str, schema: Schema) -> bool:
    return any(re.search(pattern, name) for pattern in schema.get("patternProperties", {}))
