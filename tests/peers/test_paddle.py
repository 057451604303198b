"""paddle: every class, built and stepped, gives what the imported document says."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing, only

from lrspec.importers.paddle import load

lr: Any = import_module("paddle.optimizer.lr")

PARITY = settings(max_examples=100, deadline=None)
COUNT = 130

rates = st.floats(1e-4, 2.0)
lows = st.just(0.0) | st.floats(1e-6, 0.1)
lengths = st.integers(1, 40)
factors = st.floats(0.01, 1.0)
gammas = st.floats(0.5, 0.999)
milestones = st.lists(st.integers(0, 100), min_size=1, max_size=5, unique=True).map(sorted)
shares = st.integers(0, 499).map(lambda number: number / 1000)


def args(name: str, required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a class, those with defaults given or not."""
    return st.fixed_dictionaries({"cls": st.just(name), **required}, optional=optional)


RATE = {"learning_rate": rates}
SHAPES = {"anneal_strategy": st.sampled_from(["cos", "linear"]), "three_phase": st.booleans()}
KINDS = {
    "noam": args(
        "NoamDecay",
        {"d_model": st.integers(1, 1024), "warmup_steps": lengths},
        learning_rate=rates,
    ),
    "piecewise": milestones.flatmap(
        lambda at: st.fixed_dictionaries(
            {
                "cls": st.just("PiecewiseDecay"),
                "boundaries": st.just(at),
                "values": st.lists(rates, min_size=len(at) + 1, max_size=len(at) + 3),
            }
        )
    ),
    "natural": args("NaturalExpDecay", {**RATE, "gamma": st.floats(0.001, 2)}),
    "inverse": args("InverseTimeDecay", {**RATE, "gamma": st.just(0.0) | st.floats(0.001, 2)}),
    "polynomial": args(
        "PolynomialDecay",
        {**RATE, "decay_steps": lengths},
        end_lr=lows,
        power=st.sampled_from([1.0, 0.5, 2.0]) | st.floats(0.1, 3),
        cycle=st.booleans(),
    ),
    "exponential": args("ExponentialDecay", {**RATE, "gamma": gammas}),
    "multi_step": args(
        "MultiStepDecay", {**RATE, "milestones": milestones}, gamma=gammas | st.just(-0.5)
    ),
    "step": args("StepDecay", {**RATE, "step_size": lengths}, gamma=gammas | st.just(0.0)),
    "cosine": args("CosineAnnealingDecay", {**RATE, "T_max": lengths}, eta_min=lows),
    "one_cycle": args(
        "OneCycleLR",
        {"max_learning_rate": rates, "total_steps": lengths},
        divide_factor=st.floats(1, 50),
        end_learning_rate=lows,
        phase_pct=shares,
        **SHAPES,
    ),
    "one_cycle_long": args(
        "OneCycleLR",
        {
            "max_learning_rate": rates,
            "total_steps": lengths,
            "phase_pct": st.integers(50, 100).map(lambda number: number / 100),
        },
    ),
    "cyclic": args(
        "CyclicLR",
        {"base_learning_rate": lows, "max_learning_rate": rates, "step_size_up": lengths},
        step_size_down=lengths,
        mode=st.sampled_from(["triangular", "triangular2", "exp_range"]),
        exp_gamma=st.just(0.0) | st.floats(0.9, 1.0),
    ),
    "linear": args(
        "LinearLR", {**RATE, "total_steps": lengths}, start_factor=factors, end_factor=factors
    ),
    "restarts": args(
        "CosineAnnealingWarmRestarts",
        {**RATE, "T_0": lengths},
        T_mult=st.integers(1, 3),
        eta_min=lows,
    ),
}


@st.composite
def warmed(draw: st.DrawFn) -> dict[str, Any]:
    """LinearWarmup before a rate or a scheduler."""
    start = draw(lows)
    config = {
        "cls": "LinearWarmup",
        "learning_rate": draw(rates | st.one_of(*KINDS.values())),
        "warmup_steps": draw(lengths),
        "start_lr": start,
        "end_lr": start + draw(rates),
    }
    inner = config["learning_rate"]
    if isinstance(inner, dict) and inner.get("T_mult") == 3:
        # See DEVIATIONS.
        inner["T_mult"] = 2
    return config


def built(config: dict[str, Any]) -> Any:
    """Paddle's own object of a configuration."""
    arguments = only(config, "cls")
    if isinstance(arguments.get("learning_rate"), dict):
        arguments["learning_rate"] = built(arguments["learning_rate"])
    return getattr(lr, config["cls"])(**arguments)


def stepped(config: dict[str, Any], count: int) -> list[float]:
    """The rates at the steps 0 … count, or as far as Paddle goes."""
    try:
        scheduler = built(config)
    except ZeroDivisionError:
        return []
    values = [float(scheduler())]
    while len(values) <= count:
        try:
            scheduler.step()
        except (ValueError, ZeroDivisionError):
            if "OneCycleLR" not in str(config):
                raise
            break
        values.append(float(scheduler()))
    return values


def compare(config: dict[str, Any]) -> None:
    values = stepped(config, COUNT)
    if values:
        check(load(config, steps=COUNT), values)


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str) -> None:
    @PARITY
    @given(KINDS[kind])
    def parity(config: dict[str, Any]) -> None:
        compare(config)

    parity()


@PARITY
@given(warmed())
def test_warmup(config: dict[str, Any]) -> None:
    compare(config)


# The smallest example, the steps from 0 at which the document differs, and why.
DEVIATIONS: list[tuple[dict[str, Any], list[int], str]] = [
    (
        {
            "cls": "LinearWarmup",
            "learning_rate": {
                "cls": "CosineAnnealingWarmRestarts",
                "learning_rate": 1.0,
                "T_0": 1,
                "T_mult": 3,
            },
            "warmup_steps": 1,
            "start_lr": 0.0,
            "end_lr": 1.0,
        },
        [122],
        "Paddle finds the period by a logarithm to the base 3, of 243 here, which is 4.999…: the"
        " restart is missed for this step.",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviation(config: dict[str, Any], steps: list[int], why: str) -> None:
    values = stepped(config, COUNT)
    assert [step for step, _, _ in differing(load(config), values)] == steps, why
