"""fairseq's configurations become documents with the rates of its schedulers."""

from __future__ import annotations

from math import cos, exp, floor, log, pi
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.fairseq import load

WAV2VEC = """\
common: {fp16: true, log_format: json}
optimization:
  max_update: 400000
  lr: [0.0005]
optimizer: {_name: adam, adam_betas: "(0.9,0.98)"}
lr_scheduler:
  _name: polynomial_decay
  warmup_updates: 32000
model: {_name: wav2vec2}
"""
TRANSFORMER = """\
fairseq-train data-bin/wmt17 --arch transformer --optimizer adam --adam-betas '(0.9, 0.98)' \\
    --clip-norm 0.0 --lr 5e-4 --lr-scheduler inverse_sqrt --warmup-updates 4000 \\
    --dropout 0.3 --weight-decay 0.0001 --max-tokens 4096
"""


def warm(a: dict[str, Any], low: float, step: int) -> float:
    start = a.get("warmup_init_lr", -1)
    start = low if start < 0 else start
    return float(start + (0.3 - start) * step / a["warmup_updates"])


def rate(a: dict[str, Any], step: int, per_epoch: int = 10) -> Any:
    """The rate of an update, as fairseq computes it."""
    name, warmup, low = a["_name"], a.get("warmup_updates", 0), a.get("min_lr", 0)
    if name == "fixed":
        epoch, lrs = step // per_epoch + 1, a.get("lr", [0.3])
        anneal = a.get("force_anneal")
        found = lrs[min(epoch, len(lrs)) - 1]
        if anneal is not None and epoch >= anneal:
            found = lrs[-1] * a.get("lr_shrink", 0.1) ** (epoch + 1 - anneal)
        return found * min((step + 1) / warmup, 1) if warmup else found
    if name == "triangular":
        half, top = a.get("lr_period_updates", 5000) // 2, a["max_lr"]
        cycle = floor(step / (2 * half))
        shrink = a.get("lr_shrink", 0.1) ** cycle
        low = 0.3 * shrink if a.get("shrink_min") else 0.3
        x = abs(step / half - 2 * (cycle + 1) + 1)
        return low + (top * shrink - low) * max(0, 1 - x)
    if name == "tri_stage":
        return tri_stage(a, step)
    if name == "polynomial_decay":
        end, last = a.get("total_num_update", 100), a.get("end_learning_rate", 0)
        if warmup and step <= warmup:
            return 0.3 * step / warmup
        share = max(1 - (step - warmup) / (end - warmup), 0) ** a.get("power", 1)
        return last + (0.3 - last) * share
    if step < warmup:
        return warm(a, low, step)
    x = step - warmup
    if name == "inverse_sqrt":
        return 0.3 * (warmup / step) ** 0.5
    if name == "step":
        return max(0.3 * a.get("lr_decay", 0.5) ** (x // a["lr_deacy_period"]), low)
    period, mul, number, start = a.get("lr_period_updates", 100 - warmup), a.get("t_mult", 1), 0, 0
    while start + period <= x and "lr_period_updates" in a:
        start, period, number = start + period, period * mul, number + 1
    share = (1 + cos(pi * min((x - start) / period, 1))) / 2
    return (low + (0.3 - low) * share) * a.get("lr_shrink", 0.1) ** number


def tri_stage(a: dict[str, Any], step: int) -> Any:
    if "phase_ratio" in a:
        up, hold, down = (int(100 * share) for share in a["phase_ratio"])
    else:
        up, hold, down = a.get("warmup_steps", 0), a.get("hold_steps", 0), a["decay_steps"]
    first, last = a.get("init_lr_scale", 0.01), a.get("final_lr_scale", 0.01)
    if step < up:
        return 0.3 * (first + (1 - first) * step / up)
    return 0.3 * exp(log(last) * min(max(step - up - hold, 0) / down, 1))


RUN = {"lr": [0.3], "max_update": 100}
CASES: list[dict[str, Any]] = [
    {"_name": "inverse_sqrt", "warmup_updates": 10},
    {"_name": "inverse_sqrt", "warmup_updates": 10, "warmup_init_lr": 0.01},
    {"_name": "polynomial_decay"},
    {"_name": "polynomial_decay", "warmup_updates": 10, "power": 2, "end_learning_rate": 0.01},
    {"_name": "polynomial_decay", "total_num_update": 70, "warmup_updates": 5},
    {"_name": "cosine", "warmup_updates": 10, "min_lr": 0.01},
    {"_name": "cosine", "lr_period_updates": 20, "t_mult": 2, "lr_shrink": 0.5, "min_lr": 0.01},
    {"_name": "cosine", "lr_period_updates": 20, "warmup_updates": 3, "warmup_init_lr": 0.1},
    {"_name": "step", "lr_deacy_period": 9, "warmup_updates": 5},
    {"_name": "step", "lr_deacy_period": 9, "lr_decay": 0.7, "min_lr": 0.05},
    {"_name": "tri_stage", "phase_ratio": [0.1, 0.4, 0.5], "final_lr_scale": 0.05},
    {"_name": "tri_stage", "phase_ratio": [0.125, 0.375, 0.5], "init_lr_scale": 0},
    {"_name": "tri_stage", "warmup_steps": 5, "hold_steps": 5, "decay_steps": 30},
    {"_name": "tri_stage", "decay_steps": 30, "final_lr_scale": 1},
    {"_name": "triangular", "max_lr": 0.9, "lr_period_updates": 21},
    {"_name": "triangular", "max_lr": 0.9, "lr_period_updates": 20, "shrink_min": True},
    {"_name": "triangular", "max_lr": 0.9, "lr_period_updates": 20, "lr_shrink": 1},
    {"_name": "fixed"},
    {"_name": "fixed", "warmup_updates": 7},
    {"_name": "fixed", "lr": [0.3, 0.2, 0.1], "warmup_updates": 17},
    {"_name": "fixed", "lr": [0.3, 0.2], "force_anneal": 4, "lr_shrink": 0.5},
    {"_name": "fixed", "lr": [0.3, 0.2, 0.1], "force_anneal": 2, "warmup_updates": 12},
    {"_name": "fixed", "force_anneal": 1, "warmup_updates": 2},
]


@pytest.mark.parametrize("args", CASES, ids=lambda args: args["_name"])
def test_every_scheduler_has_the_rates_of_fairseq(args: dict[str, Any]) -> None:
    document = load({**RUN, **args}, steps_per_epoch=10)
    assert_curve(document, lambda step: rate(args, step), range(150))


@pytest.mark.parametrize(
    ("more", "values"),
    [
        ({"update2lr": {"3-5": 0.1, "7,9": 0.2}}, [*[0.3] * 3, *[0.1] * 4, *[0.2] * 5]),
        ({"update2lr": "{'1': 0.1, '4': 0.2}"}, [*[0.1] * 4, *[0.2] * 5]),
        ({"update2lr": "{'0': 0.1, '4': 0.2}"}, [*[0.1] * 4, *[0.2] * 5]),
        ({"epoch2lr": "{'1-2': 0.1, '3': 0.2}"}, [*[0.1] * 4, *[0.2] * 5]),
        ({"epoch2lr": "{'2': 0.1}"}, [*[0.3] * 2, *[0.1] * 5]),
    ],
)
def test_rates_by_hand(more: dict[str, Any], values: list[float]) -> None:
    document = load({"_name": "manual", "lr": 0.3, **more}, steps_per_epoch=2)
    assert_curve(document, lambda step: values[step], range(len(values)))


def test_a_hydra_configuration(tmp_path: Path) -> None:
    path = tmp_path / "wav2vec2.yaml"
    path.write_text(WAV2VEC, "utf-8")
    assert (
        body(load(path))
        == """\
lrspec: 1
base: 0.0005
training: {steps: 400000}
schedule:
- linear: {initial: 0, final: 1, length: 32000}
- linear: {final: 0}
"""
    )


def test_arguments(tmp_path: Path) -> None:
    path = tmp_path / "train.sh"
    path.write_text(TRANSFORMER, "utf-8")
    assert (
        body(load(path))
        == """\
lrspec: 1
base: 0.0005
schedule:
- linear: {initial: 0, final: 1, length: 4000}
- inverse_sqrt: {timescale: 4000}
"""
    )


def test_periods_and_epochs() -> None:
    cosine = {**RUN, **CASES[6], "warmup_updates": 10, "warmup_init_lr": 0}
    assert (
        body(load(cosine))
        == """\
lrspec: 1
base: absolute
training: {steps: 100}
schedule:
- linear: {initial: 0, final: 0.3, length: 10}
- repeat:
    period: 20
    stretch: 2
    shrink: 0.5
    schedule:
      cosine: {initial: 0.3, final: 0.01}
"""
    )
    fixed = {"_name": "fixed", "lr": [0.2, 0.1], "force_anneal": 4, "lr_shrink": 0.5}
    assert (
        body(load(fixed))
        == """\
lrspec: 1
base: 0.2
schedule:
- piecewise_constant:
    boundaries: [1 epoch]
    values: [1, 0.5]
    length: 3 epochs
- exponential: {initial: 0.25, rate: 0.5, every: 1 epoch, staircase: true}
"""
    )


def test_notes() -> None:
    held = load({**RUN, "_name": "cosine"})
    assert held.notes[-1].startswith("After max_update the document holds min_lr")
    rounded = load({**RUN, "_name": "tri_stage", "phase_ratio": [0.125, 0.375, 0.5]})
    assert rounded.notes == (
        "phase_ratio 0.125 of 100 updates is 12, rounded down.",
        "phase_ratio 0.375 of 100 updates is 37, rounded down.",
        "final_lr_scale is left out: fairseq takes 0.01.",
    )
    shrinks = load({**RUN, "_name": "fixed", "force_anneal": 4})
    assert shrinks.notes == ("lr_shrink is left out: fairseq takes 0.1.",)
    late = load({"_name": "cosine", "lr": 0.3, "lr_period_updates": 1, "t_mult": 3})
    assert late.notes[0].startswith("A period begins at 121 here; fairseq's logarithm falls short")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ({"_name": "reduce_lr_on_plateau"}, "not-importable", "follows a metric"),
        ({"_name": "pass_through"}, "not-importable", "leaves the rate to the scheduler"),
        ({"_name": "cos"}, "unknown-schedule", "unknown scheduler of fairseq 'cos'; known are"),
        ({"lr": None}, "missing-field", "'_name' is required"),
        ({"_name": "inverse_sqrt", "warmup_updates": 0}, "out-of-range", "divides by warmup_upd"),
        ({"_name": "inverse_sqrt", "lr": [1, 2]}, "wrong-value", "this scheduler takes one lr"),
        ({"_name": "polynomial_decay", "max_update": 0}, "missing-fact", "after total_num_update"),
        ({"_name": "cosine", "max_lr": 1}, "not-importable", "max_lr of a cosine is of an older"),
        ({"_name": "polynomial_decay", "force_anneal": 3}, "not-importable", "force_anneal keeps"),
        ({"_name": "cosine", "min_lr": 0.3}, "out-of-range", "min_lr 0.3 is not below lr 0.3"),
        ({"_name": "cosine", "lr": None, "min_lr": 0.3}, "missing-fact", "min_lr is a rate beside"),
        (
            {"_name": "cosine", "lr_period_updates": 9, "t_mult": 0.5},
            "not-importable",
            "periods that become shorter end",
        ),
        ({"_name": "cosine", "warmup_updates": 100}, "does-not-fit", "leaves nothing of the run"),
        ({"_name": "step", "min_lr": 0.3}, "out-of-range", "min_lr 0.3 is not between"),
        ({"_name": "tri_stage"}, "out-of-range", "divides by the steps of the decay"),
        ({"_name": "tri_stage", "phase_ratio": [0.5, 0.6]}, "wrong-value", "whose sum is 1"),
        ({"_name": "triangular"}, "missing-field", "'max_lr' is required"),
        ({"_name": "manual", "update2lr": "x"}, "wrong-value", "expected a mapping such as"),
        ({"_name": "manual", "update2lr": {"x": 1}}, "wrong-value", "expected numbers such as"),
        ({"_name": "manual", "update2lr": {"1": "x"}}, "wrong-type", "expected a rate"),
        ({"_name": "fixed", "lr_shrnk": 1}, "unknown-field", "'lr_shrnk' is not known here"),
    ],
)
def test_what_is_refused(args: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, {**RUN, **args})
    assert problem.code == code
    assert message in problem.message


