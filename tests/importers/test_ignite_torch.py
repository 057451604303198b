"""Schedulers of torch inside ignite: LRScheduler, and a warmup before them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, refused

from lrspec.importers.ignite import load

Config = dict[str, Any]


def half_cosine(high: float, low: float, share: float) -> float:
    return low + (high - low) * (1 + math.cos(math.pi * share)) / 2


# ignite asks each of them for its rate at step 0 again: what multiplies there does so twice.
APPLIED_ONCE_MORE: dict[str, tuple[Config, float, Callable[[int], float]]] = {
    "ExponentialLR": ({"gamma": 0.9}, 0.9, lambda s: math.pow(0.9, s)),
    "LinearLR": (
        {"start_factor": 0.25, "total_iters": 6},
        0.25,
        lambda s: 0.25 + 0.75 * min(s, 6) / 6,
    ),
    "LinearLR, by default": ({}, 1 / 3, lambda s: 1 / 3 + 2 / 3 * min(s, 5) / 5),
    "ConstantLR": ({"factor": 0.5, "total_iters": 4}, 0.5, lambda s: 0.5 if s < 4 else 1),
    "PolynomialLR": (
        {"total_iters": 6, "power": 2},
        (6 / 7) ** 2,
        lambda s: (1 - min(s, 6) / 6) ** 2,
    ),
    "MultiStepLR": (
        {"milestones": [0, 0, 5], "gamma": 0.5},
        0.25,
        lambda s: 0.25 * (1 if s < 5 else 0.5),
    ),
    "MultiStepLR, later": ({"milestones": [5], "gamma": 0.5}, 1, lambda s: 1 if s < 5 else 0.5),
    "StepLR": ({"step_size": 4, "gamma": 0.5}, 1, lambda s: math.pow(0.5, s // 4)),
}


def of_torch(kind: str) -> tuple[Config, float, Callable[[int], float]]:
    config, factor, formula = APPLIED_ONCE_MORE[kind]
    return {"cls": kind.split(",")[0], "lr": 0.3, **config}, factor, formula


@pytest.mark.parametrize("kind", APPLIED_ONCE_MORE)
def test_the_first_factor_is_applied_once_more(kind: str) -> None:
    config, factor, formula = of_torch(kind)
    document = load({"cls": "LRScheduler", "lr_scheduler": config})
    assert_curve(document, lambda s: 0.3 * factor * formula(s), range(30))
    note = (
        f"ignite applies {config['cls']} once before the first update: the rate is {factor:.6g}"
        " times that of torch."
    )
    assert (note in document.notes) == (factor != 1)


@pytest.mark.parametrize("kind", APPLIED_ONCE_MORE)
def test_with_use_legacy_the_rates_are_those_of_torch(kind: str) -> None:
    """Called at the end of an iteration, from step 1 on."""
    config, _, formula = of_torch(kind)
    document = load({"cls": "LRScheduler", "use_legacy": True, "lr_scheduler": config})
    assert_curve(document, lambda s: 0.3 * formula(s), range(30))
    assert document.notes[-1] == (
        "A step is one call at the end of an iteration, as use_legacy asks for."
    )


@pytest.mark.parametrize("legacy", [False, True])
def test_restarts_begin_at_their_step_1(legacy: bool) -> None:
    config = {"cls": "CosineAnnealingWarmRestarts", "lr": 0.3, "T_0": 8, "eta_min": 0.02}
    document = load({"cls": "LRScheduler", "use_legacy": legacy, "lr_scheduler": config})
    first = 0 if legacy else 1
    assert ("ignite begins these restarts at their step 1." in document.notes) != legacy
    assert_curve(document, lambda s: half_cosine(0.3, 0.02, (s + first) % 8 / 8), range(40))


def test_the_first_value_of_a_cosine() -> None:
    """It is 2/(1 + cos(π/T)) times the rate in ignite, at that call alone, which a note says."""
    config = {"cls": "CosineAnnealingLR", "lr": 0.3, "T_max": 10, "eta_min": 0.02}
    document = load({"cls": "LRScheduler", "lr_scheduler": config})
    assert "The first value of ignite is a little more, from a step before the start." in (
        document.notes
    )
    assert_curve(document, lambda s: half_cosine(0.3, 0.02, s / 10), range(40))


def test_the_momentum_of_a_cycle_comes_along() -> None:
    config = {"cls": "CyclicLR", "lr": 0.3, "base_lr": 0.1, "max_lr": 0.5, "step_size_up": 4}
    document = load({"cls": "LRScheduler", "lr_scheduler": config})

    def up(step: int) -> float:
        return 1 - abs(step % 8 / 4 - 1)

    assert_curve(document, lambda s: 0.1 + 0.4 * up(s), range(30))
    assert_curve(document, lambda s: 0.9 - 0.1 * up(s), range(30), name="momentum")


def warmed(inner: Config, **beside: Any) -> Config:
    """Four steps from 0.05."""
    name = "create_lr_scheduler_with_warmup"
    rest = {"warmup_start_value": 0.05, "warmup_duration": 5, "lr_scheduler": inner}
    return {"fn": name, **rest, **beside}


@pytest.mark.parametrize("end", [None, 0.3, 0.2])
def test_a_warmup_before_a_scheduler_of_torch(end: float | None) -> None:
    """To the rate of the optimizer, or to another, from which one more step leads to that."""
    config = {"cls": "ExponentialLR", "lr": 0.3, "gamma": 0.9}
    top = 0.3 if end is None else end
    document = load(warmed(config, **({} if end is None else {"warmup_end_value": end})))

    def rate(step: int) -> float:
        if step < 5:
            return 0.05 + (top - 0.05) * step / 4
        return 0.3 * math.pow(0.9, step - (4 if top == 0.3 else 5))

    assert_curve(document, rate, range(30))


def test_a_warmup_to_the_rate_of_the_optimizer() -> None:
    """Which a scheduler of ignite leaves for its own first value after that."""
    points = {"cls": "PiecewiseLinear", "milestones_values": [[0, 0.1], [10, 0.6]]}

    def rate(step: int) -> float:
        if step < 5:
            return 0.05 + 0.25 * step / 4
        return 0.1 + 0.5 * min(step - 5, 10) / 10

    assert_curve(load(warmed({**points, "lr": 0.3})), rate, range(30))
    assert_curve(load(warmed(points), base=0.3), rate, range(30))


POINTS: Config = {"cls": "PiecewiseLinear", "milestones_values": [[0, 0.1], [10, 0.6]]}
STEP: Config = {"cls": "StepLR", "step_size": 3}
GOES_ON = "a scheduler of torch goes on from whatever rate the one before it left"
PROBLEMS: list[tuple[Config, str, str, str]] = [
    (
        {"cls": "LRScheduler", "lr_scheduler": {"cls": "PolynomialLR", "lr": 1, "total_iters": 0}},
        "not-importable",
        "/lr_scheduler/total_iters",
        "ignite divides by total_iters, and it is 0",
    ),
    (
        warmed({"cls": "OneCycleLR", "lr": 0.3, "max_lr": 0.5, "total_steps": 20}),
        "not-importable",
        "/lr_scheduler/cycle_momentum",
        "OneCycleLR with a momentum of its own under a warmup",
    ),
    (
        warmed({"cls": "LRScheduler", "lr_scheduler": {**STEP, "lr": 0.3}}),
        "not-importable",
        "/lr_scheduler",
        GOES_ON,
    ),
    (
        warmed({**POINTS, "param_name": "momentum", "lr": 0.3}),
        "conflicting-fields",
        "/lr_scheduler/param_name",
        "schedulers that belong together are for one param_name, found lr and momentum",
    ),
    (
        {"cls": "LRScheduler", "param_name": "momentum", "lr_scheduler": {**STEP, "lr": 0.3}},
        "conflicting-fields",
        "/param_name",
        "schedulers that belong together are for one param_name, found lr and momentum",
    ),
]


@pytest.mark.parametrize(("config", "code", "path", "message"), PROBLEMS)
def test_problem(config: Config, code: str, path: str, message: str) -> None:
    problem = refused(load, config)
    assert (problem.code, problem.path, problem.message) == (code, path, message)


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (warmed(STEP), "StepLR of torch goes by the rate of the optimizer"),
        (warmed(STEP, warmup_end_value=0.2), "StepLR of torch goes by the rate of the optimizer"),
        (
            {"cls": "LRScheduler", "lr_scheduler": STEP},
            "StepLR of torch goes by the rate of the optimizer",
        ),
        (warmed(POINTS), "the warmup ends at the optimizer's rate"),
    ],
)
def test_the_rate_of_the_optimizer_is_needed(config: Config, why: str) -> None:
    problem = refused(load, config)
    assert (problem.code, why in problem.message) == ("missing-fact", True), problem
