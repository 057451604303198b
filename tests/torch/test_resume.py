"""A run that stops and goes on uses the same rates as one that does not stop."""

from __future__ import annotations

import io
import json
from itertools import permutations
from typing import Any

import pytest
import torch
from torch.nn import Parameter

from lrspec.binding import as_curves
from lrspec_torch import LRScheduler

MULTIPLES: dict[str, Any] = {
    "lrspec": 1,
    "schedule": [
        {"linear": {"initial": 0.001, "final": 1, "length": 5}},
        {"cosine": {"final": 0, "length": 45}},
    ],
}
OTHER: dict[str, Any] = {"lrspec": 1, "schedule": {"cosine": {"final": 0, "length": 20}}}
DOCUMENTS = [MULTIPLES, {**MULTIPLES, "base": 0.3}]


def adam(rate: Any = 0.3) -> torch.optim.Adam:
    return torch.optim.Adam([Parameter(torch.ones(1))], lr=rate)


def rate(optimizer: torch.optim.Optimizer) -> float:
    return float(optimizer.param_groups[0]["lr"])


def train(optimizer: torch.optim.Optimizer, scheduler: LRScheduler, updates: int) -> list[float]:
    """The rates that the updates use."""
    used = []
    for _ in range(updates):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = torch.ones_like(parameter)
        used.append(rate(optimizer))
        optimizer.step()
        scheduler.step()
    return used


def saved(state: dict[str, Any]) -> dict[str, Any]:
    """The state after a way through a file that may hold no code."""
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    loaded: dict[str, Any] = torch.load(file, weights_only=True)
    return loaded


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("order", list(permutations(["build", "optimizer", "state"])), ids=" ".join)
def test_building_and_loading_in_any_order_comes_to_the_same(
    order: tuple[str, ...], document: dict[str, Any]
) -> None:
    """A state that is at hand before there is a scheduler says where to build it."""
    optimizer = adam()
    scheduler = LRScheduler(optimizer, document)
    train(optimizer, scheduler, 17)
    moments, state = saved(optimizer.state_dict()), saved(scheduler.state_dict())
    expected = train(optimizer, scheduler, 30)

    optimizer = adam()
    late = order.index("state") > order.index("build")
    for action in order:
        if action == "build":
            last_epoch = -1 if late else state["last_epoch"] - 1
            scheduler = LRScheduler(optimizer, document, last_epoch=last_epoch)
        elif action == "optimizer":
            optimizer.load_state_dict(moments)
        elif late:
            scheduler.load_state_dict(state)
    assert train(optimizer, scheduler, 30) == expected


@pytest.mark.parametrize("document", DOCUMENTS)
def test_loading_the_moments_of_another_step_does_not_move_the_schedule(
    document: dict[str, Any],
) -> None:
    """The optimizer is saved before the scheduler steps, or long before."""
    optimizer = adam()
    scheduler = LRScheduler(optimizer, document)
    moments = saved(optimizer.state_dict())
    train(optimizer, scheduler, 17)
    state = scheduler.state_dict()
    expected = train(optimizer, scheduler, 10)

    for optimizer_last in (True, False):
        optimizer = adam()
        scheduler = LRScheduler(optimizer, document)
        if optimizer_last:
            scheduler.load_state_dict(state)
            optimizer.load_state_dict(moments)
        else:
            optimizer.load_state_dict(moments)
            scheduler.load_state_dict(state)
        assert train(optimizer, scheduler, 10) == expected


def test_the_position_needs_no_optimizer_state() -> None:
    """Weights alone, and k from the trainer's own counter."""
    curve = as_curves(MULTIPLES, {})["lr"]
    for step in range(60):
        optimizer = adam()
        LRScheduler(optimizer, MULTIPLES, last_epoch=step - 1)
        assert rate(optimizer) == curve(step) * 0.3


def test_an_optimizer_state_without_the_keys_of_a_scheduler_is_enough() -> None:
    """Sharded loaders drop keys of the groups that they do not know."""
    optimizer = adam()
    scheduler = LRScheduler(optimizer, MULTIPLES)
    train(optimizer, scheduler, 17)
    moments = optimizer.state_dict()
    del moments["param_groups"][0]["initial_lr"]
    state = scheduler.state_dict()
    expected = train(optimizer, scheduler, 10)

    optimizer = adam()
    scheduler = LRScheduler(optimizer, MULTIPLES)
    scheduler.load_state_dict(state)
    optimizer.load_state_dict(moments)
    assert train(optimizer, scheduler, 10) == expected


