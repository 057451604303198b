"""big_vision's configurations become documents with the rates of its schedules."""

from __future__ import annotations

import bisect
import math
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.big_vision import load


def multiplier(step: int, arguments: dict[str, Any]) -> float:
    """The multiple of config.lr, as big_vision computes it, of durations in steps."""
    total, warmup = arguments["total_steps"], arguments.get("warmup_steps", 0)
    cooldown, value = arguments.get("cooldown_steps", 0), arguments.get("base", 1.0)
    if arguments.get("scale_with_batchsize"):
        value = value * arguments["batch_size"] / 256.0
    progress = min(max((step - warmup) / (total - warmup), 0.0), 1.0)
    match arguments.get("decay_type", "stair"):
        case "linear" | "polynomial":
            end = arguments.get("end", arguments.get("linear_end", 0))
            value = end + (value - end) * (1 - progress) ** arguments.get("power", 1)
        case "cosine":
            value = value * 0.5 * (1 + math.cos(math.pi * progress))
        case "rsqrt":
            shift, scale = arguments.get("shift", 0), arguments.get("timescale", 10_000)
            if "timescale_examples" in arguments:
                scale = arguments["timescale_examples"] / arguments["batch_size"]
            value = value / math.sqrt(1 + (max(step - warmup, 0) + shift) / scale)
        case _:
            index = bisect.bisect_left(arguments.get("steps", []), step + 1)
            value = value * [1.0, *arguments.get("mults", [])][index]
    if warmup:
        value = value * min(1.0, step / warmup)
    if cooldown:
        value = value * min(1.0, (total - step) / cooldown)
    return float(value)


CASES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "linear": {"decay_type": "linear"},
    "linear with an end": {"decay_type": "linear", "warmup_steps": 10, "linear_end": 0.1},
    "polynomial": {"decay_type": "polynomial", "power": 2, "end": 0.01, "base": 0.5},
    "cosine": {"decay_type": "cosine", "warmup_steps": 10},
    "cosine and cooldown": {"decay_type": "cosine", "warmup_steps": 1, "cooldown_steps": 30},
    "rsqrt": {"decay_type": "rsqrt", "warmup_steps": 10, "timescale": 20},
    "rsqrt and cooldown": {"decay_type": "rsqrt", "warmup_steps": 10, "cooldown_steps": 30},
    "rsqrt of examples": {
        "decay_type": "rsqrt",
        "timescale_examples": 100,
        "batch_size": 8,
        "shift": 3,
        "base": 2,
    },
    "stair": {"steps": [30, 60], "mults": [0.1, 0.01], "warmup_steps": 10},
    "stair from the start": {"steps": [0], "mults": [0.1]},
    "warmup, stable, cooldown": {"warmup_steps": 10, "cooldown_steps": 30},
    "cooldown alone": {"cooldown_steps": 30},
    "cooldown from the end of the warmup": {
        "decay_type": "linear",
        "warmup_steps": 10,
        "cooldown_steps": 90,
    },
    "cooldown in the warmup": {"warmup_steps": 50, "cooldown_steps": 80},
    "cooldown longer than the run": {"cooldown_steps": 130, "decay_type": "cosine"},
    "by batch size": {"scale_with_batchsize": True, "batch_size": 1024, "warmup_steps": 99},
    "no rate": {"base": 0},
}


@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)
def test_every_step(arguments: dict[str, Any]) -> None:
    arguments = {"total_steps": 100, **arguments}
    assert_curve(load(arguments), lambda step: multiplier(step, arguments), range(150))


def test_a_whole_configuration(tmp_path: Path) -> None:
    (tmp_path / "vit.yaml").write_text(
        """\
seed: 0
total_epochs: 90
num_classes: 1000
input:
  data: {name: imagenet2012, split: 'train[:99%]'}
  batch_size: 1024
optax_name: scale_by_adam
lr: 0.001
wd: 0.0001
schedule: {warmup_steps: 10000, decay_type: cosine}
""",
        "utf-8",
    )
    document = load(tmp_path / "vit.yaml", steps_per_epoch=1238)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.001\n"
        "training: {steps: 111420}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10000}\n"
        "- cosine: {final: 0}\n"
    )
    assert document.origin == "big_vision decay_type cosine"
    assert document.notes == (
        "total_epochs 90 is 111420 steps.",
        "The first update is at 0, and the warmup ends at the rate after its last step.",
    )


