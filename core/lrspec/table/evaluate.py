"""The array evaluator: a table and steps to values, by the functions of any namespace like numpy's.

Every formula of a shape that occurs in a table is computed on the numbers gathered for the row of
each step, and one of them is selected, so that the work does not depend on how many rows there are.
The numbers of a row are such that no formula of another shape is ever NaN on them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import accumulate
from operator import add, mul
from typing import Any, Final

from lrspec.table import form
from lrspec.table.form import LARGEST, Child, Clock, Rows, Table
from lrspec.table.weights import leaf

_SMALLEST: Final = 2.0**-1022
_LOGARITHM: Final = 708.0  # of the numbers that float64 holds, and of their reciprocals


def evaluate(table: Table, count: Any, xp: Any) -> Any:
    """The values at `count`, a float64 array (of any shape) of whole numbers ≥ 0.

    `xp` is a namespace with numpy's names, of which it needs `array ceil exp expm1 floor log
    log1p maximum minimum mod power searchsorted sign sin sqrt square take where`; the operators of
    its arrays are used too. They must keep float64: with JAX call it within the local x64 context,
    and keras.ops will not do everywhere.

    The result is float64, finite, multiplied by the base last. Up to step 2³¹ − 1 it agrees with
    `curve(step)` to a few ULP, and to about |ln of it| more for a power. Positions that need more
    than 53 bits are not exact.
    """
    rows = table.rows
    q = _clock(table.clock, count, xp)
    value = _Reader(rows, q, q if rows.grid == 1 else q * (1 / rows.grid), xp).value()
    if table.base is not None:
        value = value * table.base
    return _between(value, -table.largest, table.largest, xp)


def _clock(clock: Clock, count: Any, xp: Any) -> Any:
    """The whole number q at which each step is read."""
    if len(clock.starts) == 1:
        q = count if clock.sizes[0] == 1 else count * clock.sizes[0]
        return q if clock.consumed[0] == 0 else q + clock.consumed[0]
    starts, before, sizes = (_array(v, xp) for v in (clock.starts, clock.consumed, clock.sizes))
    row = xp.searchsorted(starts, count, side="right") - 1
    return xp.take(before, row) + (count - xp.take(starts, row)) * xp.take(sizes, row)


def _array(numbers: Any, xp: Any) -> Any:
    return xp.array(numbers, dtype="float64") if isinstance(numbers, tuple) else numbers


def _between(value: Any, least: Any, most: Any, xp: Any) -> Any:
    return xp.minimum(xp.maximum(value, least), most)


class _Columns:
    """The numbers gathered for each step, by column; those of `DEFAULTS` for a column left out."""

    def __init__(self, names: tuple[str, ...], gathered: Any) -> None:
        self.places = {name: place for place, name in enumerate(names)}
        self.gathered = gathered
        self.read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.read:
            place = self.places.get(name)
            self.read[name] = form.DEFAULTS[name] if place is None else self.gathered[place]
        return self.read[name]

    def has(self, name: str) -> bool:
        """Whether some row needs the column."""
        return name in self.places


class _Reader:
    """The rows of one frame, read at q, that is at the position p."""

    def __init__(self, rows: Rows, q: Any, p: Any, xp: Any) -> None:
        self.rows, self.q, self.p, self.xp = rows, q, p, xp
        row = xp.searchsorted(_array(rows.edges, xp), q, side="right")
        gathered = xp.take(_array(rows.matrix, xp), row, axis=1)
        self.column = _Columns(rows.columns, gathered)

    def value(self) -> Any:
        column, rows, xp = self.column, self.rows, self.xp
        index, rest = self._index() if column.has("step") else (None, None)
        value = None
        leaves = frozenset(shape for shape in rows.shapes if shape < form.PRODUCT)
        if leaves:
            value = leaf(column, leaves, self._position(), index, xp)
        if rows.parts:
            value = self._folded(value)
        for place, child in enumerate(rows.children):
            value = self._only(form.CHILD + place, self._child(child, index, rest), value)
        if column.has("shrink"):
            factor = xp.power(column["shrink"], index + column["skip"])
            value = self._scaled(value, factor, column["toward"])
        value = _between(value, column["minimum"], column["maximum"], xp)
        for level in range(1, rows.levels + 1):
            value = self._scaled(value, column[f"factor{level}"], column[f"toward{level}"])
            value = _between(value, column[f"minimum{level}"], column[f"maximum{level}"], xp)
        return value

    def _only(self, shape: int, there: Any, otherwise: Any) -> Any:
        """`there` for one shape; `otherwise` is None where it is the first to be selected."""
        if otherwise is None:
            return there
        return self.xp.where(self.column["shape"] == float(shape), there, otherwise)

    def _position(self) -> Any:
        """p, or where a period grows the position in it; folded where a cosine is extended."""
        column, p = self.column, self.p
        if column.has("origin"):
            p = (self.q - column["origin"]) + column["origin_part"]
            p = _divided(p, self.rows.grid, column["unit"])
        if column.has("turn"):
            start, turn = column["turn_start"], column["turn"]
            rest = self.xp.mod(p - start, turn)
            p = start + self.xp.minimum(rest, turn - rest)
        return p

    def _index(self) -> tuple[Any, Any]:
        """The index i and the rest r, both whole, and exact unless the rows say that they round."""
        column, xp = self.column, self.xp
        split, step, part = column["split"], column["step"], column["step_part"]
        whole = step * split + part
        offset = self.q - column["first"]
        index = xp.floor((offset * split - column["first_part"]) / whole)
        rest = (offset - index * step) * split - (index * part + column["first_part"])
        # The quotient was rounded, so the index may be one off. A rest lies in [0, whole), or as a
        # limit from the left in (0, whole].
        off = xp.ceil(rest / whole) - 1.0 if self.rows.left else xp.floor(rest / whole)
        return index + off, self._whole(rest - off * whole)

    def _whole(self, number: Any) -> Any:
        return self.xp.floor(number + 0.5) if self.rows.rounds else number

    def _child(self, child: Child, index: Any, rest: Any) -> Any:
        column = self.column
        q = rest
        if child.kind == "quantize":
            q = self._whole(column["read"] + index * column["read_step"])
        p = _divided(q, child.rows.grid, column["grid"])
        return _Reader(child.rows, q, p, self.xp).value()

    def _folded(self, value: Any) -> Any:
        """The product or the sum of the parts, in their order, where the row is one."""
        parts = [_Reader(part, self.q, self.p, self.xp).value() for part in self.rows.parts]
        if form.PRODUCT in self.rows.shapes:
            value = self._only(form.PRODUCT, self._product(parts), value)
        if form.SUM in self.rows.shapes:
            value = self._only(form.SUM, self._sum(parts), value)
        return value

    def _sum(self, parts: list[Any]) -> Any:
        """The sum; of small parts where partial sums leave float64, as it may not."""
        value = reduce(self._finite(add), parts)
        if len(parts) < 3:
            return value
        small = 0.5 ** len(parts).bit_length()
        partial = list(accumulate(part * small for part in parts))
        most = reduce(self.xp.maximum, map(abs, partial))
        return self.xp.where(most > LARGEST * small, self._held(partial[-1] / small), value)

    def _product(self, parts: list[Any]) -> Any:
        """The product; by logarithms where partial products leave float64, as it may not."""
        xp = self.xp
        value = reduce(self._finite(mul), parts)
        if len(parts) < 3:
            return value
        sizes = (xp.log(xp.maximum(abs(part), _SMALLEST)) for part in parts)
        partial = list(accumulate(sizes))
        least, most = reduce(xp.minimum, partial), reduce(xp.maximum, partial)
        lost = (least < -_LOGARITHM) | (most > _LOGARITHM)
        total: Any = partial[-1]
        signs: list[Any] = [xp.sign(part) for part in parts]
        size = reduce(mul, signs) * xp.exp(xp.minimum(total, _LOGARITHM))
        size = size * (1.0 + 1e3 * xp.maximum(total - _LOGARITHM, 0.0))  # beyond it, infinite
        return xp.where(lost, self._held(size), value)

    def _finite(self, operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda a, b: self._held(operator(a, b))

    def _held(self, value: Any) -> Any:
        return _between(value, -LARGEST, LARGEST, self.xp)

    def _scaled(self, value: Any, factor: Any, toward: Any) -> Any:
        """toward + factor·(value − toward), but the value itself where the factor is exactly 1."""
        # A factor beyond float64 leaves 0 as it is and takes all else beyond float64 too.
        beyond = _between(factor * _SMALLEST, 1.0, 1 / _SMALLEST, self.xp)
        grown = self.xp.minimum(factor, LARGEST) * (value - toward) * beyond
        return self.xp.where(factor == 1.0, value, toward + grown)


def _divided(q: Any, grid: int, gathered: Any) -> Any:
    """q/grid, rounded once.

    A compiler may turn the division by a constant into a product with its reciprocal, which is
    exact for a power of two only; any other grid is gathered from a column.
    """
    if grid & (grid - 1) == 0:
        return q if grid == 1 else q * (1 / grid)
    return q / gathered
