"""Timing contenders against each other: in turns, in one run, so that noise meets all of them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import repeat
from time import perf_counter
from typing import TypeAlias

# Does its work as many times as it is told; the loop is inside, so that it costs the same for all.
Contender: TypeAlias = Callable[[int], object]


def calls(function: Callable[[], object]) -> Contender:
    """A contender that calls `function` again and again."""

    def run(times: int) -> None:
        for _ in repeat(None, times):
            function()

    return run


def over(steps: Sequence[int], function: Callable[[int], object]) -> Contender:
    """A contender that calls `function` at each of `steps`, so many times over."""

    def run(times: int) -> None:
        for _ in repeat(None, times):
            for step in steps:
                function(step)

    return run


def race(*contenders: Contender, rounds: int = 21, seconds: float = 0.02) -> list[list[float]]:
    """Seconds of one piece of work in each round, a list for each contender.

    Every contender works for about `seconds` in each round, one after the other.
    """
    often = [_often_enough(contender, seconds) for contender in contenders]
    times: list[list[float]] = [[] for _ in contenders]
    for turn in range(rounds):
        # Who begins changes, lest one always find the caches that another has filled.
        for place in range(len(contenders)):
            which = (turn + place) % len(contenders)
            times[which].append(_timed(contenders[which], often[which]) / often[which])
    return times


def ratios(times: Sequence[float], others: Sequence[float]) -> tuple[float, ...]:
    """Round by round, how many times as long the first took as the other."""
    return tuple(time / other for time, other in zip(times, others, strict=True))


def _often_enough(contender: Contender, seconds: float) -> int:
    contender(1)
    often = 1
    while (taken := _timed(contender, often)) < seconds:
        often = max(often + 1, min(often * 10, int(often * 1.2 * seconds / max(taken, 1e-9))))
    return often


def _timed(contender: Contender, times: int) -> float:
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = perf_counter()
        contender(times)
        return perf_counter() - start
    finally:
        if collecting:
            gc.enable()
