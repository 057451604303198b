"""The schedules of praxis that rise first, and those of levels and roots (praxis/schedules.py).

LinearRampup…Decay             0 to max over warmup_steps, max up to decay_start, down to
                               max·min_ratio at decay_end, all counted from step 0
LinearRampupPiecewiseConstant  0 to values[0] over boundaries[0], values[i] from boundaries[i] on
LinearRampupSqrtDecay          peak·min(n/W, √(W/n)), with n = max(step, 1)
Transformer                    d^-½·min(n·W^-1.5, n^-½), with n = min(step, decay_end) + 1
SqrtDecay                      multiplier / √max(step - offset, decay_start)
PiecewiseConstant              values[i] up to boundaries[i], the last one from there on
"""

from __future__ import annotations

from itertools import pairwise

from lrspec.importing.config import Config
from lrspec.importing.joining import Stage, join
from lrspec.importing.nodes import (
    Node,
    clamp,
    constant,
    cosine,
    geometric,
    inverse_sqrt,
    linear,
    piecewise_constant,
    polynomial,
)
from lrspec.importing.run import Run


def ramp_polynomial(config: Config, run: Run) -> list[Stage]:
    """A power of what has passed, after the rise."""
    power, top, low = config.number("power", 1, above=0), _top(config), _low(config)
    if power != 1:
        run.say("The power is of what has passed of the decay, not of what is left.")
    return _ramp(config, polynomial(top, low, power=power, origin="initial"))


def ramp_exponential(config: Config, run: Run) -> list[Stage]:
    """A straight line of logarithms, after the rise."""
    top, low = _top(config), _low(config)
    if low <= 0:
        config.fail("out-of-range", "expected more than 0", "min_ratio")
    return _ramp(config, geometric(top, low))


def ramp_cosine(config: Config, run: Run) -> list[Stage]:
    """Half a cosine, after the rise; before `start_step` it is 1."""
    begin = config.whole("start_step", 0)
    if begin:
        run.say(f"Before start_step {begin} it is 1; the other steps are counted from there.")
    stages = _ramp(config, cosine(_top(config), _low(config)))
    return [Stage(constant(1), begin), *stages]


def _top(config: Config) -> float:
    return config.number("max", above=0)


def _low(config: Config) -> float:
    return _top(config) * config.number("min_ratio", 0.01)


def _ramp(config: Config, falling: Node) -> list[Stage]:
    warmup, begin = config.whole("warmup_steps", 0), config.whole("decay_start", 0)
    end = config.whole("decay_end", 0)
    if not warmup <= begin < end:
        message = f"warmup_steps, decay_start and decay_end rise, found {warmup}, {begin}, {end}"
        config.fail("out-of-range", message)
    top = _top(config)
    rise, held = Stage(linear(0, top), warmup), Stage(constant(top), begin - warmup)
    return [rise, held, Stage(falling, end - begin)]


def piecewise_constant_(config: Config, run: Run) -> list[Stage]:
    """A level for each stretch."""
    boundaries, values = config.wholes("boundaries"), config.numbers("values")
    if len(values) != len(boundaries) + 1:
        message = f"found {len(boundaries)} boundaries and {len(values)} values"
        config.fail("values-number", f"one value more than boundaries is needed, {message}")
    return [_levels(config, run, boundaries, values)]


def ramp_piecewise(config: Config, run: Run) -> list[Stage]:
    """A rise to the first level, then a level for each stretch."""
    boundaries, values = config.wholes("boundaries"), config.numbers("values")
    if len(values) != len(boundaries) or not boundaries:
        message = f"found {len(boundaries)} and {len(values)}"
        config.fail("values-number", f"there are as many boundaries as values, {message}")
    first = boundaries[0]
    if first == 0:
        config.fail("out-of-range", "the first boundary ends the rise, and is at least 1")
    rest = [boundary - first for boundary in boundaries[1:]]
    levels = _levels(config, run, rest, values)
    return join([[Stage(linear(0, values[0]), first)], [levels]], [first])


def _levels(config: Config, run: Run, boundaries: list[int], values: list[float]) -> Stage:
    if any(a > b for a, b in pairwise(boundaries)):
        config.fail("boundaries-order", "the boundaries have to rise", "boundaries")
    found = [_shown(values[i:-1]) for i in range(len(boundaries))] + values[-1:]
    if found != values:
        run.say("praxis passes over a level that is not above 0, and takes the next one for it.")
    # A level that ends where it begins, or at step 0, is none.
    starts = [0, *boundaries]
    kept = [i for i, end in enumerate([*boundaries, None]) if end is None or end > starts[i]]
    return Stage(piecewise_constant([starts[i] for i in kept[1:]], [found[i] for i in kept]))


def _shown(values: list[float]) -> float:
    """The first level of those before the last one that is above 0."""
    return next((value for value in values if value > 0), 0.0)


def transformer(config: Config, run: Run) -> list[Stage]:
    """A rise and an inverse root, scaled by the width of the model."""
    peak, warmup, end = _transformer(config, run)
    rise, falling = linear(peak / warmup, peak), inverse_sqrt(peak, warmup)
    if end is None:
        return [Stage(rise, warmup - 1), Stage(falling)]
    if end < warmup:
        return [Stage(linear(peak / warmup, peak * (end + 1) / warmup), end), Stage(constant())]
    return [Stage(rise, warmup - 1), Stage(falling, end - warmup + 1)]


def transformer_at_ends(config: Config, run: Run) -> list[Stage]:
    """The same, read at the end of every step, where it is a rise from 0."""
    peak, warmup, end = _transformer(config, run)
    if end is not None and end < warmup:
        return [Stage(linear(0, peak * (end + 1) / warmup), end + 1)]
    length = None if end is None else end + 1 - warmup
    return [Stage(linear(0, peak), warmup), Stage(inverse_sqrt(peak, warmup), length)]


def _transformer(config: Config, run: Run) -> tuple[float, int, int | None]:
    """The peak, the steps of the rise and the step from which it stays what it is."""
    width = config.number("model_dim", 512, above=0)
    replicas = config.whole("worker_replicas", 1, least=1)
    warmup = config.whole("warmup_steps", 4000, least=1) * replicas
    run.say(f"The first step is at 1/{warmup} of the peak, which is reached at step {warmup - 1}.")
    return width**-0.5 * warmup**-0.5, warmup, config.optional_whole("decay_end")


def ramp_sqrt(config: Config, run: Run) -> list[Stage]:
    """A rise and an inverse root."""
    peak = config.number("peak", 1.0, above=0)
    warmup = config.whole("warmup_steps", 4000, least=1)
    run.say("The first two steps have the same rate, as the warmup counts at least 1.")
    rise = clamp(linear(0, peak), minimum=peak / warmup)
    return [Stage(rise, warmup), Stage(inverse_sqrt(peak, warmup))]


def sqrt_decay(config: Config, run: Run) -> list[Stage]:
    """A constant, then an inverse root."""
    start = config.number("decay_start", 10000, above=0)
    multiplier, offset = config.number("multiplier", 1.0), config.number("offset", 0.0)
    # Where the clock of the root stands at step 0, if it has begun by then.
    clock = max(start, -offset)
    first = multiplier / clock**0.5
    held = Stage(constant(first), max(offset + start, 0))
    return [held, Stage(inverse_sqrt(first, clock))]
