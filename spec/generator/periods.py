"""The periods of a `repeat`: how long each is and which one a position lies in (7.14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Any

from generator.clock import Clock
from generator.decimals import rational
from generator.quantities import Ruler, positive_duration, round_steps
from generator.refusal import Refused


@dataclass(frozen=True)
class Periods:
    """Periods that follow each other from 0 on."""

    first: Fraction
    stretch: Fraction
    count: int | None
    clock: Clock
    whole: bool  # each further one is rounded to whole steps

    def length(self, index: int) -> Fraction:
        """The length of period `index`."""
        if self.stretch == 1:
            return self.first
        lengths, _ = _known(self)
        while len(lengths) <= index:
            longer = lengths[-1] * self.stretch
            length = round_steps(longer, self.clock) if self.whole else longer
            if self.whole and length == 0:
                raise Refused("rounds-to-zero")
            if length == lengths[-1]:
                return length  # rounded back, and so is every further one
            lengths.append(length)
        return lengths[index]

    def start(self, index: int) -> Fraction:
        """The distance of period `index` from the first: the sum of those before it."""
        if self.stretch == 1:
            return index * self.first
        _, starts = _known(self)
        while len(starts) <= index:
            last = len(starts) - 1
            if self._steady(last):
                return starts[last] + (index - last) * self.length(last)
            starts.append(starts[last] + self.length(last))
        return starts[index]

    def _steady(self, index: int) -> bool:
        """Whether rounding gives every period from this one on the same length."""
        counted = self.count is None or index + 1 < self.count
        return self.whole and counted and self.length(index) == self.length(index + 1)

    def total(self) -> Fraction:
        """The end of the last period."""
        assert self.count is not None
        return self.start(self.count)

    def index(self, offset: Fraction, *, left: bool) -> int:
        """The period that owns a distance from the first start, or the one just before it.

        Beyond the last one the count itself.
        """
        if self.first == 0:
            return self.count or 0
        if self.stretch == 1:
            found = ceil(offset / self.first) - 1 if left else floor(offset / self.first)
        else:
            found = 0
            while self.count is None or found < self.count:
                if self._steady(found):
                    turns = (offset - self.start(found)) / self.length(found)
                    return found + (ceil(turns) - 1 if left else floor(turns))
                end = self.start(found + 1)
                if end > offset or (end == offset and left):
                    break
                found += 1
        found = max(found, 0)
        return found if self.count is None else min(found, self.count)


@cache
def _known(periods: Periods) -> tuple[list[Fraction], list[Fraction]]:
    """Lengths and starts as far as they have been asked for."""
    return [periods.first], [Fraction(0)]


def periods_of(
    body: Mapping[str, Any], span: Fraction | None, ruler: Ruler, clock: Clock
) -> Periods:
    """The periods of a `repeat` with these fields, on a span of this length."""
    stretch = rational(body.get("stretch", 1))
    count = int(body["count"]) if "count" in body else None
    if stretch < 1 and count is None:
        raise Refused("stretch-needs-count")
    if "period" in body:
        first = positive_duration(body["period"], ruler, clock)
        # Periods of one length are what was written; only grown ones are put on whole steps.
        whole = clock.rounding != "none" and stretch != 1
        return Periods(first, stretch, count, clock, whole)
    if span is None or count is None:
        raise Refused("length-needed", "repeat")
    parts = sum((stretch**i for i in range(count)), Fraction(0))
    return Periods(span / parts, stretch, count, clock, whole=False)
