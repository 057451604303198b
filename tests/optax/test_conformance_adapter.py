"""The callable that the conformance suite runs is the curve rounded to float32."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest
from tests.optax.documents import WARMUP, rounded

from lrspec.binding import as_curve
from lrspec_optax.conformance import evaluate

STEPS = [0, 3, 4, 5, 33, 34, 35, 2**31 - 1, 1, 0]


@pytest.mark.parametrize("more", [[], [2**31], [2**53]])
def test_it_is_the_curve(more: list[int]) -> None:
    curve = as_curve(WARMUP, {})

    assert evaluate(curve, STEPS + more) == rounded(curve, STEPS + more).tolist()


def test_it_takes_no_steps() -> None:
    assert evaluate(as_curve(WARMUP, {}), []) == []


def test_it_is_found_with_its_profile() -> None:
    (entry,) = entry_points(group="lrspec.adapters", name="optax")

    assert entry.load() is evaluate
    assert entry.load().profile == "float32"
