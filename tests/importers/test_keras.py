"""Keras's serialized schedules become documents with the rates that they give."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.keras import load


def serialized(class_name: str, **config: Any) -> dict[str, Any]:
    return {
        "module": "keras.optimizers.schedules",
        "class_name": class_name,
        "config": {**config, "name": class_name},
        "registered_name": None,
    }


def half_cosine(u: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * u))


def restarted(step: int, first: float, t_mul: float, m_mul: float, alpha: float) -> float:
    height, length, start = 1.0, first, 0.0
    while step >= start + length:
        start, length, height = start + length, length * t_mul, height * m_mul
    return (1 - alpha) * height * half_cosine((step - start) / length) + alpha


def cycled(step: int, length: float, power: float) -> float:
    whole = length * max(math.ceil(step / length), 1)
    return 0.1 + 0.4 * math.pow(1 - step / whole, power)


DECAY = {"initial_learning_rate": 0.5, "decay_steps": 20}
CURVES: dict[str, tuple[dict[str, Any], Callable[[int], float]]] = {
    "ExponentialDecay": (
        {**DECAY, "decay_rate": 0.9, "decay_steps": 7.5},
        lambda s: 0.5 * math.pow(0.9, s / 7.5),
    ),
    "ExponentialDecay in stairs": (
        {**DECAY, "decay_rate": 0.9, "staircase": True},
        lambda s: 0.5 * math.pow(0.9, s // 20),
    ),
    "ExponentialDecay of 1": ({**DECAY, "decay_rate": 1}, lambda s: 0.5),
    "InverseTimeDecay": ({**DECAY, "decay_rate": 3}, lambda s: 0.5 / (1 + 3 * s / 20)),
    "InverseTimeDecay in stairs": (
        {**DECAY, "decay_rate": 3, "staircase": True},
        lambda s: 0.5 / (1 + 3 * (s // 20)),
    ),
    "InverseTimeDecay of 0": ({**DECAY, "decay_rate": 0}, lambda s: 0.5),
    "PiecewiseConstantDecay": (
        {"boundaries": [10, 30], "values": [1, 0.1, 0.2]},
        lambda s: 1.0 if s <= 10 else 0.1 if s <= 30 else 0.2,
    ),
    "PolynomialDecay": (DECAY, lambda s: 0.5 - 0.4999 * min(s / 20, 1)),
    "PolynomialDecay of a power": (
        {**DECAY, "end_learning_rate": 0.1, "power": 2.5},
        lambda s: 0.1 + 0.4 * math.pow(1 - min(s / 20, 1), 2.5),
    ),
    "PolynomialDecay of power 0": ({**DECAY, "power": 0}, lambda s: 0.5),
    "PolynomialDecay with cycle": (
        {**DECAY, "end_learning_rate": 0.1, "power": 2, "cycle": True},
        lambda s: cycled(s, 20, 2),
    ),
    "PolynomialDecay with a cycle of half steps": (
        {**DECAY, "decay_steps": 7.5, "end_learning_rate": 0.1, "cycle": True},
        lambda s: cycled(s, 7.5, 1),
    ),
    "CosineDecay": (
        {**DECAY, "alpha": 0.1, "warmup_steps": 5},
        lambda s: 0.5 * (0.9 * half_cosine(min(s / 20, 1)) + 0.1),
    ),
    "CosineDecay with warmup": (
        {**DECAY, "alpha": 0.1, "warmup_steps": 4.5, "warmup_target": 2},
        lambda s: (
            0.5 + 1.5 * s / 4.5
            if s < 4.5
            else 2 * (0.9 * half_cosine(min((s - 4.5) / 20, 1)) + 0.1)
        ),
    ),
    "CosineDecayRestarts": (
        {"initial_learning_rate": 1, "first_decay_steps": 7},
        lambda s: restarted(s, 7, 2, 1, 0),
    ),
    "CosineDecayRestarts that shrink": (
        {"initial_learning_rate": 1, "first_decay_steps": 7, "t_mul": 1.0}
        | {"m_mul": 0.7, "alpha": 0.2},
        lambda s: restarted(s, 7, 1, 0.7, 0.2),
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_every_class(name: str) -> None:
    config, formula = CURVES[name]
    document = load(serialized(name.partition(" ")[0], **config), steps=100)
    assert_curve(document, formula, range(101))
    assert load(config, schedule=name.partition(" ")[0], steps=100) == document


COSINE = serialized(
    "CosineDecay",
    initial_learning_rate=0.0,
    decay_steps=900,
    alpha=0.1,
    warmup_target=1e-3,
    warmup_steps=100,
)
ADAM = {
    "module": "keras.optimizers",
    "class_name": "AdamW",
    "config": {"name": "adamw", "learning_rate": COSINE, "weight_decay": 0.004, "clipnorm": None},
    "registered_name": None,
}


@pytest.mark.parametrize(
    "config",
    [
        COSINE,
        ADAM,
        {"module": "keras", "class_name": "Functional", "compile_config": {"optimizer": ADAM}}
        | {"class_name": None},
    ],
)
def test_a_schedule_wherever_it_is_serialized(config: dict[str, Any]) -> None:
    document = load(config, steps=1000)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.001
training: {steps: 1000}
schedule:
- linear: {initial: 0, final: 1, length: 100}
- cosine: {final: 0.1}
"""
    )
    assert document.origin == "Keras CosineDecay"


