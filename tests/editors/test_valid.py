"""Documents that are right give no message: all examples, and all that the suite accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tests.editors.marked import published
from tests.editors.session import Problem, Session

import lrspec
from lrspec.conformance import suite
from lrspec.conformance.cases import Golden, Reading

SUITE = suite.installed()
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.lrspec.yaml"))

# The server for JSON takes a number with a point for no whole number (clause 1.4 does). No schema
# says it otherwise without a worse message for 2.5.
WITH_A_POINT = {"golden/units/whole-numbers-may-be-written-with-a-point": 2}


def golden() -> dict[str, Any]:
    """The documents of the suite that have values."""
    return {case.name: case.document for case in SUITE.cases if isinstance(case, Golden)}


def texts(format_: str) -> Iterator[tuple[str, str]]:
    """The texts of the suite that are a document and small enough to be shown in an editor."""
    for case in SUITE.cases:
        if isinstance(case, Reading) and case.format == format_ and case.code is None:
            text = case.text()
            text = text if isinstance(text, str) else text.decode()
            if len(text) < 100_000:
                # An editor keeps a byte order mark to itself.
                yield case.name, text.removeprefix("\ufeff")


def complaints(server: Session, documents: dict[str, str]) -> dict[str, list[Problem]]:
    """What a server says of documents, without those of which it says nothing."""
    said = server.problems_of_each(map(published, documents.values()))
    return {name: found for name, found in zip(documents, said, strict=True) if found}


def test_there_are_documents() -> None:
    assert len(EXAMPLES) >= 16
    assert len(golden()) > 700
    assert len(list(texts("yaml"))) > 45
    assert len(list(texts("json"))) > 8


def test_examples(yaml_server: Session) -> None:
    documents = {path.name: path.read_text("utf-8") for path in EXAMPLES}

    assert complaints(yaml_server, documents) == {}


def test_examples_in_json(json_server: Session) -> None:
    documents = {path.name: json.dumps(lrspec.load(path).to_dict(), indent=2) for path in EXAMPLES}

    assert complaints(json_server, documents) == {}


def test_golden_documents_in_yaml(yaml_server: Session) -> None:
    documents = {name: yaml.safe_dump(each, sort_keys=False) for name, each in golden().items()}

    assert complaints(yaml_server, documents) == {}


def test_golden_documents_in_json(json_server: Session) -> None:
    documents = {name: json.dumps(each, indent=2) for name, each in golden().items()}
    said = complaints(json_server, documents)

    assert {name: len(found) for name, found in said.items()} == WITH_A_POINT


def test_texts_in_yaml(yaml_server: Session) -> None:
    assert complaints(yaml_server, dict(texts("yaml"))) == {}


def test_texts_in_json(json_server: Session) -> None:
    assert complaints(json_server, dict(texts("json"))) == {}
