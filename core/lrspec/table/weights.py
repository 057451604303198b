"""The value low + rise·w of a row: the weight of every shape on gathered numbers, one selected."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any, Final, Protocol

from lrspec.table import form

_HALF_PI: Final = pi / 2
_SMALLEST: Final = 2.0**-1022

_FOLDS = frozenset({form.COSINE_COMPLEMENT, form.COSINE, form.COSINE_POWER})
_COMPLEMENTS = frozenset({form.COMPLEMENT, form.COSINE_COMPLEMENT})
_GROWTHS = _COMPLEMENTS | {form.GEOMETRIC}
_POWERS = frozenset({form.COSINE_POWER, form.STAIRCASE, form.POWER, form.POWER_TWICE})
_FAR = _FOLDS | _COMPLEMENTS | {form.INVERSE, form.STEEP}


class Columns(Protocol):
    """The numbers gathered for each step, by column."""

    def __getitem__(self, name: str) -> Any:
        """The numbers of one column."""
        ...


def leaf(column: Columns, shapes: frozenset[int], p: Any, index: Any, xp: Any) -> Any:
    """low + rise·w at the position p; `index` is the i of rows that count."""
    return _Leaf(column, shapes, p, index, xp).value()


class _Leaf:
    def __init__(
        self, column: Columns, shapes: frozenset[int], p: Any, index: Any, xp: Any
    ) -> None:
        self.column, self.shapes, self.index, self.xp = column, shapes, index, xp
        self.distance = p - column["anchor"]
        self.near = self.distance / column["length"]
        if shapes & _FAR:
            self.far = (column["other"] - p) / column["length"]
        if shapes & (_FOLDS | _COMPLEMENTS):
            self._fold()

    def value(self) -> Any:
        column, shapes = self.column, self.shapes
        # From the general to the special: the groups of shapes are numbered for this order.
        weight = self.near if form.LINE in shapes else None
        raised = self._raised() if shapes & _POWERS else None
        if raised is not None:
            weight = self._upto(form.POWER_TWICE, raised, weight)
        if form.COSINE in shapes:
            weight = self._upto(form.COSINE, self.folded, weight)
        if shapes & _GROWTHS:
            weight = self._upto(form.COSINE_COMPLEMENT, self._grown(), weight)
        for shape, formula in _SINGLE.items():
            if shape in shapes:
                weight = self._only(shape, formula(self), weight)
        value = column["low"] + column["rise"] * weight
        if form.POWER_TWICE in shapes:
            value = self._only(form.POWER_TWICE, column["rise"] * raised * raised, value)
        return value

    def _only(self, shape: int, there: Any, otherwise: Any) -> Any:
        """`there` for one shape; `otherwise` is None where it is the first to be selected."""
        if otherwise is None or len(self.shapes) == 1:
            return there
        return self.xp.where(self.column["shape"] == float(shape), there, otherwise)

    def _upto(self, shape: int, there: Any, otherwise: Any) -> Any:
        """`there` for the shapes numbered up to `shape`."""
        if otherwise is None or max(self.shapes) <= shape:
            return there
        return self.xp.where(self.column["shape"] <= float(shape), there, otherwise)

    def _fold(self) -> None:
        """The smaller of ξ and η, as a height of the cosine where there is one; from it c."""
        xp, shapes = self.xp, self.shapes
        self.rising = self.near <= 0.5
        half = straight = xp.where(self.rising, self.near, self.far)
        if shapes & _FOLDS:
            half = xp.square(xp.sin(_HALF_PI * half))
            if form.COMPLEMENT in shapes:
                half = self._upto(form.COMPLEMENT, straight, half)
        half = xp.minimum(half, 0.5)  # it is, but in rows of other shapes
        self.half = half
        if shapes & {form.COSINE, form.COSINE_POWER}:
            self.folded = xp.where(self.rising, half, 1.0 - half)

    def _raised(self) -> Any:
        column, shapes = self.column, self.shapes
        base = along = self.near
        if form.COSINE_POWER in shapes:
            base = self._upto(form.COSINE_POWER, self.folded, base)
        if form.STAIRCASE in shapes:
            along = self._only(form.STAIRCASE, self.index, along)
        base = column["power0"] + column["power1"] * base
        return self.xp.power(base, column["exponent0"] + column["exponent1"] * along)

    def _grown(self) -> Any:
        """expm1 of what grows along ξ or, as a logarithm, falls along η."""
        column, shapes, xp = self.column, self.shapes, self.xp
        growth = None
        if shapes & _COMPLEMENTS:
            falling = xp.log(xp.maximum(self.half, _SMALLEST))
            falling = xp.where(self.rising, xp.log1p(-self.half), falling)
            growth = column["exponent0"] * falling
        if form.GEOMETRIC in shapes:
            growth = self._upto(form.GEOMETRIC, column["bend"] * self.near, growth)
        return xp.expm1(growth) / column["divisor"]

    def inverse(self) -> Any:
        near = self.clipped(self.near)
        far = self.clipped(self.far, _SMALLEST)  # or rows of other shapes might give 0/0
        return near / (near + far * self.column["tilt"])

    def inverse_sqrt(self) -> Any:
        scale = abs(self.column["length"])
        return self.xp.sqrt(scale / (scale + abs(self.distance)))

    def steep(self) -> Any:
        xp, bend = self.xp, self.column["bend"]
        near = xp.maximum(self.near, 0.0)  # it is, but in rows of other shapes
        rising = xp.expm1(-near * bend) / self.column["divisor"]
        return xp.exp(-self.far * bend) * rising

    def clipped(self, fraction: Any, least: float = 0.0) -> Any:
        return self.xp.minimum(self.xp.maximum(fraction, least), 1.0)


# Shapes that stand alone, in any order.
_SINGLE: Final[dict[int, Callable[[_Leaf], Any]]] = {
    form.INVERSE: _Leaf.inverse,
    form.INVERSE_SQRT: _Leaf.inverse_sqrt,
    form.STEEP: _Leaf.steep,
}
