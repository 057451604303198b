"""torch.optim.lr_scheduler: the name of a class and its arguments, with `lr` beside them.

A step is one call of `scheduler.step()`; the value at 0 is set when the scheduler is built.
"""

from __future__ import annotations

from lrspec.importers.torch_classes import Curves
from lrspec.importers.torch_composed import curves_of, read
from lrspec.importing.classes import is_named
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.parts import hint_at
from lrspec.importing.run import Run

# What Lightning has beside a scheduler that it is told how to step.
_STEPPING = ("monitor", "strict", "name", "reduce_on_plateau")
# Where whole configurations have the scheduler, and where the optimizer and its arguments.
_SCHEDULERS = ("lr_scheduler", "scheduler", "schedule", "sched")
_OPTIMIZERS = ("optimizer", "optim")
_ARGUMENTS = ("init_args", "args", "params", "kwargs")


@importer("torch")
def load(config: Config, run: Run) -> Imported:
    """The document of a scheduler of torch: `{"cls": "StepLR", "lr": 0.1, "step_size": 30}`, or a
    configuration with `lr_scheduler` and `optimizer`.

    The class stands in `cls`, `_target_`, `class_path`, `class_name`, `type` or `name`, with its
    arguments beside it or in `args`, `params`, `kwargs` or `init_args`; members of SequentialLR and
    ChainedScheduler in `schedulers`.
    """
    scheduler, optimizer = _found(config, run)
    base = run.base(optimizer, "lr")
    if base is not None and base < 0:
        optimizer.fail("out-of-range", f"a rate is at least 0, found {base:g}", "lr")
    name, curves = read(scheduler, run, base)
    return _document(name, curves, run)


def of_class(name: str, config: Config, run: Run, base: float | None) -> Imported:
    """The document of a class of torch by its name, for systems that take it over: `config` has
    its arguments and nothing else that was not read, `base` is the rate of the optimizer."""
    return _document(name, curves_of(name, config, run, base), run)


def _document(name: str, curves: Curves, run: Run) -> Imported:
    run.say("A step is one call of scheduler.step(); where that is once an epoch, it is an epoch.")
    if curves.base is None:
        run.say("lr is not given, so the document gives multiples of it.")
    return run.document(
        curves.rate,
        origin=name,
        base=curves.base,
        steps=run.steps() or curves.steps,
        others=None if curves.momentum is None else {"momentum": curves.momentum},
    )


def _found(config: Config, run: Run) -> tuple[Config, Config]:
    """The mapping of the scheduler, and that in which `lr` stands."""
    if is_named(config):
        return config, config
    inside = [key for key in _SCHEDULERS if isinstance(config.data.get(key), dict)]
    if not inside:
        _refuse_place(config)
        return config, config
    scheduler = config.section(inside[0])
    if isinstance(scheduler.data.get("scheduler"), dict):
        scheduler = _stepped(scheduler, run)
    config.ignore_rest()
    for key in _OPTIMIZERS:
        if isinstance(config.data.get(key), dict):
            optimizer = config.section(key)
            optimizer.ignore_rest()
            for arguments in _ARGUMENTS:
                if isinstance(optimizer.data.get(arguments), dict):
                    return scheduler, optimizer.section(arguments)
            return scheduler, optimizer
    return scheduler, scheduler if "lr" in scheduler else config


def _stepped(outer: Config, run: Run) -> Config:
    """The scheduler in what Lightning is told of stepping it."""
    every = outer.whole("frequency", 1, least=1)
    interval = outer.choice("interval", ("epoch", "step"), "epoch", what="interval")
    often = {"epoch": "an epoch", "step": "a step"}[interval]
    counted = often if every == 1 else f"in {every} {interval}s"
    run.say(f"Lightning calls scheduler.step() once {counted}.")
    outer.ignore(*_STEPPING)
    scheduler = outer.section("scheduler")
    outer.done()
    return scheduler


def _refuse_place(config: Config) -> None:
    """A scheduler that stands elsewhere: in a part of the configuration, or as a name alone."""
    hint = hint_at(config, _SCHEDULERS)
    named = [key for key in _SCHEDULERS if isinstance(config.data.get(key), str)]
    if named:
        hint = f"write cls in place of {named[0]}, with the arguments of the class beside it"
    if hint is not None:
        config.fail("not-a-config", "no schedule of torch is named here", hint=hint)
