"""What a table holds: a curve as columns of numbers, found by one search and gathered at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from sys import float_info
from typing import Any, Final, Literal, TypeAlias

Vector: TypeAlias = tuple[float, ...]

LARGEST: Final = float_info.max

# The shapes: how the weight w of a row is computed, from ξ = (p − anchor)/length and
# η = (other − p)/length; c is the cosine ½(1 − cos πξ). They are numbered so that one comparison
# tells a group from those that override it: up to COSINE_COMPLEMENT 1 − a power, from there to
# COSINE_POWER a folded cosine, and from COSINE_POWER to POWER_TWICE a power.
GEOMETRIC: Final = 0  # expm1(ξ·bend)/divisor
COMPLEMENT: Final = 1  # 1 − η^exponent0, divisor −1
COSINE_COMPLEMENT: Final = 2  # 1 − (1 − c)^exponent0, divisor −1
COSINE: Final = 3  # c
COSINE_POWER: Final = 4  # c^exponent0
STAIRCASE: Final = 5  # power0^i of the index i
POWER: Final = 6  # (power0 + power1·ξ)^(exponent0 + exponent1·ξ)
POWER_TWICE: Final = 7  # the square of that, where float64 may not hold it
LINE: Final = 8  # ξ; a constant is a line that does not rise
INVERSE: Final = 9  # ξ/(ξ + η·tilt)
INVERSE_SQRT: Final = 10  # √(|length|/(|length| + |p − anchor|))
STEEP: Final = 11  # exp(−η·bend)·expm1(−ξ·bend)/divisor
PRODUCT: Final = 12  # the product of the parts
SUM: Final = 13  # the sum of the parts
CHILD: Final = 14  # CHILD + j: the value of child j

# What stands in a column for the rows that do not use it: numbers for which every formula of
# every shape is finite, since array code computes them all.
DEFAULTS: Final[dict[str, float]] = {
    "shape": LINE,
    "origin": 0.0,
    "origin_part": 0.0,
    "unit": 1.0,
    "turn": LARGEST,
    "turn_start": 0.0,
    "anchor": 0.0,
    "other": 1.0,
    "length": 1.0,
    "low": 0.0,
    "rise": 0.0,
    "minimum": -LARGEST,
    "maximum": LARGEST,
    "power0": 1.0,
    "power1": 0.0,
    "exponent0": 1.0,
    "exponent1": 0.0,
    "bend": 0.0,
    "divisor": -1.0,
    "tilt": 1.0,
    "first": 0.0,
    "first_part": 0.0,
    "step": 1.0,
    "step_part": 0.0,
    "split": 1.0,
    "read": 0.0,
    "read_step": 1.0,
    "grid": 1.0,
    "skip": 0.0,
    "shrink": 1.0,
    "toward": 0.0,
}


@dataclass(frozen=True, slots=True)
class Rows:
    """A schedule in one frame of positions, as rows that follow each other.

    Positions of a frame are multiples of 1/`grid` and are looked up as whole numbers q, p = q/grid:
    row 0 holds before `edges[0]`, row i from `edges[i − 1]` on. On which side of a boundary a limit
    from the left falls is settled in the edges; `left` says it to the indices.

    `matrix` has one vector a column, in the order of `columns`, one number a row. A column that no
    row needs is left out and stands for its number in `DEFAULTS`. The value of a row is

        low + rise·w, no less than minimum and no more than maximum,

    with the weight w that its `shape` says. Columns by what they serve (positions in axis units):

    - `anchor`, `other`, `length`: ξ = (p − anchor)/length and η = (other − p)/length; `length` is
      negative where the anchor is the later end.
    - `power0`, `power1`, `exponent0`, `exponent1`, `bend`, `divisor`, `tilt`: for the shapes.
    - `turn`, `turn_start`: an extended cosine runs to and fro; p is first folded into half a turn.
    - `origin`, `origin_part` (and `unit`, the grid): rows of a period that grows read the position
      ((q − origin) + origin_part)/unit instead of p.
    - `first`, `first_part`, `step`, `step_part`, `split`: an index i = ⌊(q − f)/s⌋ with
      f = first + first_part/split and s = step + step_part/split, and the rest
      r = (q − f − i·s)·split. The numbers are whole; if they are not, `rounds` says that what comes
      of them must be rounded to a whole number.
    - `read`, `read_step`, `grid`: where a child is read, see `Child`.
    - `shrink`, `toward`, `skip`: the value v of a child becomes
      toward + shrink^(i + skip)·(v − toward), but stays as it is where the power is 1.
    - `toward1`, `factor1`, `minimum1`, `maximum1`, and so on for each of `levels`: the value v
      becomes toward1 + factor1·(v − toward1) and is then held between minimum1 and maximum1; it is
      left as it is where factor1 is 1.
    """

    grid: int
    left: bool
    edges: Vector
    columns: tuple[str, ...]
    matrix: tuple[Vector, ...]
    shapes: tuple[int, ...]
    rounds: bool
    levels: int
    parts: tuple[Rows, ...]
    children: tuple[Child, ...]


@dataclass(frozen=True, slots=True)
class Child:
    """Rows read at another position than that of the row they stand in.

    `repeat`: at the whole number r, the rest of the index, that is at r/grid after the start of
    period i. `quantize`: at read + i·read_step, the last whole multiple.
    """

    kind: Literal["repeat", "quantize"]
    rows: Rows


@dataclass(frozen=True, slots=True)
class Clock:
    """How the number q of a step follows from the step s (in `Rows.grid` of the table's rows).

    q = consumed + (s − start)·size, with the last row whose start is ≤ s: what is consumed before
    the step, plus half of what it consumes itself (`sample: middle`) or all of it (`sample: end`).
    """

    starts: Vector
    consumed: Vector
    sizes: Vector


@dataclass(frozen=True, slots=True)
class Table:
    """A curve in the form that array code evaluates: numbers only, frozen, hashable, picklable.

    `base` is the factor that comes last; None for a curve of multiples of what the host has.
    `largest`, with the sign of the value, stands for what is beyond it: the largest float64, or
    that of another type to which an adapter rounds (`dataclasses.replace`).
    """

    clock: Clock
    rows: Rows
    base: float | None
    largest: float = LARGEST

    def map(self, convert: Callable[[Any], Any]) -> Table:
        """The table with `convert(numbers)` for every vector, and for the matrix as a whole.

        `evaluate` turns tuples into arrays each time. An adapter that is called often keeps the
        arrays instead, for example `table.map(numpy.array)`; such a table is not hashable.
        """
        clock = self.clock
        if len(clock.starts) > 1:  # nothing is looked up in a single row
            clock = Clock(convert(clock.starts), convert(clock.consumed), convert(clock.sizes))
        return replace(self, clock=clock, rows=_mapped(self.rows, convert))


def _mapped(rows: Rows, convert: Callable[[Any], Any]) -> Rows:
    return replace(
        rows,
        edges=convert(rows.edges),
        matrix=convert(rows.matrix),
        parts=tuple(_mapped(part, convert) for part in rows.parts),
        children=tuple(
            replace(child, rows=_mapped(child.rows, convert)) for child in rows.children
        ),
    )
