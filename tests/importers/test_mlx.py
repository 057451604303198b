"""MLX's functions become documents with the rates that they give."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.mlx import load


def half_cosine(u: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * min(u, 1)))


CURVES: dict[str, tuple[dict[str, Any], Callable[[int], float]]] = {
    "linear_schedule": (
        {"init": 0.5, "end": 0.1, "steps": 30},
        lambda s: 0.5 - 0.4 * min(s / 30, 1),
    ),
    "cosine_decay": ({"init": 0.5, "decay_steps": 30}, lambda s: 0.5 * half_cosine(s / 30)),
    "cosine_decay to an end": (
        {"init": 0.5, "decay_steps": 30, "end": 0.1},
        lambda s: 0.1 + 0.4 * half_cosine(s / 30),
    ),
    "exponential_decay": ({"init": 0.5, "decay_rate": 0.9}, lambda s: 0.5 * math.pow(0.9, s)),
    "step_decay": (
        {"init": 0.5, "decay_rate": 0.9, "step_size": 7},
        lambda s: 0.5 * math.pow(0.9, s // 7),
    ),
    "join_schedules": (
        {
            "schedules": [
                "optim.linear_schedule(0, 1, steps=10)",
                "cosine_decay(1, 40)",
                0.25,
                {"name": "step_decay", "init": 1, "decay_rate": 0.5, "step_size": 5},
            ],
            "boundaries": [20, 30, 40],
        },
        lambda s: (
            min(s / 10, 1)
            if s < 20
            else half_cosine((s - 20) / 40)
            if s < 30
            else 0.25
            if s < 40
            else math.pow(0.5, (s - 40) // 5)
        ),
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_every_function(name: str) -> None:
    config, formula = CURVES[name]
    assert_curve(load(config, schedule=name.partition(" ")[0]), formula, range(100))


@pytest.mark.parametrize("optimizer", ["{}", "optim.AdamW({}, weight_decay=0.1)"])
def test_a_warmup_and_a_cosine(optimizer: str, tmp_path: Path) -> None:
    text = (
        "optim.join_schedules([optim.linear_schedule(0, 1e-1, 10), optim.cosine_decay(1e-1, 200)],"
        " [10])"
    )
    path = tmp_path / "schedule.txt"
    path.write_text(optimizer.format(text), "utf-8")
    document = load(path, steps=210)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.1
training: {steps: 210}
schedule:
- linear: {initial: 0, final: 1, length: 10}
- cosine: {final: 0}
"""
    )
    assert document.origin == "MLX join_schedules"


def test_mappings() -> None:
    config = {"learning_rate": {"name": "cosine_decay", "init": 0.1, "decay_steps": 9, "end": 0.01}}
    assert (
        body(load({"optimizer": config, "model": {}}))
        == """\
lrspec: 1
base: 0.1
schedule:
  cosine: {initial: 1, final: 0.1, length: 9}
"""
    )
    assert load({"learning_rate": 0.1}).bind()(3) == 0.1


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("cosine(1, 2)", "unknown-schedule", "'cosine' is not known; known are"),
        ("lambda step: 1", "not-importable", "the schedule is code of the user"),
        ("linear_schedule(0, 1, 0)", "out-of-range", "expected at least 1, found 0"),
        ("cosine_decay(1, 0)", "out-of-range", "expected at least 1, found 0"),
        ("step_decay(1, 0.5, 0)", "out-of-range", "expected at least 1, found 0"),
        ("exponential_decay(1, 0)", "out-of-range", "expected more than 0, found 0"),
        ("linear_schedule(0, 1, 2, decay=1)", "unknown-field", "'decay' is not known here"),
        ("join_schedules([], [])", "wrong-type", "expected a list of schedules"),
        ("join_schedules([1, 2], [])", "values-number", "2 schedules take 1 boundaries, found 0"),
    ],
)
def test_what_is_refused(text: str, code: str, message: str) -> None:
    problem = refused(load, {}, schedule=text)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_a_base_and_nothing_at_all_are_refused() -> None:
    assert refused(load, {"learning_rate": 0.1}, base=1).code == "conflicting-fact"
    assert refused(load, {"model": {}}).message == "no schedule is named here"
    misspelt = {"name": "cosine_decays", "init": 1}
    assert refused(load, misspelt).hint == "did you mean 'cosine_decay'?"


@pytest.mark.parametrize("name", CURVES)
def test_any_value_is_refused_or_read(name: str) -> None:
    assert_survives(load, CURVES[name][0], schedule=name.partition(" ")[0])


def test_the_configuration_of_mlx_lm() -> None:
    config: dict[str, Any] = {
        "model": "mlx-community/Llama-3.2-1B-Instruct",
        "iters": 100,
        "learning_rate": 1e-5,
        "lr_schedule": {
            "name": "cosine_decay",
            "warmup": 10,
            "warmup_init": 1e-7,
            "arguments": [1e-5, 80, 1e-7],
        },
    }
    document = load(config)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 1.0e-05\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0.01, final: 1, length: 10}\n"
        "- constant: {length: 1}\n"
        "- cosine: {final: 0.01, length: 80}\n"
    )
    assert document.notes == (
        "learning_rate is given, and mlx-lm goes by lr_schedule instead of it.",
        "The warmup ends at step 10, and mlx-lm begins cosine_decay one step later.",
    )
    # Updates are fewer where several iterations make one.
    accumulated = load({**config, "grad_accumulation_steps": 4})
    assert "training:" not in body(accumulated)
    del config["learning_rate"]
    config["lr_schedule"] = {"name": "step_decay", "arguments": [1e-5, 0.5, 10]}
    assert load(config).bind()(25) == 2.5e-6
    config["lr_schedule"] = {"name": "constant", "arguments": 1e-5, "warmup": 4}
    assert load(config).bind()(1) == 2.5e-6
    config["lr_schedule"] = {"name": "step_decay", "init": 1, "decay_rate": 0.5, "step_size": 2}
    assert load(config).bind()(5) == 0.25


def test_what_mlx_lm_would_not_take() -> None:
    schedule: dict[str, Any] = {"name": "cosine_decay", "arguments": [1e-5, 80, 0, 0]}
    problem = refused(load, {"lr_schedule": schedule})
    assert problem.message == "cosine_decay takes init, decay_steps and end, found 4 arguments"
    problem = refused(load, {"lr_schedule": {"name": "cosine", "arguments": [1e-5, 80]}})
    assert (problem.code, problem.hint) == ("unknown-schedule", "did you mean 'cosine_decay'?")
    schedule = {"name": "cosine_decay", "arguments": [1e-5, 80], "warm_up": 3}
    assert refused(load, {"lr_schedule": schedule}).path == "/lr_schedule"
