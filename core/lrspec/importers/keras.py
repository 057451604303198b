"""Keras: a schedule as it is serialized, alone or in an optimizer (keras/optimizers/schedules)."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lrspec.importers.keras_calls import of_text
from lrspec.importers.keras_shapes import (
    Made,
    cosine_decay,
    cosine_restarts,
    exponential_decay,
    inverse_time,
    piecewise,
    polynomial_decay,
)
from lrspec.importing.calls import NotKnownError
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, laid
from lrspec.importing.nodes import constant, power_law, product
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
_PARTS = (
    *("compile_config", "training_config", "optimizer", "optimizer_config", "inner_optimizer"),
)
# The rate of an optimizer, and what Keras 2 called it at first.
_RATES = ("learning_rate", "lr")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
# Far enough below the largest number of float32.
_LARGEST = 1e38
_Found: TypeAlias = tuple[str, Made]


@importer("Keras", text=of_text)
def load(config: Config, run: Run) -> Imported:
    """The document of a schedule that Keras has serialized (`module`, `class_name`, `config`), of
    an optimizer with one in `learning_rate`, or of a model that is compiled with such a one; or of
    the call that makes one of them."""
    if run.facts.get("base") is not None:
        config.fail("conflicting-fact", "the rates of Keras are absolute; there is no base beside")
    name, made = _read(config, run)
    schedule = laid(made.stages, run.steps())
    base = largest(schedule)
    return run.document(schedule, origin=name, base=base, steps=run.steps(), sample=made.sample)


def _read(config: Config, run: Run) -> _Found:
    """The schedule of a mapping, and its class."""
    beside = run.schedule
    if beside is not None and not _NAME.fullmatch(beside):
        try:
            data = of_text(beside)
        except ValueError as error:
            hint = error.hint if isinstance(error, NotKnownError) else None
            config.fail("unknown-schedule", str(error), hint=hint)
        return _read_mapping(config.inner(data), run, None)
    return _read_mapping(config, run, None if beside is None else beside.rpartition(".")[2])


def _read_mapping(config: Config, run: Run, beside: str | None) -> _Found:
    """As `_read`, where `beside` is the class that the caller names."""
    # A model is a class as well.
    if "class_name" not in config or "compile_config" in config:
        for part in _PARTS:
            if part in config:
                config.ignore_rest()
                return _read_mapping(config.section(part), run, beside)
        if any(key in config for key in _RATES):
            return _rate(config, run, beside)
        if beside is not None:
            return _known(config, beside), _MAKE[beside](config, run)
        hint = "Keras serializes one as class_name and config; --schedule names the class"
        config.fail("missing-field", "no schedule is named here", hint=hint)
    name = config.text("class_name")
    section = config.section("config", {})
    if name not in _MAKE and "inner_optimizer" in section:
        config.ignore_rest()
        section.ignore_rest()
        return _read_mapping(section.section("inner_optimizer"), run, beside)
    if name not in _MAKE and any(key in section for key in _RATES):
        config.ignore_rest()
        return _rate(section, run, beside)
    if beside is not None and beside != name:
        message = f"the class is {quoted(name)} here and {quoted(beside)} beside"
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


def _rate(config: Config, run: Run, beside: str | None) -> _Found:
    """The `learning_rate` of an optimizer."""
    config.ignore_rest()
    if (config.optional_whole("gradient_accumulation_steps", least=1) or 1) > 1:
        config.refuse(
            "with gradient_accumulation_steps Keras reads its schedule at every batch and not at"
            " every update, which no document states",
            "gradient_accumulation_steps",
        )
    key = next(key for key in _RATES if key in config)
    decay = config.number("decay", 0.0, least=0)
    if isinstance(config.raw(key), dict):
        name, made = _read_mapping(config.section(key), run, beside)
        rate = None
    else:
        rate = _shortened(config.number(key), run)
        name, made = "constant learning_rate", Made([Stage(constant(rate))])
    if not decay:
        return name, made
    if made.sample != "start":
        config.refuse("no document states a PolynomialDecay with cycle over 1 + decay·s", "decay")
    run.say(f"The rate is divided by 1 + {decay:g}·s: decay of an optimizer of Keras 2.")
    fall = power_law(rate, 1 / decay, 1)
    node = product(laid(made.stages), fall) if rate is None else fall
    return f"{name} with decay", Made([Stage(node)])


def _shortened(rate: float, run: Run) -> float:
    """The shortest number that is the rate in float32, as which Keras keeps one."""
    for digits in range(1, 10):
        short = float(f"{rate:.{digits}g}")
        if abs(rate) < _LARGEST and struct.pack("f", short) == struct.pack("f", rate):
            break
    else:
        return rate
    if short == rate or struct.unpack("f", struct.pack("f", rate))[0] != rate:
        return rate
    run.say(f"learning_rate {rate!r} is {short:g} in float32, as Keras keeps it.")
    return short
