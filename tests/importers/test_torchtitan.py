"""torchtitan's configurations become documents with the rates of its schedule."""

from __future__ import annotations

from math import cos, pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.torchtitan import load

DEBUG = """\
[job]
dump_folder = "./outputs"

[model]
name = "llama3"
flavor = "debugmodel"

[optimizer]
name = "AdamW"
lr = 8e-4
eps = 1e-8

[lr_scheduler]
warmup_steps = 2  # lr scheduler warm up, normally 20% of the train steps
decay_ratio = 0.8  # lr scheduler decay ratio, 80% of the train steps
decay_type = "linear"
min_lr_factor = 0.0

[training]
local_batch_size = 8
seq_len = 2048
steps = 10
"""


def factor(step: int, warmup: int, total: int, given: dict[str, Any]) -> float:
    """The multiplier of the rate at update `step`."""
    low, ratio = given.get("min_lr_factor", 0), given.get("decay_ratio")
    decay = total - warmup
    if ratio is not None:
        decay = min(round(total * ratio), total - warmup)
    if step < warmup:
        return (step + 1) / warmup
    if step < total - decay or decay == 0:
        return 1
    progress = (step - (total - decay)) / decay
    down = 1 - progress
    if given.get("decay_type") == "sqrt":
        down = 1 - sqrt(progress)
    elif given.get("decay_type") == "cosine":
        down = (1 + cos(pi * progress)) / 2
    return float(low + (1 - low) * down)


@pytest.mark.parametrize("decay_type", ["linear", "sqrt", "cosine"])
@pytest.mark.parametrize("warmup", [0, 1, 2, 9, 40])
@pytest.mark.parametrize(
    "given", [{}, {"decay_ratio": 0.3}, {"decay_ratio": 0.0}, {"decay_ratio": 1.0}]
)
@pytest.mark.parametrize("low", [0.0, 0.1])
def test_every_kind_has_its_rates(
    decay_type: str, warmup: int, given: dict[str, Any], low: float
) -> None:
    given = {**given, "decay_type": decay_type, "min_lr_factor": low}
    document = load({**given, "lr": 0.3, "warmup_steps": warmup, "steps": 40})
    assert_curve(document, lambda step: 0.3 * factor(step, warmup, 40, given), range(60))


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "debug_model.toml"
    path.write_text(DEBUG, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0008\n"
        "training: {steps: 10}\n"
        "schedule:\n"
        "- linear: {initial: 0.5, final: 1, length: 1}\n"
        "- constant:\n"
        "- linear: {final: 0, after: extend, length: 8}\n"
    )
    assert document.notes == (
        "decay_ratio 0.8 of 10 steps is 8, rounded half to even.",
        "The first update is at 1/2 of the rate, the warmup ends at step 1.",
        "Beyond step 10 the formula goes on, as it does in torchtitan.",
    )


def test_what_is_left_out() -> None:
    document = load({"optimizer": {"lr": 1e-3}, "training": {"steps": 1000}})
    assert "warmup_steps is not given; it is 200, the default." in document.notes
    assert_curve(document, lambda s: 1e-3 * factor(s, 200, 1000, {}), range(1000))
    document = load({"decay_ratio": 0.5, "warmup_steps": 0, "steps": 10})
    assert document.bind().base is None
    assert load({"lr_scheduler": {"warmup_steps": 0}}, steps=9, base=0.5).bind()(0) == 0.5