def test_a_round_trip_at_every_step() -> None:
    optimizer = adam()
    whole = train(optimizer, LRScheduler(optimizer, MULTIPLES), 50)
    for k in range(50):
        optimizer = adam()
        scheduler = LRScheduler(optimizer, MULTIPLES)
        used = train(optimizer, scheduler, k)
        moments, state = saved(optimizer.state_dict()), saved(scheduler.state_dict())

        optimizer = adam()
        scheduler = LRScheduler(optimizer, MULTIPLES)
        optimizer.load_state_dict(moments)
        scheduler.load_state_dict(state)
        assert used + train(optimizer, scheduler, 50 - k) == whole


def test_the_documented_resume_of_a_linear_decay() -> None:
    document = {"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 10}}}
    optimizer = adam(1e-5)
    scheduler = LRScheduler(optimizer, document)
    train(optimizer, scheduler, 5)
    state = scheduler.state_dict()

    optimizer = adam(1e-5)
    scheduler = LRScheduler(optimizer, document)
    scheduler.load_state_dict(state)
    assert train(optimizer, scheduler, 5) == pytest.approx([5e-6, 4e-6, 3e-6, 2e-6, 1e-6])


def test_resuming_behind_a_warmup_multiplies_nothing() -> None:
    document = {
        "lrspec": 1,
        "schedule": [{"linear": {"initial": 0.001, "final": 1, "length": 100}}, {"constant": None}],
    }
    optimizer = adam(1.0)
    for _ in range(3):
        LRScheduler(optimizer, document, last_epoch=499)
        assert rate(optimizer) == 1.0


def test_the_state_is_small_and_plain() -> None:
    sizes = set()
    for groups, steps in ((1, 100), (1000, 999_900)):
        optimizer = torch.optim.Adam(
            [{"params": [Parameter(torch.zeros(1))]} for _ in range(groups)], lr=0.1
        )
        scheduler = LRScheduler(optimizer, OTHER, last_epoch=steps - 1)
        state = scheduler.state_dict()
        assert state == {"last_epoch": steps, "fingerprint": scheduler.fingerprint}
        assert json.loads(json.dumps(state)) == state
        assert saved(state) == state
        sizes.add(len(json.dumps(state)) - len(str(steps)))
    assert len(sizes) == 1
    assert max(sizes) < 200


def test_the_state_counts_updates_done() -> None:
    optimizer = adam()
    scheduler = LRScheduler(optimizer, OTHER)
    assert scheduler.state_dict()["last_epoch"] == 0
    train(optimizer, scheduler, 101)
    assert scheduler.state_dict()["last_epoch"] == scheduler.last_epoch == 101


def test_loading_leaves_the_state_as_it_was() -> None:
    scheduler = LRScheduler(adam(), OTHER, last_epoch=6)
    state = scheduler.state_dict()
    copy = dict(state)
    scheduler.load_state_dict(state)
    assert state == copy


def test_a_state_of_another_schedule_is_an_error() -> None:
    state = LRScheduler(adam(), MULTIPLES, last_epoch=4).state_dict()
    optimizer = adam()
    scheduler = LRScheduler(optimizer, OTHER)
    with pytest.raises(ValueError, match="another schedule") as caught:
        scheduler.load_state_dict(state)

    assert str(caught.value) == (
        "the state, at step 5, comes from another schedule: it has fingerprint"
        f" {state['fingerprint'][:12]}…, this schedule has fingerprint"
        f" {scheduler.fingerprint[:12]}…; the document, steps or base is another: compare the two"
        " with lrspec diff; with on_mismatch='adopt' the scheduler goes on from step 5 at rate"
        " 0.256066017"  # 0.3 · (1 + cos(π/4)) / 2
    )
    assert scheduler.last_epoch == 0
    assert rate(optimizer) == 0.3


@pytest.mark.parametrize(
    ("document", "rates"),
    [
        (OTHER, (0.3, 0.1)),
        ({"lrspec": 1, "schedules": {"weight_decay": OTHER["schedule"]}}, (0.3, 0.3)),
    ],
)
def test_the_error_names_no_rate_where_there_is_none_for_all(
    document: dict[str, Any], rates: tuple[float, float]
) -> None:
    """Groups of different rates, or a schedule of another hyperparameter."""
    groups = [{"params": [Parameter(torch.ones(1))], "lr": rate} for rate in rates]
    scheduler = LRScheduler(torch.optim.AdamW(groups), document)
    with pytest.raises(ValueError, match="another schedule") as caught:
        scheduler.load_state_dict({"last_epoch": -1, "fingerprint": 5})

    assert "it has fingerprint 5…, this" in str(caught.value)
    assert str(caught.value).endswith("the scheduler goes on from step 0")


@pytest.mark.parametrize("optimizer_last", [False, True])
def test_a_state_of_another_schedule_can_be_adopted(optimizer_last: bool) -> None:
    """A cosine over 10 steps, at step 5, goes on as the one over 20 steps at step 5."""
    ten = {"lrspec": 1, "schedule": {"cosine": {"final": 0, "length": 10}}}
    optimizer = adam(1.0)
    scheduler = LRScheduler(optimizer, ten)
    train(optimizer, scheduler, 5)
    moments, state = optimizer.state_dict(), scheduler.state_dict()

    optimizer = adam(1.0)
    scheduler = LRScheduler(optimizer, OTHER, on_mismatch="adopt")
    if not optimizer_last:
        optimizer.load_state_dict(moments)
    scheduler.load_state_dict(state)
    if optimizer_last:
        optimizer.load_state_dict(moments)
    used = train(optimizer, scheduler, 30)
    assert used[0] == pytest.approx(0.853553, abs=1e-6)
    assert used[15] == 0.0
    assert used == sorted(used, reverse=True)


def test_the_planned_length_of_a_run_may_change_where_nothing_depends_on_it() -> None:
    state = LRScheduler(adam(), OTHER, steps=100, last_epoch=4).state_dict()
    scheduler = LRScheduler(adam(), OTHER, steps=200)
    scheduler.load_state_dict(state)
    assert scheduler.last_epoch == 5


def test_a_state_without_a_position_is_an_error() -> None:
    scheduler = LRScheduler(adam(), OTHER)
    with pytest.raises(ValueError, match=r"\['fingerprint'\], no last_epoch"):
        scheduler.load_state_dict({"fingerprint": scheduler.fingerprint})


@pytest.mark.parametrize(
    ("last_epoch", "error"), [(1.5, TypeError), (None, TypeError), (-2, ValueError)]
)
def test_a_state_with_a_bad_position_is_an_error(last_epoch: Any, error: type[Exception]) -> None:
    scheduler = LRScheduler(adam(), OTHER)
    with pytest.raises(error, match=f"last_epoch.*{last_epoch}"):
        scheduler.load_state_dict({**scheduler.state_dict(), "last_epoch": last_epoch})


def test_the_state_of_a_scheduler_of_torch_is_adopted_when_asked() -> None:
    other = adam()
    theirs = torch.optim.lr_scheduler.ExponentialLR(other, 0.9)
    for _ in range(7):
        other.step()
        theirs.step()
    with pytest.raises(ValueError, match=r"it has no fingerprint, .*; with on_mismatch='adopt' "):
        LRScheduler(adam(), OTHER).load_state_dict(theirs.state_dict())

    scheduler = LRScheduler(adam(), OTHER, on_mismatch="adopt")
    scheduler.load_state_dict(theirs.state_dict())
    assert scheduler.last_epoch == 7


def test_what_to_do_about_another_schedule_is_one_of_two_words() -> None:
    with pytest.raises(ValueError, match="on_mismatch is 'error' or 'adopt', not 'ignore'"):
        LRScheduler(adam(), OTHER, on_mismatch="ignore")  # type: ignore[arg-type]


def test_a_scheduler_built_first_keeps_the_rate_it_was_built_with() -> None:
    """The group's own rate is read once: another one in a checkpoint does not replace it."""
    old = adam(0.3)
    train(old, LRScheduler(old, MULTIPLES), 17)

    optimizer = adam(0.6)
    scheduler = LRScheduler(optimizer, MULTIPLES, last_epoch=16)
    optimizer.load_state_dict(old.state_dict())
    assert rate(optimizer) == 2 * rate(old)
    assert optimizer.param_groups[0]["initial_lr"] == 0.6
    scheduler.step()
    assert rate(optimizer) == as_curves(MULTIPLES, {})["lr"](18) * 0.6


def test_a_scheduler_built_last_finds_the_rate_of_the_checkpoint() -> None:
    old = adam(0.3)
    train(old, LRScheduler(old, MULTIPLES), 17)

    optimizer = adam(0.6)
    optimizer.load_state_dict(old.state_dict())
    LRScheduler(optimizer, MULTIPLES, last_epoch=16)
    assert rate(optimizer) == rate(old)
