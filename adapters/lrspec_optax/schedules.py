"""The schedule: a callable from an optimizer's count to a rate, traced or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import copysign
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.typing import ArrayLike

from lrspec.basis import require_base
from lrspec.binding import ScheduleLike, as_curve
from lrspec.curve import Curve
from lrspec.table import evaluate
from lrspec_optax.arrays import ARRAYS
from lrspec_optax.double import double_precision

_LARGEST = float(np.finfo(np.float32).max)
_SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)


def schedule(schedule: ScheduleLike, **facts: Any) -> Schedule:
    """An `optax.Schedule` of a schedule document.

    Args:
        schedule: A path, a `Document`, a mapping or a `Curve`.
        facts: The keywords of `Document.bind` (`steps`, `base`, `batch_size`, …; `name` for one of
            several `schedules`); an error beside a `Curve`.

    Raises:
        SpecError: The document or the facts have faults, or there is no base: optax has no rate of
            its own that values could be multiples of.
        TypeError: Facts beside a `Curve`, or a keyword that `bind` does not know.
        ValueError: A `repeat` grows so slowly that its periods do not fit in a table.
    """
    return Schedule(as_curve(schedule, facts))


class Schedule:
    """`schedule(count)` is the rate of the update that follows `count` completed ones.

    The result is a float32 array of the shape of `count`, not weakly typed, so that parameters of a
    lower precision do not lower it. It is `schedule.curve(count)` rounded to float32, computed in
    float64 whether the program has x64 enabled or not. A rate beyond float32 is the largest finite
    number of its sign; one below 2⁻¹²⁶ in magnitude may be 0.

    `count` is a whole number or an integer array of any shape. It may be traced (`jit`, `vmap`,
    `scan`, …): the traced program does not depend on the number of stages. A number that is known,
    of Python, NumPy or JAX, is evaluated on the host.

    Errors: TypeError for a `count` that is no integer. A float is refused even where it is whole,
    since float32 skips whole numbers above 2²⁴; count in integers or cast it. ValueError for a
    negative one; a traced count cannot raise, and reads step 0 where it is negative.

    Schedules are equal where their curves are; they can be hashed and pickled.

    Attributes:
        curve: The bound schedule.
    """

    def __init__(self, curve: Curve) -> None:
        self.curve = require_base(curve, "optax")
        self._table = replace(curve.table().map(np.array), largest=_LARGEST)

    def __call__(self, count: ArrayLike) -> jax.Array:
        """The rates at `count`."""
        if isinstance(count, int | np.integer):
            return self._known(count)
        if not isinstance(count, jax.Array | np.ndarray):
            raise TypeError(f"a count is an integer or an array of integers, not {count!r}")
        if not jnp.issubdtype(count.dtype, jnp.integer):
            raise TypeError(f"a count is an integer, not {count.dtype}; cast it to one")
        if isinstance(count, Tracer):
            return self._traced(count)
        steps = np.asarray(jax.device_get(count))
        if steps.ndim == 0:
            return self._known(int(steps))
        if steps.size and steps.min() < 0:
            raise ValueError(f"a count is 0 or more, not {steps.min()}")
        with double_precision():  # or int64 would be cut to int32
            return self._compiled(jnp.asarray(count))

    def _known(self, step: int | np.integer[Any]) -> jax.Array:
        """The rate at one step, by the reference."""
        value = self.curve(step)
        rate = np.float32(min(max(value, -_LARGEST), _LARGEST))
        if abs(rate) < _SMALLEST_NORMAL:  # compiled programs give 0 there
            rate = np.float32(copysign(0.0, value))
        return jnp.asarray(rate)

    def _traced(self, count: jax.Array) -> jax.Array:
        with double_precision():
            # Arrays of JAX: before 0.8 it takes those of NumPy for float32 in loops.
            with jax.ensure_compile_time_eval():
                table = self._table.map(jnp.asarray)
            steps = jnp.maximum(count, 0).astype(jnp.float64)
            rates: jax.Array = evaluate(table, steps, ARRAYS).astype(jnp.float32)
        return rates

    @cached_property
    def _compiled(self) -> Callable[[jax.Array], jax.Array]:
        return jax.jit(self._traced)

    def __eq__(self, other: object) -> bool:
        return self.curve == other.curve if isinstance(other, Schedule) else NotImplemented

    def __hash__(self) -> int:
        return hash((Schedule, self.curve))

    def __repr__(self) -> str:
        return f"lrspec_optax.schedule({self.curve!r})"

    def __reduce__(self) -> tuple[type[Schedule], tuple[Curve]]:
        return Schedule, (self.curve,)
