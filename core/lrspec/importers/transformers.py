"""transformers: TrainingArguments and their `lr_scheduler_type` (transformers/optimization.py)."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from math import ceil
from typing import cast

from lrspec.hints import did_you_mean
from lrspec.importers.transformers_schedules import NAMES, Reader
from lrspec.importing.arguments import parse_arguments
from lrspec.importing.config import Config
from lrspec.importing.epochs import steps_of_epochs
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.parts import hint_at
from lrspec.importing.run import Run
from lrspec.shorten import quoted, short

_KEYS = (
    "lr_scheduler_type",
    "lr_scheduler_kwargs",
    "learning_rate",
    "warmup_steps",
    "warmup_ratio",
    "max_steps",
    "num_train_epochs",
    "optim_args",
)
# What other trainers call these.
_CALLED: Mapping[str, str] = {
    "lr": "learning_rate",
    "lr_scheduler": "lr_scheduler_type",
    "scheduler": "lr_scheduler_type",
    "epochs": "num_train_epochs",
    "num_epochs": "num_train_epochs",
    "warmup": "warmup_steps",
}
# How much alike a misspelt argument is. Training scripts have a hundred others, none of which is.
_ALIKE = 0.8
# Where scripts keep the arguments among those of the model and the data.
_PARTS = ("training_arguments", "training_args", "trainer_args", "training", "train", "trainer")
_RATE = 5e-5
_EPOCHS = 3.0
# `mm_projector_lr`, `loraplus_lr_ratio`: of some parameters alone.
_OWN_RATE = re.compile(r"(?!max_|min_|learning_rate$)\w+_(?:lr|learning_rate)(?:_ratio|_scale)?")
_METRIC = ("reduce_lr_on_plateau", "greedy")


@importer("transformers", text=parse_arguments)
def load(config: Config, run: Run) -> Imported:
    """The document of TrainingArguments, whatever else stands among them: YAML, JSON, a mapping, or
    the command line of a script (`--learning_rate 2e-5 …`).

    The length is `max_steps`, else `steps`, else `num_train_epochs` times `steps_per_epoch`, which
    counts updates.
    """
    config = _found(config)
    _refuse_misspelt(config)
    _refuse_adafactor(config)
    name = _name(config, run)
    base = run.base(config, "learning_rate")
    if base is None:
        run.say(f"learning_rate is not given; it is {_RATE:g}, the default.")
        base = _RATE
    kwargs = _kwargs(config)
    steps = _steps(config, run)
    warmup = _warmup(config, run, steps)
    reader = Reader(kwargs, run, base, warmup, steps)
    schedule = reader.schedule(name)
    kwargs.done()
    _say_others(config, run)
    config.ignore_rest()
    return run.document(schedule, origin=name, base=base, steps=steps, sample=reader.sample)


def _found(config: Config) -> Config:
    """The arguments: the whole configuration, or a part of it."""
    if any(key in config for key in _KEYS):
        return config
    for part in _PARTS:
        if isinstance(config.data.get(part), dict):
            config.ignore_rest()
            return _found(config.section(part))
    _refuse_misspelt(config)
    hint = hint_at(config, _KEYS) or "give TrainingArguments as YAML, JSON or a command line"
    config.fail("not-a-config", "no argument of a schedule stands here", hint=hint)


def _refuse_misspelt(config: Config) -> None:
    """An argument that bears on the schedule may not be lost among the others."""
    for key in list(config.data):
        alike = difflib.get_close_matches(key.lower(), _KEYS, 1, _ALIKE)
        meant = _CALLED.get(key, alike[0] if alike else None)
        if meant is not None and key.endswith(f"_{meant}"):
            # That of something else: `bias_learning_rate`, `profiler_warmup_steps`.
            continue
        if meant is None and key.startswith(("lr_", "warmup_")):
            meant = "lr_scheduler_kwargs"
        if meant is not None and key not in _KEYS:
            message = f"{quoted(key)} is not known here"
            config.fail("unknown-field", message, key, hint=did_you_mean(meant))


def _say_others(config: Config, run: Run) -> None:
    """Tell what else in the arguments makes a rate."""
    own = [key for key in config.keys() if _OWN_RATE.fullmatch(key)]  # noqa: SIM118
    if own:
        names = ", ".join(own)
        run.say(f"{names}: some parameters may have another rate; this is learning_rate's.")
    say_deepspeed(config, run)


def say_deepspeed(config: Config, run: Run) -> None:
    """A scheduler in the configuration of DeepSpeed takes the place of that of the arguments."""
    key = "deepspeed"
    given = config.raw(key, None)
    if isinstance(given, dict) and given.get("scheduler") is not None:
        hint = f"import that: lrspec import deepspeed FILE --at {key}"
        config.refuse("the scheduler of deepspeed takes the place of this one", key, hint=hint)
    if isinstance(given, str):
        run.say(f"Where {short(given)} has a scheduler, DeepSpeed takes that in place of this one.")


def _refuse_adafactor(config: Config) -> None:
    """With `relative_step` the optimizer has rates of its own."""
    given = config.raw("optim_args", None)
    text = "".join(given.split()).lower() if isinstance(given, str) else ""
    if "relative_step=true" in text or config.raw("relative_step", False) is True:
        at = "optim_args" if text else "relative_step"
        why = "with relative_step the rate of Adafactor depends on the size of the parameters"
        config.refuse(why, at)


def _name(config: Config, run: Run) -> str:
    """The kind of schedule."""
    key = "lr_scheduler_type"
    if key not in config and run.schedule is None:
        run.say("lr_scheduler_type is not given; it is linear, the default.")
    options = (*NAMES, *_METRIC)
    default = run.schedule or "linear"
    if default not in options:
        config.choice("schedule", options, default, what="schedule", code="unknown-schedule")
    name = config.choice(key, options, default, what="schedule", code="unknown-schedule")
    if name in _METRIC:
        config.refuse(f"{name} follows a metric of the training, and no step has its rate", key)
    return name


def _kwargs(config: Config) -> Config:
    """`lr_scheduler_kwargs`, a mapping or the text of one."""
    key = "lr_scheduler_kwargs"
    given = config.raw(key, {})
    if not isinstance(given, str):
        return config.section(key, {})
    config.text(key)
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        hint = 'as a text it is JSON: {"num_cycles": 2}'
        config.fail("wrong-type", f"expected a mapping, found {quoted(given)}", key, hint=hint)
    return config.inner(cast("dict[str, None]", found), key)


def _steps(config: Config, run: Run) -> int | None:
    """T: the updates of the run, where they are known."""
    if "max_steps" in config and config.number("max_steps") > 0:
        return run.steps(config, "max_steps")
    epochs = config.number("num_train_epochs", _EPOCHS, above=0)
    how = "" if "num_train_epochs" in config else " (num_train_epochs is not given; the default)"
    return steps_of_epochs(config, run, "num_train_epochs", epochs, how=how)


def _warmup(config: Config, run: Run, steps: int | None) -> int:
    """W: `warmup_steps`, or where below 1 that share of T, or `warmup_ratio` of T, rounded up."""
    key = "warmup_steps"
    given = config.number(key, 0, least=0)
    ratio = config.number("warmup_ratio", 0, least=0, most=1)
    if given and ratio:
        run.say("warmup_ratio is not used, since warmup_steps is given.")
    if given >= 1:
        if given != int(given):
            run.say(f"warmup_steps {given:g} is {int(given)}, rounded down.")
        return int(given)
    if not given:
        given, key = ratio, "warmup_ratio"
    if not given:
        return 0
    if steps is None:
        run.missing("steps", "max_steps", f"{key} {given:g} is a share of the run's steps")
    found = ceil(steps * given)
    run.say(f"{key} {given:g} of {steps} steps is {found}, rounded up.")
    return found
