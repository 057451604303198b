"""The rules about bases: values that may be meant as what they say and not as multiples, or the
other way round."""

from __future__ import annotations

from collections.abc import Iterator

from lrspec.lint_run import ONE_WAY, Run
from lrspec.problems import Path, Problem

# Multiples of a base come to 1 somewhere; rates stay far below.
_NEAR_ONE = 0.1


def no_base(run: Run) -> Iterator[Problem]:
    """Values of a momentum are mostly what they say, not multiples of the optimizer's."""
    curve = run.curve
    if not run.is_rate and curve.base is None:
        source = curve.document.source
        yield source.problem(
            "no-base",
            ("schedules", curve.name),
            f"{curve.name} has no base: its values are multiples of the optimizer's {curve.name}",
            key=True,
            hint=f"write base: {{{curve.name}: absolute}} if they are what they say",
            severity="warning",
        )


def rates_under_a_base(run: Run) -> Iterator[Problem]:
    """Rates that are written as multiples: of a base, or without one of the optimizer's rate."""
    curve = run.curve
    document, base = curve.document, curve.base
    if not run.is_rate or document.model.bases.get("lr") == "absolute":
        return
    if any(stage.kind not in ONE_WAY for stage in run.all):
        return
    phases = [phase for stage in run.all for phase in stage.phases]
    ends = [end for phase in phases for end in (phase.initial, phase.final or 0.0)]
    largest = max(map(abs, ends), default=0.0) / (base or 1.0)
    if not 0 < largest < _NEAR_ONE or (base is not None and base >= _NEAR_ONE):
        return
    if base is None:
        data = document.source.data
        several = isinstance(data, dict) and "schedules" in data
        path: Path = ("schedules", "lr") if several else ("schedule",)
        what = "is a multiple of the rate that the optimizer has"
    else:
        path, what = ("base",), f"is multiplied by the base {base!r}"
    yield document.source.problem(
        "rates-under-a-base",
        path,
        f"no value is more than {largest:.6g}, and each {what}",
        key=base is None,
        hint="write 'base: absolute' if the values are rates",
        severity="warning",
    )
