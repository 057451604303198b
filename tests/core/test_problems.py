"""Problems as values, their one line of text, their codes, and the exception that carries them."""

from __future__ import annotations

import dataclasses
import pickle
import re

import pytest

from lrspec import codes
from lrspec.problems import Problem, SpecError, pointer
from lrspec.reading import read_mapping, read_text
from lrspec.source import Marks, Source, place


def problem(
    line: int | None = 7, column: int | None = 15, hint: str | None = None, path: str = "/schedule"
) -> Problem:
    return Problem("error", "wrong-type", "a.yaml", path, line, column, "it is so", hint=hint)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (problem(), "a.yaml:7:15: /schedule: it is so"),
        (problem(hint="do this"), "a.yaml:7:15: /schedule: it is so; do this"),
        (problem(None, None), "a.yaml: /schedule: it is so"),
        (problem(path=""), "a.yaml:7:15: it is so"),
        (dataclasses.replace(problem(), file=None), "7:15: /schedule: it is so"),
        (dataclasses.replace(problem(None, None), file=None), "/schedule: it is so"),
        (dataclasses.replace(problem(None, None, path=""), file=None), "it is so"),
        (dataclasses.replace(problem(), file="a\nb.yaml"), "a\\nb.yaml:7:15: /schedule: it is so"),
    ],
)
def test_text_is_one_line_without_what_is_unknown(given: Problem, text: str) -> None:
    assert str(given) == text


def test_a_problem_is_a_frozen_value() -> None:
    assert problem() == problem()
    assert hash(problem()) == hash(problem())
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem().code = "syntax"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("schedule", 1, "cosine"), "/schedule/1/cosine"),
        (("a/b", "c~d", ""), "/a~1b/c~0d/"),
        (("x" * 200,), "/" + "x" * 119 + "…"),
    ],
)
def test_pointer(path: tuple[str | int, ...], text: str) -> None:
    assert pointer(path) == text


def test_an_error_puts_its_problems_in_order_of_position() -> None:
    late, early, earliest = problem(10, 1), problem(9, 20), problem(9, 3)
    error = SpecError(iter([late, early, earliest]))
    assert error.problems == (earliest, early, late)
    assert str(error) == f"{earliest}\n{early}\n{late}"
    assert isinstance(error, ValueError)


def test_problems_without_a_position_keep_their_order() -> None:
    first, second = problem(None, None, path="/z"), problem(None, None, path="/a")
    assert SpecError([first, second]).problems == (first, second)


def test_an_error_survives_pickling() -> None:
    error = SpecError([problem(), problem(1, 1, "do this")])
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is SpecError
    assert copy.problems == error.problems
    assert str(copy) == str(error)


def test_every_code_has_one_sentence() -> None:
    groups = (codes.READING, codes.SCHEMA, codes.MEANING, codes.BINDING, codes.WARNINGS)
    assert len(codes.CODES) == sum(map(len, groups))
    for code, meaning in codes.CODES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert re.fullmatch(r"[A-Z].*\.", meaning)


TEXT = """\
lrspec: 1
schedule:
  - &fall
    cosine: {final: 0, length: 5}
  - *fall
  - linear:
      <<: {length: 7}
      final: 1
"""


@pytest.mark.parametrize(
    ("path", "key", "expected"),
    [
        ((), False, (1, 1)),
        ((), True, (1, 1)),
        (("lrspec",), False, (1, 9)),
        (("lrspec",), True, (1, 1)),
        (("schedule", 0, "cosine", "length"), False, (4, 32)),
        (("schedule", 0, "cosine", "length"), True, (4, 24)),
        (("schedule", 1, "cosine", "length"), True, (4, 24)),
        (("schedule", 2), True, (6, 5)),
        (("schedule", 2, "linear", "length"), False, (7, 20)),
        (("schedule", 2, "linear", "length"), True, (7, 12)),
        # what is not there is placed on what encloses it, by its key where it has one
        (("schedule", 0, "cosine", "exponent"), False, (4, 5)),
        (("schedule", 9, "cosine"), False, (2, 1)),
        (("training", "steps"), False, (1, 1)),
        (("lrspec", "deeper", 1), False, (1, 1)),
    ],
)
def test_place(path: tuple[str | int, ...], key: bool, expected: tuple[int, int]) -> None:
    assert place(read_text(TEXT), path, key=key) == expected


def test_marks_are_a_mapping_by_path() -> None:
    marks = read_text("a: 1\nb: [2, {c: 3}]\n").marks
    assert {path: tuple(mark) for path, mark in marks.items()} == {
        (): (1, 1),
        ("a",): (1, 4),
        ("b",): (2, 4),
        ("b", 0): (2, 5),
        ("b", 1): (2, 8),
        ("b", 1, "c"): (2, 12),
    }
    assert len(marks) == 6
    assert marks
    assert marks.key(("b", 1, "c")) == (2, 9)
    assert marks.key(("b", 1)) is None
    assert marks.key(()) is None
    assert ("b", -1) not in marks
    assert ("b", "0") not in marks
    with pytest.raises(KeyError):
        marks[("c",)]


def test_what_begins_in_a_line() -> None:
    marks = read_text("a: 1\nb: [2, {c: 3}]\n").marks

    def on(line: int) -> set[tuple[object, ...]]:
        return {(path, tuple(mark)) for path, mark in marks.on(line)}

    assert on(1) == {((), (1, 1)), (("a",), (1, 1)), (("a",), (1, 4))}
    assert on(2) == {
        (("b",), (2, 1)),
        (("b",), (2, 4)),
        (("b", 0), (2, 5)),
        (("b", 1), (2, 8)),
        (("b", 1, "c"), (2, 9)),
        (("b", 1, "c"), (2, 12)),
    }
    assert on(3) == set()


def test_what_begins_in_a_line_of_one_value_or_of_none() -> None:
    assert list(read_text("\n3\n").marks.on(2)) == [((), (2, 1))]
    assert list(read_text("\n3\n").marks.on(1)) == []
    assert list(read_mapping({"a": 1}).marks.on(1)) == []


def test_columns_count_code_points() -> None:
    assert place(read_text("😀é: {b: 1}"), ("😀é", "b")) == (1, 9)


def test_a_mapping_has_no_marks() -> None:
    source = read_mapping({"a": [1]})
    assert not source.marks
    assert len(source.marks) == 0
    assert place(source, ("a", 0)) == (None, None)
    assert str(source.problem("wrong-type", ("a", 0), "it is so")) == "/a/0: it is so"


def test_a_source_makes_problems_in_its_place() -> None:
    source = read_text("a:\n  b: 1\n", "c.yaml")
    unknown = source.problem("unknown-field", ("a",), "unknown", at=("a", "b"), key=True, hint="h")
    assert str(unknown) == "c.yaml:2:3: /a: unknown; h"
    warning = source.problem("beyond-the-run", ("a", "b"), "long", severity="warning", found="1")
    assert (warning.severity, warning.line, warning.column, warning.found) == ("warning", 2, 6, "1")


def test_a_source_survives_pickling() -> None:
    source = pickle.loads(pickle.dumps(read_text(TEXT, "a.yaml")))
    assert isinstance(source, Source)
    assert isinstance(source.marks, Marks)
    assert place(source, ("schedule", 0, "cosine", "length")) == (4, 32)
