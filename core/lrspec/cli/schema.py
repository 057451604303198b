"""`lrspec schema`: the JSON Schema of a document, and how an editor finds it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lrspec.cli.editors import EDITORS, line


@click.command()
@click.option(
    "-o", "--output", metavar="FILE", help="Write the schema there instead of printing it."
)
@click.option(
    "--editor-line",
    is_flag=True,
    help="Print the first line of a YAML file by which an editor finds the schema: the one in"
    " --output, or the installed one. A relative --output is printed as it is and counts from the"
    " folder of that file.",
)
@click.option(
    "--editor",
    type=click.Choice(list(EDITORS)),
    help="Print the settings by which an editor finds the schema, as above, for every"
    " *.lrspec.yaml and *.lrspec.json. In vscode and jetbrains a relative --output counts from the"
    " root of the workspace.",
)
def schema(output: str | None, editor_line: bool, editor: str | None) -> int:
    """Print or write the JSON Schema of a schedule document."""
    from lrspec_spec import schema_text

    if editor_line and editor is not None:
        raise click.UsageError("--editor-line and --editor print one thing each: give one of them")
    if output is not None:
        Path(output).write_text(schema_text(), encoding="utf-8", newline="\n")
    if editor_line or editor is not None:
        path = installed().resolve() if output is None else Path(output)
        if editor is None:
            sys.stdout.write(line(path))
        else:
            # Where it goes stands apart, so that the rest can be sent to a file.
            click.echo(EDITORS[editor].place, err=True)
            sys.stdout.write(EDITORS[editor].text(path))
    elif output is None:
        sys.stdout.write(schema_text())
    return 0


def installed() -> Path:
    """The file of the installed schema."""
    from importlib.resources import files

    import lrspec_spec

    found = files(lrspec_spec).joinpath(f"v{lrspec_spec.VERSION}", "schedule.schema.json")
    if not isinstance(found, Path):
        raise click.ClickException(
            "the installed schema is no file of its own: write one with --output"
        )
    return found
