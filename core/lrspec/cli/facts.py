"""The options by which a command is given facts about the run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True)
class Facts:
    """Keywords of `Document.bind`; what is not given is None.

    `shared` are those that all schedules of a document have in common.
    """

    name: str | None
    base: Any
    override: bool
    shared: dict[str, Any]


def _written(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """What the text would be in a document: a number, or text with a unit.

    Whether it is a good one is for binding to say, in the same words as everywhere.
    """
    return None if text is None else _scalar(text)


def _batches(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """A batch size, or from `0:32,1000:64` a batch schedule."""
    if text is None or ":" not in text:
        return None if text is None else _scalar(text)
    rows: list[dict[str, Any]] = []
    for part in text.split(","):
        start, colon, value = part.partition(":")
        if not colon:
            raise click.BadParameter(f"{part!r} is not START:VALUE, as in 0:32,1000:64.")
        rows.append({"start": _scalar(start), "value": _scalar(value)})
    return rows


def _scalar(text: str) -> object:
    from lrspec.scalars import NotFiniteError, plain_scalar

    try:
        scalar = plain_scalar(text.strip())
    except NotFiniteError:
        return text
    return text if scalar is None else scalar


_RUN = (
    click.option(
        "--steps",
        callback=_written,
        metavar="STEPS",
        help="Planned optimizer updates, or a duration such as '90 epochs'.",
    ),
    click.option(
        "--base",
        callback=_written,
        metavar="NUMBER",
        help="What 1 stands for: of lr where there are several schedules, or of --name.",
    ),
    click.option(
        "--batch-size",
        callback=_batches,
        metavar="SAMPLES",
        help="Samples of one update, or START:VALUE,… where it changes: 0:32,1000:64.",
    ),
    click.option(
        "--sequence-length", callback=_written, metavar="TOKENS", help="Tokens of one sample."
    ),
    click.option(
        "--steps-per-epoch", callback=_written, metavar="STEPS", help="Updates of one epoch."
    ),
)
_NAME = click.option("--name", metavar="NAME", help="Which schedule; all when left out.")
_OVERRIDE = click.option(
    "--override",
    is_flag=True,
    help="Let facts given here replace other ones in the file, instead of refusing both.",
)


def fact_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command these options; it takes them as one argument, `facts`."""
    return _with_options(command, (*_RUN, _NAME, _OVERRIDE))


def run_and_override_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command those of the options that do not choose a schedule."""
    return _with_options(command, (*_RUN, _OVERRIDE))


def run_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command those of the options that are facts about the run."""
    return _with_options(command, _RUN)


def _with_options(
    command: Callable[..., int], options: Sequence[Callable[..., Any]]
) -> Callable[..., int]:
    @functools.wraps(command)
    def with_facts(
        *,
        steps: object,
        base: object,
        batch_size: object,
        sequence_length: object,
        steps_per_epoch: object,
        name: str | None = None,
        override: bool = False,
        **others: Any,
    ) -> int:
        shared = {
            "steps": steps,
            "batch_size": batch_size,
            "sequence_length": sequence_length,
            "steps_per_epoch": steps_per_epoch,
        }
        return command(facts=Facts(name, base, override, shared), **others)

    decorated: Callable[..., int] = with_facts
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
