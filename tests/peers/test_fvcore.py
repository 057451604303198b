"""fvcore: every scheduler, asked at every step, gives what the imported document says."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing, only

from lrspec.importers.fvcore import load

fvcore: Any = import_module("fvcore.common.param_scheduler")

PARITY = settings(max_examples=100, deadline=None)

values = st.just(0.0) | st.floats(1e-4, 2.0)
above = st.floats(1e-4, 2.0)
totals = st.integers(1, 130)


def args(name: str, required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a class, those with defaults given or not."""
    return st.fixed_dictionaries({"cls": st.just(name), **required}, optional=optional)


@st.composite
def multi_steps(draw: st.DrawFn) -> dict[str, Any]:
    """MultiStepParamScheduler with its milestones, its updates or both."""
    count = draw(st.integers(1, 5))
    config: dict[str, Any] = {"cls": "MultiStepParamScheduler"}
    config["values"] = draw(st.lists(values, min_size=count, max_size=count))
    marks = draw(st.lists(st.integers(5, 100), min_size=count, max_size=count, unique=True))
    match draw(st.sampled_from(["updates", "milestones", "both"])):
        case "updates":
            config["num_updates"] = 5 * max(marks)
        case "milestones":
            config["milestones"] = sorted(marks)
        case _:
            config |= {"milestones": sorted(marks)[1:], "num_updates": max(marks) + 9}
    return config


ENDS = {"start_value": values, "end_value": values}
KINDS = {
    "constant": args("ConstantParamScheduler", {"value": values}),
    "cosine": args("CosineParamScheduler", ENDS),
    "linear": args("LinearParamScheduler", ENDS),
    "exponential": args(
        "ExponentialParamScheduler", {"start_value": values, "decay": st.floats(1e-4, 2)}
    ),
    "polynomial": args(
        "PolynomialDecayParamScheduler", {"base_value": values, "power": st.floats(0, 3)}
    ),
    "multi_step": multi_steps(),
    "step": args(
        "StepParamScheduler",
        {"num_updates": totals, "values": st.lists(values, min_size=1, max_size=6)},
    ),
    "fixed_gamma": args(
        "StepWithFixedGammaParamScheduler",
        {
            "base_value": above,
            "num_decays": st.integers(1, 6),
            "gamma": st.floats(0.1, 1.5),
            "num_updates": st.integers(6, 130),
        },
    ),
}


@st.composite
def composites(draw: st.DrawFn) -> dict[str, Any]:
    """CompositeParamScheduler of one to four members."""
    members = draw(st.lists(st.one_of(*KINDS.values()), min_size=1, max_size=4))
    count = len(members)
    marks = draw(st.lists(st.integers(1, 199), min_size=count - 1, max_size=count - 1, unique=True))
    ends = [0, *sorted(marks), 200]
    return {
        "cls": "CompositeParamScheduler",
        "schedulers": members,
        "lengths": [(b - a) / 200 for a, b in pairwise(ends)],
        "interval_scaling": draw(
            st.lists(st.sampled_from(["rescaled", "fixed"]), min_size=count, max_size=count)
        ),
    }


def built(config: dict[str, Any]) -> Any:
    """fvcore's own object of a configuration."""
    arguments = only(config, "cls", "base_lr", "max_iter")
    if "schedulers" in arguments:
        arguments["schedulers"] = [built(member) for member in arguments["schedulers"]]
        arguments["lengths"] = [*arguments["lengths"]]
    return getattr(fvcore, config["cls"])(**arguments)


def rates(config: dict[str, Any]) -> list[float]:
    """The rates of the run."""
    scheduler = built(config)
    total = config["max_iter"]
    return [config.get("base_lr", 1.0) * scheduler(step / total) for step in range(total)]


def compare(config: dict[str, Any], total: int, base: float | None) -> None:
    config = {**config, "max_iter": total, **({} if base is None else {"base_lr": base})}
    check(load(config), rates(config))


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str) -> None:
    @PARITY
    @given(KINDS[kind], totals, st.none() | above)
    def parity(config: dict[str, Any], total: int, base: float | None) -> None:
        compare(config, total, base)

    parity()


@settings(max_examples=300, deadline=None)
@given(composites(), totals, st.none() | above)
def test_composite(config: dict[str, Any], total: int, base: float | None) -> None:
    compare(config, total, base)


# The smallest example, the steps from 0 at which the document differs, and why.
DEVIATIONS: list[tuple[dict[str, Any], list[int], str]] = [
    (
        {
            "cls": "CompositeParamScheduler",
            "schedulers": [
                {"cls": "ConstantParamScheduler", "value": 1.0},
                {"cls": "ConstantParamScheduler", "value": 0.5},
            ],
            "lengths": [0.5000001, 0.4999999],
            "interval_scaling": ["fixed", "fixed"],
            "max_iter": 10,
        },
        [5],
        "fvcore begins a phase up to 1e-6 of the run early, here at step 5 instead of 5.000001.",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviation(config: dict[str, Any], steps: list[int], why: str) -> None:
    assert [step for step, _, _ in differing(load(config), rates(config))] == steps, why
