"""The vertical axis of a picture: places, and what is written beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.plotting.axis import LogAxis, divided, power_of, written

LARGEST = 1.7976931348623157e308


@pytest.mark.parametrize(
    ("value", "power", "text"),
    [
        (0.25, -2, "0.0025"),
        (0.30000000000000004, 0, "0.3"),
        (-0.0, 0, "0"),
        (0.0, 300, "0"),
        (2, 308, "2e+308"),
        (-2.5, 308, "-2.5e+308"),
        (10, 307, "1e+308"),
        (4.94, -324, "4.94e-324"),
    ],
)
def test_numbers_beyond_float64_are_written(value: float, power: int, text: str) -> None:
    assert written(value, power) == text


@pytest.mark.parametrize(
    ("peak", "power"), [(0, 0), (1, 0), (1e200, 0), (LARGEST, 308), (1e-250, -250), (5e-324, -324)]
)
def test_only_what_is_near_the_ends_is_divided(peak: float, power: int) -> None:
    assert power_of(peak) == power
    assert peak == 0 or power == 0 or 1 <= divided(peak, power) < 10


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (1e-6, 4e-3, ["1e-06", "1e-05", "0.0001", "0.001", "0.01"]),
        (0.03, 1, ["0.05", "0.1", "0.2", "0.5", "1"]),
        (0.5, 0.9, ["0.5", "0.6", "0.7", "0.8", "0.9"]),
        (2.0, 2.0, ["1.99", "2", "2.01", "2.02", "2.03", "2.04", "2.05", "2.06"]),
        (5e-324, LARGEST, ["1e-300", "1e-200", "1e-100", "1", "1e+100", "1e+200", "1e+300"]),
    ],
)
def test_what_is_written_along_a_logarithm(low: float, high: float, texts: list[str]) -> None:
    assert [text for _, text in LogAxis(low, high).ticks()] == texts


@given(
    st.floats(5e-324, allow_infinity=False),
    st.one_of(st.just(1.0), st.floats(1, 1e5), st.floats(1, LARGEST)),
)
def test_a_logarithm_of_any_values(low: float, times: float) -> None:
    axis = LogAxis(low, min(low * times, LARGEST))
    ticks = axis.ticks()

    assert 1 <= len(ticks) <= 12
    for place in (*(place for place, _ in ticks), *axis.marks()):
        assert axis.low <= place <= axis.high


def test_marks_where_they_are_not_too_close() -> None:
    assert len(LogAxis(1e-3, 1).marks()) >= 24
    assert LogAxis(1e-20, 1).marks() == LogAxis(0.5, 0.9).marks() == []
