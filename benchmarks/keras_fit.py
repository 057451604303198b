"""`fit` of a small Keras model under a schedule, against a constant rate."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from benchmarks import schedules
from benchmarks.measuring import Contender, race, ratios
from benchmarks.rows import Missing, Row, at_most

BACKENDS = ("jax", "torch", "tensorflow")
EXAMPLES, BATCH = 8192, 16


def measure() -> Iterator[Row | Missing]:
    """Epochs of 512 steps, on the backend that is chosen or the first that is there."""
    installed = [name for name in BACKENDS if find_spec(name) is not None]
    if "KERAS_BACKEND" not in os.environ:
        if not installed:
            yield Missing("needs a backend of Keras")
            return
        os.environ["KERAS_BACKEND"] = installed[0]
    backend = os.environ["KERAS_BACKEND"]

    from lrspec_keras import LearningRateSchedule

    steps = 1_000_000
    constant, *scheduled = (
        _fit(rate)
        for rate in (
            3e-4,
            LearningRateSchedule(schedules.warmup_cosine(steps)),
            LearningRateSchedule(schedules.stages(256)),
        )
    )
    times = race(constant, *scheduled, rounds=9, seconds=0.5)
    for name, each in zip(("warmup-cosine", "256 stages"), times[1:], strict=True):
        what = f"fit on {backend}, {name} / a constant rate"
        yield Row(what, ratios(each, times[0]), at_most(1.1))


def _fit(rate: Any) -> Contender:
    import keras
    import numpy as np

    model: Any = keras.Sequential(
        [keras.layers.Input((32,)), keras.layers.Dense(64), keras.layers.Dense(1)]
    )
    model.compile(keras.optimizers.AdamW(rate), "mse")
    inputs = np.random.default_rng(0).normal(size=(EXAMPLES, 32)).astype("float32")
    targets = inputs[:, :1].copy()

    def run(times: int) -> None:
        model.fit(inputs, targets, BATCH, epochs=times, verbose=0)

    return run
