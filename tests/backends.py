"""The backends that tests run on: which were asked for, what they need, and how each is called."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lrspec.conformance import backends
from lrspec.conformance.adapter import Adapter
from lrspec.curve import Curve

# What must be installed for each; the core needs nothing.
NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"core": (), "torch": ("torch",), "optax": ("jax", "optax"), "keras": ("keras",)}
)

# Of the examples of a property, how many a backend is asked: array code compiles each curve.
SHARE = MappingProxyType({"core": 1.0, "torch": 0.5, "optax": 0.1, "keras": 0.1})


@dataclass(frozen=True)
class Backend:
    """One way to evaluate a curve; what it needs is imported when it is first used."""

    name: str

    @cached_property
    def found(self) -> backends.Backend:
        """The backend that `lrspec conform` runs; where there is none the test fails."""
        reason = unusable(self.name)
        if reason is None:
            try:
                return backends.find(self.name)
            except backends.BackendError as error:
                reason = str(error)
        pytest.fail(f"asked to test on {self.name}, but {reason}", pytrace=False)

    @property
    def profile(self) -> str:
        """How exact its values are: float64 or float32 (clause 8.7)."""
        return self.found.profile

    def __call__(self, curve: Curve, steps: Iterable[int]) -> list[float]:
        """The values at `steps`."""
        if not isinstance(self.found, Adapter):
            return [curve(step) for step in steps]
        if curve.base is None:
            # A host may have no rate of its own. 1 changes no value: 1.0 · v is v.
            facts: dict[str, Any] = {**curve.facts, "base": 1.0}
            curve = curve.document.bind(**facts)
        return [float(value) for value in self.found.evaluate(curve, list(steps))]

    def given(self, *strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], None]:
        """Runs the decorated function on as many examples as the backend can afford."""
        examples = max(int(settings().max_examples * SHARE[self.name]), 1)

        def run(test: Callable[..., None]) -> None:
            settings(max_examples=examples)(given(*strategies)(test))()

        return run


def unusable(name: str) -> str | None:
    """Why a backend cannot be imported here, if it cannot."""
    missing = [module for module in NEEDS[name] if not installed(module)]
    if missing:
        return f"{' and '.join(missing)} is not installed: pip install 'lrspec[{name}]'"
    if name == "keras" and not os.environ.get("KERAS_BACKEND"):
        # Keras would choose for itself, and load TensorFlow.
        return "KERAS_BACKEND is not set: jax, torch or tensorflow"
    return None


def installed(module: str) -> bool:
    """Whether a package can be imported; a folder of that name without code is none."""
    spec = find_spec(module)
    return spec is not None and spec.origin is not None


def asked_for(option: str | None) -> tuple[str, ...]:
    """The names in `--backends`, or without it what is installed."""
    if option is None:
        return tuple(name for name in NEEDS if unusable(name) is None)
    names = tuple(dict.fromkeys(name.strip() for name in option.split(",")))
    unknown = [name for name in names if name not in NEEDS]
    if unknown:
        raise pytest.UsageError(
            f"--backends: no backend is named {' or '.join(map(repr, unknown))};"
            f" there are {', '.join(NEEDS)}"
        )
    return names


def described(name: str) -> str:
    """A backend with the versions of what it needs, or why it cannot be used."""
    reason = unusable(name)
    if reason is not None:
        return f"{name} (fails: {reason})"
    needs = [f"{module} {version(module)}" for module in NEEDS[name]]
    if name == "keras":
        needs.append(f"on {os.environ['KERAS_BACKEND']}")
    return f"{name} ({', '.join(needs)})" if needs else name
