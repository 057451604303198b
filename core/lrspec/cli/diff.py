"""`lrspec diff`: whether two schedules give the same values, and where they do not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from math import isnan
from time import monotonic
from typing import TYPE_CHECKING

import click

from lrspec.cli.documents import at_option
from lrspec.cli.facts import Facts, fact_options

if TYPE_CHECKING:
    from lrspec.cli.terminal import Terminal
    from lrspec.comparing import At, Difference
    from lrspec.curve import Curve
    from lrspec.problems import Problem

EQUAL, DIFFERENT, ERROR = 0, 1, 2
# Of more phases only the first are shown.
_PHASES = 60
# So many steps take an hour at least.
_TOO_MANY = 10**10
# In seconds: then, and whenever twice as much is over, it is said how far a comparison is.
_PATIENCE = 10.0


def _share(_context: click.Context, _option: click.Parameter, number: float) -> float:
    """A share, which is a number: nothing is farther apart than NaN."""
    if isnan(number):
        raise click.BadParameter("a share is a number, 0 or more.")
    return number


@click.command()
@click.argument("one", metavar="A")
@click.argument("two", metavar="B")
@click.option(
    "--to",
    "last",
    type=click.IntRange(min=0),
    metavar="STEP",
    help="The last step that is compared; twice the longer horizon, which is the end of the run or"
    " of what a schedule states beyond it.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=0.0,
    callback=_share,
    metavar="SHARE",
    help="Count values as equal that are no farther apart, as a share of the larger one.",
)
@click.option("--plot", is_flag=True, help="Draw both as well; 'lrspec plot A B' puts them in one.")
@at_option
@fact_options
def diff(
    one: str, two: str, last: int | None, tolerance: float, plot: bool, at: str | None, facts: Facts
) -> int:
    """Compare the schedules of A and B at every step.

    Printed are the first step at which they differ, the largest difference and where it is, and the
    phases of both side by side. - is standard input. Facts and --at hold for both. The exit status
    is 0 when they are equal at every step, 1 when not, and 2 when one of them cannot be used.
    """
    from lrspec.cli.documents import curves_of, document_at
    from lrspec.cli.terminal import Terminal
    from lrspec.problems import SpecError

    if one == two == "-":
        raise click.UsageError("A and B cannot both be standard input.")
    curves: list[dict[str, Curve]] = []
    problems: list[Problem] = []
    for file in (one, two):
        try:
            found = curves_of(document_at(file, at), facts)
        except SpecError as error:
            problems += error.problems
        else:
            curves.append({curve.name: curve for curve in found})
    if problems:
        Terminal(sys.stderr).problems(problems)
        return ERROR
    out = Terminal(sys.stdout)
    status = EQUAL
    for name in dict.fromkeys([*curves[0], *curves[1]]):
        both = [of_file.get(name) for of_file in curves]
        status |= _compare(out, name, both, last, tolerance)
        if plot:
            _draw(out, both)
    return status


def _draw(out: Terminal, curves: Sequence[Curve | None]) -> None:
    """The curves below each other, along the same steps and values."""
    from lrspec.cli.chart import charts
    from lrspec.cli.sampling import horizon
    from lrspec.plotting.scales import wants_log

    both = zip("AB", curves, strict=True)
    titled = [(title, curve) for title, curve in both if curve is not None]
    drawn = [curve for _, curve in titled]
    last = horizon(drawn)
    charts(out, titled, last, log=wants_log(drawn, last))


def _compare(
    out: Terminal, name: str, curves: list[Curve | None], last: int | None, tolerance: float
) -> int:
    from lrspec.comparing import both_hold, difference, horizon, last_seen

    one, two = curves
    if one is None or two is None:
        out.line(f"{name}: only {'B' if one is None else 'A'} has it", "bold")
        return DIFFERENT
    longer = horizon(one, two)
    end = 2 * longer if last is None else last
    if one != two and last_seen(one, two, end) > _TOO_MANY:
        raise click.UsageError(f"{name}: more than {_TOO_MANY:,} steps; say how far with --to.")
    found = difference(one, two, end, tolerance=tolerance, progress=_progress(name))
    if found is None:
        known = last is None and (one.fingerprint == two.fingerprint or both_hold(one, two, longer))
        where = "" if known else f" to {end:,}"
        out.line(f"{name}: equal at every step{where}", "green")
        return EQUAL
    out.line(f"{name}: different at {found.steps:,} of {end + 1:,} steps", "bold")
    out.rows(_summary(found))
    if (one.base is None) != (two.base is None):
        which = "A" if one.base is None else "B"
        out.rows([f"  {which} gives multiples of a base that it does not state: see --base"])
    out.line()
    out.rows(_side_by_side(one, two))
    return DIFFERENT


def _progress(name: str) -> Callable[[int, int], None]:
    """Says how far a comparison is that takes long."""
    started, next_time = monotonic(), _PATIENCE

    def progress(done: int, steps: int) -> None:
        nonlocal next_time
        passed = monotonic() - started
        if passed >= next_time:
            next_time = 2 * passed
            said = f"{name}: {done:,} of {steps:,} steps compared in {passed:.0f} s"
            click.echo(f"{said}; --to compares fewer", err=True)

    return progress


def _summary(found: Difference) -> Iterator[str]:
    yield f"  first    {_at(found.first)}"
    yield f"  largest  {_at(found.largest)}"


def _at(at: At) -> str:
    apart = f"{at.distance:.3g} ({100 * at.relative:.4g}%) apart"
    return f"step {at.step}: {at.one!r} and {at.two!r}, {apart}"


def _side_by_side(one: Curve, two: Curve) -> list[str]:
    """The phases of both, those that are alike in one line; ≠ marks the others."""
    from lrspec.columns import table
    from lrspec.phase_lines import HEADINGS, RIGHT, phase_rows

    ones, twos = (list(islice(phase_rows(curve), _PHASES + 1)) for curve in (one, two))
    nothing = ("",) * len(HEADINGS)
    rows: list[tuple[str, ...]] = [(*HEADINGS, " ", *HEADINGS)]
    for tag, i, j, k, m in SequenceMatcher(None, ones, twos, autojunk=False).get_opcodes():
        mark = "=" if tag == "equal" else "≠"
        pairs = zip_longest(ones[i:j], twos[k:m], fillvalue=nothing)
        rows += [(*left, mark, *right) for left, right in pairs]
    lines = table(rows, (*RIGHT, False, *RIGHT))
    return lines if len(lines) <= _PHASES else [*lines[:_PHASES], "…"]
