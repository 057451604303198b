"""fairseq: `lr_scheduler` and `optimization` of a Hydra configuration, or the arguments.

The schedulers stand in `fairseq_schedules`. The rate is that of step_update(s) before update s.
"""

from __future__ import annotations

from typing import Any

from lrspec.importers.fairseq_schedules import KEYS, SCHEDULERS, Reading
from lrspec.importing.arguments import ignore_others, parse_arguments
from lrspec.importing.config import REQUIRED, Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.run import Run
from lrspec.source import Json

_REFUSED = {
    "pass_through": "pass_through leaves the rate to the scheduler of the optimizer",
    "reduce_lr_on_plateau": "the schedule reduce_lr_on_plateau follows a metric",
}


def parse(text: str) -> dict[str, Json]:
    """The arguments, of which `--lr 0.2,0.1` is a list: a rate for every epoch."""
    found = parse_arguments(text)
    rates = found.get("lr")
    if isinstance(rates, str) and "," in rates and not rates.startswith(("[", "(")):
        found["lr"] = f"[{rates}]"
    return found


@importer("fairseq", text=parse)
def load(config: Config, run: Run) -> Imported:
    """The document of a fairseq configuration: a whole one with `lr_scheduler` and `optimization`,
    the scheduler with `lr` and `max_update` beside it, or a text file of arguments such as
    `--lr-scheduler inverse_sqrt --warmup-updates 4000 --lr 5e-4`."""
    scheduler, optimization, key = config, config, "_name"
    if isinstance(config.data.get("lr_scheduler"), dict):
        scheduler = config.section("lr_scheduler")
        # A group of a composite optimizer has its rate beside the scheduler.
        optimization = config.section("optimization") if "optimization" in config else config
        config.ignore_rest()
        optimization.ignore_rest()
        scheduler.ignore("lr", "max_update")
    elif "lr_scheduler" in config:
        key = "lr_scheduler"
        ignore_others(config, (*KEYS, "lr", "max_update", key), ("lr_", "warmup_"))
        if "min_lr" in config and config.data[key] not in ("cosine", "step"):
            config.ignore("min_lr")
            run.say("min_lr is where older versions of fairseq end the run; no rate follows it.")
    elif isinstance(config.data.get("optimization"), dict) and key not in config:
        optimization, scheduler = config.section("optimization"), config.inner({})
        config.ignore_rest()
        optimization.ignore_rest()
        run.say("lr_scheduler is not given; it is fixed, the default.")
    elif "lr" in config and key not in config:
        ignore_others(config, (*KEYS, "lr", "max_update", "lr_scheduler"), ("lr_", "warmup_"))
        run.say("lr_scheduler is not given; it is fixed, the default.")
    names = (*SCHEDULERS, *_REFUSED)
    default = REQUIRED if "lr" not in optimization else "fixed"
    name = scheduler.choice(
        key, names, default, what="scheduler of fairseq", code="unknown-schedule"
    )
    if "max_lr" in scheduler and name == "cosine":
        why = "max_lr of a cosine is of an older fairseq, in which lr was the lowest rate"
        scheduler.refuse(why, "max_lr", hint="write max_lr as lr, and lr as min_lr")
    if name in _REFUSED:
        hint = (
            "--at optimizer.groups.NAME reads that of one group" if name == "pass_through" else None
        )
        scheduler.refuse(_REFUSED[name], key, hint=hint)
    rates = optimization.numbers("lr") if "lr" in optimization else []
    given = run.base()
    if not rates and given is not None:
        rates = [given]
    if optimization.raw("max_update", 0) == 0:
        total = run.steps()
    else:
        total = run.steps(optimization, "max_update")
    reading = Reading(scheduler, run, rates or [1.0], total, bool(rates))
    schedule = SCHEDULERS[name](reading)
    scheduler.done(KEYS)
    # The rates of manual stand for themselves.
    unknown = 0.0 if name == "manual" else None
    facts: dict[str, Any] = {"steps_per_epoch": run.facts.get("steps_per_epoch")}
    return run.document(
        schedule,
        origin=name,
        base=reading.base if rates else unknown,
        steps=total,
        training=facts if reading.in_epochs else {},
    )
