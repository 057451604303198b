"""TrainingArguments become documents with the rates of transformers.get_scheduler."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, cos, pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.transformers import load

FILE = """\
output_dir: out/sft
model_name_or_path: meta-llama/Llama-3.1-8B
per_device_train_batch_size: 4
gradient_accumulation_steps: 8
learning_rate: 3.0e-4
lr_scheduler_type: warmup_stable_decay
lr_scheduler_kwargs: {num_decay_steps: 2000, decay_type: 1-sqrt, min_lr_ratio: 0.1}
warmup_steps: 0.03          # <1: ratio
max_steps: 20000
eval_steps: 500
save_steps: 500
logging_strategy: steps
optim: adamw_torch
bf16: true
seed: 42
"""


def factor(
    name: str, step: int, warmup: int, total: int, lr: float, given: dict[str, Any]
) -> float:
    """The multiplier of the rate at update `step`."""
    left = max(1, total - warmup)
    progress = (step - warmup) / left
    waves = given.get("num_cycles", 0.5)
    low = given["min_lr"] / lr if "min_lr" in given else given.get("min_lr_rate", 0)
    if name == "constant":
        return 1
    if name == "cosine_warmup_with_min_lr":
        start = given.get("warmup_lr_rate")
        if step < warmup:
            if start is None:
                return (step + 1) / warmup
            return float(start + (1 - start) * step / max(1, warmup - 1))
        down = (1 + cos(2 * pi * waves * (progress + 1 / left))) / 2
        return float(low + (1 - low) * down)
    if name == "warmup_stable_decay":
        return stable(step, warmup, total, given)
    if step < warmup:
        return step / warmup
    match name:
        case "linear":
            return max(0, (total - step) / left)
        case "cosine" | "cosine_with_min_lr":
            return float(low + (1 - low) * (1 + cos(2 * pi * waves * progress)) / 2)
        case "cosine_with_restarts":
            again = given.get("num_cycles", 1) * progress % 1
            return 0 if progress >= 1 else (1 + cos(pi * again)) / 2
        case "polynomial":
            end = given.get("lr_end", 1e-7) / lr
            if step > total:
                return float(end)
            return float(end + (1 - end) * (1 - progress) ** given.get("power", 1))
        case "inverse_sqrt":
            scale = given.get("timescale") or warmup or 10_000
            return float(sqrt(scale / (step + scale - warmup)))
        case _:
            return 1


def stable(step: int, warmup: int, total: int, given: dict[str, Any]) -> float:
    low, decay = given.get("min_lr_ratio", 0), given["num_decay_steps"]
    start = warmup + given.get("num_stable_steps", total - warmup - decay)
    rises: dict[str, Callable[[float], float]] = {
        "linear": lambda p: p,
        "cosine": lambda p: (1 - cos(pi * p)) / 2,
        "1-sqrt": lambda p: 1 - sqrt(1 - p),
    }
    waves = given.get("num_cycles", 0.5)
    falls: dict[str, Callable[[float], float]] = {
        "linear": lambda p: 1 - p,
        "cosine": lambda p: (1 + cos(2 * pi * waves * p)) / 2,
        "1-sqrt": lambda p: 1 - sqrt(p),
    }
    if step < warmup:
        rise = rises[given.get("warmup_type", "linear")]
        return float(low + (1 - low) * rise(step / warmup))
    if step < start:
        return 1
    if step < start + decay:
        fall = falls[given.get("decay_type", "cosine")]
        return float(low + (1 - low) * fall((step - start) / decay))
    return float(low)


KINDS: dict[str, list[dict[str, Any]]] = {
    "linear": [{}],
    "cosine": [{}, {"num_cycles": 1.5}, {"num_cycles": 0}, {"num_cycles": 0.3}],
    "cosine_with_restarts": [{}, {"num_cycles": 4}, {"num_cycles": 2.5}, {"num_cycles": 0}],
    "polynomial": [{}, {"power": 2.0, "lr_end": 0.01}, {"power": 0, "lr_end": 0.01}],
    "constant": [{}],
    "constant_with_warmup": [{}],
    "inverse_sqrt": [{}, {"timescale": 40}],
    "cosine_with_min_lr": [{"min_lr": 0.03}, {"min_lr_rate": 0.2, "num_cycles": 1}],
    "cosine_warmup_with_min_lr": [
        {"min_lr": 0.03},
        {"min_lr_rate": 0.2, "warmup_lr_rate": 0.1},
        {"min_lr_rate": 0.2, "warmup_lr_rate": 0.1, "num_cycles": 0},
    ],
    "warmup_stable_decay": [
        {"num_decay_steps": 12},
        {"num_decay_steps": 12, "warmup_type": "cosine", "decay_type": "linear"},
        {
            "num_decay_steps": 9,
            "warmup_type": "1-sqrt",
            "decay_type": "1-sqrt",
            "min_lr_ratio": 0.1,
        },
        {"num_decay_steps": 9, "num_stable_steps": 5, "min_lr_ratio": 0.1},
        {"num_decay_steps": 9, "num_cycles": 1.5, "min_lr_ratio": 0.1},
        {"num_decay_steps": 9, "num_cycles": 0, "min_lr_ratio": 0.1},
        {"num_decay_steps": 0, "min_lr_ratio": 0.1},
        {"num_decay_steps": 38, "min_lr_ratio": 0.1},
        {"num_decay_steps": 38, "min_lr_ratio": 0.1, "num_cycles": 2},
    ],
}
CASES = [(name, given) for name, several in KINDS.items() for given in several]


@pytest.mark.parametrize(("name", "given"), CASES)
@pytest.mark.parametrize("warmup", [0, 1, 7, 0.29, 45])
def test_every_kind_has_its_rates(name: str, given: dict[str, Any], warmup: float) -> None:
    total, lr = 40, 0.3
    steps = int(warmup) if warmup >= 1 else ceil(total * warmup)
    config = {
        "lr_scheduler_type": name,
        "lr_scheduler_kwargs": given,
        "learning_rate": lr,
        "max_steps": total,
        "warmup_steps": warmup,
    }
    document = load(config)
    assert_curve(document, lambda s: lr * factor(name, s, steps, total, lr, given), range(90))


def test_a_file_of_arguments(tmp_path: Path) -> None:
    path = tmp_path / "sft.yaml"
    path.write_text(FILE, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0003\n"
        "training: {steps: 20000}\n"
        "schedule:\n"
        "- linear: {initial: 0.1, final: 1, length: 600}\n"
        "- constant:\n"
        "- polynomial: {final: 0.1, power: 0.5, origin: initial, length: 2000}\n"
    )
    assert document.origin == "transformers warmup_stable_decay"
    assert document.notes == (
        "warmup_steps 0.03 of 20000 steps is 600, rounded up.",
        "The warmup starts at min_lr_ratio of the rate, 3e-05.",
    )


def test_the_written_documents() -> None:
    common = {"learning_rate": 2e-5, "max_steps": 1000, "warmup_ratio": 0.1}
    assert body(load({**common, "lr_scheduler_type": "cosine"})) == (
        "lrspec: 1\n"
        "base: 2.0e-05\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 100}\n"
        "- cosine: {final: 0, after: extend}\n"
    )
    restarts = {
        "lr_scheduler_type": "cosine_with_restarts",
        "lr_scheduler_kwargs": '{"num_cycles": 3}',
    }
    assert body(load({**common, **restarts})) == (
        "lrspec: 1\n"
        "base: 2.0e-05\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 100}\n"
        "- repeat:\n"
        "    count: 3\n"
        "    schedule:\n"
        "      cosine: {initial: 1, final: 0}\n"
    )
    late = {
        "lr_scheduler_type": "cosine_warmup_with_min_lr",
        "lr_scheduler_kwargs": {"min_lr": 1e-6},
    }
    document = load({**common, **late})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 2.0e-05\n"
        "sample: end\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 100}\n"
        "- cosine: {final: 0.05, after: extend}\n"
    )
    assert "This schedule counts updates from 1: the first is not at 0." in document.notes


def test_stages_that_are_shorter_than_the_run() -> None:
    stages = {"num_stable_steps": 500, "num_decay_steps": 200, "decay_type": "linear"}
    wsd = {"lr_scheduler_type": "warmup_stable_decay", "lr_scheduler_kwargs": stages}
    document = load({**wsd, "learning_rate": 0.5, "max_steps": 1000, "warmup_steps": 100})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.5\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 100}\n"
        "- constant: {length: 500}\n"
        "- linear: {final: 0, length: 200}\n"
        "- constant:\n"
    )
    assert document.notes == ("The stages of 100, 500 and 200 steps are not the 1000 of the run.",)


def test_the_defaults() -> None:
    document = load({"max_steps": 100})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 5.0e-05\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "  linear: {initial: 1, final: 0}\n"
    )
    assert document.notes == (
        "lr_scheduler_type is not given; it is linear, the default.",
        "learning_rate is not given; it is 5e-05, the default.",
    )
    assert load({"max_steps": 100}, base=0.1).bind().base == 0.1
    assert load({"max_steps": 9}, schedule="cosine").origin == "transformers cosine"
    assert refused(load, {"max_steps": 9}, schedule="cosin").hint == "did you mean 'cosine'?"


def test_the_length_of_the_run() -> None:
    cosine = {"lr_scheduler_type": "cosine", "learning_rate": 0.1}
    assert load({**cosine, "max_steps": -1}, steps=30).bind().steps == 30
    document = load({**cosine, "num_train_epochs": 2.5}, steps_per_epoch=11)
    assert document.bind().steps == 28
    assert "2.5 epochs of 11 steps are 28 steps, rounded up." in document.notes
    document = load(cosine, steps_per_epoch=11)
    assert document.bind().steps == 33
    says = "3 epochs (num_train_epochs is not given; the default) of 11 steps are 33 steps"
    assert any(note.startswith(says) for note in document.notes)
    problem = refused(load, {**cosine, "num_train_epochs": 2}, steps=30, steps_per_epoch=10)
    assert problem.message == "steps is 30 here, and 2 epochs of 10 steps are 20 steps"
    assert refused(load, {**cosine, "max_steps": 9}, steps=30).code == "conflicting-fact"
    problem = refused(load, {**cosine, "num_train_epochs": 2})
    assert (problem.code, problem.message) == ("missing-fact", "the schedule ends with the run")
    assert problem.hint == (
        "give 'max_steps' in the configuration, or --steps (in Python steps=…);"
        " or --steps-per-epoch, for its epochs"
    )
    document = load({**cosine, "num_train_epochs": 1}, steps_per_epoch=1)
    assert "1 epoch of 1 step is 1 step." in document.notes
    problem = refused(load, {**cosine, "warmup_ratio": 0.1})
    assert problem.message == "warmup_ratio 0.1 is a share of the run's steps"
    problem = refused(load, {**cosine, "num_train_epochs": 1e200}, steps_per_epoch=10)
    assert problem.code == "out-of-range"


def test_the_warmup() -> None:
    common = {"lr_scheduler_type": "constant_with_warmup", "learning_rate": 1.0, "max_steps": 100}
    curve = load({**common, "warmup_ratio": 0.07}).bind()
    assert (curve(7), curve(8)) == (7 / 8, 1)
    document = load({**common, "warmup_steps": 5, "warmup_ratio": 0.5})
    assert document.bind()(5) == 1
    assert document.notes == ("warmup_ratio is not used, since warmup_steps is given.",)
    document = load({**common, "warmup_steps": 5.7})
    assert document.bind()(5) == 1
    assert document.notes == ("warmup_steps 5.7 is 5, rounded down.",)
    document = load({**common, "lr_scheduler_type": "constant", "warmup_steps": 5})
    assert document.bind()(0) == 1
    assert document.notes == ("constant has no warmup in transformers, whatever is given.",)
    assert load({**common, "max_steps": -1, "warmup_steps": 5}).bind()(5) == 1


def test_arguments_among_others() -> None:
    arguments = {"max_steps": 100, "lr_scheduler_type": "cosine", "learning_rate": 0.1}
    alone = load(arguments)
    assert load({"model": {"name": "x"}, "training_arguments": arguments}) == alone
    assert load({"trainer": {"training_args": arguments}, "seed": 1}) == alone
    assert load({"sft": {"args": arguments}}, at="sft.args") == alone
    problem = refused(load, {"sft": {"model": {"id": 1}, "args": arguments}})
    assert problem.hint == "some stand in sft.args: give --at sft.args"
    problem = refused(load, {"trainer": {"sft": arguments}})
    assert problem.hint == "some stand in trainer.sft: give --at trainer.sft"


SCRIPT = """\
#!/bin/bash
LR=2e-4
deepspeed llava/train/train_mem.py \\
    --lora_enable True --mm_projector_lr 2e-5 \\
    --deepspeed ./scripts/zero3.json \\
    --num_train_epochs 1 \\
    --save_strategy "steps" \\
    --learning_rate $LR \\
    --warmup_ratio 0.03 \\
    --lr_scheduler_type "cosine_with_min_lr" \\
    --lr_scheduler_kwargs '{"min_lr_rate": 0.1}'
