"""Megatron-LM's arguments become documents with the rates of OptimizerParamScheduler."""

from __future__ import annotations

from math import cos, pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.megatron_lm import load

GPT = """\
torchrun --nproc-per-node 8 pretrain_gpt.py \\
  --num-layers 24 --seq-length 2048 --global-batch-size 512 \\
  --train-samples 146484375 --lr-decay-samples 126953125 --lr-warmup-samples 183105 \\
  --lr 6.0e-5 --min-lr 6.0e-6 --lr-decay-style cosine --weight-decay 0.1 --clip-grad 1.0 \\
  --split 949,50,1 --fp16 --use-checkpoint-opt_param-scheduler
"""


def rate(args: dict[str, Any], step: int) -> Any:
    """The rate at a step, from the samples of the steps before it."""
    peak, low, init = args["lr"], args.get("min_lr", 0), args.get("lr_warmup_init", 0)
    batch = args.get("global_batch_size", 4)
    by_samples = "train_samples" in args
    unit, kept = (1, "samples") if by_samples else (batch, "iters")
    end = args.get(f"lr_decay_{kept}", args.get(f"train_{kept}", 0)) * unit
    warmup = args.get("lr_warmup_fraction", 0) * end
    warmup = warmup or args.get(f"lr_warmup_{kept}", 0) * unit
    x = sum(sizes(args)[:step]) if "rampup_batch_size" in args else step * batch
    if warmup > 0 and x <= warmup:
        return init + (peak - init) * x / warmup
    style = args.get("lr_decay_style", "linear")
    if style == "constant":
        return peak
    if x > end:
        return low
    if style == "inverse-square-root":
        return max(low, peak * sqrt(max(warmup, 1)) / sqrt(max(x, 1)))
    p = (x - warmup) / (end - warmup)
    if style == "linear":
        return low + (peak - low) * (1 - p)
    if style == "cosine":
        return low + (peak - low) * (1 + cos(pi * p)) / 2
    decay = args[f"lr_wsd_decay_{kept}"] * unit
    if x <= end - decay:
        return peak
    q = (x - end + decay) / decay
    shares = {
        "linear": 1 - q,
        "cosine": (1 + cos(pi * q)) / 2,
        "exponential": 2 * 0.5**q - 1,
        "minus_sqrt": 1 - sqrt(q),
    }
    return low + (peak - low) * shares[args.get("lr_wsd_decay_style", "exponential")]


def sizes(args: dict[str, Any]) -> list[int]:
    """The size of the batch at every step, as it grows with the samples consumed."""
    first, increment, samples = args["rampup_batch_size"]
    final = args["global_batch_size"]
    each = samples / ((final - first) // increment)
    consumed, found = 0, []
    for _ in range(300):
        size = final if consumed > samples else first + int(consumed / each) * increment
        found.append(size)
        consumed += size
    return found


RATES = {"lr": 0.3, "min_lr": 0.03}
BY_STEPS: dict[str, Any] = {**RATES, "train_iters": 100, "global_batch_size": 4}
WSD = {**BY_STEPS, "lr_decay_style": "WSD", "lr_wsd_decay_iters": 20, "lr_warmup_iters": 10}
INVERSE = {**BY_STEPS, "lr_decay_style": "inverse-square-root"}
BY_SAMPLES = {**RATES, "train_samples": 400, "global_batch_size": 4, "lr_warmup_samples": 37}
GROWING = {
    **BY_SAMPLES,
    "train_samples": 2000,
    "rampup_batch_size": [2, 2, 150],
    "global_batch_size": 10,
}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "linear": {**BY_STEPS, "lr_warmup_iters": 10, "lr_warmup_init": 0.1},
    "linear to the end": {**BY_STEPS, "lr_decay_iters": 77, "lr_warmup_iters": 1},
    "cosine": {**BY_STEPS, "lr_decay_style": "cosine", "lr_warmup_fraction": 0.073},
    "cosine of a part": {**BY_STEPS, "lr_decay_style": "cosine", "lr_decay_iters": 57}
    | {"lr_warmup_fraction": 0.073},
    "constant": {**BY_STEPS, "lr_decay_style": "constant", "lr_warmup_iters": 3},
    "constant and no length": {"lr": 0.1, "lr_decay_style": "constant"},
    "the lowest is the rate": {**BY_STEPS, "min_lr": 0.3, "lr_warmup_iters": 5},
    "inverse": {**INVERSE, "lr_warmup_iters": 10, "lr_decay_iters": 90},
    "inverse of a fraction": {**INVERSE, "lr_warmup_fraction": 0.073, "min_lr": 0},
    "inverse with a bound": {**INVERSE, "lr_warmup_iters": 2, "min_lr": 0.1},
    "inverse without a warmup": {**INVERSE, "min_lr": 0},
    "wsd": WSD,
    "wsd of a part": {**WSD, "lr_decay_iters": 90, "lr_wsd_decay_style": "linear"},
    "wsd of a fraction": {**WSD, "lr_decay_iters": 90, "lr_wsd_decay_style": "cosine"}
    | {"lr_warmup_iters": 0, "lr_warmup_fraction": 0.073},
    "wsd without a stable part": {**WSD, "lr_wsd_decay_iters": 90},
    "wsd without a decay": {**WSD, "lr_wsd_decay_iters": 0, "lr_decay_iters": 50},
    "samples": {**BY_SAMPLES, "lr_decay_style": "cosine", "lr_decay_samples": 333},
    "samples inverse": {**BY_SAMPLES, "lr_decay_style": "inverse-square-root", "min_lr": 0},
    "samples inverse without a warmup": {**BY_SAMPLES, "lr_warmup_samples": 0}
    | {"lr_decay_style": "inverse-square-root", "lr_decay_samples": 300},
    "samples that are no whole batches": {**BY_SAMPLES, "train_samples": 402},
    "growing": GROWING,
    "growing wsd": {**GROWING, "lr_decay_style": "WSD", "lr_wsd_decay_samples": 700},
}


