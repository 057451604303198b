"""timm's arguments become documents; the peers' tests compare every kind with timm itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.timm import load

EFFICIENTNET = """\
./distributed_train.sh 2 /imagenet --model efficientnet_b2 -b 128 --sched step --epochs 450 \\
  --decay-epochs 2.4 --decay-rate .97 --opt rmsproptf --opt-eps .001 -j 8 --warmup-lr 1e-6 \\
  --weight-decay 1e-5 --drop 0.3 --drop-connect 0.2 --model-ema --amp --lr .016
"""
VIT: dict[str, Any] = {
    "model": "vit_small_patch16_224",
    "batch_size": 128,
    "opt": "adamw",
    "opt_betas": None,
    "sched": "cosine",
    "sched_on_updates": False,
    "lr": 1e-3,
    "lr_base": 0.1,
    "drop": 0.0,
    "lr_base_size": 256,
    "lr_base_scale": "",
    "lr_noise": None,
    "lr_noise_pct": 0.67,
    "lr_noise_std": 1.0,
    "lr_cycle_mul": 1.0,
    "lr_cycle_decay": 0.5,
    "lr_cycle_limit": 1,
    "lr_k_decay": 1.0,
    "warmup_lr": 1e-6,
    "min_lr": 1e-5,
    "epochs": 300,
    "epoch_repeats": 0.0,
    "start_epoch": None,
    "decay_milestones": [90, 180, 270],
    "decay_epochs": 90.0,
    "seed": 42,
    "warmup_epochs": 5,
    "warmup_prefix": False,
    "cooldown_epochs": 0,
    "patience_epochs": 10,
    "decay_rate": 0.1,
    "layer_decay": None,
    "smoothing": 0.1,
    "eval_metric": "top1",
}
WSD = {"cls": "WSDLRScheduler", "lr": 0.3, "t_initial": 90, "decay_t": 20, "warmup_t": 10}


def test_arguments_as_people_keep_them(tmp_path: Path) -> None:
    path = tmp_path / "train.sh"
    path.write_text(EFFICIENTNET, "utf-8")
    document = load(path, steps_per_epoch=5004)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.016
training: {steps: 450 epochs, steps_per_epoch: 5004}
schedule:
  quantize:
    every: 1 epoch
    schedule:
    - linear: {initial: 6.25e-05, final: 1, length: 5 epochs}
    - advance:
        schedule:
          exponential: {initial: 1, rate: 0.97, every: 2.4 epochs, staircase: true}
"""
    )
    assert document.notes == (
        "warmup_epochs is left out: timm takes 5.",
        "The rate changes once in an epoch, as timm is stepped at the end of one.",
    )


def test_the_whole_args_yaml() -> None:
    document = load(VIT)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.001
training: {steps: 300 epochs}
schedule:
  quantize:
    every: 1 epoch
    schedule:
    - linear: {initial: 0.001, final: 1, length: 5 epochs}
    - advance:
        schedule:
          cosine: {initial: 1, final: 0.01}
"""
    )
    assert document.notes == (
        "The rate changes once in an epoch, as timm is stepped at the end of one.",
        "The decay counts from the start of the warmup: the rate drops where that ends.",
    )


def test_cycles_by_updates() -> None:
    more = {"sched_on_updates": True, "warmup_prefix": True, "lr_cycle_limit": 2, "epochs": 10}
    assert (
        body(load({**VIT, **more}))
        == """\
lrspec: 1
base: 0.001
training: {steps: 25 epochs}
schedule:
- linear: {initial: 0.001, final: 1, length: 5 epochs}
- cosine: {final: 0.01, length: 10 epochs}
- cosine: {initial: 0.5, final: 0.01, length: 10 epochs}
"""
    )


def test_a_class() -> None:
    document = load({**WSD, "lr_min": 0.06, "decay_fn": "exp", "decay_ratio": 0.5}, steps=100)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.3
training: {steps: 100}
schedule:
- linear: {initial: 0, final: 1, length: 10}
- constant:
- geometric: {final: 0.2, asymptote: -0.6, length: 20}
"""
    )
    assert document.notes == ("The lengths count calls of the scheduler, one for every update.",)


