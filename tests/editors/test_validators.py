"""Validators of other makers accept the schema, and judge every document as the core does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.editors.programs import found

import lrspec
import lrspec_spec
from lrspec import codes
from lrspec.conformance import suite
from lrspec.conformance.cases import Golden, Invalid

SCHEMA: dict[str, Any] = lrspec_spec.schema()
DOCUMENTS: dict[str, Mapping[str, Any]] = {
    case.name: case.document
    for case in suite.installed().cases
    if isinstance(case, Golden | Invalid)
}


def of_the_form(document: Mapping[str, Any]) -> bool:
    """Whether the core finds nothing that the schema could: not what meaning and facts forbid."""
    try:
        lrspec.from_dict(document)
    except lrspec.SpecError as error:
        return not any(problem.code in codes.SCHEMA for problem in error.problems)
    return True


@pytest.fixture(scope="module")
def expected() -> dict[str, bool]:
    """What the core says of each document."""
    return {name: of_the_form(document) for name, document in DOCUMENTS.items()}


def test_there_are_documents_of_both_sorts(expected: dict[str, bool]) -> None:
    assert sum(expected.values()) > 800
    assert sum(not right for right in expected.values()) > 150


def test_jsonschema_rs(expected: dict[str, bool]) -> None:
    validator = jsonschema_rs.Draft7Validator(SCHEMA)

    assert {name: validator.is_valid(each) for name, each in DOCUMENTS.items()} == expected


def test_ajv(expected: dict[str, bool], node_modules: Path) -> None:
    ended = subprocess.run(
        [found("node"), str(Path(__file__).parent / "ajv.js")],
        input=json.dumps({"schema": SCHEMA, "documents": list(DOCUMENTS.values())}),
        env={**os.environ, "NODE_PATH": str(node_modules)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert ended.stderr == ""
    assert dict(zip(DOCUMENTS, json.loads(ended.stdout), strict=True)) == expected


def check_jsonschema(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_check_jsonschema(
    expected: dict[str, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    schema = Path("schema.json")
    schema.write_text(lrspec_spec.schema_text(), encoding="utf-8")
    files: dict[str, str] = {}
    for number, (name, document) in enumerate(DOCUMENTS.items()):
        files[name] = f"{number}.json"
        Path(files[name]).write_text(json.dumps(document), encoding="utf-8")

    assert check_jsonschema("--check-metaschema", str(schema)).stdout == "ok -- validation done\n"
    said = check_jsonschema("--schemafile", str(schema), "--output-format", "json", *files.values())
    report = json.loads(said.stdout)
    refused = {error["filename"] for error in report["errors"]}
    assert report["parse_errors"] == []
    assert {name: file not in refused for name, file in files.items()} == expected
