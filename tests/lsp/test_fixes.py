"""Quick fixes: each is applied, and the problem must be gone."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lrspec.checking import problems_of
from lrspec.loading import loads
from lrspec.lsp.diagnostics import allowing, fix
from lrspec.problems import Problem


def problems(text: str, name: str) -> tuple[Problem, ...]:
    """The problems of a text."""
    return problems_of(lambda: loads(text, file=name))


def errors(text: str, name: str) -> int:
    """How many errors a text has."""
    return sum(problem.severity == "error" for problem in problems(text, name))


def applied(text: str, edit: types.TextEdit) -> str:
    """The text after an edit; a place beyond its end is its end."""
    lines = text.splitlines(keepends=True)

    def offset(at: types.Position) -> int:
        return min(len("".join(lines[: at.line])) + at.character, len(text))

    start, stop = edit.range.start, edit.range.end
    return text[: offset(start)] + edit.new_text + text[offset(stop) :]


def stage(fields: str, kind: str = "linear") -> str:
    """A document of one stage."""
    return f"lrspec: 1\nschedule:\n  - {kind}: {{{fields}}}\n"


JSON = """\
{
  "lrspec": 1,
  "name": 5,
  "training": {"steps": "10"},
  "schedule": {"linear": {
    "initial": "1",
    "length": 0.5,
    "finl": 0
  }}
}
"""
WITH_NAME = "lrspec: 1\nname: {}\nschedule: {{constant: }}\n"


@pytest.mark.parametrize(
    ("text", "title", "new"),
    [
        (stage("finl: 0, length: 10"), "Change to final", "{final: 0,"),
        (stage("final: 0, length: 0.1"), "Change to 10%", "length: 10%}"),
        (stage("final: 0, length: &a 0.1"), "Change to 10%", "length: &a 10%}"),
        (stage("final: 0, length: '10 Epochs'"), "Change to 10 epochs", "length: '10 epochs'}"),
        (stage("final: 0, length: 10k"), "Change to 10k steps", "length: 10k steps}"),
        (stage("final: 0, length: 10B"), "Change to 10B tokens", "length: 10B tokens}"),
        (stage("final: 0, length: '10'"), "Remove the quotes", "length: 10}"),
        (stage("final: &a '0', length: 10"), "Remove the quotes", "final: &a 0,"),
        (stage("final: 10%, length: 10"), "Change to 0.1", "final: 0.1,"),
        (stage("final: 1_000, length: 10"), "Change to 1000", "final: 1000,"),
        (stage("rate: 2, every: 1, staircase: yes", "exponential"), "Change to true", ": true}"),
        (WITH_NAME.format("5"), "Put it in quotes", 'name: "5"\n'),
        (stage("final: 0, length: 10", "linr"), "Change to linear", "- linear: {"),
    ],
)
def test_in_yaml(text: str, title: str, new: str) -> None:
    (problem,) = problems(text, "a.yaml")
    found = fix(problem, text.splitlines())

    assert found is not None
    assert found[0] == title
    mended = applied(text, found[1])
    assert new in mended
    assert errors(mended, "a.yaml") == 0


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_in_json_words_are_quoted(name: str) -> None:
    text = JSON
    titles: list[str] = []
    while found := [
        made
        for problem in problems(text, name)
        if (made := fix(problem, text.splitlines())) is not None
    ]:
        titles.append(found[0][0])
        before = errors(text, name)
        text = applied(text, found[0][1])
        assert errors(text, name) == before - 1

    assert sorted(titles) == [
        "Change to 50%",
        "Change to final",
        "Put it in quotes",
        "Remove the quotes",
        "Remove the quotes",
    ]
    assert '"length": "50%",\n' in text
    assert errors(text, name) == 0


def test_no_fix_of_what_is_in_two_lines() -> None:
    text = stage("final: 0, length: '10\n     Epochs'")
    (problem,) = problems(text, "a.yaml")

    assert problem.hint is not None
    assert fix(problem, text.splitlines()) is None


JUMP = "schedule:\n  - constant: {value: 1, length: 3}\n  - constant: {value: 2}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"lrspec: 1\n{JUMP}",
        f"{JUMP}lrspec: 1",
        f"x-allow: []\nlrspec: 1\n{JUMP}",
        f"# one\nlrspec:  # the version\n  1\n{JUMP}",
        f"x-allow: [ late-rise, ]  # and more\nlrspec: 1\n{JUMP}",
        f"lrspec: 1\nx-allow:\n  - late-rise\n{JUMP}",
        f"lrspec: 1\nx-allow: # why\n- late-rise\n{JUMP}",
    ],
)
def test_allowing(text: str) -> None:
    (problem,) = problems(text, "a.yaml")
    found = allowing(problem, text.splitlines())

    assert found is not None
    assert problems(applied(text, found[1]), "a.yaml") == ()


@pytest.mark.parametrize(
    "text",
    [
        f"x-allow: [\n  late-rise]\nlrspec: 1\n{JUMP}",
        f"x-allow: *a\nx-codes: &a []\nlrspec: 1\n{JUMP}".replace("*a", "null"),
        f"{JUMP}lrspec: 1\nx-allow:",
        "{lrspec: 1, schedule: [constant: {value: 1, length: 3}, constant: {value: 2}]}",
    ],
)
def test_not_allowing_where_the_list_has_another_form(text: str) -> None:
    (problem,) = problems(text, "a.yaml")

    assert allowing(problem, text.splitlines()) is None
