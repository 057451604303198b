"""Documents that the schema accepts: every kind, every field, every root key, every unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]
Judge = Callable[[object], list[tuple[str, str]]]

HOLD: Document = {"constant": {"value": 1}}
FALL: Document = {"cosine": {"initial": 1, "final": 0}}
SPAN = {"length": 10}

SCHEDULES: dict[str, object] = {
    "constant": {"constant": {"value": 0.5, "length": 10}},
    "constant without fields": {"constant": {}},
    "constant without a body": {"constant": None},
    "constant until": {"constant": {"until": "50%"}},
    "constant of length 0": {"constant": {"length": 0}},
    "linear": {"linear": {"initial": 0, "final": 1, "after": "extend", "length": 10}},
    "linear to a negative value": {"linear": {"final": -1}},
    "cosine": {
        "cosine": {"initial": 1, "final": 0, "exponent": 2, "after": "hold", "until": 10},
    },
    "polynomial": {
        "polynomial": {
            "initial": 1,
            "final": 0,
            "power": 0.5,
            "origin": "initial",
            "after": "extend",
            "length": "20%",
        },
    },
    "polynomial from its final value": {
        "polynomial": {"final": 0, "power": 2, "origin": "final"},
    },
    "geometric": {
        "geometric": {"initial": 1, "final": 0.1, "asymptote": 0, "after": "extend", **SPAN},
    },
    "geometric below its asymptote": {
        "geometric": {"initial": -2, "final": -1, "asymptote": 0.5},
    },
    "inverse": {"inverse": {"initial": 1, "final": 0.1, "asymptote": -0.5, **SPAN}},
    "exponential": {
        "exponential": {
            "initial": 1,
            "rate": 0.97,
            "every": "2.4 epochs",
            "staircase": True,
            **SPAN,
        },
    },
    "exponential that grows": {"exponential": {"rate": 2, "every": 1, "staircase": False}},
    "inverse_sqrt": {"inverse_sqrt": {"initial": 1, "timescale": 4000, "length": "1k steps"}},
    "power_law": {
        "power_law": {"initial": 1, "timescale": 100, "exponent": 0.33, "until": "1T tokens"},
    },
    "token_power": {
        "token_power": {
            "initial": 0.02,
            "amplitude": 4.6,
            "exponent": -0.51,
            "count_from": "stage",
            **SPAN,
        },
    },
    "token_power that rises": {
        "token_power": {"amplitude": 1, "exponent": 0.5, "count_from": "run"},
    },
    "piecewise_linear": {
        "piecewise_linear": {
            "boundaries": [0, "45%", "90%", "100%"],
            "values": [1e-5, 4e-3, 1e-5, 1e-6],
            "length": "50%",
        },
    },
    "piecewise_linear with one boundary": {
        "piecewise_linear": {"boundaries": [0], "values": [1]},
    },
    "piecewise_constant": {
        "piecewise_constant": {
            "boundaries": ["30 epochs", "60 epochs"],
            "values": [1, 0.1, 0.01],
            "until": "90 epochs",
        },
    },
    "repeat by period": {"repeat": {"schedule": FALL, "period": "10 epochs"}},
    "repeat by count": {"repeat": {"schedule": FALL, "count": 4}},
    "repeat": {
        "repeat": {
            "schedule": [FALL, HOLD],
            "period": 10,
            "count": 4,
            "stretch": 1.5,
            "shrink": 0.5,
            "toward": -0.1,
            "length": 100,
        },
    },
    "product": {"product": {"of": [FALL, HOLD], "length": "10%"}},
    "product of one": {"product": {"of": [FALL]}},
    "product of lists": {"product": {"of": [[FALL, HOLD], [HOLD]]}},
    "sum": {"sum": {"of": [FALL, HOLD], "until": "10%"}},
    "clamp from below": {"clamp": {"schedule": FALL, "minimum": 0.1}},
    "clamp from above": {"clamp": {"schedule": FALL, "maximum": 0.9}},
    "clamp": {"clamp": {"schedule": FALL, "minimum": -1, "maximum": 0, "length": 5}},
    "quantize": {"quantize": {"schedule": FALL, "every": "1 epoch", "length": 5}},
    "advance": {"advance": {"schedule": FALL, "by": "0.75 steps", "length": 5}},
    "advance to where it stands": {"advance": {"schedule": FALL}},
    "advance by nothing": {"advance": {"schedule": FALL, "by": 0}},
    "list": [HOLD, FALL, {"constant": None}],
    "list of lists": [[HOLD], [[FALL]]],
    "everything in everything": {
        "clamp": {
            "minimum": 0,
            "schedule": {
                "quantize": {
                    "every": 5,
                    "schedule": {"product": {"of": [{"advance": {"schedule": [FALL]}}]}},
                },
            },
        },
    },
}

TRAINING: dict[str, object] = {
    "no facts": {},
    "all facts": {
        "steps": 88004,
        "batch_size": 256,
        "sequence_length": 4096,
        "steps_per_epoch": 1251.5,
    },
    "steps as epochs": {"steps": "90 epochs"},
    "steps as tokens": {"steps": "300B tokens"},
    "steps as text": {"steps": "100k steps"},
    "steps as a whole float": {"steps": 1e5},
    "a batch schedule": {
        "batch_size": [{"start": 0, "value": 128}, {"start": 1000, "value": 256}],
    },
}

ROOTS: dict[str, Document] = {
    "every key": {
        "$schema": "./schedule.schema.json",
        "lrspec": 1,
        "name": "cosine",
        "description": "A fall.",
        "base": 3e-4,
        "axis": "steps",
        "sample": "end",
        "rounding": "nearest",
        "training": {"steps": 1000},
        "schedule": FALL,
        "x-owner": {"team": ["optimization", None]},
    },
    "an absolute base": {"lrspec": 1, "base": "absolute", "schedule": FALL},
    "version 1.0": {"lrspec": 1.0, "schedule": FALL},
    "one name": {"lrspec": 1, "schedules": {"lr": FALL}},
    "names and bases": {
        "lrspec": 1,
        "base": {"lr": 3e-4, "momentum": "absolute", "beta_2": 1},
        "schedules": {"lr": FALL, "weight_decay": HOLD, "momentum": [HOLD], "beta_2": HOLD},
    },
    "no base for any name": {"lrspec": 1, "base": {}, "schedules": {"lr": FALL}},
    **{
        f"{key}: {value}": {"lrspec": 1, key: value, "schedule": FALL}
        for key, values in {
            "axis": ("steps", "samples", "tokens"),
            "sample": ("start", "middle", "end"),
            "rounding": ("none", "floor", "ceil", "nearest"),
        }.items()
        for value in values
    },
}

POSITIONS: tuple[object, ...] = (
    0,
    2000,
    10.0,
    1e5,
    "0%",
    "45%",
    "12.5%",
    "1e1%",
    "1 step",
    "7.25 steps",
    "1 epoch",
    "0.5 epochs",
    "1 sample",
    "2.5M samples",
    "1 token",
    "10B tokens",
    "1k steps",
    "1T tokens",
    "1e9 tokens",
    "1.5E+3 steps",
    "250e-1 epochs",
)


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES.keys())
def test_schedule(judge: Judge, schedule: object) -> None:
    assert judge({"lrspec": 1, "schedule": schedule}) == []
    assert judge({"lrspec": 1, "schedule": [HOLD, {"product": {"of": [schedule]}}]}) == []
    assert judge({"lrspec": 1, "schedules": {"lr": schedule}}) == []


@pytest.mark.parametrize("training", TRAINING.values(), ids=TRAINING.keys())
def test_training(judge: Judge, training: object) -> None:
    assert judge({"lrspec": 1, "training": training, "schedule": HOLD}) == []


@pytest.mark.parametrize("document", ROOTS.values(), ids=ROOTS.keys())
def test_root(judge: Judge, document: Document) -> None:
    assert judge(document) == []


@pytest.mark.parametrize("position", POSITIONS)
def test_position(judge: Judge, position: object) -> None:
    stages = [
        {"constant": {"length": position}},
        {"constant": {"until": position}},
        {"advance": {"schedule": HOLD, "by": position}},
        {"piecewise_linear": {"boundaries": [position], "values": [1]}},
    ]
    assert judge({"lrspec": 1, "schedule": stages}) == []


@pytest.mark.parametrize("duration", [value for value in POSITIONS if value != 0])
def test_duration(judge: Judge, duration: object) -> None:
    stages = [
        {"exponential": {"rate": 0.5, "every": duration}},
        {"quantize": {"schedule": HOLD, "every": duration}},
        {"repeat": {"schedule": HOLD, "period": duration}},
        {"inverse_sqrt": {"timescale": duration}},
        {"power_law": {"timescale": duration, "exponent": 1}},
    ]
    assert judge({"lrspec": 1, "schedule": stages}) == []


@pytest.mark.parametrize("value", [-1e300, -1, 0, 1e-300, 1e300])
def test_value(judge: Judge, value: float) -> None:
    stages = [
        {"constant": {"value": value}},
        {"linear": {"initial": value, "final": value}},
        {"inverse": {"final": value, "asymptote": value}},
        {"repeat": {"schedule": HOLD, "count": 1, "toward": value}},
        {"clamp": {"schedule": HOLD, "minimum": value, "maximum": value}},
        {"piecewise_linear": {"boundaries": [0], "values": [value]}},
        {"piecewise_constant": {"boundaries": [0], "values": [value, value]}},
    ]
    assert judge({"lrspec": 1, "schedule": stages}) == []
