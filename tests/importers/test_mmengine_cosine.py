"""CosineAnnealingLR of mmengine around T_max, where it climbs again, and below a warmup."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, refused

from lrspec.importers.mmengine import load

RATE = {"lr": 0.1}
WARMUP = {"type": "LinearLR", "start_factor": 0.001, "by_epoch": False, "begin": 0, "end": 6}
CLIMBS = "after T_max mmengine goes by the rate of the optimizer, not by that before"


@pytest.mark.parametrize("optimizer", [RATE, {}, {"lr": 1.0}])
def test_a_cosine_below_a_warmup_ends_with_the_run(optimizer: dict[str, float]) -> None:
    """It is a factor as far as T_max; then mmengine climbs by lr, whatever the warmup was."""
    cosine = {"type": "CosineAnnealingLR", "by_epoch": False, "T_max": 12}
    lr = optimizer.get("lr", 1.0)

    def rate(step: int) -> float:
        warmup = 0.001 + 0.999 * min(step, 5) / 5
        return lr * warmup * (1 + math.cos(math.pi * step / 12)) / 2

    for config in ([WARMUP, cosine], [cosine, WARMUP]):
        given = {"param_scheduler": config, "optim_wrapper": {"optimizer": optimizer}}
        document = load(given, steps=12)
        assert_curve(document, rate, range(13))
        for far in (13, None):
            problem = refused(load, given, steps=far)
            path = f"/param_scheduler/{config.index(cosine)}/T_max"
            assert (problem.code, problem.path) == ("not-importable", path)
            assert problem.message == CLIMBS


def cosine_by_mmengine(value: float, base: float, low: float, length: int, n: int) -> list[float]:
    """The rates of CosineAnnealingLR, each from the one before it."""
    rates = [value]
    for r in range(1, n):
        if (r - 1 - length) % (2 * length) == 0:
            rates.append(rates[-1] + (base - low) * (1 - math.cos(math.pi / length)) / 2)
        else:
            now, before = (1 + math.cos(math.pi * x / length) for x in (r, r - 1))
            rates.append(now / before * (rates[-1] - low) + low)
    return rates


@pytest.mark.parametrize("by_epoch", [False, True])
@pytest.mark.parametrize(
    ("length", "n"), [(8, 20), (20, 20), (19, 20), (12, 13), (30, 20), (20, None), (7, None)]
)
def test_a_cosine_step_by_step(by_epoch: bool, length: int, n: int | None) -> None:
    """With T_max before its end, at it and after it, and without an end."""
    cosine = {"type": "CosineAnnealingLR", "T_max": length, "eta_min": 0.02, "by_epoch": by_epoch}
    given: dict[str, Any] = cosine if n is None else {**cosine, "end": n}
    document = load([given, RATE], steps=240, steps_per_epoch=3)
    rates = cosine_by_mmengine(0.1, 0.1, 0.02, length, n or 240)
    each = 3 if by_epoch else 1
    assert_curve(document, lambda s: rates[min(s // each, len(rates) - 1)], range(240))


def test_a_cosine_after_a_lower_rate() -> None:
    """As far as T_max; then mmengine climbs by the rate of the optimizer, so the run must end."""
    constant = {"type": "ConstantLR", "factor": 0.5, "by_epoch": False, "end": 1}
    cosine = {"type": "CosineAnnealingLR", "T_max": 10, "by_epoch": False, "begin": 1}
    document = load([constant, cosine, RATE], steps=11)
    rates = [0.05, *cosine_by_mmengine(0.05, 0.1, 0.0, 10, 10)]
    assert_curve(document, lambda s: rates[s], range(11))
    for far in (12, None):
        problem = refused(load, [constant, cosine, RATE], steps=far)
        assert (problem.code, problem.path, problem.message) == (
            "not-importable",
            "/param_scheduler/1/T_max",
            CLIMBS,
        )
