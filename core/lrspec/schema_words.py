"""What a schema says of one value: its types, what may stand there, and how to say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from lrspec.shorten import listed

Schema: TypeAlias = Mapping[str, Any]

# The keyword that stands where the schema comes back to a definition that it is inside of.
DEFERRED = "deferred"


def types(schema: Schema) -> list[str]:
    """The JSON types that a schema names."""
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else list(named)


def is_position(schema: Schema) -> bool:
    """Whether text with a unit may stand here."""
    return re.search(schema.get("pattern", "$^"), "1 step") is not None


def holds_schedule(schema: Schema) -> bool:
    """Whether a schedule stands here."""
    return DEFERRED in schema


def holds_schedules(schema: Schema) -> bool:
    """Whether a list of schedules stands here, which is not itself one."""
    items = schema.get("items", {})
    inner = [items, *items.get("allOf", [])]
    return types(schema) == ["array"] and any(DEFERRED in part for part in inner)


def number_field(schema: Schema) -> str | None:
    """The field of an object that a lone number most likely means: a required one, or the first."""
    fields = schema.get("properties", {})
    numbers = [
        name
        for name, field in fields.items()
        if {"number", "integer"} & set(types(field))
        and not re.search(field.get("pattern", "$^"), "1%")
    ]
    required = [name for name in numbers if name in schema.get("required", [])]
    return next(iter(required + numbers), None)


def word(schema: Schema) -> str | None:
    """The one word that a pattern stands for, such as `absolute`."""
    found = re.fullmatch(r"\^(\w+)\\Z", schema.get("pattern", ""))
    return found[1] if found else None


_TYPE_WORDS = {
    "number": "a number",
    "integer": "a whole number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def expected(schema: Schema, among: Iterable[str] | None = None) -> str:
    """What a schema takes, in words; of its types only those `among`."""
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return listed((f"'{value}'" for value in schema["enum"]), "or")
    if is_position(schema):
        return "a whole number of steps or text with a unit"
    among = types(schema) if among is None else [name for name in types(schema) if name in among]
    words = [
        f"'{word(schema)}'" if name == "string" and word(schema) else _TYPE_WORDS[name]
        for name in among
    ]
    return listed(words, "or") or "something else"


def placeholder(schema: Schema) -> str:
    """What stands for a value in an example."""
    return "[…]" if types(schema) == ["array"] else "…"


def takes_number(schema: Schema) -> bool:
    """Whether a number may stand here."""
    return not {"number", "integer"}.isdisjoint(types(schema))


def sentence(schema: Schema) -> str | None:
    """What the schema itself says of its values, as the end of a line."""
    text: str | None = schema.get("errorMessage")
    if text is None:
        return None
    return (text[0].lower() + text[1:]).removesuffix(".")
