"""The entry point: the group of commands, and what becomes of errors."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import cast

import click

from lrspec.cli.check import check
from lrspec.cli.conform import conform
from lrspec.cli.diff import diff
from lrspec.cli.importing import import_
from lrspec.cli.lsp import lsp
from lrspec.cli.plot import plot
from lrspec.cli.schema import schema
from lrspec.cli.show import show
from lrspec.cli.values import values

INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lrspec", message="%(prog)s %(version)s")
def command() -> None:
    """Check, show, evaluate, compare and import learning-rate schedules."""


for _part in (check, show, plot, values, diff, import_, schema, conform, lsp):
    command.add_command(_part)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; errors end in one line each, not in a
    traceback.

    0: done, and good. 1: a document is not valid, a case of the suite fails, a file cannot be read
    or written. 2: the command line itself is wrong. 130: interrupted.
    """
    from lrspec.problems import SpecError

    _take_every_character()
    try:
        status = command.main(arguments, prog_name="lrspec", standalone_mode=False)
        # The language server closes what it wrote to.
        if not sys.stdout.closed:
            sys.stdout.flush()
        return int(status or 0)
    except SpecError as error:
        from lrspec.cli.terminal import Terminal

        Terminal(sys.stderr).problems(error.problems)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as error:
        _discard_output()
        if not isinstance(error, BrokenPipeError):
            name = "the output" if error.filename is None else str(cast("object", error.filename))
            click.echo(f"lrspec: {name}: {error.strerror or error}", err=True)
        return 1


def _take_every_character() -> None:
    """Write what the output's encoding lacks as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Drop what can no longer be written, so that Python does not try again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
