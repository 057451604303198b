"""t5x's factors, in gin and in a mapping, become documents with the rates of its scheduler."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.t5x import load

PRETRAIN = """\
from __gin__ import dynamic_registration
import __main__ as train_script
from t5x import utils

include 't5x/configs/runs/pretrain.gin'

TRAIN_STEPS = %gin.REQUIRED
WARMUP = 10_000  # of the paper

train_script.train:
  model = @models.EncoderDecoderModel()
  total_steps = %TRAIN_STEPS

utils.create_learning_rate_scheduler:
  factors = 'constant * rsqrt_decay'
  base_learning_rate = 1.0
  warmup_steps = %WARMUP

trainer.Trainer:
  learning_rate_fn = @utils.create_learning_rate_scheduler()
"""


def rate(
    step: int,
    factors: str = "constant * linear_warmup * rsqrt_decay",
    base_learning_rate: float = 0.5,
    warmup_steps: int = 1000,
    decay_factor: float = 0.5,
    steps_per_decay: int = 20000,
    steps_per_cycle: int = 100000,
    step_offset: int = 0,
    min_learning_rate: float = 1e-8,
) -> float:
    """The rate of t5x, which computes it in float32."""
    t, w = max(0, step - step_offset), warmup_steps
    progress = max(0.0, (t - w) / steps_per_cycle)
    values: dict[str, Callable[[], float]] = {
        "constant": lambda: base_learning_rate,
        "linear_warmup": lambda: min(1.0, t / w),
        "linear_decay": lambda: base_learning_rate * min(t / w, 1 + decay_factor * (w - t)),
        "rsqrt_decay": lambda: 1 / math.sqrt(max(t, w)),
        "rsqrt_normalized_decay": lambda: math.sqrt(w) / math.sqrt(max(t, w)),
        "decay_every": lambda: float(decay_factor ** (t // steps_per_decay)),
        "cosine_decay": lambda: max(0.0, 0.5 * (1 + math.cos(math.pi * (progress % 1)))),
    }
    product = math.prod(values[name.strip()]() for name in factors.split("*"))
    return max(product, min_learning_rate)


CASES: dict[str, dict[str, Any]] = {
    "constant": {"factors": "constant"},
    "warmup": {"factors": "constant * linear_warmup", "warmup_steps": 7},
    "rsqrt": {"factors": "constant * linear_warmup * rsqrt_decay", "warmup_steps": 20},
    "rsqrt first": {"factors": "rsqrt_decay*linear_warmup*constant", "warmup_steps": 1},
    "normalized": {"factors": "constant * rsqrt_normalized_decay", "warmup_steps": 20},
    "cosine": {"factors": "constant*cosine_decay", "warmup_steps": 0, "steps_per_cycle": 30},
    "cosine and warmup": {
        "factors": "constant * linear_warmup * cosine_decay",
        "warmup_steps": 10,
        "steps_per_cycle": 30,
    },
    "every": {"factors": "decay_every * constant", "steps_per_decay": 20, "decay_factor": 0.3},
    "every and warmup": {
        "factors": "constant * linear_warmup * decay_every",
        "warmup_steps": 10,
        "steps_per_decay": 25,
    },
    "two decays": {
        "factors": "constant * rsqrt_decay * linear_warmup * cosine_decay",
        "warmup_steps": 10,
        "steps_per_cycle": 40,
    },
    "two warmups": {"factors": "constant*linear_warmup*linear_warmup", "warmup_steps": 9},
    "linear": {
        "factors": "linear_decay",
        "warmup_steps": 10,
        "decay_factor": 0.013,
        "min_learning_rate": 1e-3,
    },
    "linear that stays": {"factors": "linear_decay", "warmup_steps": 10, "decay_factor": 0},
    "linear below zero": {
        "factors": "linear_decay",
        "warmup_steps": 10,
        "decay_factor": 0.02,
        "min_learning_rate": -9,
    },
    "linear twice": {
        "factors": "linear_decay * linear_decay",
        "warmup_steps": 10,
        "decay_factor": 0.02,
    },
    "offset": {"factors": "constant * linear_warmup", "warmup_steps": 10, "step_offset": 30},
    "offset of a product": {
        "factors": "constant * rsqrt_decay * decay_every",
        "warmup_steps": 10,
        "steps_per_decay": 7,
        "step_offset": 30,
    },
    "offset back": {"warmup_steps": 50, "step_offset": -20},
    "floor": {"factors": "constant*rsqrt_decay", "warmup_steps": 9, "min_learning_rate": 0.05},
    "nothing": {"factors": "constant", "base_learning_rate": 0},
}


@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)
def test_every_step(arguments: dict[str, Any]) -> None:
    assert_curve(load(arguments), lambda step: rate(step, **arguments), range(200))


def test_a_gin_file(tmp_path: Path) -> None:
    (tmp_path / "pretrain.gin").write_text(PRETRAIN, "utf-8")
    document = load(str(tmp_path / "pretrain.gin"))
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.01\n"
        "schedule:\n"
        "- constant: {value: 1, length: 10000}\n"
        "- inverse_sqrt: {timescale: 10000}\n"
    )
    assert document.origin == "t5x create_learning_rate_scheduler"
    assert document.notes == (
        "What the file includes is not read: 't5x/configs/runs/pretrain.gin'.",
        "min_learning_rate 1e-08 is a floor that no step reaches: it is left out.",
    )


def test_gin_by_standard_input() -> None:
    gin = b"create_learning_rate_scheduler.factors = 'constant'\n"
    assert load(gin, base=0.25).bind()(0) == 0.25


def test_a_product_as_stages_with_a_floor() -> None:
    document = load(
        {
            "utils.create_learning_rate_scheduler": {
                "factors": "constant * linear_warmup * cosine_decay",
                "base_learning_rate": "1e-3",
                "warmup_steps": 1000,
                "steps_per_cycle": 10_000,
                "decay_factor": 0.1,
            },
            "train": {"total_steps": 10_000},
        },
        steps=11_000,
    )
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.001\n"
        "training: {steps: 11000}\n"
        "schedule:\n"
        "  clamp:\n"
        "    minimum: 1.0e-05\n"
        "    schedule:\n"
        "    - linear: {initial: 0, final: 1, length: 1000}\n"
        "    - repeat:\n"
        "        period: 10000\n"
        "        schedule:\n"
        "          cosine: {initial: 1, final: 0}\n"
    )
    assert document.notes == (
        "base_learning_rate is the text '1e-3', read as the number 0.001",
        "decay_factor is given, and no factor takes it.",
        "min_learning_rate 1e-08 is a floor under the product.",
    )


def test_a_product_that_stays_one() -> None:
    document = load(CASES["every and warmup"])
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.5\n"
        "schedule:\n"
        "  clamp:\n"
        "    minimum: 2.0e-08\n"
        "    schedule:\n"
        "      product:\n"
        "        of:\n"
        "        - linear: {initial: 0, final: 1, length: 10}\n"
        "        - exponential: {rate: 0.5, every: 25, staircase: true}\n"
    )


def test_what_is_left_out_is_said() -> None:
    assert load({}).notes == (
        "factors is left out: t5x takes 'constant * linear_warmup * rsqrt_decay'.",
        "base_learning_rate is left out: t5x takes 0.5.",
        "warmup_steps is left out: t5x takes 1000.",
        "min_learning_rate 1e-08 is a floor under the product.",
    )


def test_an_offset_before_a_product() -> None:
    arguments = {"factors": "constant * linear_warmup * rsqrt_normalized_decay", "step_offset": 50}
    arguments |= {"base_learning_rate": 1.0, "warmup_steps": 20, "min_learning_rate": 0}
    assert body(load(arguments)) == (
        "lrspec: 1\n"
        "base: 1\n"
        "schedule:\n"
        "- constant: {value: 0, length: 50}\n"
        "- linear: {final: 1, length: 20}\n"
        "- inverse_sqrt: {timescale: 20}\n"
    )


def test_what_is_shifted_is_said() -> None:
    assert "The schedule starts at step 30, which is step_offset." in load(CASES["offset"]).notes
    note = "The schedule starts as if 20 steps had passed, which is step_offset."
    assert note in load(CASES["offset back"]).notes


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            {"factors": "constant * rsqrt_dekay"},
            "wrong-value",
            "/factors: unknown factor 'rsqrt_dekay'; known are constant, linear_warmup, "
            "linear_decay, rsqrt_decay, rsqrt_normalized_decay, decay_every and cosine_decay; "
            "did you mean 'rsqrt_decay'?",
        ),
        (
            {"warmup_steps": 0},
            "out-of-range",
            "/warmup_steps: the factor linear_warmup divides by warmup_steps, found 0",
        ),
        (
            {"factors": "constant", "warmup": 3},
            "unknown-field",
            "'warmup' is not known here; did you mean 'warmup_steps'?",
        ),
        (
            {"factors": "decay_every", "decay_factor": 0},
            "out-of-range",
            "/decay_factor: expected more than 0, found 0",
        ),
        (
            {"base_learning_rate": -1},
            "out-of-range",
            "/base_learning_rate: expected at least 0, found -1",
        ),
        (
            {"steps_per_cycle": 0, "factors": "cosine_decay"},
            "out-of-range",
            "/steps_per_cycle: expected at least 1, found 0",
        ),
    ],
)
def test_refused(arguments: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, arguments)
    assert (problem.code, str(problem)) == (code, message)


def test_another_function_is_refused() -> None:
    problem = refused(load, {}, schedule="utils.create_scheduler")
    assert problem.code == "unknown-schedule"
    assert problem.message == (
        "unknown schedule 'utils.create_scheduler'; known is create_learning_rate_scheduler"
    )


def test_two_rates_are_refused() -> None:
    problem = refused(load, {"base_learning_rate": 0.1}, base=0.2)
    assert problem.code == "conflicting-fact"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x.y = 1\n", "it binds nothing to create_learning_rate_scheduler"),
        (
            "include 'a.gin'\nx.y = 1\n",
            "it binds nothing to create_learning_rate_scheduler; what it includes is not read, and"
            " may do so: 'a.gin'",
        ),
        (
            "create_learning_rate_scheduler.warmup_steps = @steps()\n",
            "'@ steps ( )' is no plain value",
        ),
    ],
)
def test_gin_that_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.gin"
    path.write_text(text, "utf-8")
    problem = refused(load, path)
    assert problem.code == "not-a-config"
    assert problem.message == f"the file cannot be read: {message}"


@pytest.mark.parametrize("name", ["two decays", "linear", "offset of a product"])
def test_whatever_stands_there(name: str) -> None:
    assert_survives(load, {"create_learning_rate_scheduler": CASES[name], "include": ["a"]})
