"""The schema itself: its draft, its closed bodies, and the texts that editors show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
import yaml

import lrspec_spec

Schema = dict[str, Any]
Judge = Callable[[object], list[tuple[str, str]]]

SCHEMA: Schema = lrspec_spec.schema()
DEFINITIONS: dict[str, Schema] = SCHEMA["definitions"]
KINDS: tuple[str, ...] = tuple(DEFINITIONS["kind"]["enum"])

# The fields of each kind in their order; `length` and `until` follow in every kind.
FIELDS = {
    "constant": "value?",
    "linear": "initial? final after?",
    "cosine": "initial? final exponent? after?",
    "polynomial": "initial? final power origin? after?",
    "geometric": "initial? final asymptote? after?",
    "inverse": "initial? final asymptote?",
    "exponential": "initial? rate every staircase?",
    "inverse_sqrt": "initial? timescale",
    "power_law": "initial? timescale exponent",
    "token_power": "initial? amplitude exponent count_from?",
    "piecewise_linear": "boundaries values",
    "piecewise_constant": "boundaries values",
    "repeat": "schedule period? count? stretch? shrink? toward?",
    "product": "of",
    "sum": "of",
    "clamp": "schedule minimum? maximum?",
    "quantize": "schedule every",
    "advance": "schedule by?",
}

ROOT = [
    "lrspec",
    "$schema",
    "name",
    "description",
    "base",
    "axis",
    "sample",
    "rounding",
    "training",
    "schedule",
    "schedules",
]

FACTS = ["steps", "batch_size", "sequence_length", "steps_per_epoch"]


class Yaml12(yaml.SafeLoader):
    """PyYAML that reads `3e-4` as a number, as YAML 1.2 does."""


Yaml12.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?[0-9]+(\.[0-9]+)?[eE][-+]?[0-9]+"),
    list("+-0123456789"),
)


def resolve(node: Schema) -> Schema:
    """Follow a `$ref`; what stands beside it wins, as in editors."""
    if "$ref" not in node:
        return node
    target = resolve(DEFINITIONS[node["$ref"].removeprefix("#/definitions/")])
    return {**target, **{key: value for key, value in node.items() if key != "$ref"}}


def walk(node: object, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Yield every mapping below `node`, with a JSON pointer."""
    if isinstance(node, dict):
        yield path, node
        for key, value in node.items():
            yield from walk(value, f"{path}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from walk(value, f"{path}/{index}")


def fields() -> Iterator[tuple[str, Schema, bool]]:
    """Yield every field that a document can hold: its path, its schema, whether it must stand."""
    for key, node in SCHEMA["properties"].items():
        yield f"/{key}", resolve(node), key in SCHEMA["required"]
    training = DEFINITIONS["training"]
    for key, node in training["properties"].items():
        yield f"/training/{key}", resolve(node), False
    line = training["properties"]["batch_size"]["then"]["items"]
    for key, node in line["properties"].items():
        yield f"/training/batch_size/{key}", resolve(node), key in line["required"]
    names = (("schedules", SCHEMA["properties"]["schedules"]), ("base", DEFINITIONS["bases"]))
    for place, mapping in names:
        for key, node in {**mapping["properties"], "*": mapping["additionalProperties"]}.items():
            yield f"/{place}/{key}", resolve(node), False
    for kind in KINDS:
        for key, node in DEFINITIONS[kind]["properties"].items():
            yield f"/{kind}/{key}", resolve(node), key in DEFINITIONS[kind].get("required", ())


ALL_FIELDS = {path: (node, required) for path, node, required in fields()}


def is_scalar(node: Schema) -> bool:
    """Whether an editor could insert an example of it: a number, a text or a position."""
    types = node.get("type", ())
    names = {types} if isinstance(types, str) else set(types)
    return bool(names & {"number", "integer", "string"})


def test_draft_07() -> None:
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_only_keywords_that_give_one_message() -> None:
    found = {key for _, node in walk(SCHEMA) for key in node}
    assert not found & {"oneOf", "anyOf", "default", "defaultSnippets", "unevaluatedProperties"}


def test_every_reference_is_met_and_every_definition_used() -> None:
    names = {
        node["$ref"].removeprefix("#/definitions/")
        for _, node in walk(SCHEMA)
        if isinstance(node.get("$ref"), str)
    }
    assert names == set(DEFINITIONS)


def test_constraints_never_stand_beside_a_reference() -> None:
    texts = {"$ref", "title", "description", "markdownDescription"}
    assert not [path for path, node in walk(SCHEMA) if "$ref" in node and set(node) - texts]


def test_root_keys() -> None:
    assert list(SCHEMA["properties"]) == ROOT
    assert list(SCHEMA["patternProperties"]) == ["^x-"]
    assert list(DEFINITIONS["training"]["properties"]) == FACTS


def test_kinds() -> None:
    schedule = DEFINITIONS["schedule"]
    assert tuple(FIELDS) == KINDS == tuple(schedule["properties"])
    assert all(
        node == {"$ref": f"#/definitions/{kind}"} for kind, node in schedule["properties"].items()
    )
    assert DEFINITIONS["kind"]["errorMessage"].endswith(f"are {', '.join(KINDS)}.")


@pytest.mark.parametrize("kind", KINDS)
def test_fields_of_a_kind(kind: str) -> None:
    body = DEFINITIONS[kind]
    written = FIELDS[kind].split()
    assert [*body["properties"]] == [*(name.rstrip("?") for name in written), "length", "until"]
    assert body.get("required", []) == [name for name in written if not name.endswith("?")]
    assert body["title"] == f"{kind} {{{', '.join(written)}}}"


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_are_closed(kind: str) -> None:
    body = DEFINITIONS[kind]
    assert body["additionalProperties"] is False
    assert body["type"] == (["object", "null"] if kind == "constant" else "object")
    assert body["dependencies"]["length"] == {
        "properties": {"until": False},
        "errorMessage": "Give length or until, not both.",
    }


def test_other_mappings_are_closed() -> None:
    training = DEFINITIONS["training"]
    line = training["properties"]["batch_size"]["then"]["items"]
    assert all(node["additionalProperties"] is False for node in (SCHEMA, training, line))


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_a_kind(kind: str) -> None:
    """A sentence, the formula, an example and a link; the plain text has the first two."""
    body = DEFINITIONS[kind]
    markdown: str = body["markdownDescription"]
    prose, example, link = re.fullmatch(
        r"(.+)\n\n```yaml\n(.+)\n```\n\n(\[.+\]\(.+\))", markdown, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    assert prose.split("\n\n")[1].startswith("*Value:* `")
    assert body["description"] == re.sub("[`*]", "", prose).replace("\n\n", "\n")
    assert list(yaml.load(example, Yaml12)) == [kind]
    assert link == f"[{kind} in the specification](https://lrspec.org/v1#{kind})"


@pytest.mark.parametrize("kind", KINDS)
def test_example_of_a_kind(judge: Judge, kind: str) -> None:
    for block in re.findall(r"```yaml\n(.+?)\n```", DEFINITIONS[kind]["markdownDescription"], re.S):
        assert judge({"lrspec": 1, "schedule": yaml.load(block, Yaml12)}) == []


def test_example_of_a_document(judge: Judge) -> None:
    (block,) = re.findall(r"```yaml\n(.+?)\n```", SCHEMA["markdownDescription"], re.DOTALL)
    assert judge(yaml.load(block, Yaml12)) == []


@pytest.mark.parametrize("path", ALL_FIELDS)
def test_texts_of_a_field(path: str) -> None:
    """A title that is a signature, a sentence, and the unit and default, in both texts."""
    node, required = ALL_FIELDS[path]
    name = path.rpartition("/")[2].replace("*", "name")
    markdown: str = node["markdownDescription"]
    if path == "/training":
        assert node["title"].startswith("training {")
    else:
        assert node["title"].startswith(f"{name}: ")
    assert node["description"] == re.sub("[`*]", "", markdown).replace("\n\n", " ")
    tail = markdown.rpartition("\n\n")[2]
    assert re.fullmatch(r"(\*Unit:\* .+\. )?(\*Required\.\*|\*Default:\* .+\.)", tail)
    assert tail.endswith("*Required.*") is required
    default = re.search(r" = (\S+)$", node["title"])
    if default:
        assert re.search(rf"\*Default:\* `?{default[1]}`?\.$", tail)


@pytest.mark.parametrize(
    "path", [path for path, (node, _) in ALL_FIELDS.items() if is_scalar(node)]
)
def test_examples_of_a_field(path: str) -> None:
    """At least two, so that an editor offers them and inserts none; each is valid."""
    node, _ = ALL_FIELDS[path]
    examples = node["examples"]
    assert len(examples) >= 2
    validator = jsonschema.Draft7Validator({**node, "definitions": DEFINITIONS})
    assert all(validator.is_valid(example) for example in examples)
    assert node["errorMessage"]


@pytest.mark.parametrize("path", ALL_FIELDS)
def test_a_field_is_of_one_form(path: str) -> None:
    """A choice of words has no type beside it: one wrong value, one fault."""
    node, _ = ALL_FIELDS[path]
    assert ("enum" in node or "const" in node) != ("type" in node)


def test_numbers_are_finite() -> None:
    """NaN has no text in JSON; infinities are caught by the limits of every number."""
    for path, node in walk(SCHEMA):
        types = node.get("type", ())
        if {"number", "integer"} & ({types} if isinstance(types, str) else set(types)):
            if path.endswith("/then"):  # what form a base has, its limits stand elsewhere
                continue
            assert node["maximum"] == 1e300, path
            assert node.get("minimum") in (-1e300, 0) or node.get("exclusiveMinimum") == 0, path


def test_the_forms_of_positions_are_one() -> None:
    patterns = {
        node["pattern"]
        for _, node in walk(SCHEMA)
        if isinstance(node.get("pattern"), str) and "epochs" in node["pattern"]
    }
    position = DEFINITIONS["position"]["pattern"]
    assert position == (
        r"^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?"
        r"(%|[kMBT]? (steps?|epochs?|samples?|tokens?))$"
    )
    horizon = DEFINITIONS["training"]["properties"]["steps"]["pattern"]
    assert horizon == position.replace("(%|[kMBT]?", "[kMBT]?").replace("tokens?))$", "tokens?)$")
    assert patterns == {position, horizon}
