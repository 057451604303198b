"""litgpt's configurations become documents with the rates of its scripts."""

from __future__ import annotations

from math import cos, pi
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.litgpt import load

TINY_LLAMA = """\
model_name: tiny-llama-1.1b
out_dir: out/pretrain/tiny-llama
data: TinyLlama
train:
  save_interval: 1000
  log_interval: 1
  global_batch_size: 512
  micro_batch_size: 4
  lr_warmup_steps: 2000
  epochs:
  max_tokens: 3000000000000
  max_steps:
  max_seq_length: 2048
  tie_embeddings:
  max_norm: 1.0
  min_lr: 4.0e-05
eval: {interval: 1000, max_iters: 100}
optimizer:
  class_path: torch.optim.AdamW
  init_args: {lr: 4.0e-04, weight_decay: 0.1, betas: [0.9, 0.95]}
devices: 64
seed: 42
"""
LORA = """\
checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf
lora_r: 32
train:
  global_batch_size: 8
  micro_batch_size: 2
  lr_warmup_steps: 10
  epochs: 4
  max_tokens:
  max_steps:
  max_seq_length: 512
  min_lr: 6.0e-05
optimizer:
  class_path: torch.optim.AdamW
  init_args: {lr: 0.0002}
devices: 1
"""


def on_micro_batch(at: int, lr: float, warmup: int, end: int, low: float) -> float:
    """The rate of micro-batch `at`."""
    if at < warmup:
        return lr * at / warmup
    if at > end:
        return low
    return low + (lr - low) * (1 + cos(pi * (at - warmup) / (end - warmup))) / 2


@pytest.mark.parametrize("every", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("warmup", [0, 1, 5, 50])
def test_pretraining_has_its_rates(every: int, warmup: int) -> None:
    config = {
        "learning_rate": 0.3,
        "min_lr": 0.01,
        "lr_warmup_steps": warmup,
        "max_steps": 30,
        "gradient_accumulation_iters": every,
    }
    end = 30 * every
    first = min(end, warmup * every)

    def rate(step: int) -> float:
        return on_micro_batch((step + 1) * every - 1, 0.3, first, end, 0.01)

    # Where the warmup takes the whole run, the library divides by 0 right after it.
    steps = [step for step in range(50) if (step + 1) * every - 1 != end or first != end]
    assert_curve(load(config), rate, steps)


def test_a_file_of_pretraining(tmp_path: Path) -> None:
    path = tmp_path / "tinyllama.yaml"
    path.write_text(TINY_LLAMA, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0004\n"
        "training: {steps: 2861022}\n"
        "schedule:\n"
        "  advance:\n"
        "    by: 0.5 steps\n"
        "    schedule:\n"
        "    - linear: {initial: 0, final: 1, length: 2000}\n"
        "    - cosine: {final: 0.1, length: 2859022.5 steps}\n"
    )
    assert document.notes == (
        "3000000000000 tokens are 5722045 micro-batches, and 2861022 steps.",
        "The rate of an update is that of its last of 2 micro-batches: 1/2 of a step later.",
    )
    assert_curve(
        document,
        lambda s: on_micro_batch(2 * s + 1, 4e-4, 4000, 5722045, 4e-5),
        [0, 1, 1999, 2000, 2001, 1_000_000, 2_861_021],
    )


def test_a_warmup_of_a_share_of_an_epoch() -> None:
    config = {
        "learning_rate": 0.1,
        "min_lr": 0,
        "lr_warmup_fraction": 0.1,
        "max_steps": 30,
        "gradient_accumulation_iters": 3,
    }
    document = load(config, steps_per_epoch=17)
    assert "lr_warmup_fraction 0.1 is 6 micro-batches, rounded up." in document.notes
    assert_curve(document, lambda s: on_micro_batch(3 * s + 2, 0.1, 6, 90, 0), range(30))
    assert refused(load, config).message == "lr_warmup_fraction is a share of an epoch"
    problem = refused(load, {**config, "lr_warmup_steps": 3})
    assert problem.code == "conflicting-fields"


def test_a_file_of_finetuning(tmp_path: Path) -> None:
    path = tmp_path / "lora.yaml"
    path.write_text(LORA, "utf-8")
    document = load(path, steps_per_epoch=25.5)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0002\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- cosine: {final: 0, after: extend}\n"
    )
    assert document.notes == (
        "min_lr is not used in finetuning: the cosine ends at 0.",
        "The run ends at step 100, with its epochs or max_steps.",
        "After its end the cosine climbs again, as it does in litgpt.",
    )

    def rate(step: int) -> float:
        if step < 10:
            return 2e-4 * step / 10
        return 2e-4 * (1 + cos(pi * (step - 10) / 90)) / 2

    assert_curve(document, rate, range(150))


