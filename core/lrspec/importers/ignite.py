"""ignite: its parameter schedulers by class and arguments, and those of torch inside them.

A step is one call of the scheduler, which is attached to an event; the value at 0 is that of the
first call. Values are what they say, whatever the optimizer has.
"""

from __future__ import annotations

from dataclasses import dataclass

from lrspec.importers.ignite_cycles import cycles
from lrspec.importers.ignite_signatures import SIGNATURES, WARMUP
from lrspec.importers.torch_classes import Curves
from lrspec.importers.torch_composed import COMPOSED, curves_of
from lrspec.importers.torch_composed import KNOWN as OF_TORCH
from lrspec.importing.class_calls import of_call, reader
from lrspec.importing.classes import class_of
from lrspec.importing.config import Config
from lrspec.importing.cutting import cut, moved
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Schedule, advance, constant, linear, piecewise_linear
from lrspec.importing.run import Run
from lrspec.importing.scale import tidy
from lrspec.importing.sequence import stages
from lrspec.loading import from_dict

_CYCLES = {"LinearCyclicalScheduler": False, "CosineAnnealingScheduler": True}
_REFUSED = {
    "ReduceLROnPlateauScheduler": "it goes by a metric of the training",
    "LambdaStateScheduler": "it is a function of the user's",
    "BatchSizeScheduler": "it is a function of the user's",
    "ParamGroupScheduler": "it has a schedule for each parameter group; import them one by one",
}
_KNOWN = (*_CYCLES, "PiecewiseLinear", "ConcatScheduler", "LRScheduler", WARMUP, *_REFUSED)
_PACKAGE = ("ignite", "handlers", "param_scheduler", "contrib", "torch", "optim", "lr_scheduler")
# What an object is told beside its schedule.
_ELSEWHERE = ("optimizer", "save_history", "param_group_index", "output_simulated_values")

_NEEDED = "{} of torch goes by the rate of the optimizer"
_GOES_ON = "a scheduler of torch goes on from whatever rate the one before it left"
# No rate is a multiple of this, so that all of them stay what they are.
_ABSOLUTE = 0.0


@dataclass
class _Scheduler:
    """One scheduler: its schedule, the first value in its own arithmetic, and settings.

    `parameter` is the hyperparameter that it is said to be for, `step` what a step is.
    """

    schedule: Schedule
    first: float
    rounding: str = "none"
    base: float | None = None
    momentum: Schedule | None = None
    parameter: str | None = None
    step: str = "one call of the scheduler, by default at the start of an iteration"


@importer("ignite", text=reader(SIGNATURES))
def load(config: Config, run: Run) -> Imported:
    """The document of a scheduler of ignite: `{"cls": "PiecewiseLinear", "param_name": "lr",
    "milestones_values": [[10, 0.5], [20, 0.4]]}`.

    Or of the call that makes it. Members of ConcatScheduler stand in `schedulers`, that of
    create_lr_scheduler_with_warmup in `lr_scheduler`, with its `lr` in it where it is one of torch.
    """
    config, schedule = of_call(config, run.schedule, SIGNATURES)
    name, arguments = class_of(
        config, run, (*_KNOWN, *OF_TORCH), package=_PACKAGE, schedule=schedule
    )
    if name in OF_TORCH:
        config.refuse(f"{name} is a class of torch; ignite calls it through LRScheduler")
    found = _read(name, arguments, run)
    run.say(f"A step is {found.step}.")
    if found.parameter not in (None, "lr"):
        return _of_parameter(found.parameter, found, name, run)
    others = None if found.momentum is None else {"momentum": found.momentum}
    return run.document(
        found.schedule,
        origin=name,
        base=_ABSOLUTE if found.base is None else found.base,
        steps=run.steps(),
        others=others,
        rounding=found.rounding,
    )


def _of_parameter(parameter: str, found: _Scheduler, name: str, run: Run) -> Imported:
    data = {
        "lrspec": 1,
        "base": {parameter: "absolute"},
        "rounding": found.rounding,
        "training": {"steps": run.steps()},
        "schedules": {parameter: tidy(found.schedule)},
    }
    if found.rounding == "none":
        del data["rounding"]
    if run.steps() is None:
        del data["training"]
    return Imported(data, f"{run.system} {name}", run.notes)


