"""What the optax schedule adds to a program: its size, its compilation, the time of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import optax

from benchmarks import schedules
from benchmarks.measuring import Contender, calls, race, ratios
from benchmarks.rows import Missing, Row, at_least, at_most
from lrspec_optax import schedule

COUNT = jnp.int32(0)


def measure() -> Iterator[Row | Missing]:
    """First what cannot vary, then the times."""
    few, many = schedule(schedules.stages(4)), schedule(schedules.stages(256))
    yield Row("equations of 4 stages", (equations(few),), at_most(150), unit="")
    yield Row("equations of 256 stages", (equations(many),), at_most(150), unit="")
    joined = optax.join_schedules(
        schedules.stages_by_hand(256),
        [schedules.STAGE * index for index in range(1, 256)],
    )
    yield Row("equations of optax.join_schedules, 256 stages", (equations(joined),), unit="")

    ours, small, theirs, step, floor = race(
        calls(lambda: compiled(many, COUNT)),
        calls(lambda: compiled(few, COUNT)),
        calls(lambda: compiled(joined, COUNT)),
        calls(lambda: compiled(*program(many))),
        calls(lambda: compiled(*program(1e-3))),
        rounds=5,
        seconds=0,
    )
    name = "compiling"
    yield Row(f"{name} join_schedules / 256 stages", ratios(theirs, ours), at_least(4))
    yield Row(f"{name} 256 stages / 4 stages", ratios(ours, small), at_most(3))
    yield Row(f"{name} a train step, 256 stages / a constant rate", ratios(step, floor), at_most(3))

    native = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 1000, 10**6)
    rates = {"4 stages": few, "256 stages": many, "optax's cosine": native}
    constant, *times = race(training(1e-3), *map(training, rates.values()), rounds=41, seconds=0.05)
    for what, each in zip(rates, times, strict=True):
        target = None if rates[what] is native else at_most(1.1)
        yield Row(f"jitted train step, {what} / a constant rate", ratios(each, constant), target)


def equations(function: Callable[[Any], Any]) -> int:
    """Equations of the traced program, with those of the programs inside it."""
    return _equations(jax.make_jaxpr(function)(COUNT).jaxpr)


def _equations(program: Any) -> int:
    return len(program.eqns) + sum(map(_equations, _inside(program)))


def _inside(program: Any) -> Iterator[Any]:
    """The programs that are parameters of a program's equations."""
    for equation in program.eqns:
        for parameter in equation.params.values():
            for each in parameter if isinstance(parameter, tuple | list) else (parameter,):
                inner = getattr(each, "jaxpr", each)
                if hasattr(inner, "eqns"):
                    yield inner


def compiled(function: Callable[..., Any], *arguments: Any) -> object:
    """Traced and compiled, from nothing."""
    jax.clear_caches()  # type: ignore[no-untyped-call]

    def fresh(*these: Any) -> Any:
        return function(*these)

    return jax.jit(fresh).lower(*arguments).compile()


def program(rate: Any) -> tuple[Callable[[Any, Any], tuple[Any, Any]], Any, Any]:
    """A step of AdamW on a small network, with what it begins from."""
    optimizer = optax.adamw(rate)
    key = jax.random.key(0)
    inputs = jax.random.normal(key, (32, 64))
    weights = [jax.random.normal(key, (64, 64)) / 8 for _ in range(4)]

    def loss(weights: list[jax.Array]) -> jax.Array:
        outputs = inputs
        for weight in weights:
            outputs = jnp.tanh(outputs @ weight)
        return jnp.mean(outputs**2)

    def step(weights: list[jax.Array], state: Any) -> tuple[Any, Any]:
        gradients = jax.grad(loss)(weights)
        updates, state = optimizer.update(gradients, state, weights)
        return optax.apply_updates(weights, updates), state

    return step, weights, optimizer.init(weights)


def training(rate: Any) -> Contender:
    """Steps of it, compiled."""
    step, now, state = program(rate)
    jitted = jax.jit(step)

    def run(times: int) -> None:
        nonlocal now, state
        for _ in range(times):
            now, state = jitted(now, state)
        now[0].block_until_ready()

    return run
