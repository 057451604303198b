"""praxis and paxml: a schedule by its class, times `learning_rate` (praxis/schedules.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TypeAlias

from lrspec.importers.praxis_ramps import (
    piecewise_constant_,
    ramp_cosine,
    ramp_exponential,
    ramp_piecewise,
    ramp_polynomial,
    ramp_sqrt,
    sqrt_decay,
    transformer,
    transformer_at_ends,
)
from lrspec.importers.praxis_shapes import (
    constant_value,
    continuous,
    cosine_over,
    delayed_cosine,
    exponential_between,
    linear_between,
    polynomial_between,
)
from lrspec.importing.calls import Call, assigned, parse_value, plain
from lrspec.importing.config import Config
from lrspec.importing.functions import NAMES, Functions
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, laid
from lrspec.importing.nodes import Node, Schedule, constant, number, product, repeat, sum_of
from lrspec.importing.run import Run
from lrspec.importing.scale import times
from lrspec.source import Json

_Make: TypeAlias = Callable[[Config, Run], list[Stage]]
_POINTS = ("start", "limit")
_RAMP = ("warmup_steps", "decay_start", "decay_end", "min_ratio", "max")
_MAKE: Mapping[str, tuple[_Make, tuple[str, ...]]] = {
    "Constant": (constant_value, ("value",)),
    "ContinuousSchedule": (
        continuous,
        ("initial_value", "start_step", "half_life_steps", "min"),
    ),
    "Cosine": (cosine_over, ("initial_value", "final_value", "total_steps")),
    "DelayedCosine": (delayed_cosine, _POINTS),
    "Exponential": (exponential_between, _POINTS),
    "Linear": (linear_between, _POINTS),
    "LinearRampupCosineDecay": (ramp_cosine, (*_RAMP, "start_step")),
    "LinearRampupExponentialDecay": (ramp_exponential, _RAMP),
    "LinearRampupPiecewiseConstant": (ramp_piecewise, ("boundaries", "values")),
    "LinearRampupPolynomialDecay": (ramp_polynomial, (*_RAMP, "power")),
    "LinearRampupSqrtDecay": (ramp_sqrt, ("peak", "warmup_steps")),
    "PiecewiseConstant": (piecewise_constant_, ("boundaries", "values")),
    "Polynomial": (polynomial_between, (*_POINTS, "power", "origin")),
    "SqrtDecay": (sqrt_decay, ("decay_start", "multiplier", "offset")),
    "Transformer": (
        transformer,
        ("warmup_steps", "model_dim", "worker_replicas", "decay_end"),
    ),
}
_SIGNATURES: Mapping[str, tuple[str, ...]] = {
    **{name: parameters for name, (_, parameters) in _MAKE.items()},
    "CycleSchedule": ("schedules", "steps"),
    "PiecewiseSchedule": ("boundaries", "schedules"),
}
_FUNCTIONS = Functions(_SIGNATURES, ("Constant", "value"), inside=("lr_schedule", "schedule"))


def _read_text(text: str) -> dict[str, Json]:
    """A schedule as a call, or an optimizer as one with `lr_schedule`; or both keys as values that
    a script gives to its names, `lp.optimizer.lr_schedule = …`."""
    try:
        names = assigned(text)
        *_, value = names.values()
        found = {name.rpartition(".")[2]: each for name, each in names.items()}
        if isinstance(value, Call) and "lr_schedule" in value.kwargs:
            found = dict(value.kwargs)
        elif "lr_schedule" not in found:
            found = {"lr_schedule": parse_value(text)}
        keys = [key for key in ("learning_rate", "lr_schedule") if key in found]
        return {key: plain(found[key], _SIGNATURES) for key in keys}
    except ValueError:
        # The importer says what is wrong with it.
        return {"lr_schedule": text}


@importer("praxis", text=_read_text)
def load(config: Config, run: Run) -> Imported:
    """The document of a schedule of praxis: its arguments by name, with the class in `name` or
    `schedule=`; the text of a call; or an optimizer with either in `lr_schedule`, beside
    `learning_rate`."""
    optimizer = config
    if "optimizer" in config and not any(key in config for key in NAMES):
        config.ignore_rest()
        optimizer = config.section("optimizer")
    base = run.base(optimizer, "learning_rate")
    name, inner = _FUNCTIONS.find(optimizer, run)
    alone = name == "Transformer"
    schedule = laid(_stages(inner, run, name, alone=alone), run.steps())
    if base is None:
        run.say("There is no learning_rate here: the document gives multiples of it.")
    else:
        schedule = times(schedule, base)
    sample = "end" if alone else "start"
    return run.document(schedule, origin=name, base=base, steps=run.steps(), sample=sample)


def _stages(config: Config, run: Run, name: str, *, alone: bool = False) -> list[Stage]:
    """The stages of one schedule, as multiples of the rate; a Transformer that stands alone is
    read at the end of every step."""
    config.ignore(*NAMES)
    if alone:
        found = transformer_at_ends(config, run)
    elif name == "PiecewiseSchedule":
        found = _FUNCTIONS.joined(config, lambda inner, of: _stages(inner, run, of))
    elif name == "CycleSchedule":
        found = [Stage(_cycle(config, run))]
    else:
        found = _MAKE[name][0](config, run)
    config.done(_SIGNATURES[name])
    return found


def _cycle(config: Config, run: Run) -> Node:
    """Schedules that take turns, and whose clocks all run from step 0: each times a weight that is
    1 in its turn and 0 otherwise. Constants need no more than one such weight."""
    steps = config.wholes("steps")
    schedules = config.raw("schedules")
    if not isinstance(schedules, list) or len(schedules) != len(steps) or not steps:
        config.fail("values-number", "there are as many steps as schedules, and at least one")
    ends = [sum(steps[: i + 1]) for i in range(len(steps))]
    period = ends[-1]
    if period == 0:
        config.fail("out-of-range", "a cycle has at least one step", "steps")
    levels: list[float] = []
    moving: list[Node] = []
    for index in range(len(steps)):
        name, inner = _FUNCTIONS.value(config, "schedules", index)
        child = laid(_stages(inner, run, name))
        level = _level(child)
        levels.append(0.0 if level is None else level)
        if level is None and steps[index]:
            turn = [float(other == index) for other in range(len(steps))]
            moving.append(product(child, _turns(turn, ends)))
    if not moving:
        return _turns(levels, ends)
    parts = [_turns(levels, ends)] if any(levels) else []
    run.say("The clocks of the schedules in the cycle all run from step 0, as in praxis.")
    found: Schedule = moving[0] if len(parts + moving) == 1 else sum_of(*parts, *moving)
    assert isinstance(found, dict)
    return found


def _level(child: Schedule) -> float | None:
    """The value of a schedule that is one constant."""
    if not isinstance(child, dict) or "constant" not in child:
        return None
    value: float = child["constant"]["value"]
    return value


def _turns(levels: list[float], ends: list[int]) -> Node:
    """A level in each stretch up to the next end, again and again."""
    stretches: list[list[float]] = []
    for level, (start, end) in zip(levels, pairwise([0, *ends]), strict=True):
        if start == end:
            continue
        if stretches and stretches[-1][0] == level:
            stretches[-1][1] += end - start
        else:
            stretches.append([level, end - start])
    if len(stretches) == 1:
        return constant(number(stretches[0][0]))
    *before, last = stretches
    inner = [constant(number(level), length) for level, length in before]
    return repeat([*inner, constant(number(last[0]))], period=ends[-1])
