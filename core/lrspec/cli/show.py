"""`lrspec show`: a schedule as it is resolved for a run, stage by stage."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from lrspec.cli.documents import at_option
from lrspec.cli.facts import Facts, fact_options

if TYPE_CHECKING:
    from fractions import Fraction

    from lrspec.cli.terminal import Terminal
    from lrspec.curve import Curve
    from lrspec.document import Document
    from lrspec.resolved import Batches


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--plot/--no-plot",
    default=None,
    help="Draw the curve below its stages, or do not; drawn on a terminal when left out.",
)
@click.option(
    "--log/--linear",
    default=None,
    help="A log axis or not; one where stages end more than 3 decades apart when left out.",
)
@at_option
@fact_options
def show(file: str, plot: bool | None, log: bool | None, at: str | None, facts: Facts) -> int:
    """Print the stages of FILE's schedule.

    FILE may be - for standard input. A row for every stage, and for every piece of a piecewise one:
    the step where it starts, the step where it ends (open where it does not), its kind, and its
    values there; two columns more have its lowest and highest value where some row has values
    beyond its ends, as a repeat may. The last row says what comes after: a value that is held, or a
    formula that goes on. Values are rates where a base is known, and multiples of the host's
    otherwise. On a terminal the curve is drawn below, with a mark on the axis where each stage
    starts.
    """
    from lrspec.cli.documents import curves_of, document_at, title, warnings_of
    from lrspec.cli.terminal import Terminal, printable

    document = document_at(file, at)
    curves = curves_of(document, facts)
    Terminal(sys.stderr).problems(warnings_of(document, curves))
    out = Terminal(sys.stdout)
    for index, curve in enumerate(curves):
        if index:
            out.line()
        out.line(f"{printable(title(file))}: {curve.name}", "bold")
        _print(out, document, curve)
        if out.stream.isatty() if plot is None else plot:
            out.line()
            _draw(out, curve, log)
    return 0


def _draw(out: Terminal, curve: Curve, log: bool | None) -> None:
    from lrspec.cli.chart import chart
    from lrspec.cli.sampling import horizon
    from lrspec.plotting.scales import last_step, wants_log

    last = last_step(curve, horizon([curve]))
    chart(out, curve, last, log=wants_log([curve], last) if log is None else log)


def _print(out: Terminal, document: Document, curve: Curve) -> None:
    from lrspec.columns import table
    from lrspec.phase_lines import phase_lines

    out.rows(table(list(_heading(document, curve)), [False, False]))
    out.line()
    first, *rest = phase_lines(curve)
    out.line(first, "bold")
    out.rows(rest)


def _heading(document: Document, curve: Curve) -> Iterator[tuple[str, str]]:
    """What the schedule is and which facts it uses."""
    from lrspec.cli.terminal import printable

    data, model = document.source.data, document.model
    if isinstance(data, dict) and "name" in data:
        yield "name", printable(str(data["name"]))
    if model.bases.get(curve.name) == "absolute":
        yield "base", "absolute"
    elif curve.base is None:
        yield "values", "multiples of base"
    else:
        yield "base", repr(curve.base)
    for field in ("axis", "sample", "rounding"):
        value = getattr(model, field)
        if value != {"axis": "steps", "sample": "start", "rounding": "none"}[field]:
            yield field, value
    for fact, value in curve.facts_used.items():
        yield fact, _fact(value)


def _fact(value: int | Fraction | Batches) -> str:
    from lrspec.phase_lines import shown_step
    from lrspec.resolved import Batches

    if not isinstance(value, Batches):
        return shown_step(value if isinstance(value, int) else float(value))
    sizes = [f"{size} from {start}" for start, size in zip(value.starts, value.values, strict=True)]
    return ", ".join(sizes if len(sizes) <= 4 else [*sizes[:2], "…", sizes[-1]])
