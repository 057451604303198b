"""The schedules of timm as documents state them (timm/scheduler).

With t the epochs or updates done, B the rate, m `lr_min`, w the warmup from `warmup_lr_init`, T
`t_initial`, and of cycle i the length T_i = T·cycle_mul^i, the rate B_i = B·cycle_decay^i and the
progress q in it: after the warmup `cosine` is m + (B_i − m)·½(1 + cos(π·q^k)), `poly`
m + (B_i − m)·(1 − q^k)^power, `tanh` m + (B_i − m)·½(1 − tanh(lb·(1 − q) + ub·q)), each with m
after the last cycle; `step` B·decay_rate^⌊t/decay_t⌋; `multistep` B·decay_rate once for every
milestone ≤ t + 1; `wsd` m + (max(B·(1 + t/timescale)^−p, m) − m)·D(q), with q the progress of the
last decay_t and D(q) one of 1 − √q, 1 − q, ½(1 + cos πq), 1 − q^p, (r^q − r)/(1 − r).
Without `warmup_prefix` t counts from the start of the warmup, with it from its end. At t = 0 the
rate is that of the constructor: `warmup_lr_init`, or B where there is no warmup.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import partial

from lrspec.importers.timm_plan import Plan, glitches
from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Node,
    Schedule,
    advance,
    clamp,
    constant,
    cosine,
    exponential,
    geometric,
    linear,
    piecewise_constant,
    plain,
    polynomial,
    power_law,
    product,
    quantize,
    repeat,
    steps,
    sum_of,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

# More cycles than this are stated as one repeat of a sum, and not one by one.
_MANY = 8


def schedule(plan: Plan, config: Config, run: Run) -> Schedule:
    """The schedule of a plan."""
    match plan.kind:
        case "none":
            return constant(plan.rate)
        case "cosine" | "poly" | "tanh" if plan.cycle_limit == 0:
            return _staged(plan, _first(plan), constant(plan.low))
        case "tanh":
            return _sampled(plan, config, run, "no kind of the language has the form of a tanh")
        case "cosine" | "poly" if plan.k_decay != 1:
            return _sampled(plan, config, run, "no kind of the language has timm's k-decay")
        case "cosine" | "poly":
            after = _cycles(plan, run)
            return _staged(plan, *(after if isinstance(after, list) else [after]))
        case "wsd":
            return _staged(plan, *_wsd(plan))
        case "constant":
            return _staged(plan, constant(plan.rate))
        case "step":
            return _staged(plan, _steps(plan, run))
        case _:
            return _multistep(plan, run)


def _warm(plan: Plan) -> Node | None:
    if not plan.warmup:
        return None
    # Without a prefix tanh is warmed up to its own value at the end of the warmup.
    lowest = plan.kind == "tanh" and not plan.prefix
    return linear(plan.start, plan.low if lowest else plan.rate, plan.span(plan.warmup))


def _staged(plan: Plan, *after: Schedule | None) -> Schedule:
    """What follows the warmup, behind it, changing once in an epoch where timm is stepped so."""
    whole = stages(_warm(plan), *after)
    constants = all(node is None or "constant" in node for node in after)
    if plan.by_epoch and not (constants and not plan.warmup):
        return quantize(whole, plan.span(1))
    return whole


def _first(plan: Plan) -> Node | None:
    """What the constructor sets, where the formula has something else at t = 0."""
    return None if plan.warmup else constant(plan.rate, plan.span(1))


def _shifted(plan: Plan, node: Schedule) -> Schedule:
    """Counted from the start of the warmup, where the warmup is no prefix."""
    if not plan.warmup or plan.prefix or (isinstance(node, dict) and "constant" in node):
        return node
    return advance(node)


# Cosine and polynomial


def _cycle(plan: Plan, high: float, low: float, length: float | str | None) -> Node:
    if plan.kind == "cosine":
        return cosine(high, low, length)
    return polynomial(high, low, length, power=plan.power)


def _cycles(plan: Plan, run: Run) -> Schedule:
    rate, low, count = plan.rate, plan.low, plan.cycle_limit
    for t in glitches(plan):
        run.say(
            f"A cycle begins at {steps(t)} here; timm's logarithm falls short of its number and has"
            " the lowest rate there once more."
        )
    if plan.warmup and not plan.prefix and plan.cycles_end <= plan.warmup:
        run.say("The warmup is longer than the schedule, so that only the lowest rate is left.")
        return constant(low)
    if plan.warmup and not plan.prefix and rate != low:
        run.say("The decay counts from the start of the warmup: the rate drops where that ends.")
    if count == 1:
        ends = plan.total == plan.cycles_end
        return _shifted(plan, _cycle(plan, rate, low, None if ends else plan.span(plan.length)))
    shrink = plan.cycle_decay
    again = partial(repeat, period=plan.span(plan.length), count=count, stretch=plan.cycle_mul)
    if shrink == 1 or low == 0:
        return _shifted(plan, again(_cycle(plan, rate, low, None), shrink=shrink))
    if count > _MANY:
        # The share of the lowest rate is the same in every cycle, that of the highest shrinks.
        high = again(_cycle(plan, rate, 0, None), shrink=shrink)
        floor = sum_of(constant(low), again(_cycle(plan, -low, 0, None)))
        return _shifted(plan, sum_of(floor, high))
    lengths = [Fraction(plan.length) * Fraction(plan.cycle_mul) ** i for i in range(count)]
    listed = [
        _cycle(plan, rate * shrink**i, low, plan.span(float(length)))
        for i, length in enumerate(lengths)
    ]
    return _shifted(plan, listed) if plan.warmup and not plan.prefix else listed


# Steps


def _steps(plan: Plan, run: Run) -> Schedule:
    if plan.decay_rate == 1:
        return constant(plan.rate)
    return _shifted(
        plan, exponential(plan.rate, plan.decay_rate, _every(plan, run), staircase=True)
    )


def _every(plan: Plan, run: Run) -> float | str:
    """The length of a step. Where float64 is a hair above the decimal number, a whole t that is a
    multiple of it comes before the step in timm: then it is written with all its digits."""
    if plan.decay == int(plan.decay):
        return plan.span(plan.decay)
    counted = plan.in_updates(run, why="timm multiplies decay_epochs by the updates of an epoch")
    written = Fraction(Decimal(plain(plan.decay)))
    if counted.unit != plan.unit:
        factor = run.steps_per_epoch(why="")
        written *= Fraction(Decimal(plain(factor)))
    if Fraction(counted.decay) <= written or written.numerator > 10**7:
        return plan.span(plan.decay)
    text = f"{Decimal(counted.decay):f} {counted.unit}"
    run.say(f"In float64 a decay is {text} long, which decides at multiples of it in timm.")
    return text


def _multistep(plan: Plan, run: Run) -> Schedule:
    plan = plan.in_updates(run, why="milestone m takes effect at update m · updates per epoch − 1")
    offset = plan.warmup if plan.prefix else 0
    if plan.milestones:
        run.say("A milestone takes effect one before it, as it does in timm.")
    boundaries: list[float] = []
    values = [plan.rate]
    for milestone in plan.milestones:
        boundary = max(math.ceil(milestone - 1 + offset), 1)
        value = values[-1] * plan.decay_rate
        if boundaries and boundary == boundaries[-1]:
            values[-1] = value
        else:
            boundaries.append(boundary)
            values.append(value)
    after = piecewise_constant([plan.span(boundary) for boundary in boundaries], values)
    whole = stages(_warm(plan), after)
    return quantize(whole, plan.span(1)) if plan.by_epoch and plan.warmup else whole


# Warmup, stable, decay


def _wsd(plan: Plan) -> list[Schedule | None]:
    rate, low = plan.rate, plan.low
    hold = plan.length - plan.decay
    ends = plan.total == plan.warmup + plan.length
    if rate <= low:
        return [_first(plan) if rate < low else None, constant(low)]
    if plan.stable == "constant":
        if not hold:
            return [_fall(plan, rate, low, None if ends else plan.span(plan.decay))]
        held = constant(rate, None if ends else plan.span(hold))
        return [held, _fall(plan, rate, low, plan.span(plan.decay))]
    falling: Schedule = power_law(rate, plan.span(plan.timescale), plan.stable_power)
    plateau = constant(1, plan.span(hold)) if hold else None
    factor = stages(plateau, _fall(plan, 1, 0, plan.span(plan.decay)))
    if low == 0:
        return [product(falling, factor)]
    above = sum_of(clamp(falling, minimum=low), constant(-low))
    return [sum_of(constant(low), product(above, factor))]


def _fall(plan: Plan, high: float, low: float, length: float | str | None) -> Node:
    match plan.decay_fn:
        case "linear":
            return linear(high, low, length)
        case "1-sqrt":
            return polynomial(high, low, length, power=0.5, origin="initial")
        case "cosine":
            return cosine(high, low, length)
        case "power":
            return polynomial(high, low, length, power=plan.decay_power, origin="initial")
        case _:
            # (r^q − r)/(1 − r) falls by the same share of its distance from −r/(1 − r).
            ratio = plan.decay_ratio
            asymptote = (low - ratio * high) / (1 - ratio)
            return geometric(high, low, length, asymptote=asymptote)


# What no kind states


def _sampled(plan: Plan, config: Config, run: Run, refusal: str) -> Schedule:
    if run.sample:
        plan = plan.in_updates(run, why="what is sampled has a rate at every update")
    end = plan.cycles_end if plan.prefix else max(plan.cycles_end, plan.warmup)
    last = min(math.ceil(min(end, 1e15)), 10**15)
    node = run.sampled(lambda t: _value(plan, t), last, refusal=refusal, config=config)
    if plan.unit == "steps":
        return node
    assert isinstance(node, dict)
    body = node["piecewise_linear"]
    boundaries = [plan.span(boundary) for boundary in body["boundaries"]]
    return quantize({"piecewise_linear": {**body, "boundaries": boundaries}}, plan.span(1))


def _value(plan: Plan, t: float) -> float:
    """The rate at t, by the formula of a cosine, polynomial or tanh."""
    if t == 0 and not plan.warmup:
        return plan.rate
    if t < plan.warmup:
        to = plan.rate
        if plan.kind == "tanh" and not plan.prefix:
            to = _curve(plan, plan.warmup)
        return plan.start + t * ((to - plan.start) / plan.warmup)
    return _curve(plan, t - plan.warmup if plan.prefix else t)


def _curve(plan: Plan, t: float) -> float:
    mul = plan.cycle_mul
    if mul == 1:
        cycle = int(t // plan.length)
        start = cycle * plan.length
    else:
        left = 1 - t / plan.length * (1 - mul)
        cycle = math.floor(math.log(left, mul)) if left > 0 else plan.cycle_limit
        start = (1 - mul**cycle) / (1 - mul) * plan.length
    if cycle >= plan.cycle_limit:
        return plan.low
    length = mul**cycle * plan.length
    high = plan.rate * plan.cycle_decay**cycle
    progress = (t - start) / length
    if plan.kind == "tanh":
        lower, upper = plan.bounds
        share = 0.5 * (1 - math.tanh(lower * (1 - progress) + upper * progress))
    else:
        progress = max(progress, 0.0) ** plan.k_decay
        share = 0.5 * (1 + math.cos(math.pi * progress))
        if plan.kind == "poly":
            share = max(1 - progress, 0.0) ** plan.power
    return plan.low + (high - plan.low) * share
