"""torch: every class, built and stepped, gives what the imported document says."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing, only
from torch.optim import lr_scheduler
from torch.optim.swa_utils import SWALR

from lrspec.document import Document
from lrspec.importers.torch import load
from lrspec.problems import SpecError

PARITY = settings(max_examples=100, deadline=None)

rates = st.floats(1e-4, 2.0)
lengths = st.integers(1, 40)
# Lengths that are exact in binary; see DEVIATIONS for others.
eighths = st.integers(4, 160).map(lambda number: number / 8)
any_lengths = st.integers(0, 40)
factors = st.floats(0.01, 1.0)
gammas = st.sampled_from([0.0, 1.0]) | st.floats(0.5, 1.1)
lows = st.just(0.0) | st.floats(1e-6, 0.1)


def args(name: str, required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a class, those with defaults given or not."""
    return st.fixed_dictionaries({"cls": st.just(name), **required}, optional=optional)


STEP = args("StepLR", {"step_size": lengths}, gamma=gammas)
MULTI_STEP = args(
    "MultiStepLR", {"milestones": st.lists(any_lengths, max_size=5)}, gamma=gammas | st.just(-0.5)
)
CONSTANT = args("ConstantLR", {}, factor=factors, total_iters=any_lengths)
LINEAR = args(
    "LinearLR", {}, start_factor=factors, end_factor=lows | factors, total_iters=any_lengths
)
EXPONENTIAL = args("ExponentialLR", {"gamma": gammas})
POLYNOMIAL = args("PolynomialLR", {}, total_iters=any_lengths, power=st.floats(0, 3))
COSINE = args("CosineAnnealingLR", {"T_max": lengths}, eta_min=lows)
RESTARTS = args(
    "CosineAnnealingWarmRestarts", {"T_0": lengths}, T_mult=st.integers(1, 3), eta_min=lows
)
SWA = args(
    "SWALR",
    {"swa_lr": rates},
    anneal_epochs=any_lengths,
    anneal_strategy=st.sampled_from(["cos", "linear"]),
)
MOMENTA = {
    "cycle_momentum": st.booleans(),
    "base_momentum": st.floats(0.5, 0.8),
    "max_momentum": st.floats(0.8, 0.99),
}
CYCLIC = args(
    "CyclicLR",
    {"base_lr": lows, "max_lr": rates, "step_size_up": lengths | eighths},
    step_size_down=st.integers(0, 40),
    mode=st.sampled_from(["triangular", "triangular2", "exp_range"]),
    gamma=st.just(0.0) | st.floats(0.9, 1.0),
    **MOMENTA,
)
ONE_CYCLE = args(
    "OneCycleLR",
    {"max_lr": rates, "total_steps": lengths},
    pct_start=st.integers(0, 1000).map(lambda number: number / 1000),
    anneal_strategy=st.sampled_from(["cos", "linear"]),
    div_factor=st.floats(1, 50),
    final_div_factor=st.floats(1, 1e5),
    three_phase=st.booleans(),
    **MOMENTA,
)
TIMES = [STEP, MULTI_STEP, CONSTANT, LINEAR, EXPONENTIAL, POLYNOMIAL]
PLAIN = [*TIMES, COSINE, RESTARTS, SWA]
KINDS = {
    "step": STEP,
    "multi_step": MULTI_STEP,
    "constant": CONSTANT,
    "linear": LINEAR,
    "exponential": EXPONENTIAL,
    "polynomial": POLYNOMIAL,
    "cosine": COSINE,
    "restarts": RESTARTS,
    "swa": SWA,
    "cyclic": CYCLIC,
    "one_cycle": ONE_CYCLE,
}


@st.composite
def sequences(draw: st.DrawFn) -> dict[str, Any]:
    """SequentialLR of one to four members, stages of length 0 among them."""
    members = draw(st.lists(st.one_of(*PLAIN, ONE_CYCLE, CYCLIC), min_size=1, max_size=4))
    milestones = draw(
        st.lists(st.integers(0, 50), min_size=len(members) - 1, max_size=len(members) - 1)
    )
    return {"cls": "SequentialLR", "schedulers": members, "milestones": sorted(milestones)}


@st.composite
def chains(draw: st.DrawFn) -> dict[str, Any]:
    """ChainedScheduler of members that multiply, and of others."""
    members = draw(st.lists(st.one_of(*TIMES, COSINE), min_size=1, max_size=3))
    for member in members:
        if member.get("gamma", 1) > 1:
            member["gamma"] = 1 / member["gamma"]
    last = draw(st.none() | st.one_of(RESTARTS, CYCLIC, SWA, sequences()))
    return {"cls": "ChainedScheduler", "schedulers": [*members, *([last] if last else [])]}


