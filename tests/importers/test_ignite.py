"""ignite's schedulers become documents; the peers' tests call ignite beside them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.ignite import load

COSINE: dict[str, Any] = {
    "cls": "CosineAnnealingScheduler",
    "start_value": 0.1,
    "end_value": 0.01,
    "cycle_size": 20,
}


def test_lines_between_points() -> None:
    points = [(10, 0.5), (20, 0.45), (21, 0.3), (30, 0.1), (40, 0.1)]
    document = load({"cls": "PiecewiseLinear", "param_name": "lr", "milestones_values": points})
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "schedule:\n"
        "  piecewise_linear:\n"
        "    boundaries: [10, 20, 21, 30, 40]\n"
        "    values: [0.5, 0.45, 0.3, 0.1, 0.1]\n"
    )


def test_of_two_points_at_one_step_the_later_one_holds() -> None:
    points = [[2, 1.0], [4, 0.5], [4, 0.25], [6, 0.0]]
    curve = load({"cls": "PiecewiseLinear", "milestones_values": points}).bind()
    assert [curve(step) for step in range(8)] == [1, 1, 1, 0.75, 0.25, 0.125, 0, 0]


def test_another_hyperparameter() -> None:
    document = load({**COSINE, "param_name": "momentum"})
    assert document.names == ("momentum",)
    assert document.bind(name="momentum")(10) == pytest.approx(0.055)


def test_another_hyperparameter_keeps_what_is_known() -> None:
    """The rounding of its cycles, 20, 30, 45 and 67 steps long, and the length of the run."""
    config = {**COSINE, "param_name": "momentum", "cycle_mult": 1.5}
    document = load(config, steps=200)
    assert body(document) == (
        "lrspec: 1\n"
        "base: {momentum: absolute}\n"
        "rounding: floor\n"
        "training: {steps: 200}\n"
        "schedules:\n"
        "  momentum:\n"
        "    repeat:\n"
        "      period: 20\n"
        "      stretch: 1.5\n"
        "      schedule:\n"
        "        cosine: {initial: 0.1, final: 0.01}\n"
    )

    def rate(step: int) -> float:
        size = 20
        while step >= size:
            step, size = step - size, int(size * 1.5)
        return 0.01 + 0.045 * (1 + math.cos(math.pi * step / size))

    assert_curve(document, rate, range(200), name="momentum")


MOMENTUM = {**COSINE, "param_name": "momentum"}


@pytest.mark.parametrize(
    "config",
    [
        {"schedulers": [MOMENTUM, MOMENTUM]},
        {"schedulers": [COSINE, MOMENTUM]},
        {"schedulers": [COSINE, COSINE], "param_name": "momentum"},
    ],
)
def test_the_hyperparameter_stands_in_the_members(config: dict[str, Any]) -> None:
    document = load({"cls": "ConcatScheduler", "durations": [7], **config})
    assert document.names == ("momentum",)
    assert_curve(
        document, lambda s: warming(s if s < 7 else (s - 7) % 20), range(27), name="momentum"
    )


@pytest.mark.parametrize("points", [[[0, 0.25]], [[7, 0.25]], [[0, 0.25], [9, 0.25]]])
def test_one_value(points: list[list[float]]) -> None:
    document = load({"cls": "PiecewiseLinear", "milestones_values": points})
    assert_curve(document, lambda s: 0.25, range(20))


def test_cycles_from_nothing_to_nothing() -> None:
    config = {**COSINE, "start_value": 0.0, "end_value": 0.0, "end_value_mult": 0.5}
    assert_curve(load(config), lambda s: 0.0, range(50))


@pytest.mark.parametrize("curved", [True, False])
def test_cycles_with_a_warmup_that_grows(curved: bool) -> None:
    """20 steps and 4 of warmup, 30 and 6, 45 and 9, … each int(1.5·) of the one before."""
    kind = {} if curved else {"cls": "LinearCyclicalScheduler", "monotonic": True}
    config = {**COSINE, **kind, "cycle_mult": 1.5, "start_value_mult": 0.5, "warmup_duration": 4}
    document = load(config, steps=120)
    assert "The cycles are written one by one, as far as step 120." in document.notes

    def rate(step: int) -> float:
        start, size, warmup = 0.1, 20, 4
        while step >= size + warmup:
            step -= size + warmup
            start, size, warmup = start * 0.5, int(size * 1.5), int(warmup * 1.5)
        if step > size:
            return 0.01 + (start * 0.5 - 0.01) * (step - size) / warmup
        passed = step / size
        return start + (0.01 - start) * ((1 - math.cos(math.pi * passed)) / 2 if curved else passed)

    assert_curve(document, rate, range(121))


def test_cycles_of_rounded_lengths() -> None:
    config = {**COSINE, "cls": "LinearCyclicalScheduler", "monotonic": True, "cycle_mult": 1.5}
    document = load(config)
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "rounding: floor\n"
        "schedule:\n"
        "  repeat:\n"
        "    period: 20\n"
        "    stretch: 1.5\n"
        "    schedule:\n"
        "      linear: {initial: 0.1, final: 0.01}\n"
    )
    # 20, 30, 45 and 67 steps.
    assert document.bind()(162) == 0.1


def test_a_warmup_before_a_scheduler_of_torch() -> None:
    config = {
        "fn": "create_lr_scheduler_with_warmup",
        "lr_scheduler": {"cls": "StepLR", "lr": 0.3, "step_size": 30, "gamma": 0.1},
        "warmup_start_value": 0.0,
        "warmup_duration": 10,
    }
    document = load(config)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.3\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 9}\n"
        "- exponential: {rate: 0.1, every: 30, staircase: true}\n"
    )
    assert document.notes[-2] == "The warmup ends at step 9: it takes warmup_duration − 1 steps."


@pytest.mark.parametrize(("step", "rates"), [(0, [0, 2, 2, 2]), (1, [0, 2, 1, 2])])
def test_a_warmup_that_ends_at_another_rate_than_the_first(step: int, rates: list[float]) -> None:
    points = [[step, 1.0], [step, 2.0]]
    config = {
        "fn": "create_lr_scheduler_with_warmup",
        "lr_scheduler": {"cls": "PiecewiseLinear", "milestones_values": points},
        "warmup_start_value": 0.0,
        "warmup_end_value": 2.0,
        "warmup_duration": 2,
    }
    curve = load(config).bind()
    assert [curve(s) for s in range(4)] == rates


def fading(s: int) -> float:
    cycle, x = divmod(s, 20)
    weight = (1 - math.cos(math.pi * x / 20)) / 2
    return 0.1 * 0.5**cycle * (1 - weight) + 0.01 * 0.8**cycle * weight


def warming(s: int) -> float:
    x = s % 25
    if x <= 20:
        return 0.1 + (0.01 - 0.1) / 2 * (1 - math.cos(math.pi * x / 20))
    return 0.01 + (0.1 - 0.01) * (x - 20) / 5


FORMULAS: list[tuple[dict[str, Any], Callable[[int], float]]] = [
    ({**COSINE, "start_value_mult": 0.5, "end_value_mult": 0.8}, fading),
    ({**COSINE, "warmup_duration": 5}, warming),
    (
        {**COSINE, "cls": "LinearCyclicalScheduler", "cycle_size": 7},
        lambda s: 0.01 + 0.09 * abs(s % 7 / 7 - 0.5) * 2,
    ),
    (
        {
            "cls": "LRScheduler",
            "lr_scheduler": {"cls": "ExponentialLR", "lr": 0.3, "gamma": 0.9},
        },
        lambda s: 0.3 * 0.9 ** (s + 1),
    ),
    (
        {
            "cls": "ConcatScheduler",
            "schedulers": [COSINE, {**COSINE, "cls": "LinearCyclicalScheduler", "cycle_size": 8}],
            "durations": [12],
        },
        lambda s: warming(s) if s < 12 else 0.01 + 0.09 * abs((s - 12) % 8 / 8 - 0.5) * 2,
    ),
]


@pytest.mark.parametrize(("config", "formula"), FORMULAS)
def test_formula(config: dict[str, Any], formula: Callable[[int], float]) -> None:
    assert_curve(load(config), formula, range(60))


CONCAT = {"cls": "ConcatScheduler", "schedulers": [COSINE, COSINE]}
STEP = {"cls": "StepLR", "lr": 0.1, "step_size": 3}
PROBLEMS: list[tuple[dict[str, Any], str, str]] = [
    ({"cls": "ReduceLROnPlateauScheduler"}, "not-importable", "a metric"),
    ({"cls": "ParamGroupScheduler"}, "not-importable", "one by one"),
    ({"cls": "StepLR", "step_size": 3}, "not-importable", "calls it through LRScheduler"),
    ({"cls": "LRScheduler", "lr_scheduler": {**STEP, "cls": "SWALR"}}, "not-importable", "SWALR"),
    ({"cls": "LRScheduler", "lr_scheduler": {"cls": "StepLR", "step_size": 3}}, "missing-fact", ""),
    ({**CONCAT, "durations": [0]}, "not-importable", "whose duration is 0"),
    ({**CONCAT, "durations": []}, "values-number", "one duration less"),
    (
        {**CONCAT, "schedulers": [COSINE, {**COSINE, "cycle_mult": 1.5}], "durations": [20]},
        "not-importable",
        "cycles of rounded lengths are beside others that are not rounded",
    ),
    (
        {**CONCAT, "schedulers": [{**COSINE, "param_name": "lr"}, MOMENTUM], "durations": [9]},
        "conflicting-fields",
        "schedulers that belong together are for one param_name, found lr and momentum",
    ),
    (
        {**CONCAT, "schedulers": [COSINE, MOMENTUM], "durations": [9], "param_name": "lr"},
        "conflicting-fields",
        "schedulers that belong together are for one param_name, found momentum and lr",
    ),
    (
        {**CONCAT, "schedulers": [COSINE, {"cls": "LRScheduler"}], "durations": [3]},
        "not-importable",
        "goes on from whatever rate",
    ),
    ({**COSINE, "cycle_size": 1}, "out-of-range", "at least 2"),
    ({**COSINE, "cycle_sise": 9}, "unknown-field", "'cycle_sise'"),
    (
        {**COSINE, "cls": "LinearCyclicalScheduler", "warmup_duration": 3},
        "conflicting-fields",
        "monotonic",
    ),
    ({**COSINE, "cycle_mult": 0.5}, "missing-fact", "takes the steps"),
    ({"cls": "PiecewiseLinear", "milestones_values": [[3, 1], [2, 1]]}, "boundaries-order", "less"),
    ({"cls": "PiecewiseLinear", "milestones_values": [[3]]}, "wrong-type", "a step and a value"),
    ({"cls": "PiecewiseLinear", "milestones_values": []}, "wrong-type", "list of pairs"),
]


@pytest.mark.parametrize(("config", "code", "message"), PROBLEMS)
def test_problem(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_cycles_that_become_too_short() -> None:
    problem = refused(load, {**COSINE, "cycle_mult": 0.5}, steps=100)
    assert "too short" in problem.message


def test_bad_values_are_problems() -> None:
    assert_survives(load, {**COSINE, "cycle_mult": 1.5, "end_value_mult": 0.5}, steps=50)