def test_restarts_over_a_floor() -> None:
    config = serialized(
        "CosineDecayRestarts", initial_learning_rate=0.1, first_decay_steps=10, m_mul=0.5, alpha=0.1
    )
    assert (
        body(load(config))
        == """\
lrspec: 1
base: 0.1
schedule:
  repeat:
    period: 10
    stretch: 2
    shrink: 0.5
    toward: 0.1
    schedule:
      cosine: {initial: 1, final: 0.1}
"""
    )


def test_a_polynomial_with_cycle() -> None:
    config = serialized("PolynomialDecay", **DECAY, end_learning_rate=0.1, cycle=True)
    assert (
        body(load(config, steps=40))
        == """\
lrspec: 1
base: 0.5
sample: end
training: {steps: 40}
schedule:
- constant: {value: 1, length: 1}
- linear: {final: 0.2, length: 20}
- linear: {initial: 0.6, final: 0.2, length: 20}
"""
    )


def test_a_rate_alone() -> None:
    optimizer = {"class_name": "SGD", "config": {"learning_rate": 0.01, "momentum": 0.9}}
    assert load(optimizer).bind()(7) == 0.01


@pytest.mark.parametrize(
    ("name", "config", "note"),
    [
        ("PolynomialDecay", DECAY, "end_learning_rate is left out and is 0.0001, the default of"),
        ("CosineDecay", {**DECAY, "warmup_steps": 3}, "warmup_steps stands without warmup_target"),
        ("PiecewiseConstantDecay", {"boundaries": [3.5], "values": [1, 2]}, "are truncated to"),
        ("PiecewiseConstantDecay", {"boundaries": [3], "values": [1, 2]}, "A boundary still has"),
        (
            "CosineDecayRestarts",
            {"initial_learning_rate": 1, "first_decay_steps": 7},
            "Keras finds the periods by logarithms of float32",
        ),
    ],
)
def test_notes(name: str, config: dict[str, Any], note: str) -> None:
    assert any(note in found for found in load(serialized(name, **config)).notes)


@pytest.mark.parametrize(
    ("name", "config", "code", "message"),
    [
        ("CosineDecays", DECAY, "unknown-schedule", "unknown schedule 'CosineDecays'; known are"),
        ("ReduceLROnPlateau", {}, "not-importable", "follows a metric of the run, not its steps"),
        ("LearningRateScheduler", {}, "not-importable", "calls code of the user"),
        ("CosineDecay", {}, "missing-field", "'initial_learning_rate' is required"),
        ("CosineDecay", {**DECAY, "decay_steps": 0}, "out-of-range", "expected more than 0"),
        ("CosineDecay", {**DECAY, "alpah": 1}, "unknown-field", "'alpah' is not known here"),
        ("ExponentialDecay", {**DECAY, "decay_rate": 0}, "out-of-range", "expected more than 0"),
        ("InverseTimeDecay", {**DECAY, "decay_rate": -1}, "not-importable", "grows beyond all"),
        ("PolynomialDecay", {**DECAY, "power": -1}, "not-importable", "the rate is infinite"),
        ("PolynomialDecay", {**DECAY, "cycle": True}, "missing-fact", "as many stages as periods"),
        (
            "PiecewiseConstantDecay",
            {"boundaries": [], "values": [1]},
            "values-number",
            "found 0 boundaries and 1 values",
        ),
        (
            "PiecewiseConstantDecay",
            {"boundaries": [3.2, 3.5], "values": [1, 2, 3]},
            "boundaries-order",
            "have to rise",
        ),
        (
            "CosineDecayRestarts",
            {"initial_learning_rate": 1, "first_decay_steps": 7, "t_mul": 0.5},
            "not-importable",
            "the periods come to an end, and Keras gives NaN",
        ),
    ],
)
def test_what_is_refused(name: str, config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, serialized(name, **config))
    assert (problem.code, message in problem.message) == (code, True), problem


