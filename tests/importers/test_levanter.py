"""Levanter's configurations become documents with the rates of its cycles."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body

from lrspec.importers.levanter import load

LLAMA = """\
data:
  train_urls: [gs://data/train.jsonl.gz]
model:
  type: llama
  seq_len: 4096
trainer:
  mp: p=f32,c=bfloat16
  num_train_steps: 20000
  train_batch_size:
  - {start: 0, value: 64}
  - {start: 1000, value: 128}
optimizer:
  type: adam
  learning_rate: 3E-4
  weight_decay: 0.1
  min_lr_ratio: 0.1
  warmup: 0.05
  decay: 0.1
  lr_schedule: linear
"""


def steps_of(value: float, whole: int) -> int:
    return int(value * whole) if value <= 1 else int(value)


def shape(kind: dict[str, Any], t: float, w: int, d: int, p: float, m: float) -> float:
    """The decay at t of d steps, after a warmup of w steps."""
    u = min(t / d, 1.0)
    exponent: float = kind.get("exponent", 1)
    power: float = kind.get("power", 2)
    timescale: float = kind.get("timescale", 1e4)
    c: float = kind.get("decay_constant", 28.6)
    match kind["type"]:
        case "constant":
            return p
        case "cosine":
            return m + (p - m) * math.pow(0.5 * (1 + math.cos(math.pi * u)), exponent)
        case "linear":
            return p + (m - p) * u
        case "polynomial":
            return m + (p - m) * math.pow(1 - u, power)
        case "inv":
            return max(m, p * min(1, 1 / ((p / m - 1) * max(t, 1) / d + 1)))
        case "inv_sqrt":
            return max(m, p * min(1, math.sqrt(timescale / max(t + w, 1))))
        case "inv_sqrt_decay":
            return max(m, p / math.sqrt(1 + c * t / d))
        case _:
            a: float = kind.get("a", 4.6) * kind["batch_size"]
            b: float = kind.get("b", -0.51)
            tokens: int = int(t) * kind["batch_size"] * kind["seq_length"]
            return min(p, a * math.pow(tokens, b)) if t else p


def rate(optimizer: dict[str, Any], total: int, ends: list[int], step: int) -> float:
    """The rate at a step of `total`, with cycles that end at `ends`."""
    p: float = optimizer.get("learning_rate", 6e-4)
    m: float = p * optimizer.get("min_lr_ratio", 0.1)
    kind = optimizer.get("lr_schedule", "cosine")
    kind = {"type": kind} if isinstance(kind, str) else kind
    cooldown = steps_of(optimizer.get("cooldown", 0), total)
    previous, start = 0.0, 0
    for index, end in enumerate(ends):
        span, t = end - start, step - start
        key, default = ("rewarmup", 0.0) if index else ("warmup", 0.01)
        w = min(steps_of(optimizer.get(key, default), span), span)
        d = min(steps_of(optimizer["decay"], span), span - w) if "decay" in optimizer else span - w
        if step < end or (end == ends[-1] and not cooldown):
            if t < w:
                return previous + (p - previous) * t / w
            return p if t < span - d or d == 0 else shape(kind, t - span + d, w, d, p, m)
        previous = shape(kind, d, w, d, p, m) if d else p
        start = end
    return previous + (m - previous) * min((step - start) / cooldown, 1)


KINDS: dict[str, Any] = {
    "constant": "constant",
    "cosine": "cosine",
    "linear": "linear",
    "inv": "inv",
    "inv_sqrt": "inv_sqrt",
    "exponent": {"type": "cosine", "exponent": 2.5},
    "polynomial": {"type": "polynomial"},
    "polynomial 0.5": {"type": "polynomial", "power": 0.5},
    "timescale": {"type": "inv_sqrt", "timescale": 15.5},
    "timescale 0.5": {"type": "inv_sqrt", "timescale": 0.5},
    "inv_sqrt_decay": {"type": "inv_sqrt_decay"},
    "decay_constant": {"type": "inv_sqrt_decay", "decay_constant": 400},
    "power": {"type": "power", "batch_size": 8, "seq_length": 16},
    "power a b": {"type": "power", "batch_size": 8, "seq_length": 16, "a": 0.01, "b": -0.7},
}
CYCLES: dict[str, tuple[dict[str, Any], list[int]]] = {
    "default": ({}, [100]),
    "no warmup": ({"warmup": 0}, [100]),
    "warmup": ({"warmup": 0.29}, [100]),
    "decay": ({"warmup": 10, "decay": 0.2}, [100]),
    "no decay": ({"warmup": 10, "decay": 0}, [100]),
    "decay too long": ({"warmup": 30, "decay": 90}, [100]),
    "only warmup": ({"warmup": 1}, [100]),
    "cooldown": ({"warmup": 5, "cooldown": 0.2}, [80]),
    "cycle_length": ({"warmup": 0.1, "cycle_length": 30}, [30, 60, 100]),
    "cycle_length list": ({"rewarmup": 2, "cycle_length": [20, 40]}, [20, 60, 100]),
    "fraction": ({"rewarmup": 0.2, "decay": 7, "cycle_length": 0.2}, [20, 40, 60, 80, 100]),
    "equal": ({"warmup": 0, "cycles": 5, "decay": 0.5}, [20, 40, 60, 80, 100]),
    "cycles": ({"cycles": 3, "rewarmup": 0.1}, [33, 66, 100]),
    "points up to the end": ({"cycles": [30, 100], "decay": 0.5}, [30, 100]),
    "points": ({"cycles": [30, 70], "cooldown": 10}, [30, 70, 90]),
    "haps": ({"haps": [50], "rewarmup": 5}, [50, 100]),
    "no decay in cycles": ({"cycles": 4, "decay": 0, "rewarmup": 2}, [25, 50, 75, 100]),
    "cycles and cooldown": ({"cycles": 4, "cooldown": 0.2, "rewarmup": 2}, [20, 40, 60, 80]),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(("cycles", "ends"), CYCLES.values(), ids=CYCLES)
def test_every_kind_in_every_cycle(cycles: dict[str, Any], ends: list[int], kind: Any) -> None:
    optimizer = {"learning_rate": 0.001, "lr_schedule": kind, **cycles}
    # A plateau of inv_sqrt that is longer than its cycle is kept beyond the run.
    steps = range(101 if kind == "inv_sqrt" or "timescale" in kind else 400)
    document = load({"optimizer": optimizer, "num_train_steps": 100})
    assert_curve(document, lambda step: rate(optimizer, 100, ends, step), steps)


def test_inv_sqrt_goes_on_after_the_run() -> None:
    optimizer = {"learning_rate": 0.1, "lr_schedule": KINDS["timescale"], "warmup": 10}
    document = load({**optimizer, "num_train_steps": 50})
    assert_curve(document, lambda step: rate(optimizer, 50, [50], step), range(4000))


@pytest.mark.parametrize("ratio", [0, 1, 1.5])
@pytest.mark.parametrize("kind", [kind for name, kind in KINDS.items() if name != "inv"])
def test_other_floors(kind: Any, ratio: float) -> None:
    optimizer = {"learning_rate": 0.02, "min_lr_ratio": ratio, "lr_schedule": kind}
    document = load({**optimizer, "num_train_steps": 40})
    assert_curve(document, lambda step: rate(optimizer, 40, [40], step), range(41))


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "llama.yaml"
    path.write_text(LLAMA, "utf-8")
    document = load(path)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.0003
training:
  steps: 20000
  batch_size:
  - {start: 0, value: 64}
  - {start: 1000, value: 128}
schedule:
- linear: {initial: 0, final: 1, length: 5%}
- constant:
- linear: {final: 0.1, length: 10%}
"""
    )
    assert document.origin == "Levanter lr_schedule linear"
    assert document.notes == ()


