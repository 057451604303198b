"""The cyclical schedulers of ignite: from a start to an end and back, again and again.

With start and end of a cycle, its length N, and p the share of it that has passed: a cosine or a
line from start to end (LinearCyclicalScheduler goes there and back, unless it is monotonic), then a
line back to the next start over the warmup. Each cycle is int(N·cycle_mult) long, N being that of
the cycle before.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lrspec.importing.config import Config
from lrspec.importing.nodes import Node, Schedule, constant, cosine, linear, repeat, sum_of
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

# So many cycles are written one by one.
_MOST = 1000
# How far the rounding of the language and that of ignite are compared.
_FAR = 10**9


@dataclass
class Cycles:
    """The arguments of a cyclical scheduler."""

    shape: str
    start: float
    end: float
    size: int
    growth: float
    start_factor: float
    end_factor: float
    warmup: int
    rounding: str = "none"

    @property
    def first(self) -> float:
        """The first value, in the arithmetic of ignite."""
        if self.shape == "triangle":
            return self.end + (self.start - self.end)
        return self.start


def cycles(config: Config, run: Run, *, curved: bool) -> tuple[Schedule, Cycles]:
    """The schedule of a cyclical scheduler, and its arguments."""
    monotonic = True if curved else config.flag("monotonic", False)
    found = Cycles(
        "cosine" if curved else "line" if monotonic else "triangle",
        config.number("start_value"),
        config.number("end_value"),
        config.whole("cycle_size", least=2),
        config.number("cycle_mult", 1.0, above=0),
        config.number("start_value_mult", 1.0),
        config.number("end_value_mult", 1.0),
        config.whole("warmup_duration", 0),
    )
    if found.warmup and not monotonic:
        message = "warmup_duration takes monotonic: true"
        config.fail("conflicting-fields", message, "warmup_duration")
    return _schedule(found, config, run), found


def _schedule(c: Cycles, config: Config, run: Run) -> Schedule:
    same = c.start_factor == c.end_factor
    positive = c.start_factor > 0 and c.end_factor > 0
    whole = c.growth == int(c.growth)
    alike = c.shape != "triangle" and not c.warmup and _rounds_alike(c)
    repeats = c.growth == 1 or (whole and not c.warmup) or (c.growth > 1 and alike)
    if not positive or not repeats:
        return _enumerated(c, config, run)
    if not whole:
        c.rounding = "floor"
        run.say("The length of each cycle is rounded down to whole steps, as ignite does it.")
    if same:
        return _repeat(c, c.start, c.end, c.start_factor)
    # Start and end change by factors of their own: each has its part of the value.
    parts = [
        _repeat(c, c.start, 0, c.start_factor) if c.start else None,
        _repeat(c, 0, c.end, c.end_factor) if c.end else None,
    ]
    given = [part for part in parts if part is not None]
    if not given:
        return constant(0)
    return given[0] if len(given) == 1 else sum_of(*given)


def _repeat(c: Cycles, start: float, end: float, factor: float) -> Node:
    # Lengths are shares of the period where it grows.
    half = "50%" if c.growth != 1 else c.size / 2
    return repeat(
        _cycle(c, start, end, start * factor, half),
        period=c.size + c.warmup,
        stretch=c.growth,
        shrink=factor,
    )


def _cycle(
    c: Cycles, start: float, end: float, following: float, half: float | str | None
) -> Schedule:
    if c.shape == "triangle":
        return stages(linear(start, end, half), linear(end, start))
    ramp = cosine if c.shape == "cosine" else linear
    if not c.warmup:
        return ramp(start, end)
    return stages(ramp(start, end, c.size), linear(end, following))


def _rounds_alike(c: Cycles) -> bool:
    """Whether int(N·mult) in floats is the exact product rounded down, in every cycle."""
    exact = Fraction(repr(c.growth))
    size, past = c.size, 0
    while past < _FAR:
        past += size
        following = int(size * c.growth)
        if following != int(size * exact) or following <= size:
            return False
        size = following
    return True


def _enumerated(c: Cycles, config: Config, run: Run) -> Schedule:
    """Cycle by cycle up to the end of the run."""
    why = "no kind has cycles that change in this way, and to write each of them takes the steps"
    total = run.needs_steps(config, why=why)
    parts: list[Schedule] = []
    start, end, size, warmup, past = c.start, c.end, c.size, c.warmup, 0
    while past <= total:
        if size < 1 or len(parts) > _MOST:
            config.refuse("the cycles become too short to go on", "cycle_mult")
        following = start * c.start_factor
        if c.shape == "triangle":
            parts += [linear(start, end, size / 2), linear(end, start, size / 2)]
        else:
            ramp = cosine if c.shape == "cosine" else linear
            parts.append(ramp(start, end, size))
        if warmup:
            parts.append(linear(end, following, warmup))
        past += size + warmup
        start, end = following, end * c.end_factor
        size, warmup = int(size * c.growth), int(warmup * c.growth)
    run.say(f"The cycles are written one by one, as far as step {total}.")
    return stages(*parts)
