"""Rates become multiples of a base where these are short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.importing.nodes import (
    Schedule,
    advance,
    clamp,
    constant,
    exponential,
    geometric,
    linear,
    piecewise_constant,
    product,
    repeat,
    sum_of,
)
from lrspec.importing.scale import largest, relative, tidy, times


@pytest.mark.parametrize(
    ("rates", "multiples"),
    [
        (linear(0, 0.003, 10), linear(0, 1, 10)),
        ([linear(0, 0.003, 10), constant()], [linear(0, 1, 10), constant()]),
        (
            clamp(linear(0, 0.003), minimum=3e-5, maximum=0.006),
            clamp(linear(0, 1), minimum=0.01, maximum=2),
        ),
        (geometric(0.003, 3e-4, asymptote=-0.003), geometric(1, 0.1, asymptote=-1)),
        (
            repeat(constant(0.003), period=3, toward=3e-4, shrink=0.5),
            repeat(constant(1), period=3, toward=0.1, shrink=0.5),
        ),
        (piecewise_constant([3], [0.003, 3e-4]), piecewise_constant([3], [1, 0.1])),
        # Of a product the first has the unit; of a sum all have it.
        (product(linear(0, 0.003), [constant(0.5)]), product(linear(0, 1), [constant(0.5)])),
        (sum_of(linear(0, 0.003), [constant(3e-4)]), sum_of(linear(0, 1), [constant(0.1)])),
        (
            advance([constant(0.003, 3), exponential(0.003, 0.5, 2)], 4),
            advance([constant(1, 3), exponential(1, 0.5, 2)], 4),
        ),
    ],
)
def test_relative_and_back(rates: Schedule, multiples: Schedule) -> None:
    assert relative(rates, 0.003) == multiples
    assert tidy(times(multiples, 0.003)) == rates


@pytest.mark.parametrize(
    ("rates", "base"),
    [
        (linear(0, 0.003), 0.007),
        (linear(0, 0.003), 0),
        (linear(0, 0.003), -0.003),
        (linear(0.001, 1e308), 1e-308),
        (linear(0, float("inf")), 1),
        ([linear(0, 0.003, 3), linear(0.003, 0.003 / 7)], 0.003),
    ],
)
def test_multiples_that_are_not_short(rates: Schedule, base: float) -> None:
    assert relative(rates, base) is None


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=5),
    st.floats(1e-9, 1e3, allow_subnormal=False),
)
def test_a_multiple_times_the_base_is_the_rate(numbers: list[int], base: float) -> None:
    rates = piecewise_constant(range(1, len(numbers)), [n / 1000 * base for n in numbers])
    multiples = relative(rates, base)
    assert multiples is not None
    (before,), (after,) = rates.values(), multiples.values()  # type: ignore[union-attr]
    for rate, multiple in zip(
        before.get("values", [before.get("value")]),
        after.get("values", [after.get("value")]),
        strict=True,
    ):
        assert multiple * base == pytest.approx(rate, rel=5e-16)


def test_tidy() -> None:
    noisy = [linear(0.1 + 0.2, 3 * 0.1 * 10, 7), constant(1 / 3)]
    assert tidy(noisy) == [linear(0.3, 3, 7), constant(1 / 3)]
    assert tidy(constant()) == constant()


def test_largest() -> None:
    assert largest([linear(0.25, 0.5, 3), product(constant(0.1), constant(7))]) == 0.5
    assert largest(constant()) == 0
    assert type(largest(constant(2.0))) is int
