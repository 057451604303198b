"""One `step()` of the torch scheduler, against the bare assignment and against those of torch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LinearLR, SequentialLR

from benchmarks import schedules
from benchmarks.measuring import Contender, calls, race, ratios
from benchmarks.rows import Missing, Row, Target, at_least, at_most
from lrspec_torch import LRScheduler

# So long that no measurement leaves the curve.
STEPS = 1_000_000_000

# Number of groups -> no more than so many times the bare loop, so many times as fast as LambdaLR.
_FLOATS: dict[int, tuple[Target | None, Target | None]] = {
    1: (at_most(10), at_least(3)),
    10: (None, None),
    100: (at_most(5), at_least(6)),
    1000: (at_most(5), at_least(6)),
}
_TENSORS: dict[int, tuple[Target | None, Target | None]] = {
    1: (None, None),
    10: (at_most(2), None),
    100: (at_most(2), None),
    1000: (at_most(2), None),
}


def measure() -> Iterator[Row | Missing]:
    """All groups with one rate, each with its own, then tensors; the state last."""
    document = {**schedules.production(STEPS)}
    del document["base"]  # multiples of the rates of the groups, as in LambdaLR
    for kind, rate, bare, targets in (
        ("one rate", _one, _assign, _FLOATS),
        ("own rates", _own, _assign, {key: _FLOATS[key] for key in _FLOATS if key > 1}),
        ("tensors", _tensor, _fill, _TENSORS),
    ):
        for groups, (against_bare, against_lambda) in targets.items():
            ours = LRScheduler(_optimizer(groups, rate), document)
            native = LambdaLR(_optimizer(groups, rate), schedules.production_by_hand(STEPS))
            sequential = _sequential(_optimizer(groups, rate))
            for each in (native, sequential):
                each.optimizer.step()  # lest they warn about the order
            step, loop, theirs, joined = race(
                calls(ours.step),
                bare(_optimizer(groups, rate).param_groups),
                calls(native.step),
                calls(sequential.step),
            )
            name = f"{groups:,} group{'s' if groups > 1 else ''}, {kind}:"
            yield Row(f"{name} step() / bare loop", ratios(step, loop), against_bare)
            yield Row(f"{name} LambdaLR / step()", ratios(theirs, step), against_lambda)
            yield Row(f"{name} SequentialLR / step()", ratios(joined, step), against_lambda)

    scheduler = LRScheduler(_optimizer(1000, _own), document)
    state = len(json.dumps(scheduler.state_dict()))
    yield Row("state of 1,000 groups as JSON", (state,), at_most(200), unit="B")


def _sequential(optimizer: torch.optim.Optimizer) -> SequentialLR:
    """A warmup and a cosine as torch composes them; it goes on with the second one."""
    warmup = LinearLR(optimizer, 1e-3, total_iters=1)
    cosine = CosineAnnealingLR(optimizer, STEPS)
    return SequentialLR(optimizer, [warmup, cosine], milestones=[1])


def _one(group: int) -> float:
    return 1.0


def _own(group: int) -> float:
    return 1.0 + group


def _tensor(group: int) -> torch.Tensor:
    return torch.tensor(1.0)


def _optimizer(groups: int, rate: Callable[[int], Any]) -> torch.optim.Optimizer:
    return torch.optim.SGD(
        [
            {"params": [torch.nn.Parameter(torch.zeros(1))], "lr": rate(group)}
            for group in range(groups)
        ]
    )


def _assign(groups: Sequence[dict[str, Any]]) -> Contender:
    def run(times: int) -> None:
        for time in range(times):
            value = float(time)
            for group in groups:
                group["lr"] = value

    return run


def _fill(groups: Sequence[dict[str, Any]]) -> Contender:
    def run(times: int) -> None:
        for time in range(times):
            value = float(time)
            for group in groups:
                group["lr"].fill_(value)

    return run
