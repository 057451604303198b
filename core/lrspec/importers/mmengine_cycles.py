"""OneCycleLR and CosineRestartLR of mmengine, which set the value, and the table of all kinds."""

from __future__ import annotations

from collections.abc import Callable

from lrspec.importers.mmengine_classes import (
    Pieces,
    Range,
    Scheduler,
    constant_,
    cosine_,
    exponential_,
    half_cosine,
    linear_,
    low_value,
    multi_step,
    poly,
    say_end,
    smooth,
    step,
)
from lrspec.importing.classes import one_rate
from lrspec.importing.config import Config
from lrspec.importing.cutting import cut
from lrspec.importing.cycles import OneCycle
from lrspec.importing.nodes import Schedule, advance, constant, cosine, polynomial, quantize
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages
from lrspec.loading import from_dict


def one_cycle(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """The one-cycle policy of torch over total_steps, n where it is left out."""
    high, n = one_rate(config, "eta_max", 0.0), range_.length
    total = config.whole("total_steps", n, least=1)
    start = high / config.number("div_factor", 25.0, above=0)
    end = start / config.number("final_div_factor", 1e4, above=0)
    shape = config.choice("anneal_strategy", ("cos", "linear"), "cos", what="anneal_strategy")
    three = config.flag("three_phase", False)
    cycle = OneCycle(
        config,
        total,
        config.number("pct_start", 0.3, least=0, most=1),
        shape="cosine" if shape == "cos" else "linear",
        three_phases=three,
        system="mmengine",
    )
    if n > total and not range_.is_open:
        config.refuse(f"OneCycleLR goes on beyond its {total} steps, where mmengine soon fails")
    if cycle.is_cut:
        config.refuse("the phases of OneCycleLR before the last one do not leave it a step")
    whole = cycle.schedule(start, high, *((start, end) if three else (end,)))

    def make(value: float, goes: float) -> Pieces:
        if range_.by_epoch:
            shown = cut(whole, n) if n < total - 1 else whole
            return smooth(in_epochs(shown), range_, value_at(whole, min(n - 1, total)))
        if range_.is_open or (goes <= range_.end and n == total):
            return Pieces(whole, None, end)
        return smooth_list(whole, range_)

    return Scheduler("OneCycleLR", config, range_, make, "sets", initial=start)


def in_epochs(schedule: Schedule) -> Schedule:
    """The schedule with its lengths in steps as so many epochs."""
    if isinstance(schedule, list):
        return [in_epochs(stage) for stage in schedule]
    ((kind, body),) = schedule.items()
    changed = dict(body or {})
    for key in ("length", "by"):
        if key in changed:
            number = str(changed[key]).removesuffix(" steps")
            changed[key] = f"{number} epochs"
    if "schedule" in changed:
        changed["schedule"] = in_epochs(changed["schedule"])
    return {kind: changed or None}


def smooth_list(schedule: Schedule, range_: Range) -> Pieces:
    """A schedule that is cut where the last update of the range is, and stays there."""
    n = range_.length
    left = value_at(schedule, n - 1)
    return Pieces(cut(schedule, n - 1) if n > 1 else constant(left, 1), max(n - 1, 1), left)


def value_at(schedule: Schedule, step: int) -> float:
    """The value of a schedule at a step."""
    data = {"lrspec": 1, "base": "absolute", "schedule": schedule}
    return from_dict(data).bind()(step)


def cosine_restart(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """In period i of length P: η + (B·weightᵢ − η)·½(1 + cos πt/P), B that of the optimizer."""
    periods = config.wholes("periods")
    weights = config.numbers("restart_weights", [1.0])
    if not periods or len(weights) != len(periods) or 0 in periods:
        message = f"{len(periods)} periods above 0 take as many restart_weights"
        config.fail("values-number", f"{message}, found {len(weights)}", "restart_weights")
    if "eta_min" not in config and "eta_min_ratio" not in config:
        config.fail("missing-field", "eta_min or eta_min_ratio is required")
    low, n = low_value(config, base, None), range_.length

    def make(value: float, goes: float) -> Pieces:
        parts: list[Schedule] = []
        past = 0
        left = value
        for index, (period, weight) in enumerate(zip(periods, weights, strict=True)):
            if past >= n:
                break
            size = min(period, n - past)
            ends = index == len(periods) - 1 or past + period >= n
            left = half_cosine(base * weight, low, (size - 1) / period)
            node = cosine(base * weight, low, range_.span(period))
            past += size
            plain = not ends or goes <= range_.begin + past
            if not range_.by_epoch and size == period and plain:
                if ends:
                    say_end(run, Range(0, range_.begin + past, False), left, low)
                parts.append(node)
            else:
                parts.append(quantize(node, range_.span(1), range_.span(size)))
        return Pieces(stages(*parts), past, left)

    return Scheduler("CosineRestartLR", config, range_, make, "sets")


def quadratic(config: Config, range_: Range, run: Run, base: float) -> Scheduler:
    """mmdet's QuadraticWarmupLR: B·((r + 1)/n)², B that of the optimizer."""
    n = range_.length
    if range_.is_open:
        config.fail("missing-field", "'end' is required, a warmup comes to one")

    def make(value: float, goes: float) -> Pieces:
        if n == 1:
            return Pieces(constant(base, range_.span(1)), 1, base)
        rise = polynomial(0, base, range_.span(n), power=2, origin="initial")
        if range_.by_epoch:
            return smooth(advance(rise, range_.span(1)), range_, base)
        return Pieces(advance(rise, 1, n - 1), n - 1, base)

    run.say("The first step of QuadraticWarmupLR has the rate over n², the last one the rate.")
    return Scheduler("QuadraticWarmupLR", config, range_, make, "sets")


KINDS: dict[str, Callable[[Config, Range, Run, float], Scheduler]] = {
    "Constant": constant_,
    "Linear": linear_,
    "Exponential": exponential_,
    "Step": step,
    "MultiStep": multi_step,
    "CosineAnnealing": cosine_,
    "Poly": poly,
    "OneCycle": one_cycle,
    "CosineRestart": cosine_restart,
    "QuadraticWarmup": quadratic,
}
# The argument of a kind that is a number of epochs or updates, beside begin and end.
SPANS = {
    "Step": ("step_size",),
    "MultiStep": ("milestones",),
    "CosineAnnealing": ("T_max",),
    "OneCycle": ("total_steps",),
    "CosineRestart": ("periods",),
}
