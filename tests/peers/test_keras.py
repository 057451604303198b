"""Keras: every class, called at every step, gives what the imported document says."""

from __future__ import annotations

import os
from typing import Any

os.environ["KERAS_BACKEND"] = "torch"

import keras
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing

from lrspec.importers.keras import load

# Typed as anything: Keras is typed too loosely for a strict checker.
KERAS: Any = keras
# The document is compared in the precision of its own numbers.
KERAS.config.set_floatx("float64")

PARITY = settings(max_examples=100, deadline=None)
STEPS = 50

# All of these are numbers of float32, by way of which Keras casts some arguments.
rates = st.integers(1, 2000).map(lambda n: n / 1024)
zero_or_rates = st.just(0.0) | rates
lengths = st.integers(1, 20) | st.integers(2, 80).map(lambda n: n / 4)
alphas = st.integers(0, 48).map(lambda n: n / 32)
powers = st.just(1.0) | st.integers(0, 16).map(lambda n: n / 4)


def args(required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a class, those with defaults given or not."""
    return st.fixed_dictionaries(required, optional=optional)


@st.composite
def pieces(draw: Any) -> dict[str, Any]:
    boundaries = sorted(draw(st.sets(st.integers(0, 80), min_size=1, max_size=5)))
    count = len(boundaries) + 1
    return {
        "boundaries": boundaries,
        "values": draw(st.lists(zero_or_rates, min_size=count, max_size=count)),
    }


def parts(low: int, high: int) -> st.SearchStrategy[float]:
    """Sixteenths."""
    return st.integers(low, high).map(lambda n: n / 16)


DECAY = {"initial_learning_rate": zero_or_rates, "decay_steps": lengths}
KINDS = {
    "ExponentialDecay": args({**DECAY, "decay_rate": parts(8, 18)}, staircase=st.booleans()),
    "InverseTimeDecay": args({**DECAY, "decay_rate": parts(0, 48)}, staircase=st.booleans()),
    "PiecewiseConstantDecay": pieces(),
    "PolynomialDecay": args(
        {**DECAY, "end_learning_rate": zero_or_rates}, cycle=st.just(False), power=powers
    ),
    "PolynomialDecay with cycle": args(
        {**DECAY, "end_learning_rate": zero_or_rates, "cycle": st.just(True)}, power=powers
    ),
    "CosineDecay": args(DECAY, alpha=alphas, warmup_steps=st.integers(0, 9)),
    "CosineDecay with warmup": args(
        {**DECAY, "warmup_target": zero_or_rates},
        alpha=alphas,
        warmup_steps=st.integers(0, 20) | parts(0, 300),
    ),
    "CosineDecayRestarts": args(
        {"initial_learning_rate": rates, "first_decay_steps": st.integers(1, 20)},
        t_mul=st.just(1.0),
        m_mul=parts(2, 24),
        alpha=alphas,
    ),
}
GROWING = args(
    {"initial_learning_rate": rates, "first_decay_steps": st.integers(1, 20)},
    t_mul=parts(17, 48),
    m_mul=parts(2, 24),
    alpha=alphas,
)


def schedule(kind: str, config: dict[str, Any]) -> Any:
    return getattr(KERAS.optimizers.schedules, kind.partition(" ")[0])(**config)


def serialized(made: Any) -> Any:
    return KERAS.optimizers.schedules.serialize(made)


def values(made: Any, steps: int = STEPS) -> list[float]:
    return [float(made(step)) for step in range(steps)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_class(kind: str) -> None:
    @PARITY
    @given(KINDS[kind])
    def same(config: dict[str, Any]) -> None:
        made = schedule(kind, config)
        check(load(serialized(made), steps=STEPS), values(made))

    same()


def starts(first: float, stretch: float) -> list[float]:
    """The steps at which periods start, within the run."""
    found, length = [0.0], first
    while found[-1] < STEPS:
        found.append(found[-1] + length)
        length *= stretch
    return found


@PARITY
@given(GROWING)
def test_restarts_of_growing_periods(config: dict[str, Any]) -> None:
    made = schedule("CosineDecayRestarts", config)
    found = differing(load(serialized(made)), values(made))
    # Where a period starts, Keras may still be in the one before it, or already in the next one.
    edges = starts(config["first_decay_steps"], config.get("t_mul", 2.0))
    assert all(min(abs(step - edge) for edge in edges) < 1e-6 for step, _, _ in found), found


# What Keras gives in its float32 that the document does not, on processors where the logarithm of
# float32 is rounded so: the smallest example, the steps, and why.
DEVIATIONS: list[tuple[str, dict[str, Any], list[int], str]] = [
    (
        "CosineDecayRestarts",
        {"initial_learning_rate": 1.0, "first_decay_steps": 2, "t_mul": 1.5},
        [5],
        "⌊log(2.25)/log(1.5)⌋ is 1 in float32: the period that starts at 5 starts a step late",
    ),
]


@pytest.mark.parametrize(("kind", "config", "steps", "why"), DEVIATIONS)
def test_deviations(kind: str, config: dict[str, Any], steps: list[int], why: str) -> None:
    assert why
    KERAS.config.set_floatx("float32")
    try:
        made = schedule(kind, config)
        found = differing(load(serialized(made)), values(made, 30))
    finally:
        KERAS.config.set_floatx("float64")
    assert [step for step, here, there in found if abs(here - there) > 1e-3] in ([], steps)


def test_the_schedule_of_an_optimizer() -> None:
    made = KERAS.optimizers.schedules.CosineDecay(0.0, 30, 0.1, warmup_target=0.5, warmup_steps=7)
    optimizer = KERAS.optimizers.serialize(KERAS.optimizers.AdamW(learning_rate=made))
    assert load(optimizer) == load(serialized(made))
    constant = KERAS.optimizers.serialize(KERAS.optimizers.SGD(learning_rate=0.25))
    check(load(constant), [0.25] * 5)