def _read(name: str, config: Config, run: Run) -> _Scheduler:
    config.ignore(*_ELSEWHERE)
    parameter = config.text("param_name") if "param_name" in config else None
    if name in _REFUSED:
        config.refuse(f"{name}: {_REFUSED[name]}")
    if name in _CYCLES:
        schedule, arguments = cycles(config, run, curved=_CYCLES[name])
        found = _Scheduler(schedule, arguments.first, arguments.rounding)
    elif name == "PiecewiseLinear":
        found = _piecewise(config)
    elif name == "ConcatScheduler":
        found = _concat(config, run)
    elif name == "LRScheduler":
        found = _of_torch(config, run)
    else:
        found = _with_warmup(config, run)
    found.parameter = _one_of(found.parameter, parameter, config)
    config.done()
    return found


def _one_of(one: str | None, other: str | None, config: Config) -> str | None:
    """The hyperparameter of schedulers that belong together, which ignite asks for one of."""
    if one is not None and other is not None and one != other:
        message = f"schedulers that belong together are for one param_name, found {one} and {other}"
        config.fail("conflicting-fields", message, "param_name")
    return one if other is None else other


def _piecewise(config: Config) -> _Scheduler:
    """PiecewiseLinear: lines between points; of two at one step the later one holds there."""
    raw = config.raw("milestones_values")
    if not isinstance(raw, list) or not raw:
        config.fail("wrong-type", "expected a list of pairs", "milestones_values")
    at: list[int] = []
    values: list[float] = []
    for index, pair in enumerate(raw):
        if not isinstance(pair, list) or len(pair) != 2:
            config.fail("wrong-type", "expected a step and a value", "milestones_values", index)
        point = config.inner({"step": pair[0], "value": pair[1]}, "milestones_values", index)
        at.append(point.whole("step"))
        values.append(point.number("value"))
        if len(at) > 1 and at[-1] < at[-2]:
            message = f"milestones do not decrease, and {at[-1]} is less than {at[-2]}"
            config.fail("boundaries-order", message, "milestones_values", index)
    first = values[at.count(0) - 1] if at[0] == 0 else values[0]
    return _Scheduler(_through(at, values), first)


def _through(at: list[int], values: list[float]) -> Schedule:
    if len(at) == 1:
        return constant(values[0])
    if len(set(at)) == len(at):
        return piecewise_linear(at, values)
    parts: list[Schedule | None] = [constant(values[0], at[0]) if at[0] else None]
    for i in range(1, len(at)):
        if at[i] > at[i - 1]:
            parts.append(linear(values[i - 1], values[i], at[i] - at[i - 1]))
    return stages(*parts, constant(values[-1]))


def _concat(config: Config, run: Run) -> _Scheduler:
    """ConcatScheduler: each for its duration, from its own step 0."""
    members = config.sections("schedulers")
    durations = config.wholes("durations")
    if len(members) < 2 or len(durations) != len(members) - 1:
        message = f"{len(members)} schedulers, two at least, take one duration less"
        config.fail("values-number", f"{message}; found {len(durations)}", "durations")
    if 0 in durations:
        config.refuse("ignite never leaves a scheduler whose duration is 0", "durations")
    found: list[_Scheduler] = []
    parameter: str | None = None
    for member in members:
        name, arguments = class_of(member, run, _KNOWN, package=_PACKAGE)
        if name == "LRScheduler":
            member.refuse(_GOES_ON)
        found.append(_read(name, arguments, run))
        parameter = _one_of(parameter, found[-1].parameter, arguments)
        member.done()
    if len({each.rounding for each in found}) > 1:
        config.refuse("cycles of rounded lengths are beside others that are not rounded")
    parts: list[Schedule] = []
    start = 0
    for index, each in enumerate(found):
        last = index == len(durations)
        part = each.schedule if last else cut(each.schedule, durations[index])
        part = moved(part, start)
        parts += part if isinstance(part, list) else [part]
        start += 0 if last else durations[index]
    return _Scheduler(stages(*parts), found[0].first, found[0].rounding, parameter=parameter)


def _torch(config: Config, run: Run) -> tuple[str, Config, float | None]:
    """The class of torch in a mapping, its arguments and the rate of the optimizer."""
    name, arguments = class_of(config, run, OF_TORCH, package=_PACKAGE)
    arguments.ignore("optimizer")
    base = run.base(config, "lr")
    if name in COMPOSED or name == "SWALR":
        config.refuse(f"ignite cannot step {name} of torch")
    return name, arguments, base


