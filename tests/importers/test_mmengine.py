"""mmengine's param_scheduler becomes a document; the peers' tests step mmengine beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.mmengine import load
from lrspec.importing.imported import Imported
from lrspec.problems import SpecError

WARMUP = {"type": "LinearLR", "start_factor": 0.001, "by_epoch": False, "begin": 0, "end": 500}
STEPS = {"type": "MultiStepLR", "begin": 0, "end": 12, "milestones": [8, 11], "gamma": 0.1}
RATE = {"lr": 0.1}
OPTIMIZER = {"type": "SGD", "lr": 0.02, "momentum": 0.9}
WHOLE = {
    "param_scheduler": [WARMUP, STEPS],
    "optim_wrapper": {"type": "OptimWrapper", "optimizer": OPTIMIZER},
    "train_cfg": {"by_epoch": True, "max_epochs": 12},
    "model": {"type": "FasterRCNN"},
}


def test_a_whole_configuration() -> None:
    document = load(WHOLE, steps_per_epoch=1000)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.02\n"
        "training: {steps: 12000, steps_per_epoch: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0.001, final: 1, length: 499}\n"
        "- piecewise_constant:\n"
        "    boundaries: [8 epochs, 11 epochs]\n"
        "    values: [1, 0.1, 0.01]\n"
    )
    assert document.notes == ("LinearLR comes to its end one step before the end of its range.",)


def test_a_schedule_by_epochs_changes_once_in_each() -> None:
    cosine = {"type": "CosineAnnealingLR", "T_max": 100, "end": 100}
    document = load([cosine, {"lr": 0.1}], steps_per_epoch=20)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps_per_epoch: 20}\n"
        "schedule:\n"
        "  quantize:\n"
        "    every: 1 epoch\n"
        "    schedule:\n"
        "      cosine: {initial: 1, final: 0}\n"
        "    length: 100 epochs\n"
    )


def test_epochs_may_be_converted_to_updates() -> None:
    cosine = {"type": "CosineAnnealingLR", "end": 10, "convert_to_iter_based": True}
    document = load([cosine, {"lr": 0.1}], steps_per_epoch=20)
    assert document.to_dict()["schedule"] == {"cosine": {"initial": 1, "final": 0, "length": 200}}
    assert "Lengths in epochs are converted to updates, 20 in an epoch." in document.notes


def test_the_momentum_is_another_schedule() -> None:
    momentum = {"type": "LinearMomentum", "by_epoch": False, "end": 11, "start_factor": 0.5}
    document = load([{**WARMUP, "end": 11}, momentum, {"lr": 0.1, "momentum": 0.9}])
    assert document.names == ("lr", "momentum")
    assert [document.bind(name="momentum")(s) for s in (0, 5, 10)] == pytest.approx(
        [0.45, 0.675, 0.9]
    )


def test_the_momentum_of_adam_is_its_first_beta() -> None:
    momentum = {"type": "StepMomentum", "by_epoch": False, "step_size": 4, "gamma": 0.5}
    document = load([{**WARMUP, "end": 11}, momentum, {"lr": 0.1, "betas": [0.9, 0.999]}])
    assert_curve(document, lambda s: math.pow(0.5, s // 4) * 0.9, range(20), name="momentum")


def test_a_hyperparameter_is_named_by_param_name() -> None:
    decay = {"type": "ExponentialParamScheduler", "param_name": "weight_decay", "gamma": 0.9}
    rate = {"type": "StepParamScheduler", "param_name": "lr", "step_size": 3}
    optimizer = {"lr": 0.1, "weight_decay": 0.05}
    document = load(
        [{**each, "by_epoch": False} for each in (decay, rate)] + [optimizer],
    )
    assert document.names == ("lr", "weight_decay")
    assert_curve(document, lambda s: 0.05 * math.pow(0.9, s), range(20), name="weight_decay")
    assert_curve(document, lambda s: 0.1 * math.pow(0.1, s // 3), range(20))


@pytest.mark.parametrize(
    ("config", "key", "value", "epochs"),
    [
        ({"type": "StepLR", "step_size": 2}, "step_size", 14, 9),
        ({"type": "MultiStepLR", "milestones": [2, 5]}, "milestones", [14, 35], 9),
    ],
)
def test_spans_in_epochs_become_updates(
    config: dict[str, Any], key: str, value: Any, epochs: int
) -> None:
    converted = load([{**config, "convert_to_iter_based": True}, RATE], steps_per_epoch=7)
    written = load([{**config, key: value, "by_epoch": False}, RATE], steps_per_epoch=7)
    assert converted.to_dict()["schedule"] == written.to_dict()["schedule"]


def test_a_warmup_in_updates_before_a_cosine_in_epochs() -> None:
    """Between them the rate stays; the cosine changes once an epoch and ends an epoch early."""
    cosine = {"type": "CosineAnnealingLR", "begin": 2, "end": 10, "eta_min": 0.01}
    document = load([{**WARMUP, "end": 11}, cosine, RATE], steps=60, steps_per_epoch=6)

    def rate(step: int) -> float:
        if step < 12:
            return 0.1 * (0.001 + 0.999 * min(step, 10) / 10)
        epoch = min(step // 6 - 2, 7)
        return 0.01 + 0.045 * (1 + math.cos(math.pi * epoch / 8))

    assert_curve(document, rate, range(60))


def test_ranges_that_overlap_multiply() -> None:
    exponential = {"type": "ExponentialLR", "gamma": 0.9, "by_epoch": False}
    document = load([{**WARMUP, "end": 11}, exponential, {"lr": 0.1}])
    assert "The ranges of several schedulers overlap; their factors are multiplied." in (
        document.notes
    )
    assert_curve(document, lambda s: 0.1 * (0.001 + 0.999 * min(s, 10) / 10) * 0.9**s, range(40))


def test_the_last_rate_stays_where_the_run_goes_on() -> None:
    cosine = {"type": "CosineAnnealingLR", "by_epoch": False, "end": 10}
    last = 0.05 * (1 + math.cos(math.pi * 0.9))
    assert load([cosine, {"lr": 0.1}]).bind()(99) == 0
    assert load([cosine, {"lr": 0.1}], steps=100).bind()(99) == pytest.approx(last)


EPOCHS = {"max_epochs": 10}
ITERS = {"type": "IterBasedTrainLoop", "max_iters": 100}


def of_a_runner(scheduler: dict[str, Any], train: dict[str, Any], **facts: Any) -> Imported:
    optimizer = {"optimizer": {"type": "SGD", "lr": 0.1}}
    config = {"param_scheduler": scheduler, "train_cfg": train, "optim_wrapper": optimizer}
    return load(config, **facts)


def test_a_range_without_an_end_ends_with_the_run() -> None:
    cosine = {"type": "CosineAnnealingLR", "eta_min": 0.01}
    document = of_a_runner(cosine, EPOCHS, steps_per_epoch=20)
    assert "CosineAnnealingLR has no end: mmengine ends it with the run." in document.notes

    def rate(epochs: float) -> float:
        return 0.01 + 0.045 * (1 + math.cos(math.pi * epochs / 10))

    assert_curve(document, lambda s: rate(s // 20), range(200))
    converted = {**cosine, "convert_to_iter_based": True}
    document = of_a_runner(converted, EPOCHS, steps_per_epoch=20)
    assert_curve(document, lambda s: rate(s / 20), range(200))
    document = of_a_runner({**cosine, "by_epoch": False}, EPOCHS, steps_per_epoch=20)
    assert_curve(document, lambda s: rate(s / 20), range(200))
    document = of_a_runner({**cosine, "by_epoch": False}, ITERS)
    assert_curve(document, lambda s: rate(s / 10), range(100))
    later = {"type": "PolyLR", "begin": 2}
    document = of_a_runner(later, EPOCHS, steps_per_epoch=20)
    assert_curve(document, lambda s: 0.1 * min(1, 1 - (s // 20 - 2) / 7), range(200))


def test_a_range_in_updates_of_a_run_in_epochs() -> None:
    linear = {"type": "LinearLR", "start_factor": 0.5, "by_epoch": False}
    with pytest.raises(SpecError, match="LinearLR without an end has that of the run"):
        of_a_runner(linear, EPOCHS)
    step = {"type": "StepLR", "step_size": 3, "by_epoch": False}
    assert of_a_runner(step, EPOCHS).bind()(4) == pytest.approx(0.01)


def test_a_range_in_epochs_of_a_run_in_iterations() -> None:
    """Such a run has one epoch, in which the scheduler never steps."""
    cosine = {"type": "CosineAnnealingLR"}
    assert of_a_runner(cosine, ITERS, steps_per_epoch=20).bind()(99) == 0.1


def test_iterations_of_accumulated_updates() -> None:
    wrapper = {"optimizer": {"lr": 0.1}, "accumulative_counts": 4}
    document = load(
        {"param_scheduler": WARMUP, "optim_wrapper": wrapper, "auto_scale_lr": {"enable": True}}
    )
    assert document.notes[:2] == (
        "mmengine counts iterations, 4 for every update (accumulative_counts): steps of this"
        " document are iterations.",
        "auto_scale_lr is on: mmengine scales lr with the batch, which is not done here.",
    )


ONE = {"by_epoch": False, "begin": 5, "end": 25}
FORMULAS: list[tuple[dict[str, Any], Callable[[int], float]]] = [
    ({"type": "ConstantLR", "factor": 0.5}, lambda r: 0.5 if r < 19 else 1),
    ({"type": "LinearLR"}, lambda r: 1 / 3 + 2 / 3 * r / 19),
    ({"type": "ExponentialLR", "gamma": 0.9}, lambda r: math.pow(0.9, r)),
    ({"type": "StepLR", "step_size": 6}, lambda r: math.pow(0.1, r // 6)),
    ({"type": "MultiStepLR", "milestones": [2, 9]}, lambda r: math.pow(0.1, (r >= 2) + (r >= 9))),
    (
        {"type": "CosineAnnealingLR", "eta_min_ratio": 0.1},
        lambda r: 0.1 + 0.45 * (1 + math.cos(math.pi * r / 20)),
    ),
    ({"type": "PolyLR", "power": 2, "eta_min": 0.03}, lambda r: 0.1 + 0.9 * (1 - r / 19) ** 2),
]


@pytest.mark.parametrize(
    ("config", "end", "factor"),
    [
        # Without an end it never comes back.
        ({"type": "ConstantLR", "factor": 0.5}, None, 0.5),
        # In a range of one step its first factor stays.
        ({"type": "ConstantLR", "factor": 0.5}, 6, 0.5),
        ({"type": "ExponentialLR", "gamma": 0.9}, 6, 1),
        ({"type": "StepLR", "gamma": 1, "step_size": 3}, 25, 1),
        ({"type": "ExponentialLR", "gamma": 1}, None, 1),
        ({"type": "PolyLR", "power": 2}, 6, 1),
        ({"type": "LinearLR", "start_factor": 0.25}, 6, 0.25),
    ],
)
@pytest.mark.parametrize("steps", [None, 60])
def test_one_value(
    config: dict[str, Any], end: int | None, factor: float, steps: int | None
) -> None:
    given = {**config, "by_epoch": False, "begin": 5, **({} if end is None else {"end": end})}
    document = load([given, {"lr": 0.3}], steps=steps)
    assert_curve(document, lambda s: 0.3 * (1 if s < 5 else factor), range(60))


@pytest.mark.parametrize(("config", "formula"), FORMULAS)
def test_formula(config: dict[str, Any], formula: Callable[[int], float]) -> None:
    """Over its range; before it and after it the rate stays."""
    assert_curve(
        load([{**ONE, **config}, {"lr": 0.3}], steps=60),
        lambda s: 0.3 * (1 if s < 5 else formula(min(s - 5, 19))),
        range(60),
    )


PROBLEMS: list[tuple[Any, str, str]] = [
    ([{"type": "ReduceOnPlateauLR"}, RATE], "not-importable", "a metric"),
    ([{"type": "LinearLr"}, RATE], "unknown-schedule", "LinearLr"),
    ([{**WARMUP, "start_facter": 1}, RATE], "unknown-field", "start_facter"),
    ([{**WARMUP, "start_factor": 0}, RATE], "not-importable", "divides by zero"),
    ([{**WARMUP, "end": 0}, RATE], "out-of-range", "end is after begin"),
    ([{**WARMUP, "convert_to_iter_based": True}, RATE], "conflicting-fields", "by_epoch: true"),
    ([WARMUP, STEPS, RATE], "missing-fact", "steps of an epoch"),
    ([{**STEPS, "convert_to_iter_based": True}, RATE], "missing-fact", "makes updates of epochs"),
    (
        [WARMUP, {"type": "CosineAnnealingLR", "by_epoch": False, "eta_min": 0.1}, RATE],
        "not-importable",
        "overlaps with another",
    ),
    ([{"type": "PolyLR", "eta_min": 0.1}], "missing-fact", "takes lr"),
    ([{"type": "LinearMomentum"}, RATE], "not-importable", "the optimizer"),
    (
        [{"type": "CosineRestartLR", "periods": [3], "by_epoch": False}, RATE],
        "missing-field",
        "eta_min or eta_min_ratio",
    ),
    (
        [{"type": "CosineRestartLR", "periods": [3, 4], "eta_min": 0}, RATE],
        "values-number",
        "restart_weights",
    ),
    (
        [{"type": "CosineAnnealingLR", "eta_min": 0, "eta_min_ratio": 0.1}, RATE],
        "conflicting-fields",
        "exclude",
    ),
    ([RATE], "too-few-items", "no scheduler"),
    (
        [{"type": "LinearMomentum"}, {"lr": 0.1, "momentum": 0.9}],
        "not-importable",
        "the list schedules no lr, and a document of the rate needs one",
    ),
    (
        [{"type": "ConstantLR", "factor": 0}, RATE],
        "not-importable",
        "mmengine divides by the factor at the end, and it is 0",
    ),
]


@pytest.mark.parametrize(("config", "code", "message"), PROBLEMS)
def test_problem(config: Any, code: str, message: str) -> None:
    problem = refused(load, config)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_updates_of_epochs_take_a_whole_number_of_steps() -> None:
    config = [{"type": "LinearLR", "end": 2, "convert_to_iter_based": True}, RATE]
    problem = refused(load, config, steps_per_epoch=12.5)
    assert (problem.code, problem.path, problem.message) == (
        "not-importable",
        "/param_scheduler/0",
        "convert_to_iter_based takes a whole number of steps in an epoch",
    )


def test_bad_values_are_problems() -> None:
    assert_survives(load, WHOLE, steps=50, steps_per_epoch=3)
