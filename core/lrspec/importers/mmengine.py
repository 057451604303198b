"""mmengine: the list `param_scheduler`, with `lr` in `optim_wrapper.optimizer`.

Every scheduler is active on its range and changes the value that it finds there.
"""

from __future__ import annotations

import math
from typing import Any

from lrspec.importers.mmengine_bases import with_bases
from lrspec.importers.mmengine_classes import FOREVER, Range, Scheduler
from lrspec.importers.mmengine_cycles import KINDS, SPANS
from lrspec.importers.mmengine_timeline import Timeline
from lrspec.importing.classes import class_of
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Schedule, constant
from lrspec.importing.run import Run
from lrspec.importing.scripts import read_config

_ENDINGS = ("LR", "Momentum", "ParamScheduler")
_PLATEAU = "ReduceOnPlateau"
_KNOWN = [
    kind + ending
    for kind in (*KINDS, _PLATEAU)
    for ending in _ENDINGS
    if kind + ending != "OneCycleMomentum"
]
# mmdet has a warmup of its own.
_PACKAGE = ("mmengine", "mmdet")
# Those that go on in the same way, whenever their range ends.
_ENDLESS = ("Step", "MultiStep", "Exponential")


@importer("MMEngine", key="param_scheduler", text=read_config)
def load(config: Config, run: Run) -> Imported:
    """The document of an mmengine configuration: a whole one, the list `param_scheduler`, or one
    scheduler with `lr` beside it.

    In a list an entry without `type` has what the optimizer has: `{"lr": 0.1}`. Steps are updates;
    those of schedulers that go by epochs are epochs.
    """
    config = with_bases(config, run)
    if "optim_wrapper" in config and not config.raw("param_scheduler", None):
        return _fixed(config, run)
    entries, optimizer = _found(config, run)
    base = run.base(optimizer, "lr")
    train = config.section("train_cfg", {}) if "param_scheduler" in config else config.inner({})
    train.ignore_rest()
    reader = _Reader(run, optimizer, base, train)
    schedulers: dict[str, list[Scheduler]] = {}
    for entry in entries:
        name, scheduler = reader.scheduler(entry)
        schedulers.setdefault(name, []).append(scheduler)
    if not schedulers:
        config.fail("too-few-items", "there is no scheduler in the list")
    steps, training = _length(train, run)
    if reader.by_epoch:
        training["steps_per_epoch"] = run.facts.get("steps_per_epoch")
    curves: dict[str, Schedule] = {}
    for name, list_ in schedulers.items():
        rate = reader.rate(name, list_[0].config)
        timeline = Timeline(run, rate, steps)
        curves[name] = timeline.schedule(list_)
    rates = curves.pop("lr", None)
    if rates is None:
        first = next(iter(schedulers.values()))[0]
        first.config.refuse("the list schedules no lr, and a document of the rate needs one")
    if base is None:
        run.say("lr is not given, so the document gives multiples of it.")
    return run.document(
        rates,
        origin="param_scheduler",
        base=base,
        steps=steps,
        training=training,
        others=curves or None,
    )


def _fixed(config: Config, run: Run) -> Imported:
    """The document of a configuration without a scheduler."""
    optimizer = config.section("optim_wrapper").section("optimizer", {})
    base = run.base(optimizer, "lr")
    train = config.section("train_cfg", {})
    config.ignore_rest()
    if base is None:
        run.missing("base", "lr", "without a param_scheduler the rate is that of the optimizer")
    run.say("There is no param_scheduler: the rate is that of the optimizer at every step.")
    steps, training = _length(train, run)
    return run.document(
        constant(base), origin="optimizer", base=base, steps=steps, training=training
    )


def _found(config: Config, run: Run) -> tuple[list[Config], Config]:
    """The schedulers, and what the optimizer has."""
    if "param_scheduler" not in config:
        if "lr_config" in config:
            why = "lr_config is of mmcv, which mmengine has replaced by param_scheduler"
            config.refuse(why, "lr_config")
        return [config], config
    raw = config.raw("param_scheduler")
    listed = isinstance(raw, list)
    entries = config.sections("param_scheduler") if listed else [config.section("param_scheduler")]
    wrapper = config.section("optim_wrapper", {})
    optimizer = wrapper.section("optimizer", {})
    counts = wrapper.whole("accumulative_counts", 1, least=1)
    if counts > 1:
        run.say(
            f"mmengine counts iterations, {counts} for every update (accumulative_counts): steps of"
            " this document are iterations."
        )
    if config.section("auto_scale_lr", {}).raw("enable", False) is True:
        run.say("auto_scale_lr is on: mmengine scales lr with the batch, which is not done here.")
    for part in (config, wrapper, optimizer):
        part.ignore_rest()
    kept: list[Config] = []
    for entry in entries:
        if "type" in entry or not ("lr" in entry or "momentum" in entry):
            kept.append(entry)
        else:
            optimizer = entry
            entry.ignore_rest()
    return kept, optimizer


