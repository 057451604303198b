"""Keras: a schedule as it is serialized, alone or in an optimizer (keras/optimizers/schedules)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from lrspec.importers.keras_shapes import (
    Made,
    cosine_decay,
    cosine_restarts,
    exponential_decay,
    inverse_time,
    piecewise,
    polynomial_decay,
)
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, laid
from lrspec.importing.nodes import constant
from lrspec.importing.run import Run
from lrspec.importing.scale import largest
from lrspec.shorten import quoted

_MAKE: Mapping[str, Callable[[Config, Run], Made]] = {
    "CosineDecay": cosine_decay,
    "CosineDecayRestarts": cosine_restarts,
    "ExponentialDecay": exponential_decay,
    "InverseTimeDecay": inverse_time,
    "PiecewiseConstantDecay": piecewise,
    "PolynomialDecay": polynomial_decay,
}
_REFUSED: Mapping[str, str] = {
    "LearningRateScheduler": "LearningRateScheduler calls code of the user",
    "ReduceLROnPlateau": "ReduceLROnPlateau follows a metric of the run, not its steps",
}
_PARTS = ("compile_config", "optimizer", "optimizer_config")
_Found: TypeAlias = tuple[str, Made]


@importer("Keras")
def load(config: Config, run: Run) -> Imported:
    """The document of a schedule that Keras has serialized (`module`, `class_name`, `config`), of
    an optimizer with one in `learning_rate`, or of a model that is compiled with such a one."""
    if run.facts.get("base") is not None:
        config.fail("conflicting-fact", "the rates of Keras are absolute; there is no base beside")
    name, made = _read(config, run)
    schedule = laid(made.stages, run.steps())
    base = largest(schedule)
    return run.document(schedule, origin=name, base=base, steps=run.steps(), sample=made.sample)


def _read(config: Config, run: Run) -> _Found:
    """The schedule of a mapping, and its class."""
    # A model is a class as well.
    if "class_name" not in config or "compile_config" in config:
        for part in _PARTS:
            if part in config:
                config.ignore_rest()
                return _read(config.section(part), run)
        if run.schedule is not None:
            return _known(config, run.schedule), _MAKE[run.schedule](config, run)
    name = config.text("class_name")
    section = config.section("config", {})
    if name not in _MAKE and "learning_rate" in section:
        config.ignore_rest()
        return _rate(section, run)
    if run.schedule is not None and run.schedule != name:
        message = f"the class is {quoted(name)} here and {quoted(run.schedule)} beside"
        config.fail("conflicting-fields", message, "class_name")
    config.ignore("registered_name", "build_config", "shared_object_id")
    if not config.text("module", "keras").startswith(("keras", "tf_keras", "tensorflow")):
        config.refuse(f"{quoted(name)} is a class of the user, which no document states")
    made = _MAKE[_known(config, name)](section, run)
    section.done()
    config.done()
    return name, made


def _known(config: Config, name: str) -> str:
    if name in _REFUSED:
        config.refuse(_REFUSED[name])
    inner = config.inner({"class_name": name})
    return inner.choice("class_name", _MAKE, what="schedule", code="unknown-schedule")


def _rate(config: Config, run: Run) -> _Found:
    """The `learning_rate` of an optimizer."""
    config.ignore_rest()
    if (config.optional_whole("gradient_accumulation_steps", least=1) or 1) > 1:
        config.refuse(
            "with gradient_accumulation_steps Keras reads its schedule at every batch and not at"
            " every update, which no document states",
            "gradient_accumulation_steps",
        )
    if isinstance(config.raw("learning_rate"), dict):
        return _read(config.section("learning_rate"), run)
    return "constant learning_rate", Made([Stage(constant(config.number("learning_rate")))])
