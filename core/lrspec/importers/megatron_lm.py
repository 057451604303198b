"""Megatron-LM: the arguments of OptimizerParamScheduler (core/optimizer_param_scheduler.py).

With x the samples of the updates done, B `lr`, m `min_lr`, w the warmup, D the decay and d the WSD
decay, each in samples (an iteration is one global batch): up to x = w the rate is
init + (B − init)·x/w, beyond D it is m, and between them by `lr_decay_style`, with
p = (x − w)/(D − w) and q = (x − D + d)/d: `linear` m + (B − m)·(1 − p), `cosine`
m + (B − m)·½(1 + cos πp), `inverse-square-root` max(m, B·√(max(w, 1)/max(x, 1))), `WSD` B up to
D − d and then m + (B − m)·{2·½^q − 1, 1 − q, ½(1 + cos πq), 1 − √q}; `constant` is B for ever. The
weight decay goes from its start to its end over the whole run.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

from lrspec.importers.megatron_lm_clock import KEYS, Clock, clock_of
from lrspec.importing.arguments import ignore_others, parse_arguments
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Length,
    Node,
    Schedule,
    clamp,
    constant,
    cosine,
    geometric,
    inverse_sqrt,
    linear,
    polynomial,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_STYLES = ("constant", "linear", "cosine", "inverse-square-root", "WSD")
_WSD_STYLES = ("exponential", "linear", "cosine", "minus_sqrt")
_NAMES = (
    *("lr", "min_lr", "lr_warmup_init", "lr_decay_style", "lr_wsd_decay_style", "weight_decay"),
    *("start_weight_decay", "end_weight_decay", "weight_decay_incr_style", "param"),
)


@importer("Megatron-LM", text=parse_arguments)
def load(config: Config, run: Run) -> Imported:
    """The document of Megatron-LM's arguments (a text file of `--lr 1.5e-4 …`, YAML or a mapping),
    or of a configuration of Megatron Bridge with `optimizer`, `scheduler` and `train`."""
    scheduler = optimizer = training = config = _arguments(config)
    if "scheduler" in config and "optimizer" in config:
        scheduler, optimizer = config.section("scheduler"), config.section("optimizer")
        training = config.section("train", {})
        for part in (config, optimizer, training):
            part.ignore_rest()
    ignore_others(scheduler, (*_NAMES, *KEYS), ("lr_",))
    param = scheduler.choice("param", ("lr", "weight_decay"), "lr", what="param")
    clock = clock_of(scheduler, training, run, needs_total=param == "weight_decay")
    decay = _weight_decay(scheduler, run, clock)
    facts: dict[str, Any] = {"steps": clock.steps, "training": clock.facts, "axis": clock.axis}
    if param == "weight_decay":
        scheduler.done(_NAMES)
        if decay is None:
            scheduler.fail("missing-field", "the weight decay does not change")
        # A weight decay is no multiple of anything.
        return run.document(decay, origin="weight decay", base=0.0, **facts)
    key = "lr_decay_style"
    style = scheduler.choice(key, _STYLES, run.usual(scheduler, key, "linear"), what=key)
    low = optimizer.number("min_lr", 0.0, least=0)
    init = scheduler.number("lr_warmup_init", 0.0)
    base = run.base(optimizer, "lr")
    if base is None and (low or (init and clock.warmup)):
        run.missing("base", "lr", "min_lr and lr_warmup_init are rates beside lr")
    peak = 1.0 if base is None else base
    if low > peak:
        optimizer.fail("out-of-range", f"min_lr {low:g} is above lr {peak:g}", "min_lr")
    wsd = scheduler.choice("lr_wsd_decay_style", _WSD_STYLES, "exponential", what="style of WSD")
    if style == "WSD" and "lr_wsd_decay_style" not in scheduler:
        run.say("lr_wsd_decay_style is left out: Megatron-LM takes exponential.")
    for key in ("decoupled_lr", "decoupled_min_lr"):
        if key in config:
            run.say(f"{key}, for the embeddings and the output layer, is not imported.")
    warm = linear(init, peak, clock.warmup_span) if clock.warmup else None
    schedule = stages(warm, *_after(scheduler, run, clock, style, peak, low, wsd))
    scheduler.done(_NAMES)
    others = None if decay is None else {"weight_decay": decay}
    return run.document(schedule, origin=style, base=base, others=others, **facts)


def _arguments(config: Config) -> Config:
    """The arguments, which the recipes of Megatron-LM's tests have below `MODEL_ARGS`, as options:
    `--lr-decay-style: cosine`."""
    found = config
    if isinstance(config.data.get("MODEL_ARGS"), dict):
        config.ignore_rest()
        found = config.section("MODEL_ARGS")
    if not any(key.startswith("--") for key in found.data):
        return found
    found.ignore_rest()
    plain = {key.removeprefix("--").replace("-", "_"): key for key in found.data}
    return found.inner({name: found.raw(key, None) for name, key in plain.items()})


def _after(
    config: Config, run: Run, clock: Clock, style: str, peak: float, low: float, wsd: str
) -> list[Schedule]:
    """What follows the warmup."""
    if style == "constant" or peak == low:
        return [constant(peak)]
    if clock.decay is None:
        run.missing("steps", "train_iters", "the decay ends after lr_decay_iters, or with the run")
    if not clock.warmup < clock.decay:
        message = f"the warmup of {clock.warmup:g} {clock.axis} is not shorter than the decay"
        config.fail("does-not-fit", f"{message} of {clock.decay:g}")
    length, until = clock.length_to(clock.decay), clock.until(clock.decay)
    match style:
        case "linear":
            return [linear(peak, low, length, until=until)]
        case "cosine":
            return [cosine(peak, low, length, until=until)]
        case "WSD":
            return _wsd(config, clock, clock.decay, peak, low, wsd)
        case _:
            return _inverse(run, clock, clock.decay, peak, low)


def _wsd(
    config: Config, clock: Clock, end: float, peak: float, low: float, style: str
) -> list[Schedule]:
    key = f"lr_wsd_decay_{clock.suffix}"
    decay = config.whole(key)
    if decay > end - clock.warmup:
        config.fail("does-not-fit", f"the warmup and {key} are longer than the decay", key)
    if decay == 0:
        # At the end of the decay the rate is still the peak.
        return [constant(peak, until=clock.span(end + 1)), constant(low)]
    fall = _fall(style, peak, low, clock.span(decay))
    if end - decay == clock.warmup:
        return [fall]
    if clock.is_end(end):
        return [constant(peak), fall]
    begin = end - decay
    return [constant(peak, clock.length_to(begin), clock.until(begin)), fall]


def _fall(style: str, peak: float, low: float, length: Length) -> Node:
    match style:
        case "linear":
            return linear(peak, low, length)
        case "cosine":
            return cosine(peak, low, length)
        case "minus_sqrt":
            return polynomial(peak, low, length, power=0.5, origin="initial")
        case _:
            # 2·½^q − 1 halves its distance from −1, and the rate that from 2m − B.
            return geometric(peak, low, length, asymptote=2 * low - peak)


def _inverse(run: Run, clock: Clock, end: float, peak: float, low: float) -> list[Schedule]:
    """The inverse square root up to and with `end`; then the lowest rate, which is a jump."""
    run.say(f"The rate drops to min_lr after {end:g} {clock.axis}.")
    before: list[Schedule] = []
    if clock.warmup_span is not None and clock.warmup:
        initial, fall = peak, inverse_sqrt(peak, clock.warmup_span, until=clock.span(ceil(end) + 1))
    else:
        # Megatron-LM counts samples, of which the first counts as a warmup of one.
        before = [constant(peak, clock.span(1))]
        initial = peak / sqrt(clock.needs_batch(run))
        fall = inverse_sqrt(initial, clock.span(1), until=clock.span(ceil(end) + 1))
    if initial * sqrt((clock.warmup or 1) / end) < low:
        run.say("min_lr is a lower bound before that.")
        ((kind, fields),) = fall.items()
        until = fields.pop("until")
        fall = clamp({kind: fields}, minimum=low, until=until)
    return [*before, fall, constant(low)]


def _weight_decay(config: Config, run: Run, clock: Clock) -> Schedule | None:
    style = config.choice(
        "weight_decay_incr_style",
        ("constant", "linear", "cosine"),
        "constant",
        what="weight_decay_incr_style",
    )
    first, last = (
        config.optional_number("start_weight_decay"),
        config.optional_number("end_weight_decay"),
    )
    config.ignore("weight_decay")
    if style == "constant":
        return None
    if first is None or last is None:
        config.fail("missing-field", "start_weight_decay and end_weight_decay are required")
    if not 0 <= first <= last:
        config.fail("out-of-range", "the weight decay grows from its start to its end")
    if clock.total is None:
        run.missing("steps", "train_iters", "the weight decay grows over the whole run")
    length = None if clock.is_end(clock.total) else clock.span(clock.total)
    return linear(first, last, length) if style == "linear" else cosine(first, last, length)
