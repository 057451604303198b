"""The schedules of praxis become documents with the values that they give."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.praxis import load

Formula = Callable[[int], float]


def between(step: float, start: float, limit: float) -> float:
    """The share of the way from start to limit."""
    return min(max((step - start) / (limit - start), 0.0), 1.0)


def half_cosine(u: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * u))


def ramp(step: int, fall: Callable[[float], float]) -> float:
    """Up to 2 over 10 steps, and down again from step 15 to 55."""
    if step < 10:
        return 2 * step / 10
    return 2.0 if step < 15 else fall(between(step, 15, 55))


def noam(n: float, warmup: int) -> float:
    return 0.125 * min(n * math.pow(warmup, -1.5), math.pow(n, -0.5))


POINTS = {"start": (5, 1.0), "limit": (45, 0.1)}
RAMP = {"warmup_steps": 10, "decay_start": 15, "decay_end": 55, "min_ratio": 0.1, "max": 2.0}
CURVES: dict[str, tuple[dict[str, Any], Formula]] = {
    "Constant": ({"value": 0.5}, lambda s: 0.5),
    "Linear": (POINTS, lambda s: 1 - 0.9 * between(s, 5, 45)),
    "Linear from 0": ({"limit": [30, 3]}, lambda s: 1 + 2 * between(s, 0, 30)),
    "Polynomial": ({**POINTS, "power": 3}, lambda s: 1 - 0.9 * between(s, 5, 45) ** 3),
    "Polynomial to its limit": (
        {**POINTS, "power": 3, "origin": "limit"},
        lambda s: 0.1 + 0.9 * (1 - between(s, 5, 45)) ** 3,
    ),
    "Exponential": (POINTS, lambda s: math.pow(0.1, between(s, 5, 45))),
    "DelayedCosine": (POINTS, lambda s: 0.1 + 0.9 * half_cosine(between(s, 5, 45))),
    "Cosine": (
        {"initial_value": 1.5, "final_value": 0.5, "total_steps": 60},
        lambda s: 0.5 + half_cosine(between(s, 0, 60)),
    ),
    "ContinuousSchedule": (
        {"initial_value": 2, "start_step": 10, "half_life_steps": 8, "min": 0.1},
        lambda s: max(2 * math.pow(0.5, max(s - 10, 0) / 8), 0.2),
    ),
    "LinearRampupPolynomialDecay": (
        {**RAMP, "power": 2},
        lambda s: ramp(s, lambda u: 2 - 1.8 * u**2),
    ),
    "LinearRampupCosineDecay": (RAMP, lambda s: ramp(s, lambda u: 0.2 + 1.8 * half_cosine(u))),
    "LinearRampupCosineDecay that waits": (
        {**RAMP, "start_step": 7},
        lambda s: 1.0 if s < 7 else ramp(s - 7, lambda u: 0.2 + 1.8 * half_cosine(u)),
    ),
    "LinearRampupExponentialDecay": (
        RAMP,
        lambda s: ramp(s, lambda u: 2 * math.pow(0.1, u)),
    ),
    "LinearRampupCosineDecay at once": (
        {"decay_end": 20, "max": 1},
        lambda s: 0.01 + 0.99 * half_cosine(between(s, 0, 20)),
    ),
    "PiecewiseConstant": (
        {"boundaries": [0, 10, 30, 30], "values": [9, 1, 0.5, 7, 0.1]},
        lambda s: 1.0 if s < 10 else 0.5 if s < 30 else 0.1,
    ),
    "PiecewiseConstant that passes over 0": (
        {"boundaries": [10, 20, 30], "values": [1, 0, 0.5, 0]},
        lambda s: 1.0 if s < 10 else 0.5 if s < 30 else 0.0,
    ),
    "PiecewiseConstant with 0 before the last": (
        {"boundaries": [10, 20], "values": [1, 0, 0.5]},
        lambda s: 1.0 if s < 10 else 0.0 if s < 20 else 0.5,
    ),
    "PiecewiseConstant of one": ({"boundaries": [], "values": [2]}, lambda s: 2.0),
    "LinearRampupPiecewiseConstant": (
        {"boundaries": [10, 20, 50], "values": [2, 0.5, 0.1]},
        lambda s: 2 * s / 10 if s < 10 else 2.0 if s < 20 else 0.5 if s < 50 else 0.1,
    ),
    "LinearRampupSqrtDecay": (
        {"peak": 2, "warmup_steps": 10},
        lambda s: 2 * min(max(s, 1) / 10, math.sqrt(10 / max(s, 1))),
    ),
    "LinearRampupSqrtDecay of one step": (
        {"warmup_steps": 1},
        lambda s: 1 / math.sqrt(max(s, 1)),
    ),
    "Transformer": (
        {"warmup_steps": 5, "model_dim": 64, "worker_replicas": 2},
        lambda s: noam(s + 1, 10),
    ),
    "Transformer with an end": (
        {"warmup_steps": 10, "model_dim": 64, "decay_end": 40},
        lambda s: noam(min(s, 40) + 1, 10),
    ),
    "Transformer with an early end": (
        {"warmup_steps": 10, "model_dim": 64, "decay_end": 4},
        lambda s: noam(min(s, 4) + 1, 10),
    ),
    "SqrtDecay": (
        {"decay_start": 16, "multiplier": 2, "offset": 4.5},
        lambda s: 2 / math.sqrt(max(s - 4.5, 16)),
    ),
    "SqrtDecay that has begun": (
        {"decay_start": 16, "offset": -30},
        lambda s: 1 / math.sqrt(s + 30),
    ),
    "PiecewiseSchedule": (
        {
            "boundaries": [10, 30, 40, 55],
            "schedules": [
                "Linear((0, 0.), (20, 1.))",
                {"name": "Exponential", "start": (0, 1), "limit": (40, 0.1)},
                "Transformer(warmup_steps=4, model_dim=64, decay_end=7)",
                "Transformer(4, 64, decay_end=2)",
                "schedules.PiecewiseConstant(boundaries=[5], values=[1, 2])",
            ],
        },
        lambda s: (
            s / 20
            if s < 10
            else math.pow(0.1, (s - 10) / 40)
            if s < 30
            else noam(min(s - 30, 7) + 1, 4)
            if s < 40
            else noam(min(s - 40, 2) + 1, 4)
            if s < 55
            else 1.0
            if s < 60
            else 2.0
        ),
    ),
    "PiecewiseSchedule without an end": (
        {"boundaries": [3], "schedules": [1, "Transformer(warmup_steps=4, model_dim=64)"]},
        lambda s: 1.0 if s < 3 else noam(s - 2, 4),
    ),
    "CycleSchedule": (
        {"schedules": ["Constant(0.5)", "Linear((0, 0), (40, 1))", 2, 3], "steps": [5, 3, 0, 2]},
        lambda s: 0.5 if s % 10 < 5 else min(s / 40, 1) if s % 10 < 8 else 3.0,
    ),
    "CycleSchedule of constants": (
        {"schedules": [1, 1, 2], "steps": [2, 3, 1]},
        lambda s: 1.0 if s % 6 < 5 else 2.0,
    ),
    "CycleSchedule of one": (
        {"schedules": ["LinearRampupSqrtDecay(1, 10)"], "steps": [7]},
        lambda s: min(max(s, 1) / 10, math.sqrt(10 / max(s, 1))),
    ),
    "CycleSchedule of one constant": ({"schedules": [3], "steps": [7]}, lambda s: 3.0),
}


@pytest.mark.parametrize("name", CURVES)
def test_every_class(name: str) -> None:
    config, formula = CURVES[name]
    class_ = name.partition(" ")[0]
    assert_curve(load(config, schedule=class_), formula, range(100))
    # As an optimizer has it, times its rate.
    document = load({"learning_rate": 0.03, "lr_schedule": {"name": class_, **config}})
    assert_curve(document, lambda step: 0.03 * formula(step), range(100))


@pytest.mark.parametrize(
    "schedule",
    [
        "schedules.LinearRampupCosineDecay(warmup_steps=10, decay_start=20, decay_end=120, max=1)",
        "pax_fiddle.Config(schedules.LinearRampupCosineDecay, warmup_steps=10, decay_start=20,"
        " decay_end=120, max=1.0)",
        {"_target_": "praxis.schedules.LinearRampupCosineDecay", "warmup_steps": 10}
        | {"decay_start": 20, "decay_end": 120, "max": 1},
    ],
)
def test_the_schedule_of_an_optimizer(schedule: Any) -> None:
    config = {"optimizer": {"learning_rate": 1e-3, "beta1": 0.9, "lr_schedule": schedule}}
    document = load(config, steps=120)
    assert (
        body(document)
        == """\
