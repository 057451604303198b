"""What editors say of all the faults that a person may make, as measured."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.editors.mistakes import NOT_A_KIND
from tests.editors.programs import SERVERS
from tests.editors.session import Problem, Session

MEASURED: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "messages.toml").read_text("utf-8")
)


def shown(text: str, problem: Problem) -> str:
    """A problem as `messages.toml` writes it."""
    (line, column), (last, end) = problem.start, problem.end
    written = text.split("\n")[line]
    underlined = written[column:end] if line == last else f"{written[column:]} …"
    message = problem.message.replace(NOT_A_KIND, "Not a kind. …")
    return f"{line + 1}: {underlined} | {message}"


@pytest.mark.parametrize("name", SERVERS)
def test_what_is_said(servers: Mapping[str, Session], name: str) -> None:
    """All at once: a server waits a moment before it looks at a document."""
    language = name.partition("-")[0]
    texts: dict[str, str] = {}
    expected: dict[str, list[str]] = {}
    for fault, entry in MEASURED.items():
        if language in entry:
            texts[fault] = as_written(entry["text"], language)
            expected[fault] = sorted(entry.get(name, entry[language]))
    found = zip(texts.items(), servers[name].problems_of_each(texts.values()), strict=True)

    said = {fault: sorted(shown(text, each) for each in seen) for (fault, text), seen in found}
    assert said == expected


def as_written(text: str, language: str) -> str:
    return json.dumps(yaml.safe_load(text), indent=2) if language == "json" else text
