"""The length of an OLMo run in tokens, where it is not known how many an update takes."""

from __future__ import annotations

from typing import Any

from tests.importers.trainers import assert_curve, refused

from lrspec.importers.olmo_core import load

SCHEDULER = {"name": "linear_with_warmup", "warmup": 0, "alpha_f": 0.0}
CORE: dict[str, Any] = {
    "train_module": {"optim": {"lr": 0.4}, "scheduler": SCHEDULER},
    "trainer": {"max_duration": {"value": 3200, "unit": "tokens"}},
}


def test_the_steps_are_then_those_that_are_given() -> None:
    document = load(CORE, steps=100)
    assert document.bind().steps == 100
    assert_curve(document, lambda s: 0.4 * (1 - (s + 1) / 100), range(100))


def test_without_them_the_end_of_the_schedule_is_not_known() -> None:
    problem = refused(load, CORE)
    assert problem.code == "missing-fact"
    assert "the schedule ends with the run" in problem.message


def test_the_batch_makes_steps_of_tokens() -> None:
    document = load(CORE, batch_size=4, sequence_length=8)
    assert "3200 tokens are 100 steps of 32, rounded up." in document.notes
    assert_curve(document, lambda s: 0.4 * (1 - (s + 1) / 100), range(100))


def test_epochs_need_their_steps() -> None:
    epochs = {"max_duration": {"value": 2, "unit": "epochs"}}
    problem = refused(load, {**CORE, "trainer": epochs})
    assert str(problem.hint).endswith("or --steps-per-epoch, for its epochs")
    assert load({**CORE, "trainer": epochs}, steps_per_epoch=50).bind().steps == 100


def test_a_run_that_stops_before_its_schedule() -> None:
    trainer = {"max_duration": 100, "hard_stop": {"value": 40, "unit": "steps"}}
    document = load({**CORE, "trainer": trainer})
    assert document.bind().steps == 100
    says = "hard_stop ends the run before its schedule does, of which this is the whole."
    assert document.notes[0] == says
