"""MLX: every function, called at every step, gives what the imported document says."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.joining import joined

from lrspec.importers.mlx import load
from lrspec.importing.imported import Imported

PARITY = settings(max_examples=100, deadline=None)
STEPS = 100

rates = st.just(0.0) | st.floats(1e-5, 2.0)
lengths = st.integers(1, 40)
# Numbers of float32, in which MLX takes their powers.
factors = st.integers(32, 72).map(lambda n: n / 64)

# Imported like this because a checker does not find them where mlx is not installed.
MX: Any = import_module("mlx.core")
OPTIM: Any = import_module("mlx.optimizers")


def args(name: str, required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a function, those with defaults given or not."""
    return st.fixed_dictionaries({"name": st.just(name), **required}, optional=optional)


KINDS = {
    "linear": args("linear_schedule", {"init": rates, "end": rates, "steps": lengths}),
    "cosine": args("cosine_decay", {"init": rates, "decay_steps": lengths}, end=rates),
    "exponential": args("exponential_decay", {"init": rates, "decay_rate": factors}),
    "step": args("step_decay", {"init": rates, "decay_rate": factors, "step_size": lengths}),
}
SINGLE = st.one_of(*KINDS.values())

KINDS["join"] = joined(SINGLE)


def schedule(config: dict[str, Any]) -> Any:
    """MLX's own schedule."""
    given = {key: value for key, value in config.items() if key != "name"}
    if "schedules" in given:
        given["schedules"] = [schedule(item) for item in given["schedules"]]
    return getattr(OPTIM, config["name"])(**given)


def values(config: dict[str, Any], steps: int = STEPS) -> list[float]:
    """Its rates, at the steps as an optimizer counts them."""
    made = schedule(config)
    return [float(made(MX.array(step, MX.uint64))) for step in range(steps)]


def largest(config: dict[str, Any]) -> float:
    """The largest rate that a configuration names: MLX's float32 loses digits beside it, whether
    the schedule comes there or is left before."""
    inner = [largest(item) for item in config.get("schedules", ())]
    named = [abs(float(config.get(key, 0.0))) for key in ("init", "end")]
    return max([*named, *inner])


def off(
    document: Imported, values: list[float], config: dict[str, Any]
) -> list[tuple[int, float, float]]:
    """The steps at which the document has something else than float32 can tell apart."""
    curve, peak = document.bind(), largest(config)
    return [
        (step, curve(step), value)
        for step, value in enumerate(values)
        if not abs(curve(step) - value) <= 2e-6 * abs(value) + 2.5e-7 * peak
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_function(kind: str) -> None:
    @PARITY
    @given(KINDS[kind])
    def same(config: dict[str, Any]) -> None:
        assert not off(load(config), values(config), config)

    same()


# What MLX gives that the document does not: the smallest example, the first step, and why.
DEVIATIONS: list[tuple[dict[str, Any], int, str]] = [
    (
        {"name": "exponential_decay", "init": 1.0, "decay_rate": 0.999},
        178,
        "MLX takes powers of the float32 next to 0.999, and its error grows with every step",
    ),
]


@pytest.mark.parametrize(("config", "first", "why"), DEVIATIONS)
def test_deviations(config: dict[str, Any], first: int, why: str) -> None:
    assert why
    found = off(load(config), values(config, first + 10), config)
    assert found[0][0] == first
    assert all(abs(here - there) < 1e-5 for _, here, there in found)
