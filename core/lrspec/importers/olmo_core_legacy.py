"""The schedulers of legacy OLMo, which are not in OLMo-core or differ there."""

from __future__ import annotations

from math import cos, pi, sqrt

from lrspec.importers.olmo_core_schedules import Part
from lrspec.importing.nodes import (
    Node,
    Schedule,
    constant,
    cosine,
    inverse_sqrt,
    linear,
    product,
    sum_of,
)
from lrspec.importing.sequence import stages

LEGACY = (
    *("cosine_with_warmup", "linear_with_warmup", "inverse_sqrt_with_warmup", "max_scheduler"),
    *("constant", "constant_with_warmup", "cosine_linear_envelope"),
)


def legacy(part: Part, name: str) -> tuple[Schedule, bool]:
    """The schedule, and whether it is read at the end of an update."""
    config, run, rate = part.config, part.run, part.rate
    config.ignore("grad_clip_warmup_steps", "grad_clip_warmup_factor", "t_max", "alpha_f")
    config.ignore("warmup_min_lr", "t_warmup")
    if name == "constant":
        return constant(rate), True
    warmup = config.whole("t_warmup", 100)
    low = config.optional_number("warmup_min_lr", least=0)
    if low is None:
        run.say("warmup_min_lr is left out: OLMo takes a tenth of the rate.")
        low = 0.1 * rate
    warm = linear(low, rate, part.span(warmup)) if warmup else None
    if name == "constant_with_warmup":
        return stages(warm, constant(rate)), True
    if name == "inverse_sqrt_with_warmup":
        if not warmup:
            config.fail("out-of-range", "an inverse square root has a warmup", "t_warmup")
        return stages(warm, inverse_sqrt(rate, part.span(warmup))), True
    end = config.optional_whole("t_max", least=1) or part.needs_total()
    if warmup >= end:
        config.fail("does-not-fit", "the warmup leaves nothing of the schedule", "t_warmup")
    last = rate * part.lowest_share()
    length = part.rest(end - warmup, end)
    if name == "max_scheduler":
        return _largest(part, (low, last), warmup, end), False
    fall: Node
    if name == "linear_with_warmup":
        fall = linear(rate, last, length)
    elif name == "cosine_with_warmup":
        fall = cosine(rate, last, length)
    else:
        envelope = product(cosine(rate - last, 0), linear(1, 0))
        fall = sum_of(constant(last), envelope, length=length)
    return stages(warm, fall), True


def _largest(part: Part, lows: tuple[float, float], warmup: int, end: int) -> Schedule:
    """The larger of the cosine and the inverse square root."""
    rate, (low, last) = part.rate, lows

    def value(step: int) -> float:
        x = step + 1
        if x < warmup:
            return low + (rate - low) * x / warmup
        p = min((x - warmup) / (end - warmup), 1.0)
        falling = last + (rate - last) * (1 + cos(pi * p)) / 2
        return max(falling, rate * sqrt(warmup / x))

    if part.units == "tokens":
        part.config.refuse("max_scheduler is the larger of two curves, in tokens", "name")
    refusal = "max_scheduler is the larger of two curves, which the language does not state"
    until = max(part.total or end, end)
    return part.run.sampled(value, until, refusal=refusal, config=part.config, at="name")
