"""The reference evaluator as a backend; it also answers for what reads and refuses documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lrspec.conformance.answers import Accepted, Answer, Fault, Refusal, Values, broken
from lrspec.conformance.cases import Case, Golden, Invalid, Reading
from lrspec.curve import Curve
from lrspec.loading import document, from_dict
from lrspec.problems import SpecError
from lrspec.reading import read_text


class Reference:
    """`lrspec` itself, one call of the curve for each step."""

    name = "core"
    profile = "float64"
    takes: tuple[type[Case], ...] = (Golden, Invalid, Reading)

    def answer(self, case: Case) -> Answer:
        """The values, what a text was read as, or everything that the reference finds wrong."""
        try:
            if isinstance(case, Reading):
                return Accepted(document(read_text(case.text(), None, case.format)).to_dict())
            curve = bound(case.document, case.facts, case.schedule)
            if isinstance(case, Golden):
                return Values(tuple(map(curve, case.steps)))
        except SpecError as error:
            return refusal(error)
        except Exception as error:  # a fault of the reference, and no reason to stop the run
            return broken(error)
        return Accepted()


def bound(mapping: Mapping[str, Any], facts: Mapping[str, Any], schedule: str) -> Curve:
    """The curve of a case; SpecError where it is refused."""
    return from_dict(mapping).bind(name=schedule, **facts)


def refusal(error: SpecError) -> Refusal:
    """The errors of a SpecError as an answer."""
    return Refusal(
        tuple(Fault(problem.code, problem.path, str(problem)) for problem in error.problems)
    )
