"""Our schedule and those of Keras, on the backend that Keras runs on in this process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import keras
import numpy as np
from keras import ops

from lrspec.loading import from_dict
from lrspec_keras import LearningRateSchedule
from precision.errors import Values
from precision.framework import Answer, agreed, mended, one_by_one, spread
from precision.runs import Steps

Rates: TypeAlias = Callable[[Any], Any]
Ways: TypeAlias = dict[str, Rates]


def ours(document: dict[str, Any], steps: Steps) -> Answer:
    """The rates by every way that the backend has."""
    rates = LearningRateSchedule(from_dict(document))
    backend = keras.backend.backend()
    if backend == "jax":
        from precision.in_jax import by_all_ways

        return by_all_ways(rates, steps)
    count: Any = ops.convert_to_tensor(steps.astype(np.int32))
    array = _numbers(rates(count))
    places = spread(steps)
    quick, slow = _torch_ways(rates) if backend == "torch" else _tensorflow_ways(rates)
    return agreed(
        {
            "array": array,
            "eager": one_by_one(rates, steps, array),
            **{way: _numbers(call(count)) for way, call in quick.items()},
            **{
                way: mended(array, places, _numbers(call(count[places])))
                for way, call in slow.items()
            },
        }
    )


def peer(rates: Any, steps: Steps) -> Values:
    """What a schedule gives within a compiled training, where the backend compiles."""
    backend = keras.backend.backend()
    if backend == "jax":
        from precision import in_jax

        return in_jax.peer(rates, steps)
    count: Any = ops.convert_to_tensor(steps.astype(np.int32))
    # A cosine with a warmup decides for one step, by a branch.
    single = getattr(rates, "warmup_target", None) is not None
    if backend == "tensorflow":
        quick, slow = _tensorflow_ways(rates)
        return _numbers(slow["scan"](count) if single else quick["jit"](count))
    return np.array([_numbers(rates(step)) for step in count]) if single else _numbers(rates(count))


def _torch_ways(rates: Rates) -> tuple[Ways, Ways]:
    import torch

    return {"vmap": torch.vmap(rates)}, {}


def _tensorflow_ways(rates: Rates) -> tuple[Ways, Ways]:
    """Those that are quick, and those that are not."""
    import tensorflow as tf

    def by_scan(count: Any) -> Any:
        return tf.map_fn(rates, count, fn_output_signature=tf.float32)

    def by_vmap(count: Any) -> Any:
        return tf.vectorized_map(rates, count)

    # AutoGraph reads source code, which nothing here needs.
    compiled = partial(tf.function, autograph=False)
    return (
        {"jit": compiled(rates), "XLA": compiled(rates, jit_compile=True)},
        {"scan": compiled(by_scan), "vmap": compiled(by_vmap)},
    )


def _numbers(tensor: Any) -> Values:
    numbers: Any = ops.convert_to_numpy(tensor)
    return np.asarray(numbers)