def test_a_misspelt_key_is_suggested() -> None:
    problem = refused(load, {**RUN, "_name": "cosine", "lr_schrink": 1})
    assert problem.hint == "did you mean 'lr_shrink'?"


def test_a_script_with_lists(tmp_path: Path) -> None:
    path = tmp_path / "train.sh"
    args = "--lr-scheduler tri_stage --phase-ratio '[0.1, 0.4, 0.5]' --final-lr-scale 0.05"
    path.write_text(f"fairseq-train data {args} --lr 5e-4 --max-update 100\n", "utf-8")
    tri = {"_name": "tri_stage", "phase_ratio": [0.1, 0.4, 0.5], "final_lr_scale": 0.05}
    assert load(path) == load({**tri, "lr": 5e-4, "max_update": 100})
    path.write_text("fairseq-train data --lr 0.3,0.2,0.1 --max-epoch 9\n", "utf-8")
    document = load(path)
    assert document == load({"_name": "fixed", "lr": [0.3, 0.2, 0.1]})
    assert document.notes == ("lr_scheduler is not given; it is fixed, the default.",)
    hydra = {"optimization": {"lr": [0.3], "max_update": 9}, "optimizer": "adam"}
    assert load(hydra) == load({"_name": "fixed", "lr": [0.3], "max_update": 9})
    path.write_text("fairseq-train data --lr '[0.3]' --max-update 9\n", "utf-8")
    assert load(path) == load({"_name": "fixed", "lr": [0.3], "max_update": 9})


