"""Groups that come late or go, rates that are tensors, and groups that share one."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import Parameter

from lrspec.binding import as_curves
from lrspec_torch import LRScheduler

DECAY: dict[str, Any] = {"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 10}}}


def group(**settings: Any) -> dict[str, Any]:
    return {"params": [Parameter(torch.zeros(1))], **settings}


def rates(optimizer: torch.optim.Optimizer) -> list[float]:
    return [float(each["lr"]) for each in optimizer.param_groups]


def test_a_late_group_is_driven_from_its_first_step_on() -> None:
    optimizer = torch.optim.SGD([group(lr=1.0)])
    scheduler = LRScheduler(optimizer, DECAY)
    for _ in range(4):
        scheduler.step()
    optimizer.add_param_group(group(lr=0.5))
    assert rates(optimizer) == [0.6, 0.5]
    assert scheduler.get_last_lr() == [0.6]

    scheduler.step()
    assert rates(optimizer) == scheduler.get_last_lr() == [0.5, 0.25]
    assert scheduler.base_lrs == [1.0, 0.5]
    optimizer.param_groups[1]["initial_lr"] = 9.0
    scheduler.step()
    assert rates(optimizer) == [0.4, 0.2]


def test_a_late_group_may_bring_its_own_rate_beside_the_present_one() -> None:
    optimizer = torch.optim.SGD([group(lr=1.0)])
    scheduler = LRScheduler(optimizer, DECAY)
    optimizer.add_param_group(group(lr=0.7, initial_lr=0.5))
    scheduler.step(5)
    assert rates(optimizer) == [0.5, 0.25]


def test_a_late_group_of_the_usual_rate_is_driven_by_a_base() -> None:
    optimizer = torch.optim.SGD([group()], lr=0.1)
    scheduler = LRScheduler(optimizer, {**DECAY, "base": 1.0})
    scheduler.step(5)
    optimizer.add_param_group(group())
    scheduler.step()
    assert rates(optimizer) == [0.4, 0.4]


def test_a_late_group_of_another_rate_under_a_base_is_an_error_at_its_first_step() -> None:
    optimizer = torch.optim.SGD([group()], lr=0.1)
    scheduler = LRScheduler(optimizer, {**DECAY, "base": 1.0})
    optimizer.add_param_group(group(lr=0.2))
    with pytest.raises(ValueError, match=r"group 0: 0\.1, group 1: 0\.2"):
        scheduler.step()
    assert scheduler.last_epoch == 0
    assert rates(optimizer) == [1.0, 0.2]


def test_a_late_group_is_met_when_a_state_is_loaded() -> None:
    optimizer = torch.optim.SGD([group(lr=1.0)])
    scheduler = LRScheduler(optimizer, DECAY)
    scheduler.step(4)
    state = scheduler.state_dict()
    scheduler.step(0)
    optimizer.add_param_group(group(lr=0.5))
    scheduler.load_state_dict(state)
    assert rates(optimizer) == [0.6, 0.3]


def test_taking_groups_away_is_an_error_that_says_what_to_do() -> None:
    optimizer = torch.optim.SGD([group(lr=1.0), group(lr=0.5)])
    scheduler = LRScheduler(optimizer, DECAY)
    del optimizer.param_groups[0]
    with pytest.raises(ValueError, match="has 1 parameter groups where there were 2; build a new"):
        scheduler.step()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("shape", [(), (1,)])
def test_a_tensor_is_written_in_place(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    curve = as_curves(DECAY, {})["lr"]
    rate = torch.ones(shape, dtype=dtype)
    optimizer = torch.optim.Adam([group()], lr=rate)
    scheduler = LRScheduler(optimizer, DECAY)
    held = optimizer.param_groups[0]["lr"]
    assert isinstance(held, Tensor)
    pointer = held.data_ptr()
    for step in range(12):
        assert optimizer.param_groups[0]["lr"] is held
        assert (held.dtype, held.shape, held.data_ptr()) == (dtype, shape, pointer)
        assert torch.equal(held, torch.full(shape, curve(step), dtype=dtype))
        assert scheduler.get_last_lr() == [curve(step)]
        scheduler.step()


def test_a_tensor_shared_by_groups_does_not_touch_the_own_rate() -> None:
    """A tensor given as the default of an optimizer is one object in all its groups."""
    document = {
        "lrspec": 1,
        "schedule": [
            {"linear": {"initial": 0.1, "final": 1, "length": 5}},
            {"cosine": {"final": 0, "length": 5}},
        ],
    }
    shared = torch.tensor(1.0)
    optimizer = torch.optim.SGD([group(), group()], lr=shared)
    plain = torch.optim.SGD([group(), group()], lr=1.0)
    schedulers = LRScheduler(optimizer, document), LRScheduler(plain, document)
    seen = []
    for _ in range(12):
        assert optimizer.param_groups[0]["lr"] is optimizer.param_groups[1]["lr"] is shared
        assert rates(optimizer) == pytest.approx(rates(plain), rel=1e-7, abs=1e-12)
        seen.append(rates(plain)[0])
        for scheduler in schedulers:
            scheduler.step()
    assert seen[:8] == pytest.approx([0.1, 0.28, 0.46, 0.64, 0.82, 1, 0.904508, 0.654508], abs=1e-6)


def test_a_late_group_that_shares_a_driven_tensor_has_its_own_rate() -> None:
    optimizer = torch.optim.SGD([group()], lr=torch.tensor(0.5))
    scheduler = LRScheduler(optimizer, DECAY)
    scheduler.step(8)
    optimizer.add_param_group(group())
    scheduler.step(2)
    assert rates(optimizer) == pytest.approx([0.4, 0.4])
    assert scheduler.base_lrs == [0.5, 0.5]


def test_groups_that_share_a_tensor_cannot_have_different_rates() -> None:
    optimizer = torch.optim.SGD([group(), group(initial_lr=0.1)], lr=torch.tensor(1.0))
    with pytest.raises(ValueError, match="groups 0 and 1 share one lr tensor"):
        LRScheduler(optimizer, DECAY)


def test_a_number_beside_a_tensor_is_written_as_each_is() -> None:
    optimizer = torch.optim.SGD(
        [group(lr=torch.tensor(1.0)), group(lr=torch.tensor(0.5)), group(lr=2.0)]
    )
    LRScheduler(optimizer, DECAY, last_epoch=4)
    assert rates(optimizer) == [0.5, 0.25, 1.0]
    assert [type(each["lr"]) for each in optimizer.param_groups] == [Tensor, Tensor, float]


@pytest.mark.parametrize(
    "rate", [torch.tensor(1), torch.tensor([0.1, 0.2]), torch.tensor(float("nan"))]
)
def test_a_tensor_that_cannot_be_a_rate_is_an_error(rate: Tensor) -> None:
    optimizer = torch.optim.SGD([group(lr=1.0)])
    optimizer.param_groups[0]["lr"] = rate
    with pytest.raises(ValueError, match="parameter group 0 has lr tensor"):
        LRScheduler(optimizer, DECAY)


def test_the_own_rate_that_another_scheduler_left_is_used() -> None:
    optimizer = torch.optim.SGD([group(lr=1.0)])
    for _ in range(3):
        assert LRScheduler(optimizer, DECAY, last_epoch=6).base_lrs == [1.0]
    assert rates(optimizer) == pytest.approx([0.3])
    assert torch.optim.lr_scheduler.LambdaLR(optimizer, lambda _: 1.0).base_lrs == [1.0]


def test_with_a_base_that_is_what_one_stands_for() -> None:
    optimizer = torch.optim.SGD([group(), group()], lr=0.1)
    assert LRScheduler(optimizer, {**DECAY, "base": 0.25}).base_lrs == [0.25, 0.25]
