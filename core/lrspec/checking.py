"""Everything that is wrong with a document, or may not be meant, without a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lrspec.document import Document
from lrspec.linting import lint, unallowed
from lrspec.problems import Problem, SpecError

# What a document may leave to the host that binds it.
_LEFT_TO_THE_HOST = frozenset({"missing-fact", "base-required"})


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
    try:
        document = read()
    except SpecError as error:
        return error.problems
    found = dict.fromkeys(document.warnings)
    for name in document.names:
        try:
            curve = document.bind(
                name=name, base=base if name == "lr" else None, override=override, **facts
            )
        except SpecError as error:
            faults = (p for p in error.problems if p.code not in _LEFT_TO_THE_HOST)
            found |= dict.fromkeys(faults)
        else:
            found |= dict.fromkeys((*curve.warnings, *lint(curve)))
    return SpecError(unallowed(document, found)).problems
