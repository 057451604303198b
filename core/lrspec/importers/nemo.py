"""NeMo: `optim.sched` by `name` or `_target_`, and `optim.lr` (nemo/core/optim/lr_scheduler.py)."""

from __future__ import annotations

from dataclasses import replace

from lrspec.hints import closest, did_you_mean
from lrspec.importers.nemo_schedules import NAMES, Reader
from lrspec.importers.torch import of_class
from lrspec.importing.config import REQUIRED, Config
from lrspec.importing.epochs import steps_of_epochs
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import exponential
from lrspec.importing.parts import hint_at
from lrspec.importing.run import Run
from lrspec.shorten import listed, quoted

# Those of torch that NeMo has by name.
_OF_TORCH = ("StepLR", "ExponentialLR", "CyclicLR", "ReduceLROnPlateau")
_MODULES = ("nemo.core.optim.lr_scheduler", "nemo.core.config.schedulers")
_TORCH = "torch.optim.lr_scheduler"
# NeMo 2 has the same schedules as modules, `CosineAnnealingScheduler`, of which these have another
# warmup where none is given.
_LIGHTNING = ("nemo.lightning.pytorch.optim.lr_scheduler", "nemo.lightning.pytorch.optim")
_MODULE = "Scheduler"
_WARMED = ("WarmupPolicy", "WarmupHoldPolicy", "NoamAnnealing", "CosineAnnealing")
_WARMUP = 750
# What stands beside the arguments of a schedule and does not change its values.
_BESIDE = (
    "name",
    "_target_",
    "args",
    "monitor",
    "reduce_on_plateau",
    "iters_per_batch",
    "max_steps",
    "t_max_epochs",
    "t_accumulate_grad_batches",
    "t_limit_train_batches",
    "t_num_workers",
)


@importer("NeMo")
def load(config: Config, run: Run) -> Imported:
    """The document of a NeMo configuration: a whole one, its `model`, its `optim`, or the fields of
    `sched` with `lr` beside them.

    The schedule ends at `max_steps` of `sched`, else of `trainer`, else `t_max_epochs` or
    `trainer.max_epochs` times `steps_per_epoch`, else `steps`.
    """
    trainer, optim, sched = _found(config)
    base = _base(optim, run)
    arguments = _arguments(sched)
    name, is_of_torch = _name(sched, run)
    if arguments.whole("last_epoch", -1, least=-1) != -1:
        arguments.refuse("a schedule that resumes in the middle is none of its own", "last_epoch")
    if name == "ReduceLROnPlateau":
        sched.refuse("ReduceLROnPlateau follows a metric of the training, and no step has its rate")
    steps, length = _steps(trainer, sched, run)
    if name == "ExponentialLR" and not is_of_torch:
        return _exponential(arguments, run, base, length)
    if is_of_torch or name in _OF_TORCH:
        known = {} if length is None else {"steps": length}
        return of_class(name, arguments, replace(run, facts={**run.facts, **known}), base)
    reader = Reader(arguments, run, base, steps, length, name)
    if _is_lightning(sched):
        reader.default_warmup = _default_warmup(arguments, run, name)
    schedule = reader.schedule()
    arguments.done()
    # Rates that are no multiples of `lr`, or of 1, are written as they are: multiples of 0 there
    # are none.
    is_absolute = base == 1 or name == "T5InverseSquareRootAnnealing"
    scale = 0.0 if is_absolute else base
    return run.document(schedule, origin=name, base=scale, steps=length)


def _found(config: Config) -> tuple[Config, Config, Config]:
    """The trainer's part of a configuration, the optimizer's, and the schedule's."""
    if not any(key in config for key in ("model", "optim", "sched")):
        if "name" not in config and "_target_" not in config and config.keys():
            hint = "give a configuration with model.optim.sched, or the fields of sched"
            message = "there is no optim.sched here, and no name of a scheduler"
            config.fail("not-a-config", message, hint=hint)
        return config.inner({}), config, config
    trainer = config.section("trainer", {})
    optim = around = config
    for key in ("model", "optim"):
        if key in optim:
            optim.ignore_rest()
            around, optim = optim, optim.section(key)
    for part in (trainer, optim):
        part.ignore_rest()
    for place, at in ((optim, "sched"), (optim, "lr_scheduler"), (around, "sched")):
        if at in place:
            return trainer, optim, place.section(at)
    where = hint_at(optim, ("sched",)) or "without one the rate is that of the optimizer"
    optim.fail("missing-field", "'sched' is required", hint=where)


def _base(optim: Config, run: Run) -> float | None:
    """B: of the optimizer, or of its `config` in NeMo 2."""
    if "lr" in optim or not isinstance(optim.data.get("config"), dict):
        return run.base(optim, "lr")
    config = optim.section("config")
    config.ignore_rest()
    return run.base(config, "lr")


