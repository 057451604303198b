"""An adapter as a backend: the core binds, the adapter evaluates."""

from __future__ import annotations

from lrspec.conformance.answers import Answer, Values, broken
from lrspec.conformance.backends import Evaluate
from lrspec.conformance.cases import Case, Golden
from lrspec.conformance.reference import bound, refusal
from lrspec.problems import SpecError


class Adapter:
    """What some package registers under `lrspec.adapters`; it is asked golden cases only, since
    reading and refusing documents is the core's work."""

    takes: tuple[type[Case], ...] = (Golden,)

    def __init__(self, name: str, evaluate: Evaluate) -> None:
        self.name = name
        self.profile = evaluate.profile
        self.evaluate = evaluate

    def answer(self, case: Case) -> Answer:
        """The values that the framework's own object gives."""
        assert isinstance(case, Golden)
        try:
            curve = bound(case.document, case.facts, case.schedule)
            if curve.base is None:
                # An adapter may need a base. 1 changes no value: 1.0 · v is v.
                curve = bound(case.document, {**case.facts, "base": 1.0}, case.schedule)
        except SpecError as error:
            return refusal(error)
        try:
            return Values(tuple(float(v) for v in self.evaluate(curve, list(case.steps))))
        except Exception as error:  # whatever a framework raises is this adapter's failure
            return broken(error)
