"""MLX: a schedule by the name of its function, or as the call that makes it (mlx/optimizers).

With s the step: linear_schedule init + (end - init)·min(s, steps)/steps, exponential_decay
init·decay_rate^s, step_decay init·decay_rate^⌊s/step_size⌋, cosine_decay end + ½(1 + cos(π·min(s,
T)/T))·(init - end) with T `decay_steps`; join_schedules starts each at its boundary, from 0 again.

mlx-lm has `lr_schedule` in its configuration: a `name`, its `arguments` in a list, and a `warmup`
from `warmup_init` to the first of them, after which the schedule begins one step later.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.functions import NAMES, Functions
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, join, laid
from lrspec.importing.nodes import constant, cosine, exponential, linear
from lrspec.importing.run import Run
from lrspec.importing.scale import largest
from lrspec.shorten import listed

_SIGNATURES = {
    "constant": ("value",),
    "cosine_decay": ("init", "decay_steps", "end"),
    "exponential_decay": ("init", "decay_rate"),
    "join_schedules": ("schedules", "boundaries"),
    "linear_schedule": ("init", "end", "steps"),
    "step_decay": ("init", "decay_rate", "step_size"),
}
_OPTIMIZERS = (
    *("AdaDelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax"),
    *("Lion", "Muon", "RMSprop", "SGD"),
)
_FUNCTIONS = Functions(_SIGNATURES, ("constant", "value"), _OPTIMIZERS)


@importer("MLX", text=lambda text: {"schedule": text})
def load(config: Config, run: Run) -> Imported:
    """The document of an MLX schedule: the arguments by name, with the function in `name` or
    `schedule=`; the text of a call; or a mapping with either in `learning_rate` or `schedule`, such
    as the configuration of mlx-lm."""
    if run.facts.get("base") is not None:
        config.fail("conflicting-fact", "the rates of MLX are absolute; there is no base beside")
    steps = run.steps()
    if run.schedule is None and isinstance(config.data.get("lr_schedule"), dict):
        steps = _iterations(config, run)
        name, stages = _of_mlx_lm(config, run)
    else:
        name, inner = _FUNCTIONS.find(config, run)
        stages = _stages(inner, run, name)
    schedule = laid(stages, steps)
    return run.document(schedule, origin=name, base=largest(schedule), steps=steps)


def _iterations(config: Config, run: Run) -> int | None:
    """The updates of a run of mlx-lm."""
    every = config.whole("grad_accumulation_steps", 1, least=1)
    config.ignore_rest()
    if every > 1 or "iters" not in config:
        return run.steps()
    return run.steps(config, "iters")


def _of_mlx_lm(config: Config, run: Run) -> tuple[str, list[Stage]]:
    """The `lr_schedule` of mlx-lm, in place of its `learning_rate`."""
    section = config.section("lr_schedule")
    if "arguments" not in section:
        name, inner = _FUNCTIONS.value(config, "lr_schedule")
        return name, _stages(inner, run, name)
    name = section.choice("name", _SIGNATURES, what="schedule", code="unknown-schedule")
    given = section.raw("arguments")
    values = given if isinstance(given, list) else [given]
    parameters = _SIGNATURES[name]
    if len(values) > len(parameters):
        message = f"{name} takes {listed(list(parameters))}, found {len(values)} arguments"
        section.fail("values-number", message, "arguments")
    inner = section.inner(dict(zip(parameters, values, strict=False)), "arguments")
    warmup = section.whole("warmup", 0)
    start = section.number("warmup_init", 0.0)
    section.done()
    if "learning_rate" in config:
        run.say("learning_rate is given, and mlx-lm goes by lr_schedule instead of it.")
    after = _stages(inner, run, name)
    if not warmup:
        return name, after
    run.say(f"The warmup ends at step {warmup}, and mlx-lm begins {name} one step later.")
    rise = [Stage(linear(start, inner.number(parameters[0])), warmup)]
    return f"{name} after a warmup", join([rise, after], [warmup + 1])


def _stages(config: Config, run: Run, name: str) -> list[Stage]:
    """The stages of one schedule."""
    config.ignore(*NAMES)
    if name == "join_schedules":
        stages = _FUNCTIONS.joined(config, lambda inner, of: _stages(inner, run, of))
    elif name == "constant":
        stages = [Stage(constant(config.number("value")))]
    else:
        stages = [_single(config, name)]
    config.done(_SIGNATURES[name])
    return stages


def _single(config: Config, name: str) -> Stage:
    initial = config.number("init")
    match name:
        case "linear_schedule":
            node = linear(initial, config.number("end"))
            return Stage(node, config.number("steps", least=1))
        case "cosine_decay":
            node = cosine(initial, config.number("end", 0.0))
            return Stage(node, config.number("decay_steps", least=1))
        case "step_decay":
            rate, every = config.number("decay_rate", above=0), config.whole("step_size", least=1)
            return Stage(exponential(initial, rate, every, staircase=True))
        case _:
            return Stage(exponential(initial, config.number("decay_rate", above=0), 1))
