"""optax's functions become documents with the rates that they give."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, body

from lrspec.importers.optax import load


def clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def half_cosine(u: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * u))


def warmup(t: float) -> float:
    return 0.1 + 0.9 * t / 10


def through(points: list[tuple[int, float]], step: int, weight: Callable[[float], float]) -> float:
    for (start, low), (end, high) in itertools.pairwise(points):
        if start <= step < end:
            return low + (high - low) * weight((step - start) / (end - start))
    return points[-1][1]


def line(u: float) -> float:
    return u


def wave(u: float) -> float:
    return 1 - half_cosine(u)


CYCLE = [(0, 0.04), (12, 1.0), (34, 0.04), (40, 4e-6)]
WAVE = [(0, 0.5), (20, 1.0), (40, 0.05)]
TABLE = {"20": 0.5, "5": 2.0, "30": 0.0}
KNOTS = [(0, 0.1), (5, 0.2), (20, 0.1), (30, 0.0)]
MANY = {str(10 * i): 0.5 for i in range(1, 8)}
RISE = {"init_value": 0.1, "peak_value": 1.0, "warmup_steps": 10}

CURVES: dict[str, tuple[dict[str, Any], Callable[[int], float]]] = {
    "constant_schedule": ({"value": 0.3}, lambda s: 0.3),
    "linear_schedule": (
        {"init_value": 0.0, "end_value": 0.5, "transition_steps": 20, "transition_begin": 3},
        lambda s: 0.5 * clip((s - 3) / 20, 0, 1),
    ),
    "linear_schedule without steps": (
        {"init_value": 0.2, "end_value": 0.5, "transition_steps": 0},
        lambda s: 0.2,
    ),
    "linear_schedule before 0": (
        {"init_value": 0.2, "end_value": 0.5, "transition_steps": 9, "transition_begin": -4},
        lambda s: 0.2 + 0.3 * min(s / 9, 1),
    ),
    "polynomial_schedule": (
        {"init_value": 1.0, "end_value": 0.1, "transition_steps": 30, "power": 2.5},
        lambda s: 0.1 + 0.9 * math.pow(1 - min(s / 30, 1), 2.5),
    ),
    "polynomial_schedule of power 0": (
        {"init_value": 1.0, "end_value": 0.1, "transition_steps": 30, "power": 0},
        lambda s: 1.0,
    ),
    "piecewise_constant_schedule": (
        {"init_value": 0.8, "boundaries_and_scales": {"20": 0.5, "-1": 0.5, "7": 0.1}},
        lambda s: 0.4 if s < 7 else 0.04 if s < 20 else 0.02,
    ),
    "piecewise_constant_schedule without": ({"init_value": 0.8}, lambda s: 0.8),
    "piecewise_interpolate_schedule": (
        {"interpolate_type": "linear", "init_value": 0.1, "boundaries_and_scales": TABLE},
        lambda s: through(KNOTS, s, line),
    ),
    "piecewise_interpolate_schedule of cosines": (
        {"interpolate_type": "cosine", "init_value": 0.1, "boundaries_and_scales": TABLE},
        lambda s: through(KNOTS, s, wave),
    ),
    "piecewise_interpolate_schedule of many": (
        {"interpolate_type": "linear", "init_value": 1.0, "boundaries_and_scales": MANY},
        lambda s: through([(10 * i, 0.5**i) for i in range(8)], s, line),
    ),
    "piecewise_interpolate_schedule from 0": (
        {"interpolate_type": "linear", "init_value": 1, "boundaries_and_scales": {"0": 3, "9": 1}},
        lambda s: 3.0,
    ),
    "exponential_decay": (
        {"init_value": 1.0, "transition_steps": 8, "decay_rate": 0.5, "transition_begin": 5},
        lambda s: math.pow(0.5, max(s - 5, 0) / 8),
    ),
    "exponential_decay in stairs": (
        {"init_value": 1.0, "transition_steps": 8, "decay_rate": 0.5, "staircase": True},
        lambda s: math.pow(0.5, s // 8),
    ),
    "exponential_decay to an end": (
        {"init_value": 1.0, "transition_steps": 8, "decay_rate": 0.5, "end_value": 0.2},
        lambda s: max(math.pow(0.5, s / 8), 0.2),
    ),
    "exponential_decay up to an end": (
        {"init_value": 1.0, "transition_steps": 8, "decay_rate": 2, "end_value": 7},
        lambda s: min(math.pow(2, s / 8), 7),
    ),
    "exponential_decay below its end": (
        {"init_value": 0.1, "transition_steps": 8, "decay_rate": 0.5, "end_value": 0.2}
        | {"transition_begin": 5},
        lambda s: 0.2,
    ),
    "exponential_decay of rate 0": (
        {"init_value": 0.1, "transition_steps": 8, "decay_rate": 0, "end_value": 0.2},
        lambda s: 0.1,
    ),
    "exponential_decay without steps": (
        {"init_value": 0.1, "transition_steps": 0, "decay_rate": 2},
        lambda s: 0.1,
    ),
    "cosine_decay_schedule": (
        {"init_value": 0.5, "decay_steps": 33, "alpha": 0.1, "exponent": 1.5},
        lambda s: 0.5 * (0.9 * math.pow(half_cosine(min(s / 33, 1)), 1.5) + 0.1),
    ),
    "cosine_decay_schedule of exponent 0": (
        {"init_value": 0.5, "decay_steps": 33, "exponent": 0},
        lambda s: 0.5,
    ),
    "linear_onecycle_schedule": (
        {"transition_steps": 40, "peak_value": 1.0},
        lambda s: through(CYCLE, s, line),
    ),
    "linear_onecycle_schedule of 7": (
        {"transition_steps": 7, "peak_value": 1.0, "final_div_factor": 10},
        lambda s: through([(0, 0.04), (2, 1.0), (5, 0.04), (7, 0.004)], s, line),
    ),
    "cosine_onecycle_schedule": (
        {"transition_steps": 40, "peak_value": 1, "pct_start": 0.5}
        | {"div_factor": 2, "final_div_factor": 10},
        lambda s: through(WAVE, s, wave),
    ),
    "warmup_constant_schedule": (RISE, lambda s: warmup(min(s, 10))),
    "warmup_cosine_decay_schedule": (
        {**RISE, "decay_steps": 40, "end_value": 0.2, "exponent": 2},
        lambda s: warmup(s) if s < 10 else 0.2 + 0.8 * half_cosine(min((s - 10) / 30, 1)) ** 2,
    ),
    "warmup_cosine_decay_schedule of peak 0": (
        {**RISE, "peak_value": 0.0, "decay_steps": 40, "end_value": 0.2},
        lambda s: 0.1 - 0.1 * min(s / 10, 1),
    ),
    "warmup_exponential_decay_schedule": (
        {**RISE, "transition_steps": 9, "decay_rate": 0.5, "transition_begin": 4}
        | {"end_value": 0.3, "staircase": True},
        lambda s: warmup(s) if s < 10 else max(math.pow(0.5, max(s - 14, 0) // 9), 0.3),
    ),
    "sgdr_schedule": (
        {"cosine_kwargs": [{**RISE, "decay_steps": 20}, {**RISE, "decay_steps": 30}]},
        lambda s: (
            warmup(s if s < 20 else s - 20)
            if s < 10 or 20 <= s < 30
            else half_cosine((s - 10) / 10 if s < 20 else min((s - 30) / 20, 1))
        ),
    ),
    "sgdr_schedule of equal cycles": (
        {"cosine_kwargs": [{**RISE, "decay_steps": 20}] * 3},
        lambda s: (
            warmup(s % 20)
            if s % 20 < 10 and s < 60
            else half_cosine((s % 20 - 10) / 10)
            if s < 60
            else 0.0
        ),
    ),
    "join_schedules": (
        {
            "schedules": [
                "linear_schedule(0, 1, 40)",
                {"name": "optax.cosine_decay_schedule", "init_value": 1.0, "decay_steps": 40},
                0.25,
                {"_target_": "optax.piecewise_constant_schedule", "init_value": 1.0}
                | {"boundaries_and_scales": {"5": 0.5}},
            ],
            "boundaries": [10, 20, 30],
        },
        lambda s: (
            s / 40
            if s < 10
            else half_cosine((s - 10) / 40)
            if s < 20
            else 0.25
            if s < 30
            else 1.0
            if s < 35
            else 0.5
        ),
    ),
    "join_schedules of short ones": (
        {
            "schedules": [
                "optax.polynomial_schedule(1, 0, 2, 5)",
                "exponential_decay(1.0, 10, 0.5)",
                "join_schedules([1.0, 2.0], [3])",
            ],
            "boundaries": [10, 20],
        },
        lambda s: (
            (1 - min(s / 5, 1)) ** 2
            if s < 10
            else math.pow(0.5, (s - 10) / 10)
            if s < 20
            else 1.0
            if s < 23
            else 2.0
        ),
    ),
    "join_schedules that overtake": (
        {"schedules": ["1.0", "2.0", "linear_schedule(0, 4, 4)"], "boundaries": [9, 5]},
        lambda s: 1.0 if s < 5 else min(s - 5, 4),
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_every_function(name: str) -> None:
    config, formula = CURVES[name]
    assert_curve(load(config, schedule=name.partition(" ")[0]), formula, range(100))


WARMUP_COSINE = """\
lrspec: 1
base: 0.0003
schedule:
- linear: {initial: 0, final: 1, length: 100}
- cosine: {final: 0.1, length: 900}
"""


@pytest.mark.parametrize(
    "config",
    [
        {"learning_rate": "optax.warmup_cosine_decay_schedule(0.0, 3e-4, 100, 1000, 3e-5)"},
        {
            "optimizer": {
                "name": "adamw",
                "weight_decay": 0.1,
                "learning_rate": {
                    "_target_": "optax.warmup_cosine_decay_schedule",
                    "init_value": 0.0,
                    "peak_value": 3e-4,
                    "warmup_steps": 100,
                    "decay_steps": 1000,
                    "end_value": 3e-5,
                },
            },
            "model": {"layers": 12},
        },
    ],
)
def test_a_warmup_and_a_cosine(config: dict[str, Any]) -> None:
    document = load(config)
    assert body(document) == WARMUP_COSINE
    assert document.origin == "optax warmup_cosine_decay_schedule"


@pytest.mark.parametrize(
    "text",
    [
        "optax.adamw(optax.warmup_cosine_decay_schedule(0., 3e-4, 100, 1000, end_value=3e-5))",
        "optax.warmup_cosine_decay_schedule(0, 3e-4, 100, 1000, 3e-5)",
        "inject_hyperparams(sgd)(learning_rate=warmup_cosine_decay_schedule(0, 3e-4, 100, 1000, "
        "3e-5))",
    ],
)
def test_the_text_of_a_call(text: str, tmp_path: Path) -> None:
    assert body(load({}, schedule=text)) == WARMUP_COSINE
    path = tmp_path / "schedule.py"
    path.write_text(text, "utf-8")
    assert body(load(path)) == WARMUP_COSINE


def test_a_rate_alone() -> None:
    for text in ("optax.sgd(0.25, momentum=0.9)", "0.25"):
        assert load({}, schedule=text).bind()(7) == 0.25


def test_joined_schedules() -> None:
    config = {
        "name": "join_schedules",
        "schedules": [
            "linear_schedule(0, 0.1, 500)",
            "constant_schedule(0.1)",
            "cosine_decay_schedule(0.1, 2000, alpha=0.01)",
        ],
        "boundaries": [500, 8000],
    }
    assert (
        body(load(config, steps=10000))
        == """\