@pytest.mark.parametrize("args", ARGUMENTS.values(), ids=ARGUMENTS)
def test_every_style_has_the_rates_of_megatron(args: dict[str, Any]) -> None:
    assert_curve(load(args), lambda step: rate(args, step), range(250))


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "pretrain.sh"
    path.write_text(GPT, "utf-8")
    assert (
        body(load(path))
        == """\
lrspec: 1
base: 6.0e-05
axis: samples
training: {steps: 146484375 samples, batch_size: 512}
schedule:
- linear: {initial: 0, final: 1, length: 183105 samples}
- cosine: {final: 0.1, length: 126770020 samples}
"""
    )


def test_a_script_that_keeps_its_arguments_in_arrays(tmp_path: Path) -> None:
    path = tmp_path / "train.sh"
    lines = [
        "#!/bin/bash",
        "TRAIN_ITERS=5000",
        'LAUNCH="--nproc_per_node 8"',
        'if [ -n "$NAME" ]; then rm -f "$NAME"; fi',
        "TRAINING_ARGS=(",
        "    --global-batch-size $GLOBAL_BATCH_SIZE",
        "    --train-iters $TRAIN_ITERS",
        "    # --lr-warmup-iters 3 \\",
        "    --lr 6.0e-5 \\",
        "    --min-lr 6.0e-6",
        "    --lr-decay-style cosine",
        "    --lr-decay-iters 4000 ",
        ")",
        "torchrun $LAUNCH pretrain_gpt.py ${TRAINING_ARGS[@]}",
    ]
    path.write_text("\n".join(lines), "utf-8")
    rate = load(path).bind()
    assert rate(0) == 6e-5
    assert rate(2000) == pytest.approx(3.3e-5, rel=1e-12)
    assert rate(4000) == 6e-6


def test_arguments_as_options_of_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "model_config.yaml"
    lines = [
        "ENV_VARS: {CUDA_DEVICE_MAX_CONNECTIONS: 1}",
        "TEST_TYPE: regular",
        "MODEL_ARGS:",
        "  --num-layers: 12",
        "  --lr: .00015",
        "  --min-lr: 1.5e-5",
        "  --train-iters: 100",
        "  --lr-decay-style: cosine",
        "  --lr-warmup-fraction: .01",
        "  --bf16: true",
    ]
    path.write_text("\n".join(lines), "utf-8")
    args = {"lr": 1.5e-4, "min_lr": 1.5e-5, "train_iters": 100, "lr_decay_style": "cosine"}
    assert load(path) == load({**args, "lr_warmup_fraction": 0.01})
    assert load({"--lr": 1, "--train-iters": 9}) == load({"lr": 1, "train_iters": 9})
    problem = refused(load, {"MODEL_ARGS": {"--lr": "x", "--train-iters": 9}})
    assert (problem.message, problem.path) == ("expected a number, found 'x'", "/MODEL_ARGS/lr")


def test_all_the_arguments_with_their_defaults() -> None:
    args = {"lr": 1.0, "train_iters": 100, "lr_decay_style": "cosine", "lr_warmup_iters": 10}
    samples = {"train_samples": None, "lr_decay_samples": None, "lr_warmup_samples": 0}
    assert load({**args, **samples, "lr_warmup_fraction": None}) == load(args)


def test_a_batch_that_only_the_script_knows() -> None:
    args = {"lr": 1.0, "train_iters": 100, "lr_decay_style": "inverse-square-root"}
    assert load({**args, "lr_warmup_iters": 10, "global_batch_size": "$GBS"}).bind()(40) == 0.5
    problem = refused(load, {**args, "global_batch_size": "$GBS"})
    assert problem.code == "missing-fact"
    assert load({**args, "global_batch_size": "$GBS"}, batch_size=4).bind()(4) == 0.25
    problem = refused(load, {"lr": 1.0, "train_samples": 100, "global_batch_size": "$GBS"})
    assert problem.message == "'$GBS' is a variable of a script"