def test_the_length_of_finetuning() -> None:
    config = {"learning_rate": 0.1, "lr_warmup_steps": 2, "epochs": 3}
    assert load({**config, "max_steps": 20}, steps_per_epoch=10).bind().steps == 20
    assert load({**config, "max_steps": 50}, steps_per_epoch=10).bind().steps == 30
    document = load({**config, "max_steps": 20})
    assert document.bind().steps == 20
    says = "Where 3 epochs are less than 20 steps, the cosine ends earlier."
    assert document.notes[0] == says
    assert load(config, steps=40).bind().steps == 40
    assert refused(load, config).message == "the cosine ends with the run"
    problem = refused(load, config, steps=40, steps_per_epoch=10)
    assert problem.message == "steps is 40 here, and 3 epochs of 10 steps end at 30"
    assert refused(load, config, steps_per_epoch=0.5).message == "an epoch has no whole step"


def test_which_script_it_is() -> None:
    config = {"learning_rate": 0.1, "lr_warmup_steps": 2, "max_steps": 20, "min_lr": 0.01}
    assert load(config).origin == "litgpt finetune"
    apart = load({**config, "gradient_accumulation_iters": 1}, schedule="pretrain")
    assert apart.origin == "litgpt pretrain"
    assert refused(load, config, schedule="pretraining").hint == "did you mean 'pretrain'?"


def test_the_defaults() -> None:
    config = {"learning_rate": 0.1, "max_steps": 1000, "gradient_accumulation_iters": 2}
    assert load(config).notes[:2] == (
        "min_lr is not given; it is 6e-05, the default.",
        "lr_warmup_steps is not given; it is 100, the default of TrainArgs.",
    )
    assert load({**config, "lr_warmup_steps": None}).bind()(0) > 0.099
    document = load({"train": {"max_steps": 1000}, "optimizer": "AdamW"})
    assert document.bind().base is None
    assert load({"train": {"max_steps": 1000}, "optimizer": {"lr": 0.5}}).bind().base == 0.5


def pretraining(**change: Any) -> dict[str, Any]:
    train = {
        "global_batch_size": 64,
        "micro_batch_size": 4,
        "max_tokens": 100_000,
        "max_seq_length": 8,
        "lr_warmup_steps": 3,
        "min_lr": 4e-5,
    }
    optimizer = {"init_args": {"lr": 4e-4}}
    return {"devices": 4, "optimizer": optimizer, "train": {**train, **change}}


def test_the_micro_batches_of_a_step() -> None:
    assert_curve(
        load(pretraining()),
        lambda s: on_micro_batch(4 * s + 3, 4e-4, 12, 781, 4e-5),
        range(195),
    )
    assert load(pretraining(), steps=195).bind().steps == 195
    problem = refused(load, pretraining(), steps=9)
    assert problem.message == "steps is 9 here, and 100000 tokens are 195 steps"
    problem = refused(load, {**pretraining(), "devices": "auto"})
    assert problem.message == "the rate depends on the number of devices, and it is not given"
    problem = refused(load, pretraining(max_seq_length=None))
    assert problem.message == "max_tokens is counted in sequences"
    assert load(pretraining(max_seq_length=None), sequence_length=8).bind().steps == 195
    problem = refused(load, pretraining(global_batch_size=8))
    assert problem.message == "a batch of 8 is too small for these devices with 4 at once"
    problem = refused(load, pretraining(max_tokens=10))
    assert problem.message == "10 tokens are less than one micro-batch on each device"
    problem = refused(load, {**pretraining(), "optimizer": "AdamW"})
    assert problem.message == "min_lr is a rate, and lr is not known"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"lr_warmup_steps": 0}, "not-importable", "divides by 0 where it finetunes without"),
        ({"lr_warmup_steps": 20}, "out-of-range", "takes all 20 of the run"),
        ({"lr_warmup_fraction": 0.1}, "not-importable", "fails with lr_warmup_fraction"),
        ({"lr_warmup_step": 3}, "unknown-field", "'lr_warmup_step' is not known here"),
        ({"max_steps": -1}, "out-of-range", "at least 1"),
    ],
)
def test_what_is_refused(change: dict[str, Any], code: str, says: str) -> None:
    config = {"learning_rate": 0.1, "lr_warmup_steps": 2, "max_steps": 20}
    problem = refused(load, {**config, **change})
    assert problem.code == code
    assert says in problem.message


def test_what_is_no_configuration() -> None:
    assert refused(load, {"data": "Alpaca"}).code == "not-a-config"


def test_whatever_is_written() -> None:
    assert_survives(load, pretraining())
    config = {"learning_rate": 0.1, "lr_warmup_steps": 2, "epochs": 2, "max_steps": 20}
    assert_survives(load, config, steps_per_epoch=5)
    share = {"learning_rate": 0.1, "lr_warmup_fraction": 0.3, "max_steps": 20, "min_lr": 0.01}
    assert_survives(load, {**share, "gradient_accumulation_iters": 3}, steps_per_epoch=5)


def test_epochs_without_their_steps() -> None:
    problem = refused(load, {"train": {"lr_warmup_steps": 10, "epochs": 4}})
    assert str(problem.hint).endswith("or --steps-per-epoch, for its epochs")
