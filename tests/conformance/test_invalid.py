"""Every document that is refused, and every text that means something or nothing, read by the
core: what is wrong, and where."""

from __future__ import annotations

import pytest
from tests.conformance.agreement import SUITE

from lrspec.conformance.cases import Golden, Invalid, Reading
from lrspec.conformance.reference import Reference
from lrspec.conformance.running import outcomes

CASES = [case for case in SUITE.cases if not isinstance(case, Golden)]
PROFILE = SUITE.profiles["float64"]


def test_there_are_cases() -> None:
    assert len([case for case in CASES if isinstance(case, Invalid)]) > 100
    assert len([case for case in CASES if isinstance(case, Reading)]) > 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_document_is(case: Invalid | Reading) -> None:
    (outcome,) = outcomes(Reference(), [case], PROFILE)

    assert outcome.status == "passed", outcome.reason
