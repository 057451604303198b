"""OLMo-core's configurations become documents with the rates of its schedulers."""

from __future__ import annotations

from math import cos, pi, sqrt
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.olmo_core import load


def warm(a: dict[str, Any], peak: float, x: int, warmup: int) -> float:
    low = a.get("warmup_min_lr", 0)
    return float(low + (peak - low) * min(x, warmup) / warmup)


def length(a: dict[str, Any], name: str, end: int, default: float = 0) -> int:
    return int(a[name]) if name in a else round(end * a.get(f"{name}_fraction", default))


def rate(a: dict[str, Any], x: int, peak: float, total: int) -> Any:
    """The rate at x, which is s + 1 at step s."""
    name, end = a["name"], a.get("t_max", total)
    if name == "sequential":
        for inner, own in zip(a["schedulers"], a["schedulers_max"], strict=False):
            if x <= own:
                return rate(inner, x, peak, own)
            peak = rate(inner, own, peak, own)
            x, total = x - own, total - own
        return rate(a["schedulers"][-1], x, peak, total)
    if name == "constant":
        return peak
    if name == "exponential":
        return a["lr_min"] * (peak / a["lr_min"]) ** min(x / total, 1)
    if name == "wsds":
        return wsds(a, x, peak)
    low, warmup = a.get("alpha_f", 0.1) * peak, length(a, "warmup", end)
    if name == "half_cos_with_warmup":
        if x < warmup:
            return warm(a, low + (peak - low) / 2, x, warmup)
        p = min((x - warmup) / (end - warmup), 1)
        return low + (peak - low) * (1 + cos(pi * (1 + p) / 2)) / 2
    if x < warmup:
        return warm(a, peak, x, warmup)
    if name == "constant_with_warmup":
        return peak
    if name == "inv_sqrt_with_warmup":
        return low + (peak - low) * sqrt(warmup / x)
    p = min((x - warmup) / (end - warmup), 1) if end > warmup else 1
    if name == "linear_with_warmup":
        return peak - (peak - low) * p
    if name == "cos_with_warmup":
        return low + (peak - low) * (1 + cos(pi * p)) / 2
    decay = length(a, "decay", total, 0.1)
    last, begin = a.get("decay_min_lr", 0), total - decay
    if name == "wsd":
        if x <= warmup:
            return warm(a, peak, x, warmup)
        return last + (peak - last) * min(max(total - x, 0), decay) / decay
    if x >= begin:
        reached = rate({**a, "decay": 1}, begin, peak, total)
        return last + (reached - last) * max(total - x, 0) / decay
    if name == "power_lr":
        return peak * (x / warmup) ** a.get("b", -0.51)
    return rate({**a, "name": "cos_with_warmup"}, x, peak, total)


def wsds(a: dict[str, Any], x: int, peak: float) -> Any:
    low, start = a.get("decay_min_lr", 0), 0
    warmup = length(a, "warmup", a["period_lengths"][0])
    shares = a.get("period_lr_multipliers", [1] * 9)
    for index, period in enumerate(a["period_lengths"]):
        top = peak * shares[index]
        if x < warmup:
            return warm(a, top, x, warmup)
        if x <= start + period:
            decay = length(a, "decay", period)
            return low + (top - low) * min(start + period - x, decay) / decay
        start += period
    return low


LR = {"lr": 0.3, "max_steps": 100}
CASES: list[dict[str, Any]] = [
    {"name": "constant"},
    {"name": "constant_with_warmup", "warmup": 7, "warmup_min_lr": 0.01},
    {"name": "constant_with_warmup", "warmup": 0},
    {"name": "linear_with_warmup", "warmup_fraction": 0.125, "alpha_f": 0.5},
    {"name": "linear_with_warmup", "warmup": 10, "t_max": 70},
    {"name": "linear_with_warmup", "warmup": 130},
    {"name": "cos_with_warmup", "warmup": 10},
    {"name": "cos_with_warmup", "warmup": 0, "t_max": 130, "alpha_f": 0},
    {"name": "half_cos_with_warmup", "warmup": 10, "warmup_min_lr": 0.1},
    {"name": "half_cos_with_warmup", "warmup": 0, "t_max": 50},
    {"name": "half_cos_with_warmup", "warmup": 130},
    {"name": "cos_with_warmup_and_linear_decay", "warmup": 10, "decay_min_lr": 0.01},
    {"name": "cos_with_warmup_and_linear_decay", "warmup": 5, "decay": 30, "t_max": 120},
    {"name": "inv_sqrt_with_warmup", "warmup": 10},
    {"name": "inv_sqrt_with_warmup", "warmup": 10, "alpha_f": 0},
    {"name": "inv_sqrt_with_warmup", "warmup": 0},
    {"name": "wsd", "warmup_fraction": 0.125, "decay_fraction": 0.125},
    {"name": "wsd", "warmup": 20, "decay": 90, "decay_min_lr": 0.01},
    {"name": "wsd", "warmup": 90, "decay": 10},
    {"name": "power_lr", "warmup": 10},
    {"name": "power_lr", "warmup": 5, "b": -1, "decay": 33},
    {"name": "exponential", "lr_min": 1e-6},
    {"name": "wsds", "period_lengths": [40, 30, 30], "warmup": 10, "decay": 5},
    {"name": "wsds", "period_lengths": [40, 25], "warmup_fraction": 0.1, "decay_fraction": 0.3}
    | {"period_lr_multipliers": [1, 0.5], "decay_min_lr": 0.01},
    {
        "name": "sequential",
        "schedulers": [
            {"name": "constant_with_warmup", "warmup": 10},
            {"name": "cos_with_warmup", "warmup": 0, "alpha_f": 0.5},
            {"name": "inv_sqrt_with_warmup", "warmup": 5, "alpha_f": 0},
            {"name": "linear_with_warmup", "warmup": 0, "alpha_f": 0},
        ],
        "schedulers_max": [20, 30, 20],
    },
]