def _length(train: Config, run: Run) -> tuple[int | None, dict[str, Any]]:
    """The length of the run, from `train_cfg` or the caller."""
    given = run.steps()
    if given is not None:
        return given, {}
    if "max_iters" in train:
        return train.whole("max_iters", least=1), {}
    if "max_epochs" not in train:
        return None, {}
    count = train.whole("max_epochs", least=1)
    per_epoch = run.facts.get("steps_per_epoch")
    if per_epoch is None:
        return None, {}
    return math.ceil(count * run.steps_per_epoch(why="max_epochs")), {}


class _Reader:
    """Reads schedulers; `train` is `train_cfg`."""

    def __init__(self, run: Run, optimizer: Config, base: float | None, train: Config) -> None:
        self.run = run
        self.train = train
        self.optimizer = optimizer
        self.base = base
        self.by_epoch = False
        # What a OneCycleLR before has made of it.
        self.initial: float | None = None

    def rate(self, name: str, config: Config) -> float:
        """What the optimizer has of a hyperparameter, 1 for a rate that is not known."""
        if name == "lr":
            return 1.0 if self.base is None else self.base
        if name == "momentum" and "betas" in self.optimizer:
            return self.optimizer.numbers("betas")[0]
        if name not in self.optimizer:
            config.refuse(f"{name} is scheduled, and the optimizer of the configuration has none")
        return self.optimizer.number(name)

    def scheduler(self, config: Config) -> tuple[str, Scheduler]:
        """The hyperparameter that is scheduled, and its scheduler."""
        name, arguments = class_of(config, self.run, _KNOWN, package=_PACKAGE)
        ending = next(ending for ending in _ENDINGS if name.endswith(ending))
        kind = name.removesuffix(ending)
        if kind == _PLATEAU:
            config.refuse(f"{name} goes by a metric of the training")
        target = "momentum" if ending == "Momentum" else "lr"
        if ending == "ParamScheduler":
            target = arguments.text("param_name")
            if kind == "OneCycle" and target != "lr":
                arguments.refuse(f"mmengine has {name} for lr alone", "param_name")
        arguments.ignore("last_step", "verbose", "lr", "momentum", "param_name", "lr_mult")
        if self.base is None and target == "lr":
            for key in ("eta_min", "eta_max"):
                if arguments.data.get(key):
                    why = f"{key} is a rate, and to say what share of lr it is takes lr"
                    self.run.missing("base", "lr", why)
        arguments, range_ = self._range(arguments, kind)
        rate = self.rate(target, arguments)
        if target == "lr" and self.initial is not None:
            rate = self.initial
        scheduler = KINDS[kind](arguments, range_, self.run, rate)
        if scheduler.initial is not None:
            self.initial = scheduler.initial
        self.by_epoch |= range_.by_epoch
        arguments.done()
        return target, scheduler

    def _end(self, config: Config, kind: str) -> int:
        """Where the range of a scheduler without `end` is over: the runner ends it with the run."""
        if "end" in config:
            return FOREVER
        by_epoch, train = config.flag("by_epoch", True), self.train
        if "max_iters" in train:
            # A loop that counts iterations has one epoch.
            end = 1 if by_epoch else train.whole("max_iters", least=1)
        elif "max_epochs" not in train:
            return FOREVER
        else:
            end = train.whole("max_epochs", least=1)
        if kind in _ENDLESS and end > 1:
            return FOREVER
        if not by_epoch and "max_iters" not in train:
            why = f"{kind}LR without an end has that of the run, in updates"
            end = math.ceil(end * self.run.steps_per_epoch(why=why))
        self.run.say(f"{kind}LR has no end: mmengine ends it with the run.")
        return end

    def _range(self, config: Config, kind: str) -> tuple[Config, Range]:
        by_epoch = config.flag("by_epoch", True)
        convert = config.flag("convert_to_iter_based", False)
        if convert and not by_epoch:
            message = "convert_to_iter_based takes by_epoch: true"
            config.fail("conflicting-fields", message, "convert_to_iter_based")
        begin, end = config.whole("begin", 0), config.whole("end", self._end(config, kind))
        if end <= begin:
            config.fail("out-of-range", f"end is after begin, found {end} and {begin}", "end")
        if not convert:
            return config, Range(begin, min(end, FOREVER), by_epoch)
        why = "convert_to_iter_based makes updates of epochs"
        per_epoch = self.run.steps_per_epoch(why=why)
        if per_epoch != int(per_epoch):
            config.refuse("convert_to_iter_based takes a whole number of steps in an epoch")
        times = int(per_epoch)
        self.run.say(f"Lengths in epochs are converted to updates, {times} in an epoch.")
        changed = dict(config.data)
        for key in SPANS.get(kind, ()):
            if key in config:
                numbers = [number * times for number in config.wholes(key)]
                changed[key] = [*numbers] if isinstance(config.data[key], list) else numbers[0]
        converted = config.inner(changed)
        converted.ignore(*(key for key in changed if key in _COMMON))
        config.ignore_rest()
        far = end if end >= FOREVER else end * times
        return converted, Range(begin * times, min(far, FOREVER), False)


_COMMON = (
    "type",
    "begin",
    "end",
    "by_epoch",
    "convert_to_iter_based",
    "last_step",
    "verbose",
    "lr",
    "param_name",
)
