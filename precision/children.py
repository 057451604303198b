"""Keras in a process for each of its backends, since one process has one backend."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from precision.errors import Values
from precision.framework import Answer
from precision.runs import Run, Steps


class Keras:
    """Keras on one backend; `close` ends its process."""

    single = True

    def __init__(self, backend: str) -> None:
        self.name = f"keras on {backend}"
        self._pool = ProcessPoolExecutor(
            1, get_context("spawn"), initializer=_start, initargs=(backend,)
        )

    def ours(self, document: dict[str, Any], steps: Steps) -> Answer:
        """The rates of our schedule."""
        return self._pool.submit(_ours, document, steps).result()

    def peers(self, document: str, run: Run, steps: Steps) -> Mapping[str, Values]:
        """The rates of schedules of Keras."""
        found = self._pool.submit(_peers, document, run.horizon, steps).result()
        return {f"{name} on {self.name.split()[-1]}": values for name, values in found.items()}

    def close(self) -> None:
        """End the process."""
        self._pool.shutdown()


def _start(backend: str) -> None:
    os.environ["KERAS_BACKEND"] = backend
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    # Each document is a program of its own; TensorFlow warns that they are many.
    logging.getLogger("tensorflow").setLevel(logging.ERROR)


def _ours(document: dict[str, Any], steps: Steps) -> Answer:
    from precision import in_keras

    return in_keras.ours(document, steps)


def _peers(document: str, horizon: int, steps: Steps) -> Mapping[str, Values]:
    from precision import in_keras
    from precision.peers_keras import PEERS

    made = PEERS.get(document, {})
    return {f"keras {name}": in_keras.peer(make(horizon), steps) for name, make in made.items()}
