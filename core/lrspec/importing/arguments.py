"""The arguments of a training script, as people keep them: in a shell script or a text file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from lrspec.importing.config import Config
from lrspec.importing.shell import words
from lrspec.scalars import number_or_text
from lrspec.source import Json

_OPTION = re.compile(r"--?[A-Za-z][^=]*")
# How much alike two names have to be for one to be a misspelling of the other.
_ALIKE = 0.8


def parse_arguments(text: str) -> dict[str, Json]:
    """The arguments as a mapping: `--sched step --decay-epochs 2.4 --amp --betas 0.9 0.95` is
    `{"sched": "step", "decay_epochs": 2.4, "amp": True, "betas": [0.9, 0.95]}`.

    Dashes inside a name are underscores, `--key=value` is `--key value`, a line that ends with a
    backslash goes on in the next one, `#` starts a comment. What stands before the first argument
    (`python train.py`, a folder) is left out. The text may be a script that keeps arguments in
    variables and arrays. One that stands twice with different values is a text that says so, `1 or
    2`, which is none of its values.

    Raises ValueError where quotes do not match or there is no argument.
    """
    found: dict[str, list[list[Json]]] = {}
    values: list[Json] = []
    for word in words(text):
        option, equals, value = word.partition("=")
        if not word:
            # What follows does not belong to the last argument.
            values = []
            continue
        if not _OPTION.fullmatch(option):
            values.append(number_or_text(word))
            continue
        key = option.lstrip("-").replace("-", "_")
        values = [number_or_text(value)] if equals else []
        found.setdefault(key, []).append(values)
    if not found:
        raise ValueError("no argument such as --lr 1e-3 stands in it")
    return {key: _one(several) for key, several in found.items()}


def ignore_others(config: Config, names: Iterable[str], prefixes: tuple[str, ...] = ()) -> None:
    """Leave aside what says nothing about the schedule in a mapping of everything.

    That is every key that is neither one of `names`, nor so much like one of them that it may be a
    misspelling, nor starts with one of `prefixes`. A mapping of nothing else is refused.
    """
    names = list(names)
    others = [key for key in config.keys() if not _is_of(key, names, prefixes)]  # noqa: SIM118
    if len(others) == len(config.keys()):
        hint = f"it has, for example, {', '.join(names[:4])}"
        config.fail("not-a-config", "there is nothing of a schedule in it", hint=hint)
    config.ignore(*others)


def _is_of(key: str, names: list[str], prefixes: tuple[str, ...]) -> bool:
    alike = difflib.get_close_matches(key.lower(), names, 1, _ALIKE)
    return bool(alike) or key.startswith(prefixes)


def _one(several: list[list[Json]]) -> Json:
    """The value of an argument from those that are given for it."""
    if all(values == several[0] for values in several):
        return _joined(several[0])
    return " or ".join(" ".join(map(str, values)) or "nothing" for values in several)


def _joined(values: list[Json]) -> Json:
    if not values:
        return True
    return values[0] if len(values) == 1 else values
