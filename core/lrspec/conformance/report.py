"""What came of a run of the suite, as values: an outcome for each case, and how many of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lrspec.conformance.profiles import Difference

Status: TypeAlias = Literal["passed", "failed", "skipped", "xfailed", "left out"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one case.

    Attributes:
        case: The name of the case, its path in the suite without the suffix.
        category: What the case is counted under.
        status: "left out" where nothing of the case belongs to the profile, or where it was
            declined; "skipped" and "xfailed" where a list says so.
        steps: How many values were compared.
        steps_left_out: How many were not, since they do not belong to the profile.
        differences: The values that are not right.
        reason: What else is wrong, or why the case is left out or listed.
    """

    case: str
    category: str
    status: Status
    steps: int = 0
    steps_left_out: int = 0
    differences: tuple[Difference, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many cases of one category, or of all, came to what; `steps` are the values
    compared."""

    category: str
    passed: int
    failed: int
    skipped: int
    xfailed: int
    left_out: int
    steps: int
    steps_left_out: int


@dataclass(frozen=True, slots=True)
class Report:
    """A run of the suite on one backend."""

    backend: str
    profile: str
    suite: str
    outcomes: tuple[Outcome, ...]

    @property
    def good(self) -> bool:
        """Whether something was asked and nothing failed."""
        statuses = {outcome.status for outcome in self.outcomes}
        return "passed" in statuses and "failed" not in statuses

    def failures(self) -> Iterator[Outcome]:
        """The cases that failed."""
        return (outcome for outcome in self.outcomes if outcome.status == "failed")

    def counts(self) -> tuple[Count, ...]:
        """One row a category, in the order of the suite."""
        categories = dict.fromkeys(outcome.category for outcome in self.outcomes)
        return tuple(
            _count(name, [o for o in self.outcomes if o.category == name]) for name in categories
        )

    def total(self) -> Count:
        """All categories together."""
        return _count("total", self.outcomes)


def _count(category: str, outcomes: tuple[Outcome, ...] | list[Outcome]) -> Count:
    statuses = [outcome.status for outcome in outcomes]
    return Count(
        category,
        statuses.count("passed"),
        statuses.count("failed"),
        statuses.count("skipped"),
        statuses.count("xfailed"),
        statuses.count("left out"),
        sum(outcome.steps for outcome in outcomes),
        sum(outcome.steps_left_out for outcome in outcomes),
    )
