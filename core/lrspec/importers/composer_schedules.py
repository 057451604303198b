"""The schedulers of Composer as documents state them (composer/optim/scheduler.py).

With t the batches, samples or tokens before an update, a `alpha_i` (1 but for `linear`), f
`alpha_f`, w `t_warmup` and p = (t − w)/(t_max − w): a·t/w while t < w; then `step`
γ^⌊t/step_size⌋, `multistep` γ for every milestone ≤ t, `constant` alpha up to t_max and then 1,
`linear` a + (f − a)·p, `exponential` γ^(t/decay_period), `cosine_annealing`
f + (1 − f)·½(1 + cos πp), `polynomial` f + (1 − f)·(1 − p)^power, `cosine_annealing_warm_restarts`
the cosine again and again, each int(t_mult · length) long. All are multiples of the rate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from lrspec.importers.composer_times import Time, Times
from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Length,
    Node,
    Schedule,
    constant,
    cosine,
    exponential,
    linear,
    piecewise_constant,
    plain,
    polynomial,
    repeat,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

# More cycles than this are no document that people read.
_MOST_CYCLES = 1000


@dataclass
class Reading:
    """One scheduler: its arguments, its times, and the rate that 1 stands for."""

    config: Config
    run: Run
    times: Times
    peak: float
    rounding: str = "none"

    def warmup(self, to: float = 1.0) -> tuple[Time, Node | None]:
        """`t_warmup`, and the ramp over it; it is not scaled."""
        time = self.times.read("t_warmup", scaled=False)
        if self.config.flag("scale_warmup", False) and self.times.ratio != 1:
            self.config.refuse("a warmup that is scaled is cut before its end", "scale_warmup")
        ramp = linear(0, to * self.peak, time.span) if time.value else None
        return time, ramp

    def end(self, start: Time | None) -> Time:
        """`t_max`, which has the unit of the warmup and is not before the end of the run."""
        time, whole = self.times.read("t_max", "1dur"), self.times.whole
        if start is not None and start.unit != time.unit:
            self.config.fail("wrong-value", "t_warmup and t_max have different units", "t_warmup")
        if time.value == 0:
            self.config.fail("out-of-range", "t_max is no time")
        if start is not None and start.value >= time.value:
            self.run.say("The warmup is as long as t_max or longer: nothing follows but its rate.")
        if whole is not None and whole.unit == time.unit and time.value < whole.value:
            self.config.fail("does-not-fit", "Composer takes no t_max below max_duration")
        return time


Build = Callable[[Reading], Schedule]


def _step(read: Reading) -> Schedule:
    gamma = read.config.number("gamma", read.run.usual(read.config, "gamma", 0.1), above=0)
    return exponential(read.peak, gamma, _positive(read, "step_size"), staircase=True)


def _exponential(read: Reading) -> Schedule:
    every = _positive(read, "decay_period", "1ep")
    return exponential(read.peak, read.config.number("gamma", above=0), every)


def _positive(read: Reading, key: str, default: str | None = None) -> float | str:
    time = read.times.read(key, default)
    if time.value == 0:
        read.config.fail("out-of-range", f"{key} is no time", key)
    return time.span or 0


def _multistep(read: Reading) -> Schedule:
    gamma = read.config.number("gamma", read.run.usual(read.config, "gamma", 0.1))
    found = read.times.several("milestones")
    if len({time.unit for time in found}) > 1:
        read.config.refuse("milestones of different units need the batch of every step")
    values, boundaries = [read.peak], list[float | str]()
    last = 0
    for time in sorted(found, key=lambda time: time.value):
        value = values[-1] * gamma
        if time.value == last:
            values[-1] = value
        else:
            values.append(value)
            boundaries.append(time.span or 0)
        last = time.value
    return piecewise_constant(boundaries, values)


def _multistep_with_warmup(read: Reading) -> Schedule:
    _, ramp = read.warmup()
    return stages(ramp, _multistep(read))


def _constant(read: Reading) -> Schedule:
    held = read.config.number("alpha", 1.0) * read.peak
    if held == read.peak or "t_max" not in read.config:
        read.config.ignore("t_max")
        return constant(held)
    time, whole = read.times.read("t_max"), read.times.whole
    if whole is not None and whole.unit == time.unit and time.value >= whole.value:
        return constant(held)
    return stages(constant(held, time.span), constant(read.peak))


def _constant_with_warmup(read: Reading) -> Schedule:
    held = read.config.number("alpha", 1.0)
    start, ramp = read.warmup(held)
    if read.times.whole is not None:
        read.end(start)
    read.config.ignore("t_max")
    return stages(ramp, constant(held * read.peak))


def _falling(
    read: Reading, make: Callable[[float, float, Length], Node], *, warm: bool
) -> Schedule:
    """From `alpha_i` after the warmup to `alpha_f` at `t_max`."""
    high = read.config.number("alpha_i", 1.0) if make is linear else 1.0
    low = read.config.number("alpha_f", 0.0)
    start, ramp = read.warmup(high) if warm else (None, None)
    end = read.end(start)
    if start is not None and start.value >= end.value:
        return stages(ramp, constant(high * read.peak))
    fall = make(high * read.peak, low * read.peak, read.times.between(start, end))
    return stages(ramp, fall)


def _polynomial(read: Reading, default: float | None) -> Callable[[float, float, Length], Node]:
    key = "power"
    power = (
        read.config.number(key, above=0)
        if default is None
        else read.config.number(key, read.run.usual(read.config, key, default), above=0)
    )
    return lambda high, low, length: polynomial(high, low, length, power=power)


def _restarts(read: Reading) -> Schedule:
    return restarts(read, None)


def restarts(read: Reading, ramp: Node | None) -> Schedule:
    """Cosines of which each is int(t_mult · length) long."""
    first, whole = read.times.read("t_0"), read.times.whole
    factor = read.config.number("t_mult", 1.0, above=0)
    low = read.config.number("alpha_f", 0.0) * read.peak
    if first.value == 0:
        read.config.fail("out-of-range", "t_0 is no time", "t_0")
    cycle = cosine(read.peak, low)
    if factor == int(factor):
        return stages(ramp, repeat(cycle, period=first.span, stretch=factor))
    if whole is None or whole.unit != first.unit:
        why = "cycles whose lengths are rounded are counted to the end of the run"
        read.run.missing("steps", "max_duration", why)
    lengths = _lengths(read, first.value, factor, whole.value)
    read.run.say(f"The cycles are {_listed(lengths)} long, each rounded down.")
    if first.unit == "ba" and lengths == _rounded(first.value, factor, len(lengths)):
        read.rounding = "floor"
        return stages(ramp, repeat(cycle, period=first.value, stretch=factor))
    cycles = [cosine(read.peak, low, Time(length, first.unit).span) for length in lengths]
    return stages(ramp, *cycles)


def _lengths(read: Reading, length: int, factor: float, total: int) -> list[int]:
    """The lengths of the cycles of a run, as Composer rounds them."""
    found = [length]
    while sum(found) < total and len(found) < _MOST_CYCLES:
        length = int(factor * length)
        if length == 0:
            read.config.fail("out-of-range", "a cycle comes to 0 before the run ends", "t_mult")
        found.append(length)
    if sum(found) < total:
        read.config.refuse(f"there are more than {_MOST_CYCLES} cycles")
    return found


def _rounded(length: int, factor: float, count: int) -> list[int]:
    """The lengths of periods that grow by an exact factor, rounded down."""
    exact, found = Fraction(plain(factor)), [length]
    while len(found) < count and factor > 1:
        found.append(int(found[-1] * exact))
    return found


def _listed(lengths: list[int]) -> str:
    shown = ", ".join(map(str, lengths[:5]))
    return shown if len(lengths) <= 5 else f"{shown}, …"


SCHEDULERS: Mapping[str, Build] = {
    "step": _step,
    "multistep": _multistep,
    "constant": _constant,
    "linear": lambda read: _falling(read, linear, warm=False),
    "exponential": _exponential,
    "cosine_annealing": lambda read: _falling(read, cosine, warm=False),
    "cosine_annealing_warm_restarts": _restarts,
    "polynomial": lambda read: _falling(read, _polynomial(read, None), warm=False),
    "multistep_with_warmup": _multistep_with_warmup,
    "constant_with_warmup": _constant_with_warmup,
    "linear_with_warmup": lambda read: _falling(read, linear, warm=True),
    "cosine_annealing_with_warmup": lambda read: _falling(read, cosine, warm=True),
    "polynomial_with_warmup": lambda read: _falling(read, _polynomial(read, 2.0), warm=True),
}
