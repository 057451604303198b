"""paddle.optimizer.lr: the name of a class and its arguments.

A step is one call of `scheduler.step()`; the value at 0 is set when the scheduler is built. In what
follows s is the step and B `learning_rate`.
"""

from __future__ import annotations

from lrspec.importers.paddle_classes import CLASSES, REFUSED, Curve, rate_of
from lrspec.importing.class_calls import of_call, reader
from lrspec.importing.classes import class_of
from lrspec.importing.config import Config
from lrspec.importing.cutting import moved
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import constant, linear
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_PACKAGE = ("paddle", "optimizer", "lr")
_WARMUP = "LinearWarmup"


# The parameters of the classes, in their order.
_RATE = ("learning_rate",)
_SIGNATURES = {
    "NoamDecay": ("d_model", "warmup_steps", "learning_rate"),
    "PiecewiseDecay": ("boundaries", "values"),
    "NaturalExpDecay": (*_RATE, "gamma"),
    "InverseTimeDecay": (*_RATE, "gamma"),
    "PolynomialDecay": (*_RATE, "decay_steps", "end_lr", "power", "cycle"),
    "LinearWarmup": (*_RATE, "warmup_steps", "start_lr", "end_lr"),
    "ExponentialDecay": (*_RATE, "gamma"),
    "MultiStepDecay": (*_RATE, "milestones", "gamma"),
    "StepDecay": (*_RATE, "step_size", "gamma"),
    "LambdaDecay": (*_RATE, "lr_lambda"),
    "ReduceOnPlateau": (*_RATE, "mode", "factor", "patience"),
    "CosineAnnealingDecay": (*_RATE, "T_max", "eta_min"),
    "MultiplicativeDecay": (*_RATE, "lr_lambda"),
    "OneCycleLR": (
        *("max_learning_rate", "total_steps", "divide_factor", "end_learning_rate"),
        *("phase_pct", "anneal_strategy", "three_phase"),
    ),
    "CyclicLR": (
        *("base_learning_rate", "max_learning_rate", "step_size_up", "step_size_down", "mode"),
        *("exp_gamma", "scale_fn", "scale_mode"),
    ),
    "LinearLR": (*_RATE, "total_steps", "start_factor", "end_factor"),
    "CosineAnnealingWarmRestarts": (*_RATE, "T_0", "T_mult", "eta_min"),
}


@importer("paddle", text=reader(_SIGNATURES))
def load(config: Config, run: Run) -> Imported:
    """The document of a scheduler of Paddle: `{"cls": "StepDecay", "learning_rate": 0.1,
    "step_size": 30}`, or the call that makes it; the one inside LinearWarmup stands in
    `learning_rate`."""
    config, schedule = of_call(config, run.schedule, _SIGNATURES)
    name, curve = _named(config, run, schedule)
    run.say("A step is one call of scheduler.step(); where that is once an epoch, it is an epoch.")
    steps = run.steps() or curve.steps
    return run.document(curve.schedule, origin=name, base=curve.base, steps=steps)


def _named(config: Config, run: Run, schedule: str | None = None) -> tuple[str, Curve]:
    known = (*CLASSES, _WARMUP, *REFUSED)
    name, arguments = class_of(config, run, known, package=_PACKAGE, schedule=schedule)
    if name in REFUSED:
        arguments.refuse(f"{name} {REFUSED[name]}")
    arguments.ignore("last_epoch", "verbose")
    read = _warmup if name == _WARMUP else CLASSES[name]
    curve = read(arguments, run)
    arguments.done()
    config.done()
    return name, curve


def _warmup(config: Config, run: Run) -> Curve:
    """LinearWarmup: a line from start_lr to end_lr, then the schedule from its own step 0."""
    length = config.whole("warmup_steps", least=1)
    start, end = config.number("start_lr", least=0), config.number("end_lr", least=0)
    if end <= start:
        config.fail("out-of-range", f"end_lr is more than start_lr, found {end:g}", "end_lr")
    line = linear(start, end, length)
    if not isinstance(config.data.get("learning_rate"), dict):
        rate = rate_of(config)
        return Curve(stages(line, constant(rate)), rate or end)
    name, inner = _named(config.section("learning_rate"), run)
    if name == "CosineAnnealingWarmRestarts":
        run.say("Under a warmup Paddle finds a restart by a logarithm, which may miss its step.")
    after = moved(inner.schedule, length)
    following = after if isinstance(after, list) else [after]
    return Curve(stages(line, *following), inner.base)
