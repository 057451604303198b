"""Every golden case on every backend."""

from __future__ import annotations

import pytest
from tests.backends import Backend
from tests.conformance.agreement import SUITE, profile_of

from lrspec.conformance.cases import Golden
from lrspec.conformance.running import outcomes

GOLDEN = [case for case in SUITE.cases if isinstance(case, Golden)]


def test_there_are_cases() -> None:
    assert len(GOLDEN) > 100


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name.removeprefix("golden/"))
def test_golden_values(case: Golden, backend: Backend) -> None:
    profile = profile_of(backend)

    (outcome,) = outcomes(backend.found, [case], profile)

    assert outcome.status == ("passed" if case.within(profile).steps else "left out"), outcome
