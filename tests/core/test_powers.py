"""Powers of quotients against 60 digits, over the whole range of float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from sys import float_info
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.powers import growth, power_of_quotient, power_of_sum, raised, residual, saturate

LARGEST = float_info.max
NORMAL = float_info.min

# A result below 2^-1022 has fewer bits, one beyond float64 none.
CALM = 16  # ULP, where |ln| of the power is at most 16 and the plain form is used
STEEP = 3  # ULP, where it is more


def ulps(got: float, want: Any) -> float:
    """How far `got` is from the exact number, in ULP of that."""
    if abs(want) > LARGEST:
        return 0.0 if abs(got) == LARGEST and (got > 0) == (want > 0) else math.inf
    unit = math.ulp(max(float(abs(want)), NORMAL))
    return float(abs(mpmath.mpf(got) - want) / unit)


def allowed(logarithm: Any) -> int:
    return CALM if abs(logarithm) <= CALM else STEEP


@pytest.fixture(autouse=True)
def sixty_digits() -> None:
    mpmath.mp.dps = 60


def sizes(least: float, most: float) -> st.SearchStrategy[float]:
    """Numbers above 0 of every order of magnitude."""
    exponents = st.floats(math.log(least), math.log(most))
    return exponents.map(lambda x: min(max(math.exp(x), least), most))


@given(
    st.one_of(sizes(1e-300, 1e300), st.sampled_from([1.0, 0.1])),
    st.one_of(sizes(1e-300, 1e300), sizes(0.5, 2), st.sampled_from([0.5, 1.0, 1 - 2**-53])),
    sizes(1e-3, 1e12),
    st.one_of(sizes(1e-3, 1e15), st.integers(0, 2**53).map(float)),
)
def test_growth(factor: float, rate: float, every: float, x: float) -> None:
    logarithm = mpmath.mpf(x) / every * mpmath.log(rate)
    want = factor * mpmath.exp(logarithm)

    assert ulps(growth(factor, rate, 1.0, every)(x), want) <= allowed(logarithm)
    assert growth(-factor, rate, 1.0, every)(x) == -growth(factor, rate, 1.0, every)(x)


@given(sizes(1e-300, 1e300), sizes(1e-300, 1e300), st.floats(0, 1))
def test_growth_from_one_number_to_another(low: float, high: float, part: float) -> None:
    logarithm = mpmath.mpf(part) * mpmath.log(mpmath.mpf(high) / low)
    want = low * mpmath.exp(logarithm)

    assert ulps(growth(low, high, low, 1.0)(part), want) <= CALM


def test_growth_of_numbers_whose_quotient_is_beyond_float64() -> None:
    grown = growth(1e-300, 1e300, 1e-300, 10.0)

    assert grown(0.0) == 1e-300
    assert ulps(grown(5.0), mpmath.mpf(1e-300) ** 0.5 * mpmath.mpf(1e300) ** 0.5) <= STEEP
    assert ulps(grown(10.0), mpmath.mpf(1e300)) <= STEEP
    assert growth(-1e300, -1e-300, -1e300, 10.0)(10.0) == pytest.approx(-1e-300, rel=1e-15)


def test_growth_saturates() -> None:
    assert growth(1.0, 2.0, 1.0, 1.0)(1e9) == LARGEST
    assert growth(-1.0, 2.0, 1.0, 1.0)(1e9) == -LARGEST
    assert growth(1.0, 2.0, 1.0, 1.0)(1024.0) == LARGEST
    assert growth(1.0, 0.5, 1.0, 1.0)(1e9) == 0.0
    assert growth(1.0, 0.5, 1.0, 1.0)(-1e9) == LARGEST
    assert growth(5.0, 1.0, 1.0, 3.0)(1e300) == 5.0


@given(
    st.one_of(sizes(1e-300, 1e300), st.just(1.0)),
    sizes(1e-3, 1e12),
    st.one_of(sizes(1e-3, 1e3), st.sampled_from([0.5, 1.0, 8.0])),
    st.one_of(sizes(1e-9, 1e15), st.just(0.0)),
)
def test_power_of_sum(factor: float, timescale: float, exponent: float, x: float) -> None:
    logarithm = -exponent * mpmath.log(1 + mpmath.mpf(x) / timescale)
    want = factor * mpmath.exp(logarithm)

    limit = CALM if exponent <= CALM / 2 else STEEP
    assert ulps(power_of_sum(factor, timescale, -exponent)(x), want) <= limit


@given(
    st.one_of(sizes(1e-300, 1e300), st.just(1.0)),
    st.one_of(sizes(1e-3, 1e3), st.sampled_from([0.5, 1.0, 2.0, 3.0, 16.0, 17.0])),
    sizes(1e-3, 1e12),
    st.floats(0, 1),
)
def test_power_of_quotient(factor: float, exponent: float, denominator: float, part: float) -> None:
    numerator = denominator * part
    if part < 1e-9:  # a square of less may leave float64, whatever the factor
        numerator = 0.0
    want = factor * (mpmath.mpf(numerator) / denominator) ** exponent

    limit = CALM if exponent <= CALM else STEEP
    assert ulps(power_of_quotient(factor, exponent, denominator)(numerator), want) <= limit


SIMPLE: dict[float, Callable[[float], float]] = {
    1.0: lambda x: x,
    2.0: lambda x: x * x,
    3.0: lambda x: x * x * x,
    0.5: math.sqrt,
}


@given(st.sampled_from([*SIMPLE]), st.floats(1, 1e9), st.floats(0, 1))
def test_simple_powers_are_operations_that_round_alike_everywhere(
    exponent: float, denominator: float, part: float
) -> None:
    numerator = denominator * part

    found = power_of_quotient(2.5, exponent, denominator)(numerator)

    assert found == 2.5 * SIMPLE[exponent](numerator / denominator)


@given(st.floats(1e-100, 1e100), st.floats(1e-100, 1e100))
def test_residual_is_what_the_quotient_lost(numerator: float, denominator: float) -> None:
    quotient = numerator / denominator
    lost = mpmath.mpf(numerator) / denominator - quotient

    assert residual(numerator, denominator, quotient) == pytest.approx(
        float(lost), rel=1e-12, abs=quotient * 2**-104
    )


def test_exponents_beyond_the_integers_of_float64() -> None:
    # What is rounded away from such an exponent, or from a base so near 1, is no small correction.
    assert growth(1.0, 1e300, 1.0, 1e-9)(23244.0) == LARGEST
    assert growth(-1.0, 1e300, 1.0, 1e-9)(23244.0) == -LARGEST
    assert growth(1.0, 1e-300, 1.0, 1e-9)(23244.0) == 0.0
    assert power_of_sum(1.0, 1e18, -1e20)(1.0) == pytest.approx(math.exp(-100), rel=1e-12)
    assert power_of_sum(1.0, 1.0, -1e300)(1.0) == 0.0
    assert power_of_quotient(1.0, 1e300, 3.0)(1.0) == 0.0


def test_quotients_beyond_float64() -> None:
    assert growth(1.0, 2.0, 1.0, 1e-310)(1.0) == LARGEST
    assert growth(-1.0, 2.0, 1.0, 1e-310)(1.0) == -LARGEST
    assert growth(1.0, 0.5, 1.0, 1e-310)(1.0) == 0.0
    assert growth(1.0, 1.0, 1.0, 1e-310)(1.0) == 1.0
    assert power_of_sum(1.0, 1e-310, -9.0)(1.0) == 0.0
    assert power_of_sum(1.0, 1e-310, -0.5)(1.0) == 0.0


def test_raised() -> None:
    assert raised(2.0, 10.0) == 1024.0
    assert raised(2.0, 1e9) == math.inf
    assert raised(0.0, 0.5) == 0.0


def test_saturate() -> None:
    assert saturate(math.inf) == LARGEST
    assert saturate(-math.inf) == -LARGEST
    assert saturate(1.5) == 1.5
