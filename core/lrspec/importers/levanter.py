"""Levanter: `optimizer` with its warmup, decay and cycles (levanter/optim/config.py).

A cycle is a linear warmup from where the one before ended (the first from 0) to the peak, the
peak, and a decay. Lengths up to 1 are fractions, truncated to whole steps: of the cycle for warmup,
rewarmup and decay, of the run without its cooldown for cycle_length, of the run for cooldown.
"""

from __future__ import annotations

from typing import Any

from lrspec.hints import closest
from lrspec.importers.levanter_batches import batch_schedule
from lrspec.importers.levanter_cycles import cycled
from lrspec.importers.levanter_shapes import PLAIN, TYPES, Shape, shape
from lrspec.importers.levanter_staged import staged
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.run import Run
from lrspec.shorten import listed, quoted

_SCHEDULE = (
    "learning_rate",
    "min_lr_ratio",
    "lr_schedule",
    "warmup",
    "decay",
    "rewarmup",
    "cooldown",
    "cycle_length",
    "cycles",
    "haps",
)
_OTHERS = (
    "type",
    "weight_decay",
    "weight_decay_modules",
    "default_weight_decay_mask",
    "adam_weight_decay",
    "adamc_weight_decay",
    "muon_to_adam_lr",
    "preconditioner_lr",
    "scale_lr",
)
_STEPS = 400_000
# A key with one of these in it may change the curve.
_ABOUT_RATES = ("warmup", "decay", "cycle", "cooldown", "sched", "lr", "learning")


@importer("Levanter")
def load(config: Config, run: Run) -> Imported:
    """The document of a Levanter configuration: a whole one, or the fields of `optimizer` with
    `num_train_steps` beside them. `lr_schedule` may also be a list of stages, `{start, value}`."""
    optimizer, trainer = config, config
    default: int | None = None
    if "optimizer" in config or _is_a_run(config):
        optimizer = config.section("optimizer", {})
        if "trainer" in config:
            trainer, default = config.section("trainer"), _STEPS
        config.ignore_rest()
        trainer.ignore_rest()
    elif not any(key in config for key in _SCHEDULE):
        if "train_batch_size" in config:
            config.refuse("a batch schedule is a fact of the run; there is no rate in it")
        config.raw("optimizer")
    batch = batch_schedule(trainer, run)
    peak = run.base(optimizer, "learning_rate")
    if peak is None:
        peak = 6e-4
        run.say("learning_rate is left out and is 0.0006, Levanter's default.")
    if peak <= 0:
        optimizer.fail("out-of-range", f"expected more than 0, found {peak:g}", "learning_rate")
    ratio = optimizer.number("min_lr_ratio", 0.1, least=0)
    if "min_lr_ratio" not in optimizer:
        run.say("min_lr_ratio is left out and is 0.1, Levanter's default.")
    why = "the stages of Levanter are laid out over the run"
    total = run.steps(trainer, "num_train_steps") or default
    if total is None:
        total = run.needs_steps(trainer, "num_train_steps", why=why)
    elif "num_train_steps" not in trainer and run.steps() is None:
        run.say(f"num_train_steps is left out and is {_STEPS}, Levanter's default.")
    if isinstance(optimizer.raw("lr_schedule", None), list):
        schedule = staged(optimizer, run, peak * ratio, total)
        found, name = None, "staged lr_schedule"
    else:
        found, name = _shape(optimizer, run, batch)
        schedule = cycled(optimizer, run, found, peak, peak * ratio, total)
        name = f"lr_schedule {name}"
    _leave_the_rest(optimizer, run)
    optimizer.done(_SCHEDULE)
    training: dict[str, Any] = {"batch_size": batch}
    if found is not None and found.batch_size is not None:
        training = {"batch_size": found.batch_size, "sequence_length": found.sequence_length}
    return run.document(schedule, origin=name, base=peak, steps=total, training=training)


def _is_a_run(config: Config) -> bool:
    """Whether it is the configuration of a run that leaves all of its optimizer to Levanter."""
    trainer = config.data.get("trainer")
    return isinstance(trainer, dict) and bool({"num_train_steps", "train_batch_size"} & {*trainer})


def _shape(config: Config, run: Run, batch: object) -> tuple[Shape, str]:
    """The shape that `lr_schedule` names or describes, and its name."""
    if isinstance(config.raw("lr_schedule", None), dict):
        section = config.section("lr_schedule")
        name = section.choice("type", TYPES, what="type", code="unknown-schedule")
        found = shape(section, run, name, batch)
        section.done()
        return found, name
    if "lr_schedule" not in config:
        run.say("lr_schedule is left out and is cosine, Levanter's default.")
    name = config.text("lr_schedule", "cosine")
    if name in TYPES and name not in PLAIN:
        message = f"{quoted(name)} is no plain name; known are {listed(list(PLAIN))}"
        hint = f"write it as an object: {{type: {name}, …}}"
        config.fail("unknown-schedule", message, "lr_schedule", hint=hint)
    config.choice("lr_schedule", PLAIN, "cosine", what="lr_schedule", code="unknown-schedule")
    return shape(config.inner({}, "lr_schedule"), run, name, batch), name


def _leave_the_rest(config: Config, run: Run) -> None:
    """Leave what the optimizer has besides a schedule, but for what may be a misspelt part of
    one."""
    config.ignore(*_OTHERS, "train_batch_size", "num_train_steps")
    if config.optional_number("adam_lr") is not None:
        run.say("adam_lr is scheduled alike, with its own peak; the document is of learning_rate.")
    if config.data.get("type", "adam") not in ("adam", "lion"):
        config.ignore("lr")
    rest = [key for key in config.data if closest(key, _SCHEDULE) is None]
    config.ignore(*(key for key in rest if not any(word in key for word in _ABOUT_RATES)))
