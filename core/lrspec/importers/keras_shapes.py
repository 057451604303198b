"""The schedules of Keras (keras/optimizers/schedules/learning_rate_schedule.py).

With s the step, T `decay_steps` and i `initial_learning_rate`:

ExponentialDecay        i·rate^(s/T), ⌊s/T⌋ with staircase
InverseTimeDecay        i/(1 + rate·s/T), ⌊s/T⌋ with staircase
PiecewiseConstantDecay  values[0] up to and with boundaries[0], and so on
PolynomialDecay         (i - end)·(1 - min(s, T)/T)^power + end; with cycle T·max(⌈s/T⌉, 1) for T
CosineDecay             i·((1 - alpha)·½(1 + cos(π·min(s, T)/T)) + alpha), after a straight line of
                        `warmup_steps` from i to `warmup_target`, which then stands for i
CosineDecayRestarts     i·((1 - alpha)·m_mul^k·½(1 + cos πf) + alpha), with f the share of the
                        k-th period that has passed; a period is t_mul times the one before it
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from lrspec.importing.config import Config
from lrspec.importing.joining import Stage
from lrspec.importing.nodes import (
    constant,
    cosine,
    exponential,
    linear,
    piecewise_constant,
    polynomial,
    power_law,
    quantize,
    repeat,
)
from lrspec.importing.run import Run

_CYCLES = 1000


class Made(NamedTuple):
    """The stages of a schedule, and where in a step they are read."""

    stages: list[Stage]
    sample: str = "start"


def exponential_decay(config: Config, run: Run) -> Made:
    """A rate times the same in every `decay_steps`."""
    initial, length = _initial(config), _length(config)
    rate = config.number("decay_rate", above=0)
    staircase = config.flag("staircase", default=False)
    if rate == 1:
        return Made([Stage(constant(initial))])
    return Made([Stage(exponential(initial, rate, length, staircase=staircase))])


def inverse_time(config: Config, run: Run) -> Made:
    """A rate over a straight line."""
    initial, length = _initial(config), _length(config)
    rate = config.number("decay_rate")
    if rate < 0:
        config.refuse("with a negative decay_rate the rate grows beyond all numbers", "decay_rate")
    staircase = config.flag("staircase", default=False)
    if rate == 0:
        return Made([Stage(constant(initial))])
    node = power_law(initial, length / rate, 1)
    return Made([Stage(quantize(node, length) if staircase else node)])


def piecewise(config: Config, run: Run) -> Made:
    """A rate for each stretch; a boundary still has the one before it."""
    config.ignore("name")
    written, values = config.numbers("boundaries"), config.numbers("values")
    if len(values) != len(written) + 1 or not written:
        message = f"found {len(written)} boundaries and {len(values)} values"
        config.fail("values-number", f"one value more than boundaries is needed, {message}")
    boundaries = [int(boundary) for boundary in written]
    if boundaries != written:
        run.say("The boundaries are truncated to whole steps, as Keras counts in them.")
    if boundaries[0] < 0 or any(a >= b for a, b in pairwise(boundaries)):
        config.fail("boundaries-order", "whole boundaries of at least 0 have to rise", "boundaries")
    run.say("A boundary still has the value before it: values change one step later.")
    return Made([Stage(piecewise_constant([b + 1 for b in boundaries], values))])


def polynomial_decay(config: Config, run: Run) -> Made:
    """A power of what is left, down to `end_learning_rate`; with `cycle` again and again, from a
    lower rate each time."""
    initial, length = _initial(config), _length(config)
    final = config.number("end_learning_rate", 0.0001)
    if "end_learning_rate" not in config and final != initial:
        run.say("end_learning_rate is left out and is 0.0001, the default of Keras.")
    power = config.number("power", 1.0)
    if power < 0:
        config.refuse("with a negative power the rate is infinite where it ends", "power")
    cycle = config.flag("cycle", default=False)
    if power == 0:
        return Made([Stage(constant(initial))])
    if not cycle:
        return Made([Stage(polynomial(initial, final, power=power), length)])
    why = "with cycle every period starts lower, so there are as many stages as periods in the run"
    count = math.ceil(run.needs_steps(config, why=why) / length)
    if count > _CYCLES:
        config.refuse(f"cycle makes {count} periods; up to {_CYCLES} are imported", "cycle")
    run.say(
        f"Every period starts lower and closes with its end, {final:g}, at a multiple of"
        " decay_steps; hence one step before them, and the reading at the end of a step."
    )
    first = Stage(constant(initial), 1)
    falls = [
        Stage(polynomial(final + (initial - final) * k**-power, final, power=power), length)
        for k in range(1, count + 1)
    ]
    return Made([first, *falls], "end")


def cosine_decay(config: Config, run: Run) -> Made:
    """Half a cosine, after a warmup where there is a target of one."""
    initial, length = _initial(config), _length(config)
    alpha = config.number("alpha", 0.0)
    warmup = config.number("warmup_steps", 0, least=0)
    target = config.optional_number("warmup_target")
    if target is None:
        if warmup:
            run.say("warmup_steps stands without warmup_target, and Keras makes no warmup of it.")
        return Made([Stage(cosine(initial, alpha * initial), length)])
    fall = Stage(cosine(target, alpha * target), length)
    return Made([Stage(linear(initial, target), warmup), fall])


def cosine_restarts(config: Config, run: Run) -> Made:
    """Half a cosine again and again, over a floor that stays."""
    initial, length = _initial(config), config.number("first_decay_steps", above=0)
    floor = initial * config.number("alpha", 0.0)
    stretch, shrink = config.number("t_mul", 2.0, above=0), config.number("m_mul", 1.0, above=0)
    if stretch < 1:
        config.refuse("with t_mul below 1 the periods come to an end, and Keras gives NaN", "t_mul")
    if stretch > 1:
        run.say(
            "Keras finds the periods by logarithms of float32, and may start one a step late; the"
            " document starts each where it belongs."
        )
    toward = floor if shrink != 1 else 0
    node = cosine(initial, floor)
    return Made([Stage(repeat(node, period=length, stretch=stretch, shrink=shrink, toward=toward))])


def _initial(config: Config) -> float:
    config.ignore("name")
    return config.number("initial_learning_rate")


def _length(config: Config) -> float:
    return config.number("decay_steps", above=0)
