"""scenic's configurations become documents with the rates of its compound schedule."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.scenic import load


def rate(step: int, config: dict[str, Any]) -> float:
    """The rate of scenic, the running product from left to right."""
    ratio = 1.0
    warmup, total = config.get("warmup_steps", 0), config.get("total_steps", 0)
    for name in (part.strip() for part in config["factors"].split("*")):
        if name == "linear_decay":
            end = config.get("end_learning_rate", 0.0)
            progress = max(0.0, (step - warmup) / (total - warmup))
            ratio = (ratio - end) * max(1.0 - progress, 0.0) + end
        elif name == "linear_cooldown":
            left = total - max(step, warmup)
            ratio *= min(1.0, left / config["cooldown_steps"])
        else:
            ratio *= factor(name, step, config)
    return ratio


def factor(name: str, step: int, config: dict[str, Any]) -> float:
    """One factor that does not depend on those before it."""
    warmup = config.get("warmup_steps", 0)
    value: float
    match name:
        case "constant":
            value = config["base_learning_rate"]
        case "polynomial":
            left = 1 - step / config["decay_steps"] if step <= config["decay_steps"] else 0
            end = config["end_factor"]
            value = (1 - end) * left ** config["power"] + end
        case "piecewise_constant":
            passed = sum(event < step for event in config["decay_events"])
            value = [1.0, *config["decay_factors"]][passed]
        case "piecewise_linear":
            value = interpolated(
                step, [0, *config["decay_events"]], [1.0, *config["decay_factors"]]
            )
        case "linear_warmup":
            start = config.get("warmup_alpha", 0)
            value = min(1.0, start + step * (1.0 - start) / warmup) if warmup else 1.0
        case "rsqrt_decay":
            scale = config.get("timescale", 10_000)
            value = math.sqrt(scale / (step + scale - warmup)) if step > warmup else 1.0
        case "decay_every":
            value = config["decay_factor"] ** (step // config["steps_per_decay"])
        case "exponential_decay":
            power = step / config["decay_steps"]
            value = config["decay_rate"] ** (
                math.floor(power) if config.get("staircase") else power
            )
        case _:
            value = cosine(step, config)
    return value


def interpolated(step: int, steps: list[int], values: list[float]) -> float:
    for (a, va), (b, vb) in zip(
        zip(steps, values, strict=True), zip(steps[1:], values[1:], strict=True), strict=False
    ):
        if step <= b:
            return va + (vb - va) * (step - a) / (b - a)
    return values[-1]


def cosine(step: int, config: dict[str, Any]) -> float:
    warmup, cycle = config.get("warmup_steps", 0), config["steps_per_cycle"]
    at = max(0, step - warmup - config.get("start_decay_step", 0))
    length: float = cycle - int(warmup / (config.get("total_steps", cycle) / cycle))
    peak, alpha = 1.0, config.get("alpha", 0.0)
    while at >= length:
        at, length, peak = (
            at - length,
            length * config.get("t_mul", 1),
            peak * config.get("m_mul", 1),
        )
    value: float = (1 - alpha) * peak * 0.5 * (1 + math.cos(math.pi * at / length)) + alpha
    return value


CASES: dict[str, dict[str, Any]] = {
    "constant": {"factors": "constant"},
    "nothing": {"factors": "constant", "base_learning_rate": 0},
    "no constant": {"factors": "linear_warmup", "warmup_steps": 9},
    "polynomial": {
        "factors": "constant*polynomial",
        "decay_steps": 60,
        "end_factor": 0.1,
        "power": 2,
    },
    "polynomial and warmup": {
        "factors": "constant * polynomial * linear_warmup",
        "decay_steps": 60,
        "end_factor": 0,
        "power": 0.5,
        "warmup_steps": 10,
        "warmup_alpha": 0.25,
    },
    "steps": {
        "factors": "constant*piecewise_constant*linear_warmup",
        "decay_events": [20, 50],
        "decay_factors": [0.5, 0.01],
        "warmup_steps": 10,
    },
    "no steps": {"factors": "constant*piecewise_constant", "decay_events": [], "decay_factors": []},
    "lines": {
        "factors": "constant*piecewise_linear",
        "decay_events": [20, 50],
        "decay_factors": [0.5, 0.01],
    },
    "warmup from 1": {"factors": "constant*linear_warmup", "warmup_steps": 9, "warmup_alpha": 1},
    "warmup of nothing": {"factors": "constant*linear_warmup", "warmup_steps": 0},
    "rsqrt": {"factors": "constant*linear_warmup*rsqrt_decay", "warmup_steps": 9, "timescale": 20},
    "every": {"factors": "constant*decay_every", "steps_per_decay": 15, "decay_factor": 0.3},
    "exponential": {"factors": "constant*exponential_decay", "decay_steps": 15, "decay_rate": 0.3},
    "exponential by steps": {
        "factors": "exponential_decay*constant",
        "decay_steps": 15,
        "decay_rate": 0.3,
        "staircase": True,
    },
    "cosine": {
        "factors": "constant*cosine_decay*linear_warmup",
        "steps_per_cycle": 100,
        "total_steps": 100,
        "warmup_steps": 10,
    },
    "cosine in cycles": {
        "factors": "constant*cosine_decay*linear_warmup",
        "steps_per_cycle": 40,
        "total_steps": 120,
        "warmup_steps": 10,
        "start_decay_step": 5,
        "alpha": 0.2,
    },
    "falling cycles": {
        "factors": "constant*cosine_decay",
        "steps_per_cycle": 20,
        "t_mul": 2,
        "m_mul": 0.5,
        "alpha": 0.1,
    },
    "linear": {
        "factors": "constant * linear_warmup * linear_decay",
        "warmup_steps": 10,
        "total_steps": 90,
    },
    "linear to an end": {
        "factors": "constant * linear_decay * linear_warmup",
        "warmup_steps": 10,
        "total_steps": 90,
        "end_learning_rate": 1e-3,
    },
    "linear to an end after the warmup": {
        "factors": "constant * linear_warmup * linear_decay",
        "warmup_steps": 10,
        "total_steps": 90,
        "end_learning_rate": 1e-3,
    },
    "linear to an end alone": {
        "factors": "linear_decay",
        "total_steps": 90,
        "end_learning_rate": 0.5,
    },
    "linear to an end before the rate": {
        "factors": "linear_decay * constant",
        "total_steps": 90,
        "end_learning_rate": 0.5,
    },
    "linear to an end of a curve": {
        "factors": "constant * rsqrt_decay * linear_decay * linear_warmup",
        "warmup_steps": 10,
        "total_steps": 90,
        "end_learning_rate": 1e-3,
    },
    "linear to an end of a product": {
        "factors": "constant * linear_warmup * decay_every * linear_decay",
        "warmup_steps": 10,
        "steps_per_decay": 15,
        "decay_factor": 0.5,
        "total_steps": 90,
        "end_learning_rate": 1e-3,
    },
    "cooldown": {
        "factors": "constant * linear_warmup * rsqrt_decay * linear_cooldown",
        "warmup_steps": 10,
        "total_steps": 90,
        "cooldown_steps": 30,
    },
    "long cooldown": {
        "factors": "constant * linear_warmup * linear_cooldown",
        "warmup_steps": 10,
        "total_steps": 90,
        "cooldown_steps": 100,
    },
}


@pytest.mark.parametrize("config", CASES.values(), ids=CASES)
def test_every_step(config: dict[str, Any]) -> None:
    config = {"base_learning_rate": 0.02, **config}
    assert_curve(load(config), lambda step: rate(step, config), range(150))


def test_a_whole_configuration() -> None:
    document = load(
        {
            "batch_size": 4096,
            "num_training_epochs": 300,
            "optimizer": "adam",
            "lr_configs": {
                "learning_rate_schedule": "compound",
                "factors": "constant * cosine_decay * linear_warmup",
                "total_steps": 90_000,
                "steps_per_cycle": 90_000,
                "warmup_steps": 10_000,
                "base_learning_rate": 3e-3,
            },
        }
    )
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.003\n"
        "training: {steps: 90000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10000}\n"
        "- repeat:\n"
        "    period: 80000\n"
        "    schedule:\n"
        "      cosine: {initial: 1, final: 0}\n"
    )
    assert document.origin == "scenic compound"
    assert document.notes == (
        "The warmup of 10000 steps makes each cycle of 90000 one of 80000.",
        "The cosine starts again at step 90000, and so on.",
        "The first update is at 0.",
    )


def test_a_line_to_an_end_is_a_stage() -> None:
    config = {**CASES["linear to an end after the warmup"], "base_learning_rate": 0.01}
    assert body(load(config)) == (
        "lrspec: 1\n"
        "base: 0.01\n"
        "training: {steps: 90}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- linear: {final: 0.1}\n"
    )


def test_what_is_no_constant_before_a_line_to_an_end_is_a_sum() -> None:
    config = {**CASES["linear to an end of a curve"], "base_learning_rate": 0.01}
    assert body(load(config)) == (
        "lrspec: 1\n"
        "base: 0.01\n"
        "training: {steps: 90}\n"
        "schedule:\n"
        "  product:\n"
        "    of:\n"
        "    - sum:\n"
        "        of:\n"
        "        - - constant: {value: 1, length: 10}\n"
        "          - product:\n"
        "              of:\n"
        "              - inverse_sqrt: {initial: 1, timescale: 10000}\n"
        "              - linear: {final: 0, length: 80}\n"
        "        - - constant: {value: 0, length: 10}\n"
        "          - linear: {final: 0.1, length: 80}\n"
        "    - linear: {initial: 0, final: 1, length: 10}\n"
    )


def test_falling_cycles_over_a_floor() -> None:
    document = load({**CASES["falling cycles"], "base_learning_rate": 0.5})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.5\n"
        "schedule:\n"
        "  repeat:\n"
        "    period: 20\n"
        "    stretch: 2\n"
        "    shrink: 0.5\n"
        "    toward: 0.1\n"
        "    schedule:\n"
        "      cosine: {initial: 1, final: 0.1}\n"
    )
    assert document.notes == (
        "Where a cycle begins scenic finds by logarithms in float32, here it is exact.",
        "The cosine starts again at step 20, and so on.",
    )


def test_without_a_schedule_the_rate_is_fixed() -> None:
    document = load({"lr_configs": {"base_learning_rate": 0.1, "warmup_steps": 3}}, steps=5)
    assert body(document) == (
        "lrspec: 1\nbase: 0.1\ntraining: {steps: 5}\nschedule:\n  constant: {value: 1}\n"
    )
    assert document.notes == (
        "No learning_rate_schedule is named: the rate is base_learning_rate at every step.",
    )
    assert load({"lr_configs": {}}, base=0.5).bind()(3) == 0.5


def test_the_function_may_be_named_beside() -> None:
    config = {"factors": "constant", "base_learning_rate": 0.1}
    assert load(config, schedule="compound_lr_scheduler") == load(config)


def test_what_scenic_does_to_lines_is_said() -> None:
    assert load({**CASES["lines"], "base_learning_rate": 1}).notes == (
        "scenic takes each line for 1e-6 steps longer, in float32; here it is exact.",
    )


def test_what_no_factor_takes_is_said() -> None:
    document = load({**CASES["rsqrt"], "base_learning_rate": 1, "power": 2, "alpha": 0.1})
    assert document.notes[-2:] == (
        "alpha is given, and no factor takes it.",
        "power is given, and no factor takes it.",
    )


@pytest.mark.parametrize(
    "name",
    ["polynomial and warmup", "steps", "lines", "falling cycles", "cosine in cycles", "cooldown"],
)
def test_whatever_stands_there(name: str) -> None:
    assert_survives(load, {"base_learning_rate": 0.1, **CASES[name]})


def test_schedules_by_the_names_of_their_parameters() -> None:
    one = {
        "re": "(.*)",
        "lr_configs": {
            "learning_rate_schedule": "compound",
            "factors": "constant * linear_warmup",
            "base_learning_rate": 0.5,
            "warmup_steps": 10,
        },
    }
    config = {"num_training_steps": 40, "schedule": {"all": one}}
    assert load(config) == load(one)
    several = {"schedule": {"head": one, "body": None, "tail": one}}
    problem = refused(load, several)
    assert problem.message == "there are 2 schedules: head and tail"
    assert load(several, at="schedule.head") == load(one)


def test_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "vit_config.py"
    path.write_text(
        """\
import ml_collections

TRAIN_SIZE = 1281167


def get_config():
  config = ml_collections.ConfigDict()
  config.batch_size = 4096
  steps_per_epoch = TRAIN_SIZE // config.batch_size
  total_steps = 90 * steps_per_epoch
  config.lr_configs = ml_collections.ConfigDict()
  config.lr_configs.learning_rate_schedule = 'compound'
  config.lr_configs.factors = 'constant * linear_warmup * linear_decay'
  config.lr_configs.total_steps = total_steps
  config.lr_configs.warmup_steps = 10_000
  config.lr_configs.base_learning_rate = 3e-3
  return config
""",
        "utf-8",
    )
    assert body(load(path)) == (
        "lrspec: 1\n"
        "base: 0.003\n"
        "training: {steps: 28080}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10000}\n"
        "- linear: {final: 0}\n"
    )
