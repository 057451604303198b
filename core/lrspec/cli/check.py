"""`lrspec check`: everything that is wrong with files, and what may not be meant, without a run."""

from __future__ import annotations

import sys
from functools import partial

import click

from lrspec.cli.documents import at_option
from lrspec.cli.facts import Facts, run_and_override_options


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="Lines for people, JSON, annotations of a GitHub workflow, or SARIF 2.1.0.",
)
@at_option
@click.option("--strict", is_flag=True, help="Let warnings make the exit status 1 too.")
@run_and_override_options
def check(files: tuple[str, ...], form: str, at: str | None, strict: bool, facts: Facts) -> int:
    """Report every problem of every FILE.

    FILE may be a directory, for the schedule files below it, a pattern such as 'runs/**/*.yaml', or
    - for standard input. One line a problem: file:line:column: /json/pointer: message; hint. Facts
    about the run that a file does not state are no fault of it. The exit status is 1 when there is
    any error. Warnings are no errors; 'x-allow: [code, …]' in a file switches them off.
    """
    from lrspec.checking import checked
    from lrspec.cli.documents import document_at
    from lrspec.cli.files import files_of
    from lrspec.cli.reports import REPORTS, text

    each = {
        file: checked(
            partial(document_at, file, at),
            base=facts.base,
            override=facts.override,
            **facts.shared,
        )
        for file in files_of(files)
    }
    found = {file: of.problems for file, of in each.items()}
    if form == "text":
        text(sys.stdout, found, {file: of.missing for file, of in each.items()}, strict=strict)
    else:
        REPORTS[form](sys.stdout, found)
    return int(any(strict or p.severity == "error" for of in found.values() for p in of))
