"""big_vision: `config.lr` and `config.schedule` (create_learning_rate_schedule in utils.py).

With N the total steps, w the warmup, c the cooldown, b the `mult` (times batch size / 256 with
`scale_with_batchsize`) and u = (s − w)/(N − w) between 0 and 1, config.lr is multiplied by
`linear`, `polynomial` end + (b − end)·(1 − u)^power; `cosine` b·½(1 + cos πu); `rsqrt` b/√(1 +
(shift + max(s − w, 0))/timescale); `stair` b·mults[i] from steps[i] on; and then by min(1, s/w) and
min(1, (N − s)/c).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import cast

from lrspec.importers.big_vision_sizes import Sizes
from lrspec.importing.config import Config
from lrspec.importing.factors import Factor, after, combined, written
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Node,
    constant,
    cosine,
    inverse_sqrt,
    linear,
    piecewise_constant,
    polynomial,
)
from lrspec.importing.run import Run
from lrspec.importing.scripts import read_ml_config
from lrspec.shorten import listed, quoted, shown
from lrspec.source import Json

_FUNCTION = "create_learning_rate_schedule"
# What each decay takes of the schedule.
_TAKES = {
    "linear": ("power", "end", "linear_end"),
    "polynomial": ("power", "end", "linear_end"),
    "cosine": (),
    "rsqrt": ("timescale", "timescale_examples", "shift"),
    "stair": ("steps", "mults"),
}


@importer("big_vision", text=read_ml_config)
def load(config: Config, run: Run) -> Imported:
    """The document of a big_vision configuration (Python, YAML, JSON or a mapping, such as
    `config.to_dict()`): a whole one, or the arguments of `create_learning_rate_schedule`."""
    is_whole = "lr" in config or "schedule" in config
    section = _schedule(config, run) if is_whole else config
    config.optional_number("lr", least=0)
    rate = run.base(config, "lr")
    if rate is None:
        run.say("The rate, config.lr, is not known here: the document states multiples of it.")
    sizes = Sizes(config, run)
    total = sizes.total()
    warmup = sizes.duration(section, "warmup", total)
    cooldown = sizes.duration(section, "cooldown", total)
    if warmup >= total:
        message = f"the warmup of {warmup} steps is not shorter than the run of {total}"
        section.fail("does-not-fit", message)
    unit = 1.0 if rate is None else rate
    peak = unit * section.number("mult" if is_whole else "base", 1.0, least=0)
    if section.flag("scale_with_batchsize", False):
        batch = sizes.batch("the rate is scaled with the batch size")
        peak = peak * batch / 256
        run.say(f"The rate is scaled with the batch size, times {batch}/256.")
    kind = section.choice("decay_type", _TAKES, "stair", what="decay_type")
    factors = [_decay(section, sizes, kind, (peak, unit), warmup, total)]
    if warmup:
        run.say("The first update is at 0, and the warmup ends at the rate after its last step.")
        factors.append([linear(0, 1, warmup), constant(1)])
    if cooldown:
        run.say(f"After step {total} the cooldown goes on below 0, as it does in big_vision.")
        factors.append(_cooldown(cooldown, total))
    _note_unused(section, run, kind)
    section.done()
    if is_whole:
        config.ignore_rest()
    schedule = written(combined(*factors), total)
    base = None if rate is None else peak
    return run.document(schedule, origin=f"decay_type {kind}", base=base, steps=total)


def _note_unused(section: Config, run: Run, kind: str) -> None:
    for key in sorted({key for keys in _TAKES.values() for key in keys} - {*_TAKES[kind]}):
        if key in section:
            run.say(f"{key} is given, and decay_type {kind} does not take it.")
        section.ignore(key)


def _schedule(config: Config, run: Run) -> Config:
    """The one schedule of `config.schedule`, a mapping, or a list of pairs of a pattern for names
    of parameters and a mapping, or null where these are frozen."""
    if "lr_mults" in config:
        run.say("lr_mults multiply the rates of some parameters: the document is without them.")
    if not isinstance(config.raw("schedule", {}), list):
        return config.section("schedule", {})
    pairs = _pairs(config)
    if run.schedule is not None and run.schedule != _FUNCTION:
        if run.schedule not in dict(pairs):
            known = listed(quoted(pattern) for pattern, _ in pairs)
            message = f"unknown pattern {quoted(run.schedule)}; known are {known}"
            config.fail("unknown-schedule", message, "schedule")
        pairs = [pair for pair in pairs if pair[0] == run.schedule]
    found = [(pattern, section) for pattern, section in pairs if section is not None]
    if not found:
        config.refuse("every parameter is frozen, no schedule is left", "schedule")
    first, section = found[0]
    if any(other.data != section.data for _, other in found):
        patterns = listed(quoted(pattern) for pattern, _ in found)
        message = f"there are several schedules, those of {patterns}"
        hint = "give the pattern of one as the schedule"
        config.fail("conflicting-fields", message, "schedule", hint=hint)
    frozen = [pattern for pattern, section in pairs if section is None]
    if frozen:
        run.say(f"The parameters of {listed(map(quoted, frozen))} are frozen.")
    if len(found) == 1 and first != ".*":
        run.say(f"The schedule is that of the parameters of {quoted(first)}.")
    return section


def _pairs(config: Config) -> list[tuple[str, Config | None]]:
    found: list[tuple[str, Config | None]] = []
    for index, item in enumerate(cast("list[Json]", config.raw("schedule"))):
        match item:
            case [str(pattern), None]:
                found.append((pattern, None))
            case [str(pattern), dict(schedule)]:
                found.append((pattern, config.inner(schedule, "schedule", index, 1)))
            case _:
                message = f"expected a pattern and a mapping or null, found {shown(item)}"
                config.fail("wrong-type", message, "schedule", index)
    return found


def _decay(
    section: Config, sizes: Sizes, kind: str, rates: tuple[float, float], warmup: int, total: int
) -> Factor:
    peak, unit = rates
    match kind:
        case "linear" | "polynomial":
            if "end" in section and "linear_end" in section:
                section.conflict("end", "linear_end")
            end = section.number("end" if "end" in section else "linear_end", 0.0)
            power = section.number("power", 1.0, above=0)
            fall = polynomial(peak, unit * end, total - warmup, power=power)
            return after(warmup, peak, fall)
        case "cosine":
            return after(warmup, peak, cosine(peak, 0, total - warmup))
        case "rsqrt":
            return _rsqrt(section, sizes, peak, warmup)
        case _:
            return [_stair(section, peak)]


def _rsqrt(section: Config, sizes: Sizes, peak: float, warmup: int) -> Factor:
    key = "timescale"
    if "timescale_examples" in section:
        if "timescale" in section:
            section.conflict("timescale", "timescale_examples")
        key = "timescale_examples"
    scale = section.number(key, 10_000.0, above=0)
    if key == "timescale_examples":
        scale /= sizes.batch("timescale_examples is counted in examples")
    shift = section.number("shift", 0.0)
    if scale + shift <= 0 or not math.isfinite(scale + shift):
        message = f"shift {shift:g} leaves nothing of the timescale {scale:g}"
        section.fail("out-of-range", message, "shift")
    start = peak / math.sqrt(1 + shift / scale)
    return after(warmup, start, inverse_sqrt(start, scale + shift))


def _stair(section: Config, peak: float) -> Node:
    steps, mults = section.wholes("steps", []), section.numbers("mults", [])
    if len(steps) != len(mults):
        message = f"there are {len(steps)} steps and {len(mults)} mults"
        section.fail("values-number", message, "mults" if "mults" in section else "steps")
    if any(step >= later for step, later in pairwise(steps)):
        section.fail("boundaries-order", "steps increase strictly", "steps")
    return piecewise_constant(steps, [peak, *(peak * mult for mult in mults)])


def _cooldown(cooldown: int, total: int) -> Factor:
    """min(1, (total − s)/cooldown), which goes on below 0."""
    if cooldown > total:
        return [linear(total / cooldown, 0, total, extend=True)]
    return after(total - cooldown, 1, linear(1, 0, cooldown, extend=True))
