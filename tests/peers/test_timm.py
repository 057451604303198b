"""timm: every scheduler, built and stepped, gives what the imported document says."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest
import timm.scheduler
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing
from timm.scheduler import create_scheduler_v2
from timm.scheduler.scheduler_factory import create_scheduler

from lrspec.importers.timm import load

PARITY = settings(max_examples=100, deadline=None)

rates = st.floats(1e-3, 2.0)
lows = st.just(0.0) | st.floats(1e-6, 1e-3)
lengths = st.integers(1, 40)
warmups = st.integers(0, 12)
SHAPES = ["linear", "1-sqrt", "cosine", "power", "exp"]
COMMON = {"warmup_t": warmups, "warmup_lr_init": lows}
CYCLES = {
    "cycle_mul": st.sampled_from([1.0, 1.0, 2.0, 1.5, 0.5, 3.0]),
    "cycle_decay": st.sampled_from([1.0, 0.5, 0.1]) | st.floats(0.2, 1.2),
    "cycle_limit": st.integers(0, 12),
    "warmup_prefix": st.booleans(),
    "lr_min": lows,
}


def args(name: str, required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a class, those with defaults given or not, and the rate."""
    needed = {"cls": st.just(name), "lr": rates, **required}
    return st.fixed_dictionaries(needed, optional={**COMMON, **optional})


COSINE = args("CosineLRScheduler", {"t_initial": lengths}, **CYCLES)
POLY = args("PolyLRScheduler", {"t_initial": lengths}, power=st.floats(0.1, 3), **CYCLES)
FEW = {**CYCLES, "cycle_limit": st.integers(0, 3)}
TANH = args("TanhLRScheduler", {"t_initial": lengths}, lb=st.floats(-8, -1), **FEW)
K_DECAY = args("CosineLRScheduler", {"t_initial": lengths, "k_decay": st.floats(0.5, 3)}, **FEW)
STEP = args(
    "StepLRScheduler",
    {"decay_t": lengths | st.sampled_from([2.4, 1.1, 0.7, 3.3])},
    decay_rate=st.floats(0.1, 1.1) | st.just(1.0),
    warmup_prefix=st.booleans(),
)
MULTISTEP = args(
    "MultiStepLRScheduler",
    {"decay_t": st.lists(st.integers(0, 40) | st.floats(0, 40), max_size=5).map(sorted)},
    decay_rate=st.floats(0, 1.1),
    warmup_prefix=st.booleans(),
)
WSD = args(
    "WSDLRScheduler",
    {"t_initial": lengths, "decay_t": lengths},
    lr_min=lows | st.just(0.5),
    stable_fn=st.sampled_from(["constant", "rsqrt", "power"]),
    stable_timescale=st.floats(0.5, 50),
    stable_power=st.floats(0.1, 2),
    decay_fn=st.sampled_from(SHAPES),
    decay_power=st.floats(0.2, 3),
    decay_ratio=st.floats(0.01, 0.9),
)


def optimizer(rate: float) -> torch.optim.Optimizer:
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=rate)


def values_of_class(config: dict[str, Any], count: int) -> list[float]:
    """The rates of the class itself, which is stepped once for every update."""
    config = dict(config)
    sgd = optimizer(config.pop("lr"))
    made = getattr(timm.scheduler, config.pop("cls"), None) or timm.scheduler.wsd_lr.WSDLRScheduler
    scheduler = made(sgd, t_in_epochs=False, **config)
    found = [sgd.param_groups[0]["lr"]]
    for update in range(1, count):
        scheduler.step_update(update)
        found.append(sgd.param_groups[0]["lr"])
    return found


def count_of(config: dict[str, Any]) -> int:
    """Updates up to a while after the end of the schedule, where timm itself does not fail."""
    length, mul = config.get("t_initial", 60), config.get("cycle_mul", 1)
    count = config.get("cycle_limit", 1)
    cycles = count if mul == 1 else (mul**count - 1) / (mul - 1)
    end = length * cycles + config.get("warmup_t", 0) + 10
    if mul < 1:
        end = min(end, length / (1 - mul))
    return min(int(end), 400)


def starts(config: dict[str, Any]) -> set[float]:
    """Where a cycle begins."""
    length, mul = config["t_initial"], config.get("cycle_mul", 1)
    offset = config.get("warmup_t", 0) if config.get("warmup_prefix") else 0
    return {offset + length * sum(mul**j for j in range(i)) for i in range(40)}


@pytest.mark.parametrize("kind", [COSINE, POLY], ids=["cosine", "poly"])
def test_cycles(kind: Any) -> None:
    @PARITY
    @given(kind)
    def every(config: dict[str, Any]) -> None:
        values = values_of_class(config, count_of(config))
        off = differing(load(config), values)
        # See DEVIATIONS.
        assert {step for step, _, _ in off} <= starts(config)
        assert not off or config["cycle_mul"] != 1

    every()


