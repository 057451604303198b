"""What laying out passes around: spans, the place of a node, and a node laid out on its span."""

from __future__ import annotations

from dataclasses import dataclass

from lrspec import resolved
from lrspec.problems import Path
from lrspec.resolved import Exact, Node


@dataclass(frozen=True, slots=True)
class Span:
    """[start, stop).

    `bounded` says that a length, a period or a following stage ends it, not just the run (clause
    5.7); `from_end` that it was laid backward from its stop (5.6).
    """

    start: Exact
    stop: Exact | None
    bounded: bool
    from_end: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: its ruler (clause 3.4), what it inherits (6.3), and what an `advance` in
    it makes up for (7.18).

    `span` is the ruler's, None without an end; `before` the closing value of what stands before,
    and `source` where that is; `passed` the distance from the start of the innermost list to the
    stage that the node is in.
    """

    ruler: Exact
    span: Exact | None
    before: float
    source: str
    passed: Exact = 0
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A leaf, a wrapper or a combinator on its part of the axis, for the phases; `inside` has the
    pieces of each child of a wrapper or combinator, `period` those of one period of a `repeat`, by
    positions in it, where all have one length."""

    start: Exact
    stop: Exact | None
    kind: str
    path: Path
    node: Node
    closing: float | None
    inside: tuple[tuple[Piece, ...], ...] = ()
    period: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """A node laid out: rows by exact start, in order, the last one without an end; its own end; its
    closing value there."""

    rows: tuple[tuple[Exact, Node], ...]
    stop: Exact | None
    closing: float | None
    pieces: tuple[Piece, ...]

    def node(self, start: Exact) -> Node:
        """The rows as one node of the resolved tree, from `start` on."""
        rows = self.rows
        first = max((i for i, (edge, _) in enumerate(rows) if edge <= start), default=0)
        rows = rows[first:]
        if len(rows) == 1:
            return rows[0][1]
        return resolved.Timeline(
            tuple(float(edge) for edge, _ in rows[1:]), tuple(node for _, node in rows)
        )
