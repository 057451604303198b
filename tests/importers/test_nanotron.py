"""nanotron's configurations become documents with the rates of its schedule."""

from __future__ import annotations

from functools import partial
from math import cos, pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.nanotron import load

TINY = """\
general: {project: debug, run: tiny_llama, seed: 42}
optimizer:
  accumulate_grad_in_fp32: true
  clip_grad: 1.0
  learning_rate_scheduler:
    learning_rate: 0.0003
    lr_decay_starting_step: null
    lr_decay_steps: 13
    lr_decay_style: cosine
    lr_warmup_steps: 2
    lr_warmup_style: linear
    min_decay_lr: 1.0e-05
  weight_decay: 0.01
tokens:
  batch_accumulation_per_replica: 1
  micro_batch_size: 2
  sequence_length: 256
  train_steps: 15
"""


def rate(step: int, total: int, given: dict[str, Any]) -> float:
    """The rate of update `step`."""
    lr, warmup = given["learning_rate"], given.get("lr_warmup_steps", 0)
    begin = given.get("lr_decay_starting_step")
    length = given.get("lr_decay_steps")
    if length is None:
        length = total - warmup - (begin or 0)
    start = warmup if begin is None else begin
    low = given.get("min_decay_lr", lr)
    if warmup == 0 and length == 0:
        return float(lr * lr)
    if step <= warmup:
        return float(lr * step / max(warmup, 1) if given["lr_warmup_style"] == "linear" else lr)
    if step < start:
        return float(lr)
    if step < start + length:
        progress = (step - start) / length
        down = 1 - progress
        if given.get("lr_decay_style") == "1-sqrt":
            down = 1 - sqrt(progress)
        elif given.get("lr_decay_style") == "cosine":
            down = (1 + cos(pi * progress)) / 2
        return float(low + (lr - low) * down)
    return float(low)


@pytest.mark.parametrize("style", ["linear", "constant"])
@pytest.mark.parametrize("warmup", [0, 1, 8, 45])
@pytest.mark.parametrize("start", [None, 0, 4, 8, 20])
@pytest.mark.parametrize("length", [None, 0, 3, 12, 40])
def test_every_stage_has_its_rates(
    style: str, warmup: int, start: int | None, length: int | None
) -> None:
    for decay in ("linear", "cosine", "1-sqrt", None):
        for low in (0.01, None):
            given = {
                "learning_rate": 0.3,
                "lr_warmup_steps": warmup,
                "lr_warmup_style": style,
                "lr_decay_style": decay,
                "lr_decay_starting_step": start,
                "lr_decay_steps": length,
                "min_decay_lr": low,
            }
            known = {key: value for key, value in given.items() if value is not None}
            document = load({**given, "train_steps": 40})
            assert_curve(document, partial(rate, total=40, given=known), range(70))


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "config_tiny_llama.yaml"
    path.write_text(TINY, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "training: {steps: 15}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 0.0003, length: 2}\n"
        "- cosine: {final: 1.0e-05}\n"
    )
    assert document.notes == ("The first update is at 0.",)


def test_the_written_documents() -> None:
    common = {"learning_rate": 0.1, "lr_warmup_style": "linear", "train_steps": 100}
    decay = {"lr_decay_starting_step": 80, "lr_decay_style": "1-sqrt", "min_decay_lr": 0}
    document = load({**common, **decay, "lr_warmup_steps": 10, "lr_decay_steps": 20})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- constant: {length: 70}\n"
        "- polynomial: {final: 0, power: 0.5, origin: initial}\n"
    )
    document = load({**common, **decay, "lr_warmup_steps": 10})
    assert document.notes[0] == (
        "lr_decay_steps is not given; nanotron takes 10, and so the decay ends 10 steps before the"
        " run."
    )
    assert body(document).endswith(
        "- constant: {length: 70}\n"
        "- polynomial: {final: 0, power: 0.5, origin: initial, length: 10}\n"
        "- constant:\n"
    )
    document = load({**common, "lr_warmup_steps": 10})
    assert document.notes[0] == (
        "min_decay_lr is not given; it is learning_rate, and nothing decays."
    )
    document = load({**common, "lr_decay_steps": 0})
    assert document.bind()(5) == pytest.approx(0.01)
    assert document.notes[-1] == (
        "Without warmup and decay the rate is learning_rate squared in nanotron."
    )
    document = load({**common, "min_decay_lr": 0})
    assert "Step 0 belongs to the warmup in nanotron, with a rate of 0." in document.notes


def test_without_the_steps_of_the_run() -> None:
    given = {"learning_rate": 0.1, "lr_warmup_style": "linear", "lr_warmup_steps": 10}
    assert load({**given, "min_decay_lr": 0, "lr_decay_steps": 20}).bind()(30) == 0
    problem = refused(load, {"optimizer": {"learning_rate_scheduler": given}})
    assert problem.message == "lr_decay_steps is not given, and the decay ends with the run"
    document = load({"optimizer": {"learning_rate_scheduler": given}}, steps=30)
    assert document.bind().steps == 30


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"lr_warmup_style": None}, "missing-field", "'lr_warmup_style' is required"),
        ({"lr_warmup_style": "cosine"}, "wrong-value", "unknown style 'cosine'"),
        ({"lr_decay_style": "sqrt"}, "wrong-value", "unknown style 'sqrt'"),
        ({"lr_decay_step": 3}, "unknown-field", "'lr_decay_step' is not known here"),
        ({"lr_warmup_steps": -1}, "out-of-range", "at least 0"),
        ({"min_decay_lr": "low"}, "wrong-type", "expected a number"),
    ],
)
def test_what_is_refused(change: dict[str, Any], code: str, says: str) -> None:
    given = {"learning_rate": 0.1, "lr_warmup_style": "linear", "train_steps": 100}
    problem = refused(load, {**given, **change})
    assert problem.code == code
    assert says in problem.message


def test_what_is_no_configuration() -> None:
    assert refused(load, {"tokens": {"train_steps": 3}}).code == "not-a-config"
    scheduler = {"lr_warmup_style": "linear"}
    problem = refused(load, {"learning_rate_scheduler": scheduler, "tokens": {"train_steps": 9}})
    assert problem.message == "nanotron has no default for learning_rate"


@pytest.mark.parametrize("start", [None, 2, 9])
def test_whatever_is_written(start: int | None) -> None:
    scheduler = {
        "learning_rate": 0.1,
        "lr_warmup_steps": 3,
        "lr_warmup_style": "linear",
        "lr_decay_style": "cosine",
        "lr_decay_starting_step": start,
        "lr_decay_steps": 5,
        "min_decay_lr": 0.01,
    }
    whole = {"optimizer": {"learning_rate_scheduler": scheduler}, "tokens": {"train_steps": 30}}
    assert_survives(load, whole)


def test_the_default_of_the_decay_is_told() -> None:
    fields = {"learning_rate": 0.5, "lr_warmup_style": "linear", "lr_warmup_steps": 3}
    document = load({**fields, "min_decay_lr": 0, "train_steps": 9})
    assert document.notes[0] == "lr_decay_style is left out: nanotron takes linear."
