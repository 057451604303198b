"""Paddle's schedulers become documents; the peers' tests step Paddle beside them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.paddle import load

POLYNOMIAL = {"cls": "PolynomialDecay", "learning_rate": 0.5, "decay_steps": 20, "end_lr": 0}


def test_a_warmup_before_a_decay() -> None:
    config = {"cls": "LinearWarmup", "warmup_steps": 20, "start_lr": 0, "end_lr": 0.5}
    document = load({**config, "learning_rate": POLYNOMIAL})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.5\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 20}\n"
        "- linear: {final: 0, length: 20}\n"
    )
    assert "Not given, so as paddle has it: power 1." in document.notes
    held = load({**config, "learning_rate": 0.4})
    assert [held.bind()(step) for step in (0, 10, 20, 99)] == [0, 0.25, 0.4, 0.4]


def test_noam() -> None:
    document = load({"d_model": 512, "warmup_steps": 4000}, schedule="NoamDecay")
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0006987712429686843\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 4000}\n"
        "- inverse_sqrt: {timescale: 4000}\n"
    )


RATE = {"learning_rate": 0.5}


def cycling(s: int) -> float:
    length = 7 * max(math.ceil(s / 7), 1)
    return 0.4 * (1 - s / length) ** 2 + 0.1


FORMULAS: list[tuple[dict[str, Any], Callable[[int], float]]] = [
    ({"cls": "NaturalExpDecay", **RATE, "gamma": 0.1}, lambda s: 0.5 * math.exp(-0.1 * s)),
    ({"cls": "InverseTimeDecay", **RATE, "gamma": 0.3}, lambda s: 0.5 / (1 + 0.3 * s)),
    ({"cls": "ExponentialDecay", **RATE, "gamma": 0.9}, lambda s: 0.5 * 0.9**s),
    ({"cls": "StepDecay", **RATE, "step_size": 9}, lambda s: 0.5 * 0.1 ** (s // 9)),
    (
        {"cls": "MultiStepDecay", **RATE, "milestones": [9, 20], "gamma": 0.5},
        lambda s: 0.5 * 0.5 ** ((s >= 9) + (s >= 20)),
    ),
    (
        {"cls": "PiecewiseDecay", "boundaries": [5, 9], "values": [1, 0.5, 7, 0.1]},
        lambda s: 1 if s < 5 else 0.5 if s < 9 else 0.1,
    ),
    (
        {**POLYNOMIAL, "decay_steps": 7, "end_lr": 0.1, "power": 2, "cycle": True},
        cycling,
    ),
    (
        {"cls": "CosineAnnealingDecay", **RATE, "T_max": 9},
        lambda s: 0.25 * (1 + math.cos(math.pi * s / 9)),
    ),
    (
        {"cls": "MultiplicativeDecay", **RATE, "lr_lambda": "lambda x: 0.95"},
        lambda s: 0.5 * 0.95**s,
    ),
    (
        {"cls": "LinearLR", **RATE, "total_steps": 9, "start_factor": 0.5},
        lambda s: 0.5 * (0.5 + 0.5 * min(s, 9) / 9),
    ),
]


@pytest.mark.parametrize(("config", "formula"), FORMULAS)
def test_formula(config: dict[str, Any], formula: Callable[[int], float]) -> None:
    assert_curve(load(config, steps=60), formula, range(60))


CYCLE = {"cls": "OneCycleLR", "max_learning_rate": 1.0, "total_steps": 10}
WARMUP = {"cls": "LinearWarmup", "learning_rate": 0.5, "warmup_steps": 3}
PROBLEMS: list[tuple[dict[str, Any], str, str]] = [
    ({"cls": "ReduceOnPlateau"}, "not-importable", "a metric"),
    ({"cls": "LambdaDecay"}, "not-importable", "function of the user's"),
    (
        {"cls": "MultiplicativeDecay", **RATE, "lr_lambda": "lambda x: x"},
        "not-importable",
        "function of the user's",
    ),
    ({"cls": "ExponentialDecay", **RATE, "gamma": 1.0}, "out-of-range", "less than 1"),
    ({"cls": "ExponentialDecay", **RATE, "gamma": 0.9, "gama": 1}, "unknown-field", "'gama'"),
    ({"cls": "MultiStepDecay", **RATE, "milestones": [3, 3]}, "boundaries-order", "increase"),
    ({"cls": "PiecewiseDecay", "boundaries": [3], "values": [1]}, "values-number", "a value more"),
    (
        {"cls": "PiecewiseDecay", "boundaries": [3, 2], "values": [1, 2, 3]},
        "boundaries-order",
        "increase",
    ),
    ({**POLYNOMIAL, "cycle": True}, "missing-fact", "takes the steps"),
    ({**WARMUP, "start_lr": 1, "end_lr": 1}, "out-of-range", "more than start_lr"),
    ({**CYCLE, "three_phase": True, "phase_pct": 0.5}, "out-of-range", "less than 0.5"),
    ({**CYCLE, "divide_factor": 0}, "out-of-range", "divides the rate"),
    ({**CYCLE, "phase_pct": 0.1}, "not-importable", "divides by zero"),
    (
        {
            "cls": "CyclicLR",
            "base_learning_rate": 0.1,
            "max_learning_rate": 1,
            "step_size_up": 3,
            "scale_fn": "f",
        },
        "not-importable",
        "function of the user's",
    ),
]


@pytest.mark.parametrize(("config", "code", "message"), PROBLEMS)
def test_problem(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_bad_values_are_problems() -> None:
    assert_survives(
        load, {**WARMUP, "learning_rate": POLYNOMIAL, "start_lr": 0, "end_lr": 1}, steps=50
    )