def test_what_is_cut() -> None:
    document = load({"lr": 1, "warmup_steps": 50, "steps": 10})
    assert "The warmup of 50 steps is cut to the 10 of the run." in document.notes
    document = load({"lr": 1, "warmup_steps": 5, "decay_ratio": 0.9, "steps": 10})
    assert "The decay of 9 steps is cut to what the warmup leaves." in document.notes
    scheduler = {"warmup_steps": 0, "total_steps": 20}
    document = load({"lr_scheduler": scheduler, "training": {"steps": 10}})
    assert "The decay ends at total_steps, 20, and not with the 10 of the run." in document.notes
    assert document.bind()(10) == 0.5


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"decay_type": "exp"}, "wrong-value", "unknown decay_type 'exp'"),
        ({"warmup_step": 3}, "unknown-field", "'warmup_step' is not known here"),
        ({"lr_minimum": 0.1}, "unknown-field", "'lr_minimum' is not known here"),
        ({"decay_ratio": 1.5}, "out-of-range", "at most 1"),
        ({"steps": None}, "missing-fact", "the decay of torchtitan ends with the run"),
        ({"steps": 0}, "out-of-range", "at least 1"),
    ],
)
def test_what_is_refused(change: dict[str, Any], code: str, says: str) -> None:
    problem = refused(load, {"lr": 0.3, "warmup_steps": 3, "steps": 100, **change})
    assert problem.code == code
    assert says in problem.message


def test_what_is_no_configuration() -> None:
    assert refused(load, {"model": {"name": "llama3"}}).code == "not-a-config"


def test_whatever_is_written() -> None:
    scheduler = {"warmup_steps": 3, "decay_ratio": 0.3, "decay_type": "sqrt", "min_lr_factor": 0.1}
    assert_survives(
        load, {"lr_scheduler": scheduler, "optimizer": {"lr": 0.1}, "training": {"steps": 20}}
    )
    assert_survives(load, {**scheduler, "lr": 0.1, "steps": 20})


def test_names_of_an_older_torchtitan() -> None:
    scheduler = {"warmup_steps": 2, "decay_type": "cosine"}
    run = {"optimizer": {"lr": 1.0}, "training": {"steps": 10}}
    older = {**run, "lr_scheduler": {**scheduler, "lr_min": 0.1}}
    assert load(older) == load({**run, "lr_scheduler": {**scheduler, "min_lr_factor": 0.1}})
    both = {**scheduler, "lr_min": 0.1, "min_lr_factor": 0.1}
    assert refused(load, {**run, "lr_scheduler": both}).code == "conflicting-fields"
    problem = refused(load, {**older, "training": {"steps": 10, "warmup_steps": 2}})
    says = "the warmup of an older torchtitan is another one than that of lr_scheduler"
    assert problem.message == says


@pytest.mark.parametrize("warmup", [0, 1, 4, 20, 30])
def test_the_schedule_of_an_older_torchtitan(warmup: int) -> None:
    training = {"steps": 20, "warmup_steps": warmup, "seq_len": 2048}
    document = load({"optimizer": {"name": "AdamW", "lr": 0.5}, "training": training})

    def rate(step: int) -> float:
        if step < warmup:
            return 0.5 * (step + 1) / (warmup + 1)
        return 0.5 * (1 - (step - warmup) / max(1, 20 - warmup))

    assert_curve(document, rate, range(60))
    assert document.bind().steps == 20
    says = "warmup_steps stands in training: this is the schedule of the torchtitan of then."
    assert document.notes[0] == says
    assert refused(load, {"training": {"warmup_steps": 2}}).code == "missing-fact"


def test_a_decay_that_does_not_end_with_the_run() -> None:
    scheduler = {"warmup_steps": 10, "total_steps": 200, "decay_ratio": 0.2}
    document = load({**scheduler, "lr": 0.5, "steps": 100})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.5\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0.1, final: 1, length: 9}\n"
        "- constant: {length: 151}\n"
        "- linear: {final: 0, after: extend, length: 40}\n"
    )
    early = load({**scheduler, "total_steps": 50, "lr": 0.5, "steps": 100})
    given = {"decay_ratio": 0.2}
    assert_curve(early, lambda step: 0.5 * factor(step, 10, 50, given), range(150))


def test_a_warmup_of_one_step() -> None:
    document = load({"warmup_steps": 1, "lr": 0.5, "steps": 10})
    assert document.notes[:2] == (
        "decay_type is left out: torchtitan takes linear.",
        "A warmup of 1 step has the whole rate at once.",
    )
