"""optax: a schedule by the name of its function, or as the call that makes it (optax/schedules)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from lrspec.importers.optax_knots import cosine_onecycle, linear_onecycle, piecewise_interpolate
from lrspec.importers.optax_shapes import (
    constant_value,
    cosine_decay,
    exponential_decay,
    linear_transition,
    piecewise_constant_scaled,
    polynomial_transition,
    warmup_constant,
    warmup_cosine,
    warmup_exponential,
)
from lrspec.importing.config import Config
from lrspec.importing.functions import NAMES, Functions
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, join, laid
from lrspec.importing.nodes import repeat
from lrspec.importing.run import Run
from lrspec.importing.scale import largest

_Make: TypeAlias = Callable[[Config, Run], list[Stage]]

_RAMP = ("init_value", "end_value", "transition_steps", "transition_begin")
_DECAY = ("transition_steps", "decay_rate", "transition_begin", "staircase", "end_value")
_WARMUP = ("init_value", "peak_value", "warmup_steps")
# The functions with their parameters, in their order.
_SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "constant_schedule": ("value",),
    "cosine_decay_schedule": ("init_value", "decay_steps", "alpha", "exponent"),
    "cosine_onecycle_schedule": (
        *("transition_steps", "peak_value", "pct_start", "div_factor", "final_div_factor"),
    ),
    "exponential_decay": ("init_value", *_DECAY),
    "join_schedules": ("schedules", "boundaries"),
    "linear_onecycle_schedule": (
        *("transition_steps", "peak_value", "pct_start", "pct_final"),
        *("div_factor", "final_div_factor"),
    ),
    "linear_schedule": _RAMP,
    "piecewise_constant_schedule": ("init_value", "boundaries_and_scales"),
    "piecewise_interpolate_schedule": (
        *("interpolate_type", "init_value", "boundaries_and_scales"),
    ),
    "polynomial_schedule": (*_RAMP[:2], "power", *_RAMP[2:]),
    "reduce_on_plateau": ("factor", "patience"),
    "sgdr_schedule": ("cosine_kwargs",),
    "warmup_constant_schedule": _WARMUP,
    "warmup_cosine_decay_schedule": (*_WARMUP, "decay_steps", "end_value", "exponent"),
    "warmup_exponential_decay_schedule": (*_WARMUP, *_DECAY),
}
# What takes a schedule first, or as `learning_rate`.
_OPTIMIZERS = (
    *("adabelief", "adadelta", "adafactor", "adagrad", "adam", "adamax", "adamaxw", "adamw"),
    *("adan", "ademamix", "amsgrad", "fromage", "lamb", "lars", "lion", "muon", "nadam", "nadamw"),
    *("noisy_sgd", "novograd", "radam", "rmsprop", "rprop", "scale_by_learning_rate"),
    *("scale_by_schedule", "sgd", "sign_sgd", "sm3", "yogi"),
)
_FUNCTIONS = Functions(_SIGNATURES, ("constant_schedule", "value"), _OPTIMIZERS)


@importer("optax", text=lambda text: {"schedule": text})
def load(config: Config, run: Run) -> Imported:
    """The document of an optax schedule: the arguments by name, with the function in `name`,
    `_target_` or `schedule=`; the text of a call; or a mapping with either in `learning_rate` or
    `schedule`."""
    if run.facts.get("base") is not None:
        config.fail("conflicting-fact", "the rates of optax are absolute; there is no base beside")
    name, inner = _FUNCTIONS.find(config, run)
    schedule = laid(_stages(inner, run, name), run.steps())
    return run.document(schedule, origin=name, base=largest(schedule), steps=run.steps())


def _stages(config: Config, run: Run, name: str) -> list[Stage]:
    """The stages of one schedule."""
    config.ignore(*NAMES)
    match name:
        case "join_schedules":
            found = _FUNCTIONS.joined(config, lambda inner, of: _stages(inner, run, of))
        case "sgdr_schedule":
            found = _restarts(config, run)
        case "reduce_on_plateau":
            config.refuse("reduce_on_plateau follows a metric of the run, not its steps")
        case _:
            found = _MAKE[name](config, run)
    config.done(_SIGNATURES[name])
    return found


def _restarts(config: Config, run: Run) -> list[Stage]:
    """Warmups and cosines one after the other; equal ones are one that repeats."""
    cycles: list[list[Stage]] = []
    ends: list[int] = []
    for section in config.sections("cosine_kwargs"):
        cycles.append(warmup_cosine(section, run))
        ends.append(section.whole("decay_steps") + (ends[-1] if ends else 0))
        section.done(_SIGNATURES["warmup_cosine_decay_schedule"])
    if not cycles:
        config.fail("too-few-items", "there is at least one cycle", "cosine_kwargs")
    if len(cycles) > 1 and all(cycle == cycles[0] for cycle in cycles):
        inner = laid(cycles[0], ends[0])
        return [Stage(repeat(inner, period=ends[0], count=len(cycles)))]
    return join(cycles, ends[:-1])


_MAKE: Mapping[str, _Make] = {
    "constant_schedule": constant_value,
    "cosine_decay_schedule": cosine_decay,
    "cosine_onecycle_schedule": cosine_onecycle,
    "exponential_decay": exponential_decay,
    "linear_onecycle_schedule": linear_onecycle,
    "linear_schedule": linear_transition,
    "piecewise_constant_schedule": piecewise_constant_scaled,
    "piecewise_interpolate_schedule": piecewise_interpolate,
    "polynomial_schedule": polynomial_transition,
    "warmup_constant_schedule": warmup_constant,
    "warmup_cosine_decay_schedule": warmup_cosine,
    "warmup_exponential_decay_schedule": warmup_exponential,
}
