"""mmengine: every scheduler, built and stepped, gives what the imported document says."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing, only

from lrspec.document import Document
from lrspec.importers.mmengine import load
from lrspec.problems import SpecError

mmengine: Any = import_module("mmengine.optim.scheduler")

PARITY = settings(max_examples=100, deadline=None)
COUNT = 130

rates = st.floats(1e-4, 2.0)
lows = st.just(0.0) | st.floats(1e-6, 0.1)
lengths = st.integers(1, 40)
factors = st.floats(0.01, 1.0)
gammas = st.sampled_from([1.0, 0.5, 0.1]) | st.floats(0.5, 1.05)
COSINE = {"T_max": lengths, "eta_min": lows}
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "Constant": ({}, {"factor": factors}),
    "Linear": ({}, {"start_factor": factors, "end_factor": lows | factors}),
    "Exponential": ({"gamma": gammas}, {}),
    "Step": ({"step_size": lengths}, {"gamma": gammas}),
    "MultiStep": (
        {"milestones": st.lists(st.integers(0, 60), max_size=4)},
        {"gamma": gammas | st.just(-0.5)},
    ),
    "CosineAnnealing": ({}, COSINE),
    "Poly": ({}, {"eta_min": lows, "power": st.floats(0, 3)}),
    "OneCycle": (
        {"eta_max": rates},
        {
            "total_steps": lengths,
            "pct_start": st.integers(0, 100).map(lambda number: number / 100),
            "anneal_strategy": st.sampled_from(["cos", "linear"]),
            "div_factor": st.floats(1, 50),
            "three_phase": st.booleans(),
        },
    ),
    "CosineRestart": ({"eta_min": lows}, {}),
}


@st.composite
def schedulers(
    draw: st.DrawFn, kind: str, begin: int | None = None, by_epoch: bool | None = None
) -> dict[str, Any]:
    """One scheduler on a range of updates or epochs, with an end or without."""
    required, optional = KINDS[kind]
    config = {"type": f"{kind}LR", **draw(st.fixed_dictionaries(required, optional=optional))}
    if kind == "CosineRestart":
        config["periods"] = draw(st.lists(lengths, min_size=1, max_size=3))
        count = len(config["periods"])
        config["restart_weights"] = draw(st.lists(factors, min_size=count, max_size=count))
    if kind == "CosineAnnealing" and "eta_min" not in config and draw(st.booleans()):
        config["eta_min_ratio"] = draw(factors)
    start = draw(st.integers(0, 20)) if begin is None else begin
    config["begin"] = start
    if draw(st.booleans()) or kind in ("OneCycle", "Linear", "Poly"):
        config["end"] = start + draw(lengths)
    config["by_epoch"] = draw(st.booleans()) if by_epoch is None else by_epoch
    if config["by_epoch"] and draw(st.booleans()):
        config["convert_to_iter_based"] = True
    return config


@st.composite
def sequences(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Schedulers one after the other, with gaps and without, in updates or in epochs."""
    by_epoch = draw(st.booleans())
    found: list[dict[str, Any]] = []
    begin = 0
    for _ in range(draw(st.integers(2, 4))):
        kind = draw(st.sampled_from([*KINDS]))
        config = draw(schedulers(kind, begin, by_epoch))
        config.pop("convert_to_iter_based", None)
        found.append(config)
        if "end" not in config:
            break
        begin = config["end"] + draw(st.sampled_from([0, 0, 3]))
    return found


