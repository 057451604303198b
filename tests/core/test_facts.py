"""Facts that the document states and facts that the host gives, brought together."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.core.refused import lines, problems

from lrspec.curve import Curve
from lrspec.loading import from_dict, loads

SCHEDULE = "schedule: {constant: }\n"
FULL = (
    "training: {steps: 100, batch_size: 8, sequence_length: 512, steps_per_epoch: 12.5}\n"
    "base: 0.5\n" + SCHEDULE
)
STATED = {"steps": 100, "batch_size": 8, "sequence_length": 512, "steps_per_epoch": 12.5}


class Whole:
    """A whole number of some array library."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __str__(self) -> str:
        return f"whole {self.value}"


def bound(text: str, **facts: Any) -> Curve:
    return loads("lrspec: 1\n" + text).bind(**facts)


def linear(**document: Any) -> dict[str, Any]:
    """A document that needs to know how long the run is."""
    return {"lrspec": 1, "schedule": {"linear": {"final": 0}}, **document}


# -- one place is enough ------------------------------------------------------------------------


def test_facts_may_stand_in_the_document_or_be_given() -> None:
    stated = bound("training: {steps: 10}\nbase: 0.5\nschedule: {linear: {final: 0}}")
    given = bound("schedule: {linear: {final: 0}}", steps=10, base=0.5)

    assert stated == given
    assert (stated.steps, stated.base) == (given.steps, given.base) == (10, 0.5)
    assert (dict(stated.facts), dict(given.facts)) == ({}, {"steps": 10, "base": 0.5})


def test_the_same_fact_twice_is_no_conflict() -> None:
    assert bound(FULL, **STATED, base=0.5) == bound(FULL)
    assert bound("training: {steps: 1e2}\n" + SCHEDULE, steps=100.0).steps == 100
    assert bound("training: {steps: 8 epochs, steps_per_epoch: 12.5}\n" + SCHEDULE, steps=100)
    assert bound("training: {steps: 100}\n" + SCHEDULE, steps="0.1k steps").steps == 100


@pytest.mark.parametrize(
    "given",
    [8, [{"start": 0, "value": 8}], [{"start": 0, "value": 8}, {"start": 9, "value": 8}]],
    ids=["number", "list", "list of equals"],
)
def test_a_batch_schedule_that_never_changes_is_its_number(given: Any) -> None:
    assert bound("axis: samples\n" + FULL, batch_size=given) == bound("axis: samples\n" + FULL)


def test_batch_schedules_are_compared_after_merging() -> None:
    text = "training: {batch_size: [{start: 0, value: 4}, {start: 5, value: 2}]}\n" + SCHEDULE
    same = [
        {"start": 0, "value": 4},
        {"start": 3, "value": 4},
        {"start": 5, "value": 2},
        {"start": 7, "value": 2},
    ]

    assert bound(text, batch_size=same)
    assert [p.code for p in problems(text, batch_size=same[:2])] == ["conflicting-fact"]


# -- conflicts ----------------------------------------------------------------------------------

CONFLICTS = [
    ("steps", 90, "steps is 100 in the document and 90 where it is bound", "2:19"),
    ("batch_size", 9, "batch_size is 8 in the document and 9 where it is bound", "2:36"),
    (
        "sequence_length",
        1,
        "sequence_length is 512 in the document and 1 where it is bound",
        "2:56",
    ),
    (
        "steps_per_epoch",
        12,
        "steps_per_epoch is 12.5 in the document and 12 where it is bound",
        "2:78",
    ),
]


@pytest.mark.parametrize(("name", "value", "message", "place"), CONFLICTS)
def test_a_conflict_names_both(name: str, value: Any, message: str, place: str) -> None:
    hint = "give it in one place, or bind with override=True (--override)"

    assert lines(FULL, **{name: value}) == [
        f"conflicting-fact {place}: /training/{name}: {message}; {hint}"
    ]
    (problem,) = problems(FULL, **{name: value})
    assert (problem.expected, problem.found) == (str(STATED[name]), str(value))


def test_all_conflicts_are_reported_together() -> None:
    given = {name: value for name, value, _, _ in CONFLICTS}

    assert [problem.path for problem in problems(FULL, **given, base=0.25)] == [
        "/training/steps",
        "/training/batch_size",
        "/training/sequence_length",
        "/training/steps_per_epoch",
        "/base",
    ]


def test_text_is_shown_with_what_it_comes_to() -> None:
    text = "training: {steps: 8 epochs, steps_per_epoch: 12.5}\n" + SCHEDULE

    (problem,) = problems(text, steps=99)
    assert problem.message == "steps is 8 epochs (100) in the document and 99 where it is bound"
    (problem,) = problems(text, steps="4 epochs")
    assert problem.message == (
        "steps is 8 epochs (100) in the document and 4 epochs (50) where it is bound"
    )


