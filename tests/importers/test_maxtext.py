"""MaxText's configurations become documents with the rates of create_learning_rate_schedule."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.maxtext import load

BASE = """\
# base.yml
run_name: ""
model_name: "llama2-7b"
steps: 150_001
learning_rate: 3.e-5
lr_schedule_type: 'wsd'
warmup_steps_fraction: 0.1
wsd_decay_steps_fraction: 0.2
wsd_decay_style: 'linear'
learning_rate_final_fraction: 0.1
learning_rate_schedule_steps: 100000
adam_b1: 0.9
eval_steps: 100
gradient_accumulation_steps: 1
"""


def falling(style: str, peak: float, low: float, t: int, length: int) -> float:
    if style == "linear":
        return peak if length <= 0 else peak + (low - peak) * min(t / length, 1)
    return low + (peak - low) * 0.5 * (1 + math.cos(math.pi * t / length))


def rate(config: dict[str, Any], step: int) -> float:
    """The rate at a step."""
    peak: float = config.get("learning_rate", 3e-5)
    old = "cosine_learning_rate_final_fraction"
    low: float = peak * config.get(old, config.get("learning_rate_final_fraction", 0.1))
    steps: int = config["steps"]
    total: int = config.get("learning_rate_schedule_steps", -1)
    total = steps if total == -1 else total
    warmup = int(total * config.get("warmup_steps_fraction", 0.1))
    if step < warmup:
        return peak * step / warmup
    if step >= total < steps:
        return 0.0
    if config.get("lr_schedule_type", "cosine") == "cosine":
        length = total - warmup
        return falling("cosine", peak, low, step - warmup, length - (old not in config))
    length = int(total * config.get("wsd_decay_steps_fraction", 0.1))
    if step < total - length or length == 0:
        return peak
    style = config.get("wsd_decay_style", "linear")
    return falling(style, peak, low, step - total + length, length - 1)


CONFIGS: dict[str, dict[str, Any]] = {
    "default": {"steps": 100},
    "no warmup": {"steps": 100, "warmup_steps_fraction": 0.0},
    "truncated": {"steps": 101, "warmup_steps_fraction": 0.29},
    "only warmup": {"steps": 100, "warmup_steps_fraction": 1, "learning_rate_schedule_steps": 60},
    "longer run": {"steps": 100, "learning_rate_schedule_steps": 60},
    "shorter run": {"steps": 50, "learning_rate_schedule_steps": 60},
    "older": {"steps": 100, "cosine_learning_rate_final_fraction": 0.2},
    "older and longer": {"steps": 100, "cosine_learning_rate_final_fraction": 0.2}
    | {"learning_rate_schedule_steps": 60},
    "wsd": {"steps": 100, "lr_schedule_type": "wsd"},
    "wsd cosine": {"steps": 100, "lr_schedule_type": "wsd", "wsd_decay_style": "cosine"},
    "wsd longer run": {"steps": 100, "lr_schedule_type": "wsd", "wsd_decay_steps_fraction": 0.33}
    | {"learning_rate_schedule_steps": 77},
    "wsd cosine longer run": {"steps": 100, "lr_schedule_type": "wsd"}
    | {"learning_rate_schedule_steps": 77, "wsd_decay_style": "cosine"},
    "wsd of one step": {"steps": 100, "lr_schedule_type": "wsd", "wsd_decay_steps_fraction": 0.01}
    | {"learning_rate": 0.5},
    "wsd without decay": {"steps": 100, "lr_schedule_type": "wsd", "wsd_decay_steps_fraction": 0},
    "wsd without peak": {"steps": 100, "lr_schedule_type": "wsd", "wsd_decay_steps_fraction": 0.9},
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_every_kind(config: dict[str, Any]) -> None:
    assert_curve(load(config), lambda step: rate(config, step), range(150))


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "base.yml"
    path.write_text(BASE, "utf-8")
    document = load(path)
    assert (
        body(document)
        == """\
lrspec: 1
base: 3.0e-05
training: {steps: 150001}
schedule:
- linear: {initial: 0, final: 1, length: 10000}
- constant: {length: 70000}
- linear: {final: 0.1, length: 19999}
- constant: {length: 1}
- constant: {value: 0}
"""
    )
    assert document.origin == "MaxText lr_schedule_type wsd"
    assert document.notes == (
        "steps is the text '150_001', read as the number 150001",
        "The decay has its last rate at its last step, 19999 steps after it begins.",
        "From step 100000 on the rate is 0, up to the end of the run.",
    )


def test_a_cosine_over_the_run() -> None:
    document = load({"learning_rate": 0.001}, steps=1000)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.001
training: {steps: 1000}
schedule:
- linear: {initial: 0, final: 1, length: 10%}
- cosine: {final: 0.1, after: extend, length: 899}
"""
    )


