"""The numbers by which a row counts, whole ones: array code finds exact indices (clause 3.9).

Where whole numbers would need more than 53 bits, their parts are float64 and the rest is put on a
grid of 2⁻ⁿ: it is then off by no more than the rounding of float64 arithmetic.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

from lrspec.resolved import Exact
from lrspec.table.frame import Frame
from lrspec.table.leaves import Row

_EXACT_BITS = 53


class Counting(NamedTuple):
    """Columns; by how much the grid of the result is finer than that of the frame; exactness."""

    columns: Row
    split: int
    exact: bool


def index(frame: Frame, start: Exact, every: Exact, stop: int) -> Counting:
    """The columns of i = ⌊(p − start)/every⌋ and of the rest, for whole numbers before `stop`."""
    first, step = Fraction(start) * frame.grid, Fraction(every) * frame.grid
    split = lcm(first.denominator, step.denominator)
    number = max(Fraction(0), (min(stop, frame.last) - first) / step)
    exact = _bits(max(step, number) * split) < _EXACT_BITS
    if not exact:
        split = _finest(step)
    # To the nearest whole number, so that a hair more or less than one is not lost.
    columns: dict[str, Exact] = {"first": round(first), "step": round(step), "split": split}
    columns |= {"first_part": (first - columns["first"]) * split}
    columns |= {"step_part": (step - columns["step"]) * split}
    return Counting({name: float(number) for name, number in columns.items()}, split, exact)


def multiples(last: Exact, start: Exact, every: Exact) -> Counting:
    """The columns of start + i·every, for positions up to `last`, on the grid `split`."""
    grid = lcm(Fraction(start).denominator, Fraction(every).denominator)
    largest = max(abs(Fraction(start)), Fraction(last))
    exact = _bits(largest * grid) <= _EXACT_BITS
    if not exact:
        grid = _finest(largest)
    columns = {"read": float(Fraction(start) * grid), "read_step": float(Fraction(every) * grid)}
    return Counting(columns, grid, exact)


def _finest(largest: Fraction) -> int:
    """The largest 2ⁿ by which `largest` still fits in 53 bits."""
    return 1 << max(0, _EXACT_BITS - 1 - _bits(largest))


def _bits(number: Fraction) -> int:
    return int(number).bit_length()
