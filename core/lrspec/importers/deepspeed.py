"""DeepSpeed: `scheduler` of a ds_config, with `optimizer` (deepspeed/runtime/lr_schedules.py).

With s the step, x = s − 1, m and M the lowest and the highest rate, w = max(2, warmup_num_steps), T
`total_num_steps` and g = x/w or ln(x + 1)/ln w: `WarmupLR` is m at s = 0, m + (M − m)·g while
x < w, then M; `WarmupDecayLR` afterwards m + (M − m)·max(0, (T − x)/max(1, T − w));
`WarmupCosineLR` is 0 at s = 0, then B·(r + (1 − r)·g), then, with B the optimizer's rate,
B·(c + (1 − c)·½(1 + cos(π·(x − w + 1)/(T − w)))); `LRRangeTest` m·(1 + rate·s/size); `OneCycle` a
triangle from m to M and back, then m/(1 + rate·x'/size) with x' the steps after it, while the
momentum goes the other way.
"""

from __future__ import annotations

from math import log
from typing import Any

from lrspec.importers.torch import of_class
from lrspec.importers.torch_classes import CLASSES, REFUSED
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Schedule,
    advance,
    constant,
    cosine,
    linear,
    power_law,
    quantize,
)
from lrspec.importing.parts import hint_at
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages
from lrspec.source import Json

_TYPES = ("WarmupLR", "WarmupDecayLR", "WarmupCosineLR", "LRRangeTest", "OneCycle")
# DeepSpeed takes the other names for classes of torch.
_OF_TORCH = (*CLASSES, *REFUSED)
# Optimizers without `betas`, of which OneCycle leaves the momentum alone.
_WITHOUT_BETAS = ("sgd", "adagrad", "rmsprop", "muon")


@importer("DeepSpeed")
def load(config: Config, run: Run) -> Imported:
    """The document of a ds_config (JSON or a mapping), or of its `scheduler` alone, with
    `optimizer_lr` beside it where that is needed."""
    scheduler, optimizer = config, None
    if "type" not in config:
        if "scheduler" not in config and config.keys():
            hint = (
                "without one the rate is the optimizer's, or a trainer such as transformers has one"
            )
            hint = hint_at(config, ("scheduler",)) or hint
            config.fail("missing-field", "there is no scheduler here", hint=hint)
        scheduler = config.section("scheduler")
        optimizer = config.section("optimizer", {})
        config.optional_number("optimizer_lr")
        config.ignore_rest()
        optimizer.ignore_rest()
    of_torch = scheduler.raw("type", None) in _OF_TORCH
    options = (*_TYPES, *_OF_TORCH) if of_torch else _TYPES
    base: float | None
    kind = scheduler.choice("type", options, what="scheduler of DeepSpeed", code="unknown-schedule")
    params = _filled(scheduler.section("params", {}), run)
    if of_torch:
        base = _rate(config, run, optimizer)
        scheduler.done()
        return of_class(kind, params, run, base)
    params.ignore("last_batch_iteration")
    others: dict[str, Schedule] | None = None
    match kind:
        case "LRRangeTest":
            schedule, base = _range_test(params)
        case "OneCycle":
            schedule, base = _one_cycle(params)
            others = _momentum(params, run, optimizer)
        case "WarmupCosineLR":
            schedule, base = _cosine(params, run, _rate(config, run, optimizer))
        case _:
            schedule, base = _warmup(params, run, kind, config, optimizer)
    params.done()
    scheduler.done()
    return run.document(schedule, origin=kind, base=base, steps=run.steps(), others=others)


def _rate(config: Config, run: Run, optimizer: Config | None) -> float | None:
    """The optimizer's rate."""
    if "optimizer_lr" in config or optimizer is None:
        return run.base(config, "optimizer_lr")
    return run.base(_filled(optimizer.section("params", {}), run, only="lr"), "lr")


def _filled(params: Config, run: Run, only: str | None = None) -> Config:
    """The parameters with what a trainer such as transformers fills in where they, or the `only`
    one, are `auto`, as far as the caller says it."""
    known = {
        "total_num_steps": run.steps(),
        "warmup_max_lr": run.base(),
        "lr": run.base(),
        "warmup_min_lr": 0,
    }
    filled: dict[str, Json] = {}
    for key in params.keys():  # noqa: SIM118 - it is no mapping
        if params.data[key] != "auto" or only not in (None, key):
            continue
        value = known.get(key)
        if value is None:
            option = "--steps" if key == "total_num_steps" else "--base"
            hint = "write the number that it becomes"
            hint += f", or give {option}" if key in known else ""
            params.fail("wrong-value", f"{key} is auto, which the trainer fills in", key, hint=hint)
        filled[key] = value
        run.say(f"{key} is auto: transformers fills in {value:g}.")
    if not filled:
        return params
    params.ignore_rest()
    return params.inner({**params.data, **filled})


# Warmup