@pytest.mark.parametrize("args", CASES, ids=lambda args: args["name"])
def test_every_scheduler_has_the_rates_of_olmo_core(args: dict[str, Any]) -> None:
    assert_curve(load({**LR, **args}), lambda s: rate(args, s + 1, 0.3, 100), range(100))


STAGES: list[dict[str, Any]] = [
    {"duration": 10, "shape": "linear", "start_lr": 0.0, "end_lr_fraction": 1.0},
    {"duration": 40, "shape": "cosine", "end_lr_fraction": 0.5},
    {"duration": 50, "shape": "linear", "end_lr": 0.01},
]
JUMP = [STAGES[0], {**STAGES[1], "start_lr": 0.2}, STAGES[2]]
DECAY = {"start": 70, "duration": 20, "shape": "cosine", "end_lr": 0.02}


def composed(stages: list[dict[str, Any]], decay: dict[str, Any] | None, x: int) -> Any:
    if decay and x >= decay["start"]:
        p = min((x - decay["start"]) / decay["duration"], 1)
        top = composed(stages, None, decay["start"])
        return decay["end_lr"] + (top - decay["end_lr"]) * (1 + cos(pi * p)) / 2
    begin, last = 0, 0.3
    for stage in stages:
        first = stage.get("start_lr", last)
        last = stage.get("end_lr", stage.get("end_lr_fraction", 0) * 0.3)
        p = (x - begin) / stage["duration"]
        if p < 1:
            share = p if stage["shape"] == "linear" else (1 - cos(pi * p)) / 2
            return first + (last - first) * share
        begin += stage["duration"]
    return last


@pytest.mark.parametrize("stages", [STAGES, JUMP])
@pytest.mark.parametrize("decay", [None, DECAY, {**DECAY, "start": 110}, {**DECAY, "start": 50}])
def test_composable_stages(stages: list[dict[str, Any]], decay: dict[str, Any] | None) -> None:
    config = {"name": "composable", "lr": 0.3, "stages": stages, "override_decay": decay}
    assert_curve(load(config), lambda s: composed(stages, decay, s + 1), range(140))


def test_the_configuration_of_a_run() -> None:
    config = {
        "model": {"d_model": 4},
        "train_module": {
            "optim": {"_CLASS_": "olmo_core.optim.AdamWConfig", "lr": 4e-4},
            "scheduler": {"_CLASS_": "olmo_core.optim.scheduler.CosWithWarmup", "warmup": 2000},
        },
        "trainer": {"max_duration": {"value": 100000, "unit": "steps"}, "save_folder": "x"},
    }
    document = load(config)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.0004