"""


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "finetune.sh"
    path.write_text(SCRIPT, "utf-8")
    document = load(path, steps_per_epoch=500)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0002\n"
        "training: {steps: 500}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 15}\n"
        "- cosine: {final: 0.1, after: extend}\n"
    )
    assert document.notes == (
        "1 epoch of 500 steps is 500 steps.",
        "warmup_ratio 0.03 of 500 steps is 15, rounded up.",
        "After its end the cosine climbs again, as it does in transformers.",
        "mm_projector_lr: some parameters may have another rate; this is learning_rate's.",
        "Where ./scripts/zero3.json has a scheduler, DeepSpeed takes that in place of this one.",
    )


def test_a_script_with_two_commands(tmp_path: Path) -> None:
    path = tmp_path / "both.sh"
    command = "python train.py --learning_rate"
    path.write_text(f"{command} 1e-5 --bf16\n{command} 2e-5 --bf16\n", "utf-8")
    problem = refused(load, path)
    assert problem.message == "expected a number, found '1e-05 or 2e-05'"
    assert problem.hint == "it is given several times: leave the command that is meant"


def test_a_scheduler_of_deepspeed_comes_first() -> None:
    arguments = {"max_steps": 100, "learning_rate": 0.1, "lr_scheduler_type": "cosine"}
    alone = load({**arguments, "deepspeed": {"zero_optimization": {"stage": 2}}})
    assert alone == load(arguments)
    problem = refused(load, {**arguments, "deepspeed": {"scheduler": {"type": "WarmupLR"}}})
    assert (problem.code, problem.path) == ("not-importable", "/deepspeed")
    assert problem.hint == "import that: lrspec import deepspeed FILE --at deepspeed"


def test_a_minimum_that_is_the_rate() -> None:
    given = {"lr_scheduler_type": "cosine_with_min_lr", "lr_scheduler_kwargs": {"min_lr": 0.1}}
    document = load({**given, "learning_rate": 0.1, "max_steps": 100, "warmup_steps": 5})
    assert body(document).endswith("- linear: {initial: 0, final: 1, length: 5}\n- constant:\n")
    assert document.notes == ()


def test_numbers_that_are_none_have_a_hint() -> None:
    problem = refused(load, {"max_steps": 100, "warmup_steps": "5%"})
    assert problem.hint == "values are numbers: 0.05"
    problem = refused(load, {"max_steps": 9, "lr_scheduler_kwargs": "{'num_cycles': 2}"})
    assert problem.hint == 'as a text it is JSON: {"num_cycles": 2}'


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"lr_sheduler_type": "cosine"}, "unknown-field", "'lr_sheduler_type' is not known here"),
        ({"warmup_step": 100}, "unknown-field", "'warmup_step' is not known here"),
        ({"lr_scheduler": "cosine"}, "unknown-field", "'lr_scheduler' is not known here"),
        ({"lr_scheduler_type": "cosin"}, "unknown-schedule", "unknown schedule 'cosin'"),
        (
            {"lr_scheduler_type": "reduce_lr_on_plateau"},
            "not-importable",
            "reduce_lr_on_plateau follows a metric of the training",
        ),
        ({"lr_scheduler_type": "greedy"}, "not-importable", "greedy follows a metric"),
        ({"lr_scheduler_kwargs": {"num_cycle": 1}}, "unknown-field", "'num_cycle' is not known"),
        ({"lr_scheduler_kwargs": "num_cycles=1"}, "wrong-type", "expected a mapping"),
        (
            {"lr_scheduler_type": "linear", "lr_scheduler_kwargs": {"power": 2}},
            "unknown-field",
            "power",
        ),
        (
            {"lr_scheduler_type": "cosine_with_min_lr"},
            "missing-field",
            "one of 'min_lr' and 'min_lr_rate' is required",
        ),
        (
            {
                "lr_scheduler_type": "cosine_with_min_lr",
                "lr_scheduler_kwargs": {"min_lr": 0.1, "min_lr_rate": 0.1},
            },
            "conflicting-fields",
            "'min_lr' and 'min_lr_rate' exclude each other",
        ),
        (
            {"lr_scheduler_type": "polynomial", "lr_scheduler_kwargs": {"lr_end": 0.5}},
            "out-of-range",
            "lr_end 0.5 is not below the rate 0.3",
        ),
        (
            {"lr_scheduler_type": "polynomial", "learning_rate": 1e-8},
            "out-of-range",
            "lr_end 1e-07 is not below the rate 1e-08",
        ),
        (
            {"lr_scheduler_type": "polynomial", "warmup_steps": 100},
            "not-importable",
            "divides by 0 where the warmup takes the whole run",
        ),
        ({"lr_scheduler_type": "warmup_stable_decay"}, "missing-field", "num_decay_steps"),
        (
            {
                "lr_scheduler_type": "warmup_stable_decay",
                "lr_scheduler_kwargs": {"num_decay_steps": 5, "decay_type": "exp"},
            },
            "wrong-value",
            "unknown decay_type 'exp'",
        ),
        ({"warmup_steps": -1}, "out-of-range", "at least 0"),
        ({"warmup_ratio": 1.5}, "out-of-range", "at most 1"),
        ({"max_steps": "many"}, "wrong-type", "expected a number"),
        (
            {"optim": "adafactor", "optim_args": "scale_parameter=True, relative_step=True"},
            "not-importable",
            "depends on the size of the parameters",
        ),
        ({"relative_step": True}, "not-importable", "depends on the size of the parameters"),
    ],
)
def test_what_is_refused(change: dict[str, Any], code: str, says: str) -> None:
    config = {"learning_rate": 0.3, "lr_scheduler_type": "cosine", "max_steps": 100, **change}
    problem = refused(load, config)
    assert problem.code == code
    assert says in problem.message


@pytest.mark.parametrize(
    "key",
    [
        *("optimizer", "model_args", "data_args", "chat_template_kwargs", "batching_strategy"),
        *("master_port", "pretraining_dataset", "profiler_warmup_steps", "num_iterations"),
        *("logging_strategy", "save_steps", "max_samples", "oft_target", "optim", "lora_alpha"),
        *("bias_learning_rate", "eval_max_steps"),
    ],
)
def test_other_arguments_are_no_misspellings(key: str) -> None:
    arguments = {"learning_rate": 0.3, "lr_scheduler_type": "cosine", "max_steps": 100}
    assert load({**arguments, key: "x"}) == load(arguments)


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("lr", "learning_rate"),
        ("num_epochs", "num_train_epochs"),
        ("scheduler", "lr_scheduler_type"),
        ("lr_min", "lr_scheduler_kwargs"),
    ],
)
def test_arguments_of_other_trainers(key: str, meant: str) -> None:
    problem = refused(load, {"learning_rate": 0.3, "max_steps": 100, key: 1})
    assert problem.message == f"'{key}' is not known here"
    assert problem.hint == f"did you mean '{meant}'?"


def test_a_misspelling_is_named() -> None:
    problem = refused(load, {"warmup_step": 100, "output_dir": "x"})
    assert problem.hint == "did you mean 'warmup_steps'?"
    problem = refused(load, {"output_dir": "x", "seed": 3})
    assert problem.code == "not-a-config"


@pytest.mark.parametrize(("name", "given"), CASES)
def test_whatever_is_written(name: str, given: dict[str, Any]) -> None:
    config = {
        "lr_scheduler_type": name,
        "lr_scheduler_kwargs": given,
        "learning_rate": 0.3,
        "max_steps": 40,
        "warmup_steps": 7,
    }
    assert_survives(load, config)


def test_whatever_is_written_of_epochs() -> None:
    assert_survives(load, {"num_train_epochs": 3, "warmup_ratio": 0.1}, steps_per_epoch=5)


def test_the_default_of_the_decay_is_told() -> None:
    wsd = {"lr_scheduler_type": "warmup_stable_decay", "max_steps": 100, "learning_rate": 0.1}
    document = load({**wsd, "lr_scheduler_kwargs": {"num_decay_steps": 10}})
    assert document.notes == ("decay_type is left out: transformers takes cosine.",)
