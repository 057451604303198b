"""The conformance data: what the generator computes, by its schema, citing every clause."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

SPEC = Path(__file__).resolve().parents[2] / "spec"
SUITE = SPEC / "lrspec_spec" / "v1" / "conformance"
SCHEMA = json.loads((SUITE / "conformance.schema.json").read_text(encoding="utf-8"))
DOCUMENTS = json.loads((SPEC / "lrspec_spec/v1/schedule.schema.json").read_text(encoding="utf-8"))
TEXT = (SPEC / "README.md").read_text(encoding="utf-8")

FILES: Mapping[str, Any] = {
    path.relative_to(SUITE).as_posix(): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(SUITE.rglob("*.json"))
    if path.name != "conformance.schema.json"
}
CASES = {path: content for path, content in FILES.items() if path != "manifest.json"}
KINDS = ("golden", "invalid", "reading")

# Codes that no case of the suite can have, and why.
NO_CASE = {
    "unreadable-file": "a suite of texts has no files that are missing or closed",
    "beyond-the-run": "a warning stops no run and changes no value",
}

# Clauses that no single case can show, and why.
NOT_CITED = {
    "9.1": "what a problem has beside its code and pointer; a case has one problem",
    "9.2": "every golden and every invalid case holds implementations to it",
    "10.1": "a promise about versions to come",
    "10.2": "what is not in the language",
}


def of_kind(kind: str) -> Iterator[tuple[str, Any]]:
    return ((path, case) for path, case in CASES.items() if path.startswith(f"{kind}/"))


def codes_of_the_text() -> set[str]:
    listed = TEXT.split("**9.3**")[1].split("**9.4**")[0]
    return set(re.findall(r"`([a-z-]+)`", listed))


def clauses_of_the_text() -> set[str]:
    return set(re.findall(r"^\*\*(\d+\.\d+)\*\*", TEXT, re.MULTILINE))


def test_the_generator_computes_the_files_that_are_committed() -> None:
    sys.path.insert(0, str(SPEC))
    try:
        from generator.command import SUITE as WRITTEN
        from generator.command import differences
        from generator.files import suite
    finally:
        sys.path.remove(str(SPEC))
    assert differences(suite(), WRITTEN) == []


def test_the_generator_shares_no_code_with_the_evaluator() -> None:
    allowed = {"generator", "mpmath"} | sys.stdlib_module_names
    for path in (SPEC / "generator").rglob("*.py"):
        for name in re.findall(r"^\s*(?:from|import) (\w+)", path.read_text("utf-8"), re.MULTILINE):
            assert name in allowed, f"{path.name} imports {name}"


def test_every_file_is_of_the_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    for path, content in FILES.items():
        kind = "manifest" if path == "manifest.json" else path.partition("/")[0]
        part = {"$ref": f"#/definitions/{kind}", "definitions": SCHEMA["definitions"]}
        errors = list(jsonschema.Draft7Validator(part).iter_errors(content))
        assert not errors, f"{path}: {errors[0].message}"


def test_one_form_fits_each_file() -> None:
    validator = jsonschema.Draft7Validator(SCHEMA)
    one_of_each = [next(of_kind(kind))[1] for kind in KINDS] + [FILES["manifest.json"]]
    assert all(validator.is_valid(content) for content in one_of_each)


def test_the_manifest_names_every_file() -> None:
    hashes = {
        path: hashlib.sha256((SUITE / path).read_bytes()).hexdigest() for path in sorted(CASES)
    }
    assert FILES["manifest.json"]["files"] == hashes
    counts = FILES["manifest.json"]["counts"]
    assert counts["golden"] == Counter(path.split("/")[1] for path, _ in of_kind("golden"))
    assert counts["invalid"] == len(list(of_kind("invalid")))
    assert counts["reading"] == len(list(of_kind("reading")))


def test_file_names_are_assertions() -> None:
    word = r"[a-z0-9]+(?:-[a-z0-9]+)*"
    golden = re.compile(rf"golden/[a-z0-9_]+/{word}\.json")
    other = re.compile(rf"(invalid|reading)/{word}\.json")
    for path in CASES:
        assert golden.fullmatch(path) or other.fullmatch(path), path


def test_no_golden_case_shows_what_another_shows() -> None:
    told = Counter(
        json.dumps([case["document"], case.get("facts"), case.get("name"), case["steps"]])
        for _, case in of_kind("golden")
    )
    assert [text for text, times in told.items() if times > 1] == []


@pytest.mark.parametrize("kind", KINDS)
def test_descriptions_tell_cases_apart(kind: str) -> None:
    told = Counter((path.split("/")[1], case["description"]) for path, case in of_kind(kind))
    assert [told_twice for told_twice, times in told.items() if times > 1] == []


def test_every_clause_that_is_cited_exists() -> None:
    known = clauses_of_the_text()
    for path, case in CASES.items():
        assert set(case["clauses"]) <= known, path


def test_every_case_cites_a_clause() -> None:
    assert [path for path, case in CASES.items() if not case["clauses"]] == []


def test_every_clause_is_cited() -> None:
    cited = {clause for case in CASES.values() for clause in case["clauses"]}
    assert clauses_of_the_text() - cited == set(NOT_CITED)


def test_every_code_has_a_case() -> None:
    used = {case["error"]["code"] for case in CASES.values() if "error" in case}
    assert used <= codes_of_the_text()
    assert codes_of_the_text() - used == set(NO_CASE)


def test_golden_documents_are_of_the_schema_of_documents() -> None:
    validator = jsonschema.Draft7Validator(DOCUMENTS)
    for path, case in of_kind("golden"):
        errors = list(validator.iter_errors(case["document"]))
        assert not errors, f"{path}: {errors[0].message}"


def test_golden_values_stand_beside_their_steps() -> None:
    for path, case in of_kind("golden"):
        steps = [int(step) for step in case["steps"]]
        assert len(case["values"]) == len(steps), path
        assert steps == sorted(set(steps)), path
        assert all(index < len(steps) for index in case["exact"]), path
        greatest = 2**53 if case.get("profiles") == ["float64"] else 2**31 - 1
        assert steps[-1] <= greatest, path
        for text in case["values"]:
            assert f"{float(text):.17g}" == text, path


def test_every_kind_and_every_field_has_a_golden_case() -> None:
    wanted = {
        (kind, field)
        for kind in DOCUMENTS["definitions"]["kind"]["enum"]
        for field in DOCUMENTS["definitions"].get(kind, {"properties": {}})["properties"]
    }
    found: set[tuple[str, str]] = set()
    for _, case in of_kind("golden"):
        _collect(case["document"], found)
    assert wanted - found == set()


def _collect(data: Any, found: set[tuple[str, str]]) -> None:
    """Every pair of a key and a key below it."""
    if isinstance(data, list):
        for item in data:
            _collect(item, found)
    elif isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, dict):
                found |= {(key, field) for field in value}
            _collect(value, found)
