"""What of Levanter's configurations is refused, and what the message says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.importers.trainers import refused

from lrspec.importers.levanter import load

OTHER = {"type": "cosin"}


@pytest.mark.parametrize(
    ("config", "code", "message"),
    [
        ({"data": {}}, "missing-field", "'optimizer' is required"),
        ({"trainer": {"max_steps": 3}}, "missing-field", "'optimizer' is required"),
        ({"lr_schedule": "cosine"}, "missing-fact", "the stages of Levanter are laid out over"),
        ({"lr_schedule": "cos"}, "unknown-schedule", "unknown lr_schedule 'cos'; known are"),
        ({"lr_schedule": "power"}, "unknown-schedule", "'power' is no plain name; known are"),
        ({"lr_schedule": OTHER}, "unknown-schedule", "unknown type 'cosin'; known are"),
        ({"lr_schedule": {"exponent": 2}}, "missing-field", "'type' is required"),
        ({"lr_schedule": {"type": "linear", "exponent": 2}}, "unknown-field", "'exponent' is not"),
        ({"warmup": 2.5}, "out-of-range", "above 1 it is a whole number of steps, found 2.5"),
        ({"warmup": -1}, "out-of-range", "expected at least 0, found -1"),
        ({"warmpu": 10}, "unknown-field", "'warmpu' is not known here"),
        ({"lr_decay": 10}, "unknown-field", "'lr_decay' is not known here"),
        ({"lr": 10}, "unknown-field", "'lr' is not known here"),
        ({"learning_rate": 0}, "out-of-range", "expected more than 0, found 0"),
        ({"cycles": 2, "haps": [3]}, "conflicting-fields", "'cycles' and 'haps' exclude"),
        ({"cycles": 2, "cycle_length": 9}, "conflicting-fields", "exclude each other"),
        ({"cycles": [50, 50]}, "out-of-range", "the cycles do not rise from 0 to the 100 steps"),
        ({"cycles": 0}, "out-of-range", "expected at least 1, found 0"),
        ({"cycle_length": [60, 60]}, "out-of-range", "the cycles do not rise from 0 to the 100"),
        ({"cycle_length": 0}, "out-of-range", "a cycle has at least one step"),
        ({"cycles": 10**9}, "not-importable", "these are 1000000000 cycles; up to 5000"),
        ({"cooldown": 1}, "out-of-range", "the cooldown leaves no steps before it"),
        ({"lr_schedule": "inv", "min_lr_ratio": 0}, "not-importable", "inv divides by min_lr"),
        (
            {"lr_schedule": {"type": "power", "batch_size": 8, "seq_length": 8, "b": 0}},
            "out-of-range",
            "expected less than 0, found 0",
        ),
        ({"lr_schedule": []}, "too-few-items", "there is at least one stage"),
        ({"lr_schedule": [{"start": 1, "value": 1}]}, "out-of-range", "the starts rise from 0"),
        (
            {"lr_schedule": [{"start": 0, "value": 1}, {"start": 0, "value": 1}]},
            "out-of-range",
            "the starts rise from 0; 0 does not",
        ),
        (
            {"lr_schedule": [{"start": 0, "value": 1}, {"start": 100, "value": 1}]},
            "out-of-range",
            "the last stage starts at 100, and the run has 100 steps",
        ),
        (
            {"lr_schedule": [{"start": 0, "value": {"type": "linear"}}]},
            "missing-field",
            "the first stage says with which rate it starts: 'initial'",
        ),
        (
            {"lr_schedule": [{"start": 0, "value": {"type": "inv", "initial": 1, "final": 0}}]},
            "not-importable",
            "inv has no value at a rate of 0",
        ),
        ({"lr_schedule": [{"start": 0, "value": 1}], "warmup": 1}, "conflicting-fields", "exclude"),
        ({"train_batch_size": []}, "too-few-items", "a batch schedule has at least one step"),
        (
            {"train_batch_size": [{"start": 5, "value": 5}]},
            "out-of-range",
            "the first start is 0, found 5",
        ),
        (
            {"train_batch_size": [{"start": 0, "value": 5}, {"start": 0, "value": 6}]},
            "out-of-range",
            "the starts rise; 0 does not",
        ),
    ],
)
def test_what_is_refused(config: dict[str, Any], code: str, message: str) -> None:
    if code not in ("missing-field", "missing-fact") or "lr_schedule" in config:
        config = {"num_train_steps": 100, "learning_rate": 1, **config}
    if code == "missing-fact":
        del config["num_train_steps"]
    problem = refused(load, config)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_hints() -> None:
    run = {"num_train_steps": 100, "learning_rate": 1}
    assert refused(load, {**run, "warmpu": 1}).hint == "did you mean 'warmup'?"
    assert refused(load, {**run, "lr_schedule": OTHER}).hint == "did you mean 'cosine'?"
    hint = "write it as an object: {type: power, …}"
    assert refused(load, {**run, "lr_schedule": "power"}).hint == hint


def test_facts_that_contradict_the_configuration() -> None:
    config: dict[str, Any] = {"lr_schedule": "linear", "num_train_steps": 9, "train_batch_size": 8}
    assert refused(load, config, steps=10).code == "conflicting-fact"
    assert refused(load, config, batch_size=9).code == "conflicting-fact"
    config["train_batch_size"] = [{"start": 0, "value": 8}]
    assert refused(load, config, batch_size=9).code == "conflicting-fact"


def test_what_the_optimizer_has_besides_is_left() -> None:
    config = {"type": "muon", "lr": 0.02, "momentum": 0.9, "beta1": 0.9, "weight_decay": 0.1}
    document = load({**config, "learning_rate": 1, "lr_schedule": "constant", "num_train_steps": 9})
    assert document.bind()(5) == 1
