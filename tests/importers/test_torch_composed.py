"""SequentialLR and ChainedScheduler of torch: what follows, what multiplies, what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, refused

from lrspec.importers.torch import load

Config = dict[str, Any]

WARMUP: Config = {"cls": "LinearLR", "start_factor": 0.1, "total_iters": 5}
FALLING: Config = {"cls": "ExponentialLR", "gamma": 0.9}
STEPS: Config = {"cls": "StepLR", "step_size": 7, "gamma": 0.5}
COSINE: Config = {"cls": "CosineAnnealingLR", "T_max": 12}
RESTARTS: Config = {"cls": "CosineAnnealingWarmRestarts", "T_0": 8, "eta_min": 0.02}
ONE_CYCLE: Config = {"cls": "OneCycleLR", "max_lr": 0.5, "total_steps": 20}
CYCLIC: Config = {"cls": "CyclicLR", "base_lr": 0.1, "max_lr": 0.5}


def sequence(*members: Config, milestones: list[int], **beside: Any) -> Config:
    return {"cls": "SequentialLR", "schedulers": [*members], "milestones": milestones, **beside}


def chain(*members: Config, **beside: Any) -> Config:
    return {"cls": "ChainedScheduler", "schedulers": [*members], **beside}


def half_cosine(high: float, low: float, share: float) -> float:
    return low + (high - low) * (1 + math.cos(math.pi * share)) / 2


def one_cycle(step: int) -> float:
    """Of 20 steps: 0.02 → 0.5 up to step 0.3·20 − 1, then down to 0.02 / 10⁴ at step 19."""
    if step <= 5:
        return half_cosine(0.02, 0.5, step / 5)
    return half_cosine(0.5, 0.02 / 1e4, (step - 5) / 14)


# SequentialLR


@pytest.mark.parametrize("final", [0.05, 0.3])
@pytest.mark.parametrize("strategy", ["linear", "cos"])
def test_swalr_goes_on_from_the_last_rate_before_it(strategy: str, final: float) -> None:
    swa = {"cls": "SWALR", "swa_lr": final, "anneal_epochs": 10, "anneal_strategy": strategy}
    document = load(sequence(FALLING, swa, milestones=[6], lr=0.3))

    def rate(step: int) -> float:
        if step < 6:
            return 0.3 * math.pow(0.9, step)
        left, passed = 0.3 * math.pow(0.9, 5), min((step - 6) / 10, 1)
        if strategy == "cos":
            return half_cosine(left, final, passed)
        return left + (final - left) * passed

    assert_curve(document, rate, range(30))


def test_swalr_without_epochs_to_anneal_sets_its_rate() -> None:
    swa = {"cls": "SWALR", "swa_lr": 0.05, "anneal_epochs": 0}
    assert_curve(load({**swa, "lr": 0.3}), lambda s: 0.05, range(9))
    document = load(sequence(FALLING, swa, milestones=[6], lr=0.3))
    assert_curve(document, lambda s: 0.3 * math.pow(0.9, s) if s < 6 else 0.05, range(20))


@pytest.mark.parametrize("lr", [0.3, None])
def test_constantlr_without_steps_leaves_the_rate_where_it_is_entered(lr: float | None) -> None:
    """Its closed form at step 0 is already past the factor; at the start of a run it is not."""
    held = {"cls": "ConstantLR", "factor": 0.5, "total_iters": 0}
    beside = {} if lr is None else {"lr": lr}
    base = 1 if lr is None else lr
    entered = load(sequence(FALLING, held, milestones=[4], **beside))
    assert_curve(entered, lambda s: base * (math.pow(0.9, s) if s < 4 else 1), range(20))
    assert_curve(load({**held, **beside}), lambda s: base * 0.5, range(20))


def test_stages_of_no_length_are_left_out() -> None:
    document = load(sequence(FALLING, WARMUP, STEPS, milestones=[6, 6], lr=0.3))

    def rate(step: int) -> float:
        return 0.3 * (math.pow(0.9, step) if step < 6 else math.pow(0.5, (step - 6) // 7))

    assert_curve(document, rate, range(40))
    assert_curve(
        load(sequence(FALLING, STEPS, milestones=[0], lr=0.3)),
        lambda s: 0.3 * math.pow(0.5, s // 7),
        range(40),
    )


def test_one_cycle_built_last_changes_the_start_of_the_first() -> None:
    """OneCycleLR gives the optimizer max_lr/25, from which the first one multiplies."""
    document = load(sequence(FALLING, ONE_CYCLE, milestones=[4], lr=0.3))

    def rate(step: int) -> float:
        return 0.02 * math.pow(0.9, step) if step < 4 else one_cycle(step - 4)

    assert_curve(document, rate, range(24))


def test_what_a_member_took_for_the_rate_of_the_optimizer() -> None:
    """A live scheduler keeps it: what was built before OneCycleLR has the rate before it, but it
    starts at that after it where it is first."""
    given = sequence({**FALLING, "lr": 0.3}, {**WARMUP, "lr": 0.3}, ONE_CYCLE, milestones=[4, 9])
    document = load({**given, "lr": 0.02})

    def rate(step: int) -> float:
        if step < 4:
            return 0.02 * math.pow(0.9, step)
        return 0.3 * (0.1 + 0.9 * (step - 4) / 5) if step < 9 else one_cycle(step - 9)

    assert_curve(document, rate, range(29))


# ChainedScheduler


def test_a_chain_of_one() -> None:
    assert_curve(load(chain(FALLING, lr=0.3)), lambda s: 0.3 * math.pow(0.9, s), range(20))


@pytest.mark.parametrize(
    "members", [[COSINE, FALLING], [FALLING, COSINE], [chain(COSINE), FALLING]]
)
def test_a_cosine_in_a_chain_stays_at_its_end(members: list[Config]) -> None:
    document = load(chain(*members, lr=0.3))
    assert (
        "After step 12 torch climbs back without the factors that have passed; the document stays"
        " at 0."
    ) in document.notes

    def rate(step: int) -> float:
        return 0.3 * math.pow(0.9, step) * half_cosine(1, 0, min(step, 12) / 12)

    assert_curve(document, rate, range(30))


def test_chains_in_a_chain_multiply() -> None:
    document = load(chain(WARMUP, chain(FALLING, STEPS), lr=0.3))

    def rate(step: int) -> float:
        warmup = 0.1 + 0.9 * min(step, 5) / 5
        return 0.3 * warmup * math.pow(0.9, step) * math.pow(0.5, step // 7)

    assert_curve(document, rate, range(40))


@pytest.mark.parametrize("last", [RESTARTS, sequence(RESTARTS, milestones=[])])
def test_a_chain_that_ends_with_restarts_has_nothing_else(last: Config) -> None:
    document = load(chain(FALLING, last, lr=0.3))
    note = f"{last['cls']} sets the rate in every step; those before it have no effect."
    assert note in document.notes
    assert_curve(document, lambda s: half_cosine(0.3, 0.02, s % 8 / 8), range(40))


def test_a_chain_that_ends_with_one_cycle_has_its_momentum() -> None:
    document = load(chain(FALLING, ONE_CYCLE, lr=0.3))
    assert_curve(document, one_cycle, range(20))

    def momentum(step: int) -> float:
        up = step <= 5
        share = step / 5 if up else (step - 5) / 14
        return half_cosine(0.95, 0.85, share) if up else half_cosine(0.85, 0.95, share)

    assert_curve(document, momentum, range(20), name="momentum")


SWA: Config = {"cls": "SWALR", "swa_lr": 0.05}
MIXED = (
    "SequentialLR in a chain changes the rate that is there, and sets it at a milestone, which is"
    " no product"
)
SHARED = "in torch OneCycleLR shares its rates and momenta with the {} beside it"
REFUSED: list[tuple[Config, str, str]] = [
    (
        sequence(CYCLIC, ONE_CYCLE, milestones=[5]),
        "/schedulers/1",
        SHARED.format("CyclicLR"),
    ),
    (
        sequence(ONE_CYCLE, STEPS, ONE_CYCLE, milestones=[5, 9]),
        "/schedulers/0",
        SHARED.format("OneCycleLR"),
    ),
    (
        sequence(SWA, STEPS, SWA, milestones=[5, 9]),
        "/schedulers/0",
        "in torch every SWALR goes to the swa_lr of the one that is built last",
    ),
    (
        sequence(ONE_CYCLE, STEPS, milestones=[22]),
        "/schedulers/0",
        "torch stops with an error after step 20 of OneCycleLR",
    ),
    (
        sequence(COSINE, ONE_CYCLE, milestones=[10]),
        "/schedulers/0",
        "a scheduler after it in the list changes the rate that it starts from",
    ),
    (
        sequence(STEPS, {"cls": "PolynomialLR", "total_iters": 0}, milestones=[5]),
        "/schedulers/1/total_iters",
        "torch divides by total_iters at step 5, and it is 0",
    ),
    (
        chain(FALLING, CYCLIC),
        "/schedulers/1",
        "torch starts a CyclicLR that follows in a chain at lr, not at base_lr",
    ),
    (chain(FALLING, sequence(WARMUP, STEPS, milestones=[5])), "/schedulers/1", MIXED),
    (chain(sequence(RESTARTS, STEPS, milestones=[5]), FALLING), "/schedulers/0", MIXED),
    (
        {**CYCLIC, "scale_fn": "half"},
        "/scale_fn",
        "scale_fn is a function of the user's",
    ),
]


@pytest.mark.parametrize(("config", "path", "message"), REFUSED)
def test_refused(config: Config, path: str, message: str) -> None:
    problem = refused(load, {**config, "lr": 0.3})
    assert (problem.code, problem.path, problem.message) == ("not-importable", path, message)


def test_the_last_step_of_one_cycle_is_one_more_than_it_has() -> None:
    """At step total_steps torch goes on with the formula; it is the step after that fails."""
    document = load(sequence(ONE_CYCLE, STEPS, milestones=[21], lr=0.3))
    assert_curve(
        document, lambda s: one_cycle(s) if s < 21 else 0.02 * 0.5 ** ((s - 21) // 7), range(40)
    )


def test_milestones_that_decrease() -> None:
    problem = refused(load, sequence(WARMUP, STEPS, FALLING, milestones=[9, 5], lr=0.3))
    assert (problem.code, problem.path, problem.message) == (
        "boundaries-order",
        "/milestones",
        "milestones do not decrease",
    )


@pytest.mark.parametrize("per_epoch", [0, 2.5])
def test_one_cycle_in_epochs_of_no_whole_number_of_steps(per_epoch: float) -> None:
    config = {"cls": "OneCycleLR", "max_lr": 0.5, "epochs": 3, "steps_per_epoch": per_epoch}
    problem = refused(load, config)
    assert (problem.code, problem.path, problem.message) == (
        "out-of-range",
        "/steps_per_epoch",
        "steps_per_epoch: expected a whole number of at least 1",
    )


# Where a whole configuration has the rate


@pytest.mark.parametrize(
    "around",
    [
        {"optimizer": {"name": "SGD", "lr": 0.25}},
        {"optimizer": {"class_path": "torch.optim.SGD", "init_args": {"lr": 0.25}}},
        {"optimizer": "SGD", "optim": {"type": "SGD", "kwargs": {"lr": 0.25}}},
        {"optimizer": "SGD", "lr": 0.25},
    ],
)
def test_the_rate_of_a_whole_configuration(around: Config) -> None:
    document = load({"scheduler": FALLING, "epochs": 5, **around})
    assert document.bind().base == 0.25
    assert_curve(document, lambda s: 0.25 * math.pow(0.9, s), range(9))


def test_the_rate_beside_the_scheduler_of_a_whole_configuration() -> None:
    document = load({"sched": {**FALLING, "lr": 0.25}, "lr": 0.75})
    assert_curve(document, lambda s: 0.25 * math.pow(0.9, s), range(9))
