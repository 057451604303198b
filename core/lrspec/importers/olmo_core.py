"""OLMo-core: a scheduler by name or class, alone or in the configuration of a run; and legacy OLMo.

The schedulers stand in `olmo_core_schedules` and `olmo_core_composed`. OLMo counts an update before
it is made, so that the rate of an update is that of its end. Legacy OLMo (olmo/optim.py) has
`t_warmup`, a `warmup_min_lr` of a tenth of the rate, and its own `inverse_sqrt_with_warmup`
B·√(w/x), `cosine_linear_envelope` αB + (1 − α)B·(1 − p)·½(1 + cos πp), and `max_scheduler`, the
larger of the cosine and the inverse square root.
"""

from __future__ import annotations

from typing import Any

from lrspec.importers.olmo_core_composed import composable, sequential
from lrspec.importers.olmo_core_legacy import LEGACY, legacy
from lrspec.importers.olmo_core_length import batch_of, total_of
from lrspec.importers.olmo_core_schedules import SCHEDULERS, Part, Stages
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Schedule, plain
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_CLASSES = {
    "ConstantScheduler": "constant",
    "ConstantWithWarmup": "constant_with_warmup",
    "LinearWithWarmup": "linear_with_warmup",
    "CosWithWarmup": "cos_with_warmup",
    "HalfCosWithWarmup": "half_cos_with_warmup",
    "CosWithWarmupAndLinearDecay": "cos_with_warmup_and_linear_decay",
    "InvSqrtWithWarmup": "inv_sqrt_with_warmup",
    "WSD": "wsd",
    "PowerLR": "power_lr",
    "WSDS": "wsds",
    "ExponentialScheduler": "exponential",
    "SequentialScheduler": "sequential",
    "ComposableScheduler": "composable",
}
_RATES = ("warmup_min_lr", "decay_min_lr", "lr_min")
_NAMES = (*SCHEDULERS, "sequential", "composable")


@importer("OLMo-core")
def load(config: Config, run: Run) -> Imported:
    """The document of an OLMo-core configuration: that of a run with `train_module` and `trainer`,
    a scheduler with `lr` and `max_steps` beside it, or a legacy OLMo YAML."""
    scheduler, optimizer, trainer = _parts(config)
    units = scheduler.choice("units", ("steps", "tokens"), "steps", what="units")
    scheduler.ignore("lr_field", "initial_lr_field", "_CLASS_")
    is_legacy = "t_warmup" in scheduler or "learning_rate" in optimizer
    base = run.base(optimizer, "learning_rate" if "learning_rate" in optimizer else "lr")
    if base is None and any(key in scheduler for key in _RATES):
        run.missing("base", "lr", "rates of the scheduler stand beside lr")
    peak = 1.0 if base is None else base
    batch = batch_of(config, run)
    total = total_of(trainer, run, units, batch)
    part = Part(scheduler, run, peak, total, units, is_last=True, knows_rate=base is not None)
    at_end = True
    schedule: Schedule
    if is_legacy:
        name = scheduler.choice("name", LEGACY, what="scheduler of OLMo", code="unknown-schedule")
        schedule, at_end = legacy(part, name)
    elif (name := _name(scheduler, run)) == "composable":
        schedule, at_end = composable(part)
    else:
        schedule = stages(*_build(part)[0])
    scheduler.done()
    if at_end and name != "constant":
        run.say("OLMo counts an update before it is made: the rate is that of its end.")
    steps = total if units == "steps" or total is None else f"{plain(total)} tokens"
    return run.document(
        schedule,
        origin=name,
        base=base,
        steps=steps,
        sample="end" if at_end and name != "constant" else "start",
        axis=units,
        training=batch.facts if units == "tokens" else None,
    )


def _parts(config: Config) -> tuple[Config, Config, Config]:
    """The scheduler, and where the rate and the length of the run stand."""
    if "scheduler" not in config and "train_module" not in config:
        return config, config, config
    module = config.section("train_module", {}) if "train_module" in config else config
    optimizer = module.section("optimizer" if "optimizer" in module else "optim", {})
    trainer = config.section("trainer") if "trainer" in config else config
    scheduler = module.section("scheduler")
    for part in (config, module, optimizer, trainer):
        part.ignore_rest()
    return scheduler, optimizer, trainer


def _name(config: Config, run: Run) -> str:
    given: Any = config.raw("_CLASS_", None) or config.raw("name", None) or run.schedule
    if not isinstance(given, str):
        config.fail("missing-field", "'name' is required, the scheduler's name or class")
    found = _CLASSES.get(given.rpartition(".")[2], given)
    if found in _NAMES:
        return found
    key = "_CLASS_" if "_CLASS_" in config else "name"
    what = "scheduler of OLMo-core"
    return config.choice(key, _NAMES, given, what=what, code="unknown-schedule")


def _build(part: Part) -> Stages:
    """The stages of a scheduler, alone or in a sequence."""
    part.config.ignore("lr_field", "initial_lr_field", "_CLASS_", "units")
    name = _name(part.config, part.run)
    if name == "sequential":
        return sequential(part, _build)
    if name == "composable":
        part.config.refuse("a composable scheduler in a sequence")
    return SCHEDULERS[name](part)
