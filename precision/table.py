"""The printed table: kinds, and below each what was measured, in columns."""

from __future__ import annotations

from math import isinf

from precision.rows import Row

_NAME, _FIGURE, _PLACE = 46, 12, 76


def heading() -> str:
    """The names of the columns."""
    return (
        f"{'largest error in ULP':>{_NAME + _FIGURE}}{'limit':>9}"
        f"{'where':>9}{'':{_PLACE - 7}}{'differ':>8}"
    )


def line(row: Row) -> str:
    """A row; what others make has no limit."""
    name = f"  {row.name}" if row.limit is not None else f"    {row.name}"
    error = "no number" if isinf(row.error) else _figure(row.error)
    place = f"{row.document}, {row.run}: {row.step:,}"
    if row.limit is None:
        return f"{name:{_NAME}}{error:>{_FIGURE}}{'':9}    {place}"
    verdict = "passed" if row.passed else f"failed, {row.over:,} over"
    return (
        f"{name:{_NAME}}{error:>{_FIGURE}}{_figure(row.limit):>9}    {place:{_PLACE - 2}}"
        f"{row.differing:>8,}  {verdict}"
    )


def _figure(value: float) -> str:
    """Five digits, and large numbers by their power of ten."""
    return f"{value:.5g}" if value < 1e5 else f"{value:.2e}"
