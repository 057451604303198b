"""Configurations of legacy OLMo become documents with the rates of its schedulers."""

from __future__ import annotations

from math import cos, pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, body, refused

from lrspec.importers.olmo_core import load

LEGACY = """\
run_name: OLMo2-7B
optimizer: {name: adamw, learning_rate: 3.0e-4, weight_decay: 0.1}
scheduler:
  name: cosine_with_warmup
  units: tokens
  t_warmup: 8388608000
  t_max: 5e12
  alpha_f: 0.1
  warmup_min_lr: 0.0
max_duration: 1ep
global_train_batch_size: 1024
"""


def test_a_legacy_yaml(tmp_path: Path) -> None:
    path = tmp_path / "olmo2.yaml"
    path.write_text(LEGACY, "utf-8")
    document = load(path)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.0003
sample: end
axis: tokens
schedule:
- linear: {initial: 0, final: 1, length: 8388608000 tokens}
- cosine: {final: 0.1, length: 4991611392000 tokens}
"""
    )
    curve = document.bind(batch_size=1024, sequence_length=4096)
    x = 1001 * 1024 * 4096
    assert curve(1000) == pytest.approx(3e-4 * x / 8388608000, rel=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        *("constant", "constant_with_warmup", "linear_with_warmup", "cosine_with_warmup"),
        *("inverse_sqrt_with_warmup", "cosine_linear_envelope", "max_scheduler"),
    ],
)
def test_every_legacy_scheduler(name: str) -> None:
    def value(step: int) -> Any:
        x = step + 1
        if name == "constant":
            return 0.3
        if x < 10:
            return 0.03 + 0.27 * x / 10
        p = min((x - 10) / 70, 1)
        falling = 0.06 + 0.24 * (1 + cos(pi * p)) / 2
        return {
            "constant_with_warmup": 0.3,
            "linear_with_warmup": 0.3 - 0.24 * p,
            "cosine_with_warmup": falling,
            "inverse_sqrt_with_warmup": 0.3 * sqrt(10 / x),
            "cosine_linear_envelope": 0.06 + (1 - p) * (falling - 0.06),
            "max_scheduler": max(falling, 0.3 * sqrt(10 / x)),
        }[name]

    config = {
        "optimizer": {"learning_rate": 0.3},
        "scheduler": {"name": name, "t_warmup": 10, "t_max": 80, "alpha_f": 0.2},
        "max_duration": 100,
    }
    if name == "max_scheduler":
        assert "the larger of two curves" in refused(load, config).message
    assert_curve(load(config, sample=True), value, range(100))
