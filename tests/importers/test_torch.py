"""Classes of torch.optim.lr_scheduler become documents; the peers' tests step torch beside them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.torch import load

LIGHTNING = """\
seed_everything: 1
trainer: {max_epochs: 70}
optimizer:
  class_path: torch.optim.AdamW
  init_args: {lr: 0.001}
lr_scheduler:
  class_path: torch.optim.lr_scheduler.CosineAnnealingWarmRestarts
  init_args: {T_0: 10, T_mult: 2, eta_min: 0.00001}
"""
WARMUP: dict[str, Any] = {"cls": "LinearLR", "start_factor": 0.1, "total_iters": 5}


def test_a_whole_configuration(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(LIGHTNING, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.001\n"
        "schedule:\n"
        "  repeat:\n"
        "    period: 10\n"
        "    stretch: 2\n"
        "    schedule:\n"
        "      cosine: {initial: 1, final: 0.01}\n"
    )
    assert document.origin == "torch CosineAnnealingWarmRestarts"
    assert document.notes == (
        "A step is one call of scheduler.step(); where that is once an epoch, it is an epoch.",
    )


def test_stages_that_follow_each_other() -> None:
    constant = {"cls": "ConstantLR", "factor": 0.1, "total_iters": 100}
    steps = {"cls": "MultiStepLR", "milestones": [30, 60], "gamma": 0.1}
    config = {"cls": "SequentialLR", "schedulers": [constant, steps], "milestones": [5]}
    assert body(load({**config, "lr": 0.1})) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "schedule:\n"
        "- constant: {value: 0.1, length: 5}\n"
        "- piecewise_constant:\n"
        "    boundaries: [35, 65]\n"
        "    values: [1, 0.1, 0.01]\n"
    )


def test_a_chain_of_factors() -> None:
    config = {"cls": "ChainedScheduler", "schedulers": [WARMUP, {"cls": "StepLR", "step_size": 30}]}
    document = load({**config, "lr": 0.1})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "schedule:\n"
        "  product:\n"
        "    of:\n"
        "    - linear: {initial: 0.1, final: 1, length: 5}\n"
        "    - exponential: {initial: 1, rate: 0.1, every: 30, staircase: true}\n"
    )
    assert "Not given, so as torch has it: gamma 0.1." in document.notes


def test_one_cycle_drives_the_momentum_too() -> None:
    document = load({"_target_": "torch.optim.lr_scheduler.OneCycleLR", "max_lr": 0.01}, steps=1000)
    assert body(document) == (
        "lrspec: 1\n"
        "base: {lr: 0.01, momentum: absolute}\n"
        "training: {steps: 1000}\n"
        "schedules:\n"
        "  lr:\n"
        "  - cosine: {initial: 0.04, final: 1, length: 299}\n"
        "  - cosine: {final: 4.0e-06, after: extend, length: 700}\n"
        "  momentum:\n"
        "  - cosine: {initial: 0.95, final: 0.85, length: 299}\n"
        "  - cosine: {final: 0.95, after: extend, length: 700}\n"
    )
    assert "The formula goes on beyond step 999; torch stops after step 1000." in document.notes


def test_one_cycle_in_epochs() -> None:
    config = {"cls": "OneCycleLR", "max_lr": 0.01, "epochs": 10, "steps_per_epoch": 100}
    assert load(config).bind().steps == 1000
    assert load({**config, "cycle_momentum": False}).names == ("lr",)


def test_without_a_rate_the_document_gives_multiples() -> None:
    document = load({"step_size": 30, "gamma": 0.1}, schedule="StepLR")
    assert "base" not in document.to_dict()
    assert "lr is not given, so the document gives multiples of it." in document.notes
    problem = refused(load, {"cls": "CosineAnnealingLR", "T_max": 9, "eta_min": 0.01})
    assert problem.code == "missing-fact"


def triangle(s: int) -> float:
    cycle, x = divmod(s, 20)
    return (x / 8 if x <= 8 else (20 - x) / 12) * 0.5**cycle


FORMULAS: dict[str, tuple[dict[str, Any], Callable[[int], float]]] = {
    "StepLR": ({"step_size": 7, "gamma": 0.5}, lambda s: 0.3 * 0.5 ** (s // 7)),
    "MultiStepLR": (
        {"milestones": [20, 5, 5], "gamma": 0.5},
        lambda s: 0.3 * 0.5 ** (2 * (s >= 5) + (s >= 20)),
    ),
    "ConstantLR": ({"factor": 0.25}, lambda s: 0.3 if s >= 5 else 0.075),
    "LinearLR": ({"total_iters": 9}, lambda s: 0.3 * (1 / 3 + 2 / 3 * min(s, 9) / 9)),
    "ExponentialLR": ({"gamma": 0.9}, lambda s: 0.3 * 0.9**s),
    "PolynomialLR": ({"total_iters": 9, "power": 2}, lambda s: 0.3 * (1 - min(s, 9) / 9) ** 2),
    "CosineAnnealingLR": (
        {"T_max": 9, "eta_min": 0.01},
        lambda s: 0.01 + 0.145 * (1 + math.cos(math.pi * s / 9)),
    ),
    "SWALR": (
        {"swa_lr": 0.05, "anneal_strategy": "linear"},
        lambda s: 0.3 + (0.05 - 0.3) * min(s / 10, 1),
    ),
    "CyclicLR": (
        {
            "base_lr": 0.1,
            "max_lr": 0.5,
            "step_size_up": 8,
            "step_size_down": 12,
            "mode": "triangular2",
        },
        lambda s: 0.1 + 0.4 * triangle(s),
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formula(name: str) -> None:
    config, formula = FORMULAS[name]
    assert_curve(load({"cls": name, "lr": 0.3, **config}), formula, range(60))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"cls": "LambdaLR"}, "a function of the user's"),
    ({"cls": "MultiplicativeLR"}, "a function of the user's"),
    ({"cls": "ReduceLROnPlateau"}, "a metric of the training"),
    ({"cls": "mine.StepLR", "step_size": 3}, "is no class of torch"),
    ({"cls": "ExponentialLR", "gamma": -0.5}, "changes the sign"),
    ({"cls": "ConstantLR", "factor": 0}, "divides by the factor"),
    ({"cls": "OneCycleLR", "max_lr": [0.1, 0.2], "total_steps": 9}, "between parameter groups"),
    ({"cls": "OneCycleLR", "max_lr": 0.1, "total_steps": 10, "pct_start": 0.1}, "divides by zero"),
    (
        {
            "cls": "ChainedScheduler",
            "schedulers": [WARMUP, {"cls": "CosineAnnealingLR", "T_max": 9, "eta_min": 0.1}],
        },
        "a recursion that is no product",
    ),
    (
        {"cls": "ChainedScheduler", "schedulers": [{"cls": "CyclicLR"}, WARMUP]},
        "'base_lr' is required",
    ),
    (
        {
            "cls": "ChainedScheduler",
            "schedulers": [{"cls": "CosineAnnealingWarmRestarts", "T_0": 3}, WARMUP],
        },
        "for one step only",
    ),
    (
        {
            "cls": "SequentialLR",
            "schedulers": [WARMUP, {"cls": "ChainedScheduler", "schedulers": [WARMUP]}],
            "milestones": [5],
        },
        "cannot step a ChainedScheduler inside",
    ),
    (
        {
            "cls": "SequentialLR",
            "schedulers": [WARMUP, {"cls": "LinearLR", "total_iters": 0}],
            "milestones": [5],
        },
        "divides by total_iters",
    ),
]


@pytest.mark.parametrize(("config", "message"), REFUSED)
def test_refused(config: dict[str, Any], message: str) -> None:
    assert message in refused(load, {"lr": 0.1, **config}).message


ERRORS: list[tuple[dict[str, Any], str, str]] = [
    ({"cls": "StepLr", "step_size": 3}, "unknown-schedule", "unknown scheduler 'StepLr'"),
    ({"cls": "StepLR", "step_size": 0}, "out-of-range", "at least 1"),
    ({"cls": "StepLR"}, "missing-field", "'step_size' is required"),
    ({"cls": "StepLR", "step_size": 3, "gama": 0.5}, "unknown-field", "'gama'"),
    ({"cls": "StepLR", "name": "StepLR", "step_size": 3}, "conflicting-fields", "exclude"),
    ({"cls": "LinearLR", "start_factor": 0}, "out-of-range", "more than 0"),
    ({"cls": "OneCycleLR", "max_lr": 0.1}, "missing-fact", "needs total_steps"),
    ({"cls": "StepLR", "step_size": 3, "lr": -1}, "out-of-range", "a rate is at least 0"),
    ({"cls": "SequentialLR", "schedulers": []}, "too-few-items", "no scheduler in the list"),
    (
        {"cls": "SequentialLR", "schedulers": [WARMUP, WARMUP], "milestones": []},
        "values-number",
        "2 schedulers take 1 milestones",
    ),
    ({"step_size": 3}, "not-a-config", "no schedule of torch is named"),
]


@pytest.mark.parametrize(("config", "code", "message"), ERRORS)
def test_error(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, {"lr": 0.1, **config})
    assert (problem.code, message in problem.message) == (code, True), problem


def test_a_misspelt_argument_is_suggested() -> None:
    problem = refused(load, {"cls": "StepLR", "lr": 0.1, "step_size": 3, "gama": 0.5})
    assert problem.hint == "did you mean 'gamma'?"


def test_a_schedule_beside_the_name_of_another() -> None:
    problem = refused(load, {"cls": "StepLR", "step_size": 3}, schedule="LinearLR")
    assert problem.code == "conflicting-fields"


WARMUP_AND_REST: dict[str, Any] = {
    "cls": "SequentialLR",
    "lr": 0.1,
    "schedulers": [WARMUP, {"cls": "OneCycleLR", "max_lr": 0.1, "total_steps": 9}],
    "milestones": [5],
}


def test_bad_values_are_problems() -> None:
    assert_survives(load, WARMUP_AND_REST, steps=50)


def test_a_scheduler_as_lightning_steps_it() -> None:
    optimizer = {"name": "adam", "lr": 0.5}
    cosine = {"class_path": "CosineAnnealingLR", "init_args": {"T_max": 9}}
    stepping = {"scheduler": cosine, "interval": "step", "frequency": 2, "monitor": "loss"}
    document = load({"optimizer": optimizer, "lr_scheduler": stepping})
    assert document == load({"optimizer": optimizer, "lr_scheduler": cosine})
    assert document.notes[0] == "Lightning calls scheduler.step() once in 2 steps."
    daily = {"optimizer": optimizer, "lr_scheduler": {"scheduler": cosine}}
    assert load(daily).notes[0] == "Lightning calls scheduler.step() once an epoch."
    unknown = {"optimizer": optimizer, "lr_scheduler": {**stepping, "freq": 1}}
    assert refused(load, unknown).code == "unknown-field"


def test_a_scheduler_that_stands_elsewhere() -> None:
    model = {"optimizer": {"lr": 0.5}, "scheduler": {"cls": "StepLR", "step_size": 3}}
    assert refused(load, {"model": model}).hint == "some stand in model: give --at model"
    assert load({"model": model}, at="model") == load(model)
    problem = refused(load, {"lr": 0.1, "scheduler": "StepLR", "step_size": 3})
    says = "write cls in place of scheduler, with the arguments of the class beside it"
    assert problem.hint == says


def test_curves_that_stay() -> None:
    expected = "lrspec: 1\nbase: 0.5\nschedule:\n  constant: {value: 1}\n"
    document = load({"cls": "CosineAnnealingLR", "lr": 0.5, "T_max": 9, "eta_min": 0.5})
    assert body(document) == expected
    assert len(document.notes) == 1
    line = {"cls": "LinearLR", "lr": 0.5, "start_factor": 1, "end_factor": 1, "total_iters": 9}
    assert body(load(line)) == expected
