"""Training loops as people write them, and the wrappers of their frameworks."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.nn import Parameter

from lrspec.binding import as_curves
from lrspec_torch import LRScheduler

DECAY: dict[str, Any] = {"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 1000}}}


@pytest.fixture(autouse=True)
def _no_warning() -> Iterator[None]:
    """torch's warnings about the order of calls would be failures here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def sgd(rate: float = 1.0) -> torch.optim.SGD:
    return torch.optim.SGD([Parameter(torch.ones(1))], lr=rate)


def rate(optimizer: torch.optim.Optimizer) -> float:
    return float(optimizer.param_groups[0]["lr"])


def test_the_rates_that_updates_apply() -> None:
    """Under SGD with gradient 1 a parameter loses the rate."""
    curve = as_curves(DECAY, {})["lr"]
    parameter = Parameter(torch.ones(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    scheduler = LRScheduler(optimizer, DECAY)
    for step in range(5):
        before = parameter.item()
        parameter.grad = torch.ones_like(parameter)
        optimizer.step()
        scheduler.step()
        assert before - parameter.item() == pytest.approx(curve(step), rel=1e-12)


def test_updates_that_a_gradient_scaler_skips_do_not_count() -> None:
    parameter = Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    scheduler = LRScheduler(optimizer, DECAY)
    used = []
    for attempt in range(5):
        optimizer.zero_grad()
        scaler.scale((parameter * (float("inf") if attempt < 2 else 1.0)).sum()).backward()  # type: ignore[no-untyped-call]
        scale = scaler.get_scale()
        applied = rate(optimizer)
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() >= scale:
            used.append(applied)
            scheduler.step()
    assert used == [1.0, 0.999, 0.998]
    assert scheduler.last_epoch == 3


@pytest.mark.parametrize("scheduler_first", [True, False])
def test_no_order_of_calls_is_warned_about(scheduler_first: bool) -> None:
    optimizer = sgd()
    scheduler = LRScheduler(optimizer, DECAY)
    for _ in range(3):
        for step in (scheduler.step, optimizer.step)[:: 1 if scheduler_first else -1]:
            step()
    assert scheduler.last_epoch == 3


def test_accumulation_counts_updates() -> None:
    optimizer = sgd()
    scheduler = LRScheduler(optimizer, DECAY)
    seen = []
    for batch in range(16 * 3):
        seen.append(rate(optimizer))
        if (batch + 1) % 16 == 0:
            optimizer.step()
            scheduler.step()
    assert seen == [1.0] * 16 + [0.999] * 16 + [0.998] * 16


class Accelerated:
    """Steps once for each process and not while accumulating, as Accelerate's wrapper does."""

    def __init__(self, scheduler: Any, processes: int) -> None:
        self.scheduler = scheduler
        self.processes = processes
        self.sync = True
        self.skipped = False

    def step(self, *args: Any) -> None:
        if not self.sync:
            self.scheduler._step_count += 1
        elif not self.skipped:
            for _ in range(self.processes):
                self.scheduler.step(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.scheduler, name)


def test_a_wrapper_that_steps_once_for_each_process() -> None:
    optimizer = sgd()
    wrapped = Accelerated(LRScheduler(optimizer, DECAY), processes=4)
    for _ in range(10):
        wrapped.step()
    assert wrapped.scheduler.last_epoch == 40

    wrapped.sync = False
    wrapped.step()
    wrapped.sync, wrapped.skipped = True, True
    wrapped.step()
    assert wrapped.scheduler.last_epoch == 40
    assert wrapped.scheduler._step_count == 41


def test_the_absolute_form_is_immune_to_such_a_wrapper() -> None:
    optimizer = sgd()
    wrapped = Accelerated(LRScheduler(optimizer, DECAY), processes=4)
    for update in range(250):
        optimizer.step()
        wrapped.step(update + 1)
    assert rate(optimizer) == 0.75
    assert wrapped.get_last_lr() == [0.75]
    assert wrapped.state_dict()["last_epoch"] == 250


class Forwarding(torch.optim.Optimizer):
    """Forwards to another and runs no constructor of its base, as Accelerate's wrapper does."""

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self.optimizer = optimizer

    @property
    def param_groups(self) -> list[dict[str, Any]]:  # type: ignore[override]
        return self.optimizer.param_groups

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.optimizer.load_state_dict(state_dict)


class Lookahead(torch.optim.Optimizer):
    """Shares the groups of an optimizer that it hides."""

    def __init__(self, base: torch.optim.Optimizer) -> None:
        self.base = base
        self.param_groups = base.param_groups


def test_an_optimizer_that_forwards() -> None:
    inner = sgd()
    scheduler = LRScheduler(Forwarding(Forwarding(inner)), DECAY)
    state = inner.state_dict()
    scheduler.step(100)
    assert rate(inner) == 0.9
    scheduler.optimizer.load_state_dict(state)
    assert rate(inner) == 0.9


def test_an_optimizer_that_hides_another() -> None:
    inner = sgd()
    scheduler = LRScheduler(Lookahead(inner), DECAY)
    inner.load_state_dict(inner.state_dict())
    scheduler.optimizer.param_groups = inner.param_groups
    scheduler.step(100)
    assert rate(inner) == 0.9


def test_a_trainer_that_treats_it_as_any_scheduler() -> None:
    """What Lightning and transformers ask: the class, the rate as a number, the state, by name."""
    optimizer = sgd()
    config = {"scheduler": LRScheduler(optimizer, DECAY), "interval": "step", "frequency": 1}
    scheduler = config["scheduler"]
    assert isinstance(scheduler, torch.optim.lr_scheduler.LRScheduler)
    logged = []
    for _ in range(3):
        optimizer.step()
        scheduler.step()
        last = scheduler.get_last_lr()[0]
        logged.append(last.item() if torch.is_tensor(last) else last)
    assert logged == [0.999, 0.998, 0.997]
    assert scheduler._last_lr == [0.997]
    assert scheduler.get_lr() == [0.997]

    checkpoint = {"lr_schedulers": [scheduler.state_dict()]}
    restored = LRScheduler(sgd(), DECAY)
    restored.load_state_dict(checkpoint["lr_schedulers"][0])
    assert restored.get_last_lr() == [0.997]


def test_a_step_may_be_given_by_position() -> None:
    optimizer = sgd()
    scheduler = LRScheduler(optimizer, DECAY)
    scheduler.step(epoch=7)
    scheduler.step()
    assert scheduler.last_epoch == 8
    assert rate(optimizer) == 0.992


def test_it_can_be_part_of_a_sequence_of_torch() -> None:
    """Not that one needs it: a list of stages is a sequence."""
    optimizer = sgd()
    warmup = {"lrspec": 1, "schedule": {"linear": {"initial": 0, "final": 1, "length": 4}}}

    def build() -> torch.optim.lr_scheduler.SequentialLR:
        parts = [LRScheduler(optimizer, warmup), LRScheduler(optimizer, DECAY)]
        return torch.optim.lr_scheduler.SequentialLR(optimizer, list(parts), milestones=[4])

    def run(scheduler: torch.optim.lr_scheduler.SequentialLR, updates: int) -> list[float]:
        used = []
        for _ in range(updates):
            used.append(rate(optimizer))
            assert scheduler.get_last_lr() == used[-1:]
            optimizer.step()
            scheduler.step()
        return used

    whole = run(build(), 8)
    assert whole == [0, 0.25, 0.5, 0.75, 1, 0.999, 0.998, 0.997]
    for k in range(8):
        scheduler = build()
        used = run(scheduler, k)
        state, moments = scheduler.state_dict(), optimizer.state_dict()
        scheduler = build()
        scheduler.load_state_dict(state)
        optimizer.load_state_dict(moments)
        assert used + run(scheduler, 8 - k) == whole


def test_a_multiplying_scheduler_may_follow_in_a_chain() -> None:
    optimizer = sgd()
    ours = LRScheduler(optimizer, DECAY)
    halved = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda _: 0.5)
    chain = torch.optim.lr_scheduler.ChainedScheduler([ours, halved], optimizer)
    optimizer.step()
    chain.step()
    assert rate(optimizer) == 0.999 * 0.5
