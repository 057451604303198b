"""MLX: a schedule by the name of its function, or as the call that makes it (mlx/optimizers).

With s the step: linear_schedule init + (end - init)·min(s, steps)/steps, exponential_decay
init·decay_rate^s, step_decay init·decay_rate^⌊s/step_size⌋, cosine_decay end + ½(1 + cos(π·min(s,
T)/T))·(init - end) with T `decay_steps`; join_schedules starts each at its boundary, from 0 again.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.functions import NAMES, Functions
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, laid
from lrspec.importing.nodes import constant, cosine, exponential, linear
from lrspec.importing.run import Run
from lrspec.importing.scale import largest

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
    `schedule=`; the text of a call; or a mapping with either in `learning_rate` or `schedule`."""
    if run.facts.get("base") is not None:
        config.fail("conflicting-fact", "the rates of MLX are absolute; there is no base beside")
    name, inner = _FUNCTIONS.find(config, run)
    schedule = laid(_stages(inner, run, name), run.steps())
    return run.document(schedule, origin=name, base=largest(schedule), steps=run.steps())


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
