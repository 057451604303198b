"""Lists of cases that are skipped or expected to fail; a line that matches nothing is an error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from lrspec.conformance.cases import Case


class ListError(Exception):
    """A list that does not fit the cases it speaks of; the text says how."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Names of cases with the reason that their line gives, which may be empty."""

    reasons: dict[str, str] = field(default_factory=dict[str, str])

    def __contains__(self, name: object) -> bool:
        return name in self.reasons


@dataclass(frozen=True, slots=True)
class Lists:
    """What is not asked, and what is expected to fail."""

    skipped: Listed = field(default_factory=Listed)
    xfailed: Listed = field(default_factory=Listed)


def matched(text: str, name: str, cases: Iterable[Case]) -> Listed:
    """The cases that a list names: on each line a name or a pattern of `fnmatch`; after # stands
    the reason.

    Raises:
        ListError: A line matches no case. `name` says what list it is.
    """
    names = [case.name for case in cases]
    reasons: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        pattern, _, reason = (part.strip() for part in line.partition("#"))
        if not pattern:
            continue
        found = [case for case in names if fnmatchcase(case, pattern)]
        if not found:
            raise ListError(f"{name}:{number}: no case that is asked matches {pattern!r}")
        reasons |= dict.fromkeys(found, reason)
    return Listed(reasons)
