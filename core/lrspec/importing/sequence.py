"""Nodes that follow each other as stages, without what a stage inherits."""

from __future__ import annotations

from typing import Any, cast

from lrspec.importing.nodes import Node, Schedule


def closing(node: Schedule) -> float | None:
    """The value with which a node closes where that stands in it, else None."""
    if isinstance(node, list):
        return closing(node[-1])
    kind, body = _parts(node)
    field = "value" if kind == "constant" else "final"
    return body.get(field)


# The kinds that start with what stands before them, where they do not say with what.
_STARTS = (
    *("constant", "linear", "cosine", "polynomial", "geometric", "inverse"),
    *("exponential", "inverse_sqrt", "power_law"),
)


def stages(*nodes: Schedule | None) -> Schedule:
    """Stages that follow each other, as an expert would write them.

    None is left out, and so is a stage of length 0 with another after it, which then starts with
    what this one ends with where it says nothing else. A value with which a stage starts, where the
    one before it ends with the same, is inherited. Two that hold the same value are one. One stage
    alone is no list.
    """
    given = [node for node in nodes if node is not None]
    written: list[Any] = []
    before: float | None = None
    left_out: float | None = None
    for index, node in enumerate(given):
        end = closing(node)
        if _is_empty(node) and index < len(given) - 1:
            left_out = left_out if end is None else end
            continue
        stage = _inheriting(_starting(node, left_out), before)
        if not (written and _has_joined(written, stage)):
            written.append(stage)
        if end is None and _is_held(node):
            end = before if left_out is None else left_out
        before, left_out = end, None
    return written[0] if len(written) == 1 else written


def _has_joined(written: list[Any], stage: Schedule) -> bool:
    """Whether the last stage takes over a stage that holds its value, and has done so."""
    before = written[-1]
    if not (_is_held(before) and _is_held(stage)):
        return False
    first, second = _parts(before)[1], _parts(cast("Node", stage))[1]
    if "value" in second or "until" in first or "until" in second:
        return False
    if not isinstance(first.get("length"), int):
        return False
    length = second.get("length")
    if length is not None and not isinstance(length, int):
        return False
    fields = {**first, "length": None if length is None else first["length"] + length}
    written[-1] = {"constant": {k: v for k, v in fields.items() if v is not None} or None}
    return True


def _is_empty(node: Schedule) -> bool:
    if isinstance(node, list):
        return all(_is_empty(stage) for stage in node)
    return _parts(node)[1].get("length") == 0


def _parts(node: Node) -> tuple[str, Node]:
    """The kind of a node and its fields."""
    ((kind, body),) = node.items()
    return kind, body or {}


def _is_held(node: Schedule) -> bool:
    return isinstance(node, dict) and "constant" in node


def _starting(node: Schedule, value: float | None) -> Schedule:
    """A node that starts with a value, where it does not say with which."""
    if value is None:
        return node
    if isinstance(node, list):
        return [_starting(node[0], value), *node[1:]]
    kind, body = _parts(node)
    field = "value" if kind == "constant" else "initial"
    return {kind: {field: value, **body}} if kind in _STARTS else node


def _inheriting(node: Schedule, before: float | None) -> Schedule:
    if before is None:
        return node
    if isinstance(node, list):
        return [_inheriting(node[0], before), *node[1:]]
    kind, body = _parts(node)
    field = "value" if kind == "constant" else "initial"
    if body.get(field) != before:
        return node
    return {kind: {key: value for key, value in body.items() if key != field} or None}
