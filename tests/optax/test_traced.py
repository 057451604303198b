"""Schedules in traced programs: the same values everywhere, and little added to the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from tests.optax.documents import (
    EVERY_FORM,
    EVERYTHING,
    PRODUCTION,
    SIX_KINDS,
    WARMUP,
    Json,
    rounded,
    scattered,
    stages,
    x64,
)

from lrspec_optax import Schedule, schedule

STEPS = scattered(200, below=5000)
DOCUMENTS = {"warmup": WARMUP, "everything": EVERYTHING, "forms": stages(40, EVERY_FORM)}


@cache
def bound(name: str) -> Schedule:
    return schedule(DOCUMENTS[name])


def by_scan(rates: Schedule, count: jax.Array) -> Any:
    return lax.scan(lambda carry, step: (carry, rates(step)), 0, count)[1]


def by_fori_loop(rates: Schedule, count: jax.Array) -> Any:
    def body(i: Any, found: jax.Array) -> jax.Array:
        return found.at[i].set(rates(count[i]))

    return lax.fori_loop(0, count.shape[0], body, jnp.zeros(count.shape, jnp.float32))


def by_vmap(rates: Schedule, count: jax.Array) -> Any:
    return jax.vmap(rates)(count)


WAYS: dict[str, Callable[[Schedule, jax.Array], Any]] = {
    "array": Schedule.__call__,
    "jit": jax.jit(Schedule.__call__, static_argnums=0),
    "vmap": by_vmap,
    "jit of vmap": jax.jit(by_vmap, static_argnums=0),
    "scan": by_scan,
    "fori_loop": by_fori_loop,
}


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_same_bits(name: str, way: str) -> None:
    rates = bound(name)
    count = jnp.array(STEPS, jnp.int32)

    got = np.asarray(WAYS[way](rates, count))

    assert got.dtype == np.float32
    assert np.array_equal(got, rounded(rates.curve, STEPS))
    assert np.array_equal(got, [rates(step) for step in STEPS])


def test_the_production_case_at_every_step() -> None:
    rates = schedule(PRODUCTION)
    steps = range(88_005)

    got = jax.jit(jax.vmap(rates))(jnp.arange(88_005))

    assert np.array_equal(np.asarray(got), rounded(rates.curve, steps))


def test_steps_up_to_the_last_of_int32() -> None:
    rates = bound("everything")
    steps = scattered(200, below=2**31 - 1, seed=1)

    got = jax.jit(rates)(jnp.array(steps, jnp.int32))

    assert np.array_equal(np.asarray(got), rounded(rates.curve, steps))


@pytest.mark.parametrize("enabled", [False, True])
def test_the_mode_of_the_program_does_not_matter(enabled: bool) -> None:
    rates = bound("warmup")
    with x64(enabled):
        rate = jax.jit(rates)(jnp.arange(3))

        assert (rate + jnp.float32(1)).dtype == jnp.float32
    assert rate.dtype == jnp.float32
    assert np.array_equal(np.asarray(rate), rounded(rates.curve, range(3)))


def test_the_program_around_it_keeps_its_mode() -> None:
    def around(count: jax.Array) -> tuple[jax.Array, jax.Array]:
        before = jnp.arange(3.0) / 3
        rate = bound("warmup")(count)
        return before * rate, jnp.arange(3.0) / 3

    for each in jax.jit(around)(jnp.int32(5)):
        assert each.dtype == jnp.float32


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "int64", "uint64"])
def test_any_integers(kind: str) -> None:
    rates = bound("warmup")
    with x64(True):
        rate = jax.jit(rates)(jnp.array([5, 17], kind))

    assert np.array_equal(np.asarray(rate), rounded(rates.curve, [5, 17]))


def test_a_negative_count_reads_step_0() -> None:
    rates = schedule(EVERYTHING)

    got = jax.jit(rates)(jnp.array([-(2**31), -1, 0]))

    assert np.array_equal(np.asarray(got), rounded(rates.curve, [0, 0, 0]))


def test_it_is_differentiated_around() -> None:
    rates = bound("warmup")

    def loss(weight: jax.Array, count: jax.Array) -> jax.Array:
        return weight * rates(count) * jnp.sin(weight)

    gradient = jax.jit(jax.grad(loss))(jnp.float32(2), jnp.int32(9))
    second = jax.hessian(loss)(jnp.float32(2), jnp.int32(9))

    assert gradient == pytest.approx(CURVE_AT_9 * (np.sin(2) + 2 * np.cos(2)), rel=1e-6)
    assert second == pytest.approx(CURVE_AT_9 * (2 * np.cos(2) - 2 * np.sin(2)), rel=1e-5)


CURVE_AT_9 = schedule(WARMUP).curve(9)


def test_it_can_be_rematerialized_and_chosen() -> None:
    rates = bound("warmup")

    def chosen(count: jax.Array) -> Any:
        return lax.cond(count > 3, jax.checkpoint(rates), jnp.float32, count)

    assert jax.jit(chosen)(jnp.int32(9)) == rates(9)
    assert jax.jit(chosen)(jnp.int32(3)) == 3


@pytest.fixture
def strict() -> Iterator[None]:
    """Whatever JAX can check."""
    with (
        jax.checking_leaks(),
        jax.debug_nans(True),
        jax.debug_infs(True),
        jax.numpy_dtype_promotion("strict"),
        jax.numpy_rank_promotion("raise"),
    ):
        yield


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_it_stands_every_check(name: str) -> None:
    rates = schedule(DOCUMENTS[name])
    count = jnp.array(STEPS[:80], jnp.int32)

    # `vmap` alone computes, and checks, every operation by itself.
    for got in (jax.jit(rates)(count), jax.vmap(rates)(count), by_scan(rates, count)):
        assert np.array_equal(np.asarray(got), rounded(rates.curve, STEPS[:80]))


def test_a_program_is_traced_once() -> None:
    rates = bound("warmup")
    traced = 0

    @jax.jit
    def program(count: jax.Array) -> jax.Array:
        nonlocal traced
        traced += 1
        return rates(count)

    for step in range(5):
        assert program(jnp.int32(step)) == rates(step)
    assert traced == 1


def test_equal_schedules_share_a_program() -> None:
    traced = 0

    def program(rates: Schedule, count: jax.Array) -> jax.Array:
        nonlocal traced
        traced += 1
        return rates(count)

    compiled = jax.jit(program, static_argnums=0)
    for _ in range(3):
        compiled(schedule(WARMUP), jnp.int32(1))
    assert traced == 1


def equations(function: Callable[[Any], Any]) -> int:
    """Equations of the traced program, with those of the programs inside it."""

    def number(program: Any) -> int:
        inside = 0
        for equation in program.eqns:
            for parameter in equation.params.values():
                for each in parameter if isinstance(parameter, tuple | list) else (parameter,):
                    inner = getattr(each, "jaxpr", each)
                    inside += number(inner) if hasattr(inner, "eqns") else 0
        return len(program.eqns) + inside

    return number(jax.make_jaxpr(function)(jnp.int32(0)).jaxpr)


@pytest.mark.parametrize("kinds", [SIX_KINDS, EVERY_FORM], ids=["six kinds", "every form of six"])
def test_the_program_does_not_grow_with_the_stages(kinds: tuple[Json, ...]) -> None:
    few, many = (equations(schedule(stages(number, kinds))) for number in (16, 256))

    assert few == many <= 150
    assert equations(schedule(stages(4, kinds))) <= 150


def test_a_hundred_thousand_knots() -> None:
    number = 100_000
    knots = {
        "boundaries": [3 * i for i in range(number)],
        "values": [(7 * i % 100) / 100 for i in range(number)],
    }
    rates = schedule({"lrspec": 1, "base": 1e-3, "schedule": {"piecewise_linear": knots}})
    steps = scattered(300, below=3 * number)

    got = jax.jit(jax.vmap(rates))(jnp.array(steps))

    assert equations(rates) < 100
    assert np.array_equal(np.asarray(got), rounded(rates.curve, steps))
