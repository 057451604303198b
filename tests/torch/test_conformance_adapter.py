"""The callable that the conformance suite runs is the curve, through a real scheduler."""

from __future__ import annotations

import time
from importlib.metadata import entry_points
from typing import Any

import pytest

from lrspec.binding import as_curves
from lrspec_torch.conformance import evaluate

DOCUMENT: dict[str, Any] = {
    "lrspec": 1,
    "schedule": [
        {"linear": {"initial": 0, "final": 1, "length": 4}},
        {"cosine": {"final": 0.1, "length": 30}},
    ],
}
STEPS = [0, 3, 4, 5, 33, 34, 35, 2**31 - 1, 2**53, 1, 0]


@pytest.mark.parametrize("base", [None, 3e-4])
def test_it_is_the_curve_bit_for_bit(base: float | None) -> None:
    curve = as_curves(DOCUMENT, {} if base is None else {"base": base})["lr"]
    assert list(evaluate(curve, STEPS)) == [curve(step) for step in STEPS]


@pytest.mark.parametrize("name", ["momentum", "weight_decay", "temperature"])
def test_it_takes_a_curve_of_any_name(name: str) -> None:
    document = {"lrspec": 1, "schedules": {name: DOCUMENT["schedule"]}}
    curve = as_curves(document, {})[name]
    assert list(evaluate(curve, STEPS)) == [curve(step) for step in STEPS]


def test_it_is_found_with_its_profile() -> None:
    (entry,) = entry_points(group="lrspec.adapters", name="torch")
    assert entry.load() is evaluate
    assert entry.load().profile == "float64"


def test_it_is_quick() -> None:
    curve = as_curves(DOCUMENT, {})["lr"]
    evaluate(curve, [0])
    start = time.perf_counter()
    evaluate(curve, range(1000))
    assert time.perf_counter() - start < 2
