"""The configurations of TensorFlow Model Garden become documents with its rates."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.tf_models import load

RESNET = """\
runtime: {distribution_strategy: mirrored}
task:
  model: {num_classes: 1001}
trainer:
  train_steps: 56160
  optimizer_config:
    optimizer: {type: sgd, sgd: {momentum: 0.9}}
    learning_rate:
      type: cosine
      cosine: {initial_learning_rate: 1.6, decay_steps: 56160, alpha: 0.0, offset: 3120}
    warmup:
      type: linear
      linear: {warmup_steps: 3120, warmup_learning_rate: 0}
"""


def main(kind: str, given: dict[str, Any], step: int) -> float:
    """The rate of the schedule at a step, without a warmup."""
    t = float(step - given.get("offset", 0))
    first: float = given.get("initial_learning_rate", 0.0)
    length: float = given.get("decay_steps", 1)
    power: float = given.get("power", -0.5)
    values: list[float] = given.get("values", [])
    match kind:
        case "constant":
            return float(given.get("learning_rate", 0.1))
        case "stepwise":
            return float(values[sum(t > boundary for boundary in given["boundaries"])])
        case "exponential":
            u = t / length
            return first * math.pow(
                given["decay_rate"], math.floor(u) if given.get("staircase") else u
            )
        case "polynomial":
            last: float = given.get("end_learning_rate", 0.0001)
            left = 1 - min(t, length) / length
            return last + (first - last) * math.pow(left, given.get("power", 1))
        case "cosine":
            alpha: float = given.get("alpha", 0)
            return first * (
                (1 - alpha) * 0.5 * (1 + math.cos(math.pi * min(t, length) / length)) + alpha
            )
        case "power":
            return first * math.pow(max(step, 1), power)
        case "power_linear":
            total, share = given["total_decay_steps"], given.get("linear_decay_fraction", 0.1)
            line = min(1.0, (total - t) / (total * share)) if share else 1.0
            return max(0.0, first * math.pow(max(t, 1), power) * line)
        case "power_with_offset":
            cap: float = given.get("pre_offset_learning_rate", 1e6)
            return min(cap, first * math.pow(t, power)) if t > 0 else cap
        case _:
            boundaries: list[int] = given["boundaries"]
            for i, end in enumerate(boundaries[1:]):
                if t < end:
                    u = (t - boundaries[i]) / (end - boundaries[i])
                    low, high = values[i + 1], values[i]
                    return low + (high - low) * 0.5 * (1 + math.cos(math.pi * u))
            return values[-1]


def rate(config: dict[str, Any], step: int) -> float:
    """The rate at a step, with the warmup in place of what comes first."""
    chosen = config["learning_rate"]
    kind, given = chosen["type"], chosen[chosen["type"]]
    warmup = config.get("warmup")
    if warmup is None:
        return main(kind, given, step)
    form = warmup[warmup["type"]]
    length: int = form["warmup_steps"]
    if step >= length:
        return main(kind, given, step)
    target = main(kind, given, length)
    if warmup["type"] == "linear":
        start: float = form.get("warmup_learning_rate", 0)
        return start + (target - start) * step / length
    return target * math.pow(max(step, 1) / length, form.get("power", 1))


FALL = {"initial_learning_rate": 0.5, "decay_steps": 40}
KINDS: dict[str, dict[str, Any]] = {
    "constant": {},
    "stepwise": {"boundaries": [5, 20, 50], "values": [1, 0.5, 0.1, 0.2]},
    "exponential": {**FALL, "decay_rate": 0.5},
    "exponential in stairs": {**FALL, "decay_rate": 0.5, "staircase": True},
    "polynomial": FALL,
    "polynomial of a power": {**FALL, "end_learning_rate": 0.1, "power": 1.5},
    "cosine": {**FALL, "alpha": 0.1},
    "power": {"initial_learning_rate": 0.5, "power": -0.7},
    "power_linear": {"initial_learning_rate": 0.5, "total_decay_steps": 50},
    "power_linear whole": {"initial_learning_rate": 0.5, "total_decay_steps": 50}
    | {"linear_decay_fraction": 1},
    "power_linear without": {"initial_learning_rate": 0.5, "total_decay_steps": 50}
    | {"linear_decay_fraction": 0},
    "power_with_offset": {"initial_learning_rate": 0.5, "pre_offset_learning_rate": 0.2},
    "power_with_offset below": {"initial_learning_rate": 0.1, "pre_offset_learning_rate": 0.2},
    "step_cosine_with_offset": {"boundaries": [0, 15, 60], "values": [1, 0.5, 0.1]},
}
WARMUPS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "linear": {"type": "linear", "linear": {"warmup_steps": 10, "warmup_learning_rate": 0.01}},
    "no steps": {"type": "linear", "linear": {"warmup_steps": 0}},
    "one step": {"type": "linear", "linear": {"warmup_steps": 1}},
    "long": {"type": "linear", "linear": {"warmup_steps": 45}},
    "polynomial": {"type": "polynomial", "polynomial": {"warmup_steps": 10}},
    "power": {"type": "polynomial", "polynomial": {"warmup_steps": 10, "power": 2.5}},
}


def configuration(kind: str, warmup: dict[str, Any] | None, offset: int = 0) -> dict[str, Any]:
    type_ = kind.partition(" ")[0]
    given = {**KINDS[kind], "offset": offset} if offset else KINDS[kind]
    config: dict[str, Any] = {"learning_rate": {"type": type_, type_: given}}
    return config if warmup is None else {**config, "warmup": warmup}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("warmup", WARMUPS)
def test_every_kind_with_every_warmup(kind: str, warmup: str) -> None:
    config = configuration(kind, WARMUPS[warmup])
    assert_curve(load(config), lambda step: rate(config, step), range(120))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("constant", "power")])
@pytest.mark.parametrize("warmup", ["none", "linear", "long"])
def test_offsets(kind: str, warmup: str) -> None:
    offset = 4 if kind != "step_cosine_with_offset" or warmup != "none" else 0
    config = configuration(kind, WARMUPS[warmup], offset)
    assert_curve(load(config), lambda step: rate(config, step), range(120))


@pytest.mark.parametrize(
    "kind",
    ["cosine", "exponential in stairs", "polynomial of a power", "stepwise", "power_linear"],
)
def test_an_offset_beyond_the_warmup(kind: str) -> None:
    config = configuration(kind, WARMUPS["linear"], 30)
    assert_curve(load(config), lambda step: rate(config, step), range(120))


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "imagenet_resnet50.yaml"
    path.write_text(RESNET, "utf-8")
    document = load(path)
    assert (
        body(document)
        == """\
