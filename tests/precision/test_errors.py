"""Errors are counted in the right units, from exact values, and nothing wrong passes."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan, nextafter

import numpy as np
import pytest
from precision.errors import FLOAT32_LIMIT, double_errors, single_errors, ulp
from precision.exact import Exact, compute
from precision.framework import agreed, different
from precision.rows import Row
from precision.table import heading, line


def exact(high: float, low: float = 0.0, allowed: float = 0.0) -> Exact:
    return Exact(np.array([7]), np.array([high]), np.array([low]), np.array([allowed]))


def row(error: float, limit: float | None = 3.0, over: int = 0, differing: int = 0) -> Row:
    return Row("linear", "core", error, limit, "linear to 0", "a run", 7, 1, over, differing)


def test_exact_values_have_more_digits_than_a_float64() -> None:
    document = {"lrspec": 1, "schedule": {"linear": {"initial": 1, "final": 0, "length": 7}}}
    found = compute(document, np.arange(9))

    for step, high, low in zip(found.steps, found.high, found.low, strict=True):
        wanted = max(1 - Fraction(int(step)) / 7, Fraction(0))
        assert high == float(wanted)
        assert abs(Fraction(float(high)) + Fraction(float(low)) - wanted) < Fraction(1, 2**100)
    assert (found.allowed[[0, 7, 8]] == 0).all() and (found.allowed[1:7] > 0).all()
    assert found.until(3).steps.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("number", [1.0, 1.5, nextafter(2.0, 0), 3e-5, 5e-324, 0.0])
def test_an_ulp_is_the_distance_of_neighbours(number: float) -> None:
    assert ulp(np.array([number]), -1022, 52)[0] == nextafter(number, inf) - number


def test_an_ulp_of_float32_is_the_distance_of_neighbours() -> None:
    for number in np.array([1, 1.5, 3e-5, 1e-45, 0], np.float32):
        neighbour = np.nextafter(number, np.float32(1e9))
        assert ulp(np.array([float(number)]), -126, 23)[0] == float(neighbour) - float(number)


def test_the_remainder_counts() -> None:
    errors = double_errors(exact(1.0, low=2.0**-54, allowed=3 * 2.0**-52), np.array([1.0]))

    assert errors.ulps.tolist() == [0.25]
    assert errors.limits.tolist() == [3.0]
    assert not errors.over.any()


def test_what_is_selected_is_right_or_wrong() -> None:
    assert not double_errors(exact(0.1, low=1e-18), np.array([0.1])).over.any()
    assert double_errors(exact(0.1, low=1e-18), np.array([nextafter(0.1, 0)])).over.all()


def test_ends_of_opposite_signs_are_measured_by_the_larger() -> None:
    errors = double_errors(exact(2.0**-20, allowed=3 * 2.0**-52), np.array([0.0]), scale=1.0)

    assert errors.ulps.tolist() == [2.0**32]
    assert errors.limits.tolist() == [3.0]


@pytest.mark.parametrize("wrong", [nan, inf, -inf])
def test_what_is_no_number_is_over_every_limit(wrong: float) -> None:
    assert double_errors(exact(1.0, allowed=1.0), np.array([wrong])).ulps.tolist() == [inf]
    assert single_errors(exact(1.0), np.array([wrong], np.float32)).over.all()


def test_a_float32_is_the_nearest_one() -> None:
    nearest = np.array([0.1], np.float32)

    assert single_errors(exact(0.1), nearest).ulps[0] < 0.5
    assert single_errors(exact(0.1), np.nextafter(nearest, np.float32(1))).ulps[0] > FLOAT32_LIMIT


def test_a_small_float32_may_be_0() -> None:
    zero = np.zeros(1, np.float32)

    assert not single_errors(exact(1e-39), zero).over.any()
    assert single_errors(exact(2e-38), zero).over.all()


def test_the_worst_is_the_one_that_is_over_its_limit() -> None:
    steps, ones = np.arange(2), np.ones(2)
    found = Exact(steps, ones, 0 * ones, np.array([9, 1]) * 2.0**-52)
    errors = double_errors(found, ones + np.array([8, 2]) * 2.0**-52)

    assert errors.ulps.tolist() == [8.0, 2.0]
    assert errors.worst() == 1
    assert row(8.0, 9.0).joined(row(2.0, 1.0, over=1)).error == 2.0
    assert row(8.0, None).joined(row(inf, None)).error == inf


def test_ways_agree_in_every_bit() -> None:
    first = np.array([1, 2, 3], np.float32)
    last = np.nextafter(first, first + np.array([0, 0, 1], np.float32))

    assert agreed({"jit": first, "vmap": first, "scan": last}).differs.tolist() == [0, 0, 1]
    assert different(np.array([1e-40], np.float32), np.zeros(1, np.float32)).tolist() == [False]
    assert different(np.array([5e-324]), np.zeros(1)).tolist() == [True]


def test_a_line_says_what_failed() -> None:
    assert line(row(1.5)).split()[:3] == ["core", "1.5", "3"]
    assert line(row(1.5)).endswith(" passed")
    assert line(row(3.5, over=1_234)).endswith(" failed, 1,234 over")
    assert line(row(0.5, differing=2)).split()[-4:] == ["2", "failed,", "0", "over"]
    assert line(row(inf, None)).split()[:4] == ["core", "no", "number", "linear"]


def test_columns_stand_below_their_headings() -> None:
    shown = line(row(1.5))

    assert shown.index("1.5") + 3 == heading().index("ULP") + 3
    assert shown.index("linear to 0") == heading().index("where")
    assert shown.index("0  passed") + 1 == len(heading())
