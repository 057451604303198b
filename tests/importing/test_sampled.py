"""A function sampled at every step is straight lines through its values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.importing.sampled import sampled
from lrspec.loading import from_dict


def knots(values: list[float]) -> list[int]:
    """The steps that are kept of a function with these values."""
    node = sampled(lambda step: values[step], len(values) - 1)
    found: list[int] = node["piecewise_linear"]["boundaries"]
    assert node["piecewise_linear"]["values"] == [values[step] for step in found]
    return found


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ([0.5], [0]),
        ([0.5, 0.25], [0, 1]),
        ([1, 1, 1, 1], [0, 3]),
        ([0, 1, 2, 3, 3, 3], [0, 3, 5]),
        ([0, 1, 2, 3, 2, 1, 0], [0, 3, 6]),
        ([0, 1, 0, 1, 0], [0, 1, 2, 3, 4]),
        ([0, 1, 4, 9, 16], [0, 1, 2, 3, 4]),
        ([1, 1, 1, 0.5, 0.5, 0.5], [0, 2, 3, 5]),
        ([0, 0, 0], [0, 2]),
        ([-1, -2, -3, 0], [0, 2, 3]),
        # Less than 1e-13 of the largest is no bend.
        ([0, 0.1, 0.2, 0.30000000000000004, 0.4], [0, 4]),
        ([0, 1, 2 + 1e-12, 3, 4], [0, 1, 2, 3, 4]),
    ],
)
def test_what_lies_on_a_line_is_left_out(values: list[float], kept: list[int]) -> None:
    assert knots(values) == kept


@given(
    st.lists(st.floats(-1e3, 1e3) | st.sampled_from([0.0, 1.0, 0.5]), min_size=1, max_size=40)
    | st.lists(st.integers(0, 4).map(float), min_size=1, max_size=60)
)
def test_every_value_is_that_of_the_function(values: list[float]) -> None:
    node = sampled(lambda step: values[step], len(values) - 1)
    curve = from_dict({"lrspec": 1, "base": "absolute", "schedule": node}).bind()
    tolerance = 3e-13 * max(map(abs, values))
    for step, value in enumerate(values):
        assert abs(curve(step) - value) <= tolerance
    assert curve(len(values) + 5) == values[-1]


def test_a_smooth_curve_keeps_all_of_its_steps() -> None:
    node = sampled(lambda step: math.cos(step / 10), 30)
    assert node["piecewise_linear"]["boundaries"] == list(range(31))


@pytest.mark.parametrize(
    ("value", "message"),
    [(math.inf, "at step 2 the rate is inf"), (math.nan, "at step 2 the rate is nan")],
)
def test_what_is_not_finite(value: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sampled(lambda step: value if step == 2 else 1.0, 3)
