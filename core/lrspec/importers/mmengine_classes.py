"""The schedulers of mmengine over their range, each as the schedule from the value there.

In what follows V is the value where the range begins, n its length and r = 0 … n − 1 the position
in it, counted in updates or, `by_epoch`, in epochs. After the range the value of r = n − 1 stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Schedule,
    constant,
    cosine,
    exponential,
    linear,
    piecewise_constant,
    polynomial,
    quantize,
)
from lrspec.importing.run import Run

# What mmengine takes for a range without an end.
FOREVER = 10**9
CLIMBS = "after T_max mmengine goes by the rate of the optimizer, not by that before"


@dataclass
class Range:
    """Where a scheduler is active, from `begin` to `end`, in updates or in epochs."""

    begin: int
    end: int
    by_epoch: bool

    @property
    def length(self) -> int:
        """n."""
        return self.end - self.begin

    @property
    def is_open(self) -> bool:
        """Whether it has no end."""
        return self.end >= FOREVER

    def span(self, number: float) -> float | str:
        """A number of updates or epochs as a document states it."""
        return epochs(number) if self.by_epoch else number


def epochs(number: float) -> str:
    """A number of epochs as a document states it."""
    return f"{number:g} epoch" if number == 1 else f"{number:.15g} epochs"


@dataclass
class Pieces:
    """What a scheduler does: a schedule from V on, its length (None for ever), and the value that
    stays."""

    schedule: Schedule
    length: int | None
    left: float


# From V, and how far the run goes on: infinity where another scheduler follows, 0 where it is not
# known.
Make = Callable[[float, float], Pieces]


@dataclass
class Scheduler:
    """One scheduler. `changes` says how it comes to a value: `times` a factor, `affine` in the
    value before, or `sets` it. `jumps` are where MultiStepLR multiplies by gamma, `initial` is what
    schedulers built afterwards take for the rate of the optimizer, `climbs` is the update after
    which a cosine climbs again, 0 where that is told in epochs."""

    name: str
    config: Config
    range: Range
    make: Make
    changes: str = "times"
    jumps: list[int] | None = None
    initial: float | None = None
    climbs: int | None = None


def smooth(node: Schedule, range_: Range, left: float) -> Pieces:
    """A curve that is read at every epoch, or at every update, and stays at its last reading."""
    length = None if range_.is_open else range_.length
    span = None if length is None else range_.span(length)
    return Pieces(quantize(node, range_.span(1), span), length, left)


def constant_(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """V·factor for r < n − 1, then V."""
    factor = config.number("factor", 1 / 3, least=0, most=1)
    n = range_.length
    if factor == 0 and n > 1:
        config.refuse("mmengine divides by the factor at the end, and it is 0", "factor")

    def make(value: float, goes: float) -> Pieces:
        if range_.is_open:
            return Pieces(constant(value * factor), None, value * factor)
        if n == 1:
            return Pieces(constant(value * factor, range_.span(1)), 1, value * factor)
        after = constant(value, None if goes < math.inf else range_.span(1))
        return Pieces([constant(value * factor, range_.span(n - 1)), after], n, value)

    return Scheduler("ConstantLR", config, range_, make)


def linear_(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """V·(a + (b − a)·r/(n − 1))."""
    start = config.number("start_factor", 1 / 3, least=0, most=1)
    end = config.number("end_factor", 1.0, least=0, most=1)
    n = range_.length
    if start == 0 and n > 1:
        why = "mmengine divides by zero in the second step of a LinearLR that starts at 0"
        config.refuse(why, "start_factor")
    if n > 1 and not range_.is_open:
        run.say("LinearLR comes to its end one step before the end of its range.")

    def make(value: float, goes: float) -> Pieces:
        low, high = value * start, value * end
        if n == 1:
            return Pieces(constant(low, range_.span(1)), 1, low)
        line = linear(low, high, range_.span(n - 1))
        return smooth(line, range_, high) if range_.by_epoch else Pieces(line, n - 1, high)

    return Scheduler("LinearLR", config, range_, make)


def exponential_(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """V·gamma^r."""
    gamma = config.number("gamma", above=0)
    return Scheduler("ExponentialLR", config, range_, _powers(gamma, 1, range_))


def step(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """V·gamma^⌊r/step_size⌋."""
    size, gamma = config.whole("step_size", least=1), config.number("gamma", 0.1, above=0)
    return Scheduler("StepLR", config, range_, _powers(gamma, size, range_))


def _powers(gamma: float, size: int, range_: Range) -> Make:
    n = range_.length
    stair = size > 1 or range_.by_epoch

    def make(value: float, goes: float) -> Pieces:
        if range_.is_open:
            node = exponential(value, gamma, range_.span(size), staircase=stair)
            return Pieces(constant(value) if gamma == 1 else node, None, value)
        length = n if stair else n - 1
        if gamma == 1 or length == 0:
            return Pieces(constant(value, range_.span(n)), n, value)
        node = exponential(value, gamma, range_.span(size), range_.span(length), staircase=stair)
        return Pieces(node, length, value * gamma ** ((n - 1) // size))

    return make


def multi_step(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """V·gamma^(number of milestones ≤ r)."""
    gamma = config.number("gamma", 0.1)
    jumps = sorted(m for m in config.wholes("milestones") if m < range_.length)

    def make(value: float, goes: float) -> Pieces:
        values = [value]
        bounds: list[int] = []
        for jump in (range_.begin + jump for jump in jumps):
            if jump == 0 or jump in bounds:
                values[-1] *= gamma
            else:
                bounds.append(jump)
                values.append(values[-1] * gamma)
        # Boundaries, and `until`, count from the start of the run.
        until = None if goes < math.inf or range_.is_open else range_.span(range_.end)
        named = [range_.span(bound) for bound in bounds]
        node = piecewise_constant(named, values, until=until)
        return Pieces(node, None if range_.is_open else range_.length, values[-1])

    return Scheduler("MultiStepLR", config, range_, make, jumps=jumps)


def low_value(config: Config, base: float, default: float | None) -> float:
    """`eta_min`, or `eta_min_ratio` of the rate of the optimizer."""
    if "eta_min" in config and "eta_min_ratio" in config:
        config.conflict("eta_min", "eta_min_ratio")
    ratio = config.optional_number("eta_min_ratio")
    if ratio is not None:
        return base * ratio
    return config.number("eta_min") if default is None else config.number("eta_min", default)


def cosine_(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """η + (V − η)·½(1 + cos πr/T), T being n where T_max is left out."""
    n = range_.length
    length = config.whole("T_max", n) or n
    low = low_value(config, base, 0.0)
    climbs = None if length >= n - 1 else 0 if range_.by_epoch else range_.begin + length

    def make(value: float, goes: float) -> Pieces:
        bounces = climbs is not None
        if climbs is not None and value != base:
            if not 0 < goes <= climbs:
                config.refuse(CLIMBS, "T_max")
            bounces = False
        left = half_cosine(value, low, (n - 1) / length)
        plain = length == n - 1 or (length == n and goes <= range_.end)
        if range_.by_epoch or not (range_.is_open or plain):
            span = None if length == n and not range_.is_open else range_.span(length)
            return smooth(cosine(value, low, span, extend=bounces), range_, left)
        if range_.is_open:
            return Pieces(cosine(value, low, length, extend=bounces), None, left)
        if length == n:
            say_end(run, range_, left, low)
        return Pieces(cosine(value, low, length), length, low)

    changes = "affine" if low else "times"
    return Scheduler("CosineAnnealingLR", config, range_, make, changes, climbs=climbs)


def half_cosine(high: float, low: float, share: float) -> float:
    """The value of half a cosine where a share of it has passed."""
    return low + (high - low) * (1 + math.cos(math.pi * share)) / 2


def say_end(run: Run, range_: Range, left: float, low: float) -> None:
    """Tells that the document goes on to a value that mmengine does not reach."""
    run.say(
        f"From step {range_.end} on mmengine stays at the rate of its last step, {left:.6g}; the"
        f" document goes on to {low:.6g} and stays there."
    )


def poly(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """η + (V − η)·(1 − r/(n − 1))^power."""
    power, low = config.number("power", 1.0, least=0), config.number("eta_min", 0.0)
    n = range_.length

    def make(value: float, goes: float) -> Pieces:
        if n == 1 or power == 0:
            return Pieces(constant(value, range_.span(n)), n, value)
        node = polynomial(value, low, range_.span(n - 1), power=power)
        return smooth(node, range_, low) if range_.by_epoch else Pieces(node, n - 1, low)

    return Scheduler("PolyLR", config, range_, make, "affine" if low else "times")
