"""A report of the conformance suite on a terminal: counts by category, and every failure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lrspec.cli.terminal import Terminal
    from lrspec.conformance.report import Count, Outcome, Report

# Statuses that only some runs have are shown in those only.
_COLUMNS = ("passed", "failed", "skipped", "xfailed", "left out", "values")
_OPTIONAL = ("skipped", "xfailed")

_ALIKE = 3  # lines for cases that fail one after the other for the same reason


def show(out: Terminal, report: Report) -> None:
    """Print a report."""
    from lrspec.columns import table

    out.line(f"{report.backend}: suite {report.suite}, {report.profile}", "bold")
    out.line()
    total = _numbers(report.total())
    shown = [name for name in _COLUMNS if total[name] or name not in _OPTIONAL]
    rows = [("category", *shown)]
    for count in (*report.counts(), report.total()):
        numbers = _numbers(count)
        rows.append((count.category, *(str(numbers[name]) for name in shown)))
    first, *rest = table(rows, [False, *(True for _ in shown)])
    out.line(first, "bold")
    out.rows(rest)
    out.line()
    for line in _failures(report):
        out.line(line, "red")
    out.line(_verdict(report), "green" if report.good else "bold red")


def _numbers(count: Count) -> dict[str, int]:
    numbers = (
        count.passed,
        count.failed,
        count.skipped,
        count.xfailed,
        count.left_out,
        count.steps,
    )
    return dict(zip(_COLUMNS, numbers, strict=True))


def _failures(report: Report) -> Iterator[str]:
    # A program that has ended fails all that is left.
    for reason, group in groupby(report.failures(), lambda outcome: outcome.reason):
        outcomes = list(group)
        few = outcomes if reason is None else outcomes[:_ALIKE]
        for outcome in few:
            yield from _lines(outcome)
        if len(few) < len(outcomes):
            yield f"… and {len(outcomes) - len(few)} more for the same reason"


def _lines(outcome: Outcome) -> Iterator[str]:
    if outcome.reason is not None:
        yield f"{outcome.case}: {outcome.reason}"
    for difference in outcome.differences:
        yield f"{outcome.case}: {difference}"


def _verdict(report: Report) -> str:
    total = report.total()
    parts = [f"{total.passed} passed", f"{total.failed} failed"]
    parts += [
        f"{number} {name}"
        for name, number in (("skipped", total.skipped), ("xfailed", total.xfailed))
        if number
    ]
    declined = sum(
        outcome.status == "left out" and not outcome.steps_left_out for outcome in report.outcomes
    )
    if declined:
        parts.append(f"{declined} declined")
    if total.steps_left_out:
        parts.append(f"{total.steps_left_out} values not for {report.profile} left out")
    return f"{report.backend}: {', '.join(parts)}"