sample: end
training: {steps: 100000}
schedule:
- linear: {initial: 0, final: 1, length: 2000}
- cosine: {final: 0.1}
"""
    )
    assert document.notes == (
        "alpha_f is left out: OLMo-core takes 0.1.",
        "OLMo counts an update before it is made: the rate is that of its end.",
    )


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ({"name": "cos"}, "unknown-schedule", "unknown scheduler of OLMo-core 'cos'; known are"),
        ({}, "missing-field", "'name' is required"),
        ({"name": "wsd", "warmup": 1, "max_steps": None}, "missing-fact", "ends with the run"),
        ({"name": "wsd"}, "missing-field", "'warmup' or 'warmup_fraction' is required"),
        ({"name": "wsd", "warmup": 1, "decay": 0}, "out-of-range", "divides by a decay"),
        ({"name": "wsd", "warmup": 1, "decay": 2, "decay_fraction": 0.1}, "conflicting-fields", ""),
        ({"name": "wsd", "warmup": 1, "decay_min_lr": 0.3}, "out-of-range", "below the rate"),
        ({"name": "wsd", "warmup": 1, "warmup_min_lr": 0.3}, "out-of-range", "below the rate"),
        (
            {"name": "wsd", "warmup": 1, "lr": None, "decay_min_lr": 0.3},
            "missing-fact",
            "beside lr",
        ),
        ({"name": "power_lr", "warmup": 95}, "does-not-fit", "leave nothing of the power"),
        ({"name": "power_lr", "warmup": 0}, "out-of-range", "power_lr has a warmup"),
        ({"name": "wsds", "warmup": 1, "period_lengths": []}, "wrong-value", "every period has"),
        ({"name": "composable", "stages": []}, "too-few-items", "there is no stage"),
        ({"name": "constant", "warmpu": 1}, "unknown-field", "'warmpu' is not known here"),
        (
            {"name": "composable", "units": "tokens", "stages": JUMP},
            "not-importable",
            "a stage of tokens that starts with another rate",
        ),
        (
            {"name": "composable", "stages": STAGES, "override_decay": {**DECAY, "start": 20}},
            "not-importable",
            "a cosine that is cut in its middle",
        ),
        (
            {**CASES[-1], "schedulers_max": [5, 30, 20]},
            "does-not-fit",
            "the schedule is longer than its 5 steps",
        ),
        ({**CASES[-1], "schedulers_max": [5]}, "wrong-value", "every scheduler but the last"),
    ],
)
def test_what_is_refused(args: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, {**LR, **args})
    assert problem.code == code
    assert message in problem.message


@pytest.mark.parametrize("args", CASES[1::3], ids=lambda args: args["name"])
def test_any_value_is_refused_or_read(args: dict[str, Any]) -> None:
    assert_survives(load, {**LR, **args})


def test_any_value_of_stages_is_refused_or_read() -> None:
    config = {"name": "composable", "lr": 0.3, "stages": STAGES, "override_decay": DECAY}
    assert_survives(load, config)
    assert_survives(load, {**LR, **CASES[-1]})


LEGACY = {
    "model": {"max_sequence_length": 8},
    "optimizer": {"learning_rate": 1.0},
    "global_train_batch_size": 4,
}


@pytest.mark.parametrize(
    ("duration", "facts", "steps"),
    [
        ("1_00", {}, 100),
        (100, {}, 100),
        ("1e2", {}, 100),
        ("3.19e3T", {}, 100),
        ("2ep", {"steps_per_epoch": 50}, 100),
        ("2ep", {"steps": 100}, 100),
        ({"value": 100, "unit": "steps"}, {}, 100),
        ({"value": 3200, "unit": "tokens"}, {}, 100),
        ({"value": 2, "unit": "epochs"}, {"steps_per_epoch": 50}, 100),
    ],
)
def test_the_length_of_the_run(duration: object, facts: dict[str, Any], steps: int) -> None:
    scheduler = {"name": "linear_with_warmup", "t_warmup": 0, "alpha_f": 0}
    document = load({**LEGACY, "scheduler": scheduler, "max_duration": duration}, **facts)
    assert document.bind().steps == steps
    assert document.bind()(49) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("duration", "facts", "code"),
    [
        ("2ep", {}, "missing-fact"),
        ("100", {"steps": 90}, "conflicting-fact"),
        ("2ep", {"steps": 90, "steps_per_epoch": 50}, "conflicting-fact"),
        ("3.2e3T", {"steps": 90}, "conflicting-fact"),
        ("ten", {}, "wrong-value"),
        ("1e999T", {}, "wrong-value"),
        ("0.5", {}, "wrong-value"),
        ({"value": 100, "unit": "years"}, {}, "wrong-value"),
    ],
)
def test_a_length_that_is_none(duration: object, facts: dict[str, Any], code: str) -> None:
    scheduler = {"name": "linear_with_warmup", "t_warmup": 0, "alpha_f": 0}
    config = {**LEGACY, "scheduler": scheduler, "max_duration": duration}
    assert refused(load, config, **facts).code == code


def test_the_tokens_of_an_update() -> None:
    scheduler = {"name": "linear_with_warmup", "units": "tokens", "t_warmup": 320, "alpha_f": 0}
    config = {**LEGACY, "scheduler": {**scheduler, "warmup_min_lr": 0}, "max_duration": "3200T"}
    document = load(config)
    assert "training: {steps: 3200 tokens, batch_size: 4, sequence_length: 8}" in body(document)
    assert document.bind()(4) == pytest.approx(0.5)
    assert load({**config, "max_duration": 100}) == document
    scheduler = {"name": "linear_with_warmup", "units": "tokens", "warmup": 320, "alpha_f": 0.0}
    core = {
        "train_module": {"optim": {"lr": 1.0}, "scheduler": scheduler},
        "trainer": {"max_duration": {"value": 3200, "unit": "tokens"}},
        "data_loader": {"global_batch_size": 32},
        "dataset": {"sequence_length": 8},
    }
    assert load(core) == document
