"""fvcore: a parameter scheduler by class and arguments, with `max_iter` and `base_lr` beside it.

The values are factors of `base_lr`; without one they are rates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lrspec.importers.fvcore_classes import CLASSES, EPSILON, Curve, Smooth, Table, line
from lrspec.importing.class_calls import of_call, reader
from lrspec.importing.classes import class_of
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Length, Node, Schedule, advance, constant, percent
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_COMPOSITE, _WARMUP = "CompositeParamScheduler", "WarmupParamScheduler"
KNOWN = (*CLASSES, _COMPOSITE, _WARMUP)
PACKAGE = ("fvcore", "detectron2", "param_scheduler", "classy_vision")
# The step at which a phase begins is told apart from the one before it in runs shorter than this.
_EXACT = 1 / EPSILON


# The parameters of the classes, in their order.
_ENDS = ("start_value", "end_value")
_SIGNATURES = {
    "CompositeParamScheduler": ("schedulers", "lengths", "interval_scaling"),
    "ConstantParamScheduler": ("value",),
    "CosineParamScheduler": _ENDS,
    "ExponentialParamScheduler": ("start_value", "decay"),
    "LinearParamScheduler": _ENDS,
    "MultiStepParamScheduler": ("values", "num_updates", "milestones"),
    "PolynomialDecayParamScheduler": ("base_value", "power"),
    "StepParamScheduler": ("num_updates", "values"),
    "StepWithFixedGammaParamScheduler": ("base_value", "num_decays", "gamma", "num_updates"),
    "WarmupParamScheduler": ("scheduler", "warmup_factor", "warmup_length", "warmup_method"),
}


@importer("fvcore", text=reader(_SIGNATURES))
def load(config: Config, run: Run) -> Imported:
    """The document of a scheduler of fvcore: `{"cls": "CosineParamScheduler", "start_value": 1,
    "end_value": 0.01, "max_iter": 90000, "base_lr": 0.1}`; members of CompositeParamScheduler stand
    in `schedulers`. Or of the call that makes it."""
    config, schedule = of_call(config, run.schedule, _SIGNATURES)
    base = run.base(config, "base_lr")
    steps = run.steps(config, "max_iter")
    return imported(config, run, base, steps, schedule=schedule)


def imported(
    config: Config, run: Run, base: float | None, steps: int | None, *, schedule: str | None = None
) -> Imported:
    """The document of the scheduler that is named in a mapping."""
    name, arguments = class_of(config, run, KNOWN, package=PACKAGE, schedule=schedule)
    if base is None:
        run.say("base_lr is not given, so the values are rates.")
    writer = Reader(run, 1.0 if base is None else base, steps)
    if name in CLASSES:
        schedule_ = writer.alone(CLASSES[name](arguments))
    else:
        phases = _composite(arguments, run) if name == _COMPOSITE else _warmup(arguments, run)
        schedule_ = writer.phases(phases, arguments)
    arguments.done()
    config.done()
    # 0 is no base: all values stay what they are.
    return run.document(schedule_, origin=name, base=base or 0.0, steps=writer.steps)


@dataclass
class Phase:
    """One phase: its share of the run, the last one taking what is left, and its length in steps
    where that is how it was given. A phase that is not `rescaled` is read at its share of the run
    and not of the phase."""

    curve: Curve
    share: float
    rescaled: bool
    length: Length = None


# A percentage of more characters was computed from a number of steps.
_LONG = 8


class Reader:
    """Writes schedules of a run of `steps`."""

    def __init__(self, run: Run, scale: float, steps: int | None) -> None:
        self.run = run
        self.scale = scale
        self.steps = steps

    def alone(self, curve: Curve) -> Schedule:
        """One scheduler over the whole run."""
        if isinstance(curve, Smooth):
            self.run.say("After the last step the document holds the final value.")
            return curve.node(self.scale)
        self.steps = self.steps or curve.updates
        return curve.node(self.scale, self.steps)

    def phases(self, phases: list[Phase], config: Config) -> Schedule:
        """Phases one after the other."""
        parts: list[Schedule] = []
        start = 0.0
        for index, phase in enumerate(phases):
            last = index == len(phases) - 1
            if last or phase.share > 0:
                length = None if last else phase.length or self._length(phase.share)
                parts.append(self._phase(phase, start, length, config))
            start += phase.share
        if self.steps is not None and self.steps >= _EXACT and len(parts) > 1:
            early = int(EPSILON * self.steps)
            self.run.say(
                f"fvcore begins a phase up to {early} steps early in so long a run; the document"
                " begins it where its length says."
            )
        return stages(*parts)

    def _length(self, share: float) -> Length:
        """A share of the run, as the whole number of steps that it was computed from where it is no
        short percentage."""
        text = percent(share)
        count = round(share * (self.steps or 0))
        return count if len(text) > _LONG and self.steps and count / self.steps == share else text

    def _phase(self, phase: Phase, start: float, length: Length, config: Config) -> Schedule:
        if isinstance(phase.curve, Table):
            if self.steps is None:
                self.run.missing("steps", "max_iter", "steps between values are at whole steps")
            node = phase.curve.node(self.scale, self.steps, _local(phase, start))
            return _sized(node, length)
        node = phase.curve.node(self.scale)
        ((kind, body),) = node.items()
        if phase.rescaled or kind == "constant" or (start == 0 and length is None):
            return _sized(node, length)
        if length is None:
            return advance(node)
        return advance({kind: {**body, "length": "100%"}}, None if start else 0, length)


def _local(phase: Phase, start: float) -> Callable[[float], float]:
    if not phase.rescaled:
        return lambda where: where
    return lambda where: (where - start) / phase.share


def _sized(node: Node, length: Length) -> Node:
    if length is None:
        return node
    ((kind, body),) = node.items()
    return {kind: {**body, "length": length}}


def _composite(config: Config, run: Run) -> list[Phase]:
    """CompositeParamScheduler: each over its share of the run."""
    members = config.sections("schedulers")
    lengths = config.numbers("lengths")
    scaling = config.raw("interval_scaling", None)
    if scaling is None:
        run.say("interval_scaling is not given, so every scheduler is rescaled to its phase.")
        scaling = ["rescaled"] * len(members)
    if not isinstance(scaling, list):
        config.fail("wrong-type", "expected a list of texts", "interval_scaling")
    if not members or len(lengths) != len(members) or len(scaling) != len(members):
        message = f"{len(members)} schedulers take as many lengths and interval_scaling"
        config.fail("values-number", f"{message}; found {len(lengths)} and {len(scaling)}")
    if any(not 0 <= length <= 1 for length in lengths) or abs(sum(lengths) - 1) >= 0.001:
        message = f"lengths are shares of the run, and their sum is 1, found {sum(lengths):g}"
        config.fail("out-of-range", message, "lengths")
    lengths[-1] = 1 - sum(lengths[:-1])
    if lengths[-1] <= 0:
        config.fail("out-of-range", "nothing is left for the last scheduler", "lengths")
    phases: list[Phase] = []
    for index, (member, share) in enumerate(zip(members, lengths, strict=True)):
        name, arguments = class_of(member, run, KNOWN, package=PACKAGE)
        if name not in CLASSES:
            member.refuse(f"{name} inside {_COMPOSITE} is not read")
        if scaling[index] not in ("rescaled", "fixed"):
            message = "unknown scaling; known are 'rescaled' and 'fixed'"
            config.fail("wrong-value", message, "interval_scaling", index)
        phases.append(Phase(CLASSES[name](arguments), share, scaling[index] == "rescaled"))
        arguments.done()
        member.done()
    return phases


def _warmup(config: Config, run: Run) -> list[Phase]:
    """WarmupParamScheduler of detectron2: see `warmed`."""
    inner = config.section("scheduler")
    name, arguments = class_of(inner, run, KNOWN, package=PACKAGE)
    if name not in CLASSES:
        inner.refuse(f"{name} inside {_WARMUP} is not read")
    curve = CLASSES[name](arguments)
    arguments.done()
    inner.done()
    factor = config.number("warmup_factor")
    share = config.number("warmup_length", least=0, most=1)
    method = config.choice("warmup_method", ("linear", "constant"), "linear", what="warmup_method")
    rescale = config.flag("rescale_interval", False)
    return warmed(curve, factor, share, method, rescale, run)


def warmed(
    curve: Curve,
    factor: float,
    share: float,
    method: str,
    rescale: bool,
    run: Run,
    length: Length = None,
) -> list[Phase]:
    """A warmup over a share of the run, then the schedule.

    It starts at the factor times the first value and ends at the value that the schedule has there,
    which goes on as if it had begun with the run; with `rescale` it ends at the first value, and
    the schedule has the rest of the run.
    """
    start = factor * curve.at(0.0)
    end = curve.at(0.0) if rescale else curve.at(share)
    if share and not rescale and method == "linear":
        run.say("The warmup ends at the value that the schedule has there, which goes on from it.")
    ramp = line(start, end if method == "linear" else start)
    if method == "constant":
        ramp = Smooth(lambda where: start, lambda scale: constant(scale * start))
    if share >= 1:
        return [Phase(ramp, 1.0, True)]
    after = Phase(curve, 1 - share, rescale)
    return [Phase(ramp, share, True, length), after] if share else [after]
