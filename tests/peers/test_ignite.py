"""ignite: every scheduler, built and called, gives what the imported document says."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers import test_torch as of_torch
from tests.peers.stepping import check, differing, only

from lrspec.document import Document
from lrspec.importers.ignite import load
from lrspec.problems import SpecError

ignite: Any = import_module("ignite.handlers.param_scheduler")

PARITY = settings(max_examples=100, deadline=None)
COUNT = 130

values = st.just(0.0) | st.floats(1e-4, 2.0)
multipliers = st.sampled_from([1.0, 2.0, 1.5, 0.5]) | st.floats(0.6, 2.0)
sizes = st.integers(2, 40)
COMMON = {"start_value": values, "end_value": values, "cycle_size": sizes}
FACTORS = {
    "cycle_mult": multipliers,
    "start_value_mult": multipliers,
    "end_value_mult": multipliers,
}
args = of_torch.args
TRIANGLE = args("LinearCyclicalScheduler", COMMON, **FACTORS)
SAWTOOTH = args(
    "LinearCyclicalScheduler",
    {**COMMON, "monotonic": st.just(True)},
    **FACTORS,
    warmup_duration=st.integers(0, 9),
)
COSINE = args("CosineAnnealingScheduler", COMMON, **FACTORS, warmup_duration=st.integers(0, 9))
PIECEWISE = args(
    "PiecewiseLinear",
    {
        "milestones_values": st.lists(
            st.tuples(st.integers(0, 60), values), min_size=1, max_size=6
        ).map(lambda pairs: sorted(pairs, key=lambda pair: pair[0]))
    },
)
KINDS = {"triangle": TRIANGLE, "sawtooth": SAWTOOTH, "cosine": COSINE, "piecewise": PIECEWISE}


@st.composite
def concatenated(draw: st.DrawFn) -> dict[str, Any]:
    """ConcatScheduler of two to four members."""
    members = draw(st.lists(st.one_of(*KINDS.values()), min_size=2, max_size=4))
    count = len(members) - 1
    durations = draw(st.lists(st.integers(1, 50), min_size=count, max_size=count))
    return {"cls": "ConcatScheduler", "schedulers": members, "durations": durations}


@st.composite
def warmed(draw: st.DrawFn, after: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """create_lr_scheduler_with_warmup, to a value of its own, the optimizer's or the next one."""
    scheduler = draw(after)
    config: dict[str, Any] = {
        "fn": "create_lr_scheduler_with_warmup",
        "lr_scheduler": scheduler,
        "warmup_start_value": draw(values),
        "warmup_duration": draw(st.integers(2, 20)),
    }
    end = draw(st.none() | values | st.just(scheduler.get("start_value", scheduler.get("lr"))))
    return config if end is None else {**config, "warmup_end_value": end}


def with_rate(config: dict[str, Any], lr: float) -> dict[str, Any]:
    return {**config, "lr": lr}


TORCH = st.builds(
    with_rate,
    st.one_of(*of_torch.PLAIN[:-1], of_torch.ONE_CYCLE, of_torch.CYCLIC),
    of_torch.rates,
)


def built(config: dict[str, Any], optimizer: torch.optim.Optimizer) -> Any:
    """ignite's own object of a configuration."""
    arguments = only(config, "cls", "fn")
    if "fn" in config:
        inner = config["lr_scheduler"]
        own = inner["cls"] in dir(ignite) and inner["cls"].endswith(("Scheduler", "Linear"))
        make = built if own else of_torch.built
        arguments["lr_scheduler"] = make(only(inner, "lr"), optimizer)
        return ignite.create_lr_scheduler_with_warmup(**arguments)
    if config["cls"] == "LRScheduler":
        inner = of_torch.built(config["lr_scheduler"], optimizer)
        return ignite.LRScheduler(inner)
    if config["cls"] == "ConcatScheduler":
        members = [built(member, optimizer) for member in arguments.pop("schedulers")]
        return ignite.ConcatScheduler(members, **arguments)
    return getattr(ignite, config["cls"])(optimizer, "lr", **arguments)


def stepped(config: dict[str, Any], count: int) -> tuple[list[float], list[float]]:
    """The rates and momenta at the calls 0 … count, or as far as ignite goes."""
    warnings.simplefilter("ignore")
    lr = config.get("lr_scheduler", {}).get("lr", 0.1)
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr, momentum=0.9)
    group = optimizer.param_groups[0]
    scheduler = built(config, optimizer)
    rates: list[float] = []
    momenta: list[float] = []
    while len(rates) <= count:
        try:
            scheduler(None)
        except (ValueError, ZeroDivisionError):
            if "OneCycleLR" not in str(config):
                raise
            break
        rates.append(float(group["lr"]))
        momenta.append(float(group["momentum"]))
    return rates, momenta


def imported(config: dict[str, Any], **facts: Any) -> Document | None:
    """The document, None where it is refused as one that no document states."""
    try:
        return load(config, **facts)
    except SpecError as error:
        if error.problems[0].code != "not-importable":
            raise
        return None


def compare(config: dict[str, Any], count: int = COUNT) -> None:
    document = imported(config, steps=COUNT, base=None if "lr" in str(config) else 0.1)
    if document is not None:
        rates, momenta = stepped(config, count)
        check(document, rates)
        if "momentum" in document.names:
            check(document, momenta, "momentum")


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str) -> None:
    @PARITY
    @given(KINDS[kind])
    def parity(config: dict[str, Any]) -> None:
        compare(config)

    parity()


@PARITY
@given(concatenated())
def test_concat(config: dict[str, Any]) -> None:
    compare(config)


@PARITY
@given(warmed(st.one_of(*KINDS.values())))
def test_warmup_of_its_own(config: dict[str, Any]) -> None:
    config["lr_scheduler"]["lr"] = 0.1
    compare(config)


@PARITY
@given(warmed(TORCH))
def test_warmup_of_torch(config: dict[str, Any]) -> None:
    compare(config)


@PARITY
@given(TORCH)
def test_torch(config: dict[str, Any]) -> None:
    if config["cls"] != "CosineAnnealingLR":
        compare({"cls": "LRScheduler", "lr_scheduler": config})


@PARITY
@given(TORCH)
def test_torch_with_use_legacy(config: dict[str, Any]) -> None:
    """Called at the end of an iteration: the rate at 0 is that of the optimizer."""
    warnings.simplefilter("ignore")
    document = imported({"cls": "LRScheduler", "use_legacy": True, "lr_scheduler": config})
    if document is None:
        return
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=config["lr"], momentum=0.9)
    scheduler = ignite.LRScheduler(of_torch.built(config, optimizer), use_legacy=True)
    rates: list[float] = []
    while len(rates) <= COUNT:
        rates.append(float(optimizer.param_groups[0]["lr"]))
        try:
            scheduler(None)
        except (ValueError, ZeroDivisionError):
            assert config["cls"] == "OneCycleLR"
            break
    check(document, rates)


# The smallest example, the steps from 0 at which the document differs, and why.
DEVIATIONS: list[tuple[dict[str, Any], list[int], str]] = [
    (
        {
            "cls": "LRScheduler",
            "lr_scheduler": {"cls": "CosineAnnealingLR", "lr": 1.0, "T_max": 10},
        },
        [0],
        "ignite asks for the rate of step 0 once more, and torch takes it for a step from before"
        " the start: 2/(1 + cos(π/T)) times the rate, at this step alone.",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviation(config: dict[str, Any], steps: list[int], why: str) -> None:
    rates, _ = stepped(config, COUNT)
    assert [step for step, _, _ in differing(load(config), rates)] == steps, why
