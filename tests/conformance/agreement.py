"""How far the values of a backend may be from those of the reference."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from fractions import Fraction

from tests.backends import Backend

from lrspec.conformance import suite
from lrspec.conformance.profiles import Profile, Tolerance, difference

SUITE = suite.installed()


def profile_of(backend: Backend) -> Profile:
    """What its values are held to."""
    return SUITE.profiles[backend.profile]


def rounded(backend: Backend, value: float) -> float:
    """The number nearest to `value` that its values can be."""
    if backend.profile == "float64":
        return value
    (single,) = struct.unpack("f", struct.pack("f", value))
    return float(single)


def disagreements(
    backend: Backend,
    steps: Sequence[int],
    got: Sequence[float],
    want: Sequence[float],
    *,
    scale: float = 0.0,
) -> list[str]:
    """Where a backend differs from what the reference gives.

    In float64 every bit counts. In float32 it is the reference rounded, to 0.501 ULP; `scale` is
    the size of the numbers whose sum a value may be, a few ULP of float64 of which are allowed.
    """
    assert len(got) == len(want) == len(steps)
    profile = profile_of(backend)
    tolerance = Tolerance(Fraction(64 if scale else 0), scale)
    found = (
        difference(profile, tolerance, step, one, other, exact=backend.profile == "float64")
        for step, one, other in zip(steps, got, want, strict=True)
    )
    return [str(each) for each in found if each is not None]
