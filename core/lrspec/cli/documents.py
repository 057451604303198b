"""From what stands on the command line to documents and curves."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO

import click

if TYPE_CHECKING:
    from lrspec.cli.facts import Facts
    from lrspec.curve import Curve
    from lrspec.document import Document
    from lrspec.problems import Problem


at_option = click.option(
    "--at",
    metavar="KEYS",
    help="Where in FILE the schedule document stands: optim.schedule, or a JSON pointer.",
)


def title(path: str) -> str:
    """What a file is called in problems and headings."""
    return "<stdin>" if path == "-" else path


def document_at(path: str, keys: str | None = None) -> Document:
    """The document in a file, or with `-` on standard input, or the part of it that `keys` lead to;
    SpecError with all its problems."""
    from lrspec import limits
    from lrspec.embedded import part
    from lrspec.loading import document, load
    from lrspec.reading import read_text

    if path != "-":
        return load(path, at=keys)
    # One byte more than is allowed tells that there is more.
    data = standard_input().read(limits.BYTES + 1)
    source = read_text(data, title(path), any_key=keys is not None)
    return document(source if keys is None else part(source, keys))


def standard_input() -> BinaryIO:
    """The bytes of standard input."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - a closed descriptor
        raise click.UsageError("there is no standard input.")
    return sys.stdin.buffer


def curves_of(document: Document, facts: Facts) -> tuple[Curve, ...]:
    """The curve of the schedule that is asked for, of all without a name; SpecError with what is
    wrong in any of them."""
    from lrspec.problems import SpecError

    names = document.names if facts.name is None else (facts.name,)
    of_base = names[0] if len(names) == 1 else "lr"
    if facts.base is not None and of_base not in names:
        raise click.UsageError(f"--base: which of {', '.join(names)} is it? Say so with --name.")
    curves: list[Curve] = []
    problems: list[Problem] = []
    for name in names:
        base = facts.base if name == of_base else None
        try:
            curve = document.bind(name=name, base=base, override=facts.override, **facts.shared)
        except SpecError as error:
            problems += error.problems
        else:
            curves.append(curve)
    if problems:
        raise SpecError(dict.fromkeys(problems))
    return tuple(curves)


def warnings_of(document: Document, curves: Iterable[Curve]) -> tuple[Problem, ...]:
    """The warnings of a document and of its curves that it does not allow, each once."""
    from lrspec.linting import unallowed

    found = dict.fromkeys(document.warnings)
    for curve in curves:
        found |= dict.fromkeys(curve.warnings)
    return unallowed(document, found) if found else ()
