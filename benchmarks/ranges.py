"""A whole curve at once, against calling it at every step and against a scheduler of torch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

from benchmarks import schedules
from benchmarks.measuring import calls, race, ratios
from benchmarks.rows import Missing, Row, at_least
from lrspec.curve import Curve
from lrspec.loading import from_dict

STEPS = 88_004


def measure() -> Iterator[Row | Missing]:
    """Two schedules without torch, one with it."""
    for name, document in (
        ("production", schedules.production(STEPS)),
        ("warmup-cosine", schedules.warmup_cosine(STEPS)),
    ):
        curve = from_dict(document).bind()
        whole, single = race(
            calls(partial(curve.values, 0, STEPS)),
            calls(partial(_one_by_one, curve)),
            rounds=11,
        )
        what = f"{STEPS:,} steps one by one / values(), {name}"
        yield Row(what, ratios(single, whole), at_least(2))

    if find_spec("torch") is None:
        yield Missing("needs torch")
        return
    curve = from_dict(schedules.production(STEPS)).bind()
    whole, torch_loop = race(
        calls(partial(curve.values, 0, STEPS)), calls(partial(_torch_loop, STEPS)), rounds=7
    )
    what = f"{STEPS:,} steps of LambdaLR / values(), production"
    yield Row(what, ratios(torch_loop, whole), at_least(20))


def _one_by_one(curve: Curve) -> list[float]:
    return [curve(step) for step in range(STEPS)]


def _torch_loop(steps: int) -> list[float]:
    import torch

    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    rate = schedules.production_by_hand(steps)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    optimizer.step()
    rates: list[float] = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        scheduler.step()
    return rates
