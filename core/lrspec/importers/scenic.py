"""scenic: `lr_configs` with the schedule `compound` (scenic/train_lib/lr_schedules.py), a running
product of named factors.

With s the step, B `base_learning_rate`, W `warmup_steps` and T `total_steps`: `constant` B;
`polynomial` e + (1 − e)·(1 − s/decay_steps)^power with e `end_factor`; `piecewise_constant` and
`piecewise_linear` through `decay_events` and `decay_factors`; `linear_warmup` min(1, α + (1 − α)·
s/W) with α `warmup_alpha`; `rsqrt_decay` √(τ/(s + τ − W)) after W with τ `timescale`; `decay_every`
decay_factor^⌊s/steps_per_decay⌋; `exponential_decay` decay_rate^(s/decay_steps); `cosine_decay`
half a cosine again and again, from W + start_decay_step on; `linear_cooldown` min(1, (T − max(s,
W))/cooldown_steps). `linear_decay` takes what stands before it in a straight line to
`end_learning_rate`, from W to T.
"""

from __future__ import annotations

from lrspec.importers.scenic_factors import TAKES, Compound
from lrspec.importing.config import Config
from lrspec.importing.factors import Factor, after, combined, constant_from, named, written
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import constant, linear, sum_of
from lrspec.importing.run import Run
from lrspec.importing.scale import largest
from lrspec.importing.scripts import read_ml_config
from lrspec.importing.sequence import stages
from lrspec.shorten import listed, quoted


@importer("scenic", text=read_ml_config)
def load(config: Config, run: Run) -> Imported:
    """The document of a scenic configuration (Python, YAML, JSON or a mapping): a whole one, or its
    `lr_configs`."""
    section = config = _of_all(config)
    if "lr_configs" in config:
        section = config.section("lr_configs")
        config.ignore_rest()
    if not _is_compound(section, run, is_whole=section is not config):
        return _fixed(section, run)
    names = named(section, TAKES)
    compound = Compound(section, run, names)
    groups: list[Factor] = []
    for name in names:
        if name == "linear_decay":
            groups = _toward_its_end(groups, compound)
        else:
            groups = combined(*groups, compound.factor(name))
    compound.note_unused()
    total = run.steps(section, "total_steps")
    section.done()
    base = compound.base() if "constant" in names else largest(groups[0])
    schedule = written(groups, total)
    return run.document(schedule, origin="compound", base=base, steps=total)


def _of_all(config: Config) -> Config:
    """The one schedule of those by the names of their parameters, where there is only one."""
    named = config.data.get("schedule")
    if "lr_configs" in config or not isinstance(named, dict):
        return config
    config.ignore_rest()
    schedules = config.section("schedule")
    names = schedules.keys()
    if len(names) != 1:
        hint = "--at schedule.NAME reads one of them"
        message = f"there are {len(names)} schedules: {listed(names)}"
        config.fail("not-a-config", message, "schedule", hint=hint)
    return schedules.section(names[0])


def _is_compound(section: Config, run: Run, *, is_whole: bool) -> bool:
    """Whether the schedule is `compound`, and no fixed rate, which has no name."""
    if "learning_rate_schedule" not in section and run.schedule is None:
        if is_whole and "factors" in section:
            message = "without 'learning_rate_schedule' scenic takes base_learning_rate alone"
            section.fail("missing-field", message, hint="it is 'compound' where factors count")
        return "factors" in section
    name = section.text("learning_rate_schedule", run.schedule or "")
    if name.removesuffix("_lr_scheduler") != "compound":
        message = f"unknown schedule {quoted(name)}; known is 'compound'"
        section.fail("unknown-schedule", message, "learning_rate_schedule")
    return True


def _fixed(section: Config, run: Run) -> Imported:
    rate = run.base(section, "base_learning_rate")
    if rate is None:
        rate = section.number("base_learning_rate")
    run.say("No learning_rate_schedule is named: the rate is base_learning_rate at every step.")
    section.ignore(*(key for keys in TAKES.values() for key in keys))
    section.done()
    return run.document(constant(rate), origin="base_learning_rate", base=rate, steps=run.steps())


def _toward_its_end(groups: list[Factor], compound: Compound) -> list[Factor]:
    """`linear_decay` of what stands before it: R·D + end·(1 − D), with D from 1 at the end of the
    warmup to 0 at the end of the run."""
    warmup, length = compound.warmup, compound.after_warmup("linear_decay")
    end = compound.section.number("end_learning_rate", 0.0)
    fall = after(warmup, 1, linear(1, 0, length))
    if not end:
        return combined(*groups, fall)
    before = groups or [[constant(1)]]
    found = constant_from(before[0], warmup) if len(before) == 1 else None
    if found is not None:
        parts, value = found
        return [[*parts, linear(value, end, length)]]
    rise = stages(*after(warmup, 0, linear(0, end, length)))
    return [[sum_of(written(combined(*before, fall)), rise)]]
