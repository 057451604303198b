"""The schema of the language, prepared for validation, and what it says about kinds and fields."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from lrspec.problems import Path
from lrspec.schema_words import DEFERRED, Schema, placeholder, types
from lrspec.source import Json

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_OF_ONE = ("items", "additionalProperties", "propertyNames", "if", "then", "else", "not")
_OF_MANY = ("properties", "patternProperties", "dependencies")
_OF_LIST = ("allOf", "anyOf", "oneOf")
_PLAIN = {"type", "minimum", "exclusiveMinimum", "maximum", "pattern", "errorMessage", "examples"}
_NOTES = ("$schema", "$id", "definitions", "title", "description", "markdownDescription")


@dataclass(frozen=True, slots=True)
class Fault:
    """What a validator found: which keyword of a schema an instance does not meet, and where.

    `keyword` is None where a schema allows nothing; `path` and `schema_path` start at the part of
    the schema that was asked.
    """

    keyword: str | None
    argument: Any
    path: Path
    schema_path: Path
    instance: Any
    schema: Any


class Form:
    """The schema with its references written out, and one validator for each part of it.

    A reference that leads back into what contains it is deferred: validation yields an error of the
    keyword `deferred` that names the part and holds the instance, and the caller goes on from
    there. So nothing recurses, however deep a document is, and no reference is looked up twice.
    Deferring is sound where the schema only adds conditions (not below `if`, `not`, `anyOf` or
    `oneOf`), which is all that this schema does with such references.
    """

    def __init__(self, schema: Schema) -> None:
        from jsonschema import Draft7Validator, validators

        self._definitions: Schema = schema.get("definitions", {})
        self._written: dict[str, Schema] = {}
        self._recursive: set[str] = set()
        self._find_recursive(schema, ())
        self.root: Schema = self._write_out(schema)
        self.parts: dict[str, Schema] = {
            name: self._write_out(self._definitions[name]) for name in sorted(self._recursive)
        }
        # Its annotations leave out types.
        extend = cast(Any, validators).extend
        kind = extend(Draft7Validator, {DEFERRED: _defer, "items": _items})
        self._validators: dict[str | None, Validator] = {None: kind(self.root)}
        for name, part in self.parts.items():
            self._validators[name] = kind(part)

    def faults(self, part: str | None, instance: Json) -> Iterator[Fault]:
        """What is wrong with an instance of a part of the schema; None is the whole document."""
        for error in self._validators[part].iter_errors(cast(Any, instance)):
            yield Fault(
                cast("str | None", error.validator),
                error.validator_value,
                tuple(error.path),
                tuple(error.schema_path),
                error.instance,
                error.schema,
            )

    def at(self, part: str | None, path: Path) -> Schema:
        """The schema of what stands at a path within an instance of a part."""
        schema = self.root if part is None else self.parts[part]
        for step in path:
            inner: Any = schema.get("items")
            if isinstance(step, str):
                others = schema.get("additionalProperties")
                inner = schema.get("properties", {}).get(step, others)
            schema = _schema(inner)
        return schema

    def resolve(self, part: str | None, schema_path: Path) -> Schema:
        """The schema at a path of keywords within the schema of a part."""
        found: Any = self.root if part is None else self.parts[part]
        for step in schema_path:
            found = found[step]
        return cast(Schema, found)

    @property
    def version(self) -> int:
        """The version of the language that the schema is of."""
        version: int = self.root["properties"]["lrspec"]["const"]
        return version

    @property
    def kinds(self) -> Mapping[str, Schema]:
        """The kinds of a schedule with the schemas of their bodies."""
        kinds: Mapping[str, Schema] = self.parts["schedule"]["properties"]
        return kinds

    def owners(self, field: str) -> list[str]:
        """The kinds that have a field."""
        return [kind for kind, body in self.kinds.items() if field in body["properties"]]

    def example(self, kind: str) -> str:
        """A kind with its required fields: `cosine: {final: …}`."""
        body = self.kinds[kind]
        fields = body.get("required", [])
        if not fields and "null" in types(body):
            return f"{kind}:"
        shown = [f"{name}: {placeholder(body['properties'][name])}" for name in fields]
        return f"{kind}: {{{', '.join(shown) or '…'}}}"

    def _find_recursive(self, node: object, inside: tuple[str, ...]) -> None:
        """Collect the definitions that a reference leads back to."""
        for name in _references(node):
            if name in inside:
                self._recursive.add(name)
            elif name not in self._written:
                self._find_recursive(self._definitions[name], (*inside, name))
                self._written[name] = {}
        if not inside:
            self._written.clear()

    def _write_out(self, schema: Schema) -> Schema:
        """A schema without references and notes."""
        if "$ref" in schema:
            name = _name(schema["$ref"])
            if name in self._recursive:
                return {DEFERRED: name}
            if name not in self._written:
                self._written[name] = self._write_out(self._definitions[name])
            return self._written[name]
        out: dict[str, Any] = {}
        for keyword, value in schema.items():
            if keyword in _OF_MANY:
                out[keyword] = {name: self._one(part) for name, part in value.items()}
            elif keyword in _OF_ONE:
                out[keyword] = self._one(value)
            elif keyword in _OF_LIST:
                out[keyword] = [self._one(part) for part in value]
            elif keyword == "pattern":
                # In Python `$` also matches before a line break at the end.
                out[keyword] = re.sub(r"\$$", r"\\Z", value)
            elif keyword not in _NOTES:
                out[keyword] = value
        return out

    def _one(self, value: Any) -> Any:
        return self._write_out(cast(Schema, value)) if isinstance(value, Mapping) else value


@cache
def form() -> Form:
    """The form of a document of this version of the language."""
    import lrspec_spec

    return Form(lrspec_spec.schema())


def _defer(
    validator: object, name: str, instance: object, schema: object
) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    yield ValidationError(name)


def _items(
    validator: Any, items: Schema, instance: object, schema: object
) -> Iterator[ValidationError]:
    """The keyword `items`, which passes over plain values that are as they should be.

    A list of boundaries or values can be long; calling a validator for each would take most of the
    time there is.
    """
    if isinstance(instance, list):
        fits = _plain_check(items)
        for index, item in enumerate(cast("list[object]", instance)):
            if not fits(item):
                yield from validator.descend(item, items, path=index)


def _plain_check(schema: Schema) -> Callable[[object], bool]:
    """Whether a number or text meets a schema; False also where only the validator can tell."""
    if not _PLAIN.issuperset(schema):
        return lambda value: False
    named = types(schema)
    any_number, whole, text = ("number" in named, "integer" in named, "string" in named)
    least = schema.get("minimum", -math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    most = schema.get("maximum", math.inf)
    matches = re.compile(schema.get("pattern", "")).search

    def fits(value: object) -> bool:
        if type(value) is str:
            return text and matches(value) is not None
        if type(value) is float:
            right = any_number or (whole and value.is_integer())
        elif type(value) is int:
            right = any_number or whole
        else:
            return False
        return right and least <= value <= most and above < value

    return fits


def _name(reference: str) -> str:
    return reference.removeprefix("#/definitions/")


def _schema(value: object) -> Schema:
    """What stands where a schema may: one, or true or false, which say nothing of what is in it."""
    return cast(Schema, value) if isinstance(value, Mapping) else {}


def _references(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in cast(Schema, node).items():
            if key == "$ref":
                yield _name(value)
            elif key != "definitions":
                yield from _references(value)
    elif isinstance(node, list):
        for value in cast("list[object]", node):
            yield from _references(value)
