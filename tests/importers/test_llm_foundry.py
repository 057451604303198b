"""LLM Foundry's configurations become documents with the rates they had."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.importers.test_composer import batches
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers import composer, llm_foundry

MPT = """\
max_seq_len: 2048
global_train_batch_size: 256
max_duration: 4800ba
eval_interval: 500ba
scheduler:
  name: cosine_with_warmup
  t_warmup: 100ba
  alpha_f: 0.1
optimizer:
  name: decoupled_adamw
  lr: 6.0e-4
  betas: [0.9, 0.95]
precision: amp_bf16
"""


def inverse(args: dict[str, Any], t: int) -> float:
    """The multiple of LLM Foundry's inverse square root at batch t."""
    start, scale = batches(args["t_warmup"]), batches(args["t_scale"])
    cooldown, low = batches(args["t_cooldown"]), args.get("alpha_f_decay", 0)
    if t < start:
        return t / start
    begin = max(start, batches(args.get("t_max", "1dur")) - cooldown)
    reached = low + (1 - low) / sqrt((min(t, begin) - start + scale) / scale)
    if t < begin or not cooldown:
        return float(reached)
    share = min(1, (t - begin) / cooldown)
    return float(reached + share * (args.get("alpha_f_cooldown", 0) - reached))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"alpha_f_decay": 0.2, "alpha_f_cooldown": 0.1},
        {"t_cooldown": "0ba"},
        {"t_cooldown": "0ba", "t_warmup": "100ba"},
        {"t_warmup": "0ba", "t_max": "110ba"},
        {"t_cooldown": "95ba"},
        {"t_warmup": "100ba"},
    ],
)
def test_the_inverse_square_root_of_llm_foundry(more: dict[str, Any]) -> None:
    args = {"t_warmup": "10ba", "t_scale": "40ba", "t_cooldown": "20ba", **more}
    config = {"name": "inv_sqrt_with_warmup", "max_duration": "100ba", "lr": 0.3, **args}
    assert_curve(llm_foundry.load(config), lambda t: 0.3 * inverse(args, t), range(150))


def test_a_training_yaml(tmp_path: Path) -> None:
    path = tmp_path / "mpt.yaml"
    path.write_text(MPT, "utf-8")
    assert (
        body(llm_foundry.load(path))
        == """\
lrspec: 1
base: 0.0006
training: {steps: 4800}
schedule:
- linear: {initial: 0, final: 1, length: 100}
- cosine: {final: 0.1}
"""
    )


def test_restarts_after_a_warmup() -> None:
    name = "CosineAnnealingWarmRestartsWithWarmupScheduler"
    args = {"t_warmup": "5ba", "t_0": "10ba", "max_duration": "50ba"}
    assert (
        body(llm_foundry.load({"name": name, **args}))
        == """\
lrspec: 1
training: {steps: 50}
schedule:
- linear: {initial: 0, final: 1, length: 5}
- repeat:
    period: 10
    schedule:
      cosine: {initial: 1, final: 0}
"""
    )


def test_what_llm_foundry_refuses() -> None:
    args = {"name": "inv_sqrt_with_warmup", "t_warmup": "1ba", "t_scale": "1ba"}
    args |= {"t_cooldown": "1ba", "max_duration": "9ba"}
    low = refused(llm_foundry.load, {**args, "alpha_f_cooldown": 0.1})
    assert low.message == "alpha_f_decay is not below alpha_f_cooldown"
    units = refused(llm_foundry.load, {**args, "t_scale": "1tok"})
    assert "have different units" in units.message
    assert "known are" in refused(composer.load, args).message


def test_any_value_of_the_inverse_square_root_is_refused_or_read() -> None:
    args = {"t_warmup": "10ba", "t_scale": "40ba", "t_cooldown": "20ba", "alpha_f_decay": 0.1}
    config = {"name": "inv_sqrt_with_warmup", "max_duration": "100ba", "lr": 0.3, **args}
    assert_survives(llm_foundry.load, config)
