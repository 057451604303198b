"""`lrspec values`: the values of a schedule at any steps, in full precision."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from lrspec.cli.facts import Facts, fact_options

if TYPE_CHECKING:
    from lrspec.curve import Curve

# The largest step that can be asked for: as many as a range can have.
_LARGEST = 2**63 - 2
# How many rows are made at a time: a long run is written as it is computed.
_CHUNK = 8192
# The longest text of a float64, -2.2250738585072014e-308, and no name shorter than its values.
_WIDEST = 24


def _step(
    _context: click.Context | None, _option: click.Parameter | None, text: str | None
) -> int | None:
    if text is None:
        return None
    try:
        step = int(text)
    except ValueError:
        raise click.BadParameter(f"a step is a whole number, not {text!r}.") from None
    if not 0 <= step <= _LARGEST:
        raise click.BadParameter(f"a step is from 0 to {_LARGEST}, not {step}.")
    return step


def _list(context: click.Context, option: click.Parameter, text: str | None) -> list[int] | None:
    if text is None:
        return None
    if text[:1].isalpha() or text.startswith("/"):  # as --at of the other commands
        raise click.BadParameter(
            f"--at names steps, such as 0,1000; for the document at {text!r} say --document {text}."
        )
    steps = (_step(context, option, part.strip()) for part in text.split(","))
    return [step for step in steps if step is not None]


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--at", callback=_list, metavar="STEP,…", help="These steps.")
@click.option("--from", "first", callback=_step, metavar="STEP", help="The first step; 0.")
@click.option("--to", "last", callback=_step, metavar="STEP", help="The last step; the end.")
@click.option("--stride", type=click.IntRange(min=1), metavar="STEPS", help="Every so many; 1.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    help="table (default), csv with a heading, or json.",
)
@click.option(
    "--document",
    "keys",
    metavar="KEYS",
    help="Where in FILE the schedule document stands, as --at of the other commands.",
)
@fact_options
def values(
    file: str,
    at: list[int] | None,
    first: int | None,
    last: int | None,
    stride: int | None,
    form: str,
    keys: str | None,
    facts: Facts,
) -> int:
    """Print the values of FILE's schedule at any steps.

    FILE may be - for standard input. A step is the number of updates already completed. Without
    --at, --from, --to and --stride some 20 steps are chosen, with every step at which a stage or
    piece starts. Values are rates where a base is known, and multiples of the host's otherwise.
    Every digit is printed: the text reads back as the same number.
    """
    from lrspec.cli.documents import curves_of, document_at, warnings_of
    from lrspec.cli.sampling import default_steps, horizon
    from lrspec.cli.terminal import Terminal

    ranged = (first, last, stride) != (None, None, None)
    if at is not None and ranged:
        raise click.UsageError("--at names the steps: --from, --to and --stride do not go with it.")
    document = document_at(file, keys)
    curves = curves_of(document, facts)
    steps: Sequence[int]
    if at is not None:
        steps = at
    elif ranged:
        end = min(horizon(curves), _LARGEST) if last is None else last
        steps = range(first or 0, end + 1, stride or 1)
    else:
        steps = default_steps(curves)
    Terminal(sys.stderr).problems(warnings_of(document, curves))
    out = Terminal(sys.stdout)
    for part in _FORMS[form](curves, steps):
        out.stream.write(part)
    return 0


def _table(curves: Sequence[Curve], steps: Sequence[int]) -> Iterator[str]:
    from lrspec.columns import aligned

    largest = max(steps[-1:] if isinstance(steps, range) else steps, default=0)
    widths = [max(len("step"), len(str(largest))), *(max(_WIDEST, len(c.name)) for c in curves)]
    right = [True, *(False for _ in curves)]
    yield aligned(["step", *(curve.name for curve in curves)], widths, right) + "\n"
    for part in _parts(steps):
        rows = zip(part, *(_values(curve, part) for curve in curves), strict=True)
        yield "".join(aligned(list(map(repr, row)), widths, right) + "\n" for row in rows)


def _csv(curves: Sequence[Curve], steps: Sequence[int]) -> Iterator[str]:
    yield ",".join(["step", *(curve.name for curve in curves)]) + "\n"
    for part in _parts(steps):
        rows = zip(part, *(_values(curve, part) for curve in curves), strict=True)
        yield "".join(",".join(map(repr, row)) + "\n" for row in rows)


def _json(curves: Sequence[Curve], steps: Sequence[int]) -> Iterator[str]:
    """{"steps": […], "values": {"lr": […]}}, one list after the other."""
    yield '{"steps": ['
    yield from _items(_parts(steps))
    yield '], "values": {'
    for index, curve in enumerate(curves):
        yield f'{", " if index else ""}"{curve.name}": ['
        yield from _items(_values(curve, part) for part in _parts(steps))
        yield "]"
    yield "}}\n"


def _items(parts: Iterable[Iterable[float]]) -> Iterator[str]:
    for number, part in enumerate(parts):
        yield ", " * (number > 0) + ", ".join(map(repr, part))


_FORMS = {"table": _table, "csv": _csv, "json": _json}


def _parts(steps: Sequence[int]) -> Iterator[Sequence[int]]:
    return (steps[start : start + _CHUNK] for start in range(0, len(steps), _CHUNK))


def _values(curve: Curve, steps: Sequence[int]) -> Sequence[float]:
    if isinstance(steps, range):
        return curve.values(steps.start, steps.stop, steps.step)
    return [curve(step) for step in steps]
