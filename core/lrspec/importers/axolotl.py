"""axolotl: `lr_scheduler` and its companions, over transformers (axolotl/utils/schedulers.py)."""

from __future__ import annotations

from lrspec.importers.axolotl_schedules import Given, jagged, of_transformers, one_cycle, rex
from lrspec.importers.transformers_schedules import NAMES
from lrspec.importing.arguments import ignore_others
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.run import Run

_KEYS = (
    "learning_rate",
    "lr_scheduler",
    "lr_scheduler_kwargs",
    "lr_quadratic_warmup",
    "cosine_min_lr_ratio",
    "cosine_constant_lr_ratio",
    "warmup_steps",
    "warmup_ratio",
    "max_steps",
    "num_epochs",
    "jagged_restart_steps",
    "jagged_restart_warmup_steps",
    "jagged_restart_anneal_steps",
)
# A key that starts so and is none of these bears on the schedule all the same.
_PREFIXES = ("cosine_", "jagged_", "warmup_", "relora_steps", "relora_warmup", "relora_anneal")
# What gives some parameters a rate of their own.
_GROUPS = ("loraplus_lr_ratio", "embedding_lr", "embedding_lr_scale", "lr_groups")
_METRIC = ("reduce_lr_on_plateau", "greedy")
_LONGEST = 1e15


@importer("axolotl")
def load(config: Config, run: Run) -> Imported:
    """The document of an axolotl configuration, whatever else stands in it.

    The length is `max_steps`, else `steps`, else `num_epochs` times `steps_per_epoch`, which counts
    updates.
    """
    if not any(key in config for key in _KEYS):
        config.fail("not-a-config", "no key of a schedule stands here")
    ignore_others(config, _KEYS, _PREFIXES)
    config.ignore(*_GROUPS)
    name = _name(config, run)
    peak = run.base(config, "learning_rate")
    if peak is None:
        run.missing("base", "learning_rate", "axolotl has no default for learning_rate")
    for key in _GROUPS:
        if key in config:
            run.say(f"{key} gives some parameters another rate; this is that of the others.")
    steps = _steps(config, run)
    kwargs = config.section("lr_scheduler_kwargs", {})
    given = Given(config, kwargs, run, name, peak, _warmup(config, run, steps), steps)
    if name == "one_cycle":
        return one_cycle(given)
    schedule, sample = rex(given) if name == "rex" else of_transformers(given)
    kwargs.done()
    schedule, sample = jagged(given, schedule, sample)
    return run.document(schedule, origin=name, base=peak, steps=steps, sample=sample)


def _name(config: Config, run: Run) -> str:
    """The kind of schedule."""
    key = "lr_scheduler"
    if key not in config and run.schedule is None:
        run.say("lr_scheduler is not given; it is cosine, the default.")
    options = (*NAMES, "one_cycle", "rex", *_METRIC)
    default = run.schedule or "cosine"
    name = config.choice(key, options, default, what="schedule", code="unknown-schedule")
    if name in _METRIC:
        config.refuse(f"{name} follows a metric of the training, and no step has its rate", key)
    return name


def _steps(config: Config, run: Run) -> int:
    """T: the updates of the run. The default of the warmup needs them too."""
    why = "the schedule ends with the run"
    if "max_steps" in config and config.number("max_steps") > 0:
        config.ignore("num_epochs")
        return run.needs_steps(config, "max_steps", why=why)
    given = run.steps()
    epochs = config.number("num_epochs", 1, above=0)
    if run.facts.get("steps_per_epoch") is None:
        return run.needs_steps(config, why=why) if given is None else given
    each = -int(-run.steps_per_epoch(why=why) // 1)
    if epochs * each > _LONGEST:
        config.fail("out-of-range", f"{epochs:g} epochs of {each} steps are too many", "num_epochs")
    total = -int(-(epochs * each) // 1)
    run.say(f"{epochs:g} epochs of {each} steps are {total} steps, rounded up.")
    if given not in (None, total):
        message = f"steps is {given} here, and {epochs:g} epochs of {each} steps are {total}"
        config.fail("conflicting-fact", message)
    return total


def _warmup(config: Config, run: Run, total: int) -> int:
    """W: `warmup_steps`, or int(`warmup_ratio`·T), or min(int(0.03·T), 100); 1 becomes 2."""
    given = config.optional_number("warmup_steps", least=0)
    if given is not None and given != int(given):
        hint = "a share of the run is warmup_ratio"
        message = f"expected a whole number, found {given:g}"
        config.fail("wrong-type", message, "warmup_steps", hint=hint)
    steps = None if given is None else int(given)
    ratio = config.optional_number("warmup_ratio", least=0, most=1)
    if steps and ratio:
        config.conflict("warmup_steps", "warmup_ratio")
    if steps is None and ratio is not None:
        steps = int(ratio * total)
        run.say(f"warmup_ratio {ratio:g} of {total} steps is {steps}, rounded down.")
    elif steps is None:
        steps = min(int(0.03 * total), 100)
        run.say(f"No warmup is given; it is 3% of {total} steps and at most 100, that is {steps}.")
    if steps == 1:
        run.say("A warmup of 1 step is one of 2 in axolotl.")
        return 2
    return steps
