"""Schedules in real training: what reaches the parameters is the rate of the reference."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from tests.optax.documents import WARMUP, rounded

from lrspec_optax import schedule


def applied(optimizer: Any, updates: int, parameter: jax.Array) -> list[float]:
    """By how much each update moves a parameter whose gradient is −1."""
    state = optimizer.init(parameter)

    update = jax.jit(optimizer.update)
    found = []
    for _ in range(updates):
        step, state = update(-jnp.ones_like(parameter), state, parameter)
        found.append(float(step))
    return found


def test_sgd_applies_the_rates() -> None:
    rates = schedule(WARMUP)

    got = applied(optax.sgd(rates), 45, jnp.float32(0))

    assert np.array_equal(got, rounded(rates.curve, range(45)))


def test_adamw_learns() -> None:
    rates = schedule(WARMUP, base=0.1, override=True)
    optimizer = optax.adamw(rates)
    target = jnp.array([1.0, -2.0, 3.0])

    def loss(parameters: jax.Array) -> jax.Array:
        return jnp.sum((parameters - target) ** 2)

    @jax.jit
    def update(parameters: jax.Array, state: Any) -> tuple[Any, Any]:
        gradient = jax.grad(loss)(parameters)
        step, state = optimizer.update(gradient, state, parameters)
        return optax.apply_updates(parameters, step), state

    parameters = jnp.zeros(3)
    state = optimizer.init(parameters)
    for _ in range(60):
        parameters, state = update(parameters, state)

    assert loss(parameters) < 14 / 2


# Before, optax itself casts what it injects to the type of the parameters.
KEPT = tuple(map(int, version("optax").split(".")[:3])) >= (0, 2, 8)


@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_injected_rates_keep_their_precision(kind: str) -> None:
    rates = schedule(WARMUP)
    optimizer = optax.inject_hyperparams(optax.sgd)(learning_rate=rates)
    parameter = jnp.zeros((), kind)
    state: Any = optimizer.init(parameter)

    assert state.hyperparams["learning_rate"] == rates(0)
    for step in range(12):
        _, state = jax.jit(optimizer.update)(jnp.ones((), kind), state, parameter)
        rate = state.hyperparams["learning_rate"]
        assert rate.dtype == (jnp.float32 if KEPT else kind)
        assert rate == rates(step).astype(rate.dtype)


def test_multi_steps_counts_updates() -> None:
    rates = schedule(WARMUP)
    optimizer: Any = optax.MultiSteps(optax.sgd(rates), every_k_schedule=3)

    got = applied(optimizer, 36, jnp.float32(0))

    assert np.allclose(got[2::3], rounded(rates.curve, range(12)), rtol=1e-6)
    assert not any(got[0::3]) and not any(got[1::3])


def test_it_joins_and_scales() -> None:
    rates = schedule(WARMUP)
    joined = optax.join_schedules([optax.constant_schedule(1.0), rates], [10])

    assert jax.jit(joined)(jnp.int32(9)) == 1
    assert jax.jit(joined)(jnp.int32(15)) == rates(5)


def test_several_hyperparameters() -> None:
    several = {
        "lrspec": 1,
        "base": {"lr": 0.5, "weight_decay": "absolute"},
        "training": {"steps": 10},
        "schedules": {
            "lr": {"linear": {"final": 0}},
            "weight_decay": {"linear": {"initial": 0.1, "final": 0.2}},
        },
    }
    optimizer: Any = optax.inject_hyperparams(optax.adamw)(
        learning_rate=schedule(several), weight_decay=schedule(several, name="weight_decay")
    )
    parameter = jnp.float32(1)
    state = optimizer.init(parameter)

    step, _ = optimizer.update(jnp.float32(0), state, parameter)

    assert float(step) == pytest.approx(-0.5 * 0.1)
