"""Runs the suite on a backend: ask, and hold the answer against the case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from lrspec.conformance.backends import Backend
from lrspec.conformance.cases import Case, Golden, Invalid
from lrspec.conformance.judging import judge_golden, judge_invalid, judge_reading
from lrspec.conformance.lists import Lists
from lrspec.conformance.profiles import Profile
from lrspec.conformance.report import Outcome, Report
from lrspec.conformance.suite import Suite

Watch: TypeAlias = Callable[[Iterable[Outcome], int], Iterable[Outcome]]

_NO_LISTS: Final = Lists()


def run(
    backend: Backend, suite: Suite, watch: Watch | None = None, lists: Lists = _NO_LISTS
) -> Report:
    """The outcome of every case of the suite that the backend takes.

    `watch` is given the outcomes as they come and their number, and passes them on: to show how far
    a run has got.
    """
    profile = suite.profiles[backend.profile]
    cases = asked(backend, suite)
    found: Iterable[Outcome] = outcomes(backend, cases, profile, lists)
    if watch is not None:
        found = watch(found, len(cases))
    return Report(backend.name, profile.name, suite.version, tuple(found))


def asked(backend: Backend, suite: Suite) -> list[Case]:
    """The cases that the backend takes, in the order of the suite."""
    return [case for case in suite.cases if isinstance(case, backend.takes)]


def outcomes(
    backend: Backend, cases: Iterable[Case], profile: Profile, lists: Lists = _NO_LISTS
) -> Iterator[Outcome]:
    """The outcome of each case, as soon as it is known."""
    return (_listed(backend, case, profile, lists) for case in cases)


def _listed(backend: Backend, case: Case, profile: Profile, lists: Lists) -> Outcome:
    """The outcome, where a list has no other word for it; an expected failure must be one."""
    if case.name in lists.skipped:
        reason = lists.skipped.reasons[case.name] or None
        return Outcome(case.name, case.category, "skipped", reason=reason)
    outcome = _outcome(backend, case, profile)
    if case.name not in lists.xfailed:
        return outcome
    if outcome.status == "failed":
        return replace(outcome, status="xfailed")
    reason = f"expected to fail, and {outcome.status}"
    return replace(outcome, status="failed", reason=reason)


def _outcome(backend: Backend, case: Case, profile: Profile) -> Outcome:
    if isinstance(case, Golden):
        return _golden(backend, case, profile)
    answer = backend.answer(case)
    return judge_invalid(case, answer) if isinstance(case, Invalid) else judge_reading(case, answer)


def _golden(backend: Backend, case: Golden, profile: Profile) -> Outcome:
    asked = case.within(profile)
    left_out = len(case.steps) - len(asked.steps)
    if asked.steps:
        return judge_golden(asked, backend.answer(asked), profile, left_out)
    reason = f"not for {profile.name}"
    return Outcome(case.name, case.category, "left out", 0, left_out, reason=reason)
