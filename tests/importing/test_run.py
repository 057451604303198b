"""What an importer knows of the run, and the document that it makes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import body

from lrspec.copying import copy_data
from lrspec.importing.config import Config
from lrspec.importing.nodes import Schedule, constant, cosine, linear
from lrspec.importing.run import Run
from lrspec.problems import SpecError

SOURCE = copy_data({"max_steps": 10, "lr": 0.1, "batch": 4, "seq": 8, "epoch": 2.5, "null": None})


def run(**facts: Any) -> Run:
    return Run("Example", SOURCE, facts)


def config() -> Config:
    assert isinstance(SOURCE.data, dict)
    return Config(SOURCE.data, (), SOURCE, [])


def refusal(read: Callable[[], object]) -> str:
    """The one problem that reading raises, after its code."""
    with pytest.raises(SpecError) as caught:
        read()
    (problem,) = caught.value.problems
    return f"{problem.code} {problem}"


# Facts


def test_facts_of_the_configuration() -> None:
    assert run().steps(config(), "max_steps") == 10
    assert run().base(config(), "lr") == 0.1
    assert run().batch_size(config(), "batch") == 4
    assert run().sequence_length(config(), "seq") == 8
    assert run().steps_per_epoch(config(), "epoch", why="") == 2.5
    assert run().needs_steps(config(), "max_steps", why="") == 10


def test_facts_of_the_caller() -> None:
    rows = [{"start": 0, "value": 2}]
    given = run(steps=10.0, base=1, batch_size=3, sequence_length=5, steps_per_epoch=0.5)
    assert (given.steps(), type(given.steps())) == (10, int)
    assert given.needs_steps(config(), "null", why="") == 10
    assert given.base(config(), "other") == 1
    assert (given.batch_size(), given.sequence_length()) == (3, 5)
    assert given.steps_per_epoch(why="") == 0.5
    assert run(batch_size=rows).batch_size(config(), "batch") == rows


def test_facts_that_nobody_says() -> None:
    nothing = run()
    assert nothing.steps() is None
    assert nothing.base(config(), "null") is None
    assert nothing.batch_size(config(), "null") is None
    assert nothing.sequence_length() is None
    assert refusal(lambda: nothing.needs_steps(config(), "steps", why="it ends")) == (
        "missing-fact it ends; give 'steps' in the configuration, or --steps (in Python steps=…)"
    )
    assert refusal(lambda: nothing.steps_per_epoch(why="it is in epochs")) == (
        "missing-fact it is in epochs; give --steps-per-epoch (in Python steps_per_epoch=…)"
    )


def test_a_fact_counts_as_read() -> None:
    found = config()
    found.ignore("lr", "batch", "seq", "epoch")
    run().steps(found, "max_steps")
    found.done()


def test_facts_in_both_places() -> None:
    assert run(steps=10, base=0.1).steps(config(), "max_steps") == 10
    assert refusal(lambda: run(steps=11).steps(config(), "max_steps")) == (
        "conflicting-fact /max_steps: steps is 10 in the configuration and 11 here"
    )
    assert refusal(lambda: run(base=0.2).base(config(), "lr")) == (
        "conflicting-fact /lr: base is 0.1 in the configuration and 0.2 here"
    )


@pytest.mark.parametrize("value", [0, -1, 2.5, True, False, "10 epochs", math.inf, math.nan, [1]])
def test_what_is_no_length(value: object) -> None:
    found = refusal(lambda: run(steps=value).steps())
    assert found.startswith("invalid-fact steps is a whole number above 0, found ")


@pytest.mark.parametrize("value", [0, -0.1, True, "0.1", math.inf, math.nan])
def test_what_is_no_base(value: object) -> None:
    found = refusal(lambda: run(base=value).base())
    assert found.startswith("invalid-fact base is a number above 0, found ")


def test_a_length_in_the_configuration_is_held_to_the_same() -> None:
    source = copy_data({"steps": 0, "lr": "x"})
    assert isinstance(source.data, dict)
    found = Config(source.data, (), source, [])
    assert refusal(lambda: run().steps(found, "steps")) == (
        "out-of-range /steps: expected at least 1, found 0"
    )
    assert refusal(lambda: run().base(found, "lr")) == (
        "wrong-type /lr: expected a number, found 'x'"
    )


# Notes and sampling


def test_notes_are_said_once() -> None:
    given = run()
    given.say("One.")
    given.say("Two.")
    given.say("One.")
    assert given.notes == ["One.", "Two."]


def test_sampling_has_to_be_allowed() -> None:
    given = run()
    hint = "with --sample it is written as straight lines through its values at every step"
    for at, place in (("lr", "/lr: "), ("", "")):
        message = f"not-importable {place}it is odd; {hint}"
        assert message == refusal(
            lambda at=at: given.sampled(float, 3, refusal="it is odd", config=config(), at=at)  # type: ignore[misc]
        )
        assert message == refusal(lambda at=at: given.needs_sampling("it is odd", config(), at))  # type: ignore[misc]
    assert given.notes == []


def test_sampling() -> None:
    given = Run("Example", SOURCE, {}, sample=True)
    given.needs_sampling("it is odd", config())
    assert given.sampled(float, 3, refusal="it is odd", config=config()) == {
        "piecewise_linear": {"boundaries": [0, 3], "values": [0.0, 3.0]}
    }
    assert given.notes == [
        "Sampled: it is odd. The document has its values at every step from 0 to 3, joined by "
        "straight lines, and the last value from there on."
    ]


def test_what_has_no_rate_at_some_step() -> None:
    given = Run("Example", SOURCE, {}, sample=True)

    def missing(step: int) -> float:
        return 1 / (2 - step)

    def infinite(step: int) -> float:
        return math.inf * (step + 1)

    found = refusal(lambda: given.sampled(missing, 3, refusal="it is odd", config=config()))
    assert found.startswith("not-importable the schedule has no rate at every step: ")
    found = refusal(lambda: given.sampled(infinite, 3, refusal="it is odd", config=config()))
    assert found.endswith("has no rate at every step: at step 0 the rate is inf")


def test_a_long_run_is_not_sampled() -> None:
    given = Run("Example", SOURCE, {}, sample=True)
    found = refusal(lambda: given.sampled(float, 400_001, refusal="it is odd", config=config()))
    assert found == (
        "not-importable it is odd, and only a run of up to 400,000 steps can be sampled"
    )


# The document

WARM: Schedule = [linear(0, 0.1, 10), cosine(0.1, 0)]


def test_a_document_with_a_base() -> None:
    document = run().document(WARM, origin="cosine", base=0.1, steps=100)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- cosine: {initial: 1, final: 0}\n"
    )
    assert document.origin == "Example cosine"


def test_rates_that_are_no_short_multiples() -> None:
    document = run().document(WARM, origin="cosine", base=0.07, steps=100)
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 0.1, length: 10}\n"
        "- cosine: {initial: 0.1, final: 0}\n"
    )


def test_multiples_of_an_unknown_base() -> None:
    document = run().document(constant(0.1 + 0.2), origin="x", base=None)
    assert body(document) == "lrspec: 1\nschedule:\n  constant: {value: 0.3}\n"


def test_settings_and_facts() -> None:
    given = run(batch_size=4, sequence_length=8)
    document = given.document(
        linear(1, 0, "10 epochs"),
        origin="x",
        base=1,
        steps="20 epochs",
        training={"steps_per_epoch": 3, "sequence_length": None},
        sample="end",
        rounding="floor",
        axis="steps",
    )
    assert body(document) == (
        "lrspec: 1\n"
        "base: 1\n"
        "sample: end\n"
        "rounding: floor\n"
        "training: {steps: 20 epochs, batch_size: 4, sequence_length: 8, steps_per_epoch: 3}\n"
        "schedule:\n"
        "  linear: {initial: 1, final: 0, length: 10 epochs}\n"
    )


@pytest.mark.parametrize(
    ("base", "written"),
    [(0.1, "base: {lr: 0.1, momentum: absolute}\n"), (None, "base: {momentum: absolute}\n")],
)
def test_several_hyperparameters(base: float | None, written: str) -> None:
    document = run().document(
        constant(0.2), origin="x", base=base, others={"momentum": constant(0.1 + 0.2)}
    )
    value = 0.2 if base is None else 2
    assert body(document) == (
        f"lrspec: 1\n{written}"
        "schedules:\n"
        f"  lr:\n    constant: {{value: {value}}}\n"
        "  momentum:\n    constant: {value: 0.3}\n"
    )


def test_a_default_is_told_where_it_is_taken() -> None:
    given = run()
    assert given.usual(config(), "lr", 0.5) == 0.5
    assert given.notes == []
    assert given.usual(config(), "null", "linear") == "linear"
    assert given.notes == ["null is left out: Example takes linear."]


def test_epochs_of_which_the_steps_are_not_known() -> None:
    given = run()
    given.has_epochs = True
    assert refusal(lambda: given.needs_steps(config(), why="it ends")) == (
        "missing-fact it ends; give --steps (in Python steps=…);"
        " or --steps-per-epoch, for its epochs"
    )


def test_notes_go_with_the_document() -> None:
    given = run()
    given.say("One.")
    assert given.document(constant(1), origin="x", base=None).notes == ("One.",)


def test_a_document_that_is_none_is_refused() -> None:
    with pytest.raises(SpecError):
        run().document(constant(1e305), origin="x", base=1e305)
