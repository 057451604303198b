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


def test_restarts_below_a_warmup() -> None:
    """Half a cosine of 6, 12, 24, … steps after the 10 of the warmup."""
    config = {"cls": "LinearWarmup", "warmup_steps": 10, "start_lr": 0.1, "end_lr": 0.5}
    inner = {"cls": "CosineAnnealingWarmRestarts", "T_0": 6, "T_mult": 2, "eta_min": 0.05}
    document = load({**config, "learning_rate": {**inner, "learning_rate": 0.4}})
    assert (
        "Under a warmup Paddle finds a restart by a logarithm, which may miss its step."
    ) in document.notes

    def rate(step: int) -> float:
        if step < 10:
            return 0.1 + 0.4 * step / 10
        step, length = step - 10, 6
        while step >= length:
            step, length = step - length, 2 * length
        return 0.05 + (0.4 - 0.05) * (1 + math.cos(math.pi * step / length)) / 2

    assert_curve(document, rate, range(60))


def one_cycle(step: int, first: float) -> float:
    """Of 20 steps: 0.04 → 1 up to step `first`, then down to 1e-4 at step 19."""
    start, end, passed = 0.04, 1.0, step / first
    if step > first:
        start, end, passed = 1.0, 1e-4, (step - first) / (19 - first)
    return start + (end - start) * (1 - math.cos(math.pi * passed)) / 2


@pytest.mark.parametrize(("share", "goes_on"), [(0.3, True), (0.95, True), (1.0, False)])
def test_one_cycle(share: float, goes_on: bool) -> None:
    """Its end is a rate of its own; where the first phase takes all of the run, there is none."""
    document = load({**CYCLE, "total_steps": 20, "phase_pct": share})
    assert_curve(document, lambda s: one_cycle(s, share * 20 - 1), range(20))
    note = "The formula goes on beyond step 19; Paddle stops after step 20."
    assert (note in document.notes) == goes_on


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
    (
        {**POLYNOMIAL, "cycle": True, "steps": 20_020},
        "not-importable",
        "1001 decays are too many to write one by one",
    ),
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
    facts = {key: config[key] for key in config if key == "steps"}
    given = {key: config[key] for key in config if key != "steps"}
    problem = refused(load, given, **facts)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_bad_values_are_problems() -> None:
    assert_survives(
        load, {**WARMUP, "learning_rate": POLYNOMIAL, "start_lr": 0, "end_lr": 1}, steps=50
    )