def _is_lightning(sched: Config) -> bool:
    return str(sched.raw("_target_", "")).rpartition(".")[0] in _LIGHTNING


def _default_warmup(arguments: Config, run: Run, name: str) -> int:
    """The warmup that a module of NeMo 2 has where none is given, after what is its own."""
    if arguments.raw("interval", "step") != "step" or arguments.raw("frequency", 1) != 1:
        arguments.refuse("interval and frequency say that not every update has its own rate")
    if "max_steps" not in arguments:
        run.say("max_steps is not given: it is that of the trainer, as NeMo has it since 2.0.")
    for needed in ("constant_steps", "min_lr") if name == "CosineAnnealing" else ():
        if needed not in arguments:
            message = f"{needed} is required: its default differs between versions of NeMo"
            arguments.fail("missing-field", message)
    if "warmup_steps" in arguments or "warmup_ratio" in arguments or name not in _WARMED:
        return 0
    run.say(f"warmup_steps is not given; it is {_WARMUP}, the default of NeMo 2.")
    return _WARMUP


def _arguments(sched: Config) -> Config:
    """What the schedule itself is given: `sched` without what stands beside, or `args.params`."""
    sched.ignore(*_BESIDE)
    if "args" not in sched:
        return sched
    args = sched.section("args")
    args.ignore("name")
    arguments = args.section("params", {})
    args.done()
    sched.done()
    return arguments


def _name(sched: Config, run: Run) -> tuple[str, bool]:
    """The class of the schedule, and whether it is named as one of torch."""
    if "_target_" not in sched:
        name = sched.text("name", REQUIRED if run.schedule is None else run.schedule)
        return _known(name, (*NAMES, *_OF_TORCH), sched, "name"), False
    target = sched.text("_target_")
    module, _, name = target.rpartition(".")
    if module == _TORCH:
        return name, True
    if module in _LIGHTNING and name.endswith(_MODULE):
        return _known(name.removesuffix(_MODULE), NAMES, sched, "_target_"), False
    if module not in _MODULES:
        why = f"{target} is a class of your own or of another library, which no document states"
        sched.refuse(why, "_target_", hint=f"the classes of {_MODULES[0]} and {_TORCH} are known")
    return _known(name.removesuffix("Params"), NAMES, sched, "_target_"), False


def _known(name: str, names: tuple[str, ...], sched: Config, key: str) -> str:
    """The name, which is one of `names`."""
    if name in names:
        return name
    message = f"unknown scheduler {quoted(name)}; known are {listed(names)}"
    sched.fail("unknown-schedule", message, key, hint=did_you_mean(closest(name, names)))


def _steps(trainer: Config, sched: Config, run: Run) -> tuple[int | None, int | None]:
    """T, where the schedule ends, and where the run does."""
    if not _says_steps(sched):
        steps = _steps_of_run(trainer, sched, run)
        return steps, steps
    if not _says_steps(trainer):
        steps = run.steps(sched, "max_steps")
        return steps, steps
    steps, length = sched.whole("max_steps", least=1), run.steps(trainer, "max_steps")
    if steps != length:
        run.say(f"The schedule ends at sched.max_steps, {steps}, and the run at {length}.")
    return steps, length


def _steps_of_run(trainer: Config, sched: Config, run: Run) -> int | None:
    """The steps of the run."""
    if _says_steps(trainer):
        return run.steps(trainer, "max_steps")
    epochs = sched.optional_whole("t_max_epochs", least=1)
    if epochs is None and trainer.raw("max_epochs", None) != -1:
        epochs = trainer.optional_whole("max_epochs", least=1)
    if epochs is None:
        return run.steps()
    return steps_of_epochs(sched, run, "t_max_epochs", epochs)


def _says_steps(config: Config) -> bool:
    """Whether `max_steps` is given as a number; -1 leaves it to the run."""
    value = config.raw("max_steps", None)
    if isinstance(value, str):
        config.text("max_steps")
        config.fail("wrong-type", f"max_steps is a whole number, found the text {value!r}")
    return value is not None and value != -1


def _exponential(config: Config, run: Run, base: float | None, steps: int | None) -> Imported:
    """B·gamma^e after e epochs: NeMo steps this one once an epoch."""
    why = "NeMo steps ExponentialLR once an epoch"
    each = run.steps_per_epoch(why=why)
    run.say(f"{why}: the rate changes every {each:g} steps.")
    peak = 1.0 if base is None else base
    gamma = config.number("gamma", above=0)
    schedule = exponential(peak, gamma, "1 epoch", staircase=True)
    config.done()
    training = {"steps_per_epoch": each}
    return run.document(schedule, origin="ExponentialLR", base=base, steps=steps, training=training)
