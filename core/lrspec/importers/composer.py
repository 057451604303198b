"""Composer: a scheduler with its time strings, and `max_duration`.

The schedulers stand in `composer_schedules`, the time strings in `composer_times`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lrspec.importers.composer_schedules import SCHEDULERS, Build, Reading
from lrspec.importers.composer_times import Times, amount, whole_run
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.parts import hint_at
from lrspec.importing.run import Run

_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ALIASES = {
    "multi_step": "multistep",
    "multi_step_with_warmup": "multistep_with_warmup",
    "cosine": "cosine_annealing",
    "cosine_with_warmup": "cosine_annealing_with_warmup",
    "linear_decay_with_warmup": "linear_with_warmup",
    "inverse_square_root_with_warmup": "inv_sqrt_with_warmup",
}


@importer("Composer")
def load(config: Config, run: Run) -> Imported:
    """The document of a Composer configuration: a whole one with `scheduler`, `optimizer` and
    `max_duration`, or a scheduler by name or class with `max_duration` and `lr` beside its
    arguments."""
    return read_scheduler(config, run, SCHEDULERS)


def read_scheduler(config: Config, run: Run, schedulers: Mapping[str, Build]) -> Imported:
    """The document of a configuration whose scheduler is one of `schedulers`."""
    if "parameters" in config and "scheduler" not in config:
        # A run of the MosaicML platform has its configuration there.
        config.ignore_rest()
        config = config.section("parameters")
    scheduler, optimizer = config, config
    if "scheduler" in config:
        scheduler, optimizer = config.section("scheduler"), config.section("optimizer", {})
        optimizer.ignore_rest()
    name = _name(scheduler, run, schedulers)
    ratio = config.number("scale_schedule_ratio", 1.0, above=0)
    whole = whole_run(config, run, ratio)
    facts: dict[str, Any] = {
        "batch_size": run.batch_size(config, "global_train_batch_size"),
        "sequence_length": run.sequence_length(config, "max_seq_len"),
    }
    config.optional_number("batches_per_epoch")
    if scheduler is not config:
        config.ignore_rest()
    base = run.base(optimizer, "lr")
    peak = 1.0 if base is None else base
    reading = Reading(scheduler, run, Times(scheduler, run, whole, ratio, config), peak)
    schedule = schedulers[name](reading)
    scheduler.done()
    axis = reading.times.axis
    total: int | str | None = None
    if whole is not None:
        total = whole.value
        if whole.unit != "ba":
            total = amount(whole.value, "samples" if whole.unit == "sp" else "tokens")
    by_steps = axis == "steps" and isinstance(total, int)
    return run.document(
        schedule,
        origin=name,
        base=base,
        steps=total,
        training={} if by_steps else facts,
        axis=axis,
        rounding=reading.rounding,
    )


def _name(config: Config, run: Run, schedulers: Mapping[str, Build]) -> str:
    """The name of the scheduler, from its name or that of its class."""
    key = "cls" if "cls" in config else "name"
    given = config.text(key, run.schedule or "") if key in config or run.schedule else None
    if given is None:
        hint = hint_at(config, ("scheduler",))
        message = "'name' is required, the scheduler's name or class"
        config.fail("missing-field", message, hint=hint)
    plain = _WORD.sub("_", given.removesuffix("Scheduler")).lower()
    found = _ALIASES.get(plain, plain)
    if found in schedulers:
        return found
    return config.choice(
        key,
        schedulers,
        given,
        what="scheduler of Composer",
        code="unknown-schedule",
    )