def test_frozen_parameters_and_a_cooldown() -> None:
    schedule = {"decay_type": "rsqrt", "warmup_percent": 0.05, "cooldown_percent": 0.2}
    document = load(
        {
            "lr": 0.001,
            "total_steps": 20_000,
            "schedule": [("img/.*", None), ("txt/.*", schedule)],
            "lr_mults": [("img/.*", 0.1)],
        }
    )
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.001\n"
        "training: {steps: 20000}\n"
        "schedule:\n"
        "  product:\n"
        "    of:\n"
        "    - - linear: {initial: 0, final: 1, length: 1000}\n"
        "      - inverse_sqrt: {timescale: 10000}\n"
        "    - - constant:\n"
        "      - linear: {final: 0, after: extend, length: 4000}\n"
    )
    assert document.notes == (
        "lr_mults multiply the rates of some parameters: the document is without them.",
        "The parameters of 'img/.*' are frozen.",
        "The schedule is that of the parameters of 'txt/.*'.",
        "warmup_percent 0.05 is 1000 steps.",
        "cooldown_percent 0.2 is 4000 steps.",
        "The first update is at 0, and the warmup ends at the rate after its last step.",
        "After step 20000 the cooldown goes on below 0, as it does in big_vision.",
    )


def test_a_constant_between_warmup_and_cooldown_is_what_is_left() -> None:
    document = load({"lr": 0.1, "total_steps": 100, "schedule": CASES["warmup, stable, cooldown"]})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- constant:\n"
        "- linear: {final: 0, after: extend, length: 30}\n"
    )


def test_without_a_rate_it_is_multiples() -> None:
    document = load({"total_steps": 10, "decay_type": "linear"})
    assert body(document) == (
        "lrspec: 1\ntraining: {steps: 10}\nschedule:\n  linear: {initial: 1, final: 0}\n"
    )
    assert document.notes == (
        "The rate, config.lr, is not known here: the document states multiples of it.",
    )
    assert load({"total_steps": 10}, base=0.5).bind()(3) == 0.5


def test_the_rate_is_scaled_with_the_batch_size() -> None:
    config = {"lr": 0.1, "total_steps": 10, "schedule": {"scale_with_batchsize": True, "mult": 2}}
    document = load({**config, "batch_size": 512})
    assert document.bind()(5) == pytest.approx(0.4)
    assert document.notes == ("The rate is scaled with the batch size, times 512/256.",)
    assert load(config, batch_size=128).bind()(5) == pytest.approx(0.1)


def test_of_several_schedules_one_is_chosen() -> None:
    schedules = [("img", {"decay_type": "cosine"}), ("txt", {"decay_type": "linear"})]
    config = {"lr": 1, "total_steps": 10, "schedule": schedules}
    problem = refused(load, config)
    assert (problem.code, str(problem)) == (
        "conflicting-fields",
        "/schedule: there are several schedules, those of 'img' and 'txt'; "
        "give the pattern of one as the schedule",
    )
    assert load(config, schedule="txt").bind()(9) == pytest.approx(0.1)
    problem = refused(load, config, schedule="audio")
    assert (problem.code, problem.message) == (
        "unknown-schedule",
        "unknown pattern 'audio'; known are 'img' and 'txt'",
    )


def test_equal_schedules_are_one() -> None:
    schedules = [["img", {"decay_type": "linear"}], [".*", {"decay_type": "linear"}]]
    document = load({"lr": 1, "total_steps": 10, "schedule": schedules})
    assert document.bind()(9) == pytest.approx(0.1)
    assert not document.notes


def test_what_the_decay_does_not_take_is_said() -> None:
    document = load({"lr": 1, "total_steps": 9, "schedule": {"decay_type": "cosine", "shift": 3}})
    assert document.notes == ("shift is given, and decay_type cosine does not take it.",)


