"""Holds an answer against its case."""

from __future__ import annotations

from collections.abc import Iterator

from lrspec.conformance.answers import Accepted, Answer, Broken, Declined, Refusal, Values
from lrspec.conformance.cases import Golden, Invalid, Reading
from lrspec.conformance.profiles import Difference, Profile, difference
from lrspec.conformance.report import Outcome, Status
from lrspec.source import Json


def judge_golden(case: Golden, answer: Answer, profile: Profile, left_out: int) -> Outcome:
    """A golden case passes when every value is within its tolerance."""
    match answer:
        case Values(values) if len(values) == len(case.steps):
            differences = tuple(_differences(case, values, profile))
            status: Status = "failed" if differences else "passed"
            return Outcome(case.name, case.category, status, len(values), left_out, differences)
        case Values(values):
            reason = f"{len(values)} values for {len(case.steps)} steps"
        case Refusal(faults):
            reason = "refused: " + " | ".join(f"[{f.code}] {f.message}" for f in faults)
        case Broken(broken):
            reason = broken
        case Declined(why):
            reason = f"only reading cases can be declined: {why}"
        case _:
            reason = "no values"
    return Outcome(case.name, case.category, "failed", 0, left_out, reason=reason)


def _differences(case: Golden, values: tuple[float, ...], profile: Profile) -> Iterator[Difference]:
    bits = case.bits if profile.single is None else None
    for index, (step, got, want) in enumerate(zip(case.steps, values, case.values, strict=True)):
        exact = bits is not None or index in case.exact
        right = want if bits is None else bits.get(index, want)
        found = difference(profile, case.tolerance, step, got, right, exact=exact)
        if found is not None:
            yield found


def judge_invalid(case: Invalid, answer: Answer) -> Outcome:
    """An invalid case passes when its one fault is what is reported, and nothing beside it."""
    want = f"{case.code} at {case.path or 'the document'}"
    match answer:
        case Refusal(faults) if [(f.code, f.path) for f in faults] == [(case.code, case.path)]:
            return Outcome(case.name, case.category, "passed")
        case Refusal(faults):
            got = ", ".join(f"{f.code} at {f.path or 'the document'}" for f in faults)
            reason = f"refused for {got or 'nothing'}, want {want}"
        case Broken(broken):
            reason = broken
        case Declined(why):
            reason = f"only reading cases can be declined: {why}"
        case _:
            reason = f"accepted, want {want}"
    return Outcome(case.name, case.category, "failed", reason=reason)


def judge_reading(case: Reading, answer: Answer) -> Outcome:
    """A reading case passes when the text is read as its document, or refused for its code
    alone."""
    match answer:
        case Refusal(faults) if {f.code for f in faults} == {case.code}:
            return Outcome(case.name, case.category, "passed")
        case Accepted(found) if case.code is None and (
            case.document is None or equal(found, case.document)
        ):
            return Outcome(case.name, case.category, "passed")
        case Declined(why):
            return Outcome(case.name, case.category, "left out", reason=f"declined: {why}")
        case Refusal(faults):
            got = ", ".join(f.code for f in faults) or "nothing"
            reason = f"refused for {got}, want {case.code or 'it read'}"
        case Broken(broken):
            reason = broken
        case Accepted(found) if case.code is None:
            reason = f"read as {found or 'something'}, want {case.document}"
        case _:
            reason = f"accepted, want {case.code}"
    return Outcome(case.name, case.category, "failed", reason=reason)


def equal(one: Json, other: Json) -> bool:
    """Whether two JSON values are the same; numbers are when they are the same float64, and
    booleans are no numbers."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
        case list(), list():
            return len(one) == len(other) and all(map(equal, one, other))
        case (bool(), _) | (_, bool()):
            return one is other
        case (int() | float(), int() | float()):
            return float(one) == float(other)
        case _:
            return type(one) is type(other) and one == other
