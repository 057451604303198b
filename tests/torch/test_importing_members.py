"""Live schedulers of torch with members, several groups and functions, beside their document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tests.torch.live import refused, sgd, walked
from torch.nn import Parameter
from torch.optim import Optimizer, lr_scheduler
from torch.optim.swa_utils import SWALR

from lrspec.curve import Curve
from lrspec_torch import from_scheduler

STEPS = 28

Make = Callable[[Optimizer], Any]


def falling(optimizer: Optimizer) -> Any:
    return lr_scheduler.ExponentialLR(optimizer, 0.9)


def warmup(optimizer: Optimizer) -> Any:
    return lr_scheduler.LinearLR(optimizer, 0.1, total_iters=5)


def one_cycle(optimizer: Optimizer) -> Any:
    return lr_scheduler.OneCycleLR(optimizer, 0.3, 30)


def cyclic(optimizer: Optimizer) -> Any:
    return lr_scheduler.CyclicLR(optimizer, 0.01, 0.3, 7)


def own(optimizer: Optimizer) -> Any:
    return lr_scheduler.LambdaLR(optimizer, lambda step: 0.9**step)


def in_sequence(*makes: Make, milestones: list[int]) -> Make:
    def make(optimizer: Optimizer) -> Any:
        members = [each(optimizer) for each in makes]
        return lr_scheduler.SequentialLR(optimizer, members, milestones)

    return make


def in_chain(*makes: Make) -> Make:
    return lambda optimizer: lr_scheduler.ChainedScheduler([each(optimizer) for each in makes])


def momenta(scheduler: Any, count: int) -> list[float]:
    """The momentum of the first group at the steps from here on."""
    group = scheduler.optimizer.param_groups[0]
    found: list[float] = []
    for _ in range(count + 1):
        found.append(group["betas"][0] if "betas" in group else group["momentum"])
        scheduler.step()
    return found


def values(curve: Curve) -> list[float]:
    return [curve(step) for step in range(STEPS + 1)]


MADE: dict[str, Make] = {
    # What the first one took for the rate of the optimizer is not what it starts at.
    "one cycle, last": in_sequence(falling, one_cycle, milestones=[5]),
    "one cycle, last of three": in_sequence(falling, warmup, one_cycle, milestones=[4, 9]),
    "one cycle, first": in_sequence(one_cycle, falling, milestones=[8]),
    "cycle, last": in_sequence(falling, cyclic, milestones=[8]),
    "cycle, first": in_sequence(cyclic, falling, milestones=[8]),
    "chains": in_chain(falling, in_chain(warmup, falling)),
    "cycle without momentum": lambda optimizer: lr_scheduler.CyclicLR(
        optimizer, 0.01, 0.3, 7, cycle_momentum=False
    ),
    "one cycle without momentum": lambda optimizer: lr_scheduler.OneCycleLR(
        optimizer, 0.3, 30, cycle_momentum=False
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", MADE)
def test_rates_and_momenta(kind: str) -> None:
    make = MADE[kind]
    document = from_scheduler(make(sgd(0.2)))
    (rates,) = walked(make(sgd(0.2)), STEPS)
    assert values(document.bind()) == pytest.approx(rates, rel=1e-9, abs=1e-13)
    expected = momenta(make(sgd(0.2)), STEPS)
    if "momentum" in document.names:
        found = values(document.bind(name="momentum"))
        assert found == pytest.approx(expected, rel=1e-9)
    else:
        assert set(expected) == {0.9}


SAMPLED: dict[str, Make] = {
    "scale_fn": lambda optimizer: lr_scheduler.CyclicLR(
        optimizer, 0.01, 0.3, 7, scale_fn=lambda cycle: 1 / cycle
    ),
    "a function, then a cycle": in_sequence(own, cyclic, milestones=[8]),
    "a function in a chain in a chain": in_chain(falling, in_chain(own, warmup)),
    "a function in a sequence in a chain": in_chain(
        falling, in_sequence(own, warmup, milestones=[4])
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("adam", [False, True])
@pytest.mark.parametrize("kind", SAMPLED)
def test_sampled_rates_and_momenta(kind: str, adam: bool) -> None:
    def made() -> Any:
        optimizer = torch.optim.AdamW([Parameter(torch.zeros(1))], lr=0.2) if adam else sgd(0.2)
        return SAMPLED[kind](optimizer)

    document = from_scheduler(made(), sample=True, steps=STEPS)
    (rates,) = walked(made(), STEPS)
    assert values(document.bind()) == pytest.approx(rates, rel=1e-9, abs=1e-13)
    expected = momenta(made(), STEPS)
    assert ("momentum" in document.names) == (len(set(expected)) > 1)
    if "momentum" in document.names:
        found = values(document.bind(name="momentum"))
        assert found == pytest.approx(expected, rel=1e-9)


def test_a_function_is_sampled_with_members_at_their_start() -> None:
    for make in (SAMPLED["a function in a chain in a chain"], in_chain(own, falling)):
        begun = make(sgd(0.2))
        walked(begun, 2)
        problem = refused(begun, sample=True, steps=STEPS)
        assert problem.message == "a scheduler with members is sampled before its first step"


def test_one_cycle_is_not_sampled_beyond_its_end() -> None:
    make = in_sequence(
        own, lambda optimizer: lr_scheduler.OneCycleLR(optimizer, 0.3, 10), milestones=[5]
    )
    assert from_scheduler(make(sgd(0.2)), sample=True, steps=15).bind().steps == 15
    problem = refused(make(sgd(0.2)), sample=True, steps=16)
    assert problem.code == "not-importable"
    assert problem.message.startswith("torch stops with an error after step 15: Tried to step 11")


def test_groups_that_differ() -> None:
    differ = "the groups of the optimizer differ in lr, "
    members = in_sequence(warmup, one_cycle, milestones=[5])(sgd(0.2, 0.4))
    assert refused(members).message == f"{differ}so there is no one curve"
    assert refused(SWALR(sgd(0.2, 0.4), 0.05)).message == (
        f"{differ}so there is no one curve: SWALR goes from lr to swa_lr"
    )
    problem = refused(own(sgd(0.2, 0.0)), sample=True, steps=4)
    assert problem.message == f"{differ}and there are no multiples of 0"
    problem = refused(lr_scheduler.OneCycleLR(sgd(0.2, 0.4), [0.3, 0.6], 30))
    assert (problem.path, problem.message) == (
        "/max_lr",
        "max_lr differs between parameter groups; a document has one curve",
    )


def test_groups_that_a_member_gives_one_rate() -> None:
    """OneCycleLR is built first: all groups start from its rate, whatever they had."""
    make = in_sequence(one_cycle, falling, milestones=[8])
    document = from_scheduler(make(sgd(0.2, 0.4)))
    for rates in walked(make(sgd(0.2, 0.4)), STEPS):
        assert values(document.bind()) == pytest.approx(rates, rel=1e-9)
