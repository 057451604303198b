"""What editors explain: every kind with its formula, every field with its unit and default."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.editors.marked import cursor, published
from tests.editors.mistakes import KINDS
from tests.editors.session import Session

import lrspec_spec

SCHEMA: dict[str, Any] = lrspec_spec.schema()
DEFINITIONS: dict[str, Any] = SCHEMA["definitions"]


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """A schema with what its reference leads to; what stands beside the reference wins."""
    if "$ref" not in node:
        return node
    return {**resolved(DEFINITIONS[node["$ref"].rpartition("/")[2]]), **node}


def example(node: dict[str, Any]) -> Any:
    """A value that a schema allows."""
    full = resolved(node)
    if "const" in full:
        return full["const"]
    for choices in ("examples", "enum"):
        if choices in full:
            return full[choices][0]
    match full.get("type"):
        case "boolean":
            return True
        case "array":
            return [example(full["items"])] * full.get("minItems", 1)
        case _:
            return {"constant": {"value": 1}}


def top(node: object) -> dict[str, Any]:
    """A document with a node at the top."""
    return {"lrspec": 1, "schedule": node}


def three_levels_down(node: object) -> dict[str, Any]:
    """A document with a node in a list in a product in a repeat."""
    return top({"repeat": {"schedule": {"product": {"of": [[{"constant": {}}, node]]}}}})


class Hover(NamedTuple):
    """A document of JSON with the cursor in a key, and how that key is explained."""

    marked: str
    text: str


def hover(document: object, key: str, text: str) -> Hover:
    """The cursor goes behind the first letter of the key that begins with ‸."""
    written = json.dumps(document, ensure_ascii=False)
    return Hover(written.replace(f'"‸{key}"', f'"{key[:1]}‸{key[1:]}"'), text)


def of_kinds() -> Iterator[tuple[str, Hover]]:
    """Each kind, at the top and three levels down."""
    for kind in KINDS.split(", "):
        text = DEFINITIONS[kind]["markdownDescription"]
        for wrapped in (top, three_levels_down):
            document = wrapped({f"‸{kind}": {"length": 5}})
            yield f"{kind}, {wrapped.__name__}", hover(document, kind, text)


def of_fields() -> Iterator[tuple[str, Hover]]:
    """Each field of each kind, at the top and three levels down, and those of everything else."""
    for kind in KINDS.split(", "):
        for name, field in DEFINITIONS[kind]["properties"].items():
            text = resolved(field)["markdownDescription"]
            for wrapped in (top, three_levels_down):
                document = wrapped({kind: {f"‸{name}": example(field)}})
                yield f"{kind}.{name}, {wrapped.__name__}", hover(document, name, text)
    for name, field in SCHEMA["properties"].items():
        text = resolved(field)["markdownDescription"]
        yield name, hover({f"‸{name}": example(field)}, name, text)
    training = DEFINITIONS["training"]["properties"]
    for name, field in training.items():
        document = {"training": {f"‸{name}": example(field)}}
        yield f"training.{name}", hover(document, name, field["markdownDescription"])
    for name, field in training["batch_size"]["then"]["items"]["properties"].items():
        document = {"training": {"batch_size": [{f"‸{name}": 0}]}}
        yield f"batch_size.{name}", hover(document, name, field["markdownDescription"])


OF_KINDS = dict(of_kinds())
OF_FIELDS = dict(of_fields())
HOVERS = {**OF_KINDS, **OF_FIELDS}


def test_everything_is_explained(server: Session) -> None:
    cursors = [cursor(published(marked)) for marked, _ in HOVERS.values()]
    shown = dict(zip(HOVERS, server.hovers(cursors), strict=True))

    assert not {
        place: shown[place] for place, (_, text) in HOVERS.items() if text not in shown[place]
    }


def test_what_is_explained() -> None:
    """Formulas, units and defaults (`tests/spec/test_schema.py` holds the schema to more)."""
    assert len(OF_KINDS) == 2 * 18
    assert len(OF_FIELDS) > 2 * 18 * 3
    assert all("*Value:* `" in text for _, text in OF_KINDS.values())
    assert all(
        re.search(r"\*Unit:\*|\*Default:\*|\*Required\.\*", text) for _, text in OF_FIELDS.values()
    )