@st.composite
def mixed(draw: st.DrawFn) -> tuple[list[dict[str, Any]], int]:
    """Schedulers one after the other, each in updates or in epochs, of so many updates."""
    per_epoch = draw(st.integers(1, 5))
    found: list[dict[str, Any]] = []
    reached = 0
    for _ in range(draw(st.integers(2, 3))):
        by_epoch = draw(st.booleans())
        begin = -(-reached // per_epoch) if by_epoch else reached
        kind = draw(st.sampled_from([*KINDS]))
        config = draw(schedulers(kind, begin + draw(st.sampled_from([0, 0, 2])), by_epoch))
        found.append(config)
        if "end" not in config:
            break
        reached = config["end"] * (per_epoch if by_epoch else 1)
    return found, per_epoch


@st.composite
def overlapping(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A warmup in updates, and others that begin in it, most of them without a rate to go to."""
    warmup = draw(schedulers("Linear", 0, False))
    kinds = ["MultiStep", "MultiStep", "Step", "Exponential", "Constant", "CosineAnnealing", "Poly"]
    others = [draw(schedulers(draw(st.sampled_from(kinds))))]
    if draw(st.booleans()):
        others.append(draw(schedulers("MultiStep")))
    if draw(st.booleans()):
        others = [only(other, "eta_min", "eta_min_ratio") for other in others]
    return [warmup, *others]


def stepped(config: list[dict[str, Any]], lr: float, per_epoch: int, count: int) -> list[float]:
    """The rates at the updates 0 … count, or as far as mmengine goes."""
    warnings.simplefilter("ignore")
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr)
    built: list[Any] = []
    for entry in config:
        arguments = only(entry, "type", "convert_to_iter_based")
        make = getattr(mmengine, entry["type"])
        if entry.get("convert_to_iter_based"):
            built.append(make.build_iter_from_epoch(optimizer, epoch_length=per_epoch, **arguments))
        else:
            built.append(make(optimizer, **arguments))
    rates = [float(optimizer.param_groups[0]["lr"])]
    while len(rates) <= count:
        for scheduler in built:
            if not scheduler.by_epoch or len(rates) % per_epoch == 0:
                scheduler.step()
        rates.append(float(optimizer.param_groups[0]["lr"]))
    return rates


def imported(config: list[dict[str, Any]], **facts: Any) -> Document | None:
    """The document, None where it is refused as one that no document states."""
    try:
        return load(config, **facts)
    except SpecError as error:
        if error.problems[0].code != "not-importable":
            raise
        return None


def compare(config: list[dict[str, Any]], lr: float, per_epoch: int) -> None:
    document = imported([*config, {"lr": lr}], steps=10**6, steps_per_epoch=per_epoch)
    if document is None:
        return
    check(document, stepped(config, lr, per_epoch, COUNT))


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str) -> None:
    @PARITY
    @given(schedulers(kind), rates, st.integers(1, 5))
    def parity(config: dict[str, Any], lr: float, per_epoch: int) -> None:
        compare([config], lr, per_epoch)

    parity()


@settings(max_examples=150, deadline=None)
@given(sequences(), rates, st.integers(1, 5))
def test_sequences(config: list[dict[str, Any]], lr: float, per_epoch: int) -> None:
    compare(config, lr, per_epoch)


@settings(max_examples=150, deadline=None)
@given(mixed(), rates)
def test_updates_and_epochs(given_: tuple[list[dict[str, Any]], int], lr: float) -> None:
    config, per_epoch = given_
    compare(config, lr, per_epoch)


@settings(max_examples=150, deadline=None)
@given(overlapping(), rates, st.integers(1, 5))
def test_overlapping(config: list[dict[str, Any]], lr: float, per_epoch: int) -> None:
    compare(config, lr, per_epoch)


# The smallest example, the steps from 0 at which the document differs, and why.
DEVIATIONS: list[tuple[list[dict[str, Any]], list[int], str]] = [
    (
        [{"type": "CosineAnnealingLR", "by_epoch": False, "end": 4}],
        [4, 5],
        "mmengine never comes to eta_min: after the range it stays at the rate of its last step."
        " The document goes on to eta_min, where the run is not known to be longer.",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviation(config: list[dict[str, Any]], steps: list[int], why: str) -> None:
    rates = stepped(config, 1.0, 1, max(steps))
    assert [step for step, _, _ in differing(load([*config, {"lr": 1.0}]), rates)] == steps, why