@pytest.mark.parametrize(
    ("config", "options", "code", "message"),
    [
        ({"layers": []}, {}, "missing-field", "no schedule is named here"),
        (COSINE, {"base": 1}, "conflicting-fact", "the rates of Keras are absolute"),
        (COSINE, {"schedule": "PolynomialDecay"}, "conflicting-fields", "'CosineDecay' here and"),
        ({**COSINE, "x": 1}, {}, "unknown-field", "'x' is not known here"),
        ({**COSINE, "module": "my_project"}, {}, "not-importable", "is a class of the user"),
        (
            {**ADAM, "config": {"learning_rate": COSINE, "gradient_accumulation_steps": 4}},
            {},
            "not-importable",
            "with gradient_accumulation_steps Keras reads its schedule at every batch",
        ),
        (
            serialized("PolynomialDecay", **DECAY, cycle=True),
            {"steps": 10**9},
            "not-importable",
            "cycle makes 50000000 periods",
        ),
    ],
)
def test_configurations_that_are_refused(
    config: dict[str, Any], options: dict[str, Any], code: str, message: str
) -> None:
    problem = refused(load, config, **options)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_a_misspelt_class_is_suggested() -> None:
    assert refused(load, serialized("CosineDecays", **DECAY)).hint == "did you mean 'CosineDecay'?"


@pytest.mark.parametrize("name", CURVES)
def test_any_value_is_refused_or_read(name: str) -> None:
    assert_survives(load, serialized(name.partition(" ")[0], **CURVES[name][0]), steps=50)


def test_any_optimizer_is_refused_or_read() -> None:
    assert_survives(load, {"optimizer": ADAM})


def test_a_whole_model() -> None:
    inner = {"initial_learning_rate": 0.1, "decay_steps": 10}
    rate = {"module": "keras.optimizers.schedules", "class_name": "CosineDecay", "config": inner}
    optimizer = {
        "module": "keras.optimizers",
        "class_name": "SGD",
        "config": {"learning_rate": rate},
    }
    model = {
        "module": "keras",
        "class_name": "Sequential",
        "config": {"name": "sequential", "layers": []},
        "registered_name": None,
        "build_config": {"input_shape": [None, 3]},
        "compile_config": {"optimizer": optimizer, "loss": "mse"},
    }
    assert load(model) == load(rate)


SGD = "keras.optimizers.SGD"
LEGACY = {"class_name": "SGD", "config": {"learning_rate": 0.01, "decay": 0.1, "momentum": 0.9}}


CALLS: list[tuple[str, Callable[[int], float]]] = [
    ("keras.optimizers.schedules.CosineDecay(0.1, 8 * 5)", lambda s: 0.1 * half_cosine(s / 40)),
    (
        f"{SGD}(keras.optimizers.schedules.PiecewiseConstantDecay([20], [0.1, 0.01]))",
        lambda s: 0.1 if s <= 20 else 0.01,
    ),
    (f"{SGD}(1e-3, momentum=0.9)", lambda s: 1e-3),
    (f"mixed_precision.LossScaleOptimizer({SGD}(learning_rate=1e-3))", lambda s: 1e-3),
    ("tf.keras.optimizers.legacy.Adam(0.1, decay=0.5)", lambda s: 0.1 / (1 + 0.5 * s)),
    ("0.5", lambda s: 0.5),
]


