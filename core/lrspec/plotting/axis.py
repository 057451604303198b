"""The vertical axis of a panel: where values lie on it, and which are written beside it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import ceil, floor, log10, nan
from typing import TypeAlias

# Room below and above the values, as shares of what lies between them.
_BELOW, _ABOVE = 0.03, 0.13
# An axis of equal values has so many decades all the same.
_LEAST = 0.1
# So many powers of ten or round numbers are written at most, and so many decades are not too close
# for marks between them.
_WRITTEN, _MARKED = 9, 12
_EVERY = (1, 2, 5, 10, 20, 50, 100)
# Below so many decades 2 and 5 are written too.
_SHORT = 2
# Where a picture is not drawn by float64 alone: there is no room about the values.
_SMALLEST, _LARGEST = 1e-200, 1e200

Tick: TypeAlias = tuple[float, str]


def power_of(peak: float) -> int:
    """The power of ten by which values up to `peak` are divided to be drawn: 0 but for those near
    the ends of float64."""
    return 0 if peak == 0 or _SMALLEST <= peak <= _LARGEST else floor(log10(peak))


def divided(value: float, power: int) -> float:
    """The value divided by 10**power, which may itself be beyond float64."""
    half = power // 2
    return value / 10.0**half / 10.0 ** (power - half)


def written(value: float, power: int) -> str:
    """Six digits of value times 10**power, which may be beyond float64.

    written(0.25, -2) is "0.0025", written(2, 308) is "2e+308".
    """
    number = Decimal(f"{value:.6g}").scaleb(power).normalize()
    if not number:
        return "0"
    near = _SMALLEST <= abs(number) <= _LARGEST
    return f"{float(number):.6g}" if near else f"{number:g}"


class LogAxis:
    """An axis along the logarithm of values, from `low` to `high`, both above 0."""

    def __init__(self, low: float, high: float) -> None:
        start, stop = log10(low), max(log10(high), log10(low))
        decades = max(stop - start, _LEAST)
        self.low, self.high = start - _BELOW * decades, stop + _ABOVE * decades

    def place(self, value: float) -> float:
        """Where the value lies; NaN where it is nowhere."""
        return log10(value) if value > 0 else nan

    def ticks(self) -> list[Tick]:
        """Places with what is written there: powers of ten, on a short axis 2 and 5 times them too,
        and on a shorter one round numbers."""
        decades = self.high - self.low
        if decades < 1:
            return list(self._round())
        factors = (1, 2, 5) if decades < _SHORT else (1,)
        powers = range(floor(self.low), floor(self.high) + 1)
        every = next(every for every in _EVERY if len(powers) / every <= _WRITTEN)
        found = [
            (power + log10(factor), written(factor, power))
            for power in powers
            for factor in factors
            if power % every == 0
        ]
        return [tick for tick in found if self.low <= tick[0] <= self.high]

    def marks(self) -> list[float]:
        """Places without a text: all of 2 to 9 times a power of ten, unless they are too close."""
        if not 1 <= self.high - self.low <= _MARKED:
            return []
        powers = range(floor(self.low), floor(self.high) + 1)
        places = (power + log10(factor) for power in powers for factor in range(2, 10))
        return [place for place in places if self.low <= place <= self.high]

    def _round(self) -> Iterator[Tick]:
        """Multiples of 1, 2 or 5 times a power of ten."""
        power = floor(self.low)
        least, greatest = 10 ** (self.low - power), 10 ** (self.high - power)
        unit = 10.0 ** floor(log10(greatest - least))
        factor = next(
            f for f in (0.2, 0.5, 1.0, 2.0) if (greatest - least) / (unit * f) <= _WRITTEN
        )
        for number in range(ceil(least / (unit * factor)), floor(greatest / (unit * factor)) + 1):
            value = number * unit * factor
            yield power + log10(value), written(value, power)
