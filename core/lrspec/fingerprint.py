"""A name for a curve: the SHA-256 of the canonical JSON of its resolved tree, base included,
horizon not."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from lrspec import resolved
from lrspec.formulas import Interpolation
from lrspec.held import holds
from lrspec.resolved import Growing, Node, Resolution

Json: TypeAlias = "None | bool | str | int | list[Json]"

# How many periods of a growing `repeat` stand for all of them: edges are linear in the length, so
# two would tell.
_PERIODS = 3
_LONG = 10**4000
_FARTHEST = 10**300


def fingerprint(resolution: Resolution) -> str:
    """64 hex digits; equal for resolutions that give the same values by the same formulas."""
    import hashlib
    import json

    text = json.dumps(canonical(resolution), separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _text(number: Fraction) -> str:
    """The number as a quotient in decimal, or in hexadecimal where Python writes none so long."""
    if max(abs(number.numerator), number.denominator) < _LONG:
        return str(number)
    return f"{number.numerator:x}/{number.denominator:x}"


def canonical(value: object) -> Json:
    """Lists of names and texts: a node is its class and its fields in order, a float the shortest
    text that reads back as it."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int | Fraction):
        return _text(Fraction(value))
    if isinstance(value, tuple):
        return [canonical(item) for item in cast("tuple[object, ...]", value)]
    if isinstance(value, Growing):
        count = value.periods.count
        number = _PERIODS if count is None else min(count, _PERIODS)
        lengths = [value.periods.length(i) for i in range(number)]
        # What is longer than float64 can tell holds no step.
        lengths = [length for length in lengths if length < _FARTHEST]
        children = [canonical(value.resolve(length)) for length in lengths]
        periods = value.periods
        return [
            "Growing",
            canonical(value.start),
            canonical((periods.first, periods.stretch, count, periods.rounding)),
            canonical((value.shrink, value.toward)),
            children,
        ]
    if isinstance(value, resolved.Timeline):
        return _timeline(value)
    return _node(value)


def _timeline(node: resolved.Timeline) -> Json:
    """A list without rows that only say what the one beside them holds anyway."""
    edges: list[float] = []
    rows = [node.rows[0]]
    for edge, row in zip(node.edges, node.rows[1:], strict=True):
        last = rows[-1]
        if isinstance(row, resolved.Constant) and _held_from(last, edge) == row.value:
            continue
        if isinstance(last, resolved.Constant) and _held_until(row, edge) == last.value:
            rows[-1] = row
            continue
        edges.append(edge)
        rows.append(row)
    if not edges:
        return canonical(rows[0])
    return _node(resolved.Timeline(tuple(edges), tuple(rows)))


def _held_from(node: Node, edge: float) -> float | None:
    """The value that a node holds from an edge on, None where it does not, or is no stage of one
    kind."""
    if isinstance(node, resolved.Constant):
        return node.value
    return node.final if isinstance(node, Interpolation) and holds(node, edge) else None


def _held_until(node: Node, edge: float) -> float | None:
    """The value that a node holds up to an edge, None where it does not."""
    if isinstance(node, Interpolation) and edge <= node.start < node.stop:
        return node.initial
    return None


def _node(value: object) -> Json:
    assert is_dataclass(value) and not isinstance(value, type)
    return [
        type(value).__name__,
        *(canonical(getattr(value, field.name)) for field in fields(value)),
    ]
