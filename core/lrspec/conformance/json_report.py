"""Reports as JSON values, for programs that follow how far an implementation has got."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from lrspec.conformance.profiles import Difference
from lrspec.conformance.report import Count, Outcome, Report


def data(reports: Iterable[Report]) -> dict[str, Any]:
    """The reports of one run, in its order."""
    return {"reports": [_report(report) for report in reports]}


def _report(report: Report) -> dict[str, Any]:
    return {
        "backend": report.backend,
        "suite": report.suite,
        "profile": report.profile,
        "good": report.good,
        "total": _count(report.total()),
        "categories": {count.category: _count(count) for count in report.counts()},
        "cases": [_outcome(outcome) for outcome in report.outcomes],
    }


def _count(count: Count) -> dict[str, int]:
    return {name: number for name, number in asdict(count).items() if name != "category"}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {
        "case": outcome.case,
        "category": outcome.category,
        "status": outcome.status,
        "steps": outcome.steps,
        "steps_left_out": outcome.steps_left_out,
    }
    if outcome.reason is not None:
        found["reason"] = outcome.reason
    if outcome.differences:
        found["differences"] = [_difference(difference) for difference in outcome.differences]
    return found


def _difference(difference: Difference) -> dict[str, Any]:
    """Numbers as they are, but steps, which may be beyond 2⁵³, and what JSON has no number for."""
    numbers = {name: getattr(difference, name) for name in ("got", "want", "error", "allowed")}
    return {
        "step": str(difference.step),
        **{name: n if math.isfinite(n) else str(n) for name, n in numbers.items()},
    }
