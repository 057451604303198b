"""Every kind of timm's schedules against its formula, without timm."""

from __future__ import annotations

from math import cos, pi, sqrt, tanh
from typing import Any

import pytest
from tests.importers.trainers import assert_curve

from lrspec.importers.timm import load


def rate(a: dict[str, Any], t: int) -> Any:
    """The rate at t, of the arguments of a class; every t is a whole number."""
    kind, warmup, low = a["cls"], a.get("warmup_t", 0), a.get("lr_min", 0)
    prefix = a.get("warmup_prefix", kind.startswith(("Step", "Multi"))) or kind.startswith("WSD")
    top = 1.0
    if kind.startswith("Tanh") and not prefix:
        top = after(a, warmup, low)
    if t < warmup:
        return a.get("warmup_lr_init", 0) + (top - a.get("warmup_lr_init", 0)) * t / warmup
    if t == 0:
        return 1.0
    return after(a, t - warmup if prefix else t, low)


def after(a: dict[str, Any], t: int, low: float) -> Any:
    """The rate at t, counted as the schedule counts it."""
    kind = a["cls"]
    if kind.startswith("Step"):
        return a["decay_rate"] ** (t // a["decay_t"])
    if kind.startswith("Multi"):
        return a["decay_rate"] ** sum(milestone <= t + 1 for milestone in a["decay_t"])
    if kind.startswith("WSD"):
        return wsd(a, t, low)
    length, mul, cycle = a["t_initial"], a.get("cycle_mul", 1), 0
    while t >= length:
        t, length, cycle = t - length, length * mul, cycle + 1
    if cycle >= a.get("cycle_limit", 1):
        return low
    p = (t / length) ** a.get("k_decay", 1)
    share = (1 + cos(pi * p)) / 2
    if kind.startswith("Poly"):
        share = (1 - p) ** a.get("power", 0.5)
    if kind.startswith("Tanh"):
        share = (1 - tanh(a.get("lb", -7) * (1 - p) + a.get("ub", 3) * p)) / 2
    return low + (a.get("cycle_decay", 1) ** cycle - low) * share


def wsd(a: dict[str, Any], t: int, low: float) -> Any:
    scale, power = a.get("stable_timescale", a.get("warmup_t", 1)), a.get("stable_power", 0.5)
    stable = a.get("stable_fn", "constant")
    power = {"constant": 0, "rsqrt": 0.5, "power": power}[stable]
    top = max((1 + t / scale) ** -power if power else 1, low)
    q = min(max(t - a["t_initial"] + a["decay_t"], 0) / a["decay_t"], 1)
    ratio = a.get("decay_ratio", 0.1)
    share = {
        "linear": 1 - q,
        "1-sqrt": 1 - sqrt(q),
        "cosine": (1 + cos(pi * q)) / 2,
        "power": 1 - q ** a.get("decay_power", 0.5),
        "exp": (ratio**q - ratio) / (1 - ratio),
    }[a.get("decay_fn", "1-sqrt")]
    return low + (top - low) * share


WARM = {"warmup_t": 7, "warmup_lr_init": 0.01}
COSINE = {"cls": "CosineLRScheduler", "t_initial": 20}
POLY = {"cls": "PolyLRScheduler", "t_initial": 20}
TANH = {"cls": "TanhLRScheduler", "t_initial": 20}
STEP = {"cls": "StepLRScheduler", "decay_t": 9, "decay_rate": 0.5}
MULTI = {"cls": "MultiStepLRScheduler", "decay_t": [1, 9, 9, 30], "decay_rate": 0.5}
WSD = {"cls": "WSDLRScheduler", "t_initial": 40, "decay_t": 15}
MANY = {"cycle_limit": 11, "cycle_decay": 0.9, "lr_min": 0.01, "t_initial": 5}
CASES: list[dict[str, Any]] = [
    COSINE,
    {**COSINE, **WARM, "lr_min": 0.1},
    {**COSINE, **WARM, "warmup_prefix": True},
    {**COSINE, "warmup_t": 30, "lr_min": 0.1},
    {**COSINE, "cycle_limit": 0, "lr_min": 0.1},
    {**COSINE, **WARM, "cycle_limit": 0},
    {**COSINE, "cycle_limit": 3},
    {**COSINE, **WARM, "cycle_limit": 3, "cycle_decay": 0.5},
    {**COSINE, **WARM, "cycle_limit": 3, "cycle_decay": 0.5, "lr_min": 0.1, "cycle_mul": 2},
    {**COSINE, "cycle_limit": 3, "cycle_decay": 0.5, "lr_min": 0.1, "cycle_mul": 1.5},
    {**COSINE, **MANY},
    {**COSINE, **MANY, **WARM, "cycle_mul": 1.25},
    {**POLY, "power": 2},
    {**POLY, "power": 1, "lr_min": 0.1, "cycle_limit": 2, **WARM},
    STEP,
    {**STEP, **WARM},
    {**STEP, **WARM, "warmup_prefix": False},
    {**STEP, "decay_t": 2.4},
    {**STEP, "decay_rate": 1},
    MULTI,
    {**MULTI, **WARM},
    {**MULTI, **WARM, "warmup_prefix": False},
    *({**WSD, **WARM, "decay_fn": fn} for fn in ("linear", "1-sqrt", "cosine", "power", "exp")),
    {**WSD, "lr_min": 0.2, "decay_t": 40},
    {**WSD, "lr_min": 1.5},
    {**WSD, **WARM, "lr_min": 1},
    {**WSD, **WARM, "stable_fn": "rsqrt"},
    {**WSD, **WARM, "stable_fn": "rsqrt", "lr_min": 0.3, "decay_t": 40},
    {**WSD, "stable_fn": "power", "stable_power": 0.2, "stable_timescale": 3, "decay_fn": "linear"},
]
SAMPLED: list[dict[str, Any]] = [
    TANH,
    {**TANH, **WARM, "cycle_limit": 2, "cycle_decay": 0.5},
    {**TANH, **WARM, "warmup_prefix": True, "cycle_mul": 2, "cycle_limit": 2, "lr_min": 0.1},
    {**TANH, **WARM, "cycle_limit": 0, "lr_min": 0.1},
    {**COSINE, **WARM, "k_decay": 1.5},
    {**POLY, "k_decay": 0.5, "lr_min": 0.1},
]


@pytest.mark.parametrize("args", CASES, ids=lambda args: args["cls"])
def test_every_class(args: dict[str, Any]) -> None:
    assert_curve(load({"lr": 1, **args}), lambda t: rate(args, t), range(80))


@pytest.mark.parametrize("args", SAMPLED, ids=lambda args: args["cls"])
def test_what_is_sampled(args: dict[str, Any]) -> None:
    document = load({"lr": 1, **args}, sample=True)
    assert_curve(document, lambda t: rate(args, t), range(80))
    by_epochs = load({"lr": 1, **args, "t_in_epochs": True}, sample=True, steps_per_epoch=3)
    assert load({"lr": 1, **args}, schedule=args["cls"], sample=True) == document
    written = {key: value for key, value in args.items() if key != "cls"}
    assert load({"lr": 1, **written}, schedule=args["cls"], sample=True) == document
    curve = by_epochs.bind(steps_per_epoch=3)
    for t in range(60):
        assert curve(3 * t + 2) == pytest.approx(rate(args, t), rel=1e-9, abs=1e-12)


SCRIPT = {"lr": 1, "epochs": 20, "warmup_epochs": 4, "warmup_lr": 0.01, "decay_rate": 0.5}
# The arguments of the script, and those of the class that timm makes of them, in epochs.
SCRIPTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"sched": "poly"}, {**POLY, "power": 0.5}),
    ({"sched": "step", "decay_epochs": 3}, {**STEP, "decay_t": 3, "warmup_prefix": False}),
    ({"sched": "multistep", "decay_milestones": [6, 9]}, {**MULTI, "decay_t": [6, 9]}),
    ({"sched": "multistep"}, {**MULTI, "decay_t": [90]}),
    ({"sched": "wsd"}, {**WSD, "t_initial": 16, "decay_t": 3}),
    ({"sched": "wsd", "warmup_prefix": True}, {**WSD, "t_initial": 20, "decay_t": 4}),
    ({"sched": "wsd", "decay_epochs": 2.5}, {**WSD, "t_initial": 16, "decay_t": 2}),
    (
        {"sched": "rsqrt", "decay_epochs": 5, "lr_stable_timescale": 2, "min_lr": 0.1},
        {**WSD, "t_initial": 16, "decay_t": 5, "stable_fn": "rsqrt", "stable_timescale": 2}
        | {"decay_fn": "linear", "lr_min": 0.1},
    ),
    ({"sched": "constant"}, {**STEP, "decay_rate": 1}),
]


