"""What of optax is refused, and what the message says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.importers.test_optax import CURVES
from tests.importers.trainers import assert_survives, refused

from lrspec.importers.optax import load

COSINE = {"init_value": 1, "peak_value": 2, "warmup_steps": 5, "decay_steps": 5}


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("reduce_on_plateau()", "not-importable", "follows a metric of the run, not its steps"),
        ("lambda step: 0.1", "not-importable", "the schedule is code of the user"),
        ("cosine_schedule(1, 2)", "unknown-schedule", "'cosine_schedule' is not known; known are"),
        ("cosine_decay_schedul", "unknown-schedule", "unknown schedule 'cosine_decay_schedul'"),
        ("linear_schedule(0, 1", "unknown-schedule", "is no expression of Python"),
        ("linear_schedule(0, 1, 10 * n)", "unknown-schedule", "'10 * n' is to be computed"),
        ("multi_transform({'a': sgd(1)}, f)", "unknown-schedule", "has several optimizers"),
        ("linear_schedule(0, 1, 2, 3, 4)", "unknown-schedule", "found 5 arguments"),
        ("linear_schedule(0, 1)", "missing-field", "'transition_steps' is required"),
        ("linear_schedule(0, 1, 2, steps=3)", "unknown-field", "'steps' is not known here"),
        ("linear_schedule('a', 1, 2)", "wrong-type", "expected a number, found"),
        ("polynomial_schedule(1, 0, -1, 5)", "not-importable", "with a negative power the rate"),
        ("cosine_decay_schedule(1, 0)", "out-of-range", "expected more than 0, found 0"),
        ("cosine_decay_schedule(1, 5, 0, -1)", "not-importable", "with a negative exponent"),
        ("exponential_decay(1, 5, -1)", "not-importable", "powers of a negative decay_rate"),
        ("join_schedules([], [])", "wrong-type", "expected a list of schedules"),
        ("join_schedules([1, 2], [])", "values-number", "2 schedules take 1 boundaries, found 0"),
        ("join_schedules([1, 2], [-1])", "wrong-type", "expected a whole number of at least 0"),
        ("join_schedules([1, f()], [1])", "unknown-schedule", "'f' is not known; known are"),
        ("join_schedules([1, 'f()'], [1])", "unknown-schedule", "'f' is not known; known are"),
        ("join_schedules([1, {'name': 'f'}], [1])", "unknown-schedule", "unknown schedule 'f'"),
        ("sgdr_schedule([])", "too-few-items", "there is at least one cycle"),
        ("linear_onecycle_schedule(0, 1)", "out-of-range", "expected at least 1, found 0"),
        ("piecewise_constant_schedule(1, {1: -1})", "out-of-range", "expected at least 0"),
        ("piecewise_constant_schedule(1, {'a': 1})", "wrong-type", "a boundary is a number of"),
        ("piecewise_constant_schedule(1, {1: 2, '1.0': 2})", "boundaries-order", "stands twice"),
        ("piecewise_interpolate_schedule('cubic', 1)", "wrong-value", "unknown interpolate_type"),
        (
            "piecewise_interpolate_schedule('linear', 1, {1.5: 2})",
            "out-of-range",
            "a boundary is a whole number of at least 0, found 1.5",
        ),
    ],
)
def test_what_is_refused(text: str, code: str, message: str) -> None:
    problem = refused(load, {}, schedule=text)
    assert (problem.code, message in problem.message) == (code, True), problem


@pytest.mark.parametrize(
    ("config", "code", "message"),
    [
        ({"model": {}}, "missing-field", "no schedule is named here"),
        ({"name": "warmup_cosine_decay_schedule", **COSINE}, "out-of-range", "decay_steps include"),
        ({"name": "cosine_decay_schedul"}, "unknown-schedule", "unknown schedule"),
        ({"_target_": "optax.lambda"}, "unknown-schedule", "unknown schedule 'lambda'"),
        ({"learning_rate": abs}, "wrong-type", "found builtin_function_or_method"),
        (
            {"name": "linear_schedule", "init_value": 1, "end_value": 2, "transition_step": 3},
            "missing-field",
            "'transition_steps' is required",
        ),
    ],
)
def test_mappings_that_are_refused(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_hints() -> None:
    hint = "did you mean 'cosine_decay_schedule'?"
    assert refused(load, {"name": "cosine_decay_schedul"}).hint == hint
    config = {"name": "constant_schedule", "value": 1, "values": 2}
    assert refused(load, config).hint == "did you mean 'value'?"


def test_a_base_is_refused() -> None:
    problem = refused(load, {"learning_rate": 0.1}, base=0.1)
    assert problem.message == "the rates of optax are absolute; there is no base beside"


@pytest.mark.parametrize("name", CURVES)
def test_any_value_is_refused_or_read(name: str) -> None:
    assert_survives(load, CURVES[name][0], schedule=name.partition(" ")[0])


def test_any_schedule_is_refused_or_read() -> None:
    assert_survives(load, {"learning_rate": {"name": "constant_schedule", "value": 1}})
    assert_survives(load, {"optimizer": {"schedule": "linear_schedule(0, 1, 2)"}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chain(clip(1))", "a chain with 0 rates has not one rate"),
        ("chain(sgd(0.1), sgd(0.2))", "a chain with 2 rates has not one rate"),
        ("chain(sgd(0.1), scale(0.5))", "a chain with a factor of the rate is not read"),
        ("chain(sgd(0.1), scale(step_size=-1))", "a chain with a factor of the rate is not read"),
        ("MultiSteps()", "'MultiSteps' is not known"),
    ],
)
def test_chains_that_are_refused(text: str, message: str) -> None:
    problem = refused(load, {"schedule": text})
    assert problem.code == "unknown-schedule"
    assert message in problem.message


def test_a_fixed_rate_beside_what_says_that_it_changes_is_refused() -> None:
    problem = refused(load, {"optimizer": "adamw", "learning_rate": 1e-3, "warmup_steps": 100})
    assert (problem.code, problem.path) == ("conflicting-fields", "/warmup_steps")
    assert problem.message == (
        "'warmup_steps' stands beside 'learning_rate', which is a fixed rate"
    )
    assert problem.hint == "write the schedule in 'learning_rate', by the name of its function"
    problem = refused(load, {"optimizer": {"learning_rate": 1e-3}, "lr_scheduler": {"name": "x"}})
    assert problem.path == "/lr_scheduler"
    beside = {"warmup_steps": 0, "weight_decay": 0.1, "scheduler": None}
    assert load({"learning_rate": 1e-3, **beside}).bind()(5) == 1e-3


def test_hints_for_names_in_calls() -> None:
    problem = refused(load, {}, schedule="optax.warmup_cosine_schedule(0, 1, 2, 3)")
    assert problem.hint == "did you mean 'warmup_cosine_decay_schedule'?"
    places = "'name', 'schedule', 'lr_schedule' or 'learning_rate'"
    assert refused(load, {}).hint == f"name its function in {places}, or with --schedule"
