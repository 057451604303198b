"""Cycles whose number a library finds by a logarithm in float64, as timm and fairseq do."""

from __future__ import annotations

import math
from fractions import Fraction

# Later starts are beyond what float64 counts.
_MOST_CYCLES, _MOST = 60, 10**15


def late_starts(length: float, mul: float, count: int) -> list[int]:
    """The whole numbers at which a cycle begins while the logarithm falls just short of its number.

    Cycle i begins at length·(mulⁱ − 1)/(mul − 1), and the library takes i at t to be
    ⌊log(1 − t/length·(1 − mul))⌋ to the base mul. With mul 3 that is 4 where cycle 5 begins: there
    the library is still at the very end of cycle 4, and in cycle 5 one later.
    """
    if mul == 1:
        return []
    found: list[int] = []
    start = Fraction(0)
    for cycle in range(1, min(count, _MOST_CYCLES)):
        start += Fraction(length) * Fraction(mul) ** (cycle - 1)
        if start > _MOST:
            break
        if start.denominator == 1:
            inside = 1 - int(start) / length * (1 - mul)
            if inside > 0 and math.floor(math.log(inside, mul)) < cycle:
                found.append(int(start))
    return found