@pytest.mark.parametrize(("text", "formula"), CALLS)
def test_calls(text: str, formula: Callable[[int], float], tmp_path: Path) -> None:
    assert_curve(load({}, schedule=text), formula, range(40))
    path = tmp_path / "train.py"
    path.write_text(f"import keras\nrate = {text}\n", "utf-8")
    assert_curve(load(path), formula, range(40))


def test_a_script_that_compiles_a_model(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "import keras\n"
        "steps = 100\n"
        "rate = keras.optimizers.schedules.CosineDecay(0.1, decay_steps=steps, alpha=0.5)\n"
        "model = keras.Sequential([keras.layers.Dense(1)])\n"
        "model.compile(optimizer=keras.optimizers.AdamW(rate), loss='mse')\n",
        "utf-8",
    )
    assert body(load(path)) == (
        "lrspec: 1\nbase: 0.1\nschedule:\n  cosine: {initial: 1, final: 0.5, length: 100}\n"
    )


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "model.compile(optimizer='adam')",
            "the optimizer is only named, and with it no rate",
            None,
        ),
        ("Foo(1)", "'Foo' is not known; known are CosineDecay", None),
        ("CosinDecay(1, 2)", "'CosinDecay' is not known", "did you mean 'CosineDecay'?"),
        ("lambda s: 1", "'lambda s: 1' is neither a call nor a plain value", None),
    ],
)
def test_calls_that_are_refused(text: str, message: str, hint: str | None) -> None:
    problem = refused(load, {}, schedule=text)
    assert (problem.code, problem.hint) == ("unknown-schedule", hint)
    assert problem.message.startswith(message)
    accumulating = "keras.optimizers.SGD(0.1, gradient_accumulation_steps=2)"
    assert refused(load, {}, schedule=accumulating).code == "not-importable"
    assert refused(load, {}, schedule="SGD()").message == "SGD is given no learning_rate"


def test_the_decay_of_an_optimizer_of_keras_2() -> None:
    document = load(LEGACY)
    assert body(document) == (
        "lrspec: 1\nbase: 0.01\nschedule:\n  power_law: {initial: 1, timescale: 10, exponent: 1}\n"
    )
    assert document.notes == (
        "The rate is divided by 1 + 0.1·s: decay of an optimizer of Keras 2.",
    )
    stairs = serialized("ExponentialDecay", **DECAY, decay_rate=0.5, staircase=True)
    config: dict[str, Any] = {"learning_rate": stairs, "decay": 0.1}
    assert_curve(load(config), lambda s: 0.5 * 0.5 ** (s // 20) / (1 + 0.1 * s), range(60))
    cycle = serialized("PolynomialDecay", **DECAY, cycle=True)
    assert refused(load, {**config, "learning_rate": cycle}, steps=50).path == "/decay"


@pytest.mark.parametrize(
    "config",
    [
        {"name": "adam", "learning_rate": 0.001, "beta_1": 0.9},
        {"class_name": "Adam", "config": {"lr": 0.001, "decay": 0.0}},
        {"training_config": {"optimizer_config": {"config": {"lr": 0.001}, "class_name": "Adam"}}},
        {"class_name": "LossScaleOptimizer", "config": {"inner_optimizer": {"lr": 0.001}}},
        {"inner_optimizer": {"class_name": "Adam", "config": {"learning_rate": 0.001}}},
    ],
)
def test_other_places_of_a_rate(config: dict[str, Any]) -> None:
    assert load(config).bind()(9) == 0.001


def test_a_rate_of_float32_is_short() -> None:
    document = load({"class_name": "Adam", "config": {"learning_rate": 0.0010000000474974513}})
    assert body(document) == "lrspec: 1\nbase: 0.001\nschedule:\n  constant: {value: 1}\n"
    assert document.notes == (
        "learning_rate 0.0010000000474974513 is 0.001 in float32, as Keras keeps it.",
    )
    for rate in (0.0010000000474, 0.5, 1e300, 1 / 3):
        assert load({"class_name": "Adam", "config": {"learning_rate": rate}}).notes == ()


def test_the_class_with_its_modules() -> None:
    document = load(DECAY, schedule="keras.optimizers.schedules.CosineDecay")
    assert document.bind()(10) == pytest.approx(0.25)
