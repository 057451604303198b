"""Composer's and LLM Foundry's configurations become documents with the rates they had."""

from __future__ import annotations

from math import cos, pi
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers import composer, llm_foundry
from lrspec.importing.importer import Importer

# A run of 4 epochs, each of 25 batches.
EPOCHS: dict[str, Any] = {"max_duration": "4ep", "batches_per_epoch": 25, "lr": 0.3}


def batches(time: str, ratio: float = 1.0) -> int:
    """A time of a run of 100 batches, 25 in an epoch, as Composer converts it."""
    if time.endswith("dur"):
        return int(float(time[:-3]) * int(100 * ratio))
    number = int(time[:-2]) * (25 if time.endswith("ep") else 1)
    return int(number * ratio)


def factor(name: str, args: dict[str, Any], t: int) -> Any:
    """The multiple of the rate at batch t."""
    ratio = args.get("scale_schedule_ratio", 1.0)
    low, start = args.get("alpha_f", 0), 0
    first = args.get("alpha_i", args.get("alpha", 1)) if "linear" in name or "con" in name else 1
    if "t_warmup" in args:
        start = batches(args["t_warmup"])
        if t < start:
            return first * t / start
    end = batches(args.get("t_max", "1dur"), ratio)
    p = min(1, (t - start) / (end - start)) if end > start else 0
    if name.startswith("multistep"):
        passed = [m for m in args["milestones"] if batches(m, ratio) <= t]
        return args.get("gamma", 0.1) ** len(passed)
    if name == "step":
        return args.get("gamma", 0.1) ** (t // batches(args["step_size"], ratio))
    if name == "exponential":
        return args["gamma"] ** (t / batches(args.get("decay_period", "1ep"), ratio))
    if name == "constant":
        return args.get("alpha", 1) if t < end else 1
    if name == "cosine_annealing_warm_restarts":
        length, begin = batches(args["t_0"], ratio), 0
        while begin + length <= t:
            begin, length = begin + length, int(args.get("t_mult", 1) * length)
        p = (t - begin) / length
    if name.startswith("linear"):
        return first + (low - first) * p
    if name.startswith("constant"):
        return first
    if name.startswith("polynomial"):
        return low + (1 - low) * (1 - p) ** args.get("power", 2)
    return low + (1 - low) * (1 + cos(pi * p)) / 2


CASES: list[tuple[str, dict[str, Any]]] = [
    ("step", {"step_size": "1ep", "gamma": 0.5}),
    ("step", {"step_size": "0.07dur"}),
    ("multistep", {"milestones": ["0.5dur", "30ba", "2ep", "50ba"], "gamma": 0.5}),
    ("multistep", {"milestones": ["0ba", "29ba"], "scale_schedule_ratio": 0.5}),
    ("constant", {}),
    ("constant", {"alpha": 0.5}),
    ("constant", {"alpha": 0.5, "t_max": "30ba"}),
    ("constant", {"alpha": 0.5, "t_max": "100ba"}),
    ("linear", {"alpha_i": 0.1, "alpha_f": 0.9}),
    ("linear", {"t_max": "130ba"}),
    ("exponential", {"gamma": 0.9}),
    ("exponential", {"gamma": 0.9, "decay_period": "7ba"}),
    ("cosine_annealing", {"alpha_f": 0.1}),
    ("cosine_annealing_warm_restarts", {"t_0": "10ba", "alpha_f": 0.1}),
    ("cosine_annealing_warm_restarts", {"t_0": "10ba", "t_mult": 2}),
    ("cosine_annealing_warm_restarts", {"t_0": "10ba", "t_mult": 1.5}),
    ("cosine_annealing_warm_restarts", {"t_0": "20ba", "t_mult": 1.15}),
    ("cosine_annealing_warm_restarts", {"t_0": "50ba", "t_mult": 0.6}),
    ("polynomial", {"power": 0.5, "alpha_f": 0.1}),
    ("multistep_with_warmup", {"t_warmup": "0.033dur", "milestones": ["1ba", "0.5dur"]}),
    ("constant_with_warmup", {"t_warmup": "7ba", "alpha": 0.5}),
    ("constant_with_warmup", {"t_warmup": "0ba", "scale_warmup": True}),
    ("linear_with_warmup", {"t_warmup": "0.1dur", "alpha_i": 0.8, "alpha_f": 0.1}),
    ("linear_with_warmup", {"t_warmup": "100ba"}),
    ("linear_with_warmup", {"t_warmup": "10ba", "scale_schedule_ratio": 0.55}),
    ("cosine_annealing_with_warmup", {"t_warmup": "1ep", "alpha_f": 0.1}),
    ("cosine_annealing_with_warmup", {"t_warmup": "10ba", "t_max": "120ba"}),
    ("polynomial_with_warmup", {"t_warmup": "10ba"}),
    ("polynomial_with_warmup", {"t_warmup": "10ba", "power": 3, "alpha_f": 0.2}),
]


@pytest.mark.parametrize(("name", "args"), CASES)
@pytest.mark.parametrize("load", [composer.load, llm_foundry.load])
def test_every_scheduler_has_the_rates_of_composer(
    load: Importer, name: str, args: dict[str, Any]
) -> None:
    end = int(100 * args.get("scale_schedule_ratio", 1))
    document = load({**EPOCHS, "max_duration": "100ba", "name": name, **args})
    assert_curve(document, lambda t: 0.3 * factor(name, args, t), range(end))


def test_tokens() -> None:
    config = {
        "scheduler": {"name": "cosine_with_warmup", "t_warmup": "0.02dur", "alpha_f": 0.1},
        "max_duration": "3e9tok",
        "optimizer": {"name": "decoupled_adamw", "lr": 6e-4},
        "global_train_batch_size": 256,
        "max_seq_len": 2048,
    }
    document = composer.load(config)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.0006
axis: tokens
training: {steps: 3B tokens, batch_size: 256, sequence_length: 2048}
schedule:
- linear: {initial: 0, final: 1, length: 60M tokens}
- cosine: {final: 0.1, length: 2.94B tokens}
"""
    )
    curve = document.bind()
    for step in (0, 1, 100, 114, 115, 4000, 5722):
        t = step * 256 * 2048
        p = (t - 6e7) / 2.94e9
        expected = t / 6e7 if t < 6e7 else 0.1 + 0.9 * (1 + cos(pi * p)) / 2
        assert curve(step) == pytest.approx(6e-4 * expected, rel=1e-12)


def test_restarts_of_rounded_lengths() -> None:
    args = {"t_0": "10ba", "t_mult": 1.5, "alpha_f": 0.1, "max_duration": "100ba", "lr": 0.3}
    document = composer.load({"cls": "CosineAnnealingWarmRestartsScheduler", **args})
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.3
rounding: floor
training: {steps: 100}
schedule:
  repeat:
    period: 10
    stretch: 1.5
    schedule:
      cosine: {initial: 1, final: 0.1}
"""
    )
    assert document.notes == ("The cycles are 10, 15, 22, 33, 49 long, each rounded down.",)