def _ramp(
    params: Config, run: Run, first: float, low: float, high: float
) -> tuple[int, list[Schedule]]:
    """The steps of the warmup, and its stages: `first` at step 0, then from `low` to `high`."""
    given = params.whole("warmup_num_steps", 1000)
    steps = max(2, given)
    if given < 1:
        run.say("A warmup of 0 steps is one of 2; newer versions of DeepSpeed refuse it.")
    if "warmup_num_steps" not in params:
        run.say("warmup_num_steps is left out: DeepSpeed takes 1000.")
    form = params.choice("warmup_type", ("log", "linear"), "log", what="warmup_type")
    if first == low == high:
        return steps, [constant(low, 1 + steps)]
    if first == low:
        run.say("The first two updates have the lowest rate: DeepSpeed counts from −1.")
    else:
        run.say("The first update has the rate 0, and the warmup starts with the second.")
    if form == "linear" or low == high:
        return steps, [constant(first, 1), linear(low, high, steps)]

    def rate(step: int) -> float:
        share = min(log(step) / log(steps), 1.0) if step else 0.0
        return low + (high - low) * share if step else first

    # A misspelt warmup_type is the better reason.
    params.ignore("total_num_steps")
    params.done()
    refusal = "no kind of the language has the form of a logarithm, the default of warmup_type"
    ramp = run.sampled(rate, steps + 1, refusal=refusal, config=params)
    assert isinstance(ramp, dict)
    return steps, [{"piecewise_linear": {**ramp["piecewise_linear"], "length": steps + 1}}]


def _warmup(
    params: Config, run: Run, kind: str, config: Config, optimizer: Config | None
) -> tuple[Schedule, float | None]:
    low = params.number("warmup_min_lr", 0.0)
    high = params.optional_number("warmup_max_lr")
    base = high
    if high is None and kind == "WarmupDecayLR":
        run.say("warmup_max_lr is left out: DeepSpeed takes 0.001.")
        base = high = 0.001
    elif high is None:
        base = _rate(config, run, optimizer)
        if base is None and low:
            run.missing("base", "warmup_max_lr", "warmup_min_lr is a rate beside warmup_max_lr")
        high = 1.0 if base is None else base
    steps, ramp = _ramp(params, run, low, low, high)
    if kind == "WarmupLR" and low == high:
        return constant(high), base
    if kind == "WarmupLR":
        return stages(*ramp), base
    total = _total(params, run)
    if low == high:
        return constant(high), base
    run.say("The decay ends at warmup_min_lr, one step after total_num_steps.")
    if total <= steps:
        run.say("The warmup takes the whole of total_num_steps: after it is the lowest rate.")
        return stages(*ramp, constant(low)), base
    return stages(*ramp, linear(high, low, total - steps)), base


def _cosine(params: Config, run: Run, base: float | None) -> tuple[Schedule, float | None]:
    peak = 1.0 if base is None else base
    start = peak * params.number("warmup_min_ratio", 0.0, least=0)
    end = peak * params.number("cos_min_ratio", 0.0001, least=0)
    if "cos_min_ratio" not in params:
        run.say("cos_min_ratio is left out: DeepSpeed takes 0.0001.")
    steps, ramp = _ramp(params, run, 0.0, start, peak)
    total = _total(params, run)
    if total <= steps:
        run.say("The warmup takes the whole of total_num_steps: after it is the lowest rate.")
        run.say("Older versions of DeepSpeed divide by 0 here, or let the rate rise again.")
        return stages(*ramp, constant(end)), base
    run.say("Older versions of DeepSpeed let the cosine rise again after total_num_steps.")
    return stages(*ramp, advance(cosine(peak, end, total - steps), by=1)), base


def _total(params: Config, run: Run) -> int:
    """`total_num_steps`, or the length of the run."""
    why = "the decay ends after total_num_steps"
    return run.needs_steps(params, "total_num_steps", why=why)


# Cycles


def _range_test(params: Config) -> tuple[Schedule, float]:
    low = params.number("lr_range_test_min_lr", 1e-3, above=0)
    size = params.whole("lr_range_test_step_size", 2000, least=1)
    rate = params.number("lr_range_test_step_rate", 1.0)
    rise = linear(low, low * (1 + rate), size, extend=True)
    return (quantize(rise, size) if params.flag("lr_range_test_staircase", False) else rise), low


def _sizes(params: Config) -> tuple[int, int, float]:
    first = params.whole("cycle_first_step_size", 2000, least=1)
    second = params.whole("cycle_second_step_size", first)
    return first, second, params.number("decay_step_size", 0, least=0)


def _one_cycle(params: Config) -> tuple[Schedule, float]:
    low, high = params.number("cycle_min_lr"), params.number("cycle_max_lr", above=0)
    first, second, every = _sizes(params)
    # DeepSpeed reads the counts of stairs and does nothing with them.
    params.ignore("cycle_first_stair_count", "cycle_second_stair_count")
    rate = params.number("decay_lr_rate", 0.0, least=0)
    fall = power_law(low, every / rate, 1) if every and rate and low else None
    if fall is None and not second:
        fall = constant(low)
    back = linear(high, low, second) if second else None
    return stages(linear(low, high, first), back, fall), high


def _momentum(params: Config, run: Run, optimizer: Config | None) -> dict[str, Schedule] | None:
    """Opposite to the rate, from the second update on; the first has the lowest."""
    low, high = params.number("cycle_min_mom", 0.8), params.number("cycle_max_mom", 0.9)
    rate = params.number("decay_mom_rate", 0.0)
    name: Any = None if optimizer is None else optimizer.data.get("type")
    has_betas = not (isinstance(name, str) and name.lower() in _WITHOUT_BETAS)
    if not params.flag("cycle_momentum", True) or not has_betas:
        return None
    run.say("The momentum is the first of betas; DeepSpeed sets the second to 0.99.")
    run.say("The first update has the lowest momentum, as DeepSpeed sets it before it starts.")
    first, second, every = _sizes(params)
    down = linear(high + (low - high) / first, low, first - 1)
    back = linear(low, high, second) if second else None
    grows = every and rate and high
    last = linear(high, high * (1 + rate), every, extend=True) if grows else None
    if last is None and not second:
        last = constant(high)
    return {"momentum": stages(constant(low, 1), down, back, last)}