def test_a_base_of_the_host_beside_absolute() -> None:
    text = "base: absolute\nschedule: {constant: {value: 1}}\n"

    (problem,) = problems(text, base=1.0)
    assert problem.code == "conflicting-fact"
    assert problem.message == "base is absolute in the document and 1.0 where it is bound"
    assert problem.hint == "leave it out where it is bound"
    (same,) = problems(text, base=1.0, override=True)
    assert same.message == problem.message


def test_the_base_of_a_name() -> None:
    text = (
        "base: {lr: 0.5, momentum: absolute}\n"
        "schedules:\n  lr: {constant: }\n  momentum: {constant: {value: 0.9}}\n"
    )

    (problem,) = problems(text, base=0.25)
    assert problem.path == "/base/lr"
    (problem,) = problems(text, base=0.25, name="momentum")
    assert problem.path == "/base/momentum"
    assert bound(text, base=0.5).base == 0.5


@pytest.mark.parametrize(("name", "value", "message", "place"), CONFLICTS)
def test_an_override_replaces(name: str, value: Any, message: str, place: str) -> None:
    curve = bound(FULL, **{name: value}, override=True)

    assert dict(curve.facts) == {name: value, "override": True}
    assert curve.steps == (90 if name == "steps" else 100)


# -- what a host cannot give --------------------------------------------------------------------

INVALID: dict[str, list[Any]] = {
    "steps": [0, -5, 10.5, True, "10", "50%", "10 hours", float("nan"), float("inf"), [], {}, 1j],
    "batch_size": [0, -5, 10.5, True, "8", [], [8], [{"start": 0}], [{"start": 3, "value": 8}], {}],
    "sequence_length": [0, -5, 10.5, True, "512", [512]],
    "steps_per_epoch": [0, -5, True, "12.5", float("nan")],
    "base": [0, -1, True, "0.1", "absolute", float("inf"), float("nan"), 1e301, [0.1]],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, values in INVALID.items() for value in values],
    ids=lambda value: repr(value),
)
def test_a_fact_that_cannot_be(name: str, value: Any) -> None:
    found = problems(SCHEDULE, **{name: value})

    assert {problem.code for problem in found} == {"invalid-fact"}
    assert all(problem.path.startswith((f"/training/{name}", f"/{name}")) for problem in found)
    assert all((problem.line, problem.column) == (None, None) for problem in found)
    assert all(str(p).partition(": ")[2].startswith("given when binding: ") for p in found)


@pytest.mark.parametrize("name", ["steps", "sequence_length", "base"])
def test_an_interpolation_that_is_given_is_to_be_resolved(name: str) -> None:
    (problem,) = problems("schedule: {constant: }", **{name: "${trainer.it}"})

    assert problem.hint == (
        "interpolations are not resolved here: resolve it first, or write the value"
    )


def test_the_steps_of_a_given_batch_schedule_increase() -> None:
    rows = [{"start": 0, "value": 8}, {"start": 5, "value": 4}, {"start": 5, "value": 2}]

    assert lines(SCHEDULE, batch_size=rows) == [
        "invalid-fact /training/batch_size/2/start: given when binding:"
        " the steps of a batch schedule must increase: 5 after 5"
    ]


def test_all_invalid_facts_are_reported_together() -> None:
    found = problems(SCHEDULE, steps=0, batch_size=-1, base=-1)

    assert [p.path for p in found] == ["/training/steps", "/training/batch_size", "/base"]


# -- numbers of all sorts -----------------------------------------------------------------------


@pytest.mark.parametrize("ten", [10, 10.0, "10 steps", Whole(10)], ids=str)
def test_ways_to_say_ten(ten: Any) -> None:
    curve = from_dict(linear()).bind(steps=ten)

    assert (curve.steps, curve(5)) == (10, 0.5)


@pytest.mark.parametrize(
    "name", ["steps", "batch_size", "sequence_length", "steps_per_epoch", "base"]
)
def test_whole_numbers_of_array_libraries(name: str) -> None:
    curve = bound(SCHEDULE, **{name: Whole(7)})

    assert curve.facts[name] == 7
    assert type(curve.facts[name]) is int


def test_real_numbers_that_are_no_floats() -> None:
    assert from_dict(linear()).bind(steps=Fraction(10))(5) == 0.5  # type: ignore[arg-type]
    curve = bound(SCHEDULE, steps_per_epoch=Fraction(25, 2), base=Fraction(1, 2))

    assert dict(curve.facts) == {"steps_per_epoch": 12.5, "base": 0.5}
    assert {type(value) for value in curve.facts.values()} == {float}


