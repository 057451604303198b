"""What holds for every case: it is refused with SpecError, or gives finite numbers and survives
being written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from tests.fuzz.cases import ALL_FACTS, Case

from lrspec import limits
from lrspec.curve import Curve
from lrspec.document import Document
from lrspec.loading import loads
from lrspec.problems import SpecError
from lrspec.table import TooManyPeriods

# The last step that every backend counts to.
LAST = 2**31 - 1

T = TypeVar("T")
# Does a part of the work; the fuzz run takes the time of each.
Timed = Callable[[str, Callable[[], Any]], Any]
# What is done with a case; the answer is one of those of `check`.
Check = Callable[[Case, Timed], str]
# The values of a curve at steps.
Evaluate = Callable[[Curve, Iterable[int]], list[float]]


def untimed(name: str, work: Callable[[], T]) -> T:
    """Does the work."""
    return work()


def evaluate_core(curve: Curve, steps: Iterable[int]) -> list[float]:
    """The values that the reference gives."""
    return [curve(step) for step in steps]


def check(case: Case, evaluate: Evaluate = evaluate_core, timed: Timed = untimed) -> str:
    """Read, bind and evaluate a case: "refused", "accepted" where no schedule of it binds, or
    "bound"; whatever else goes wrong is raised."""
    try:
        document: Document = timed("read", case.read)
    except SpecError as error:
        _check_problems(error)
        return "refused"
    again = _written_and_read(document, timed)
    bound = [
        _bound(case, document, again, name, evaluate, timed)
        for name in ((case.facts["name"],) if "name" in case.facts else document.names)
    ]
    return "bound" if any(bound) else "accepted"


def _written_and_read(document: Document, timed: Timed) -> Document:
    """The document after `to_yaml` and `loads`, which must be the same."""
    text: str = timed("write", document.to_yaml)
    if len(text.encode()) > limits.BYTES:
        return document  # YAML may be longer than what it was read from
    again: Document = timed("read again", lambda: loads(text))
    assert again == document, "the document is another one after to_yaml and loads"
    return again


def _bound(
    case: Case, document: Document, again: Document, name: str, evaluate: Evaluate, timed: Timed
) -> bool:
    """Whether a schedule binds, to the facts of the case or to all that it may be missing; its
    curve must be finite, and the same after the document was written."""
    more = {"base": 0.5, **ALL_FACTS, **case.facts, "override": True}
    for given in (case.facts, more):
        facts: dict[str, Any] = {**given, "name": name}
        try:
            curve: Curve = timed("bind", partial(document.bind, **facts))
        except SpecError as error:
            _check_problems(error)
            continue
        _check_curve(curve, evaluate, timed)
        assert again.bind(**facts) == curve, "the curve is another one after to_yaml and loads"
        return True
    return False


def _check_problems(error: SpecError) -> None:
    """Each problem is an error, and one line of text."""
    assert error.problems
    assert len(str(error).split("\n")) == len(error.problems)
    assert all(problem.severity == "error" for problem in error.problems)


def _check_curve(curve: Curve, evaluate: Evaluate, timed: Timed) -> None:
    steps = steps_of(curve, timed)
    try:
        values = timed("evaluate", lambda: evaluate(curve, steps))
    except (SpecError, TooManyPeriods):
        return
    for step, value in zip(steps, values, strict=True):
        assert math.isfinite(value), f"the value at step {step} is {value}"


def steps_of(curve: Curve, timed: Timed = untimed) -> list[int]:
    """0, 1, every knot ± 1, and the last step."""
    phases = timed("phases", curve.phases)
    timed("fingerprint", lambda: curve.fingerprint)
    found = {0, 1, LAST}
    for phase in phases:
        for edge in (phase.start, phase.stop):
            if edge is not None and 0 <= edge < LAST:
                found.update(range(max(math.floor(edge) - 1, 0), math.ceil(edge) + 2))
    return sorted(found)
