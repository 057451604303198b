"""Repeats within repeats, and counts beyond all bounds: a short document takes a short time."""

from __future__ import annotations

import math
from typing import Any

import pytest

from lrspec.curve import Curve
from lrspec.loading import from_dict, loads
from lrspec.nesting import _too_deep
from lrspec.parsing import parse
from lrspec.problems import SpecError

FALL: dict[str, Any] = {"linear": {"initial": 1, "final": 0.5}}


def nested(levels: int, inside: Any = FALL, **fields: Any) -> dict[str, Any]:
    """A document of repeats in each other."""
    for _ in range(levels):
        inside = {"repeat": {"schedule": inside, **fields}}
    return {"lrspec": 1, "schedule": inside}


def refusal(document: dict[str, Any], **facts: Any) -> list[str]:
    with pytest.raises(SpecError) as caught:
        from_dict(document).bind(**facts)
    return [f"{problem.code} {problem}" for problem in caught.value.problems]


@pytest.mark.parametrize(
    "fields",
    [
        {"period": 10},
        {"period": 10, "count": 3},
        {"period": "50%", "count": 2},
        {"count": 3},
        {"period": 7, "count": 2, "shrink": 0.5, "toward": 1},
    ],
)
def test_equal_periods_may_be_nested_as_deep_as_anything(fields: dict[str, Any]) -> None:
    curve = from_dict(nested(30, **fields)).bind(steps=10**6)

    assert curve(0) == 1
    assert all(map(math.isfinite, map(curve, (1, 10, 11, 10**6, 2**31 - 1))))
    assert curve.phases()
    assert len(curve.fingerprint) == 64


@pytest.mark.parametrize(
    "fields",
    [
        {"period": "50%", "stretch": 1.5},
        {"period": 10, "stretch": 1.5},
        {"period": "50%", "stretch": 0.9, "count": 20},
        {"count": 20, "stretch": 1.1},
    ],
)
def test_growing_periods_may_be_nested_four_deep(fields: dict[str, Any]) -> None:
    curve = from_dict(nested(4, **fields)).bind(steps=1000)

    assert curve(0) == 1
    assert all(map(math.isfinite, map(curve, (1, 10, 11, 10**6, 2**31 - 1))))

    where = "/schedule" + "/repeat/schedule" * 4
    assert refusal(nested(5, **fields), steps=1000) == [
        f"too-deep {where}: repeats with stretch are nested deeper than 4"
    ]
    assert from_dict(nested(25, nested(4, **fields)["schedule"], count=2)).bind(steps=1000)(0) == 1


def test_of_each_branch_the_first_that_is_too_deep_is_found() -> None:
    deep = nested(7, period=10, stretch=1.5)["schedule"]
    model = parse({"lrspec": 1, "schedule": {"sum": {"of": [deep, FALL, deep]}}})

    found = [node.path for node in _too_deep(model.schedules["lr"], 0)]

    inside = ("repeat", "schedule") * 4
    assert found == [("schedule", "sum", "of", i, *inside) for i in (0, 2)]


@pytest.mark.parametrize("rounding", ["none", "floor"])
def test_what_periods_come_to_is_limited(rounding: str) -> None:
    stages = [{"linear": {"final": 0.5, "length": 1}}] * 1500
    document = nested(4, stages, period=2000, stretch=1.5) | {"rounding": rounding}

    assert refusal(document) == [
        "too-many-nodes /schedule: the periods of repeats come to more than 40,000 schedules"
    ]
    assert from_dict(nested(1, stages, period=2000, stretch=1.5)).bind()(4999) == 0.5


def curve_of(repeat: str, rounding: str = "none") -> Curve:
    linear = "linear: {initial: 1, final: 0}"
    text = f"repeat: {{schedule: {{{linear}}}, {repeat}}}"
    return loads(f"lrspec: 1\nrounding: {rounding}\nschedule: {{{text}}}").bind(steps_per_epoch=1)


LONG = "periods are longer than 1e200 steps"
BOUNDS = "periods grow beyond all bounds"
MANY = "periods of different lengths are too many to round"


@pytest.mark.parametrize(
    ("repeat", "rounding", "message"),
    [
        ("period: 10, count: 1e300, stretch: 1.0000001", "none", BOUNDS),
        ("period: 10, count: 10000, stretch: 1.5", "none", LONG),
        ("length: 9, count: 1e300, stretch: 1.0000000000000002", "none", BOUNDS),
        ("period: 10, count: 10000, stretch: 1.5", "nearest", LONG),
        ("period: 1, count: 1e9, stretch: 1.0000001", "ceil", MANY),
        ("period: 1e12 epochs, count: 1e9, stretch: 0.9999999", "floor", MANY),
        ("period: 1e199 epochs, count: 1e9, stretch: 0.9999999", "floor", LONG),
    ],
)
def test_counts_beyond_all_bounds(repeat: str, rounding: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        curve_of(repeat, rounding)

    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("out-of-range", "/schedule/repeat/count")
    assert problem.message.endswith(message)
    assert len(problem.message) < 100


def test_periods_that_shrink_without_end_are_those_of_any_large_number() -> None:
    huge, large = (curve_of(f"period: 10, count: {n}, stretch: 0.9") for n in ("1e300", "5000"))

    for step in (0, 9, 10, 50, 98, 99, 100, 101, 2**31 - 1):
        assert huge(step) == large(step)
    assert len(huge.fingerprint) == 64


def test_a_span_that_ends_just_before_periods_come_to_an_end() -> None:
    """Float64 cannot tell the end of the span from that of the periods."""
    curve = curve_of(f"period: 10, count: 1e9, stretch: 0.9, length: 99.{'9' * 40} steps")

    assert 0 <= curve(99) <= 1
    assert curve(100) == pytest.approx(curve(10**6))


@pytest.mark.parametrize("step", [0, 1, 10**6, 2**31 - 1])
def test_a_first_period_far_below_one_step(step: int) -> None:
    curve = curve_of("period: 1e-320 epochs, stretch: 1.5")

    assert 0 <= curve(step) <= 1


def test_a_second_period_as_long_as_float64_can_tell() -> None:
    curve = curve_of("period: 10, stretch: 1e297")

    assert [curve(9), curve(10), curve(2**31 - 1)] == pytest.approx([0.1, 1, 1])
    assert len(curve.fingerprint) == 64
    with pytest.raises(SpecError, match="beyond the range of float64"):
        curve_of("period: 1e9, stretch: 1e300")
