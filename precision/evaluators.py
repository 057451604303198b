"""Everything that is measured: the reference, the adapters, and the frameworks' own schedules."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from lrspec.loading import from_dict
from precision.children import Keras
from precision.errors import Values
from precision.framework import Answer, agreed
from precision.runs import Run, Steps

BACKENDS = ("jax", "torch", "tensorflow")


class Evaluator(Protocol):
    """A way from documents to values; `single` where they are float32 and steps int32."""

    @property
    def name(self) -> str:
        """What the table calls it."""
        ...

    @property
    def single(self) -> bool:
        """Whether values are float32 and steps int32."""
        ...

    def ours(self, document: dict[str, Any], steps: Steps) -> Answer:
        """The values of a document."""
        ...

    def peers(self, document: str, run: Run, steps: Steps) -> Mapping[str, Values]:
        """The values of the framework's own schedules that mean the curve of a document, by their
        names; nothing where there are none or a run is too long for them."""
        ...


class Core:
    """The reference."""

    name, single = "core", False

    def ours(self, document: dict[str, Any], steps: Steps) -> Answer:
        """What `curve(step)` gives."""
        curve = from_dict(document).bind()
        return agreed({"calls": np.array([curve(step) for step in steps.tolist()])})

    def peers(self, document: str, run: Run, steps: Steps) -> Mapping[str, Values]:
        """None."""
        return {}


class Torch:
    """The torch adapter."""

    name, single = "torch", False

    def ours(self, document: dict[str, Any], steps: Steps) -> Answer:
        """The rates that our scheduler sets."""
        from precision import in_torch

        return in_torch.ours(document, steps)

    def peers(self, document: str, run: Run, steps: Steps) -> Mapping[str, Values]:
        """Those of torch, where every step is read: they have no other way to a step."""
        from precision import in_torch
        from precision.leaves import PEAK
        from precision.peers_torch import PEERS

        return {
            f"torch {name}, {kind} rate": in_torch.peer(
                make, PEAK, run.horizon, tensor=kind == "tensor"
            )[steps]
            for name, make in PEERS.get(document, {}).items()
            for kind in ("float", "tensor")
            if run.complete
        }


class Optax:
    """The optax adapter."""

    name, single = "optax", True

    def ours(self, document: dict[str, Any], steps: Steps) -> Answer:
        """The rates of our schedule."""
        from precision import in_optax

        return in_optax.ours(document, steps)

    def peers(self, document: str, run: Run, steps: Steps) -> Mapping[str, Values]:
        """Those of optax."""
        from precision import in_jax
        from precision.peers_optax import PEERS

        made = PEERS.get(document, {})
        return {
            f"optax {name}": in_jax.peer(make(run.horizon), steps) for name, make in made.items()
        }


@contextmanager
def installed() -> Generator[tuple[list[Evaluator], list[str]]]:
    """Those whose framework is there, the reference first, and what is missing for the others.

    Keras is measured on the backend that KERAS_BACKEND names, otherwise on all that are there.
    """
    chosen = os.environ.get("KERAS_BACKEND")
    with ExitStack() as stack:
        found: list[Evaluator] = [Core()]
        missing: list[str] = []

        def there(name: str, *packages: str) -> bool:
            absent = [package for package in packages if find_spec(package) is None]
            missing.extend(f"{name} needs {package}" for package in absent)
            return not absent

        if there("torch", "torch"):
            found.append(Torch())
        if there("optax", "jax", "optax"):
            found.append(Optax())
        for backend in BACKENDS if chosen is None else (chosen,):
            if there(f"keras on {backend}", "keras", backend):
                keras = Keras(backend)
                stack.callback(keras.close)
                found.append(keras)
        yield found, missing
