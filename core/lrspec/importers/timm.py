"""timm: the arguments of its training script, of create_scheduler_v2, or of a scheduler's class.

The formulas stand in `timm_schedules`. The script counts epochs, and updates with
`sched_on_updates`: then every length is times the updates of an epoch.
"""

from __future__ import annotations

from lrspec.importers.timm_arguments import (
    FACTORY,
    FACTORY_KEYS,
    SCRIPT,
    SCRIPT_KEYS,
    plan_of_arguments,
)
from lrspec.importers.timm_class import CLASSES, KEYS, plan_of_class
from lrspec.importers.timm_schedules import schedule
from lrspec.importing.arguments import ignore_others, parse_arguments
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import duration
from lrspec.importing.run import Run
from lrspec.shorten import quoted


@importer("timm", text=parse_arguments)
def load(config: Config, run: Run) -> Imported:
    """The document of a timm configuration: the arguments of the training script (its args.yaml,
    or a text file of `--sched cosine --epochs 300 …`), those of create_scheduler_v2, or those of
    a scheduler's class with `lr` beside them."""
    if any(key in config for key in KEYS) or run.schedule in CLASSES:
        plan, base = plan_of_class(config, run)
    elif any(key in config for key in FACTORY_KEYS):
        plan, base = plan_of_arguments(config, run, FACTORY)
    else:
        _refuse_class(config)
        ignore_others(config, SCRIPT_KEYS, ("lr_", "sched_", "warmup_", "decay_"))
        _say_groups(config, run)
        plan, base = plan_of_arguments(config, run, SCRIPT)
    config.done()
    written = schedule(plan, config, run)
    in_epochs = plan.unit == "epochs"
    return run.document(
        written,
        origin=plan.kind,
        base=base,
        steps=None if plan.total is None else duration(plan.span(plan.total)),
        training={"steps_per_epoch": run.facts.get("steps_per_epoch") if in_epochs else None},
    )


def _say_groups(config: Config, run: Run) -> None:
    """What gives some parameters a rate of their own."""
    if config.raw("layer_decay", None) not in (None, 1):
        run.say("layer_decay gives lower layers smaller rates; this is that of the last.")


def _refuse_class(config: Config) -> None:
    """The arguments of a class that stand in a part of a larger configuration are none of the
    script's, and may not be lost."""
    for key, value in config.data.items():
        if isinstance(value, dict) and any(name in value for name in KEYS):
            message = f"the arguments of a scheduler's class stand in {quoted(key)}"
            hint = f"--at {key} --schedule CLASS reads them, with --base for lr"
            config.fail("not-a-config", message, key, hint=hint)