lrspec: 1
base: 0.001
training: {steps: 120}
schedule:
- linear: {initial: 0, final: 1, length: 10}
- constant: {length: 10}
- cosine: {final: 0.01}
"""
    )
    assert document.origin == "praxis LinearRampupCosineDecay"
    assert document.notes == ()


def test_schedules_in_turn() -> None:
    config = {"schedules": ["Constant(1)", "Linear((0,0),(40,1))"], "steps": [5, 3]}
    assert (
        body(load(config, schedule="CycleSchedule"))
        == """\
lrspec: 1
schedule:
  sum:
    of:
    - repeat:
        period: 8
        schedule:
        - constant: {value: 1, length: 5}
        - constant: {value: 0}
    - product:
        of:
        - linear: {initial: 0, final: 1, length: 40}
        - repeat:
            period: 8
            schedule:
            - constant: {value: 0, length: 5}
            - constant: {value: 1}
"""
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Constant(1)", "There is no learning_rate here: the document gives multiples of it."),
        ("Transformer(4)", "The first step is at 1/4 of the peak, which is reached at step 3."),
        ("Polynomial((0, 1), (9, 0), 2)", "origin is start: the power is of what has passed"),
        (
            "LinearRampupPolynomialDecay(1, 2, 3, max=1, power=2)",
            "The power is of what has passed of the decay, not of what is left.",
        ),
        ("LinearRampupCosineDecay(1, 2, 3, max=1, start_step=4)", "Before start_step 4 it is 1"),
        ("PiecewiseConstant([1, 2], [0, 1, 2])", "praxis passes over a level that is not above 0"),
        ("LinearRampupSqrtDecay(1, 4)", "The first two steps have the same rate"),
    ],
)
def test_notes(text: str, note: str) -> None:
    assert any(note in found for found in load({}, schedule=text).notes)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("Cosin()", "unknown-schedule", "'Cosin' is not known; known are"),
        ("lambda step: 1", "not-importable", "the schedule is code of the user"),
        ("Cosine()", "missing-field", "'total_steps' is required"),
        ("Cosine(total_steps=0)", "out-of-range", "expected more than 0, found 0"),
        ("Cosine(total=9)", "missing-field", "'total_steps' is required"),
        ("Linear((0, 1), (0, 2))", "out-of-range", "the limit comes after the start"),
        ("Linear((-1, 1), (5, 2))", "out-of-range", "which is not before 0: -1, 5"),
        ("Linear(0, (5, 2))", "wrong-type", "expected a step and a value, found 1 numbers"),
        ("Linear((0, 1), (5, 2), origin='x')", "unknown-field", "'origin' is not known here"),
        ("Polynomial((0, 1), (5, 2), -1)", "out-of-range", "expected more than 0, found -1"),
        ("Polynomial((0, 1), (5, 2), 2, 'end')", "wrong-value", "unknown origin 'end'"),
        ("Exponential((0, 1), (5, 0))", "out-of-range", "both ends of an Exponential are more"),
        ("ContinuousSchedule(min=1)", "out-of-range", "expected less than 1, found 1"),
        ("LinearRampupCosineDecay(1, 2, 3)", "missing-field", "'max' is required"),
        ("LinearRampupCosineDecay(3, 2, 5, max=1)", "out-of-range", "rise, found 3, 2, 5"),
        ("LinearRampupExponentialDecay(1, 2, 3, 0, 1)", "out-of-range", "expected more than 0"),
        ("PiecewiseConstant([1], [1])", "values-number", "found 1 boundaries and 1 values"),
        ("PiecewiseConstant([2, 1], [1, 2, 3])", "boundaries-order", "have to rise"),
        ("LinearRampupPiecewiseConstant([1], [1, 2])", "values-number", "found 1 and 2"),
        ("LinearRampupPiecewiseConstant([0], [1])", "out-of-range", "ends the rise, and is at"),
        ("Transformer(0)", "out-of-range", "expected at least 1, found 0"),
        ("SqrtDecay(0)", "out-of-range", "expected more than 0, found 0"),
        ("CycleSchedule([1], [1, 2])", "values-number", "as many steps as schedules"),
        ("CycleSchedule([1], [0])", "out-of-range", "a cycle has at least one step"),
        ("PiecewiseSchedule([1], [1])", "values-number", "1 schedules take 0 boundaries, found 1"),
        ("PiecewiseSchedule([], ['f()'])", "unknown-schedule", "'f' is not known"),
    ],
)
def test_what_is_refused(text: str, code: str, message: str) -> None:
    problem = refused(load, {}, schedule=text)
    assert (problem.code, message in problem.message) == (code, True), problem


def test_hints() -> None:
    assert refused(load, {"name": "Transformers"}).hint == "did you mean 'Transformer'?"
    assert refused(load, {"name": "Constant", "valu": 1}).hint == "did you mean 'value'?"
    assert refused(load, {"model": {}}).message == "no schedule is named here"
    config = {"learning_rate": 1, "lr_schedule": "Constant(1)"}
    assert refused(load, config, base=2).code == "conflicting-fact"


@pytest.mark.parametrize("name", CURVES)
def test_any_value_is_refused_or_read(name: str) -> None:
    assert_survives(load, CURVES[name][0], schedule=name.partition(" ")[0])
    config = {"name": name.partition(" ")[0], **CURVES[name][0]}
    assert_survives(load, {"optimizer": {"learning_rate": 0.1, "lr_schedule": config}})
