"""A live scheduler of torch becomes the document of its curve, and stays as it was."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from tests.torch.live import refused, sgd, walked
from torch.nn import Parameter
from torch.optim import Optimizer, lr_scheduler
from torch.optim.swa_utils import SWALR

from lrspec.document import Document
from lrspec_torch import LRScheduler, from_scheduler

STEPS = 40


def warmup_then_cosine(optimizer: Optimizer) -> Any:
    warm = lr_scheduler.LinearLR(optimizer, 0.1, total_iters=10)
    rest = lr_scheduler.CosineAnnealingLR(optimizer, 20, eta_min=0.01)
    return lr_scheduler.SequentialLR(optimizer, [warm, rest], [10])


def chained(optimizer: Optimizer) -> Any:
    first = lr_scheduler.ConstantLR(optimizer, 0.5, 4)
    return lr_scheduler.ChainedScheduler([first, lr_scheduler.ExponentialLR(optimizer, 0.9)])


MADE: dict[str, Callable[[Optimizer], Any]] = {
    "StepLR": lambda o: lr_scheduler.StepLR(o, 7, 0.5),
    "MultiStepLR": lambda o: lr_scheduler.MultiStepLR(o, [3, 9, 9], 0.5),
    "ConstantLR": lambda o: lr_scheduler.ConstantLR(o, 0.25, 6),
    "LinearLR": lambda o: lr_scheduler.LinearLR(o, 0.1, 0.9, 12),
    "ExponentialLR": lambda o: lr_scheduler.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda o: lr_scheduler.PolynomialLR(o, 12, 2.0),
    "CosineAnnealingLR": lambda o: lr_scheduler.CosineAnnealingLR(o, 12, 0.01),
    "restarts": lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 5, 2, 0.01),
    "CyclicLR": lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.3, 7, 12, mode="triangular2"),
    "OneCycleLR": lambda o: lr_scheduler.OneCycleLR(o, 0.3, 41, pct_start=0.25, three_phase=True),
    "OneCycleLR, two phases": lambda o: lr_scheduler.OneCycleLR(o, 0.3, 41, div_factor=7.0),
    "SWALR": lambda o: SWALR(o, 0.05, 7, "linear"),
    "SequentialLR": warmup_then_cosine,
    "ChainedScheduler": chained,
}


@pytest.mark.parametrize("at", [0, 5])
@pytest.mark.parametrize("kind", MADE)
def test_every_class_at_any_step(kind: str, at: int) -> None:
    scheduler = MADE[kind](sgd(0.2))
    walked(scheduler, at)
    before = copy.deepcopy(scheduler.state_dict())
    groups = copy.deepcopy(scheduler.optimizer.param_groups)
    curve = from_scheduler(scheduler).bind()
    assert str(scheduler.state_dict()) == str(before)
    assert str(scheduler.optimizer.param_groups) == str(groups)

    (values,) = walked(MADE[kind](sgd(0.2)), STEPS)
    assert [curve(step) for step in range(STEPS + 1)] == pytest.approx(values, rel=1e-9, abs=1e-13)


def test_the_momentum_of_a_cycle_comes_along() -> None:
    document = from_scheduler(MADE["CyclicLR"](sgd(0.2)))
    assert document.names == ("lr", "momentum")
    assert document.bind(name="momentum")(7) == pytest.approx(0.8)


def test_groups_of_several_rates_give_multiples() -> None:
    document = from_scheduler(lr_scheduler.StepLR(sgd(0.2, 0.5), 7, 0.5))
    curve = document.bind()
    assert curve.base is None
    assert [curve(step) for step in (0, 7)] == [1.0, 0.5]


def test_an_absolute_rate_is_no_multiple_for_groups_of_several_rates() -> None:
    problem = refused(MADE["CosineAnnealingLR"](sgd(0.2, 0.5)))
    assert problem.code == "not-importable"
    assert "groups of the optimizer differ in lr" in problem.message


def test_rates_that_are_tensors() -> None:
    optimizer = torch.optim.SGD([Parameter(torch.zeros(1))], lr=torch.tensor(0.25))
    assert from_scheduler(lr_scheduler.StepLR(optimizer, 7, 0.5)).bind()(7) == 0.125


def test_a_scheduler_of_lrspec_gives_its_document() -> None:
    document = {"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 10}}}
    found = from_scheduler(LRScheduler(sgd(0.2), document))
    assert isinstance(found, Document)
    assert found.to_dict() == document


def test_a_lambda_is_refused_and_sampled() -> None:
    scheduler = lr_scheduler.LambdaLR(sgd(0.2), lambda step: 1 / (1 + step))
    walked(scheduler, 3)
    assert "function of the user's" in refused(scheduler).message
    document = from_scheduler(scheduler, sample=True, steps=STEPS)
    curve = document.bind()
    assert [curve(step) for step in (0, 1, 9, STEPS, 99)] == pytest.approx(
        [0.2, 0.1, 0.02, 0.2 / 41, 0.2 / 41], rel=1e-12
    )
    assert "Sampled from a live LambdaLR" in document.to_yaml()
    assert scheduler.last_epoch == 3
    assert scheduler.optimizer.param_groups[0]["lr"] == pytest.approx(0.05)


class Halving(lr_scheduler.LRScheduler):
    """A class of the user's."""

    def get_lr(self) -> list[Any]:
        return [base * 0.5**self.last_epoch for base in self.base_lrs]