def test_a_share_that_needs_no_rounding_stays_one() -> None:
    args = {"name": "linear_with_warmup", "t_warmup": "0.05dur", "max_duration": "200ba"}
    assert (
        body(composer.load(args))
        == """\
lrspec: 1
training: {steps: 200}
schedule:
- linear: {initial: 0, final: 1, length: 5%}
- linear: {final: 0}
"""
    )
    odd = composer.load({**args, "t_warmup": "0.033dur"})
    assert odd.notes == ("t_warmup 0.033dur is 6 of 200 batches, rounded down.",)


@pytest.mark.parametrize("warmup", ["100ba", "150ba"])
@pytest.mark.parametrize(
    "name", ["cosine_with_warmup", "linear_with_warmup", "constant_with_warmup"]
)
def test_a_warmup_of_the_whole_run(name: str, warmup: str) -> None:
    args = {"name": name, "t_warmup": warmup, "max_duration": "100ba", "lr": 0.5}
    length = int(warmup.removesuffix("ba"))
    document = composer.load(args)
    assert_curve(document, lambda s: 0.5 * min(s / length, 1), range(200))
    says = "The warmup is as long as t_max or longer: nothing follows but its rate."
    assert document.notes == (says,)


def test_a_run_of_the_platform() -> None:
    scheduler = {"name": "cosine_with_warmup", "t_warmup": "1000tok", "alpha_f": 0.1}
    whole = {
        "variables": {"length": 128},
        "max_seq_len": "${variables.length}",
        "scheduler": scheduler,
        "optimizer": {"name": "adamw", "lr": 0.5},
        "max_duration": "100000tok",
        "global_train_batch_size": 4,
    }
    run = {"name": "mpt", "image": "x", "parameters": whole, "command": "composer"}
    assert composer.load(run) == composer.load(whole)
    assert refused(composer.load, {"a": {"b": whole}}).hint == "some stand in a.b: give --at a.b"


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ({"name": "cosine"}, "missing-fact", "t_max is a share of max_duration"),
        ({"max_duration": "9ba"}, "missing-field", "'name' is required"),
        ({"name": "rex"}, "unknown-schedule", "unknown scheduler of Composer 'rex'"),
        ({**EPOCHS, "name": "linear", "t_max": "9ba"}, "does-not-fit", "no t_max below"),
        ({**EPOCHS, "name": "linear", "t_max": 9}, "wrong-type", "expected a time, found 9"),
        ({**EPOCHS, "name": "linear", "t_max": "9min"}, "wrong-type", "expected a time"),
        ({**EPOCHS, "name": "linear", "t_max": "9sec"}, "not-importable", "is no length in"),
        ({**EPOCHS, "name": "linear", "t_max": "1.5ba"}, "out-of-range", "a whole number"),
        ({"name": "constant", "max_duration": "2ep"}, "missing-fact", "max_duration counts epochs"),
        ({"name": "constant", "max_duration": "1dur"}, "wrong-value", "no share of itself"),
        ({**EPOCHS, "name": "step", "step_size": "0ba"}, "out-of-range", "step_size is no time"),
        (
            {**EPOCHS, "name": "cosine_with_warmup", "t_warmup": "9tok"},
            "wrong-value",
            "t_warmup and t_max have different units",
        ),
        ({**EPOCHS, "name": "linear", "t_max": "0ba"}, "out-of-range", "t_max is no time"),
        (
            {**EPOCHS, "name": "multistep", "milestones": ["9tok", "9ba"]},
            "not-importable",
            "milestones of different units",
        ),
        (
            {**EPOCHS, "name": "cosine_annealing_warm_restarts", "t_0": "3ba", "t_mult": 0.5},
            "out-of-range",
            "a cycle comes to 0 before the run ends",
        ),
        (
            {**EPOCHS, "name": "constant_with_warmup", "t_warmup": "3ba", "scale_warmup": True}
            | {"scale_schedule_ratio": 0.5},
            "not-importable",
            "a warmup that is scaled is cut before its end",
        ),
        ({**EPOCHS, "name": "linear", "alpha_g": 1}, "unknown-field", "'alpha_g' is not known"),
    ],
)
def test_what_is_refused(args: dict[str, Any], code: str, message: str) -> None:
    problem = refused(composer.load, args)
    assert problem.code == code
    assert message in problem.message


@pytest.mark.parametrize(("name", "args"), CASES[::3])
def test_any_value_is_refused_or_read(name: str, args: dict[str, Any]) -> None:
    assert_survives(composer.load, {**EPOCHS, "name": name, **args})


def test_a_misspelt_argument_is_suggested() -> None:
    problem = refused(composer.load, {**EPOCHS, "name": "cosine", "alpha_g": 1})
    assert problem.hint == "did you mean 'alpha_f'?"


def test_defaults_are_told() -> None:
    says = "gamma is left out: Composer takes 0.1."
    steps = {"name": "multistep", "milestones": ["3ba"], "max_duration": "9ba"}
    assert composer.load(steps).notes == (says,)
    assert composer.load({**steps, "gamma": 0.1}).notes == ()
    assert composer.load({"name": "step", "step_size": "3ba"}).notes == (says,)
    poly = {"name": "polynomial_with_warmup", "t_warmup": "3ba", "max_duration": "9ba"}
    assert composer.load(poly).notes == ("power is left out: Composer takes 2.",)
