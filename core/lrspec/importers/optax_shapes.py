"""The schedules of optax that are one formula, alone or after a warmup (optax/schedules).

With n the step, B `transition_begin`, T the length, i `init_value`, e `end_value`:

polynomial          (i - e)·(1 - clip(n - B, 0, T)/T)^power + e; i where T ≤ 0
piecewise_constant  i times every scale whose boundary is ≤ n
exponential_decay   i·rate^((n - B)/T) after B, i before it; no less than e where rate < 1, no more
                    where rate ≥ 1; i where T ≤ 0 or rate = 0
cosine_decay        i·((1 - alpha)·(½(1 + cos(π·min(n, T)/T)))^exponent + alpha)
"""

from __future__ import annotations

from lrspec.importers.optax_knots import scaled
from lrspec.importing.config import Config
from lrspec.importing.joining import Stage, join
from lrspec.importing.nodes import (
    Node,
    clamp,
    constant,
    cosine,
    exponential,
    piecewise_constant,
    polynomial,
)
from lrspec.importing.run import Run


def constant_value(config: Config, run: Run) -> list[Stage]:
    """The same rate at every step."""
    return [Stage(constant(config.number("value")))]


def linear_transition(config: Config, run: Run) -> list[Stage]:
    """A straight line, after `transition_begin` steps."""
    return _transition(config, run, 1.0)


def polynomial_transition(config: Config, run: Run) -> list[Stage]:
    """A power of what is left, after `transition_begin` steps."""
    power = config.number("power")
    if power < 0:
        config.refuse("with a negative power the rate is infinite where it ends", "power")
    return _transition(config, run, power)


def _transition(config: Config, run: Run, power: float) -> list[Stage]:
    initial, final = config.number("init_value"), config.number("end_value")
    length, begin = config.number("transition_steps"), _begin(config, run)
    return _ramp(run, initial, final, length, "transition_steps", begin, power)


def _ramp(
    run: Run,
    initial: float,
    final: float,
    length: float,
    key: str,
    begin: float = 0,
    power: float = 1,
) -> list[Stage]:
    if length <= 0 or power == 0:
        if length <= 0 and initial != final:
            run.say(f"{key} is not above 0: optax keeps the initial {initial:g} then.")
        return [Stage(constant(initial))]
    node = polynomial(initial, final, power=power)
    return [Stage(constant(initial), begin), Stage(node, length)]


def _begin(config: Config, run: Run) -> float:
    begin = config.number("transition_begin", 0)
    if begin < 0:
        run.say("transition_begin is below 0 and counts as 0, as in optax.")
    return max(begin, 0)


def piecewise_constant_scaled(config: Config, run: Run) -> list[Stage]:
    """A rate that is scaled from each boundary on."""
    initial = config.number("init_value")
    boundaries, values = scaled(config, initial)
    # A boundary at 0 or before it has been reached at the first step.
    while boundaries and boundaries[0] <= 0:
        boundaries, values = boundaries[1:], values[1:]
    return [Stage(piecewise_constant(boundaries, values))]


def exponential_decay(config: Config, run: Run) -> list[Stage]:
    """A rate times the same in every step."""
    return _exponential(config, run, config.number("init_value"))


def _exponential(config: Config, run: Run, initial: float) -> list[Stage]:
    length, rate = config.number("transition_steps"), config.number("decay_rate")
    begin, staircase = _begin(config, run), config.flag("staircase", default=False)
    end = config.optional_number("end_value")
    if rate < 0:
        config.refuse("powers of a negative decay_rate are no rates", "decay_rate")
    if length <= 0 or rate == 0:
        key = "decay_rate" if length > 0 else "transition_steps"
        run.say(f"{key} is not above 0: optax keeps the initial {initial:g} then.")
        return [Stage(constant(initial))]
    first = initial
    node: Node = exponential(initial, rate, length, staircase=staircase)
    if end is not None and rate < 1:
        first, node = max(initial, end), clamp(node, minimum=end)
    elif end is not None:
        first, node = min(initial, end), clamp(node, maximum=end)
    if rate == 1 or (first == end and initial >= 0):
        return [Stage(constant(first))]
    return [Stage(constant(first), begin), Stage(node)]


def cosine_decay(config: Config, run: Run) -> list[Stage]:
    """Half a cosine, down to `alpha` times the initial rate."""
    initial, length = config.number("init_value"), config.number("decay_steps", above=0)
    final = initial * config.number("alpha", 0)
    return [_cosine(config, initial, final, length)]


def _cosine(config: Config, initial: float, final: float, length: float) -> Stage:
    exponent = config.number("exponent", 1)
    if exponent < 0:
        config.refuse("with a negative exponent the rate is infinite where it ends", "exponent")
    if exponent == 0:
        return Stage(constant(initial))
    return Stage(cosine(initial, final, exponent=exponent), length)


def warmup_constant(config: Config, run: Run) -> list[Stage]:
    """A straight line, then the peak."""
    initial, peak = config.number("init_value"), config.number("peak_value")
    return _ramp(run, initial, peak, config.number("warmup_steps"), "warmup_steps")


def warmup_cosine(config: Config, run: Run) -> list[Stage]:
    """A straight line, then half a cosine up to `decay_steps`, which include the warmup."""
    rising, peak, warmup = _warmup(config)
    total = config.number("decay_steps")
    if total <= warmup:
        message = f"decay_steps include the {warmup} of the warmup, and are {total:g}"
        config.fail("out-of-range", message, "decay_steps")
    final = config.number("end_value", 0)
    # alpha is end_value / peak_value in optax, and 0 where the peak is.
    falling = _cosine(config, peak, final if peak else 0.0, total - warmup)
    return join([rising, [falling]], [warmup])


def warmup_exponential(config: Config, run: Run) -> list[Stage]:
    """A straight line, then an exponential whose clock starts with it."""
    rising, peak, warmup = _warmup(config)
    return join([rising, _exponential(config, run, peak)], [warmup])


def _warmup(config: Config) -> tuple[list[Stage], float, int]:
    initial, peak = config.number("init_value"), config.number("peak_value")
    warmup = config.whole("warmup_steps")
    return [Stage(polynomial(initial, peak, power=1), max(warmup, 1))], peak, warmup