def built(config: dict[str, Any], optimizer: torch.optim.Optimizer) -> Any:
    """torch's own object of a configuration."""
    arguments = only(config, "cls", "lr")
    if "schedulers" in arguments:
        members = [built(member, optimizer) for member in arguments.pop("schedulers")]
        if config["cls"] == "ChainedScheduler":
            return lr_scheduler.ChainedScheduler(members, optimizer)
        return lr_scheduler.SequentialLR(optimizer, members, **arguments)
    made = SWALR if config["cls"] == "SWALR" else getattr(lr_scheduler, config["cls"])
    return made(optimizer, **arguments)


def stepped(config: dict[str, Any], count: int) -> tuple[list[float], list[float]]:
    """The rates and momenta at the steps 0 … count, or as far as torch goes."""
    warnings.simplefilter("ignore")
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([parameter], lr=config.get("lr", 0.1), momentum=0.9)
    group = optimizer.param_groups[0]
    values: list[float] = []
    momenta: list[float] = []
    scheduler = built(config, optimizer)
    while True:
        values.append(float(group["lr"]))
        momenta.append(float(group["momentum"]))
        if len(values) > count:
            return values, momenta
        try:
            scheduler.step()
        except (ValueError, ZeroDivisionError):
            if "OneCycleLR" not in str(config):
                raise
            # It ends; without a second phase it divides by 0 there.
            return values, momenta


def imported(config: dict[str, Any]) -> Document | None:
    """The document, None where it is refused as one that no document states."""
    try:
        return load(config)
    except SpecError as error:
        if error.problems[0].code != "not-importable":
            raise
        return None


def compare(config: dict[str, Any], count: int) -> None:
    if config.get("three_phase") and config.get("pct_start", 0.3) > 0.5:
        count = config["total_steps"] - 1
    document = imported(config)
    if document is None:
        return
    values, momenta = stepped(config, count)
    check(document, values)
    if "momentum" in document.names:
        check(document, momenta, "momentum")
    else:
        assert len(set(momenta)) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str) -> None:
    @PARITY
    @given(KINDS[kind], rates)
    def parity(config: dict[str, Any], lr: float) -> None:
        compare({**config, "lr": lr}, 130)

    parity()


@PARITY
@given(sequences(), rates)
def test_sequential(config: dict[str, Any], lr: float) -> None:
    compare({**config, "lr": lr}, 130)


@PARITY
@given(chains(), rates)
def test_chained(config: dict[str, Any], lr: float) -> None:
    members = config["schedulers"]
    ends = [member["T_max"] for member in members if member["cls"] == "CosineAnnealingLR"]
    # See DEVIATIONS for what comes after.
    compare({**config, "lr": lr}, min(ends) if ends and len(members) > 1 else 130)


# The smallest example, the steps from 0 at which the document differs, and why.
DEVIATIONS: list[tuple[dict[str, Any], list[int], str]] = [
    (
        {
            "cls": "ChainedScheduler",
            "lr": 1.0,
            "schedulers": [
                {"cls": "ExponentialLR", "gamma": 0.5},
                {"cls": "CosineAnnealingLR", "T_max": 2},
            ],
        },
        [3, 4],
        "From T_max on the cosine adds a rate that the other members have not scaled; the document"
        " stays at 0.",
    ),
    (
        {
            "cls": "OneCycleLR",
            "max_lr": 1.0,
            "total_steps": 3,
            "pct_start": 0.75,
            "three_phase": True,
            "cycle_momentum": False,
        },
        [3],
        "The second phase goes on beyond the last update, and the third is read before its start;"
        " the document holds the last value. torch stops after this step.",
    ),
    (
        {
            "cls": "CyclicLR",
            "base_lr": 0.0,
            "max_lr": 1.0,
            "step_size_up": 1.1,
            "step_size_down": 0,
            "cycle_momentum": False,
        },
        [33],
        "Step 33 is 30 periods of 1.1; in floats torch takes it for the end of the one before.",
    ),
    (
        {
            "cls": "ChainedScheduler",
            "lr": 1.0,
            "schedulers": [
                {"cls": "ExponentialLR", "gamma": 200.0},
                {"cls": "LinearLR", "end_factor": 0.0, "total_iters": 3},
            ],
        },
        [4],
        "The line ends at 1e-17 instead of 0 in torch, and gamma makes something of that.",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviation(config: dict[str, Any], steps: list[int], why: str) -> None:
    values, _ = stepped(config, max(steps))
    assert [step for step, _, _ in differing(load(config), values)] == steps, why
