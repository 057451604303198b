"""Everything that is wrong with a document, or may not be meant, without a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lrspec.document import Document
from lrspec.linting import lint, unallowed
from lrspec.problems import Problem, SpecError

# What a document may leave to the host that binds it.
_LEFT_TO_THE_HOST = frozenset({"missing-fact", "base-required"})


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found, and the facts that are not known (`training.steps`, `base`), without which
    some curve could not be looked at."""

    problems: tuple[Problem, ...]
    missing: tuple[str, ...] = ()


def problems_of(
    read: Callable[[], Document],
    *,
    base: float | None = None,
    override: bool = False,
    **facts: Any,
) -> tuple[Problem, ...]:
    """The errors and warnings of reading a document, and of binding each of its schedules to the
    facts that it states and `facts`; a base is that of lr, and `override` that of binding.

    Facts that are not known are no fault of the document; warnings that it allows are left out.
    """
    return checked(read, base=base, override=override, **facts).problems


def checked(
    read: Callable[[], Document],
    *,
    base: float | None = None,
    override: bool = False,
    **facts: Any,
) -> Checked:
    """As `problems_of`, with the facts that were missed."""
    try:
        document = read()
    except SpecError as error:
        return Checked(error.problems)
    found = dict.fromkeys(document.warnings)
    missing: dict[str, None] = {}
    for name in document.names:
        try:
            curve = document.bind(
                name=name, base=base if name == "lr" else None, override=override, **facts
            )
        except SpecError as error:
            for problem in error.problems:
                if problem.code in _LEFT_TO_THE_HOST:
                    missing[str(problem.expected)] = None
                else:
                    found[problem] = None
        else:
            found |= dict.fromkeys((*curve.warnings, *lint(curve)))
    return Checked(SpecError(unallowed(document, found)).problems, tuple(missing))