def _of_torch(config: Config, run: Run) -> _Scheduler:
    """LRScheduler, which asks torch for the rate of step 0 once more: the classes that take it for
    a step of their recursion are one factor further from there on."""
    inner = config.section("lr_scheduler")
    name, arguments, base = _torch(inner, run)
    if base is None:
        run.missing("base", "lr", _NEEDED.format(name))
    if config.flag("use_legacy", False):
        found = _ended(curves_of(name, arguments, run, base), base)
        found.step = "one call at the end of an iteration, as use_legacy asks for"
        return found
    rate = _scaled(name, arguments, run, base)
    curves = curves_of(name, arguments, run, rate)
    if name == "CosineAnnealingWarmRestarts":
        run.say("ignite begins these restarts at their step 1.")
        curves.rate = advance(curves.rate, 1)
    if name == "CosineAnnealingLR":
        run.say("The first value of ignite is a little more, from a step before the start.")
    return _ended(curves, base)


def _scaled(name: str, config: Config, run: Run, rate: float) -> float:
    factor = {
        "ExponentialLR": lambda: config.number("gamma"),
        "LinearLR": lambda: config.number("start_factor", 1 / 3),
        "ConstantLR": lambda: config.number("factor", 1 / 3),
        "PolynomialLR": lambda: _polynomial(config),
        "MultiStepLR": lambda: config.number("gamma", 0.1) ** config.wholes("milestones").count(0),
    }.get(name)
    if factor is None:
        return rate
    if (value := factor()) != 1:
        run.say(
            f"ignite applies {name} once before the first update: the rate is {value:.6g} times"
            " that of torch."
        )
    return rate * value


def _polynomial(config: Config) -> float:
    length = config.whole("total_iters", 5)
    if length == 0:
        config.refuse("ignite divides by total_iters, and it is 0", "total_iters")
    return float((length / (length + 1)) ** config.number("power", 1.0))


def _ended(curves: Curves, base: float | None) -> _Scheduler:
    return _Scheduler(
        curves.rate, _first(curves.rate), "none", base or curves.base, curves.momentum, "lr"
    )


def _first(schedule: Schedule) -> float:
    return from_dict({"lrspec": 1, "base": "absolute", "schedule": schedule}).bind()(0)


def _with_warmup(config: Config, run: Run) -> _Scheduler:
    """create_lr_scheduler_with_warmup: a line over w − 1 steps, then the scheduler from its 0."""
    length = config.whole("warmup_duration", least=2)
    start = config.number("warmup_start_value")
    end = config.optional_number("warmup_end_value")
    inner = config.section("lr_scheduler")
    name, arguments = class_of(inner, run, (*_KNOWN, *OF_TORCH), package=_PACKAGE)
    of_torch = name in OF_TORCH
    if of_torch:
        name, arguments, base = _torch(inner, run)
        curves = curves_of(name, arguments, run, base)
        if curves.base is None:
            run.missing("base", "lr", _NEEDED.format(name))
        if curves.momentum is not None:
            inner.refuse(f"{name} with a momentum of its own under a warmup", "cycle_momentum")
        after = _ended(curves, base)
        end = after.first if end is None else end
    else:
        if name == "LRScheduler":
            inner.refuse(_GOES_ON)
        rate = run.base(inner, "lr")
        after = _read(name, arguments, run)
        _one_of("lr", after.parameter, arguments)
        if end is None:
            end = rate
            if end is None:
                run.missing("base", "warmup_end_value", "the warmup ends at the optimizer's rate")
    inner.done()
    line = linear(start, end, length - 1)
    run.say(f"The warmup ends at step {length - 1}: it takes warmup_duration − 1 steps.")
    if after.first == end:
        between: Schedule | None = None
    else:
        between = linear(end, after.first, 1) if of_torch else constant(end, 1)
    past = length - 1 if between is None else length
    parts = [line, between, moved(after.schedule, past)]
    flat = [p for part in parts for p in (part if isinstance(part, list) else [part])]
    return _Scheduler(stages(*flat), start, after.rounding, after.base, parameter="lr")
