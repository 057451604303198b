"""A judge of documents: two validators, in two languages, that read the schema and must agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jsonschema
import jsonschema_rs
import pytest

import lrspec_spec


class Fault(NamedTuple):
    """Where a document is wrong (a JSON pointer) and the keyword of the schema that says so."""

    pointer: str
    keyword: str


Judge = Callable[[object], list[Fault]]


def _fault(path: list[str | int], keyword: str) -> Fault:
    return Fault("".join(f"/{part}" for part in path), keyword)


def _by_jsonschema(validator: jsonschema.Draft7Validator, document: Any) -> list[Fault]:
    """Return what jsonschema finds; it points at the mapping that holds a forbidden field."""
    return [
        _fault(
            list(error.absolute_path),
            "false" if error.validator is None else str(error.absolute_schema_path[-1]),
        )
        for error in validator.iter_errors(document)
    ]


def _by_jsonschema_rs(validator: jsonschema_rs.Draft7Validator, document: Any) -> list[Fault]:
    """Return what jsonschema-rs finds; it points at a forbidden field itself."""
    return [
        _fault(error.instance_path[:-1], "false")
        if error.kind.name == "falseSchema"
        else _fault(error.instance_path, str(error.schema_path[-1]))
        for error in validator.iter_errors(document)
    ]


@pytest.fixture(scope="session")
def judge() -> Judge:
    """Return a function from a document to its faults, the same ones for both validators."""
    schema = lrspec_spec.schema()
    python = jsonschema.Draft7Validator(schema)
    rust = jsonschema_rs.Draft7Validator(schema)

    def faults(document: Any) -> list[Fault]:
        found = sorted(_by_jsonschema(python, document))
        assert sorted(_by_jsonschema_rs(rust, document)) == found
        return found

    return faults
