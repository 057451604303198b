"""The frame of a table's positions: the grid they lie on, and from which of them a row holds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Final

from lrspec.resolved import Exact
from lrspec.table.leaves import Side

_MODERATE: Final = 1e200


@dataclass(frozen=True)
class Frame:
    """Positions q/grid for whole q up to `last`; `left` says that they are limits from the left."""

    grid: int
    left: bool
    last: int

    def first_from(self, edge: Exact) -> int:
        """The least q at `edge` or after it."""
        return ceil(edge * self.grid)

    def first_after(self, edge: Exact) -> int:
        """The least q after `edge`."""
        return floor(edge * self.grid) + 1

    def owner(self, edge: Exact) -> int:
        """The least q that belongs to what begins at `edge`."""
        return self.first_after(edge) if self.left else self.first_from(edge)


@dataclass(frozen=True)
class Place:
    """Where a part of the schedule counts its positions from: `start` in the frame, exactly.

    0 but in the periods of a `repeat` that grows.
    """

    frame: Frame
    start: Exact = 0

    @cached_property
    def origin(self) -> int:
        """The first whole number of the grid at the start or after it."""
        return ceil(self.start * self.frame.grid)

    @cached_property
    def part(self) -> float:
        """How far after the start that is, in units of the grid."""
        return float(self.origin - self.start * self.frame.grid)

    def position(self, q: int) -> float:
        """The rounded position at q, by the operations that the evaluator does."""
        grid = self.frame.grid
        if self.start == 0:
            return q / grid
        return (float(q - self.origin) + self.part) / grid

    def first(self, side: Side, edge: float) -> int:
        """The least q of a row that begins at the rounded position `edge`."""
        after = side == "after" or (side == "own" and self.frame.left)
        if not self.rounds and abs(edge) < _MODERATE:
            scaled = edge * self.frame.grid  # exact: the grid is a power of two
            return floor(scaled) + 1 if after else ceil(scaled)
        exact = (self.start + Fraction(edge)) * self.frame.grid
        q = floor(exact) + 1 if after else ceil(exact)
        # Positions are rounded before they are compared (clause 3.9): the neighbours may differ.
        while self.rounds and self._reached(q - 1, edge, after):
            q -= 1
        while self.rounds and not self._reached(q, edge, after):
            q += 1
        return q

    @cached_property
    def rounds(self) -> bool:
        """Whether positions are no float64 numbers: off the start, or on a grid that is no 2ⁿ."""
        grid = self.frame.grid
        return self.start != 0 or grid & (grid - 1) != 0

    def _reached(self, q: int, edge: float, after: bool) -> bool:
        position = self.position(q)
        return position > edge if after else position >= edge