@pytest.mark.parametrize("warmup", [30, 40])
def test_a_polynomial_that_is_only_warmup(warmup: int) -> None:
    args = {"_name": "polynomial_decay", "total_num_update": 30, "end_learning_rate": 0.1}
    document = load({**args, "warmup_updates": warmup, "lr": 0.5, "max_update": 60})
    assert_curve(document, lambda s: 0.5 * s / warmup if s <= warmup else 0.1, range(90))
    says = "The warmup takes all of the decay: one update has lr, then it drops."
    assert says in document.notes


@pytest.mark.parametrize("args", CASES[1::3], ids=lambda args: args["_name"])
def test_any_value_is_refused_or_read(args: dict[str, Any]) -> None:
    assert_survives(load, {**RUN, **args}, steps_per_epoch=10)


def test_any_value_by_hand_is_refused_or_read() -> None:
    manual = {"_name": "manual", "update2lr": {"3-5": 0.1, "7,9": 0.2}}
    assert_survives(load, {"lr_scheduler": manual, "optimization": RUN})


def test_the_group_of_a_composite_optimizer(tmp_path: Path) -> None:
    group = "{lr: [0.5], optimizer: {_name: adam}, lr_scheduler: {_name: cosine}}"
    optimizer = f"optimizer: {{_name: composite, groups: {{default: {group}}}}}"
    path = tmp_path / "base.yaml"
    path.write_text(f"{optimizer}\nlr_scheduler: pass_through\n", "utf-8")
    assert refused(load, path).hint == "--at optimizer.groups.NAME reads that of one group"
    document = load(path, at="optimizer.groups.default", steps=100)
    assert document.bind()(50) == pytest.approx(0.25, rel=1e-12)


def test_the_end_of_the_run_that_older_versions_have(tmp_path: Path) -> None:
    path = tmp_path / "train.sh"
    path.write_text(
        "--lr 0.5 --lr-scheduler inverse_sqrt --min-lr '1e-9' --warmup-updates 4\n", "utf-8"
    )
    document = load(path)
    assert document.bind()(16) == 0.25
    assert document.notes[0].startswith("min_lr is where older versions of fairseq end the run")
    problem = refused(load, {"_name": "polynomial_decay", "lr": 1, "max_update": 9, "min_lr": 0.1})
    assert problem.code == "unknown-field"
