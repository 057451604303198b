"""Schedules that follow each other, each on a clock of its own, cut where the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.importing.nodes import Node, Schedule, constant, duration, linear, product
from lrspec.importing.sequence import stages

# Kinds that run from `initial` to `final`: another length is another curve.
_SPANNING = ("linear", "cosine", "polynomial", "geometric", "inverse")
_PIECEWISE = ("piecewise_linear", "piecewise_constant")


@dataclass(frozen=True)
class Stage:
    """A node without a length, and its length in steps; None is the last one, which goes on."""

    node: Node
    length: float | None = None


Stages: TypeAlias = Sequence[Stage]


def join(parts: Sequence[Stages], boundaries: Sequence[float]) -> list[Stage]:
    """Part i from `boundaries[i - 1]` on, on a clock that is 0 there.

    Where boundaries do not rise, a later part wins from its boundary on, as in optax and MLX,
    which take the last part whose boundary has been reached.
    """
    starts = [0.0, *map(float, boundaries)]
    kept = [i for i, start in enumerate(starts) if all(start < later for later in starts[i + 1 :])]
    found: list[Stage] = []
    for i, following in zip(kept, [*kept[1:], None], strict=True):
        length = None if following is None else starts[following] - starts[i]
        part = cut(parts[i], length)
        found += [Stage(_moved(stage.node, starts[i]), stage.length) for stage in part]
    return found


def cut(part: Stages, length: float | None) -> list[Stage]:
    """The part up to `length`; where it is shorter, its last value up to there."""
    if length is None:
        return list(part)
    found: list[Stage] = []
    left = length
    for stage in part:
        if stage.length is None or stage.length >= left:
            return [*found, _cut(stage, left)]
        found.append(stage)
        left -= stage.length
    return [*found, Stage(constant(), left)]


def laid(part: Stages, steps: int | None = None) -> Schedule:
    """The stages as a document states them; the last one takes what is left where it ends with
    the run of `steps`."""
    *before, last = part
    total = sum(stage.length or 0 for stage in part)
    if last.length is not None and total == steps:
        last = Stage(last.node)
    return stages(*(sized(stage.node, stage.length) for stage in [*before, last]))


def sized(node: Node, length: float | str | None) -> Node:
    """The node with its length."""
    if length is None:
        return node
    ((kind, body),) = node.items()
    return {kind: {**(body or {}), "length": duration(length)}}


def _cut(stage: Stage, length: float) -> Stage:
    """The stage up to `length`, which is not beyond its end."""
    ((kind, body),) = stage.node.items()
    if kind not in _SPANNING or stage.length == length:
        return Stage(stage.node, length)
    assert stage.length is not None
    if kind == "linear":
        initial, final = body["initial"], body["final"]
        return Stage(linear(initial, initial + (final - initial) * length / stage.length), length)
    # A child that is longer than what it stands in is cut where that ends.
    return Stage(product(sized(stage.node, stage.length)), length)


def _moved(node: Node, by: float) -> Node:
    """The node with its positions counted from `by` before its start."""
    ((kind, body),) = node.items()
    if kind not in _PIECEWISE or by == 0:
        return node
    return {kind: {**body, "boundaries": [_later(b, by) for b in body["boundaries"]]}}


def _later(position: int | str, by: float) -> int | str:
    """A number of steps, `by` later."""
    number = position if isinstance(position, int) else float(position.removesuffix(" steps"))
    return duration(number + by)
