"""The schedules of TensorFlow Model Garden from a step on (official/modeling/optimization).

With t = step - `offset` and T the length:

constant             the rate
stepwise             values[0] up to and with boundaries[0], and so on, over t
exponential          i·rate^(t/T), ⌊t/T⌋ with staircase
polynomial           (i - end)·(1 - min(t, T)/T)^power + end
cosine               i·((1 - alpha)·½(1 + cos(π·min(t, T)/T)) + alpha)
power                i·max(step, 1)^power
power_linear         i·max(t, 1)^power·min(1, (T - t)/(T·linear_decay_fraction)), at least 0
power_with_offset    c = pre_offset_learning_rate up to t = 0, then min(c, i·t^power)
step_cosine_with_offset  half a cosine from each value to the next, boundary by boundary
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import pairwise
from typing import TypeAlias

from lrspec.importing.config import Config
from lrspec.importing.joining import Stage, laid
from lrspec.importing.nodes import (
    Node,
    Schedule,
    advance,
    constant,
    cosine,
    exponential,
    linear,
    piecewise_constant,
    polynomial,
    power_law,
    product,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

# The stages from a step on; the step is where the warmup ends.
Make: TypeAlias = Callable[[Config, Run, int], list[Stage]]


def _constant(config: Config, run: Run, start: int) -> list[Stage]:
    return [Stage(constant(config.number("learning_rate", 0.1)))]


def _stepwise(config: Config, run: Run, start: int) -> list[Stage]:
    boundaries, values = config.wholes("boundaries"), config.numbers("values")
    if len(values) != len(boundaries) + 1 or not boundaries:
        message = f"found {len(boundaries)} boundaries and {len(values)} values"
        config.fail("values-number", f"one value more than boundaries is needed, {message}")
    if any(a >= b for a, b in pairwise(boundaries)):
        config.fail("boundaries-order", "the boundaries have to rise", "boundaries")
    run.say("A boundary still has the value before it: values change one step later.")
    at = [b + 1 + _offset(config) - start for b in boundaries]
    while at and at[0] <= 0:
        at, values = at[1:], values[1:]
    return [Stage(piecewise_constant(at, values))]


def _exponential(config: Config, run: Run, start: int) -> list[Stage]:
    initial, length = _initial(config), _length(config)
    rate = config.number("decay_rate", above=0)
    clock = start - _offset(config)
    if not config.flag("staircase", default=False):
        return [Stage(exponential(initial * math.pow(rate, clock / length), rate, length))]
    whole = math.floor(clock / length)
    node = exponential(initial * math.pow(rate, whole), rate, length, staircase=True)
    return [Stage(_later(node, clock - whole * length))]


def _polynomial(config: Config, run: Run, start: int) -> list[Stage]:
    clock = start - _offset(config)
    if config.flag("cycle", default=False):
        config.refuse(
            "with cycle every period starts lower, which is read from Keras alone", "cycle"
        )
    initial, length = _initial(config), _length(config)
    final = config.number("end_learning_rate", 0.0001)
    if "end_learning_rate" not in config and final != initial:
        run.say("end_learning_rate is left out and is 0.0001, the default of tf-models.")
    power = config.number("power", 1.0, above=0)
    left = length - clock
    if left <= 0:
        return [Stage(constant(final))]
    # What is left of a power is a power again, from lower on.
    first = final + (initial - final) * math.pow(left / length, power)
    return [Stage(polynomial(first, final, power=power), left)]


def _cosine(config: Config, run: Run, start: int) -> list[Stage]:
    initial, length = _initial(config), _length(config)
    final = initial * config.number("alpha", 0.0)
    clock = start - _offset(config)
    if 0 < -clock <= length:
        # It is as high as long before the offset as it is after it.
        rising = advance(cosine(final, initial, length), length + clock)
        return [Stage(rising, -clock), Stage(cosine(initial, final), length)]
    if clock < 0:
        config.refuse("its offset is longer than the cosine, which rises and falls before it")
    if clock >= length:
        return [Stage(constant(final))]
    if clock == 0:
        return [Stage(cosine(initial, final), length)]
    node = cosine(initial, final, length)
    return [Stage(advance(node, clock))]


def _power(config: Config, run: Run, start: int) -> list[Stage]:
    initial, power = _initial(config), _negative(config)
    if start:
        return [Stage(power_law(initial * math.pow(start, power), start, -power))]
    run.say("The first two steps have the same rate, as the power counts at least 1.")
    return [Stage(constant(initial), 1), Stage(power_law(initial, 1, -power))]


def _power_linear(config: Config, run: Run, start: int) -> list[Stage]:
    initial, power, offset = _initial(config), _negative(config), _offset(config)
    total = config.number("total_decay_steps", above=0)
    fraction = config.number("linear_decay_fraction", 0.1, least=0, most=1)
    falling: Schedule = [constant(initial, offset + 1), power_law(None, 1, -power)]
    if fraction:
        share = float(Decimal(repr(total)) * Decimal(repr(fraction)))
        rest = offset + float(Decimal(repr(total)) * (1 - Decimal(repr(fraction))))
        line = linear(1 if not rest else None, 0, share)
        falling = product(falling, stages(constant(1, rest), line))
    return [Stage(_later(falling, start))] if start else _parts(falling)


def _power_with_offset(config: Config, run: Run, start: int) -> list[Stage]:
    initial, power, offset = _initial(config), _negative(config), _offset(config)
    cap = config.number("pre_offset_learning_rate", 1e6, above=0)
    if "pre_offset_learning_rate" not in config:
        run.say("pre_offset_learning_rate is left out and is 1e+06, the default of tf-models.")
    run.say(f"Up to step {offset} the rate is {cap:g}, and never more after it.")
    if initial <= 0:
        config.fail("out-of-range", "expected more than 0", "initial_learning_rate")
    if initial > cap:
        begin = math.pow(cap / initial, 1 / power)
        falling = [constant(cap, offset + begin), power_law(cap, begin, -power)]
    else:
        # At t = 1 the power is 1.
        falling = [constant(cap, offset + 1), power_law(initial, 1, -power)]
    return [Stage(_later(falling, start))] if start else _parts(falling)


def _step_cosine(config: Config, run: Run, start: int) -> list[Stage]:
    boundaries, values = config.wholes("boundaries"), config.numbers("values")
    if len(values) != len(boundaries) or len(values) < 2:
        message = f"found {len(boundaries)} and {len(values)}"
        config.fail("values-number", f"as many boundaries as values, two or more: {message}")
    if boundaries[0] or any(a >= b for a, b in pairwise(boundaries)):
        config.fail("boundaries-order", "the boundaries have to rise from 0", "boundaries")
    clock = _counted(config, start)
    run.say(
        f"From boundary {boundaries[-1]} on tf-models divides by 0 and gives NaN; the document"
        " keeps the last value."
    )
    parts = [
        Stage(cosine(values[i], values[i + 1]), boundaries[i + 1] - boundaries[i])
        for i in range(len(values) - 1)
    ]
    return [Stage(_later(laid(parts), clock))] if clock else parts


MAKE: Mapping[str, Make] = {
    "constant": _constant,
    "cosine": _cosine,
    "exponential": _exponential,
    "polynomial": _polynomial,
    "power": _power,
    "power_linear": _power_linear,
    "power_with_offset": _power_with_offset,
    "step_cosine_with_offset": _step_cosine,
    "stepwise": _stepwise,
}


def _initial(config: Config) -> float:
    return config.number("initial_learning_rate")


def _length(config: Config) -> float:
    return config.number("decay_steps", above=0)


def _offset(config: Config) -> int:
    return config.whole("offset", 0)


def _counted(config: Config, start: int) -> int:
    """The clock of a cosine at `start`, which may not be before 0: it would rise there."""
    clock = start - _offset(config)
    if clock < 0:
        config.refuse("before its offset the cosines go on, which no document states", "offset")
    return clock


def _negative(config: Config) -> float:
    power = config.number("power", -0.5)
    if power >= 0:
        config.refuse("a power that is not below 0 makes the rate grow without end", "power")
    return power


def _later(schedule: Schedule, by: float) -> Node:
    """The schedule from `by` on."""
    return advance(schedule, by) if by else _single(schedule)


def _single(schedule: Schedule) -> Node:
    assert isinstance(schedule, dict)
    return schedule


def _parts(schedule: Schedule) -> list[Stage]:
    """The stages of a schedule whose nodes have their lengths."""
    nodes = schedule if isinstance(schedule, list) else [schedule]
    return [Stage(node) for node in nodes]
