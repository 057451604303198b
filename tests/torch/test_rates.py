"""The rates in the parameter groups are those of the curve, whatever way a step is reached."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from torch.nn import Parameter

from lrspec.binding import as_curves
from lrspec.problems import SpecError
from lrspec_torch import LRScheduler

PRODUCTION: dict[str, Any] = {
    "lrspec": 1,
    "base": "absolute",
    "training": {"steps": 88004},
    "schedule": {
        "piecewise_linear": {
            "boundaries": [0, "45%", "90%", "100%"],
            "values": [1e-5, 4e-3, 1e-5, 1e-6],
        }
    },
}

# Multiples: a warmup of 4 steps, a plateau, a decay to 0.1 at step 20, held from there on.
MULTIPLES: dict[str, Any] = {
    "lrspec": 1,
    "training": {"steps": 20},
    "schedule": [
        {"linear": {"initial": 0, "final": 1, "length": 4}},
        {"constant": None},
        {"linear": {"final": 0.1, "length": "50%"}},
    ],
}


def sgd(*rates: float) -> torch.optim.SGD:
    return torch.optim.SGD([{"params": [Parameter(torch.zeros(1))], "lr": r} for r in rates])


def rates(optimizer: torch.optim.Optimizer) -> list[float]:
    return [group["lr"] for group in optimizer.param_groups]


def test_it_is_a_scheduler_of_torch() -> None:
    optimizer = sgd(1.0)
    scheduler = LRScheduler(optimizer, MULTIPLES)

    assert isinstance(scheduler, torch.optim.lr_scheduler.LRScheduler)
    assert scheduler.optimizer is optimizer
    assert scheduler.last_epoch == 0


def test_the_production_case_is_equal_at_every_step() -> None:
    curve = as_curves(PRODUCTION, {})["lr"]
    optimizer = sgd(1.0, 1.0)
    scheduler = LRScheduler(optimizer, PRODUCTION)
    first, second = optimizer.param_groups
    got = [first["lr"]]
    for _ in range(88004):
        scheduler.step()
        got.append(first["lr"])
        assert second["lr"] == got[-1]

    assert got == [curve(step) for step in range(88005)]
    assert got[0] == 1e-5
    assert got[88004] == 1e-6
    assert max(got) == pytest.approx(4e-3, rel=1e-4)
    assert got.index(max(got)) in (39601, 39602)
    assert scheduler.last_epoch == 88004


def test_groups_keep_their_own_rates() -> None:
    curve = as_curves(MULTIPLES, {})["lr"]
    optimizer = sgd(1e-5, 1e-6, 3.0)
    scheduler = LRScheduler(optimizer, MULTIPLES)
    for step in range(25):
        assert rates(optimizer) == [curve(step) * own for own in (1e-5, 1e-6, 3.0)]
        assert scheduler.get_last_lr() == rates(optimizer)
        scheduler.step()


def test_a_scale_of_layers_is_kept_at_every_step() -> None:
    """Layer decay 0.75 over three layers, as rates of the groups."""
    optimizer = sgd(0.5625, 0.75, 1.0)
    scheduler = LRScheduler(optimizer, MULTIPLES)
    for _ in range(20):
        scheduler.step()
        low, middle, high = rates(optimizer)
        assert (low, middle) == (0.5625 * high, 0.75 * high)


@pytest.mark.parametrize("rate", [0.0, 1e-9, 0.7])
def test_with_a_base_the_rate_of_the_group_does_not_count(rate: float) -> None:
    document = {**MULTIPLES, "base": 3e-4}
    curve = as_curves(document, {})["lr"]
    optimizer = sgd(rate, rate)
    scheduler = LRScheduler(optimizer, document)
    for step in range(25):
        assert rates(optimizer) == [curve(step)] * 2
        scheduler.step()
    assert curve(5) == 3e-4


@pytest.mark.parametrize("document", [{**MULTIPLES, "base": 3e-4}, PRODUCTION])
def test_with_a_base_groups_of_different_rates_are_an_error(document: dict[str, Any]) -> None:
    optimizer = sgd(0.1, 0.1, 0.01)
    with pytest.raises(ValueError, match=r"group 0: 0\.1, group 1: 0\.1, group 2: 0\.01") as caught:
        LRScheduler(optimizer, document)

    assert "leave `base` out of the document" in str(caught.value)
    assert "give the groups the same one" in str(caught.value)
    assert rates(optimizer) == [0.1, 0.1, 0.01]
    assert "initial_lr" not in optimizer.param_groups[0]


def test_the_error_about_many_groups_is_short() -> None:
    with pytest.raises(ValueError, match=r"group 7: 7\.0, 92 more\)"):
        LRScheduler(sgd(*map(float, range(100))), PRODUCTION)


def test_a_base_of_the_host_is_the_rate_of_all_groups() -> None:
    optimizer = sgd(0.1, 0.01)
    LRScheduler(optimizer, MULTIPLES, base=0.5, last_epoch=9)
    assert rates(optimizer) == [0.5, 0.5]

    LRScheduler(optimizer, as_curves(MULTIPLES, {"base": 0.25})["lr"], last_epoch=9)
    assert rates(optimizer) == [0.25, 0.25]


def test_a_base_of_the_host_beside_absolute_is_an_error() -> None:
    with pytest.raises(SpecError, match="absolute"):
        LRScheduler(sgd(0.1), PRODUCTION, base=0.5)


def test_facts_are_those_of_bind() -> None:
    document = {"lrspec": 1, "schedule": {"linear": {"final": 0}}}
    optimizer = sgd(1.0)
    LRScheduler(optimizer, document, steps=10, last_epoch=4)
    assert rates(optimizer) == [0.5]

    with pytest.raises(SpecError, match="steps"):
        LRScheduler(optimizer, document)


def test_facts_beside_a_curve_are_an_error() -> None:
    curve = as_curves(MULTIPLES, {})["lr"]
    LRScheduler(sgd(1.0), curve)
    with pytest.raises(TypeError):
        LRScheduler(sgd(1.0), curve, steps=20)


def test_any_way_to_a_step_gives_the_same_rate() -> None:
    curve = as_curves(MULTIPLES, {})["lr"]
    expected = [curve(step) * 0.3 for step in range(30)]

    optimizer = sgd(0.3)
    driven = LRScheduler(optimizer, MULTIPLES)
    in_order = []
    for _ in range(30):
        in_order += rates(optimizer)
        driven.step()
    assert in_order == expected

    shuffled = list(range(30))
    random.Random(0).shuffle(shuffled)
    for step in shuffled:
        driven.step(step)
        assert rates(optimizer) == [expected[step]]
        assert driven.last_epoch == step

    for step in shuffled:
        optimizer = sgd(0.3)
        assert LRScheduler(optimizer, MULTIPLES, last_epoch=step - 1).last_epoch == step
        assert rates(optimizer) == [expected[step]]


def test_a_step_far_beyond_the_run_is_reached_at_once() -> None:
    optimizer = sgd(1.0)
    LRScheduler(optimizer, MULTIPLES, last_epoch=2**31 - 2)
    assert rates(optimizer) == [0.1]


def test_what_else_writes_to_a_rate_has_no_effect_on_the_next_step() -> None:
    clean, poisoned = sgd(0.3, 0.2), sgd(0.3, 0.2)
    schedulers = LRScheduler(clean, MULTIPLES), LRScheduler(poisoned, MULTIPLES)
    for _ in range(25):
        for group in poisoned.param_groups:
            group["lr"] = float("nan")
            group["initial_lr"] = 77.0
        for scheduler in schedulers:
            scheduler.step()
        assert rates(clean) == rates(poisoned)


def test_asking_for_the_rate_changes_nothing() -> None:
    """Milestones at 3, 6 and 9 with factor 0.1, read five times before each update."""
    document = {
        "lrspec": 1,
        "schedule": {
            "piecewise_constant": {"boundaries": [3, 6, 9], "values": [1, 0.1, 0.01, 0.001]}
        },
    }
    scheduler = LRScheduler(sgd(1.0), document)
    read = []
    for _ in range(10):
        for _ in range(4):
            scheduler.get_last_lr()
            scheduler.get_lr()
        read += scheduler.get_last_lr()
        scheduler.step()
    assert read == [1, 1, 1, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.001]


def test_what_is_returned_is_a_copy() -> None:
    scheduler = LRScheduler(sgd(1.0), MULTIPLES, last_epoch=9)
    scheduler.get_last_lr().clear()
    assert scheduler.get_last_lr() == [1.0]


def test_a_rate_written_as_an_integer_becomes_a_float() -> None:
    optimizer = torch.optim.SGD([Parameter(torch.zeros(1))], lr=2)
    LRScheduler(optimizer, MULTIPLES, last_epoch=9)
    assert rates(optimizer) == [2.0]
    assert type(optimizer.param_groups[0]["lr"]) is float


@pytest.mark.parametrize("rate", [None, "0.1", True, float("nan"), float("inf")])
def test_a_rate_that_is_no_finite_number_is_an_error(rate: object) -> None:
    optimizer = sgd(1.0)
    optimizer.param_groups[0]["lr"] = rate
    with pytest.raises(ValueError, match="parameter group 0 has lr"):
        LRScheduler(optimizer, MULTIPLES)


def test_only_an_optimizer_is_driven() -> None:
    with pytest.raises(TypeError, match=r"Linear is not a torch\.optim\.Optimizer"):
        LRScheduler(torch.nn.Linear(1, 1), MULTIPLES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("last_epoch", "error"),
    [(-2, ValueError), (1.0, TypeError), (True, TypeError), ("3", TypeError)],
)
def test_a_bad_last_epoch_is_named(last_epoch: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"last_epoch.*{last_epoch!r}"):
        LRScheduler(sgd(1.0), MULTIPLES, last_epoch=last_epoch)


@pytest.mark.parametrize(
    ("epoch", "error"), [(-1, ValueError), (0.5, TypeError), (True, TypeError), ("3", TypeError)]
)
def test_a_bad_epoch_is_named_and_moves_nothing(epoch: Any, error: type[Exception]) -> None:
    optimizer = sgd(1.0)
    scheduler = LRScheduler(optimizer, MULTIPLES, last_epoch=1)
    with pytest.raises(error, match=f"epoch.*{epoch!r}"):
        scheduler.step(epoch)
    assert scheduler.last_epoch == 2
    assert rates(optimizer) == [0.5]


KINDS: dict[str, Any] = {
    "constant": {"constant": {"value": 0.5}},
    "linear": {"linear": {"final": 0}},
    "cosine": {"cosine": {"final": 0.1, "exponent": 2}},
    "polynomial": {"polynomial": {"final": 0, "power": 0.5}},
    "geometric": {"geometric": {"final": 1e-3}},
    "inverse": {"inverse": {"final": 1e-3}},
    "exponential": {"exponential": {"rate": 0.5, "every": 10, "staircase": True}},
    "inverse_sqrt": {"inverse_sqrt": {"timescale": 4}},
    "power_law": {"power_law": {"timescale": 4, "exponent": 0.7}},
    "piecewise_linear": {"piecewise_linear": {"boundaries": [0, 9], "values": [1, 0]}},
    "piecewise_constant": {"piecewise_constant": {"boundaries": [9], "values": [1, 0]}},
    "repeat": {"repeat": {"period": 5, "shrink": 0.5, "schedule": {"cosine": {"final": 0}}}},
    "product": {"product": {"of": [{"linear": {"final": 0}}, {"constant": {"value": 0.5}}]}},
    "sum": {"sum": {"of": [{"constant": {"value": 1}}, {"constant": {"value": 0.5}}]}},
    "clamp": {"clamp": {"minimum": 0.5, "schedule": {"linear": {"final": 0}}}},
    "quantize": {"quantize": {"every": 7, "schedule": {"linear": {"final": 0}}}},
    "advance": {"advance": {"by": 3, "schedule": {"linear": {"final": 0}}}},
    "list": [{"linear": {"initial": 0, "final": 1, "length": 3}}, {"cosine": {"final": 0}}],
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_the_same_interface(kind: str) -> None:
    document = {"lrspec": 1, "schedule": KINDS[kind]}
    curve = as_curves(document, {"steps": 40})["lr"]
    optimizer = sgd(0.2)
    scheduler = LRScheduler(optimizer, document, steps=40)
    for step in range(45):
        assert rates(optimizer) == scheduler.get_last_lr() == [curve(step) * 0.2]
        scheduler.step()
    state = scheduler.state_dict()
    scheduler.step(7)
    scheduler.load_state_dict(state)
    assert rates(optimizer) == scheduler.get_last_lr() == [curve(45) * 0.2]