# Durations


@pytest.mark.parametrize(
    ("durations", "facts", "steps", "note"),
    [
        ({"warmup_examples": 1000}, {"batch_size": 100}, 10, "warmup_examples 1000 is 10 steps."),
        (
            {"warmup_examples": 250, "batch_size": 100},
            {},
            2,
            "warmup_examples 250 is 2 steps, rounded half to even, to no less than 1.",
        ),
        (
            {"warmup_epochs": 0.35},
            {"steps_per_epoch": 10},
            4,
            "warmup_epochs 0.35 is 4 steps, rounded half to even, to no less than 1.",
        ),
        (
            {"warmup_epochs": 2, "data_size": 250, "batch_size": 100},
            {},
            5,
            "warmup_epochs 2 is 5 steps.",
        ),
        (
            {"warmup_percent": 0.001},
            {},
            1,
            "warmup_percent 0.001 is 1 steps, rounded half to even, to no less than 1.",
        ),
        ({"warmup_percent": 0}, {}, 0, "warmup_percent 0 is 0 steps."),
        ({"warmup_steps": -1, "warmup_percent": 0.1}, {}, 10, "warmup_percent 0.1 is 10 steps."),
    ],
)
def test_durations(durations: dict[str, Any], facts: dict[str, Any], steps: int, note: str) -> None:
    document = load({"total_steps": 100, **durations}, **facts)
    curve = document.bind()
    assert [curve(step) for step in range(20)] == [
        pytest.approx(min(1, step / steps) if steps else 1) for step in range(20)
    ]
    assert note in document.notes


@pytest.mark.parametrize(
    ("config", "facts", "steps"),
    [
        ({"total_steps": 7}, {}, 7),
        ({}, {"steps": 7}, 7),
        ({"total_steps": 7}, {"steps": 7}, 7),
        ({"total_examples": 70, "batch_size": 10}, {"steps": 7}, 7),
        ({"total_epochs": 3.5, "total_steps": -1}, {"steps_per_epoch": 2}, 7),
    ],
)
def test_the_length_of_the_run(config: dict[str, Any], facts: dict[str, Any], steps: int) -> None:
    assert load({"decay_type": "linear", **config}, **facts).bind().steps == steps


@pytest.mark.parametrize(
    "arguments",
    [
        {"decay_type": "rsqrt", "timescale_examples": 9, "warmup_epochs": 1, "batch_size": 2},
        {"steps": [3], "mults": [0.1], "cooldown_percent": 0.3, "scale_with_batchsize": True},
        {"decay_type": "polynomial", "power": 2, "end": 0.1, "base": 2},
    ],
)
def test_whatever_stands_there(arguments: dict[str, Any]) -> None:
    assert_survives(load, {"total_steps": 30, **arguments}, steps_per_epoch=4)
    whole = {"lr": 0.1, "total_examples": 60, "input": {"batch_size": 2}}
    assert_survives(load, {**whole, "schedule": [["a", None], ["b", {"warmup_percent": 0.1}]]})


def test_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "vit_s16_i1k.py"
    path.write_text(
        """\
import big_vision.configs.common as bvcc
import ml_collections as mlc


def get_config(arg=None):
  arg = bvcc.parse_arg(arg, runlocal=False)
  config = mlc.ConfigDict()
  config.total_epochs = 90
  config.input = dict()
  config.input.batch_size = 1024
  config.lr = 0.001
  config.schedule = dict(warmup_steps=10_000, decay_type='cosine')
  config.evals = get_evals(arg)
  if arg.runlocal:
    config.input.batch_size = 8
  return config
""",
        "utf-8",
    )
    assert body(load(path, steps_per_epoch=1251)) == (
        "lrspec: 1\n"
        "base: 0.001\n"
        "training: {steps: 112590}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10000}\n"
        "- cosine: {final: 0}\n"
    )
    path.write_text("config.lr = 0.1\nconfig.total_steps = f(x)\n", "utf-8")
    problem = refused(load, path)
    assert (problem.code, problem.path) == ("wrong-type", "/total_steps")
