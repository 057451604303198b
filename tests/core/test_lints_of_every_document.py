"""Warnings of every curve: none fails, and those about values tell the truth."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.conformance.strategies import Bound, bindings

from lrspec.conformance import suite
from lrspec.conformance.cases import Golden
from lrspec.linting import lint
from lrspec.loading import from_dict

GOLDEN = [case for case in suite.installed().cases if isinstance(case, Golden)]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name.removeprefix("golden/"))
def test_golden_cases(case: Golden) -> None:
    curve = from_dict(case.document).bind(name=case.schedule, **case.facts)

    for problem in lint(curve):
        assert problem.severity == "warning"
        assert problem.message.isprintable()


@given(bindings())
def test_warnings_about_values(example: Bound) -> None:
    curve = example.curve
    codes = {problem.code for problem in lint(curve)}
    if curve.name != "lr" or curve.steps is None or curve.steps > 200:
        return
    values = curve.values(0, curve.steps)

    assert ("first-update-at-zero" in codes) == (values[0] == 0)
    assert ("negative-rate" in codes) == (min(values) < 0)
    assert ("large-rate" in codes) == (curve.base is not None and max(values) > 10)
