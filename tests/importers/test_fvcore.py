"""fvcore's schedulers become documents; the peers' tests ask fvcore beside them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.fvcore import load

LINE = {"cls": "LinearParamScheduler", "start_value": 0.1, "end_value": 1}
COSINE = {"cls": "CosineParamScheduler", "start_value": 1, "end_value": 0}


def composite(*members: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return {"cls": "CompositeParamScheduler", "schedulers": [*members], **settings}


def test_phases_in_percent() -> None:
    config = composite(LINE, COSINE, lengths=[0.05, 0.95], interval_scaling=["rescaled"] * 2)
    document = load({**config, "base_lr": 0.3})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.3\n"
        "schedule:\n"
        "- linear: {initial: 0.1, final: 1, length: 5%}\n"
        "- cosine: {final: 0}\n"
    )
    assert_curve(
        load({**config, "max_iter": 40}),
        lambda s: 0.1 + 0.9 * s / 2 if s < 2 else 0.5 * (1 + math.cos(math.pi * (s - 2) / 38)),
        range(40),
    )


def test_a_phase_that_is_read_at_its_share_of_the_run() -> None:
    config = composite(LINE, COSINE, lengths=[0.25, 0.75], interval_scaling=["rescaled", "fixed"])
    assert_curve(
        load({**config, "max_iter": 40}),
        lambda s: 0.1 + 0.9 * s / 10 if s < 10 else 0.5 * (1 + math.cos(math.pi * s / 40)),
        range(40),
    )


MEMBERS: list[tuple[dict[str, Any], Callable[[float], float]]] = [
    (COSINE, lambda where: 0.5 * (1 + math.cos(math.pi * where))),
    (LINE, lambda where: 0.1 + 0.9 * where),
    ({"cls": "ConstantParamScheduler", "value": 0.25}, lambda where: 0.25),
    (
        {"cls": "PolynomialDecayParamScheduler", "base_value": 1, "power": 2},
        lambda where: (1 - where) ** 2,
    ),
    (
        {"cls": "StepParamScheduler", "values": [1, 0.3, 0.2], "num_updates": 9},
        lambda where: 1 if where < 1 / 3 else 0.3 if where < 2 / 3 else 0.2,
    ),
]


@pytest.mark.parametrize(("member", "formula"), MEMBERS)
def test_a_first_phase_that_is_read_at_its_share_of_the_run(
    member: dict[str, Any], formula: Callable[[float], float]
) -> None:
    """It breaks off where the phase ends; between two others it begins in the middle."""
    scaling = ["fixed", "rescaled"]
    config = composite(member, LINE, lengths=[0.4, 0.6], interval_scaling=scaling)
    assert_curve(
        load({**config, "max_iter": 40}),
        lambda s: formula(s / 40) if s < 16 else 0.1 + 0.9 * (s - 16) / 24,
        range(40),
    )
    scaling = ["rescaled", "fixed", "rescaled"]
    config = composite(LINE, member, LINE, lengths=[0.25, 0.5, 0.25], interval_scaling=scaling)

    def rate(step: int) -> float:
        if 10 <= step < 30:
            return formula(step / 40)
        return 0.1 + 0.9 * (step / 10 if step < 10 else (step - 30) / 10)

    assert_curve(load({**config, "max_iter": 40}), rate, range(40))


def test_a_phase_of_no_length_is_left_out() -> None:
    config = composite(LINE, COSINE, LINE, lengths=[0.5, 0, 0.5])
    document = load({**config, "max_iter": 40})
    assert_curve(document, lambda s: 0.1 + 0.9 * (s % 20) / 20, range(40))
    assert "interval_scaling is not given, so every scheduler is rescaled to its phase." in (
        document.notes
    )


@pytest.mark.parametrize(
    ("settings", "bounds"),
    [
        # Three values over 10 updates: ⌈10/3⌉ for each.
        ({"num_updates": 10}, (16, 32)),
        ({"milestones": [3, 7, 10]}, (12, 28)),
        ({"milestones": [3, 7], "num_updates": 10}, (12, 28)),
    ],
)
def test_the_length_of_steps_is_given_in_three_ways(
    settings: dict[str, Any], bounds: tuple[int, int]
) -> None:
    config = {"cls": "MultiStepParamScheduler", "values": [1, 0.3, 0.2], **settings}
    assert_curve(
        load({**config, "max_iter": 40}),
        lambda s: (1, 0.3, 0.2)[sum(s >= bound for bound in bounds)],
        range(40),
    )
    assert load(config).bind().steps == 10


def test_a_run_with_fewer_steps_than_values() -> None:
    """Those whose turn lies between two steps, or after the last one, are never seen."""
    steps = {"cls": "StepParamScheduler", "values": [5, 4, 3, 2, 1], "num_updates": 50}
    assert_curve(load({**steps, "max_iter": 3}), lambda s: (5, 4, 2)[s], range(3))
    assert_curve(load({**steps, "max_iter": 1}), lambda s: 5, range(1))
    gammas = {"cls": "StepWithFixedGammaParamScheduler", "base_value": 1, "gamma": 0.5}
    assert_curve(
        load({**gammas, "num_decays": 6, "num_updates": 3}),
        lambda s: (1, 1 / 4, 1 / 16)[s],
        range(3),
    )


def test_steps_that_were_made_for_another_length() -> None:
    config = {"cls": "MultiStepParamScheduler", "values": [1, 0.1, 0.01], "milestones": [6, 8]}
    document = load({**config, "num_updates": 9, "base_lr": 0.1, "max_iter": 90})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 90}\n"
        "schedule:\n"
        "  piecewise_constant:\n"
        "    boundaries: [60, 80]\n"
        "    values: [1, 0.1, 0.01]\n"
    )


FORMULAS: list[tuple[dict[str, Any], Callable[[int], float]]] = [
    (
        {"cls": "ExponentialParamScheduler", "start_value": 2, "decay": 0.1},
        lambda s: 2 * math.pow(0.1, s / 40),
    ),
    (
        {"cls": "PolynomialDecayParamScheduler", "base_value": 2, "power": 0.9},
        lambda s: 2 * math.pow(1 - s / 40, 0.9),
    ),
    (
        {"cls": "StepParamScheduler", "values": [1, 0.3, 0.2], "num_updates": 40},
        lambda s: 1 if s < 14 else 0.3 if s < 27 else 0.2,
    ),
    (
        {
            "cls": "StepWithFixedGammaParamScheduler",
            "base_value": 1,
            "num_decays": 3,
            "gamma": 0.1,
            "num_updates": 40,
        },
        lambda s: math.pow(0.1, s // 10),
    ),
    ({"cls": "ExponentialParamScheduler", "start_value": 0, "decay": 0.5}, lambda s: 0),
    ({"cls": "ExponentialParamScheduler", "start_value": 2, "decay": 1}, lambda s: 2),
    ({"cls": "PolynomialDecayParamScheduler", "base_value": 2, "power": 0}, lambda s: 2),
]


@pytest.mark.parametrize(("config", "formula"), FORMULAS)
def test_formula(config: dict[str, Any], formula: Callable[[int], float]) -> None:
    assert_curve(load({**config, "max_iter": 40}), formula, range(40))


def test_a_long_run_says_how_early_a_phase_begins() -> None:
    config = composite(LINE, COSINE, lengths=[0.05, 0.95])
    (note,) = [n for n in load({**config, "max_iter": 3_000_000}).notes if "early" in n]
    assert "up to 3 steps early" in note


BAD = ["rescaled", "stretched"]
PROBLEMS: list[tuple[dict[str, Any], str, str]] = [
    ({"cls": "LinearParamSchedular"}, "unknown-schedule", "LinearParamSchedular"),
    ({**LINE, "end": 3}, "unknown-field", "'end'"),
    (composite(LINE, COSINE, lengths=[0.5]), "values-number", "as many lengths"),
    (composite(LINE, COSINE, lengths=[0.5, 0.4]), "out-of-range", "their sum is 1"),
    (composite(LINE, COSINE, lengths=[1, 0]), "out-of-range", "nothing is left"),
    (
        composite(LINE, COSINE, lengths=[0.5, 0.5], interval_scaling=BAD),
        "wrong-value",
        "unknown scaling",
    ),
    (
        composite(LINE, COSINE, lengths=[0.5, 0.5], interval_scaling="fixed"),
        "wrong-type",
        "expected a list of texts",
    ),
    (composite(composite(), lengths=[1]), "not-importable", "is not read"),
    (
        {"cls": "WarmupParamScheduler", "scheduler": composite()},
        "not-importable",
        "CompositeParamScheduler inside WarmupParamScheduler is not read",
    ),
    (
        {"cls": "ExponentialParamScheduler", "start_value": 1e-300, "decay": 1e-300},
        "not-importable",
        "the value falls to 0 in floats",
    ),
    (
        {
            "cls": "StepWithFixedGammaParamScheduler",
            "base_value": 1,
            "gamma": 0.5,
            "num_decays": 10**9,
            "num_updates": 9,
        },
        "not-importable",
        "1000000000 decays are too many to compute one by one",
    ),
    (
        {"cls": "MultiStepParamScheduler", "values": [], "milestones": []},
        "too-few-items",
        "there is no value in the list",
    ),
    (
        {"cls": "StepParamScheduler", "values": [], "num_updates": 9},
        "too-few-items",
        "there is no value in the list",
    ),
    (
        {"cls": "MultiStepParamScheduler", "values": [3, 2, 1], "num_updates": 2},
        "out-of-range",
        "3 values in 2 updates",
    ),
    ({"cls": "MultiStepParamScheduler", "values": [1, 2]}, "missing-field", "num_updates"),
    (
        {"cls": "MultiStepParamScheduler", "values": [1, 2], "milestones": [3]},
        "values-number",
        "2 values take 2 milestones",
    ),
    (
        {"cls": "MultiStepParamScheduler", "values": [1, 2], "milestones": [9], "num_updates": 9},
        "boundaries-order",
        "below the 9 updates",
    ),
    ({"cls": "ExponentialParamScheduler", "start_value": 1, "decay": 0}, "out-of-range", "0"),
]


@pytest.mark.parametrize(("config", "code", "message"), PROBLEMS)
def test_problem(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_steps_inside_a_composite_take_the_length() -> None:
    steps = {"cls": "StepParamScheduler", "values": [1, 0.3], "num_updates": 40}
    config = composite(LINE, steps, lengths=[0.5, 0.5])
    assert refused(load, config).code == "missing-fact"
    curve = load(config, steps=40).bind()
    assert [curve(step) for step in (19, 20, 29, 30)] == pytest.approx([0.955, 1, 1, 0.3])


def test_bad_values_are_problems() -> None:
    assert_survives(load, composite(LINE, COSINE, lengths=[0.5, 0.5]), steps=50)
