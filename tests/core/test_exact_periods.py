"""Periods, powers and multiples are found by exact arithmetic, however many (clause 3.9)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lrspec.curve import Curve
from lrspec.importing.nodes import constant, exponential, linear, quantize, repeat
from lrspec.loading import from_dict


def curve(schedule: Any, **root: Any) -> Curve:
    return from_dict({"lrspec": 1, "schedule": schedule, **root}).bind()


STEPS = {"sample": "middle", "training": {"steps_per_epoch": 3}}
# In thirds of a step no float64 is exact: 0.1 epochs are 3/10 of a step, 0.4 epochs 6/5.
LATE = constant(1.0, "0.1 epochs")


@pytest.mark.parametrize("step", range(20))
def test_the_middle_of_a_step_beside_a_fractional_start(step: int) -> None:
    powers = curve([LATE, exponential(None, 0.5, "0.4 epochs", staircase=True)], **STEPS)
    multiples = curve([LATE, quantize(linear(1.0, 0.0, "30 epochs"), "0.4 epochs")], **STEPS)
    periods = curve([LATE, repeat(constant(1.0), period="0.4 epochs", shrink=0.5)], **STEPS)
    index = max(Fraction(10 * step + 5 - 3, 10), Fraction(0)) // Fraction(6, 5)

    assert powers(step) == periods(step) == 0.5**index
    assert multiples(step) == pytest.approx(1 - float(index * Fraction(6, 5)) / 90, rel=1e-15)


def test_more_periods_than_float64_counts() -> None:
    many = curve([repeat(linear(1.0, 0.5), period="1e-310 steps", length=10), constant()])

    assert many(11) == 0.5


@pytest.mark.parametrize("stretch", [1e150, 1e300])
def test_periods_that_grow_beyond_all_bounds(stretch: float) -> None:
    once = curve(repeat(linear(1.0, 0.5), period=2, stretch=stretch))

    assert [once(step) for step in (0, 1, 2, 10**6)] == [1.0, 0.75, 1.0, 1.0]
