"""The examples give on every backend what was worked out by hand for them."""

from __future__ import annotations

import pytest
from tests.backends import Backend
from tests.conformance.agreement import profile_of
from tests.examples.worked import WORKED, Worked

# Half a unit in the last place of float32, and what formulas in plain Python lose.
NEAR = {"float64": 1e-12, "float32": 2**-24 + 1e-12}


@pytest.mark.parametrize("worked", WORKED, ids=str)
def test_values_are_those_worked_out(backend: Backend, worked: Worked) -> None:
    last = profile_of(backend).greatest_step
    want = {step: value for step, value in worked.at.items() if step <= last}
    got = backend(worked.curve(), want)

    assert dict(zip(want, got, strict=True)) == pytest.approx(want, rel=NEAR[backend.profile])
