"""A function of a count on JAX, in float32 as a training has it, called in every way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from precision.errors import Values
from precision.framework import Answer, agreed, one_by_one
from precision.runs import Steps


def by_all_ways(rates: Callable[[Any], Any], steps: Steps) -> Answer:
    """What a function of a count gives, however JAX is told to call it."""
    count = jnp.asarray(steps.astype(np.int32))

    def by_scan(count: jax.Array) -> Any:
        return lax.scan(lambda carry, step: (carry, rates(step)), 0, count)[1]

    compiled = np.asarray(jax.jit(rates)(count))
    return agreed(
        {
            "jit": compiled,
            "jit of vmap": np.asarray(jax.jit(jax.vmap(rates))(count)),
            "vmap": np.asarray(jax.vmap(rates)(count)),
            "scan": np.asarray(jax.jit(by_scan)(count)),
            "array": np.asarray(rates(count)),
            "eager": one_by_one(rates, steps, compiled),
        }
    )


def peer(rates: Callable[[Any], Any], steps: Steps) -> Values:
    """What a schedule gives within a compiled training."""
    return np.asarray(jax.jit(jax.vmap(rates))(jnp.asarray(steps.astype(np.int32))))