def test_iterations_and_a_weight_decay() -> None:
    growing = {
        "start_weight_decay": 0.033,
        "end_weight_decay": 0.1,
        "weight_decay_incr_style": "cosine",
    }
    document = load({**WSD, **growing, "lr_warmup_iters": 0, "lr_warmup_fraction": 0.01})
    assert (
        body(document)
        == """\
lrspec: 1
base: {lr: 0.3, weight_decay: absolute}
training: {steps: 100}
schedules:
  lr:
  - linear: {initial: 0, final: 1, length: 1%}
  - constant:
  - geometric: {final: 0.1, asymptote: -0.8, length: 20}
  weight_decay:
    cosine: {initial: 0.033, final: 0.1}
"""
    )
    assert document.notes == (
        "The warmup is 0.01 of the 100 steps of the decay, unrounded.",
        "lr_wsd_decay_style is left out: Megatron-LM takes exponential.",
    )

    def decay(step: int) -> float:
        return 0.033 + 0.067 * (1 - cos(pi * min(step / 100, 1))) / 2

    assert_curve(document, decay, range(120), name="weight_decay")


def test_the_inverse_square_root_drops() -> None:
    document = load({**INVERSE, "lr_warmup_iters": 10, "lr_decay_iters": 90})
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.3
training: {steps: 100}
schedule:
- linear: {initial: 0, final: 1, length: 10}
- inverse_sqrt: {timescale: 10, until: 91}
- constant: {value: 0.1}
"""
    )
    assert document.notes == ("The rate drops to min_lr after 90 steps.",)


def test_a_configuration_of_megatron_bridge() -> None:
    config = {
        "model": {"num_layers": 2},
        "train": {"train_iters": 100, "global_batch_size": 4},
        "optimizer": {"optimizer": "adam", "lr": 0.3, "min_lr": 0.03},
        "scheduler": {"lr_decay_style": "cosine", "lr_warmup_iters": 10},
    }
    flat = {**BY_STEPS, "lr_decay_style": "cosine", "lr_warmup_iters": 10}
    assert load(config) == load(flat)


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ({"lr": 1}, "missing-fact", "the decay ends after lr_decay_iters, or with the run"),
        ({**BY_STEPS, "lr": None}, "missing-fact", "min_lr and lr_warmup_init are rates"),
        ({**BY_STEPS, "min_lr": 1}, "out-of-range", "min_lr 1 is above lr 0.3"),
        ({**BY_STEPS, "lr_warmup_iters": 100}, "does-not-fit", "is not shorter than the decay"),
        ({**BY_STEPS, "lr_decay_style": "cos"}, "wrong-value", "unknown lr_decay_style 'cos'"),
        ({**WSD, "lr_wsd_decay_iters": 91}, "does-not-fit", "are longer than the decay"),
        ({**WSD, "lr_wsd_decay_iters": None}, "missing-field", "'lr_wsd_decay_iters' is required"),
        ({**BY_STEPS, "train_samples": 9}, "conflicting-fields", "exclude each other"),
        ({**BY_SAMPLES, "lr_warmup_iters": 9}, "conflicting-fields", "exclude each other"),
        ({**WSD, "lr_warmup_fraction": 0.1}, "conflicting-fields", "exclude each other"),
        ({**INVERSE, "global_batch_size": None}, "missing-fact", "without a warmup samples"),
        ({**BY_STEPS, "rampup_batch_size": [2, 2, 9]}, "conflicting-fields", "needs train_samples"),
        ({**GROWING, "rampup_batch_size": [2, 2]}, "wrong-value", "the first size, the increment"),
        ({**GROWING, "rampup_batch_size": [2, 3, 9]}, "wrong-value", "the batch does not grow"),
        ({**BY_STEPS, "lr_warmup_steps": 9}, "unknown-field", "'lr_warmup_steps' is not known"),
        ({**BY_STEPS, "weight_decay_incr_style": "linear"}, "missing-field", "are required"),
        ({"param": "weight_decay", "train_iters": 9}, "missing-field", "does not change"),
    ],
)
def test_what_is_refused(args: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, args)
    assert problem.code == code
    assert message in problem.message


def test_a_misspelt_argument_is_suggested() -> None:
    problem = refused(load, {**BY_STEPS, "lr_decay_stile": "cosine"})
    assert problem.hint == "did you mean 'lr_decay_style'?"


@pytest.mark.parametrize("args", [WSD, INVERSE, GROWING, ARGUMENTS["cosine"]])
def test_any_value_is_refused_or_read(args: dict[str, Any]) -> None:
    assert_survives(load, args)


def test_the_default_of_the_style_is_told() -> None:
    says = "lr_decay_style is left out: Megatron-LM takes linear."
    assert load({"lr": 1, "train_iters": 9}).notes == (says,)
    assert load({"lr": 1, "train_iters": 9, "lr_decay_style": "linear"}).notes == ()
