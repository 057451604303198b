"""The periods of a `repeat` whose lengths differ: where each starts and which one a position lies
in (clause 7.14).

Period i is first·stretchⁱ long and starts first·(stretchⁱ − 1)/(stretch − 1) after the repeat's
start, in exact rationals. Powers whose exact form would run to thousands of digits are kept to 2000
significant bits, far below the float64 that is made of them in the end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, log, log1p, log2
from typing import Literal

from lrspec.resolved import Exact

Rounding = Literal["none", "floor", "ceil", "nearest"]

_EXACT_BITS = 8192
_KEPT_BITS = 2000
# A power of less than 2 to the minus this stands for every smaller one.
_LEAST_BITS = 2**15


def round_whole(value: Exact, rounding: Rounding) -> Exact:
    """`value` on a whole number by the document's `rounding`; "nearest" takes a half to the even
    neighbour (clause 3.6)."""
    if rounding == "floor":
        return floor(value)
    if rounding == "ceil":
        return ceil(value)
    if rounding == "nearest":
        return round(value)
    return value


@lru_cache(512)
def power(ratio: Fraction, exponent: int) -> Fraction:
    """Ratio^exponent: exact while it is short, else to `_KEPT_BITS` significant bits, and no less
    than 2^−`_LEAST_BITS`.

    Neighbouring exponents share half of them, so that to go through periods takes a product each.
    """
    if exponent == 0 or ratio == 1:
        return Fraction(1)
    if ratio < 1 and exponent * log2(ratio) < -_LEAST_BITS:
        return Fraction(1, 1 << _LEAST_BITS)
    half = power(ratio, exponent // 2)
    even = shortened(half * half)
    return shortened(even * ratio) if exponent % 2 else even


def shortened(value: Fraction) -> Fraction:
    """The value exactly while it is short, else to `_KEPT_BITS` significant bits."""
    top, bottom = value.numerator, value.denominator
    if top.bit_length() + bottom.bit_length() <= _EXACT_BITS:
        return value
    shift = _KEPT_BITS - (top.bit_length() - bottom.bit_length())
    if shift >= 0:
        return Fraction((top << shift) // bottom, 1 << shift)
    return Fraction((top // (bottom << -shift)) << -shift)


def series(stretch: Fraction, count: int) -> Exact:
    """1 + stretch + … + stretch^(count − 1)."""
    if stretch == 1:
        return count
    return (power(stretch, count) - 1) / (stretch - 1)


@dataclass(frozen=True)
class Periods:
    """Periods of lengths first, first·stretch, first·stretch², …, rounded one after the other
    unless `rounding` is "none"."""

    first: Exact
    stretch: Fraction
    count: int | None
    rounding: Rounding
    _starts: list[Exact] = field(default_factory=list[Exact], init=False, repr=False, compare=False)

    def __getstate__(self) -> tuple[Exact, Fraction, int | None, Rounding]:
        return self.first, self.stretch, self.count, self.rounding

    def __setstate__(self, state: tuple[Exact, Fraction, int | None, Rounding]) -> None:
        for name, value in zip(("first", "stretch", "count", "rounding"), state, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_starts", [])

    def length(self, index: int) -> Exact:
        """The length of period `index`; may be 0 only where rounding makes it so."""
        if self.rounding == "none":
            return self.first * power(self.stretch, index)
        self._grow_to(index + 1)
        if index + 1 < len(self._starts):
            return self._starts[index + 1] - self._starts[index]
        return self._steady()

    def start(self, index: int) -> Exact:
        """How far after the repeat's start period `index` starts."""
        if self.rounding == "none":
            return self.first * series(self.stretch, index)
        self._grow_to(index)
        known = len(self._starts) - 1
        if index <= known:
            return self._starts[index]
        return self._starts[known] + (index - known) * self._steady()

    def total(self) -> Exact | None:
        """The length of all periods, or None when they go on for ever."""
        return None if self.count is None else self.start(self.count)

    def locate(self, offset: Exact, left: bool) -> int:
        """The period that holds `offset` ≥ 0 (as a limit from the left: just before it); never more
        than count − 1."""
        index = (
            self._locate_rounded(offset, left)
            if self.rounding != "none"
            else self._locate_exact(offset, left)
        )
        if self.count is not None and index >= self.count:
            return self.count - 1
        return max(index, 0)

    def _locate_exact(self, offset: Exact, left: bool) -> int:
        if self.stretch == 1:
            index, rest = divmod(offset, self.first)
            return int(index) - (1 if left and not rest else 0)
        # The estimate is most often right; where it is not, it may be far off.
        low = high = self._estimate(offset)
        step = 1
        while self._before(offset, low, left):
            low, high, step = low - step, low, 2 * step
        step = 1
        while not self._before(offset, high + 1, left):
            if self.count is not None and high >= self.count:
                break
            low, high, step = high + 1, high + step, 2 * step
        while low < high:
            middle = (low + high + 1) // 2
            if self._before(offset, middle, left):
                high = middle - 1
            else:
                low = middle
        return low

    def _before(self, offset: Exact, index: int, left: bool) -> bool:
        """Whether `offset` lies before period `index`."""
        if index <= 0:
            return False
        start = self.start(index)
        return offset <= start if left else offset < start

    def _estimate(self, offset: Exact) -> int:
        """The index in float64 arithmetic; the callers correct it by exact comparison."""
        growth, lengths = float(self.stretch - 1), offset / Fraction(self.first)
        if growth > 0 and lengths > 1e300 / max(growth, 1.0):  # the product may leave float64
            logarithm = log(lengths.numerator) - log(lengths.denominator)
            guess = int((logarithm + log(growth)) / log1p(growth))
            return guess if self.count is None else min(guess, self.count)
        inside = float(min(lengths, Fraction(10**300))) * growth
        if inside <= -1 or growth == 0:
            return self.count or 0
        guess = int(
            log1p(inside) / log(self.stretch)
            if abs(growth) > 1e-3
            else log1p(inside) / log1p(growth)
        )
        return max(0, guess if self.count is None else min(guess, self.count))

    def _locate_rounded(self, offset: Exact, left: bool) -> int:
        while self._starts_grow() and self._last() <= offset:
            self._append()
        last = len(self._starts) - 1
        if self._last() <= offset and not self._starts_grow():
            step = self._steady()
            index, rest = divmod(offset - self._last(), step) if step else (0, 1)
            return last + int(index) - (1 if left and rest == 0 else 0)
        search = bisect_left if left else bisect_right
        return search(self._starts, offset) - 1

    def _last(self) -> Exact:
        if not self._starts:
            self._starts.extend((0, self.first))
        return self._starts[-1]

    def _steady(self) -> Exact:
        """The length of the period after the last known one."""
        self._last()
        return round_whole((self._starts[-1] - self._starts[-2]) * self.stretch, self.rounding)

    def _starts_grow(self) -> bool:
        """Whether the next period differs in length from the last known one: once it does not, none
        after it does."""
        self._last()
        if self.count is not None and len(self._starts) > self.count:
            return False
        return self._steady() != self._starts[-1] - self._starts[-2]

    def _append(self) -> None:
        self._starts.append(self._last() + self._steady())

    def _grow_to(self, index: int) -> None:
        self._last()
        while len(self._starts) <= index and self._starts_grow():
            self._append()


class Walk:
    """Goes through the periods in order: `index`, `start` and `length` of one, `end` of it.

    What the next one takes is a product and a sum, where finding it takes exact powers.
    """

    def __init__(self, periods: Periods, left: bool) -> None:
        self.periods = periods
        self.left = left
        self._go(0)

    def to(self, offset: Exact) -> None:
        """Go to the period that holds `offset`, which is not before the present one."""
        if not self._holds(offset):
            self._next()
        if not self._holds(offset):
            self._go(self.periods.locate(offset, self.left))

    def _holds(self, offset: Exact) -> bool:
        last = self.periods.count is not None and self.index >= self.periods.count - 1
        return last or (offset <= self.end if self.left else offset < self.end)

    def _go(self, index: int) -> None:
        self.index = index
        self.start, self.length = self.periods.start(index), self.periods.length(index)
        self.end = self.start + self.length

    def _next(self) -> None:
        if self.periods.rounding != "none":
            self._go(self.index + 1)
            return
        self.index += 1
        self.start, self.length = self.end, shortened(self.length * self.periods.stretch)
        self.end = shortened(Fraction(self.start + self.length))
