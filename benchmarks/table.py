"""The printed table: a line for each row, in columns."""

from __future__ import annotations

from benchmarks.rows import Missing, Row

_WIDTH = 62


def heading() -> str:
    """The names of the columns."""
    return f"{'':{_WIDTH}}{'median':>12}  {'middle half':>17}  {'target':>7}"


def line(row: Row | Missing) -> str:
    """A row of figures, or the reason why there are none."""
    if isinstance(row, Missing):
        return f"  not measured: {row.why}"
    quartiles = row.quartiles
    spread = "" if quartiles is None else " – ".join(map(_figure, quartiles))
    target = "" if row.target is None else str(row.target)
    missed = row.target is not None and not row.target.met(row.median)
    shown = f"{_figure(row.median)} {row.unit}"
    return (
        f"  {row.what:{_WIDTH - 2}}{shown:>12}  {spread:>17}  {target:>7}"
        f"{'  missed' if missed else ''}"
    ).rstrip()


def _figure(value: float) -> str:
    """Three significant digits, and whole numbers as they are."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}"
