"""The steps of a run whose length is given in epochs."""

from __future__ import annotations

from math import ceil

from lrspec.importing.config import Config
from lrspec.importing.nodes import plain
from lrspec.importing.run import Run

_MOST = 1e15


def steps_of_epochs(
    config: Config, run: Run, key: str, epochs: float, *, how: str = ""
) -> int | None:
    """⌈epochs·⌈steps of an epoch⌉⌉, and what the caller says where these are not known.

    `key` is where the epochs stand, `how` is more to say of their number.
    """
    given = run.steps()
    if run.facts.get("steps_per_epoch") is None:
        run.has_epochs = True
        return given
    each = ceil(run.steps_per_epoch(why=""))
    if epochs * each > _MOST:
        message = f"{epochs:g} epochs of {each:g} steps are too many"
        config.fail("out-of-range", message, *([key] if key in config else []))
    total = ceil(epochs * each)
    counted = f"{_counted(epochs, 'epoch')}{how} of {_counted(each, 'step')}"
    counted += f" {'is' if epochs == 1 else 'are'} {_counted(total, 'step')}"
    if given not in (None, total):
        config.fail("conflicting-fact", f"steps is {given} here, and {counted}")
    run.say(f"{counted}{'' if total == epochs * each else ', rounded up'}.")
    return total


def _counted(number: float, noun: str) -> str:
    """`1 epoch`, `2.5 epochs`."""
    return f"{plain(number)} {noun}{'' if number == 1 else 's'}"