def test_a_class_of_the_users_is_refused_and_sampled() -> None:
    scheduler = Halving(sgd(0.2, 0.4))
    assert "Halving is a class of the user's" in refused(scheduler).message
    curve = from_scheduler(scheduler, sample=True, steps=8).bind()
    assert [curve(step) for step in (0, 1, 8)] == [1.0, 0.5, 0.5**8]


def test_members_are_sampled_from_their_start() -> None:
    def made() -> Any:
        optimizer = sgd(0.2)
        warm = lr_scheduler.LinearLR(optimizer, 0.1, total_iters=5)
        rest = lr_scheduler.LambdaLR(optimizer, lambda step: 0.9**step)
        return lr_scheduler.SequentialLR(optimizer, [warm, rest], [5])

    (values,) = walked(made(), STEPS)
    curve = from_scheduler(made(), sample=True, steps=STEPS).bind()
    assert [curve(step) for step in range(STEPS + 1)] == pytest.approx(values, rel=1e-11)
    begun = made()
    walked(begun, 2)
    assert "before its first step" in refused(begun, sample=True, steps=STEPS).message


def test_what_cannot_be_sampled() -> None:
    groups: list[Callable[[int], float]] = [lambda step: 1.0, lambda step: 0.5]
    assert (
        "differ in what"
        in refused(lr_scheduler.LambdaLR(sgd(0.2, 0.2), groups), sample=True, steps=4).message
    )
    assert refused(lr_scheduler.LambdaLR(sgd(0.2), float), sample=True).code == "missing-fact"
    still = lr_scheduler.OneCycleLR(sgd(0.2), 0.0, 10)
    assert "rates of 0" in refused(still).message
    plateau = lr_scheduler.ReduceLROnPlateau(sgd(0.2))
    assert "metric" in refused(plateau, sample=True, steps=4).message


def test_a_function_in_a_cycle_is_refused() -> None:
    scheduler = lr_scheduler.CyclicLR(sgd(0.2), 0.01, 0.3, 7, scale_fn=lambda x: 1 / x)
    problem = refused(scheduler)
    assert problem.code == "not-importable"
    assert problem.message == "the scale_fn of CyclicLR is a function of the user's"
    assert problem.hint is not None and problem.hint.startswith("with sample=True")


def test_what_is_no_scheduler() -> None:
    with pytest.raises(TypeError, match="SGD is no scheduler"):
        from_scheduler(sgd(0.2))
