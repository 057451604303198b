"""Explains single values: what a part of a document is, and what a value in it should be."""

from __future__ import annotations

import re
from typing import Any

from lrspec.form import Fault, Form
from lrspec.hints import (
    WITHOUT_UNIT,
    boolean_hint,
    did_you_mean,
    interpolation_hint,
    nearest,
    number_hint,
    position_hint,
)
from lrspec.problems import Path, Problem
from lrspec.scalars import names_no_finite_number
from lrspec.schema_words import (
    Schema,
    expected,
    holds_schedule,
    holds_schedules,
    is_position,
    number_field,
    sentence,
    takes_number,
    types,
    word,
)
from lrspec.shorten import quoted, short, shown
from lrspec.source import Json, Source

_UNITS = "units are %, steps, epochs, samples and tokens, as in 45% and 2.5M samples"
A_BATCH_SCHEDULE = "a batch schedule is a list: [{start: 0, value: …}, …]"
_BOUNDS = {
    "minimum": "of at least",
    "exclusiveMinimum": "above",
    "maximum": "of at most",
    "exclusiveMaximum": "below",
}


class Values:
    """One part of a document, and the problems of the values in it; paths are relative to it."""

    def __init__(
        self, source: Source, form: Form, part: str | None, path: Path, instance: Json
    ) -> None:
        self.source = source
        self.form = form
        self.part = part
        self.path = path
        self.instance = instance
        # What a problem of the kind already explains.
        self.settled: set[Path] = set()

    def value(self, path: Path) -> Json:
        """What stands at a path within the part."""
        value: Any = self.instance
        for step in path:
            value = value[step]
        return value  # type: ignore[no-any-return]

    def schema_of(self, fault: Fault) -> Schema:
        """The schema that a value does not meet, with what else is said of that place."""
        return {**self.form.at(self.part, fault.path), **fault.schema}

    def problem(self, code: str, path: Path, message: str, **more: Any) -> Problem:
        """A problem of what stands at a path within the part."""
        if "at" in more:
            more["at"] = (*self.path, *more["at"])
        return self.source.problem(code, (*self.path, *path), message, **more)

    def type(self, path: Path, value: Json, schema: Schema, fault: Fault) -> Problem:
        """A value of another type than the field takes."""
        named = fault.argument
        among = [named] if isinstance(named, str) else list(named)
        takes = expected(schema, among)
        code, message = "wrong-type", f"expected {takes}, found {shown(value)}"
        hint = None
        if self.part is not None and len(path) == 1:
            hint = self.body_hint(str(path[0]), value, schema)
        elif is_position(schema) and isinstance(value, float):
            code, message = (
                "bad-position",
                f"a bare number is a whole number of steps, not {shown(value)}",
            )
            hint = position_hint(value, schema["pattern"])
        elif takes_number(schema) and isinstance(value, str):
            if names_no_finite_number(value):
                return self.not_finite(path, value, takes)
            hint = self.number_hint(value)
            if hint == WITHOUT_UNIT and types(schema) == ["integer"]:
                # What kind of number it is says more: the start of a batch size counts steps.
                hint = f"{quoted(str(path[-1]))} is {sentence(schema)}"
        else:
            hint = self.type_hint(path, value, schema, fault)
        hint = self.interpolation_hint(path, value) or hint
        return self.problem(code, path, message, expected=takes, found=shown(value), hint=hint)

    def interpolation_hint(self, path: Path, value: Json) -> str | None:
        """What to do about text that another program would have resolved."""
        match (*self.path, *path):
            case ("base", *_):
                return interpolation_hint(value, "--base")
            case ("training", str(fact), *_):
                return interpolation_hint(value, f"--{fact.replace('_', '-')}")
            case _:
                return interpolation_hint(value)

    def number_hint(self, text: str) -> str | None:
        """What to write for text where a number is expected; data have no quotes."""
        hint = number_hint(text)
        if hint == "remove the quotes" and not self.source.marks:
            return "it is text, as PyYAML reads 1e-5: convert it, or let lrspec.load read the file"
        return hint

    def body_hint(self, kind: str, value: Json, schema: Schema) -> str:
        """What to write for something other than a mapping of fields below a kind."""
        required = schema.get("required", [])
        field = number_field(schema)
        if isinstance(value, list) and len(required) == 1:
            inner = schema["properties"][required[0]]
            if holds_schedules(inner) or holds_schedule(inner) or types(inner) == ["array"]:
                return f"write {kind}: {{{required[0]}: […]}}"
        elif is_number(value) and field is not None:
            return f"write {kind}: {{{field}: {shown(value)}}}"
        return f"write {self.form.example(kind)}"

    def type_hint(self, path: Path, value: Json, schema: Schema, fault: Fault) -> str | None:
        """What to write for a value of another type, or nothing that helps."""
        takes = types(schema)
        if takes == ["boolean"]:
            return boolean_hint(value)
        if takes == ["integer", "array"] and isinstance(value, dict):
            return A_BATCH_SCHEDULE
        if takes == ["string"]:
            return "put it in quotes" if is_number(value) or isinstance(value, bool) else None
        field = number_field(schema)
        if takes == ["object"] and path and isinstance(path[-1], int):
            return f"write {{{', '.join(f'{name}: …' for name in schema.get('required', []))}}}"
        if takes == ["object"] and is_number(value) and field is not None and path:
            return f"write {path[-1]}: {{{field}: {shown(value)}}}"
        if takes == ["object"] and not path:
            return f"a document starts with lrspec: {self.form.version}"
        if takes == ["array"] and isinstance(value, int | float | str):
            return f"write a list: [{short(str(value))}]"
        if set(takes) <= {"array", "object"} or "dependencies" in fault.schema_path:
            return sentence(schema)
        return None

    def item(self, path: Path, value: Json, schema: Schema, fault: Fault) -> Problem:
        """A value of the right type that is not one of those which the field takes."""
        keyword, limit = str(fault.keyword), fault.argument
        if keyword == "minItems" and isinstance(value, list):
            return self.too_few(path, value, limit)
        if keyword in _BOUNDS:
            noun = "a whole number" if types(schema)[:1] == ["integer"] else "a number"
            takes = f"{noun} {_BOUNDS[keyword]} {_bound(limit)}"
            return self.problem(
                "out-of-range",
                path,
                f"expected {takes}, found {shown(value)}",
                expected=takes,
                found=shown(value),
            )
        code, takes, hint = "wrong-value", expected(schema), None
        text = value if isinstance(value, str) else ""
        if text and is_position(schema) and names_no_finite_number(text):
            return self.not_finite(path, text, takes)
        if is_position(schema):
            code, hint = "bad-position", position_hint(text, schema["pattern"])
            if hint is None:
                percent = "%" in text and re.search(schema["pattern"], "1%") is None
                hint = "% cannot stand here" if percent else _UNITS
        elif keyword == "enum":
            hint = did_you_mean(nearest(text, map(str, limit)))
        elif takes_number(schema):
            only = word(schema)
            if names_no_finite_number(text):
                return self.not_finite(path, text, takes)
            else:
                hint = self.number_hint(text)
                code = "wrong-type" if hint else code
                hint = hint or did_you_mean(nearest(text, [only] if only else []))
        return self.problem(
            code,
            path,
            f"expected {takes}, found {shown(value)}",
            expected=takes,
            found=shown(value),
            hint=self.interpolation_hint(path, value) or hint,
        )

    def not_finite(self, path: Path, text: str, takes: str) -> Problem:
        """A text that spells NaN or an infinity where a number is expected."""
        message = f"{quoted(text)} is not a finite number"
        return self.problem("not-finite", path, message, expected=takes, found=short(text))

    def too_few(self, path: Path, value: list[Json], least: int) -> Problem:
        """A list with fewer items than it needs."""
        items = "item" if least == 1 else "items"
        found = "none" if not value else str(len(value))
        return self.problem(
            "too-few-items",
            path,
            f"expected a list of at least {least} {items}, found {found}",
            expected=f"at least {least} {items}",
            found=found,
        )


def is_number(value: Json) -> bool:
    """Whether a value is a number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bound(limit: float) -> str:
    return f"{limit:g}".replace("e+", "e")
