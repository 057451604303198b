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
from lrspec.importing.run import Run

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
        return config, config
    scheduler = config.section(inside[0])
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
