"""Other hyperparameters than the rate: momentum, betas, weight decay, and names of one's own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import Parameter

from lrspec.binding import as_curves
from lrspec_torch import LRScheduler

# One cycle: the momentum falls where the rate rises.
CYCLE: dict[str, Any] = {
    "lrspec": 1,
    "base": {"lr": 0.4, "momentum": "absolute"},
    "schedules": {
        "lr": [
            {"linear": {"initial": 0.1, "final": 1, "length": 4}},
            {"linear": {"final": 0, "length": 6}},
        ],
        "momentum": [
            {"linear": {"initial": 0.95, "final": 0.85, "length": 4}},
            {"linear": {"final": 0.95, "length": 6}},
        ],
        "weight_decay": {"linear": {"final": 0, "length": 10}},
    },
}


def group(**settings: Any) -> dict[str, Any]:
    return {"params": [Parameter(torch.zeros(1))], **settings}


def one(name: str, base: Any = None) -> dict[str, Any]:
    document = {
        "lrspec": 1,
        "schedules": {name: {"linear": {"initial": 1, "final": 0, "length": 10}}},
    }
    return document if base is None else {**document, "base": {name: base}}


def test_one_scheduler_drives_every_name() -> None:
    curves = as_curves(CYCLE, {})
    optimizer = torch.optim.SGD(
        [group(weight_decay=0.01), group(weight_decay=0.0)], lr=0.1, momentum=0.9
    )
    scheduler = LRScheduler(optimizer, CYCLE)
    for step in range(12):
        for own, each in zip((0.01, 0.0), optimizer.param_groups, strict=True):
            assert each["lr"] == curves["lr"](step)
            assert each["momentum"] == curves["momentum"](step)
            assert each["weight_decay"] == curves["weight_decay"](step) * own
        assert scheduler.get_last_lr() == [curves["lr"](step)] * 2
        scheduler.step()


def test_momentum_is_the_first_beta_where_there_is_no_momentum() -> None:
    curves = as_curves(CYCLE, {})
    optimizer = torch.optim.AdamW([group()], betas=(0.9, 0.98))
    scheduler = LRScheduler(optimizer, CYCLE)
    second = optimizer.param_groups[0]["betas"][1]
    for step in range(12):
        betas = optimizer.param_groups[0]["betas"]
        assert type(betas) is tuple
        assert betas == (curves["momentum"](step), 0.98)
        assert betas[1] is second
        assert "momentum" not in optimizer.param_groups[0]
        scheduler.step()


def test_multiples_of_the_first_beta() -> None:
    optimizer = torch.optim.AdamW([group(betas=(0.8, 0.99)), group()], betas=(0.9, 0.98))
    scheduler = LRScheduler(optimizer, one("momentum"))
    scheduler.step(5)
    assert [each["betas"] for each in optimizer.param_groups] == [(0.4, 0.99), (0.45, 0.98)]
    assert optimizer.param_groups[0]["initial_momentum"] == 0.8
    scheduler.step(0)
    assert [each["betas"] for each in optimizer.param_groups] == [(0.8, 0.99), (0.9, 0.98)]


def test_a_beta_that_is_a_tensor_is_written_in_place() -> None:
    first = torch.tensor(0.5, dtype=torch.float64)
    optimizer = torch.optim.AdamW([group()], lr=0.1)
    optimizer.param_groups[0]["betas"] = betas = (first, torch.tensor(0.98))
    scheduler = LRScheduler(optimizer, one("momentum"))
    scheduler.step(2)
    assert optimizer.param_groups[0]["betas"] is betas
    assert betas[0] is first
    assert first.item() == 0.4


def test_more_than_two_betas_and_a_list_of_them() -> None:
    optimizer = torch.optim.SGD([group(lr=0.1)])
    for each in optimizer.param_groups:
        del each["momentum"]
        each["betas"] = [0.5, 0.9, 0.99]
    LRScheduler(optimizer, one("momentum"), last_epoch=4)
    assert optimizer.param_groups[0]["betas"] == (0.25, 0.9, 0.99)


def test_what_is_not_scheduled_is_not_touched() -> None:
    optimizer = torch.optim.AdamW([group()], lr=0.1, eps=1e-7)
    each = optimizer.param_groups[0]
    before = {key: value for key, value in each.items() if key != "lr"}
    scheduler = LRScheduler(optimizer, {"lrspec": 1, "schedule": {"constant": None}})
    scheduler.step()
    assert all(each[key] is value for key, value in before.items())
    assert set(each) - set(before) == {"lr", "initial_lr"}


def test_groups_of_different_weight_decay_are_not_made_the_same_silently() -> None:
    optimizer = torch.optim.AdamW([group(weight_decay=0.1), group(weight_decay=0.0)], lr=0.1)
    with pytest.raises(ValueError, match=r"same weight_decay, .*group 0: 0\.1, group 1: 0\.0"):
        LRScheduler(optimizer, one("weight_decay", "absolute"))
    LRScheduler(optimizer, one("weight_decay"), last_epoch=4)
    assert [each["weight_decay"] for each in optimizer.param_groups] == [0.05, 0.0]


def test_a_name_of_ones_own_is_a_key_of_the_groups() -> None:
    optimizer = torch.optim.SGD([group(temperature=2.0), group()], lr=0.1)
    scheduler = LRScheduler(optimizer, one("temperature"))
    scheduler.step(5)
    assert optimizer.param_groups[0]["temperature"] == 1.0
    assert "temperature" not in optimizer.param_groups[1]
    assert "initial_temperature" not in optimizer.param_groups[1]


def test_a_tensor_under_a_name_of_ones_own() -> None:
    decay = torch.tensor(0.5)
    optimizer = torch.optim.SGD([group(temperature=decay)], lr=0.1)
    scheduler = LRScheduler(optimizer, one("temperature"))
    scheduler.step(5)
    assert optimizer.param_groups[0]["temperature"] is decay
    assert decay.item() == 0.25


def test_a_name_that_no_group_has_is_an_error_with_a_suggestion() -> None:
    optimizer = torch.optim.SGD([group()], lr=0.1)
    with pytest.raises(
        ValueError, match=r"no parameter group has 'weigth_decay', .*'weight_decay'\?"
    ):
        LRScheduler(optimizer, one("weigth_decay"))


def test_a_name_that_resembles_nothing_is_an_error_with_what_there_is() -> None:
    optimizer = torch.optim.Adadelta([group()], lr=0.1)
    with pytest.raises(ValueError, match=r"no parameter group has 'momentum'.*; they have eps, lr"):
        LRScheduler(optimizer, one("momentum"))


@pytest.mark.parametrize("name", ["betas", "amsgrad", "foreach"])
def test_a_key_that_is_no_number_is_an_error(name: str) -> None:
    optimizer = torch.optim.AdamW([group()], lr=0.1)
    with pytest.raises(ValueError, match=f"parameter group 0 has {name} .*not a finite number"):
        LRScheduler(optimizer, one(name))


def test_without_a_schedule_of_the_rate_the_groups_say_what_it_is() -> None:
    rate = torch.tensor(0.5)
    optimizer = torch.optim.SGD([group(), group(lr=rate)], lr=0.1)
    scheduler = LRScheduler(optimizer, one("weight_decay"))
    scheduler.step()
    assert scheduler.get_last_lr() == scheduler.base_lrs == [0.1, rate]
    assert scheduler.get_last_lr()[1] is not rate


def test_the_fingerprint_is_over_all_names() -> None:
    def fingerprint(document: dict[str, Any]) -> str:
        optimizer = torch.optim.SGD([group()], lr=0.1, momentum=0.9, weight_decay=0.1)
        return LRScheduler(optimizer, document).fingerprint

    lr, momentum = CYCLE["schedules"]["lr"], CYCLE["schedules"]["momentum"]
    documents = [
        {"lrspec": 1, "schedules": {"lr": lr, "momentum": momentum}},
        {"lrspec": 1, "schedules": {"lr": momentum, "momentum": lr}},
        {"lrspec": 1, "schedules": {"lr": lr, "momentum": lr}},
        {"lrspec": 1, "schedules": {"lr": lr}},
        {"lrspec": 1, "schedules": {"momentum": lr}},
    ]
    assert len({fingerprint(document) for document in documents}) == 5
    turned = {"lrspec": 1, "schedules": {"momentum": momentum, "lr": lr}}
    assert fingerprint(turned) == fingerprint(documents[0])
    alone = {"lrspec": 1, "schedule": lr}
    assert fingerprint(alone) == fingerprint(documents[3]) == as_curves(alone, {})["lr"].fingerprint


def test_every_name_goes_on_after_a_resume() -> None:
    def build(last_epoch: int = -1) -> tuple[torch.optim.Optimizer, LRScheduler]:
        optimizer = torch.optim.AdamW([group()], lr=0.1, betas=(0.9, 0.98), weight_decay=0.3)
        return optimizer, LRScheduler(optimizer, CYCLE, last_epoch=last_epoch)

    def settings(optimizer: torch.optim.Optimizer) -> list[Any]:
        return [optimizer.param_groups[0][key] for key in ("lr", "betas", "weight_decay")]

    first, scheduler = build()
    for _ in range(7):
        first.step()
        scheduler.step()

    second, other = build()
    other.load_state_dict(scheduler.state_dict())
    second.load_state_dict(first.state_dict())
    third, _ = build(6)
    fourth = torch.optim.AdamW([group()])
    fourth.load_state_dict(first.state_dict())
    LRScheduler(fourth, CYCLE).load_state_dict(scheduler.state_dict())
    assert settings(first) == settings(second) == settings(third) == settings(fourth)
    assert isinstance(first.param_groups[0]["lr"], float)
    assert not isinstance(first.param_groups[0]["betas"][0], Tensor)
