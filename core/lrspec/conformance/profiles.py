"""How exact the values of a backend must be (clauses 8.6 and 8.7 of the language)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What a case allows in float64: so many ULP of the value, or of `scale` where that is
    larger."""

    ulp: Fraction
    scale: float = 0.0

    def unit(self, value: float) -> float:
        """One ULP for a value."""
        return math.ulp(max(abs(value), self.scale))


@dataclass(frozen=True, slots=True)
class Profile:
    """What holds for all values of a backend.

    Attributes:
        name: float64 or float32.
        greatest_step: Steps beyond it are not asked for.
        single: ULP of float32 for the rounding of a value to float32; None where values are
            float64 and the tolerance of the case is all there is.
        zero_below: A value of smaller magnitude may be 0.
        largest: It stands, with its sign, for values beyond it.
    """

    name: str
    greatest_step: int
    single: Fraction | None = None
    zero_below: float = 0.0
    largest: float = math.inf


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that is not right: `error` and `allowed` are in ULP of the profile's floats."""

    step: int
    got: float
    want: float
    error: float
    allowed: float

    def __str__(self) -> str:
        return (
            f"step {self.step}: got {self.got!r}, want {self.want!r},"
            f" {self.error:.4g} ULP off, {self.allowed:.4g} allowed"
        )


def difference(
    profile: Profile, tolerance: Tolerance, step: int, got: float, want: float, *, exact: bool
) -> Difference | None:
    """What is wrong with `got` where `want` is right, or None.

    In float64, |got − want| is at most tolerance.ulp · ulp(max(|want|, scale)), and 0 where the
    case says `exact`. In float32 the same for the value before it was rounded, and 0.501 ULP of
    float32 for the rounding. All of it is computed in exact arithmetic.
    """
    unit = Fraction(tolerance.unit(want))
    slack = Fraction(0) if exact else tolerance.ulp * unit
    if profile.single is not None:
        if abs(want) > profile.largest:
            want, slack = math.copysign(profile.largest, want), Fraction(0)
        unit = Fraction(single_ulp(want))
        slack += profile.single * unit
        if got == 0 and abs(want) < profile.zero_below:
            return None
    if not math.isfinite(got):
        return Difference(step, got, want, math.inf, float(slack / unit))
    error = abs(Fraction(got) - Fraction(want))
    if error <= slack:
        return None
    return Difference(step, got, want, _float(error / unit), float(slack / unit))


def single_ulp(value: float) -> float:
    """The distance between neighbouring numbers of float32 at a value: 2^(e − 23) in
    [2^e, 2^(e+1)), and 2^-149 below 2^-126."""
    exponent = max(math.frexp(value)[1] - 24, -149) if value else -149
    return math.ldexp(1.0, exponent)


def _float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