def test_a_class_in_epochs() -> None:
    config = {"cls": "StepLRScheduler", "lr": 0.1, "decay_t": 30, "decay_rate": 0.5}
    assert (
        body(load({**config, "t_in_epochs": True}))
        == """\
lrspec: 1
base: 0.1
schedule:
  quantize:
    every: 1 epoch
    schedule:
      exponential: {initial: 1, rate: 0.5, every: 30 epochs, staircase: true}
"""
    )


def test_many_cycles_have_the_same_values_as_few() -> None:
    config = {"cls": "CosineLRScheduler", "lr": 0.3, "t_initial": 5, "cycle_decay": 0.9}
    config |= {"lr_min": 0.01}
    few = load({**config, "cycle_limit": 8}).bind()
    assert_curve(load({**config, "cycle_limit": 9}), few, range(40))


def test_a_step_that_float64_makes_longer() -> None:
    config = {"sched": "step", "lr": 1, "epochs": 50, "decay_epochs": 1.1, "warmup_epochs": 0}
    document = load(config, steps_per_epoch=1)
    assert "every: 1.10000000000000008881784197" in body(document)
    assert_curve(document, lambda t: 0.1 ** (t // 1.1), range(50))


@pytest.mark.parametrize("batch", [256, 1024])
def test_a_rate_for_the_batch(batch: int) -> None:
    config = {**VIT, "lr": None, "lr_base": 1e-3, "min_lr": 0, "warmup_epochs": 0}
    assert load(config, batch_size=batch, steps_per_epoch=1).bind()(0) == pytest.approx(
        1e-3 * (batch / 256) ** 0.5
    )
    config["lr_base_scale"] = "linear"
    assert load(config, batch_size=batch, steps_per_epoch=1).bind()(0) == pytest.approx(
        1e-3 * batch / 256
    )
    assert load(config, base=0.5, steps_per_epoch=1).bind()(0) == 0.5
    assert refused(load, config).message == (
        "the rate follows from lr_base and the batch of all devices"
    )


@pytest.mark.parametrize(
    ("config", "code", "message"),
    [
        ({"sched": "plateau"}, "not-importable", "the schedule plateau follows a metric"),
        ({"cls": "PlateauLRScheduler"}, "not-importable", "the schedule plateau follows a metric"),
        ({**VIT, "lr_noise": [0.4, 0.9]}, "not-importable", "noise of timm is drawn by chance"),
        ({**WSD, "noise_range_t": [1, 2]}, "not-importable", "noise of timm is drawn by chance"),
        ({**WSD, "decay_fn": abs}, "not-importable", "decay_fn is a function of the user"),
        ({**VIT, "sched": "tanh"}, "not-importable", "has the form of a tanh"),
        ({**VIT, "lr_k_decay": 2}, "not-importable", "has timm's k-decay"),
        ({"sched": "cosin"}, "unknown-schedule", "unknown schedule of timm 'cosin'; known are"),
        ({**WSD, "cls": "WSD"}, "wrong-value", "unknown class of timm 'WSD'"),
        ({"sched": "none", "t_initial": 3}, "wrong-value", "no class of timm is the schedule none"),
        ({**WSD, "decay_t": 91}, "does-not-fit", "the decay of 91 is not between 0 and the 90"),
        ({**WSD, "decay_ratio": 1}, "out-of-range", "decay_ratio is below 1"),
        ({**WSD, "warmup_t": 0, "stable_fn": "rsqrt"}, "out-of-range", "stable_timescale is above"),
        ({"cls": "TanhLRScheduler", "t_initial": 3, "lb": 4}, "bounds-order", "lb is below ub"),
        ({**VIT, "lr": None, "lr_base": None}, "missing-fact", "timm states the lowest rate"),
        ({**VIT, "lr_cycle_lim": 3}, "unknown-field", "'lr_cycle_lim' is not known here"),
        ({**VIT, "warmup_epoch": 3}, "unknown-field", "'warmup_epoch' is not known here"),
        (
            {"sched": "multistep", "lr": 1, "decay_milestones": [3, 2]},
            "boundaries-order",
            "the milestones do not increase",
        ),
        (
            {"sched": "multistep", "lr": 1, "decay_milestones": [3], "sched_on_updates": True},
            "missing-fact",
            "milestone m takes effect at update",
        ),
    ],
)
def test_what_is_refused(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config)
    assert problem.code == code
    assert message in problem.message


def test_a_misspelt_argument_is_suggested() -> None:
    assert refused(load, {**VIT, "decay_epoch": 3}).hint == "did you mean 'decay_epochs'?"


@pytest.mark.parametrize(
    "config",
    [
        {"sched": "cosine", "lr": 0.1, "epochs": 9, "lr_cycle_mul": 2, "lr_cycle_limit": 3},
        {"sched": "wsd", "lr": 0.1, "epochs": 9, "decay_epochs": 0.3, "min_lr": 0.01},
        {"sched": "tanh", "lr": 0.1, "epochs": 9, "warmup_epochs": 2},
        {"sched": "step", "lr": 0.1, "epochs": 9, "decay_epochs": 1.1, "decay_rate": 0.5},
        {"sched": "multistep", "lr": 0.1, "epochs": 9, "decay_milestones": [3, 5]},
        {**WSD, "stable_fn": "power", "stable_power": 0.3, "stable_timescale": 3, "lr_min": 0.1},
        {"cls": "PolyLRScheduler", "lr": 1, "t_initial": 9, "power": 2, "k_decay": 1.5},
    ],
)
def test_any_value_is_refused_or_read(config: dict[str, Any]) -> None:
    assert_survives(load, config, steps_per_epoch=3)
    assert_survives(load, {**config, "sched_on_updates": True}, steps_per_epoch=3)


def test_a_rate_of_the_batch_where_the_command_line_gives_no_base() -> None:
    config = {**VIT, "lr": None, "lr_base": 0.1, "opt": "sgd", "min_lr": 0, "warmup_epochs": 0}
    document = load(config, batch_size=512, steps_per_epoch=10, base=None)
    assert document.bind()(0) == pytest.approx(0.2)
    document = load(config, batch_size=512, steps_per_epoch=10, base=0.3)
    assert document.bind()(0) == pytest.approx(0.3)
    problem = refused(load, config, steps_per_epoch=10, base=None)
    assert (
        problem.hint == "give 'lr' in the configuration, or --batch-size (in Python batch_size=…)"
    )


def test_the_arguments_of_a_class_in_a_part_of_the_configuration() -> None:
    params = {"t_initial": 10, "lr_min": 1e-5, "t_in_epochs": True}
    config = {"lr": 1e-3, "scheduler": params}
    problem = refused(load, config, steps_per_epoch=10)
    assert problem.message == "the arguments of a scheduler's class stand in 'scheduler'"
    facts: dict[str, Any] = {"base": 1e-3, "steps_per_epoch": 10}
    document = load(config, at="scheduler", schedule="CosineLRScheduler", **facts)
    assert document.bind()(100) == 1e-5


@pytest.mark.parametrize("module", ["timm.scheduler", "timm.scheduler.cosine_lr"])
def test_a_class_by_its_target(module: str) -> None:
    arguments = {"t_initial": 90, "warmup_t": 3, "warmup_lr_init": 0.1, "lr": 0.3}
    expected = load({"cls": "CosineLRScheduler", **arguments})
    assert load({"_target_": f"{module}.CosineLRScheduler", **arguments}) == expected
    problem = refused(load, {"_target_": "mine.CosineLRScheduler", **arguments})
    assert problem.message.startswith("unknown class of timm 'mine.CosineLRScheduler'")


def test_a_minimum_that_is_the_rate() -> None:
    args = {"sched": "cosine", "epochs": 90, "lr": 0.3, "min_lr": 0.3, "sched_on_updates": True}
    document = load({**args, "warmup_epochs": 3, "warmup_lr": 0.1}, steps_per_epoch=10)
    assert body(document).endswith("final: 0.3, length: 3 epochs}\n- constant:\n")
    assert document.notes == ()


def test_smaller_rates_of_lower_layers() -> None:
    args = {"sched": "cosine", "epochs": 90, "lr": 0.3, "warmup_epochs": 0}
    says = "layer_decay gives lower layers smaller rates; this is that of the last."
    assert says in load({**args, "layer_decay": 0.65}).notes
    assert says not in load({**args, "layer_decay": None}).notes
