"""How much work the periods of repeats within repeats come to, and how much is too much.

What stands in periods that grow is laid out for several of their lengths, and so again for each
that stand inside: without a limit a short document would take hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lrspec import limits, model
from lrspec.meaning import children
from lrspec.problems import Problem
from lrspec.source import Source

# How many rounded periods are laid out, to report what does not fit in a later one: fewer where
# that takes the laying of more than so many schedules.
_ROUNDED: Final = 256
_SCHEDULES: Final = 1000
# The first period, the last one, and the one that a span ends in.
LENGTHS: Final = 3


def nesting_problems(document: model.Model, source: Source) -> Iterator[Problem]:
    """Repeats that are nested too deep, and what is too much together."""
    for schedule in document.schedules.values():
        deep = next(_too_deep(schedule, 0), None)
        if deep is not None:
            text = f"repeats with stretch are nested deeper than {limits.GROWING}"
            yield source.problem("too-deep", deep.path, text)
        elif cost(schedule, rounded=document.rounding != "none") > limits.LAID:
            text = f"the periods of repeats come to more than {limits.LAID:,} schedules"
            yield source.problem("too-many-nodes", schedule.path, text)


def rounded_lengths(each: int) -> int:
    """How many rounded periods are laid out, where one takes the laying of `each` schedules."""
    return max(LENGTHS, min(_ROUNDED, _SCHEDULES // each))


def cost(node: model.Schedule, *, rounded: bool) -> int:
    """How many schedules are laid out for one, at most."""
    inside = sum(cost(child, rounded=rounded) for child in children(node))
    if not (isinstance(node, model.Repeat) and node.stretch != 1):
        return 1 + inside
    return 1 + inside * (rounded_lengths(inside) if rounded else LENGTHS)


def _too_deep(node: model.Schedule, growing: int) -> Iterator[model.Repeat]:
    if isinstance(node, model.Repeat) and node.stretch != 1:
        growing += 1
        if growing > limits.GROWING:
            yield node
            return
    for child in children(node):
        yield from _too_deep(child, growing)