def test_cycles_that_are_the_same_are_repeated() -> None:
    config = {
        "learning_rate": 0.01,
        "min_lr_ratio": 0.1,
        "warmup": 0.0,
        "rewarmup": 0.1,
        "decay": 0.2,
        "cycle_length": 100,
        "num_train_steps": 450,
    }
    document = load(config)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.01
training: {steps: 450}
schedule:
- constant: {value: 1, length: 80}
- cosine: {final: 0.1, length: 20}
- linear: {final: 1, length: 10}
- constant: {length: 70}
- cosine: {final: 0.1, length: 20}
- linear: {final: 1, length: 10}
- constant: {length: 70}
- cosine: {final: 0.1, length: 20}
- linear: {final: 1, length: 15}
- constant: {length: 105}
- cosine: {final: 0.1}
"""
    )
    assert document.notes == (
        "lr_schedule is left out and is cosine, Levanter's default.",
        "The last cycle has 150 steps, as 100 does not divide 450.",
    )
    config |= {"num_train_steps": 500, "warmup": 0.1}
    assert (
        body(load(config))
        == """\
lrspec: 1
base: 0.01
training: {steps: 500}
schedule:
- linear: {initial: 0, final: 1, length: 10}
- constant: {length: 70}
- cosine: {final: 0.1, length: 20}
- repeat:
    period: 100
    count: 4
    schedule:
    - linear: {initial: 0.1, final: 1, length: 10}
    - constant: {length: 70}
    - cosine: {final: 0.1}