@pytest.mark.parametrize("kind", [STEP, MULTISTEP], ids=["step", "multistep"])
def test_steps(kind: Any) -> None:
    @PARITY
    @given(kind)
    def every(config: dict[str, Any]) -> None:
        check(load(config), values_of_class(config, 120))

    every()


@PARITY
@given(WSD)
def test_wsd(config: dict[str, Any]) -> None:
    assume(config["decay_t"] <= config["t_initial"])
    if config.get("stable_fn", "constant") != "constant":
        assume(config.get("stable_timescale", config.get("warmup_t", 0)) > 0)
    check(load(config), values_of_class(config, count_of(config)))


@pytest.mark.parametrize("kind", [TANH, K_DECAY], ids=["tanh", "k-decay"])
def test_sampled(kind: Any) -> None:
    @settings(max_examples=50, deadline=None)
    @given(kind)
    def every(config: dict[str, Any]) -> None:
        check(load(config, sample=True), values_of_class(config, count_of(config)))

    every()


SCRIPT = st.fixed_dictionaries(
    {
        "sched": st.sampled_from(
            ["cosine", "poly", "step", "multistep", "wsd", "rsqrt", "constant", "none"]
        ),
        "lr": rates,
        "epochs": st.integers(1, 12),
        "warmup_epochs": st.integers(0, 4),
        "warmup_lr": lows,
        "warmup_prefix": st.booleans(),
        "min_lr": lows,
        "decay_rate": st.floats(0.1, 1),
        "decay_epochs": st.sampled_from([0.2, 0.33, 0.5, 1, 2, 2.4, 1.1, 3.3]),
        "decay_milestones": st.lists(st.integers(0, 12), max_size=3).map(sorted),
        "cooldown_epochs": st.integers(0, 2),
        "lr_cycle_mul": st.sampled_from([1.0, 2.0]),
        "lr_cycle_decay": st.sampled_from([0.1, 0.5]),
        "lr_cycle_limit": st.integers(1, 2),
        "lr_decay_fn": st.sampled_from([None, *SHAPES]),
        "lr_stable_timescale": st.sampled_from([None, 3.0, 0.5]),
        "sched_on_updates": st.booleans(),
        "seed": st.just(42),
    }
)


@settings(max_examples=400, deadline=None)
@given(SCRIPT, st.sampled_from([1, 3, 7]))
def test_script(config: dict[str, Any], per_epoch: int) -> None:
    if config["sched"] in ("wsd", "rsqrt"):
        share, left = config["decay_epochs"], config["epochs"]
        left -= 0 if config["warmup_prefix"] else config["warmup_epochs"]
        factor = per_epoch if config["sched_on_updates"] else 1
        decay = round(share * left * factor if share < 1 else share * factor)
        assume(0 < decay <= left * factor)
        assume(config["sched"] == "wsd" or config["lr_stable_timescale"] or config["warmup_epochs"])
    sgd = optimizer(config["lr"])
    scheduler, epochs = create_scheduler(Namespace(**config), sgd, per_epoch)
    values = values_of_run(scheduler, sgd, epochs + 2, per_epoch)
    document = load(config, steps_per_epoch=per_epoch)
    check(document, values)
    assert document.to_dict()["training"]["steps"] in (
        *(f"{epochs} epochs", f"{epochs} epoch", epochs * per_epoch),
    )


def values_of_run(scheduler: Any, sgd: Any, epochs: int, per_epoch: int) -> list[float]:
    """The rate of every update, with the scheduler called as the training script calls it."""
    found: list[float] = []
    for epoch in range(epochs):
        for _ in range(per_epoch):
            found.append(sgd.param_groups[0]["lr"])
            if scheduler is not None:
                scheduler.step_update(num_updates=len(found))
        if scheduler is not None:
            scheduler.step(epoch + 1)
    return found


def test_factory() -> None:
    arguments = {"sched": "cosine", "num_epochs": 10, "cycle_limit": 2, "min_lr": 1e-3}
    sgd = optimizer(0.1)
    scheduler, epochs = create_scheduler_v2(sgd, **arguments)
    values = values_of_run(scheduler, sgd, epochs, 4)
    check(load({**arguments, "lr": 0.1}, steps_per_epoch=4), values)


# The smallest example, the steps that differ, and why.
DEVIATIONS: list[tuple[dict[str, Any], list[int], str]] = [
    (
        {"cls": "CosineLRScheduler", "lr": 1, "t_initial": 1, "cycle_mul": 3.0, "cycle_limit": 7},
        [121],
        "The logarithm of 243 to the base 3 is 4.999…: the sixth cycle begins one step late.",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviations(config: dict[str, Any], steps: list[int], why: str) -> None:
    document = load(config)
    values = values_of_class(config, 200)
    assert [step for step, _, _ in differing(document, values)] == steps, why
    assert all(values[step] == 0 for step in steps)
    assert any("falls short" in note and str(steps[0]) in note for note in document.notes)
