"""Copies, pickles, and what is freed when nobody holds it any more."""

from __future__ import annotations

import copy
import gc
import io
import pickle
from typing import Any
from weakref import ref

import pytest
import torch
from torch.nn import Parameter

from lrspec_torch import LRScheduler

DECAY: dict[str, Any] = {"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 10}}}


def through_torch(scheduler: LRScheduler) -> LRScheduler:
    file = io.BytesIO()
    torch.save(scheduler, file)
    file.seek(0)
    loaded: LRScheduler = torch.load(file, weights_only=False)
    return loaded


def through_pickle(scheduler: LRScheduler) -> LRScheduler:
    loaded: LRScheduler = pickle.loads(pickle.dumps(scheduler))
    return loaded


@pytest.mark.parametrize("duplicate", [copy.deepcopy, through_pickle, through_torch])
@pytest.mark.parametrize("kind", [float, torch.tensor])
def test_a_copy_goes_on_by_itself_with_its_own_optimizer(duplicate: Any, kind: Any) -> None:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=kind(0.5))
    scheduler = LRScheduler(optimizer, DECAY, last_epoch=2)
    moments = optimizer.state_dict()
    other: LRScheduler = duplicate(scheduler)

    assert other.optimizer is not optimizer
    assert other.last_epoch == 3
    assert other.state_dict() == scheduler.state_dict()
    other.step()
    assert [group["lr"] for group in other.optimizer.param_groups] == other.get_last_lr()
    assert other.get_last_lr() == [0.5 * 0.6]
    assert [group["lr"] for group in optimizer.param_groups] == pytest.approx([0.5 * 0.7])

    # The copy's optimizer tells it about a state that it loads.
    other.optimizer.load_state_dict(moments)
    assert [group["lr"] for group in other.optimizer.param_groups] == other.get_last_lr()
    assert scheduler.last_epoch == 3


@pytest.mark.parametrize("drive", [True, False])
def test_nothing_keeps_the_model_alive(drive: bool) -> None:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = LRScheduler(optimizer, DECAY)
    if drive:
        optimizer.step()
        scheduler.step()
        optimizer.load_state_dict(optimizer.state_dict())
        scheduler.load_state_dict(scheduler.state_dict())
    watched = ref(model), ref(model.weight), ref(optimizer), ref(scheduler)
    gc.collect()
    gc.disable()
    try:
        del model, optimizer, scheduler
        assert [each() for each in watched] == [None] * 4
    finally:
        gc.enable()


def test_an_optimizer_outlives_its_schedulers() -> None:
    """Each of them is freed and leaves no hook behind."""
    optimizer = torch.optim.SGD([Parameter(torch.zeros(1))], lr=0.1)
    for _ in range(3):
        LRScheduler(optimizer, DECAY)
    assert len(optimizer._optimizer_load_state_dict_post_hooks) == 0

    kept = LRScheduler(optimizer, DECAY)
    assert len(optimizer._optimizer_load_state_dict_post_hooks) == 1
    watched = ref(kept)
    del kept
    assert watched() is None
    optimizer.load_state_dict(optimizer.state_dict())


def test_nothing_of_the_optimizer_is_replaced() -> None:
    optimizer = torch.optim.SGD([Parameter(torch.zeros(1))], lr=0.1)
    before = dict(vars(optimizer))
    scheduler = LRScheduler(optimizer, DECAY)
    scheduler.step()
    assert vars(optimizer) == before
    assert "step" not in vars(optimizer)
    assert not hasattr(optimizer.step, "_wrapped_by_lr_sched")


def test_the_scheduler_holds_nothing_that_grows() -> None:
    optimizer = torch.optim.SGD([Parameter(torch.zeros(1))], lr=0.1)
    scheduler = LRScheduler(optimizer, DECAY)
    size = len(pickle.dumps(scheduler))
    for _ in range(1000):
        scheduler.step()
    assert abs(len(pickle.dumps(scheduler)) - size) < 100
