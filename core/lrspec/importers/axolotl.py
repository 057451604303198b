"""axolotl: `lr_scheduler` and its companions, over transformers (axolotl/utils/schedulers.py)."""

from __future__ import annotations

from lrspec.importers.axolotl_schedules import Given, jagged, of_transformers, one_cycle, rex
from lrspec.importers.transformers import say_deepspeed
from lrspec.importers.transformers_schedules import NAMES
from lrspec.importing.arguments import ignore_others
from lrspec.importing.config import Config
from lrspec.importing.epochs import steps_of_epochs
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
# What axolotl once called jagged restarts.
_ONCE = ("relora_steps", "relora_warmup_steps", "relora_anneal_steps")
_METRIC = ("reduce_lr_on_plateau", "greedy")


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
    _refuse_relora(config)
    name = _name(config, run)
    peak = run.base(config, "learning_rate")
    if peak is None:
        run.missing("base", "learning_rate", "axolotl has no default for learning_rate")
    for key in _GROUPS:
        if key in config:
            run.say(f"{key} gives some parameters another rate; this is that of the others.")
    steps = _steps(config, run)
    kwargs = config.section("lr_scheduler_kwargs", {})
    warmup = _warmup(config, run, steps, name)
    given = Given(config, kwargs, run, name, peak, warmup, steps)
    say_deepspeed(config, run)
    if name == "one_cycle":
        return one_cycle(given)
    schedule, sample = rex(given) if name == "rex" else of_transformers(given)
    kwargs.done()
    schedule, sample = jagged(given, schedule, sample)
    return run.document(schedule, origin=name, base=peak, steps=steps, sample=sample)


def _refuse_relora(config: Config) -> None:
    """These had another envelope, and are not read any more."""
    for key in _ONCE:
        if key in config:
            new = key.replace("relora", "jagged_restart")
            why = f"{key} is of an older axolotl, whose restarts were others"
            config.refuse(why, key, hint=f"the axolotl of today calls it {new}")


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


def _steps(config: Config, run: Run) -> int | None:
    """T: the updates of the run, where they are known."""
    if "max_steps" in config and config.number("max_steps") > 0:
        config.ignore("num_epochs")
        return run.steps(config, "max_steps")
    return steps_of_epochs(config, run, "num_epochs", config.number("num_epochs", 1, above=0))


def _warmup(config: Config, run: Run, total: int | None, name: str) -> int:
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
    if steps is None and ratio is None and name == "constant":
        return 0
    if steps is None:
        steps = _share(run, total, ratio)
    if steps == 1:
        run.say("A warmup of 1 step is one of 2 in axolotl.")
        return 2
    return steps


def _share(run: Run, total: int | None, ratio: float | None) -> int:
    """The warmup as a share of T."""
    if total is None:
        share = "the default of the warmup" if ratio is None else f"warmup_ratio {ratio:g}"
        run.missing("steps", "max_steps", f"{share} is a share of the run's steps")
    if ratio is None:
        found = min(int(0.03 * total), 100)
        run.say(f"No warmup is given; it is 3% of {total} steps and at most 100, that is {found}.")
        return found
    found = int(ratio * total)
    run.say(f"warmup_ratio {ratio:g} of {total} steps is {found}, rounded down.")
    return found
