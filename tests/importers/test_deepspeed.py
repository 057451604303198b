"""DeepSpeed's configurations become documents with the rates of its schedulers."""

from __future__ import annotations

import json
from math import cos, floor, log, pi
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.deepspeed import load

DECAY = {
    "warmup_min_lr": 0.01,
    "warmup_max_lr": 0.3,
    "warmup_num_steps": 10,
    "total_num_steps": 100,
    "warmup_type": "linear",
}
CYCLE: dict[str, Any] = {
    "cycle_min_lr": 0.01,
    "cycle_max_lr": 0.3,
    "cycle_first_step_size": 10,
    "cycle_second_step_size": 20,
    "decay_step_size": 5,
    "decay_lr_rate": 0.5,
    "decay_mom_rate": 0.1,
}


def config(kind: str, params: dict[str, Any]) -> dict[str, Any]:
    """A ds_config."""
    return {
        "train_micro_batch_size_per_gpu": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": 0.3, "betas": [0.9, 0.99]}},
        "scheduler": {"type": kind, "params": params},
        "zero_optimization": {"stage": 2},
    }


def share(params: dict[str, Any], x: int, steps: int) -> float:
    """How far the warmup has come."""
    return x / steps if params.get("warmup_type") == "linear" else log(x + 1) / log(steps)


def rate(kind: str, params: dict[str, Any], step: int) -> Any:
    """The rate at a step."""
    x, steps = step - 1, max(2, params.get("warmup_num_steps", 1000))
    low, high = params.get("warmup_min_lr", 0), params.get("warmup_max_lr", 0.3)
    if kind == "WarmupCosineLR":
        ratio, end = params.get("warmup_min_ratio", 0), params.get("cos_min_ratio", 1e-4)
        if x < 0:
            return 0
        if x < steps:
            return 0.3 * (ratio + (1 - ratio) * share(params, x, steps))
        p = min((x - steps + 1) / max(1, params["total_num_steps"] - steps), 1)
        return 0.3 * (end + (1 - end) * (1 + cos(pi * p)) / 2)
    if kind in ("WarmupLR", "WarmupDecayLR"):
        if x < steps:
            return low + (high - low) * share(params, x, steps) if x >= 0 else low
        if kind == "WarmupLR":
            return high
        total = params["total_num_steps"]
        return low + (high - low) * max(0, (total - x) / max(1, total - steps))
    if kind == "LRRangeTest":
        low = params.get("lr_range_test_min_lr", 1e-3)
        size = params.get("lr_range_test_step_size", 2000)
        interval = floor(step / size) if params.get("lr_range_test_staircase") else step / size
        return low * (1 + params.get("lr_range_test_step_rate", 1) * interval)
    low, high = params["cycle_min_lr"], params["cycle_max_lr"]
    total = params["cycle_first_step_size"] + params.get("cycle_second_step_size", 10)
    if step < total or step == 0:
        return low + (high - low) * height(params, step)
    every, fall = params.get("decay_step_size", 0), params.get("decay_lr_rate", 0)
    return low / (1 + fall * (step - total) / every) if every else low


def height(params: dict[str, Any], step: int) -> Any:
    """How high the cycle is."""
    first = params["cycle_first_step_size"]
    second = params.get("cycle_second_step_size", first)
    return step / first if step <= first else (first + second - step) / second


def momentum(params: dict[str, Any], step: int) -> Any:
    """The momentum of OneCycle."""
    low, high = params.get("cycle_min_mom", 0.8), params.get("cycle_max_mom", 0.9)
    if step == 0:
        return low
    total = params["cycle_first_step_size"] + params.get("cycle_second_step_size", 10)
    if step < total:
        return high - (high - low) * height(params, step)
    every = params.get("decay_step_size", 0)
    return high * (1 + params.get("decay_mom_rate", 0) * (step - total) / every) if every else high


CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "warmup": ("WarmupLR", {**DECAY, "total_num_steps": None}),
    "warmup to the rate of the optimizer": ("WarmupLR", {"warmup_type": "linear"}),
    "warmup of one step": ("WarmupLR", {"warmup_type": "linear", "warmup_num_steps": 1}),
    "warmup that is flat": ("WarmupLR", {"warmup_min_lr": 0.3}),
    "logarithm": ("WarmupLR", {"warmup_num_steps": 12, "warmup_min_lr": 0.01}),
    "decay": ("WarmupDecayLR", DECAY),
    "decay after a logarithm": ("WarmupDecayLR", {**DECAY, "warmup_type": "log"}),
    "decay without any": ("WarmupDecayLR", {**DECAY, "total_num_steps": 10}),
    "decay shorter than the warmup": ("WarmupDecayLR", {**DECAY, "total_num_steps": 7}),
    "cosine": (
        "WarmupCosineLR",
        {"total_num_steps": 60, "warmup_num_steps": 9, "warmup_type": "linear"},
    ),
    "cosine shorter than the warmup": (
        "WarmupCosineLR",
        {"total_num_steps": 9, "warmup_num_steps": 9, "warmup_type": "linear"},
    ),
    "cosine after a logarithm": (
        "WarmupCosineLR",
        {"total_num_steps": 60, "warmup_num_steps": 9, "warmup_min_ratio": 0.1}
        | {"cos_min_ratio": 0.2},
    ),
    "range test": ("LRRangeTest", {"lr_range_test_step_size": 7, "lr_range_test_step_rate": 5}),
    "range test in stairs": (
        "LRRangeTest",
        {"lr_range_test_step_size": 7, "lr_range_test_staircase": True},
    ),
    "range test by default": ("LRRangeTest", {}),
    "cycle": ("OneCycle", CYCLE),
    "cycle without a decay": ("OneCycle", {**CYCLE, "decay_step_size": 0}),
    "cycle of one step": ("OneCycle", {**CYCLE, "cycle_first_step_size": 1}),
    "cycle without a way back": ("OneCycle", {**CYCLE, "cycle_second_step_size": 0}),
    "cycle that ends at 0": ("OneCycle", {**CYCLE, "cycle_min_lr": 0}),
    "cycle without a way back or a decay": (
        "OneCycle",
        {**CYCLE, "cycle_second_step_size": 0, "decay_lr_rate": 0, "decay_mom_rate": 0},
    ),
}


@pytest.mark.parametrize(("kind", "params"), CASES.values(), ids=CASES)
def test_every_scheduler_has_the_rates_of_deepspeed(kind: str, params: dict[str, Any]) -> None:
    params = {key: value for key, value in params.items() if value is not None}
    document = load(config(kind, params), sample=True)
    assert_curve(document, lambda step: rate(kind, params, step), range(130))
    if kind == "OneCycle":
        assert_curve(document, lambda step: momentum(params, step), range(130), name="momentum")


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ds_config.json"
    path.write_text(json.dumps(config("WarmupDecayLR", DECAY)), "utf-8")
    document = load(path)
    assert (
        body(document)
        == """\
lrspec: 1
base: absolute
schedule:
- constant: {value: 0.01, length: 1}
- linear: {final: 0.3, length: 10}
- linear: {final: 0.01, length: 90}
"""
    )
    assert document.notes == (
        "The first two updates have the lowest rate: DeepSpeed counts from −1.",
        "The decay ends at warmup_min_lr, one step after total_num_steps.",
    )


def test_a_cosine_counts_from_the_second_update() -> None:
    params = {"total_num_steps": 60, "warmup_num_steps": 10, "warmup_type": "linear"}
    document = load(config("WarmupCosineLR", params))
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.3
schedule:
- constant: {value: 0, length: 1}
- linear: {initial: 0, final: 1, length: 10}
- advance:
    by: 1
    schedule:
      cosine: {initial: 1, final: 0.0001, length: 50}
