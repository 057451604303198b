"""LLM Foundry: its training YAML, with the schedulers of Composer and its own.

`inv_sqrt_with_warmup`, with t the batches, samples or tokens before an update, w `t_warmup`, d
`alpha_f_decay` and c `t_max` − `t_cooldown`: t/w while t < w, then
d + (1 − d)/√((t − w + t_scale)/t_scale), and from c on a straight line from the value there to
`alpha_f_cooldown` over `t_cooldown` (llmfoundry/optim/scheduler.py).
"""

from __future__ import annotations

from lrspec.importers.composer import read_scheduler
from lrspec.importers.composer_schedules import SCHEDULERS, Reading, restarts
from lrspec.importers.composer_times import Time
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Length,
    Node,
    Schedule,
    constant,
    inverse_sqrt,
    linear,
    sum_of,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages


def _inverse(read: Reading) -> Schedule:
    config, times = read.config, read.times
    start, ramp = read.warmup()
    scale, cooldown = times.read("t_scale"), times.read("t_cooldown")
    end = times.read("t_max", "1dur")
    if len({start.unit, scale.unit, cooldown.unit, end.unit}) > 1:
        config.fail("wrong-value", "the times of inv_sqrt_with_warmup have different units")
    if scale.value == 0:
        config.fail("out-of-range", "t_scale is no time", "t_scale")
    low = config.number("alpha_f_decay", 0.0, least=0, most=1)
    last = config.number("alpha_f_cooldown", 0.0)
    if low < last:
        config.fail("out-of-range", "alpha_f_decay is not below alpha_f_cooldown")
    begin = max(end.value - cooldown.value, start.value)
    if begin == end.value - cooldown.value and times.is_end(end) and cooldown.value:
        length: Length = None
    else:
        length = Time(begin - start.value, start.unit).span
    # With nothing to fall over there is only what the cooldown starts from.
    fall = _fall(read, low, scale, length) if begin > start.value else constant(read.peak, 0)
    cool = linear(None, last * read.peak, cooldown.span) if cooldown.value else None
    if cool is None and begin == start.value:
        return stages(ramp, constant(read.peak))
    if begin == start.value:
        return stages(ramp, linear(read.peak, last * read.peak, cooldown.span))
    return stages(ramp, fall, cool)


def _fall(read: Reading, low: float, scale: Time, length: Length) -> Node:
    timescale = scale.span or 0
    if low == 0:
        return inverse_sqrt(read.peak, timescale, length)
    above = inverse_sqrt((1 - low) * read.peak, timescale)
    return sum_of(constant(low * read.peak), above, length=length)


def _restarts(read: Reading) -> Schedule:
    _, ramp = read.warmup()
    return restarts(read, ramp)


_SCHEDULERS = {
    **SCHEDULERS,
    "inv_sqrt_with_warmup": _inverse,
    "cosine_annealing_warm_restarts_with_warmup": _restarts,
}


@importer("LLM Foundry")
def load(config: Config, run: Run) -> Imported:
    """The document of a training YAML of LLM Foundry with `scheduler`, `optimizer` and
    `max_duration`, or of its scheduler alone with `max_duration` and `lr` beside it."""
    return read_scheduler(config, run, _SCHEDULERS)
