"""Documents that the schema refuses, each with exactly one fault, at the top and deep inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]
Judge = Callable[[object], list[tuple[str, str]]]

HOLD: Document = {"constant": {"value": 1}}
FALL: Document = {"cosine": {"initial": 1, "final": 0}}

# What is wrong: (the schedule, the pointer inside it, the keyword that refuses it).
SCHEDULES: dict[str, tuple[object, str, str]] = {
    # kinds
    "unknown kind": ({"cosin": {"final": 0}}, "", "enum"),
    "warmup": ({"warmup": {"length": 10}}, "", "enum"),
    "text": ("cosine", "", "type"),
    "number": (0.5, "", "type"),
    "null": (None, "", "type"),
    "kind without a colon in a list": (["constant"], "/0", "type"),
    "null in a list": ([HOLD, None], "/1", "type"),
    "no kind": ({}, "", "minProperties"),
    "two kinds": ({"cosine": {"final": 0}, "linear": {"final": 0}}, "", "maxProperties"),
    "empty list": ([], "", "minItems"),
    # bodies
    "unknown field": ({"cosine": {"final": 0, "lenght": 5}}, "/cosine", "additionalProperties"),
    "unknown field of constant": ({"constant": {"final": 1}}, "/constant", "additionalProperties"),
    "no body": ({"cosine": None}, "/cosine", "type"),
    "list as a body": ({"product": [HOLD]}, "/product", "type"),
    "number as a body": ({"constant": 0.5}, "/constant", "type"),
    "after where it means nothing": (
        {"inverse": {"final": 1, "after": "extend"}},
        "/inverse",
        "additionalProperties",
    ),
    "cosine without final": ({"cosine": {"length": 5}}, "/cosine", "required"),
    "linear without final": ({"linear": {}}, "/linear", "required"),
    "polynomial without power": ({"polynomial": {"final": 0}}, "/polynomial", "required"),
    "polynomial without final": ({"polynomial": {"power": 1}}, "/polynomial", "required"),
    "geometric without final": ({"geometric": {"initial": 1}}, "/geometric", "required"),
    "inverse without final": ({"inverse": {"initial": 1}}, "/inverse", "required"),
    "exponential without every": ({"exponential": {"rate": 1}}, "/exponential", "required"),
    "exponential without rate": ({"exponential": {"every": 1}}, "/exponential", "required"),
    "inverse_sqrt without timescale": ({"inverse_sqrt": {}}, "/inverse_sqrt", "required"),
    "power_law without exponent": ({"power_law": {"timescale": 1}}, "/power_law", "required"),
    "power_law without timescale": ({"power_law": {"exponent": 1}}, "/power_law", "required"),
    "token_power without exponent": (
        {"token_power": {"amplitude": 1}},
        "/token_power",
        "required",
    ),
    "token_power without amplitude": (
        {"token_power": {"exponent": 1}},
        "/token_power",
        "required",
    ),
    "piecewise_linear without values": (
        {"piecewise_linear": {"boundaries": [0]}},
        "/piecewise_linear",
        "required",
    ),
    "piecewise_constant without boundaries": (
        {"piecewise_constant": {"values": [0, 1]}},
        "/piecewise_constant",
        "required",
    ),
    "repeat without schedule": ({"repeat": {"count": 1}}, "/repeat", "required"),
    "repeat without period and count": ({"repeat": {"schedule": HOLD}}, "/repeat", "required"),
    "product without of": ({"product": {}}, "/product", "required"),
    "sum without of": ({"sum": {}}, "/sum", "required"),
    "clamp without schedule": ({"clamp": {"minimum": 0}}, "/clamp", "required"),
    "clamp without bounds": ({"clamp": {"schedule": HOLD}}, "/clamp", "required"),
    "quantize without every": ({"quantize": {"schedule": HOLD}}, "/quantize", "required"),
    "quantize without schedule": ({"quantize": {"every": 1}}, "/quantize", "required"),
    "advance without schedule": ({"advance": {"by": 1}}, "/advance", "required"),
    "length and until": (
        {"cosine": {"final": 0, "length": 5, "until": "50%"}},
        "/cosine",
        "false",
    ),
    # values
    "quoted number": ({"cosine": {"final": "1e-5"}}, "/cosine/final", "type"),
    "value with a unit": ({"cosine": {"final": "10%"}}, "/cosine/final", "type"),
    "null value": ({"linear": {"initial": None, "final": 1}}, "/linear/initial", "type"),
    "boolean value": ({"constant": {"value": True}}, "/constant/value", "type"),
    "infinite value": ({"constant": {"value": 1e301}}, "/constant/value", "maximum"),
    "infinite negative value": ({"constant": {"value": -1e301}}, "/constant/value", "minimum"),
    "asymptote of text": (
        {"geometric": {"final": 1, "asymptote": "zero"}},
        "/geometric/asymptote",
        "type",
    ),
    "exponent of 0": (
        {"cosine": {"final": 0, "exponent": 0}},
        "/cosine/exponent",
        "exclusiveMinimum",
    ),
    "negative exponent": (
        {"power_law": {"timescale": 1, "exponent": -1}},
        "/power_law/exponent",
        "exclusiveMinimum",
    ),
    "power of 0": (
        {"polynomial": {"final": 0, "power": 0}},
        "/polynomial/power",
        "exclusiveMinimum",
    ),
    "power as text": ({"polynomial": {"final": 0, "power": "1-sqrt"}}, "/polynomial/power", "type"),
    "rate of 0": (
        {"exponential": {"rate": 0, "every": 1}},
        "/exponential/rate",
        "exclusiveMinimum",
    ),
    "amplitude of 0": (
        {"token_power": {"amplitude": 0, "exponent": 1}},
        "/token_power/amplitude",
        "exclusiveMinimum",
    ),
    "stretch of 0": (
        {"repeat": {"schedule": HOLD, "count": 1, "stretch": 0}},
        "/repeat/stretch",
        "exclusiveMinimum",
    ),
    "negative shrink": (
        {"repeat": {"schedule": HOLD, "count": 1, "shrink": -1}},
        "/repeat/shrink",
        "exclusiveMinimum",
    ),
    "count of 0": ({"repeat": {"schedule": HOLD, "count": 0}}, "/repeat/count", "exclusiveMinimum"),
    "count of a half": ({"repeat": {"schedule": HOLD, "count": 0.5}}, "/repeat/count", "type"),
    "unknown word for after": (
        {"cosine": {"final": 0, "after": "stay"}},
        "/cosine/after",
        "enum",
    ),
    "number for after": ({"cosine": {"final": 0, "after": 5}}, "/cosine/after", "enum"),
    "unknown origin": (
        {"polynomial": {"final": 0, "power": 1, "origin": "start"}},
        "/polynomial/origin",
        "enum",
    ),
    "unknown count_from": (
        {"token_power": {"amplitude": 1, "exponent": 1, "count_from": "list"}},
        "/token_power/count_from",
        "enum",
    ),
    "staircase as text": (
        {"exponential": {"rate": 1, "every": 1, "staircase": "yes"}},
        "/exponential/staircase",
        "type",
    ),
    # lists in bodies
    "of without a list": ({"product": {"of": FALL}}, "/product/of", "type"),
    "of nothing": ({"sum": {"of": []}}, "/sum/of", "minItems"),
    "no boundary": (
        {"piecewise_linear": {"boundaries": [], "values": [1]}},
        "/piecewise_linear/boundaries",
        "minItems",
    ),
    "no value": (
        {"piecewise_linear": {"boundaries": [0], "values": []}},
        "/piecewise_linear/values",
        "minItems",
    ),
    "one value of two": (
        {"piecewise_constant": {"boundaries": [1], "values": [1]}},
        "/piecewise_constant/values",
        "minItems",
    ),
    "boundaries without a list": (
        {"piecewise_linear": {"boundaries": 5, "values": [1]}},
        "/piecewise_linear/boundaries",
        "type",
    ),
    "negative boundary": (
        {"piecewise_linear": {"boundaries": [-1, 0], "values": [1, 2]}},
        "/piecewise_linear/boundaries/0",
        "minimum",
    ),
    "quoted value in a list": (
        {"piecewise_linear": {"boundaries": [0, 1], "values": [1, "2"]}},
        "/piecewise_linear/values/1",
        "type",
    ),
    # positions
    "negative length": ({"constant": {"length": -5}}, "/constant/length", "minimum"),
    "negative until": ({"constant": {"until": -5}}, "/constant/until", "minimum"),
    "negative by": ({"advance": {"schedule": HOLD, "by": -1}}, "/advance/by", "minimum"),
    "null length": ({"constant": {"length": None}}, "/constant/length", "type"),
    "boolean length": ({"constant": {"length": True}}, "/constant/length", "type"),
    "length as a list": ({"constant": {"length": [1]}}, "/constant/length", "type"),
    "infinite length": ({"constant": {"length": 1e301}}, "/constant/length", "maximum"),
    "every of 0": (
        {"quantize": {"schedule": HOLD, "every": 0}},
        "/quantize/every",
        "exclusiveMinimum",
    ),
    "every of a half": ({"quantize": {"schedule": HOLD, "every": 0.5}}, "/quantize/every", "type"),
    "period of 0": (
        {"repeat": {"schedule": HOLD, "period": 0}},
        "/repeat/period",
        "exclusiveMinimum",
    ),
    "negative timescale": (
        {"inverse_sqrt": {"timescale": -1}},
        "/inverse_sqrt/timescale",
        "exclusiveMinimum",
    ),
}

NO_POSITIONS = (
    "",
    "5",
    "2000",
    "%",
    "steps",
    "45 %",
    "+5%",
    "-5%",
    "05%",
    ".5 epochs",
    "5. epochs",
    "1,5 epochs",
    "1_000 steps",
    "3 epoches",
    "3 Epochs",
    "3epochs",
    "3  epochs",
    " 3 epochs",
    "3 epochs ",
    "1 M steps",
    "100k",
    "2.5m samples",
    "10G tokens",
    "1e9999 tokens",
    "1e tokens",
    "50% steps",
    "inf steps",
    "5k%",
    "2000 updates",
)

ROOTS: dict[str, tuple[object, str, str]] = {
    "not a mapping": ([HOLD], "", "type"),
    "nothing": (None, "", "type"),
    "no version": ({"schedule": HOLD}, "", "required"),
    "a higher version": ({"lrspec": 2, "schedule": HOLD}, "/lrspec", "const"),
    "a quoted version": ({"lrspec": "1", "schedule": HOLD}, "/lrspec", "const"),
    "a boolean version": ({"lrspec": True, "schedule": HOLD}, "/lrspec", "const"),
    "no schedule": ({"lrspec": 1}, "", "required"),
    "schedule and schedules": (
        {"lrspec": 1, "schedule": HOLD, "schedules": {"lr": HOLD}},
        "",
        "false",
    ),
    "an unknown key": ({"lrspec": 1, "schedule": HOLD, "bsae": 1}, "", "additionalProperties"),
    "an extension without a dash": (
        {"lrspec": 1, "schedule": HOLD, "xowner": 1},
        "",
        "additionalProperties",
    ),
    "a number as a name": ({"lrspec": 1, "name": 7, "schedule": HOLD}, "/name", "type"),
    "a list as a description": (
        {"lrspec": 1, "description": [], "schedule": HOLD},
        "/description",
        "type",
    ),
    "a number as an address": ({"lrspec": 1, "$schema": 1, "schedule": HOLD}, "/$schema", "type"),
    "an unknown axis": ({"lrspec": 1, "axis": "step", "schedule": HOLD}, "/axis", "enum"),
    "an unknown sample": ({"lrspec": 1, "sample": "left", "schedule": HOLD}, "/sample", "enum"),
    "an unknown rounding": (
        {"lrspec": 1, "rounding": "round", "schedule": HOLD},
        "/rounding",
        "enum",
    ),
    "a base of 0": ({"lrspec": 1, "base": 0, "schedule": HOLD}, "/base", "exclusiveMinimum"),
    "an infinite base": ({"lrspec": 1, "base": 1e301, "schedule": HOLD}, "/base", "maximum"),
    "a base of another word": ({"lrspec": 1, "base": "abs", "schedule": HOLD}, "/base", "pattern"),
    "a quoted base": ({"lrspec": 1, "base": "3e-4", "schedule": HOLD}, "/base", "pattern"),
    "a boolean base": ({"lrspec": 1, "base": True, "schedule": HOLD}, "/base", "type"),
    "bases beside schedule": ({"lrspec": 1, "base": {"lr": 1}, "schedule": HOLD}, "/base", "type"),
    "no bases beside schedule": ({"lrspec": 1, "base": {}, "schedule": HOLD}, "/base", "type"),
    "a base beside schedules": (
        {"lrspec": 1, "base": 1, "schedules": {"lr": HOLD}},
        "/base",
        "type",
    ),
    "absolute beside schedules": (
        {"lrspec": 1, "base": "absolute", "schedules": {"lr": HOLD}},
        "/base",
        "type",
    ),
    "a negative base of a name": (
        {"lrspec": 1, "base": {"lr": -1}, "schedules": {"lr": HOLD}},
        "/base/lr",
        "exclusiveMinimum",
    ),
    "a list as the base of a name": (
        {"lrspec": 1, "base": {"beta": []}, "schedules": {"beta": HOLD}},
        "/base/beta",
        "type",
    ),
    "a base of a bad name": (
        {"lrspec": 1, "base": {"LR": 1}, "schedules": {"lr": HOLD}},
        "/base",
        "pattern",
    ),
    "no names": ({"lrspec": 1, "schedules": {}}, "/schedules", "minProperties"),
    "schedules as a list": ({"lrspec": 1, "schedules": [HOLD]}, "/schedules", "type"),
    "a name with a capital": ({"lrspec": 1, "schedules": {"Lr": HOLD}}, "/schedules", "pattern"),
    "a name with a dash": (
        {"lrspec": 1, "schedules": {"weight-decay": HOLD}},
        "/schedules",
        "pattern",
    ),
    "a name without a schedule": (
        {"lrspec": 1, "schedules": {"lr": None}},
        "/schedules/lr",
        "type",
    ),
}

TRAINING: dict[str, tuple[object, str, str]] = {
    "not a mapping": (1000, "", "type"),
    "nothing": (None, "", "type"),
    "unknown fact": ({"step": 5}, "", "additionalProperties"),
    "steps of 0": ({"steps": 0}, "/steps", "exclusiveMinimum"),
    "steps of -5": ({"steps": -5}, "/steps", "exclusiveMinimum"),
    "steps of 10.5": ({"steps": 10.5}, "/steps", "type"),
    "steps of true": ({"steps": True}, "/steps", "type"),
    "steps of text": ({"steps": "10"}, "/steps", "pattern"),
    "steps in per cent": ({"steps": "10%"}, "/steps", "pattern"),
    "batch size of 0": ({"batch_size": 0}, "/batch_size", "exclusiveMinimum"),
    "half a batch": ({"batch_size": 0.5}, "/batch_size", "type"),
    "batch size with a unit": ({"batch_size": "256 samples"}, "/batch_size", "type"),
    "no batch sizes": ({"batch_size": []}, "/batch_size", "minItems"),
    "batch sizes without start": ({"batch_size": [256]}, "/batch_size/0", "type"),
    "batch size from nowhere": ({"batch_size": [{"value": 1}]}, "/batch_size/0", "required"),
    "batch size of nothing": ({"batch_size": [{"start": 0}]}, "/batch_size/0", "required"),
    "batch size with an end": (
        {"batch_size": [{"start": 0, "value": 1, "end": 5}]},
        "/batch_size/0",
        "additionalProperties",
    ),
    "negative start": (
        {"batch_size": [{"start": -1, "value": 1}]},
        "/batch_size/0/start",
        "minimum",
    ),
    "start in epochs": (
        {"batch_size": [{"start": "1 epoch", "value": 1}]},
        "/batch_size/0/start",
        "type",
    ),
    "value of 0": (
        {"batch_size": [{"start": 0, "value": 0}]},
        "/batch_size/0/value",
        "exclusiveMinimum",
    ),
    "no sequence": ({"sequence_length": 0}, "/sequence_length", "exclusiveMinimum"),
    "half a token": ({"sequence_length": 0.5}, "/sequence_length", "type"),
    "an empty epoch": ({"steps_per_epoch": 0}, "/steps_per_epoch", "exclusiveMinimum"),
    "a quoted epoch": ({"steps_per_epoch": "7"}, "/steps_per_epoch", "type"),
}


@pytest.mark.parametrize(("schedule", "at", "keyword"), SCHEDULES.values(), ids=SCHEDULES.keys())
def test_schedule(judge: Judge, schedule: object, at: str, keyword: str) -> None:
    assert judge({"lrspec": 1, "schedule": schedule}) == [(f"/schedule{at}", keyword)]
    inner = {"product": {"of": [FALL, {"clamp": {"minimum": 0, "schedule": schedule}}]}}
    assert judge({"lrspec": 1, "schedule": [HOLD, inner]}) == [
        (f"/schedule/1/product/of/1/clamp/schedule{at}", keyword)
    ]


@pytest.mark.parametrize("text", NO_POSITIONS)
def test_position(judge: Judge, text: str) -> None:
    for stage, at in (
        ({"constant": {"length": text}}, "constant/length"),
        ({"constant": {"until": text}}, "constant/until"),
        ({"advance": {"schedule": HOLD, "by": text}}, "advance/by"),
        ({"exponential": {"rate": 1, "every": text}}, "exponential/every"),
        ({"repeat": {"schedule": HOLD, "period": text}}, "repeat/period"),
        ({"inverse_sqrt": {"timescale": text}}, "inverse_sqrt/timescale"),
    ):
        assert judge({"lrspec": 1, "schedule": stage}) == [(f"/schedule/{at}", "pattern")]


@pytest.mark.parametrize("number", [0.1, 0.5, 10.5])
def test_fraction_of_a_step(judge: Judge, number: float) -> None:
    assert judge({"lrspec": 1, "schedule": {"constant": {"length": number}}}) == [
        ("/schedule/constant/length", "type")
    ]


@pytest.mark.parametrize(("document", "at", "keyword"), ROOTS.values(), ids=ROOTS.keys())
def test_root(judge: Judge, document: object, at: str, keyword: str) -> None:
    assert judge(document) == [(at, keyword)]


@pytest.mark.parametrize(("training", "at", "keyword"), TRAINING.values(), ids=TRAINING.keys())
def test_training(judge: Judge, training: object, at: str, keyword: str) -> None:
    assert judge({"lrspec": 1, "training": training, "schedule": HOLD}) == [
        (f"/training{at}", keyword)
    ]
