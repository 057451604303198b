"""The schedules of praxis that are one formula (praxis/schedules.py).

Between the points `start` (x0, y0) and `limit` (x1, y1), with u = (x - x0)/(x1 - x0), y0 before
and y1 after them:

Polynomial          y0 + (y1 - y0)·u^power; from `origin` limit y1 + (y0 - y1)·(1 - u)^power
Linear              the same with power 1
Exponential         y0·(y1/y0)^u
DelayedCosine       y1 + (y0 - y1)·½(1 + cos πu)

Cosine              final + (initial - final)·½(1 + cos(π·min(1, x/total_steps)))
ContinuousSchedule  initial, halved in every `half_life_steps` from `start_step` on, down to
                    initial·min
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.joining import Stage
from lrspec.importing.nodes import (
    Node,
    clamp,
    constant,
    cosine,
    exponential,
    geometric,
    linear,
    polynomial,
)
from lrspec.importing.run import Run


def constant_value(config: Config, run: Run) -> list[Stage]:
    """The same at every step."""
    return [Stage(constant(config.number("value", 1.0)))]


def linear_between(config: Config, run: Run) -> list[Stage]:
    """A straight line."""
    begin, first, length, last = _points(config, 1.0)
    return _delayed(begin, first, linear(first, last), length)


def polynomial_between(config: Config, run: Run) -> list[Stage]:
    """A power of what has passed, or of what is left."""
    begin, first, length, last = _points(config, 1.0)
    power = config.number("power", 1, above=0)
    origin = config.choice("origin", ("start", "limit"), "start", what="origin")
    if origin == "start" and power != 1:
        run.say("origin is start: the power is of what has passed, not of what is left.")
    known = "initial" if origin == "start" else "final"
    return _delayed(begin, first, polynomial(first, last, power=power, origin=known), length)


def exponential_between(config: Config, run: Run) -> list[Stage]:
    """A straight line of logarithms."""
    begin, first, length, last = _points(config, 0.5)
    if first <= 0 or last <= 0:
        config.fail("out-of-range", "both ends of an Exponential are more than 0")
    return _delayed(begin, first, geometric(first, last), length)


def delayed_cosine(config: Config, run: Run) -> list[Stage]:
    """Half a cosine."""
    begin, first, length, last = _points(config, 0.5)
    return _delayed(begin, first, cosine(first, last), length)


def cosine_over(config: Config, run: Run) -> list[Stage]:
    """Half a cosine from step 0 on."""
    initial, final = config.number("initial_value", 1.0), config.number("final_value", 0.0)
    return [Stage(cosine(initial, final), config.number("total_steps", above=0))]


def continuous(config: Config, run: Run) -> list[Stage]:
    """A rate that is halved again and again, down to a floor."""
    initial = config.number("initial_value", 1.0, above=0)
    begin = config.whole("start_step", 400_000)
    half = config.number("half_life_steps", 100_000, above=0)
    low = config.number("min", 0.01, above=0)
    if low >= 1:
        config.fail("out-of-range", f"expected less than 1, found {low:g}", "min")
    falling = clamp(exponential(initial, 0.5, half), minimum=initial * low)
    return [Stage(constant(initial), begin), Stage(falling)]


def _delayed(begin: float, first: float, node: Node, length: float) -> list[Stage]:
    return [Stage(constant(first), begin), Stage(node, length)]


def _points(config: Config, default: float) -> tuple[float, float, float, float]:
    """Where it begins and with what, how long it is and what it ends with."""
    begin, first = _point(config, "start", (0, 1.0))
    end, last = _point(config, "limit", (1, default))
    if begin < 0 or end <= begin:
        message = f"the limit comes after the start, which is not before 0: {begin:g}, {end:g}"
        config.fail("out-of-range", message, "limit")
    return begin, first, end - begin, last


def _point(config: Config, key: str, default: tuple[int, float]) -> tuple[float, float]:
    found = config.numbers(key, list(default))
    if len(found) != 2:
        config.fail("wrong-type", f"expected a step and a value, found {len(found)} numbers", key)
    return found[0], found[1]