lrspec: 1
base: 1.6
training: {steps: 56160}
schedule:
- linear: {initial: 0, final: 1, length: 3120}
- cosine: {final: 0, length: 56160}
"""
    )
    assert document.origin == "TensorFlow Model Garden cosine after a linear warmup"


def test_a_schedule_does_not_wait_for_its_warmup() -> None:
    document = load(configuration("polynomial", WARMUPS["polynomial"]), steps=40)
    assert (
        body(document)
        == """\
lrspec: 1
base: absolute
training: {steps: 40}
schedule:
- clamp:
    minimum: 0.0375025
    schedule:
      linear: {initial: 0, final: 0.375025}
    length: 10
- linear: {initial: 0.375025, final: 0.0001}
"""
    )
    assert document.notes == (
        "end_learning_rate is left out and is 0.0001, the default of tf-models.",
        "The warmup ends at 0.375025, the rate of the schedule at step 10: its clock runs during"
        " the warmup.",
        "The first two steps have the same rate, as the warmup counts at least 1.",
    )


def test_the_forms_of_a_configuration() -> None:
    config = configuration("cosine", WARMUPS["linear"])
    whole = {"optimizer": {"type": "sgd"}, "ema": None, **config}
    assert load({"optimizer_config": whole}) == load(config)
    assert load({"trainer": {"optimizer_config": whole, "train_steps": 9}}).bind().steps == 9
    assert load(config["learning_rate"]) == load({"learning_rate": config["learning_rate"]})


@pytest.mark.parametrize(
    ("kind", "given", "code", "message"),
    [
        ("cosin", {}, "unknown-schedule", "unknown type 'cosin'; known are"),
        ("cosine", {"decay_steps": 1}, "missing-field", "'initial_learning_rate' is required"),
        ("cosine", {**FALL, "offset": 999}, "not-importable", "its offset is longer than the"),
        ("cosine", {**FALL, "alpah": 3}, "unknown-field", "'alpah' is not known here"),
        ("exponential", {**FALL, "decay_rate": 0}, "out-of-range", "expected more than 0"),
        ("polynomial", {**FALL, "cycle": True}, "not-importable", "every period starts lower"),
        ("polynomial", {**FALL, "decay_steps": 0}, "out-of-range", "expected more than 0"),
        (
            "power",
            {"initial_learning_rate": 1, "power": 0},
            "not-importable",
            "makes the rate grow",
        ),
        (
            "power_with_offset",
            {"initial_learning_rate": 0},
            "out-of-range",
            "expected more than 0",
        ),
        ("stepwise", {"boundaries": [1], "values": [1]}, "values-number", "found 1 boundaries"),
        ("stepwise", {"boundaries": [2, 2], "values": [1, 2, 3]}, "boundaries-order", "to rise"),
        (
            "step_cosine_with_offset",
            {"boundaries": [0], "values": [1]},
            "values-number",
            "two or more",
        ),
        (
            "step_cosine_with_offset",
            {"boundaries": [1, 2], "values": [1, 2]},
            "boundaries-order",
            "have to rise from 0",
        ),
    ],
)
def test_what_is_refused(kind: str, given: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, {"learning_rate": {"type": kind, kind: given}})
    assert (problem.code, message in problem.message) == (code, True), problem


def test_other_configurations_are_refused() -> None:
    config = configuration("cosine", {"type": "exponential"})
    assert refused(load, config).message == (
        "unknown type 'exponential'; known are linear and polynomial"
    )
    assert refused(load, {**configuration("cosine", None), "warmpu": {}}).hint == (
        "did you mean 'warmup'?"
    )
    assert refused(load, {"task": {}}).message == "there is no learning_rate here"
    assert refused(load, configuration("cosine", None), base=1).code == "conflicting-fact"


def test_a_warmup_of_no_type_is_none() -> None:
    warmup = {"type": None, "linear": {"warmup_steps": 10}}
    assert load(configuration("cosine", warmup)) == load(configuration("cosine", None))
    problem = refused(load, configuration("cosine", {"linear": {"warmup_steps": 10}}))
    assert (problem.path, problem.message) == ("/warmup", "'type' is required")


def test_a_cosine_before_its_offset() -> None:
    config = {"initial_learning_rate": 0.1, "decay_steps": 90, "offset": 10}
    document = load({"type": "cosine", "cosine": config})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "schedule:\n"
        "- advance:\n"
        "    by: 80\n"
        "    schedule:\n"
        "      cosine: {initial: 0, final: 1, length: 90}\n"
        "    length: 10\n"
        "- cosine: {initial: 1, final: 0, length: 90}\n"
    )
    given = {"boundaries": [0, 9], "values": [1, 0.5], "offset": 3}
    problem = refused(load, {"type": "step_cosine_with_offset", "step_cosine_with_offset": given})
    assert "before its offset the cosines go on" in problem.message


@pytest.mark.parametrize("kind", KINDS)
def test_any_value_is_refused_or_read(kind: str) -> None:
    assert_survives(load, configuration(kind, None))
    assert_survives(load, configuration(kind, WARMUPS["power"], 4))
