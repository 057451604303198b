"""t5x: `utils.create_learning_rate_scheduler` (t5x/utils.py), a product of named factors.

With t = max(0, s − step_offset), W `warmup_steps` and B `base_learning_rate`: `constant` B;
`linear_warmup` min(1, t/W); `rsqrt_decay` 1/√max(t, W); `rsqrt_normalized_decay` √W/√max(t, W);
`decay_every` decay_factor^⌊t/steps_per_decay⌋; `cosine_decay` ½(1 + cos πp) with p the fractional
part of max(0, t − W)/steps_per_cycle; `linear_decay` B·min(t/W, 1 + decay_factor·(W − t)). The rate
is no less than `min_learning_rate`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import prod
from typing import Any

from lrspec.importers.t5x_gin import bindings
from lrspec.importing.config import Config
from lrspec.importing.factors import Factor, after, combined, named, written
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Schedule,
    advance,
    clamp,
    constant,
    cosine,
    exponential,
    inverse_sqrt,
    linear,
    repeat,
)
from lrspec.importing.run import Run
from lrspec.importing.scale import largest
from lrspec.importing.sequence import stages
from lrspec.shorten import listed, quoted

_FUNCTION = "create_learning_rate_scheduler"
_FACTORS = "constant * linear_warmup * rsqrt_decay"
_DEFAULTS = {
    "base_learning_rate": 0.5,
    "warmup_steps": 1000,
    "decay_factor": 0.5,
    "steps_per_decay": 20000,
    "steps_per_cycle": 100000,
}
_TAKES = {
    "constant": ("base_learning_rate",),
    "linear_warmup": ("warmup_steps",),
    "linear_decay": ("base_learning_rate", "warmup_steps", "decay_factor"),
    "rsqrt_decay": ("warmup_steps",),
    "rsqrt_normalized_decay": ("warmup_steps",),
    "decay_every": ("decay_factor", "steps_per_decay"),
    "cosine_decay": ("warmup_steps", "steps_per_cycle"),
}
# Of these a warmup of no steps divides by zero at step 0.
_NEEDS_WARMUP = ("linear_warmup", "linear_decay", "rsqrt_decay", "rsqrt_normalized_decay")
# t5x counts steps in 32 bits.
_LAST_STEP = 2**31 - 1


@dataclass(frozen=True)
class _Arguments:
    """The arguments that factors take; `goes_on` says that they may be negative."""

    base: float
    warmup: int
    decay: float
    every: int
    cycle: int
    goes_on: bool


def parse_gin(text: str) -> dict[str, Any]:
    """What a gin file binds to `create_learning_rate_scheduler`; ValueError where it binds nothing
    to it, or no plain values."""
    bound, includes = bindings(text, _FUNCTION)
    if not bound:
        files = listed(quoted(str(name)) for name in includes)
        more = f"; what it includes is not read, and may do so: {files}" if includes else ""
        raise ValueError(f"it binds nothing to {_FUNCTION}{more}")
    return {_FUNCTION: bound, "include": includes}


@importer("t5x", text=parse_gin)
def load(config: Config, run: Run) -> Imported:
    """The document of a gin file that binds `utils.create_learning_rate_scheduler`, or of a mapping
    of its arguments."""
    section = _section(config, run)
    if run.schedule is not None and run.schedule.rpartition(".")[2] != _FUNCTION:
        message = f"unknown schedule {quoted(run.schedule)}; known is {_FUNCTION}"
        section.fail("unknown-schedule", message)
    if "factors" not in section:
        run.say(f"factors is left out: t5x takes '{_FACTORS}'.")
    names = named(section, _TAKES, _FACTORS)
    floor = section.number("min_learning_rate", 1e-8)
    offset = section.whole("step_offset", 0, least=-_LAST_STEP)
    given = _arguments(section, run, names, floor)
    section.done(_DEFAULTS)
    groups = combined(*(_factor(name, given) for name in names))
    start = prod(_first(name, given) for name in names)
    schedule = _shifted(written(groups), offset, start, run)
    if given.goes_on or floor > prod(_lowest(name, given) for name in names):
        run.say(f"min_learning_rate {floor:g} is a floor under the product.")
        schedule = clamp(schedule, minimum=floor)
    elif floor > 0:
        run.say(f"min_learning_rate {floor:g} is a floor that no step reaches: it is left out.")
    base = largest(groups[0])
    return run.document(schedule, origin=_FUNCTION, base=base, steps=run.steps())


def _section(config: Config, run: Run) -> Config:
    """The arguments of the function, under its name or by themselves."""
    given = config.keys()
    for key in given:
        if key.rpartition(".")[2] == _FUNCTION:
            included = config.raw("include", [])
            if isinstance(included, list) and included:
                names = listed(quoted(str(name)) for name in included)
                run.say(f"What the file includes is not read: {names}.")
            config.ignore_rest()
            return config.section(key)
    return config


def _arguments(section: Config, run: Run, names: list[str], floor: float) -> _Arguments:
    wanted = {key for name in names for key in _TAKES[name]}
    base = run.base(section, "base_learning_rate") if "base_learning_rate" in wanted else None
    for key, default in _DEFAULTS.items():
        if key in wanted and key not in section and (key != "base_learning_rate" or base is None):
            run.say(f"{key} is left out: t5x takes {default:g}.")
        elif key in section and key not in wanted:
            run.say(f"{key} is given, and no factor takes it.")
            section.ignore(key)
    base = section.number("base_learning_rate", 0.5 if base is None else base, least=0)
    warmup = section.whole("warmup_steps", 1000)
    needing = [name for name in names if name in _NEEDS_WARMUP]
    if needing and not warmup:
        message = f"the factor {needing[0]} divides by warmup_steps, found 0"
        section.fail("out-of-range", message, "warmup_steps")
    return _Arguments(
        base=base,
        warmup=warmup,
        decay=_decay(section, names),
        every=section.whole("steps_per_decay", 20000, least=1),
        cycle=section.whole("steps_per_cycle", 100000, least=1),
        goes_on="linear_decay" in names and (floor < 0 or names.count("linear_decay") > 1),
    )


def _decay(section: Config, names: list[str]) -> float:
    """`decay_factor`: a factor above 0, and of `linear_decay` the share of the rate that a step
    takes away."""
    if "decay_every" in names:
        return section.number("decay_factor", 0.5, above=0)
    decay = section.number("decay_factor", 0.5, least=0)
    return decay if decay > 1e-300 else 0.0


def _factor(name: str, given: _Arguments) -> Factor:
    warmup = given.warmup
    match name:
        case "constant":
            return [constant(given.base)]
        case "linear_warmup":
            return [linear(0, 1, warmup), constant(1)]
        case "linear_decay":
            rise, peak = linear(0, given.base, warmup), given.base
            if not given.decay:
                return [rise, constant(peak)]
            # Below zero only what no floor hides has to be right.
            return [rise, linear(peak, 0, 1 / given.decay, extend=given.goes_on)]
        case "rsqrt_decay":
            scale = 1 / math.sqrt(warmup)
            return after(warmup, scale, inverse_sqrt(scale, warmup))
        case "rsqrt_normalized_decay":
            return after(warmup, 1, inverse_sqrt(1, warmup))
        case "decay_every":
            return [exponential(1, given.decay, given.every, staircase=True)]
        case _:
            return after(warmup, 1, repeat(cosine(1, 0), period=given.cycle))


def _first(name: str, given: _Arguments) -> float:
    """A factor at t = 0."""
    match name:
        case "constant":
            return given.base
        case "linear_warmup" | "linear_decay":
            return 0.0
        case "rsqrt_decay":
            return 1 / math.sqrt(given.warmup)
        case _:
            return 1.0


def _lowest(name: str, given: _Arguments) -> float:
    """What a factor does not fall below at any step that t5x counts."""
    match name:
        case "constant":
            return given.base
        case "rsqrt_decay":
            return 1 / math.sqrt(max(given.warmup, _LAST_STEP))
        case "rsqrt_normalized_decay":
            return math.sqrt(given.warmup / max(given.warmup, _LAST_STEP))
        case _:
            return 0.0


def _shifted(schedule: Schedule, offset: int, start: float, run: Run) -> Schedule:
    """The schedule `offset` steps later, with the value that it starts with until then."""
    if offset > 0:
        run.say(f"The schedule starts at step {offset}, which is step_offset.")
        parts = schedule if isinstance(schedule, list) else [schedule]
        return stages(constant(start, offset), *parts)
    if offset < 0:
        run.say(f"The schedule starts as if {-offset} steps had passed, which is step_offset.")
        return advance(schedule, by=-offset)
    return schedule
