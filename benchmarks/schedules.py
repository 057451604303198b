"""The schedules that are measured, as documents and as what one would write without them.

Closures by hand have the formula of the clauses, so that both sides do the same arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sin, sqrt
from random import Random
from typing import Any

Closure = Callable[[int], float]

KNOTS = {"boundaries": [0, "45%", "90%", "100%"], "values": [1e-5, 4e-3, 1e-5, 1e-6]}


def production(steps: int) -> dict[str, Any]:
    """Three straight lines over the run."""
    return {
        "lrspec": 1,
        "base": "absolute",
        "training": {"steps": steps},
        "schedule": {"piecewise_linear": KNOTS},
    }


def production_by_hand(steps: int) -> Closure:
    """The same formula, as written for one training."""
    first, second = 0.45 * steps, 0.9 * steps

    def rate(step: int) -> float:
        if step < first:
            return 1e-5 + (4e-3 - 1e-5) * (step / first)
        if step < second:
            return 1e-5 + (4e-3 - 1e-5) * ((second - step) / (second - first))
        if step < steps:
            return 1e-6 + (1e-5 - 1e-6) * ((steps - step) / (steps - second))
        return 1e-6

    return rate


def warmup_cosine(steps: int) -> dict[str, Any]:
    """A warmup over a fiftieth of the run, then a cosine to a tenth."""
    return {
        "lrspec": 1,
        "base": 3e-4,
        "training": {"steps": steps},
        "schedule": [
            {"linear": {"initial": 0, "final": 1, "length": "2%"}},
            {"cosine": {"final": 0.1}},
        ],
    }


def warmup_cosine_by_hand(steps: int) -> Closure:
    """The same formula, as written for one training: ½(1 + cos πu) without its cancellation."""
    warmup = 0.02 * steps
    length = steps - warmup

    def rate(step: int) -> float:
        if step < warmup:
            return 3e-4 * (step / warmup)
        left = steps - step
        if left <= 0:
            return 3e-4 * 0.1
        if left <= 0.5 * length:
            root = sin(pi / 2 * (left / length))
            weight = root * root
        else:
            root = sin(pi / 2 * ((step - warmup) / length))
            weight = 1 - root * root
        return 3e-4 * (0.1 + 0.9 * weight)

    return rate


def inverse_sqrt() -> dict[str, Any]:
    """A warmup of 4000 steps, then an inverse square root without an end."""
    return {
        "lrspec": 1,
        "base": 5e-4,
        "schedule": [
            {"linear": {"initial": 0, "final": 1, "length": 4000}},
            {"inverse_sqrt": {"timescale": 4000}},
        ],
    }


def inverse_sqrt_by_hand() -> Closure:
    """The same formula, as written for one training."""

    def rate(step: int) -> float:
        return 5e-4 * (step / 4000) if step < 4000 else 5e-4 * sqrt(4000 / step)

    return rate


def knots(number: int) -> dict[str, Any]:
    """A line through `number` points, ten steps apart."""
    random = Random(number)
    return {
        "lrspec": 1,
        "base": "absolute",
        "schedule": {
            "piecewise_linear": {
                "boundaries": [10 * index for index in range(number)],
                "values": [random.uniform(1e-5, 1e-3) for _ in range(number)],
            }
        },
    }


# Six kinds in turn, each stage as long as the last.
_KINDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("linear", {"initial": 0.1, "final": 1}),
    ("constant", {"value": 1}),
    ("cosine", {"initial": 1, "final": 0.2}),
    ("polynomial", {"initial": 0.2, "final": 0.8, "power": 1.5}),
    ("geometric", {"initial": 0.8, "final": 0.3}),
    ("inverse_sqrt", {"initial": 0.3, "timescale": 100}),
)
STAGE = 300


def stages(number: int) -> dict[str, Any]:
    """A list of `number` stages of six kinds."""
    kinds = (_KINDS[index % len(_KINDS)] for index in range(number))
    return {
        "lrspec": 1,
        "base": 1e-3,
        "schedule": [{kind: {**fields, "length": STAGE}} for kind, fields in kinds],
    }


def stages_by_hand(number: int) -> list[Callable[[Any], Any]]:
    """The same stages as schedules of optax; each counts from its own start."""
    import jax.numpy as jnp
    import optax

    def inverse_sqrt(count: Any) -> Any:
        return 3e-4 / jnp.sqrt(1 + count / 100)

    kinds: tuple[Callable[[Any], Any], ...] = (
        optax.linear_schedule(1e-4, 1e-3, STAGE),
        optax.constant_schedule(1e-3),
        optax.cosine_decay_schedule(1e-3, STAGE, alpha=0.2),
        optax.polynomial_schedule(2e-4, 8e-4, 1.5, STAGE),
        optax.exponential_decay(8e-4, STAGE, 0.375),
        inverse_sqrt,
    )
    return [kinds[index % len(kinds)] for index in range(number)]
