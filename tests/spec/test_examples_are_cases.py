"""Every example in the prose is a case: the documents of the README and of `examples/`, and the
examples that the schema shows in editors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.readme import documents
from tests.docs.pages import ROOT

from lrspec.loading import load, loads
from lrspec.problems import SpecError

DATA = ROOT / "spec" / "lrspec_spec" / "v1"
SCHEMA: Mapping[str, Any] = json.loads((DATA / "schedule.schema.json").read_text("utf-8"))
PARTS: Mapping[str, Any] = SCHEMA["definitions"]
KINDS: tuple[str, ...] = tuple(PARTS["kind"]["enum"])
GOLDEN = [
    json.loads(path.read_text("utf-8"))["document"]
    for path in sorted((DATA / "conformance" / "golden").rglob("*.json"))
]
# It changes no value, and the cases are named otherwise.
TITLES = ("$schema", "name", "description")


def untitled(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in document.items()
        if key not in TITLES and not key.startswith("x-")
    }


def is_a_case(document: Mapping[str, Any]) -> bool:
    return any(untitled(golden) == untitled(document) for golden in GOLDEN)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda p: p.stem)
def test_every_document_of_the_examples_is_a_case(path: Path) -> None:
    assert is_a_case(load(path).to_dict())


@pytest.mark.parametrize("block", documents(), ids=lambda block: block.file)
def test_every_document_of_the_readme_is_a_case(block: Any) -> None:
    if block.file == "broken.lrspec.yaml":
        # A case is refused for one fault; this shows that all faults are reported together.
        with pytest.raises(SpecError) as refused:
            loads(block.text)
        assert len(refused.value.problems) > 1
    else:
        assert is_a_case(loads(block.text).to_dict())


def shown() -> Iterator[tuple[str, str, frozenset[str], Any]]:
    """Where an example stands, the field that it is of, the kinds that have the field, itself."""
    owners = {"training": PARTS["training"]["properties"], "": SCHEMA["properties"]}
    owners |= {kind: PARTS[kind]["properties"] for kind in KINDS if kind in PARTS}
    for owner, fields in owners.items():
        for field, body in fields.items():
            for part in (body, body.get("items", {})):
                for example in part.get("examples", ()):
                    yield owner, field, frozenset({owner}), example
    for name, part in PARTS.items():
        having = {
            (kind, field)
            for kind in KINDS
            for field, body in owners.get(kind, {}).items()
            if f"#/definitions/{name}" in (body.get("$ref"), body.get("items", {}).get("$ref"))
        }
        for example in part.get("examples", ()) if having else ():
            fields_of = sorted({field for _, field in having})
            yield name, "|".join(fields_of), frozenset(kind for kind, _ in having), example
    for field, body in PARTS["training"]["properties"]["batch_size"]["then"]["items"][
        "properties"
    ].items():
        for example in body["examples"]:
            yield "batch_size", field, frozenset({"batch_size"}), example


def written(data: Any, owner: str = "") -> Iterator[tuple[str, str, str]]:
    """The owner, the field and the value, as JSON, of everything plain in a document."""
    if isinstance(data, list):
        for item in data:
            yield from written(item, owner)
    elif isinstance(data, dict):
        for field, value in data.items():
            for plain in value if isinstance(value, list) else [value]:
                if not isinstance(plain, (dict, list)):
                    yield owner, field, json.dumps(plain)
            yield from written(value, field)


WRITTEN = frozenset(found for document in GOLDEN for found in written(document))


@pytest.mark.parametrize(
    ("place", "field", "owners", "example"),
    [pytest.param(*found, id=f"{found[0]}-{found[1]}-{found[3]}") for found in shown()],
)
def test_every_example_of_the_schema_stands_in_a_case(
    place: str, field: str, owners: frozenset[str], example: Any
) -> None:
    text = json.dumps(example)
    places = {(owner, one, text) for owner in owners for one in field.split("|")}
    assert places & WRITTEN, f"no golden case has {text} as {field} of {place}"


def test_no_example_of_the_schema_is_overlooked() -> None:
    # Those of `base` stand twice: at the root, and for the names of `schedules`.
    twice = len(PARTS["base"]["examples"])
    assert sum(1 for _ in shown()) == sum(map(len, _examples(SCHEMA))) - twice


def _examples(node: Any) -> Iterator[list[Any]]:
    """Every list of examples."""
    if isinstance(node, dict):
        if isinstance(node.get("examples"), list):
            yield node["examples"]
        for value in node.values():
            yield from _examples(value)
    elif isinstance(node, list):
        for value in node:
            yield from _examples(value)
