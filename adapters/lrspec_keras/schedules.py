"""The schedule: a callable from an optimizer's iterations to a rate, saved with the model."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import keras
import numpy as np
from keras import ops

from lrspec.basis import require_base
from lrspec.binding import ScheduleLike, as_curve
from lrspec.table import Table, evaluate
from lrspec_keras.arrays import arrays
from lrspec_keras.double import double_precision
from lrspec_keras.known import known

_LARGEST = float(np.finfo(np.float32).max)


@keras.saving.register_keras_serializable(package="lrspec")
class LearningRateSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """`schedule(step)` is the rate of the update that follows `step` completed ones.

    The result is a float32 tensor of the shape of `step`: `schedule.curve(step)` rounded to
    float32, computed in float64 on the jax, torch and tensorflow backends, compiled or not. A rate
    beyond float32 is the largest finite number of its sign; one below 2⁻¹²⁶ in magnitude may be 0.

    `step` is a whole number, or an integer tensor or variable of any shape, such as
    `optimizer.iterations`. One number that the host knows is evaluated there.

    The configuration that a `.keras` file keeps is the document and the facts it was bound to. A
    model that uses the schedule loads without `custom_objects` once `lrspec_keras` is imported.

    Args:
        schedule: A path, a `Document`, a mapping or a `Curve`.
        facts: The keywords of `Document.bind` (`steps`, `base`, `batch_size`, …; `name` for one of
            several `schedules`); an error beside a `Curve`.

    Attributes:
        curve: The bound schedule.

    Raises:
        SpecError: The document or the facts have faults, or there is no base: Keras has no rate of
            its own that values could be multiples of.
        TypeError: Facts beside a `Curve`, a keyword that `bind` does not know, or a `step` that is
            no integer (a float skips whole numbers above 2²⁴).
        ValueError: A known number below 0. A traced one cannot raise and reads step 0 there.
    """

    def __init__(self, schedule: ScheduleLike, **facts: Any) -> None:
        super().__init__()
        self.curve = require_base(as_curve(schedule, facts), "Keras")

    @cached_property
    def _table(self) -> Table:
        return replace(self.curve.table().map(np.array), largest=_LARGEST)

    def __call__(self, step: Any) -> Any:
        """The rates at `step`."""
        if isinstance(step, int | np.integer) and not isinstance(step, bool):
            return self._at(step)
        count: Any = ops.convert_to_tensor(step)
        dtype = keras.backend.standardize_dtype(count.dtype)
        if isinstance(step, bool) or "int" not in dtype:
            raise TypeError(f"a step is an integer, not {dtype}; cast it to one")
        number = known(count)
        if number is not None:
            return self._at(number)
        xp = arrays()
        with double_precision():
            # In one dimension: TensorFlow searches for no scalars.
            steps = xp.maximum(ops.reshape(ops.cast(count, "float64"), (-1,)), 0.0)
            rates = ops.cast(evaluate(self._table, steps, xp), "float32")
        return ops.reshape(rates, ops.shape(count))

    def _at(self, step: int | np.integer[Any]) -> Any:
        """The rate at one step, by the reference."""
        value = np.float32(min(max(self.curve(step), -_LARGEST), _LARGEST))
        return ops.convert_to_tensor(value, dtype="float32")

    def get_config(self) -> dict[str, Any]:
        """The document and the facts, in JSON types."""
        return {"document": self.curve.document.to_dict(), "facts": dict(self.curve.facts)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LearningRateSchedule:
        """The schedule of `get_config()`."""
        return cls(config["document"], **config["facts"])

    def __repr__(self) -> str:
        return f"lrspec_keras.LearningRateSchedule({self.curve!r})"