""".replace("{initial: 0, final: 1, length: 10}", "{final: 1, length: 10}")
    )
    assert document.notes[0] == "cos_min_ratio is left out: DeepSpeed takes 0.0001."


def test_a_cycle_has_a_momentum_where_the_optimizer_has_betas() -> None:
    with_momentum = load(config("OneCycle", CYCLE))
    assert with_momentum.names == ("lr", "momentum")
    assert load(config("OneCycle", {**CYCLE, "cycle_momentum": False})).names == ("lr",)
    plain = config("OneCycle", CYCLE)
    plain["optimizer"] = {"type": "SGD", "params": {"lr": 1}}
    assert load(plain).names == ("lr",)


def test_what_a_trainer_fills_in() -> None:
    params = {"warmup_min_lr": "auto", "warmup_max_lr": "auto", "total_num_steps": "auto"}
    auto = config("WarmupDecayLR", {**DECAY, **params})
    document = load(auto, steps=40, base=0.2)
    given = {**DECAY, "warmup_min_lr": 0, "warmup_max_lr": 0.2, "total_num_steps": 40}
    assert document.to_dict() == load(config("WarmupDecayLR", given), steps=40).to_dict()
    assert document.notes[:3] == (
        "warmup_min_lr is auto: transformers fills in 0.",
        "warmup_max_lr is auto: transformers fills in 0.2.",
        "total_num_steps is auto: transformers fills in 40.",
    )
    hint = "write the number that it becomes, or give "
    assert refused(load, auto, steps=40).hint == f"{hint}--base"
    assert refused(load, auto, base=0.2).hint == f"{hint}--steps"
    cosine = {"total_num_steps": 60, "warmup_num_steps": 9, "warmup_type": "linear"}
    plain = config("WarmupCosineLR", cosine)
    plain["optimizer"] = {"type": "AdamW", "params": {"lr": "auto", "weight_decay": "auto"}}
    assert load(plain, base=0.5).bind().base == 0.5
    assert refused(load, plain).path == "/optimizer/params/lr"


def test_rates_that_stay() -> None:
    same = {"warmup_min_lr": 0.3, "warmup_max_lr": 0.3, "warmup_num_steps": 10}
    expected = "lrspec: 1\nbase: 0.3\nschedule:\n  constant: {value: 1}\n"
    assert body(load(config("WarmupLR", same))) == expected
    assert body(load(config("WarmupDecayLR", {**same, "total_num_steps": 50}))) == expected


def test_versions_that_differ() -> None:
    params = {"total_num_steps": 60, "warmup_num_steps": 0, "warmup_type": "linear"}
    document = load(config("WarmupCosineLR", params))
    says = "A warmup of 0 steps is one of 2; newer versions of DeepSpeed refuse it."
    assert says in document.notes
    says = "Older versions of DeepSpeed let the cosine rise again after total_num_steps."
    assert says in document.notes


def test_the_part_of_a_larger_file() -> None:
    problem = refused(load, {"deepspeed": config("WarmupDecayLR", DECAY)})
    assert problem.hint == "some stand in deepspeed: give --at deepspeed"


def test_a_scheduler_alone() -> None:
    assert load({"type": "WarmupDecayLR", "params": DECAY}) == load(config("WarmupDecayLR", DECAY))
    alone = {"type": "WarmupLR", "params": {"warmup_type": "linear"}}
    assert load(alone, base=0.5).bind()(2000) == 0.5
    assert load(alone).bind()(2000) == 1


@pytest.mark.parametrize(
    ("kind", "params", "code", "message"),
    [
        ("WarmupLR", {}, "not-importable", "no kind of the language has the form of a logarithm"),
        ("Warmup", {}, "unknown-schedule", "unknown scheduler of DeepSpeed 'Warmup'"),
        ("WarmupLR", {"warmup_num_steps": "auto"}, "wrong-value", "is auto, which the trainer"),
        ("WarmupLR", {"warmup_typ": "linear"}, "unknown-field", "'warmup_typ' is not known here"),
        ("WarmupLR", {"warmup_type": "lin"}, "wrong-value", "unknown warmup_type 'lin'"),
        (
            "WarmupDecayLR",
            {"warmup_type": "linear"},
            "missing-fact",
            "the decay ends after total_num_steps",
        ),
        ("OneCycle", {"cycle_min_lr": 1}, "missing-field", "'cycle_max_lr' is required"),
        ("OneCycle", {**CYCLE, "cycle_first_step_size": 0}, "out-of-range", "at least 1"),
    ],
)
def test_what_is_refused(kind: str, params: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config(kind, params))
    assert problem.code == code
    assert message in problem.message


def test_a_file_without_a_scheduler() -> None:
    problem = refused(load, {"optimizer": {"type": "Adam", "params": {"lr": 1}}})
    assert problem.message == "there is no scheduler here"


@pytest.mark.parametrize(("kind", "params"), CASES.values(), ids=CASES)
def test_any_value_is_refused_or_read(kind: str, params: dict[str, Any]) -> None:
    assert_survives(load, {"optimizer_lr": 0.1, "scheduler": {"type": kind, "params": params}})


def test_a_class_of_torch() -> None:
    config = {
        "optimizer": {"type": "AdamW", "params": {"lr": 0.5}},
        "scheduler": {"type": "StepLR", "params": {"step_size": 3, "gamma": 0.1}},
    }
    document = load(config)
    assert [document.bind()(step) for step in (2, 3)] == [0.5, 0.05]
    assert document.origin == "DeepSpeed StepLR"
    misspelt = {**config, "scheduler": {"type": "StepLR", "params": {"step": 3}}}
    assert refused(load, misspelt).code in ("missing-field", "unknown-field")
