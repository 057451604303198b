"""optax: every function, called at every step, gives what the imported document says."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.joining import joined
from tests.peers.stepping import check

from lrspec.importers.optax import load
from lrspec.problems import SpecError

# Typed as anything: optax and JAX are typed too loosely for a strict checker.
JAX: Any = jax
OPTAX: Any = optax
JAX.config.update("jax_enable_x64", True)

PARITY = settings(max_examples=100, deadline=None)
STEPS = 130

rates = st.just(0.0) | st.floats(1e-5, 2.0)
lengths = st.integers(1, 40)
any_lengths = st.integers(-1, 40)
warmups = st.integers(0, 20)
scales = st.just(0.0) | st.floats(0.1, 2.0)
shares = st.sampled_from([0.0, 0.29, 0.3, 0.5, 0.85, 1.0]) | st.floats(0, 1)
divisors = st.floats(0.5, 1e4)


def args(name: str, required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a function, those with defaults given or not."""
    return st.fixed_dictionaries({"name": st.just(name), **required}, optional=optional)


def tables(least: int) -> st.SearchStrategy[dict[int, float]]:
    return st.dictionaries(st.integers(least, 100), scales, max_size=7)


RAMP = {"init_value": rates, "end_value": rates, "transition_steps": any_lengths}
DECAY = {"transition_steps": any_lengths, "decay_rate": st.sampled_from([0.0, 1.0, 0.5, 1.1, 0.97])}
WARMUP = {"init_value": rates, "peak_value": rates, "warmup_steps": warmups}
LATER = {
    "transition_begin": any_lengths,
    "staircase": st.booleans(),
    "end_value": st.none() | rates,
}
COSINE = {"decay_steps": st.integers(21, 60)}
RESTART = st.fixed_dictionaries(
    {**WARMUP, **COSINE}, optional={"end_value": rates, "exponent": st.floats(0, 3)}
)
KINDS = {
    "constant": args("constant_schedule", {"value": rates}),
    "polynomial": args(
        "polynomial_schedule", {**RAMP, "power": st.floats(0, 4)}, transition_begin=any_lengths
    ),
    "linear": args("linear_schedule", RAMP, transition_begin=any_lengths),
    "piecewise_constant": args(
        "piecewise_constant_schedule",
        {"init_value": rates},
        boundaries_and_scales=st.none() | tables(-2),
    ),
    "piecewise_interpolate": args(
        "piecewise_interpolate_schedule",
        {"interpolate_type": st.sampled_from(["linear", "cosine"]), "init_value": rates},
        boundaries_and_scales=tables(0),
    ),
    "exponential": args("exponential_decay", {"init_value": rates, **DECAY}, **LATER),
    "cosine": args(
        "cosine_decay_schedule",
        {"init_value": rates, "decay_steps": lengths},
        alpha=st.floats(0, 1.5),
        exponent=st.floats(0, 3),
    ),
    "linear_onecycle": args(
        "linear_onecycle_schedule",
        {"transition_steps": lengths, "peak_value": rates},
        pct_start=shares,
        pct_final=shares,
        div_factor=divisors,
        final_div_factor=divisors,
    ),
    "cosine_onecycle": args(
        "cosine_onecycle_schedule",
        {"transition_steps": lengths, "peak_value": rates},
        pct_start=shares,
        div_factor=divisors,
        final_div_factor=divisors,
    ),
    "warmup_constant": args("warmup_constant_schedule", WARMUP),
    "warmup_cosine": args(
        "warmup_cosine_decay_schedule",
        {**WARMUP, **COSINE},
        end_value=rates,
        exponent=st.floats(0, 3),
    ),
    "warmup_exponential": args("warmup_exponential_decay_schedule", {**WARMUP, **DECAY}, **LATER),
    "sgdr": args(
        "sgdr_schedule",
        {
            "cosine_kwargs": st.lists(RESTART, min_size=1, max_size=3)
            | st.tuples(RESTART, st.integers(2, 4)).map(lambda pair: [pair[0]] * pair[1])
        },
    ),
}
SINGLE = st.one_of(*KINDS.values())

KINDS["join"] = joined(SINGLE)
KINDS["join of joins"] = joined(joined(SINGLE) | SINGLE)


def schedule(config: dict[str, Any]) -> Any:
    """optax's own schedule."""
    given = {key: value for key, value in config.items() if key != "name"}
    if "schedules" in given:
        given["schedules"] = [schedule(item) for item in given["schedules"]]
    return getattr(OPTAX, config["name"])(**given)


def values(config: dict[str, Any], steps: int = STEPS) -> list[float]:
    function = schedule(config)

    def rate(step: Any) -> Any:
        return jnp.asarray(function(step), jnp.float64)

    return [float(found) for found in JAX.vmap(rate)(jnp.arange(steps))]


@pytest.mark.parametrize("kind", KINDS)
def test_every_function(kind: str) -> None:
    @PARITY
    @given(KINDS[kind])
    def same(config: dict[str, Any]) -> None:
        check(load(config), values(config))

    same()


# What optax gives that the document does not: the smallest example, and why.
DEVIATIONS: list[tuple[dict[str, Any], str, str]] = [
    (
        {
            "name": "piecewise_interpolate_schedule",
            "interpolate_type": "linear",
            "init_value": 1.0,
            "boundaries_and_scales": {-2: 0.5, 2: 0.5},
        },
        "a boundary is a whole number of at least 0, found -2",
        "optax starts on the line between boundaries, whose first end is before the run",
    ),
    (
        {
            "name": "polynomial_schedule",
            "init_value": 1.0,
            "end_value": 0.0,
            "power": -1.0,
            "transition_steps": 4,
        },
        "with a negative power the rate is infinite where it ends",
        "optax gives an infinite rate from step 4 on",
    ),
]


@pytest.mark.parametrize(("config", "message", "why"), DEVIATIONS)
def test_what_is_refused(config: dict[str, Any], message: str, why: str) -> None:
    assert why
    assert values(config)
    with pytest.raises(SpecError, match=message):
        load(config)


def test_a_schedule_in_an_optimizer() -> None:
    """The text that makes the optimizer is that of its schedule: the first update is at f(0)."""
    config = {"name": "linear_schedule", "init_value": 0.0, "end_value": 1.0, "transition_steps": 9}
    text = "inject_hyperparams(optax.sgd)(optax.linear_schedule(0, 1, 9))"
    assert load({}, schedule=text) == load(config)
    make = OPTAX.inject_hyperparams(OPTAX.sgd)(OPTAX.linear_schedule(0, 1, 9))
    params = jnp.zeros(1)
    state = make.init(params)
    found: list[float] = []
    for _ in range(12):
        update, state = make.update(jnp.ones(1), state, params)
        found.append(-float(update[0]))
    curve = load(config).bind()
    assert found == pytest.approx([curve(step) for step in range(12)], abs=1e-6)
