"""How exact is exact enough: the two profiles, at their limits."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.conformance.profiles import Profile, Tolerance, difference, single_ulp

DOUBLE = Profile("float64", 2**53)
SINGLE = Profile(
    "float32",
    2**31 - 1,
    single=Fraction("0.501"),
    zero_below=2.0**-126,
    largest=3.4028234663852886e38,
)
THREE = Tolerance(Fraction(3))


def good(
    profile: Profile, got: float, want: float, tolerance: Tolerance = THREE, exact: bool = False
) -> bool:
    return difference(profile, tolerance, 0, got, want, exact=exact) is None


def rounded(value: float) -> float:
    """The float32 nearest to a value, as a float."""
    found: float = struct.unpack("f", struct.pack("f", value))[0]
    return found


def steps_away(value: float, count: int) -> float:
    for _ in range(count):
        value = math.nextafter(value, math.inf)
    return value


@pytest.mark.parametrize("want", [0.3, -0.3, 1e-300, 1e300, 5e-324])
def test_so_many_ulp(want: float) -> None:
    assert good(DOUBLE, want, want, exact=True)
    assert good(DOUBLE, steps_away(want, 3), want)
    assert not good(DOUBLE, steps_away(want, 4), want)
    assert not good(DOUBLE, steps_away(want, 1), want, exact=True)


def test_of_a_scale() -> None:
    tolerance = Tolerance(Fraction(3), 1.0)

    assert good(DOUBLE, 1e-17 + 3 * 2.0**-52, 1e-17, tolerance)
    assert not good(DOUBLE, 1e-17 + 4 * 2.0**-52, 1e-17, tolerance)
    assert good(DOUBLE, 8.0 + 3 * math.ulp(8.0), 8.0, tolerance)
    assert not good(DOUBLE, 1e-17 + 2.0**-52, 1e-17, tolerance, exact=True)


def test_the_sign_of_zero_is_free() -> None:
    assert good(DOUBLE, -0.0, 0.0, exact=True)
    assert good(SINGLE, -0.0, 0.0, exact=True)


@pytest.mark.parametrize("got", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("profile", [DOUBLE, SINGLE])
def test_what_is_not_finite_is_wrong(profile: Profile, got: float) -> None:
    found = difference(profile, THREE, 7, got, 0.5, exact=False)

    assert found is not None
    assert (found.step, found.error) == (7, math.inf)


def test_what_a_difference_says() -> None:
    found = difference(DOUBLE, THREE, 5, 1.0 + 2.0**-48, 1.0, exact=False)

    assert str(found) == "step 5: got 1.0000000000000036, want 1.0, 16 ULP off, 3 allowed"
    assert difference(DOUBLE, THREE, 5, 1e300, 5e-324, exact=True) is not None


@given(st.floats(min_value=-(2.0**127), max_value=2.0**127))
def test_a_rounded_value_is_good(want: float) -> None:
    assert good(SINGLE, rounded(want), want, exact=True)


@given(st.floats(min_value=2.0**-126, max_value=2.0**127))
def test_its_neighbours_are_not(want: float) -> None:
    nearest = rounded(want)
    (bits,) = struct.unpack("i", struct.pack("f", nearest))
    above: float = struct.unpack("f", struct.pack("i", bits + 1))[0]
    halfway = (nearest + above) / 2

    # At halfway both are nearest.
    assert good(SINGLE, above, want) == (want >= halfway - 0.001 * single_ulp(want))


def test_the_error_of_the_value_that_was_rounded_is_allowed() -> None:
    crossing = Tolerance(Fraction(3), 1.0)

    assert good(SINGLE, 0.0, 2.0**-52, crossing)
    assert not good(SINGLE, 0.0, 2.0**-52, crossing, exact=True)
    assert not good(SINGLE, 0.0, 2.0**-50, crossing)


def test_below_the_smallest_normal_number_0_is_good() -> None:
    below = math.nextafter(2.0**-126, 0)

    assert good(SINGLE, 0.0, below, exact=True)
    assert good(SINGLE, rounded(below), below, exact=True)
    assert not good(SINGLE, 0.0, 2.0**-126)
    assert not good(DOUBLE, 0.0, below)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_number_stands_for_what_is_beyond(sign: int) -> None:
    assert good(SINGLE, sign * SINGLE.largest, sign * 1e300)
    assert not good(SINGLE, sign * math.inf, sign * 1e300)
    assert not good(SINGLE, -sign * SINGLE.largest, sign * 1e300)
    assert not good(SINGLE, sign * (SINGLE.largest - 2.0**104), sign * 1e300)


@pytest.mark.parametrize(
    ("value", "exponent"),
    [
        (1.0, -23),
        (math.nextafter(1.0, 0), -24),
        (-3.0, -22),
        (2.0**-126, -149),
        (2.0**-127, -149),
        (0.0, -149),
        (5e-324, -149),
        (3.4028234663852886e38, 104),
    ],
)
def test_the_distance_of_neighbours(value: float, exponent: int) -> None:
    assert single_ulp(value) == 2.0**exponent