"""
    )


def test_the_power_scheduler() -> None:
    power = {"type": "power", "batch_size": 128, "seq_length": 4096}
    config = {
        "optimizer": {"learning_rate": 0.02, "warmup": 100, "lr_schedule": power},
        "trainer": {"num_train_steps": 20000, "train_batch_size": 128},
    }
    document = load(config)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.02
training: {steps: 20000, batch_size: 128, sequence_length: 4096}
schedule:
- linear: {initial: 0, final: 1, length: 100}
- token_power: {amplitude: 4.6, exponent: -0.51, count_from: stage}
"""
    )
    overflow = "Levanter counts the tokens of power in int32, which overflow 4096 steps after the"
    assert any(overflow in note for note in document.notes)


def test_power_counts_with_its_own_batch_size() -> None:
    power = {"type": "power", "batch_size": 128, "seq_length": 4096}
    optimizer = {"learning_rate": 0.02, "warmup": 100, "lr_schedule": power}
    batches = [{"start": 0, "value": 64}, {"start": 64, "value": 128}]
    config = {
        "optimizer": optimizer,
        "trainer": {"num_train_steps": 2000, "train_batch_size": batches},
    }
    document = load(config)
    assert_curve(document, lambda step: rate(optimizer, 2000, [2000], step), range(3000))
    assert "power_law" in body(document)
    # In cycles of their own that are too short for the law to come below the peak, too.
    optimizer |= {"warmup": 0.0, "cycles": 40}
    ends = [50 * i for i in range(1, 41)]
    config["optimizer"] = {**optimizer, "learning_rate": 1e-3}
    optimizer = config["optimizer"]
    document = load(config)
    assert_curve(document, lambda step: rate(optimizer, 2000, ends, step), range(3000))
    assert any("its own batch_size 128" in note for note in document.notes)


def test_a_list_of_stages() -> None:
    config = {
        "optimizer": {
            "learning_rate": 1e-4,
            "lr_schedule": [
                {"start": 0, "value": {"type": "linear", "initial": 0.0, "final": 1e-4}},
                {"start": 1000, "value": 1e-4},
                {"start": 100000, "value": {"type": "inv"}},
            ],
        },
        "trainer": {"num_train_steps": 150000},
    }
    document = load(config)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.0001
