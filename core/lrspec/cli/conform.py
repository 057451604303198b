"""`lrspec conform`: the conformance data of the language, run on backends or on a program."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lrspec.conformance.backends import Backend
    from lrspec.conformance.lists import Lists
    from lrspec.conformance.report import Outcome, Report
    from lrspec.conformance.suite import Suite

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("backends", metavar="[BACKEND]…", nargs=-1)
@click.option(
    "--command",
    metavar="TEXT",
    help="Run a program instead, as in --command 'node mine.js', and ask it line by line.",
)
@click.option(
    "--profile",
    type=click.Choice(["float64", "float32"]),
    help="How exact the program must be, float64 where this is left out; a BACKEND has its own.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="For one answer of the program.",
)
@click.option("--skip", type=_FILE, metavar="FILE", help="A list of cases that are not asked.")
@click.option("--xfail", type=_FILE, metavar="FILE", help="A list of cases that must fail.")
@click.option("--json", "report", type=_FILE, metavar="FILE", help="Write a report as JSON too.")
def conform(
    backends: tuple[str, ...],
    command: str | None,
    profile: str | None,
    timeout: float,
    skip: Path | None,
    xfail: Path | None,
    report: Path | None,
) -> int:
    """Run the conformance data on each BACKEND, or on a program.

    A backend is core, the reference evaluator, or the name of an adapter that an installed package
    registers: torch, optax, keras. A program in any language speaks JSON Lines on its standard
    input and output; spec/CONFORMANCE.md says how. Cases and values outside of a backend's profile
    (float32: steps beyond 2147483647) are left out and counted.

    A list has the name of a case or a pattern such as golden/cosine/* on each line, and after #
    the reason. The exit status is 1 when anything fails that is not expected to, or passes that is.
    """
    import json

    from lrspec.cli.outcomes import show
    from lrspec.cli.terminal import Terminal
    from lrspec.conformance.backends import BackendError, find, names
    from lrspec.conformance.json_report import data
    from lrspec.conformance.lists import ListError
    from lrspec.conformance.program import Program
    from lrspec.conformance.running import run
    from lrspec.conformance.suite import installed

    if (command is None) == (not backends):
        raise click.UsageError("give the name of a backend, or --command with a program.")
    if profile is not None and command is None:
        raise click.UsageError("--profile is for --command; a backend has its own.")
    known = names()
    for name in backends:
        if name not in known:
            raise click.UsageError(f"no backend is named {name!r}; there are {', '.join(known)}.")
    suite = installed()
    out = Terminal(sys.stdout)
    reports: list[Report] = []
    good = True
    for name in backends if command is None else (command,):
        try:
            with (
                nullcontext(find(name))
                if command is None
                else Program(_words(command), profile or "float64", timeout)
            ) as backend:
                lists = _lists(backend, suite, skip, xfail)
                reports.append(run(backend, suite, _watched, lists))
        except (BackendError, ListError) as error:
            click.echo(f"lrspec: {error}", err=True)
            good = False
            continue
        show(out, reports[-1])
    if report is not None:
        report.write_text(json.dumps(data(reports), indent=2) + "\n", encoding="utf-8")
    return 0 if good and all(one.good for one in reports) else 1


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise click.UsageError(f"--command {command!r}: {error}.") from error
    if not words:
        raise click.UsageError("--command is empty.")
    return words


def _lists(backend: Backend, suite: Suite, skip: Path | None, xfail: Path | None) -> Lists:
    from lrspec.conformance.lists import Lists, matched
    from lrspec.conformance.running import asked

    cases = asked(backend, suite)
    skipped, xfailed = (
        # What is not UTF-8 matches nothing, which is said.
        matched("" if file is None else file.read_text("utf-8", "replace"), str(file), cases)
        for file in (skip, xfail)
    )
    return Lists(skipped, xfailed)


def _watched(outcomes: Iterable[Outcome], number: int) -> Iterable[Outcome]:
    """The same outcomes, with a bar on the terminal while they come."""
    from rich.progress import track

    from lrspec.cli.terminal import Terminal

    console = Terminal(sys.stderr).console
    if not console.is_terminal:
        # Before rich 15 a bar that is disabled still writes an empty line.
        return outcomes
    return track(outcomes, "cases", number, console=console, transient=True)
