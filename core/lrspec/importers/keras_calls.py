"""Keras's schedules and optimizers as calls in Python text, turned into what Keras serializes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lrspec.hints import closest, did_you_mean
from lrspec.importing.calls import Call, NotKnownError, Value, arguments, parse_value, plain
from lrspec.shorten import listed, quoted
from lrspec.source import Json

# The schedules with their parameters, in their order.
SIGNATURES: Mapping[str, Sequence[str]] = {
    "CosineDecay": (
        *("initial_learning_rate", "decay_steps", "alpha", "name"),
        *("warmup_target", "warmup_steps"),
    ),
    "CosineDecayRestarts": (
        *("initial_learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha", "name"),
    ),
    "ExponentialDecay": (
        *("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name"),
    ),
    "InverseTimeDecay": (
        *("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name"),
    ),
    "PiecewiseConstantDecay": ("boundaries", "values", "name"),
    "PolynomialDecay": (
        *("initial_learning_rate", "decay_steps", "end_learning_rate", "power", "cycle", "name"),
    ),
}
_OPTIMIZERS = (
    *("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion"),
    *("Muon", "Nadam", "RMSprop", "SGD"),
)
# What an optimizer is told that says when its schedule is read, and by what it is multiplied.
_BESIDE = ("decay", "gradient_accumulation_steps")


def of_text(text: str) -> dict[str, Json]:
    """What Keras would serialize of a schedule, of an optimizer with one, or of a `compile`.

    Raises ValueError, whose text says what else was found.
    """
    found = _serialized(parse_value(text))
    return found if isinstance(found, dict) else {"learning_rate": found}


def _serialized(value: Value) -> Json:
    if not isinstance(value, Call):
        return plain(value, {})
    name = value.name.rpartition(".")[2]
    if name in SIGNATURES:
        given = arguments(value, SIGNATURES[name])
        return {"class_name": name, "config": {key: plain(v, {}) for key, v in given.items()}}
    if "optimizer" in value.kwargs:
        optimizer = value.kwargs["optimizer"]
        if not isinstance(optimizer, Call):
            raise ValueError("the optimizer is only named, and with it no rate")
        return _serialized(optimizer)
    if name == "LossScaleOptimizer" and value.args:
        return _serialized(value.args[0])
    if name not in _OPTIMIZERS:
        known = sorted(SIGNATURES)
        message = f"{quoted(value.name)} is not known; known are {listed(known)}"
        raise NotKnownError(message, did_you_mean(closest(name, known)))
    first = Call(value.name, value.args[:1], value.kwargs)
    given = arguments(first, ("learning_rate",))
    if "learning_rate" not in given:
        raise ValueError(f"{name} is given no learning_rate")
    config = {key: plain(given[key], {}) for key in _BESIDE if key in given}
    config["learning_rate"] = _serialized(given["learning_rate"])
    return {"class_name": name, "config": config}
