"""The conformance data and nothing else: every golden and invalid case on the reference."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import pytest

from lrspec.conformance import suite
from lrspec.conformance.cases import Case, Golden, Invalid
from lrspec.conformance.reference import Reference
from lrspec.conformance.running import outcomes
from lrspec.periods import power

SUITE = suite.installed()


def _group(case: Case) -> str:
    return case.code if isinstance(case, Invalid) else case.category


def _groups() -> Iterable[tuple[str, list[Case]]]:
    asked = [case for case in SUITE.cases if isinstance(case, Golden | Invalid)]
    return ((name, list(cases)) for name, cases in groupby(sorted(asked, key=_group), _group))


# A test for some cases together: pytest takes longer to find a test than most cases take.
@pytest.mark.parametrize("cases", [pytest.param(cases, id=name) for name, cases in _groups()])
def test_cases(cases: list[Case]) -> None:
    """Ends with the first case that fails."""
    power.cache_clear()  # a mutant is to make its powers itself, not to find those of another
    for outcome in outcomes(Reference(), cases, SUITE.profiles["float64"]):
        assert outcome.status != "failed", outcome.case