def test_defaults_are_said() -> None:
    left_out = "Not given, so as MaxText has it: {}."
    assert (
        left_out.format(
            "lr_schedule_type cosine, warmup_steps_fraction 0.1, learning_rate_final_fraction 0.1"
        )
        in load({"steps": 100}).notes
    )
    config = {"steps": 100, "lr_schedule_type": "wsd", "warmup_steps_fraction": 0.2}
    assert (
        left_out.format(
            "learning_rate_final_fraction 0.1, wsd_decay_style linear, wsd_decay_steps_fraction 0.1"
        )
        in load(config).notes
    )
    config = {"steps": 100, "cosine_learning_rate_final_fraction": 0, "base_config": "base.yml"}
    notes = load(config).notes
    assert left_out.format("lr_schedule_type cosine, warmup_steps_fraction 0.1") in notes
    why = "base_config is not read: what is left out here has the defaults of MaxText."
    assert why in notes


def test_notes() -> None:
    notes = load({"steps": 101, "warmup_steps_fraction": 0.29}).notes
    assert "learning_rate is left out and is 3e-05, MaxText's default." in notes
    assert "warmup_steps_fraction 0.29 of 101 steps is truncated to 29." in notes


@pytest.mark.parametrize(
    ("config", "code", "message"),
    [
        ({"steps": None}, "missing-fact", "the schedule of MaxText is laid out over the run"),
        ({"lr_schedule_type": "linear"}, "wrong-value", "unknown lr_schedule_type 'linear'"),
        ({"warmup_steps_fraction": 2}, "out-of-range", "expected at most 1, found 2"),
        ({"warmup_step_fraction": 0}, "unknown-field", "'warmup_step_fraction' is not known here"),
        ({"learning_rate_schedule_steps": 0}, "out-of-range", "expected -1 or at least 1"),
        (
            {"learning_rate_final_fraction": 0, "cosine_learning_rate_final_fraction": 0},
            "conflicting-fields",
            "exclude each other",
        ),
        (
            {"lr_schedule_type": "wsd", "wsd_decay_steps_fraction": 0.95},
            "does-not-fit",
            "the warmup of 10 steps and the decay of 95 are more than the 100",
        ),
        (
            {"warmup_steps_fraction": 0.99},
            "not-importable",
            "MaxText divides by the 0 steps between the ends of a cosine of one step",
        ),
    ],
)
def test_what_is_refused(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, {"steps": 100, **config})
    assert (problem.code, message in problem.message) == (code, True), problem


def test_a_misspelt_key_is_suggested() -> None:
    problem = refused(load, {"steps": 100, "warmup_step_fraction": 0.5})
    assert problem.hint == "did you mean 'warmup_steps_fraction'?"


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_any_value_is_refused_or_read(config: dict[str, Any]) -> None:
    assert_survives(load, {"learning_rate": 0.1, **config})


def test_a_run_as_long_as_its_schedule() -> None:
    config = {"steps": -1, "learning_rate_schedule_steps": 2000, "learning_rate": 1}
    assert load(config) == load({**config, "steps": 2000})
    assert load(config, steps=3000) == load({**config, "steps": 3000})
    assert refused(load, {"steps": -1}).code == "missing-fact"
    assert refused(load, {"steps": -2}).code == "out-of-range"


def test_a_command(tmp_path: Path) -> None:
    path = tmp_path / "train.sh"
    path.write_text(
        "LR=1e-3\n"
        "python3 -m MaxText.train MaxText/configs/base.yml run_name=a \\\n"
        "  steps=100 learning_rate=$LR warmup_steps_fraction=0.2  # the rest is as it is\n",
        "utf-8",
    )
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.001\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 20%}\n"
        "- cosine: {final: 0.1, after: extend, length: 79}\n"
    )
    why = "base_config is not read: what is left out here has the defaults of MaxText."
    assert why in document.notes
    path.write_text("python3 -m MaxText.train configs/base.yml\n", "utf-8")
    assert "no argument such as learning_rate=1e-3 stands in it" in refused(load, path).message