@pytest.mark.parametrize(("args", "made"), SCRIPTS, ids=lambda args: args.get("sched", ""))
def test_the_script(args: dict[str, Any], made: dict[str, Any]) -> None:
    made = {"warmup_t": 4, "warmup_lr_init": 0.01, **made}
    made.setdefault("warmup_prefix", False)
    document = load({**SCRIPT, **args}, steps_per_epoch=3)
    assert_curve(document, lambda step: rate(made, step // 3), range(80))


def test_the_script_without_a_schedule() -> None:
    assert_curve(load({"sched": "none", "lr": 0.1}), lambda _: 0.1, range(9))


def test_a_decay_in_whole_updates() -> None:
    args = {**SCRIPT, "sched": "wsd", "sched_on_updates": True, "decay_epochs": 0.33}
    document = load({**args, "cooldown_epochs": 1}, steps_per_epoch=3)
    # 0.33 of the 48 updates after the warmup is 15.84.
    made = {**WSD, "warmup_t": 12, "warmup_lr_init": 0.01, "t_initial": 48, "decay_t": 16}
    assert_curve(document, lambda step: rate(made, step), range(80))
    assert document.to_dict()["training"] == {"steps": 63}
    whole = load({**args, "decay_epochs": 2}, steps_per_epoch=3)
    assert_curve(whole, lambda step: rate({**made, "decay_t": 6}, step), range(80))


def test_milestones_in_updates() -> None:
    args = {**SCRIPT, "sched": "multistep", "sched_on_updates": True, "warmup_epochs": 0}
    document = load({**args, "decay_milestones": [3, 5]}, steps_per_epoch=4)
    assert_curve(document, lambda step: 0.5 ** sum(m <= step + 1 for m in (12, 20)), range(40))


def test_create_scheduler_v2() -> None:
    args = {"sched": "cosine", "num_epochs": 10, "cycle_limit": 2, "lr": 1, "step_on_epochs": False}
    document = load({**args, "updates_per_epoch": 3}, steps_per_epoch=3)
    assert document.notes == (
        "warmup_epochs is left out: timm takes 0.",
        "cycle_decay is left out: timm takes 0.1.",
    )
    made = {**COSINE, "t_initial": 30, "cycle_limit": 2, "cycle_decay": 0.1}
    assert_curve(document, lambda step: rate(made, step), range(80))
