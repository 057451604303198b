"""The problems of files in the forms that people and programs read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from lrspec import codes
from lrspec.cli.documents import title
from lrspec.units import option

if TYPE_CHECKING:
    from lrspec.problems import Problem

Found: TypeAlias = "Mapping[str, tuple[Problem, ...]]"
_SITE = "https://lrspec.org"
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def text(
    stream: TextIO, found: Found, missing: Mapping[str, tuple[str, ...]], *, strict: bool
) -> None:
    """A line for every problem, and for every file without an error one that says so; `strict`
    counts warnings too.

    `missing` are the facts without which the curves of a file were not looked at.
    """
    from lrspec.cli.terminal import Terminal, printable

    terminal = Terminal(stream)
    for file, problems in found.items():
        terminal.problems(problems)
        if not (problems if strict else _errors(problems)):
            terminal.line(f"{printable(title(file))}: OK{_unseen(missing[file])}", "green")


def _unseen(missing: tuple[str, ...]) -> str:
    if not missing:
        return ""
    options = " ".join(option(fact.removeprefix("training.")) for fact in missing)
    return f"; the curve was not looked at without {' and '.join(missing)} ({options})"


def as_json(stream: TextIO, found: Found) -> None:
    """One object: how many files, errors and warnings, and the problems with all their fields."""
    problems = [problem for of_file in found.values() for problem in of_file]
    errors = len(_errors(problems))
    report = {
        "files": len(found),
        "errors": errors,
        "warnings": len(problems) - errors,
        "problems": [asdict(problem) for problem in problems],
    }
    _write(stream, report)


def github(stream: TextIO, found: Found) -> None:
    """Annotations as workflow commands of GitHub Actions: `::error file=…,line=…::message`."""
    for file, problems in found.items():
        for problem in problems:
            properties = {
                "file": problem.file or title(file),
                "line": problem.line,
                "col": problem.column,
                "title": f"lrspec {problem.code}",
            }
            given = ",".join(
                f"{key}={_escaped(str(value), of_property=True)}"
                for key, value in properties.items()
                if value is not None
            )
            stream.write(f"::{problem.severity} {given}::{_escaped(_sentence(problem))}\n")


def sarif(stream: TextIO, found: Found) -> None:
    """A log of the Static Analysis Results Interchange Format 2.1.0, as code hosts take it."""
    known = {**codes.CODES, **codes.LINTS, **codes.IMPORTING}
    problems = [(file, problem) for file, of_file in found.items() for problem in of_file]
    rules = sorted({problem.code for _, problem in problems})
    driver = {
        "name": "lrspec",
        "version": version("lrspec"),
        "informationUri": _SITE,
        "rules": [{"id": code, "shortDescription": {"text": known[code]}} for code in rules],
    }
    results = [_result(file, problem, rules) for file, problem in problems]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    _write(stream, {"$schema": _SARIF, "version": "2.1.0", "runs": [run]})


REPORTS: Mapping[str, Callable[[TextIO, Found], None]] = {
    "json": as_json,
    "github": github,
    "sarif": sarif,
}


def _errors(problems: tuple[Problem, ...] | list[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity == "error"]


def _sentence(problem: Problem) -> str:
    """What is wrong where, without the place in the file."""
    parts = [part for part in (problem.path, problem.message) if part]
    said = ": ".join(parts)
    return said if problem.hint is None else f"{said}; {problem.hint}"


def _escaped(message: str, *, of_property: bool = False) -> str:
    """A text as it stands in a workflow command."""
    marks = {"%": "%25", "\r": "%0D", "\n": "%0A"}
    if of_property:
        marks |= {":": "%3A", ",": "%2C"}
    for mark, written in marks.items():
        message = message.replace(mark, written)
    return message


def _result(file: str, problem: Problem, rules: list[str]) -> dict[str, Any]:
    path = Path(title(file))
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if problem.line is not None:
        place["region"] = {"startLine": problem.line, "startColumn": problem.column}
    location: dict[str, Any] = {"physicalLocation": place}
    if problem.path:
        location["logicalLocations"] = [{"fullyQualifiedName": problem.path}]
    return {
        "ruleId": problem.code,
        "ruleIndex": rules.index(problem.code),
        "level": problem.severity,
        "message": {"text": _sentence(problem)},
        "locations": [location],
    }


def _uri(path: Path) -> str:
    """A file as a URI: relative ones stay so, to be found in a checkout."""
    from urllib.parse import quote

    # Names of files are bytes, and not always text.
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def _write(stream: TextIO, data: object) -> None:
    # In ASCII, which is the same in whatever encoding the output is.
    json.dump(data, stream, indent=2)
    stream.write("\n")