training: {steps: 150000}
schedule:
- linear: {initial: 0, final: 1, length: 1000}
- constant: {length: 99000}
- inverse: {final: 0.1}
"""
    )
    assert "final is left out of a stage and is min_lr, 1e-05." in document.notes
    curve = document.bind()
    assert [curve(step) for step in (0, 500, 1000, 100000)] == [0, 5e-5, 1e-4, 1e-4]
    assert curve(125000) == pytest.approx(1 / (0.5 / 1e-4 + 0.5 / 1e-5))


FORMULAS: list[tuple[dict[str, Any], Callable[[int], float]]] = [
    ({"type": "constant"}, lambda t: 0.5),
    ({"type": "linear", "final": 0.1}, lambda t: 0.5 - 0.4 * t / 50),
    (
        {"type": "cosine", "exponent": 2},
        lambda t: 0.1 + 0.4 * (0.5 * (1 + math.cos(math.pi * t / 50))) ** 2,
    ),
    ({"type": "polynomial", "power": 3}, lambda t: 0.1 + 0.4 * (1 - t / 50) ** 3),
    ({"type": "inv", "final": 0.2}, lambda t: 1 / (2 + 3 * t / 50)),
    ({"type": "inv_sqrt", "timescale": 25}, lambda t: 0.5 / math.sqrt(1 + t / 25)),
]


@pytest.mark.parametrize(("value", "formula"), FORMULAS)
def test_kinds_of_stages(value: dict[str, Any], formula: Callable[[int], float]) -> None:
    stages = [{"start": 0, "value": 0.5}, {"start": 10, "value": value}]
    document = load({"learning_rate": 1, "lr_schedule": stages, "num_train_steps": 60})
    assert_curve(document, lambda step: formula(step - 10) if step > 10 else 0.5, range(60))


def test_defaults_are_said() -> None:
    assert load({"lr_schedule": "cosine", "num_train_steps": 1000}).notes == (
        "learning_rate is left out and is 0.0006, Levanter's default.",
        "min_lr_ratio is left out and is 0.1, Levanter's default.",
        "warmup is left out and is 0.01, Levanter's default.",
    )


@pytest.mark.parametrize(
    ("key", "value", "note"),
    [
        ("warmup", 0.299, "warmup 0.299 of 100 steps is truncated to 29."),
        ("warmup", 1, "warmup 1 is all of the 100 steps, as Levanter reads fractions up to 1."),
        ("decay", 99.0, "The decay is cut to the 90 steps that the warmup leaves."),
        ("adam_lr", 0.1, "adam_lr is scheduled alike, with its own peak"),
        ("lr_schedule", "inv", "The first step of an inv decay has the rate of its second one"),
        ("lr_schedule", "inv_sqrt", "inv_sqrt keeps the peak for 10000 steps of warmup and decay"),
    ],
)
def test_notes(key: str, value: Any, note: str) -> None:
    document = load({"learning_rate": 1, "warmup": 10, "num_train_steps": 100, key: value})
    assert any(note in found for found in document.notes)


def test_any_value_is_refused_or_read() -> None:
    base = {"learning_rate": 0.1, "min_lr_ratio": 0.1, "warmup": 5, "num_train_steps": 100}
    for kind in KINDS.values():
        assert_survives(load, {**base, "lr_schedule": kind})
    for cycles, _ in CYCLES.values():
        assert_survives(load, {**base, "lr_schedule": "linear", **cycles})
    power = {"type": "power", "batch_size": 8, "seq_length": 16}
    assert_survives(load, {**base, "lr_schedule": power, "train_batch_size": 9})
    stages = [{"start": 0, "value": 0.5}, {"start": 10, "value": {"type": "inv", "final": 0.1}}]
    batches = [{"start": 0, "value": 8}, {"start": 5, "value": 9}]
    assert_survives(
        load,
        {"learning_rate": 1, "lr_schedule": stages, "num_train_steps": 50}
        | {"train_batch_size": batches},
    )


def test_what_a_run_leaves_to_levanter() -> None:
    document = load({"trainer": {"num_train_steps": 1000, "train_batch_size": 32}, "model": {}})
    assert document.notes == (
        "learning_rate is left out and is 0.0006, Levanter's default.",
        "min_lr_ratio is left out and is 0.1, Levanter's default.",
        "lr_schedule is left out and is cosine, Levanter's default.",
        "warmup is left out and is 0.01, Levanter's default.",
    )
    assert document.bind()(10) == 6e-4
    run = {"optimizer": {"learning_rate": 1.0, "warmup": 100}, "trainer": {"train_batch_size": 8}}
    document = load(run)
    assert document.bind().steps == 400_000
    assert "num_train_steps is left out and is 400000, Levanter's default." in document.notes
    assert load(run, steps=1000).bind().steps == 1000
    assert load(run, steps=400_000).notes == load(run, steps=1000).notes