# -- steps that are text ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("90 epochs", 1125),
        ("1.01 epochs", 13),
        ("12.5 steps", 13),
        ("100 samples", 13),
        ("104 samples", 13),
        ("105 samples", 14),
        ("4096 tokens", 1),
        ("4097 tokens", 2),
    ],
)
def test_steps_are_rounded_up(text: str, steps: int) -> None:
    facts: dict[str, Any] = {"batch_size": 8, "sequence_length": 512, "steps_per_epoch": 12.5}
    for rounding in ("none", "floor", "nearest"):
        curve = from_dict(linear(rounding=rounding)).bind(steps=text, **facts)
        assert curve.steps == steps


def test_steps_cross_a_change_of_the_batch_size() -> None:
    rows = [{"start": 0, "value": 4}, {"start": 10, "value": 2}]

    assert from_dict(linear()).bind(steps="50 samples", batch_size=rows).steps == 15
    assert from_dict(linear()).bind(steps="51 samples", batch_size=rows).steps == 16


def test_steps_that_cannot_be_told_are_missed_where_they_are_needed() -> None:
    assert bound(SCHEDULE, steps="3 epochs").steps is None
    assert lines("schedule: {linear: {final: 0}}\n", steps="3 epochs") == [
        "missing-fact 1:1: /training/steps: 3 epochs needs training.steps_per_epoch, which is not"
        " known; write it in the document or give steps_per_epoch when binding (--steps-per-epoch)"
    ]
    assert lines("training: {steps: 3 epochs}\nschedule: {linear: {final: 0}}\n") == [
        "missing-fact 2:19: /training/steps: 3 epochs needs training.steps_per_epoch, which is not"
        " known; write it in the document or give steps_per_epoch when binding (--steps-per-epoch)"
    ]


def test_steps_of_an_axis_of_tokens_that_is_not_known() -> None:
    text = """training:
  steps: 3 epochs
  steps_per_epoch: 4
  batch_size: [{start: 0, value: 1}, {start: 5, value: 2}]
axis: tokens
schedule: {inverse_sqrt: {initial: 1, timescale: 1 tokens}}
"""

    assert lines(text) == [
        "missing-fact 6:7: /axis: axis: tokens needs training.sequence_length, which is not known;"
        " write it in the document or give sequence_length when binding (--sequence-length)"
    ]
    assert loads("lrspec: 1\n" + text).bind(sequence_length=3).steps == 12


def test_steps_given_stand_for_those_that_cannot_be_told() -> None:
    text = "training: {steps: 3 epochs}\nschedule: {linear: {final: 0}}\n"

    assert bound(text, steps=10).steps == 10


# -- which facts were used ----------------------------------------------------------------------


def test_facts_that_no_position_needs_are_not_used() -> None:
    assert dict(bound(FULL).facts_used) == {"steps": 100}
    assert dict(bound("training: {batch_size: 8}\n" + SCHEDULE).facts_used) == {}


def test_facts_that_a_position_needs() -> None:
    stages = "schedule:\n- linear: {initial: 0, final: 1, length: %s}\n- constant:\n"

    for text, used in {
        "3": [],
        "3 epochs": ["steps_per_epoch"],
        "3 samples": ["batch_size"],
        "3 tokens": ["batch_size", "sequence_length"],
    }.items():
        curve = bound(FULL.replace(SCHEDULE, stages % text))
        assert [*curve.facts_used] == ["steps", *used]


def test_a_batch_schedule_that_was_used_is_given_in_full() -> None:
    rows = [{"start": 0, "value": 4}, {"start": 10, "value": 2}]
    curve = from_dict({**linear(), "axis": "samples"}).bind(steps=20, batch_size=rows)

    assert curve.facts_used["batch_size"] != 4
    assert curve(10) == 20 / 60


def test_facts_that_no_document_could_hold() -> None:
    hostile: list[Any] = [[{1: 2}], [[object()]], {"start": {2, 3}}]

    for batches in hostile:
        (problem, *_) = problems(SCHEDULE, batch_size=batches)
        assert problem.code == "invalid-fact"
        assert problem.path.startswith("/training/batch_size")


def test_a_base_of_thousands_of_digits() -> None:
    for base in (10**5000, -(10**5000)):
        (problem,) = problems("schedule: {constant: }", base=base)

        assert (problem.code, problem.path) == ("invalid-fact", "/base")
        assert len(problem.message) < 120
