"""Schedules of optax that mean the same curves as some of the documents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import jax.numpy as jnp
import optax

from precision.framework import Peer
from precision.leaves import LOW, PEAK, hundredth
from precision.nested import KINDS_OF_STAGES, STAGES, WARMUP_FROM, stage, warmup


def _production(horizon: int) -> Any:
    scales: dict[Any, float] = {
        0.45 * horizon: PEAK / 1e-5,
        0.9 * horizon: 1e-5 / PEAK,
        horizon: LOW / 1e-5,
    }
    return optax.piecewise_interpolate_schedule("linear", 1e-5, scales)


def _exponential(horizon: int, *, staircase: bool) -> Any:
    return optax.exponential_decay(PEAK, hundredth(horizon), 0.96, staircase=staircase)


def _warmup_cosine(horizon: int) -> Any:
    return optax.warmup_cosine_decay_schedule(
        WARMUP_FROM * PEAK, PEAK, warmup(horizon), horizon, end_value=LOW
    )


def _stages(horizon: int) -> Any:
    length = stage(horizon)
    made = [_stage(kind, length, **fields) for kind, fields in KINDS_OF_STAGES]
    return optax.join_schedules(
        [made[index % len(made)] for index in range(STAGES)],
        [length * index for index in range(1, STAGES)],
    )


def _stage(kind: str, length: int, **fields: float) -> Any:
    """Each counts from its own start."""
    initial = fields.get("initial", 0.0)
    final = fields.get("final", 0.0)
    match kind:
        case "constant":
            return optax.constant_schedule(fields["value"])
        case "linear":
            return optax.linear_schedule(initial, final, length)
        case "cosine":
            return optax.cosine_decay_schedule(initial, length, alpha=final / initial)
        case "polynomial":
            return optax.polynomial_schedule(initial, final, fields["power"], length)
        case "geometric":
            return optax.exponential_decay(initial, length, final / initial)
        case _:
            return partial(_inverse_sqrt, initial, fields["timescale"])


def _inverse_sqrt(initial: float, timescale: float, count: Any) -> Any:
    return initial / jnp.sqrt(1 + count / timescale)


PEERS: Mapping[str, Mapping[str, Peer]] = MappingProxyType(
    {
        "linear to 0": {"linear_schedule": lambda n: optax.linear_schedule(PEAK, 0.0, n)},
        "linear falling": {"linear_schedule": lambda n: optax.linear_schedule(PEAK, LOW, n)},
        "cosine to 0": {"cosine_decay_schedule": lambda n: optax.cosine_decay_schedule(PEAK, n)},
        "cosine falling": {
            "cosine_decay_schedule": lambda n: optax.cosine_decay_schedule(
                PEAK, n, alpha=LOW / PEAK
            )
        },
        "cosine of exponent 2.5 to 0": {
            "cosine_decay_schedule": lambda n: optax.cosine_decay_schedule(PEAK, n, exponent=2.5)
        },
        "polynomial of power 0.9 to 0": {
            "polynomial_schedule": lambda n: optax.polynomial_schedule(PEAK, 0.0, 0.9, n)
        },
        "polynomial of power 2 to 0": {
            "polynomial_schedule": lambda n: optax.polynomial_schedule(PEAK, 0.0, 2, n)
        },
        "exponential of 0.96": {"exponential_decay": lambda n: _exponential(n, staircase=False)},
        "exponential of 0.96 in stairs": {
            "exponential_decay": lambda n: _exponential(n, staircase=True)
        },
        "production": {"piecewise_interpolate_schedule": _production},
        "warmup and cosine": {"warmup_cosine_decay_schedule": _warmup_cosine},
        "256 stages": {"join_schedules": _stages},
    }
)
