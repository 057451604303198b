"""`lrspec import`: the configuration of another system as a document."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lrspec.cli.facts import Facts, run_options


class _Command(click.Command):
    """Its help ends with the systems that can be imported."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from lrspec.importing.registry import names

        with formatter.section("Systems"):
            formatter.write_text(", ".join(names()))


@click.command("import", cls=_Command)
@click.argument("system", metavar="SYSTEM")
@click.argument("file", metavar="FILE", required=False)
@click.option(
    "--schedule", metavar="NAME", help="The function or class, where FILE does not name it."
)
@click.option(
    "--at",
    metavar="KEYS",
    help="Where in FILE the configuration stands: trainer.optim, or a JSON pointer.",
)
@click.option(
    "--sample",
    is_flag=True,
    help="Write a schedule that no kind states as straight lines through its values.",
)
@click.option("-o", "--output", metavar="PATH", help="Write the document there.")
@run_options
def import_(
    system: str,
    file: str | None,
    schedule: str | None,
    at: str | None,
    sample: bool,
    output: str | None,
    facts: Facts,
) -> int:
    """Write the schedule of another SYSTEM's configuration as a document.

    FILE is the configuration as users of that system write it; - is standard input. It may be left
    out where --schedule says it all, as in 'optax.linear_schedule(0, 1e-3, 100)'. The document
    gives the same rates at every step, or the import is refused with a reason. What was assumed
    stands in comments at its top, with the phases that it resolves to; with --output they are
    printed as well. Nothing is written where anything is wrong.
    """
    from lrspec.importing.registry import ImporterError, find

    try:
        load = find(system)
    except ImporterError as error:
        raise click.UsageError(str(error)) from None
    if file is None and schedule is None:
        raise click.UsageError("Missing argument 'FILE'.")
    if output is not None and file is not None and _is_read(Path(output), file):
        raise click.UsageError(f"--output: {output} is the configuration itself.")
    config: object = {} if file is None else file
    if file == "-":
        from lrspec import limits
        from lrspec.cli.documents import standard_input

        config = standard_input().read(limits.BYTES + 1)
    document = load(
        config, at=at, schedule=schedule, sample=sample, base=facts.base, **facts.shared
    )
    if output is None:
        sys.stdout.write(document.to_yaml())
        return 0
    Path(output).write_text(document.to_yaml(), encoding="utf-8")
    sys.stdout.write(document.report())
    return 0


def _is_read(output: Path, file: str) -> bool:
    """Whether a path is that of the configuration, or of the file in `file.py:function`."""
    places = [Path(place) for place in (file, file.rpartition(":")[0]) if place]
    return output.exists() and any(p.exists() and p.samefile(output) for p in places)