lrspec: 1
base: 0.1
training: {steps: 10000}
schedule:
- linear: {initial: 0, final: 1, length: 500}
- constant: {length: 7500}
- cosine: {final: 0.01}
"""
    )


def test_equal_restarts() -> None:
    cycle = "dict(init_value=0, peak_value=0.1, warmup_steps=5, decay_steps=50)"
    assert (
        body(load({}, schedule=f"sgdr_schedule([{cycle}, {cycle}])"))
        == """\
lrspec: 1
base: 0.1
schedule:
  repeat:
    period: 50
    count: 2
    schedule:
    - linear: {initial: 0, final: 1, length: 5}
    - cosine: {final: 0}
"""
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "linear_onecycle_schedule(7, 0.1)",
            "pct_start 0.3 of 7 steps is truncated to 2.",
        ),
        (
            "linear_schedule(0, 1, 0)",
            "transition_steps is not above 0: optax keeps the initial 0 then.",
        ),
        (
            "warmup_constant_schedule(0, 1, 0)",
            "warmup_steps is not above 0: optax keeps the initial 0 then.",
        ),
        (
            "linear_schedule(0, 1, 5, -1)",
            "transition_begin is below 0 and counts as 0, as in optax.",
        ),
        (
            "exponential_decay(1, 5, 0)",
            "decay_rate is not above 0: optax keeps the initial 1 then.",
        ),
    ],
)
def test_notes(text: str, note: str) -> None:
    assert note in load({}, schedule=text).notes


@pytest.mark.parametrize(
    "text",
    [
        "optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(F, b1=0.9))",
        "optax.chain(optax.scale_by_adam(), optax.scale_by_schedule(F), optax.scale(-1.0))",
        "chain(chain(clip(1), sgd(learning_rate=F)), add_decayed_weights(0.1))",
        "optax.MultiSteps(optax.adamw(F), every_k_schedule=4)",
        "optax.apply_if_finite(optax.chain(optax.sgd(F)), 5)",
    ],
)
def test_a_chain_has_the_rate_of_one_member(text: str) -> None:
    call = "optax.linear_schedule(0.1, 0, 100)"
    assert load({"schedule": text.replace("F", call)}) == load({"schedule": call})


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "schedule.py"
    path.write_text(
        """\
import optax

STEPS = 100
warmup = int(0.1 * STEPS)
schedule = optax.warmup_cosine_decay_schedule(
    init_value=0.0, peak_value=3e-4, warmup_steps=warmup, decay_steps=STEPS, end_value=3e-4 / 10
)
tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.1))
""",
        "utf-8",
    )
    assert body(load(path)) == (
        "lrspec: 1\n"
        "base: 0.0003\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- cosine: {final: 0.1, length: 90}\n"
    )


def test_the_optimizer_as_a_text_and_one_for_some_parameters() -> None:
    text = "optax.masked(optax.adamw(linear_schedule(1, 0, 10)), mask)"
    for config in ({"optimizer": text}, {"optimizer": "adamw", "lr_schedule": text}):
        assert load(config).bind()(5) == 0.5


def test_equal_values_that_follow_each_other_are_one_stage() -> None:
    config = {"init_value": 1, "peak_value": 1, "warmup_steps": 10, "decay_steps": 80}
    document = load({"end_value": 1, **config}, schedule="warmup_cosine_decay_schedule")
    assert body(document) == ("lrspec: 1\nbase: 1\nschedule:\n  constant: {value: 1, length: 80}\n")
