"""darknet's configurations become documents with the rates of get_current_rate."""

from __future__ import annotations

from math import cos, exp, pi
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.darknet import load

YOLO = """\
[net]
# Testing
# batch=1
batch = 64
subdivisions=16
width=608
momentum=0.9
decay=0.0005
learning_rate=0.001
burn_in=1000
max_batches = 500200
policy=steps
steps=400000,450000
scales=.1,.1

[convolutional]
batch_normalize=1
filters=32
learning_rate=3
"""


def rate(net: dict[str, Any], step: int) -> Any:
    """The rate of update `step`, as darknet computes it from the count of batches."""
    batch, burn_in, power = step + 1, net.get("burn_in", 0), net.get("power", 4)
    base = net.get("learning_rate", 0.001)
    if batch < burn_in:
        return base * (batch / burn_in) ** power
    match net.get("policy", "constant"):
        case "step":
            return base * net.get("scale", 1) ** (batch // net.get("step", 1))
        case "steps":
            for start, scale in zip(net["steps"], net["scales"], strict=True):
                if start > batch:
                    return base
                base *= scale
            return base
        case "exp":
            return base * net.get("gamma", 1) ** batch
        case "poly":
            return base * (1 - batch / net["max_batches"]) ** power
        case "sgdr":
            low, start = net.get("learning_rate_min", 1e-5), 0
            cycle: int = net["sgdr_cycle"] if "sgdr_cycle" in net else net["max_batches"]
            while start + cycle < batch:
                start, cycle = start + cycle, cycle * net.get("sgdr_mult", 2)
            return low + (base - low) * (1 + cos(pi * (batch - start) / cycle)) / 2
        case "sigmoid":
            start = net.get("step", 1)
            return base / (1 + exp(net["gamma"] * (batch - start))) if batch >= start else 0
        case _:
            return base


NETS: dict[str, dict[str, Any]] = {
    "default": {"burn_in": 0},
    "constant": {"learning_rate": 0.01, "policy": "constant", "burn_in": 7, "power": 2},
    "step": {"policy": "step", "step": 10, "scale": 0.5, "max_batches": 60},
    "step after burn-in": {"policy": "step", "step": 10, "scale": 0.5, "burn_in": 15},
    "steps": {"policy": "steps", "steps": [20, 20, 45], "scales": [0.1, 0.5, 0.1]},
    "steps from the start": {"policy": "steps", "steps": [1, 3], "scales": [0.1, 0.1]},
    "steps before the start": {"policy": "steps", "steps": [-1, 9], "scales": [0.1, 10]},
    "steps in burn-in": {"policy": "steps", "steps": [5, 9], "scales": [0.5, 0.1], "burn_in": 9},
    "exp": {"policy": "exp", "gamma": 0.9},
    "exp after burn-in": {"policy": "exp", "gamma": 0.9, "burn_in": 1},
    "poly": {"policy": "poly", "power": 0.5, "max_batches": 60},
    "poly after burn-in": {"policy": "poly", "burn_in": 12, "max_batches": 60},
    "sgdr": {"policy": "sgdr", "sgdr_cycle": 7, "learning_rate_min": 1e-4},
    "sgdr of equal cycles": {"policy": "sgdr", "sgdr_cycle": 7, "sgdr_mult": 1},
    "sgdr after burn-in": {"policy": "sgdr", "sgdr_cycle": 20, "burn_in": 9, "max_batches": 60},
    "sgdr in burn-in": {"policy": "sgdr", "sgdr_cycle": 3, "burn_in": 12, "power": 2},
    "sgdr after a burn-in of 1": {"policy": "sgdr", "sgdr_cycle": 10, "burn_in": 1},
    "sgdr over the run": {"policy": "sgdr", "max_batches": 60, "burn_in": 2},
    "sigmoid": {"policy": "sigmoid", "gamma": 0.2, "step": 30, "max_batches": 60},
    "sigmoid after burn-in": {"policy": "sigmoid", "gamma": 0.2, "burn_in": 9, "max_batches": 60},
}


@pytest.mark.parametrize("net", NETS.values(), ids=NETS)
def test_every_policy_has_the_rates_of_darknet(net: dict[str, Any]) -> None:
    sample = net.get("policy") == "sigmoid"
    assert_curve(load(net, sample=sample), lambda step: rate(net, step), range(60))


def test_a_cfg_file(tmp_path: Path) -> None:
    path = tmp_path / "yolov3.cfg"
    path.write_text(YOLO, "utf-8")
    document = load(path)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.001
sample: end
training: {steps: 500200}
schedule:
- polynomial: {initial: 0, final: 1, power: 4, origin: initial, length: 1000}
- piecewise_constant:
    boundaries: [399999, 449999]
    values: [1, 0.1, 0.01]
"""
    )
    assert document.origin == "darknet policy steps with burn_in"
    assert document.notes == (
        "power is left out: darknet takes 4 for the burn-in.",
        "darknet counts the batch before its update: update 0 is at batch 1.",
    )


def test_documents_without_a_burn_in() -> None:
    net = {"policy": "poly", "power": 2, "learning_rate": 0.1, "max_batches": 800}
    assert (
        body(load(net))
        == """\
lrspec: 1
base: 0.1
sample: end
training: {steps: 800}
schedule:
  polynomial: {initial: 1, final: 0, power: 2, length: 800}
"""
    )
    net = {"policy": "step", "learning_rate": 0.1, "step": 100, "scale": 0.5}
    assert (
        body(load(net))
        == """\
lrspec: 1
base: 0.1
schedule:
  advance:
    by: 1
    schedule:
      exponential: {initial: 1, rate: 0.5, every: 100, staircase: true}
"""
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[convolutional]\nfilters=3\n", "its first section is [convolutional], not [net]"),
        ("learning_rate=1\n", "'learning_rate=1' is no option of a section [net]"),
        ("[net]\nlearning_rate\n", "'learning_rate' is no option of a section [net]"),
        ("[net]\nburn_in=1\nburn_in=2\n", "the option 'burn_in' stands twice in [net]"),
    ],
)
def test_files_that_are_no_cfg(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.cfg"
    path.write_text(text, "utf-8")
    problem = refused(load, path)
    assert problem.code == "not-a-config"
    assert problem.message == f"the file cannot be read: {message}"


@pytest.mark.parametrize(
    ("net", "code", "message"),
    [
        ({}, "not-a-config", "there is nothing of a schedule in it"),
        ({"filters": 3}, "not-a-config", "there is nothing of a schedule in it"),
        ({"policy": "random"}, "not-importable", "draws every rate by chance"),
        ({"policy": "sigmoid"}, "not-importable", "no kind of the language has the form"),
        ({"policy": "cosine"}, "wrong-value", "unknown policy 'cosine'; known are"),
        ({"policy": "poly"}, "missing-fact", "the policy poly ends with the run"),
        ({"policy": "poly", "burn_in": 5, "max_batches": 5}, "does-not-fit", "leaves nothing"),
        ({"policy": "step", "step": 0}, "out-of-range", "expected at least 1, found 0"),
        ({"policy": "steps", "steps": [1]}, "missing-field", "'scales' is required"),
        ({"policy": "steps", "steps": [1], "scales": []}, "values-number", "1 steps and 0 scales"),
        (
            {"policy": "steps", "steps": [9, 5], "scales": [1, 1]},
            "boundaries-order",
            "the steps do not increase",
        ),
        ({"policy": "steps", "steps": [1.5], "scales": [1]}, "wrong-type", "are whole numbers"),
        ({"learning_rat": 0.1}, "unknown-field", "'learning_rat' is not known here"),
    ],
)
def test_what_is_refused(net: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, net)
    assert problem.code == code
    assert message in problem.message


def test_a_comment_after_a_number(tmp_path: Path) -> None:
    path = tmp_path / "x.cfg"
    text = "[net]\nlearning_rate=1e-3 # base\npolicy=steps\nsteps=20,40 ; updates\nscales=.1,.1\n"
    path.write_text(text, "utf-8")
    net = {"learning_rate": 1e-3, "policy": "steps", "steps": [20, 40], "scales": [0.1, 0.1]}
    assert load(path) == load(net)
    path.write_text("[net]\nlearning_rate=1e999\n", "utf-8")
    assert refused(load, path).code == "not-finite"
    path.write_text("[net]\nlearning_rate=#1\n", "utf-8")
    assert refused(load, path).message == "expected a number, found '#1'"


def test_a_sigmoid_is_sampled_to_the_end_of_the_run() -> None:
    problem = refused(load, {"policy": "sigmoid", "step": 9}, sample=True)
    assert problem.code == "missing-fact"


def test_a_misspelt_key_is_suggested() -> None:
    assert refused(load, {"learning_rat": 0.1}).hint == "did you mean 'learning_rate'?"
    # What does not look like an option of the rate is none of it.
    assert load({"hue": 0.1, "mosaic": 1, "learning_rate": 0.1}).bind()(0) == 0.1


def test_any_value_is_refused_or_read() -> None:
    for net in NETS.values():
        assert_survives(load, net)


def test_cosines_that_become_longer() -> None:
    document = load({"learning_rate": 0.001, "policy": "sgdr", "sgdr_cycle": 1000})
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.001
sample: end
schedule:
  repeat:
    period: 1000
    stretch: 2
    schedule:
      cosine: {initial: 1, final: 0.01}
"""
    )
    assert document.notes[1:] == (
        "learning_rate_min is left out: darknet takes 1e-05.",
        "sgdr_mult is left out: darknet takes 2.",
    )
    problem = refused(load, {"policy": "sgdr"})
    assert problem.message == "the first cosine of sgdr is as long as the run"
    assert refused(load, {"policy": "sgdr", "sgdr_cycle": 5, "sgdr_mult": 0}).code == "out-of-range"
