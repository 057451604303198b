"""The least and the greatest value of a stage, against every value or against mathematics."""

from __future__ import annotations

import time
from math import cos, pi
from typing import Any

import pytest

from lrspec.curve import Curve
from lrspec.extremes import extremes
from lrspec.loading import from_dict
from lrspec.phase_lines import phase_lines, phase_table


def bound(schedule: Any, **facts: Any) -> Curve:
    sample = facts.pop("sample", "start")
    return from_dict({"lrspec": 1, "sample": sample, "schedule": schedule}).bind(**facts)


def of(schedule: Any, **facts: Any) -> list[tuple[float, float] | None]:
    curve = bound(schedule, **facts)
    return extremes(curve, curve.phases())


FALL: Any = {"linear": {"initial": 1, "final": 0}}
RISE: Any = {"linear": {"initial": 0, "final": 1}}
WARMUP: Any = [{"linear": {"initial": 0, "final": 1, "length": "10%"}}, {"cosine": {"final": 0}}]


def test_leaves_have_none() -> None:
    assert of(
        [*WARMUP[:1], {"exponential": {"rate": 0.5, "every": 7, "length": 50}}], steps=60
    ) == [
        None,
        None,
    ]


@pytest.mark.parametrize("sample", ["start", "middle", "end"])
@pytest.mark.parametrize(
    "schedule",
    [
        {"repeat": {"period": 7, "schedule": FALL}},
        {"repeat": {"period": "7.3 steps", "stretch": 1.5, "shrink": 0.7, "schedule": WARMUP}},
        {"quantize": {"every": 10, "schedule": WARMUP}},
        {"product": {"of": [RISE, FALL]}},
        {"sum": {"of": [{"repeat": {"period": 10, "schedule": FALL}}, RISE]}},
        {"clamp": {"minimum": 0.25, "maximum": 0.75, "schedule": WARMUP}},
    ],
)
def test_of_few_steps_they_are_those_of_all(schedule: Any, sample: str) -> None:
    curve = bound(schedule, steps=200, sample=sample)
    (phase,) = curve.phases()
    values = [phase.initial, phase.final, *curve.values(0, 200)]

    assert extremes(curve, [phase]) == [(min(values), max(values))]  # type: ignore[type-var]


def test_none_where_the_ends_are_the_extremes() -> None:
    assert of({"quantize": {"every": 10, "schedule": FALL}}, steps=200) == [None]
    assert of({"repeat": {"count": 4, "schedule": FALL}}, steps=200) == [None]
    # Only by rounding is it not 1 everywhere.
    assert of({"sum": {"of": [RISE, FALL]}}, steps=999) == [None]


def test_a_stage_without_a_step_has_none() -> None:
    stages: Any = [
        {"constant": {"length": "2.25 steps"}},
        {"product": {"of": [RISE, FALL], "length": "0.5 steps"}},
        {"constant": None},
    ]

    assert of(stages) == [None, None, None]


def test_without_an_end_a_first_period_is_seen() -> None:
    assert of({"repeat": {"period": 8, "schedule": FALL}}) == [(0.125, 1.0)]
    assert of({"clamp": {"minimum": 0.5, "schedule": {"inverse_sqrt": {"timescale": 9}}}}) == [None]


@pytest.mark.parametrize(
    ("schedule", "low", "high"),
    [
        # x(1 − x) is greatest halfway.
        ({"product": {"of": [RISE, FALL]}}, 0.0, 0.25),
        ({"repeat": {"period": 5, "schedule": FALL}}, 0.2, 1.0),
        ({"repeat": {"period": 1000, "schedule": {"cosine": {"initial": 0, "final": 2}}}}, 0, 2.0),
        # A step is 909 periods and 1/11 of one.
        ({"repeat": {"period": "0.0011 steps", "schedule": FALL}}, 1 / 11, 1.0),
        ({"quantize": {"every": 50_000, "schedule": WARMUP}}, 0.0, 1.0),
    ],
)
def test_of_many_steps(schedule: Any, low: float, high: float) -> None:
    (found,) = of(schedule, steps=2_000_003)

    assert found == pytest.approx((low, high), abs=1e-3)


def test_the_best_of_many_steps_is_found_between_those_that_are_looked_at() -> None:
    steps = 1_999_999
    (found,) = of({"product": {"of": [RISE, FALL]}}, steps=steps)

    assert found is not None
    middle = steps // 2 / steps
    assert found[1] == pytest.approx(middle * (1 - middle), rel=1e-15)


def test_the_end_of_a_long_rise_of_periods_is_seen() -> None:
    """Neither the first part nor steps here and there show the last whole period's start."""
    (found,) = of(
        {"sum": {"of": [{"repeat": {"period": 64, "schedule": FALL}}, RISE]}}, steps=10**6
    )

    assert found is not None
    assert found[1] == 1 + (10**6 - 64) / 10**6


def test_it_takes_little_time() -> None:
    """A million periods, and periods that take long to find."""
    for schedule in (
        {"repeat": {"period": 3, "schedule": WARMUP}},
        {"repeat": {"period": 3, "stretch": 1.1, "schedule": FALL}},
        {"repeat": {"period": 1, "schedule": {"repeat": {"period": 1, "schedule": FALL}}}},
    ):
        curve = bound(schedule, steps=3_000_000)
        start = time.perf_counter()
        phase_lines(curve)
        assert time.perf_counter() - start < 5


def test_the_table_has_them_where_they_say_something() -> None:
    stages: Any = [
        {"repeat": {"period": 20, "count": 2, "schedule": {"cosine": {"final": 0.5}}}},
        {"quantize": {"every": 10, "length": 40, "schedule": {"product": {"of": [RISE, FALL]}}}},
    ]

    assert phase_table(bound(stages[0], steps=40))[0][-1] == "to value"
    lines = phase_lines(bound(stages, steps=80))
    assert lines == [
        "from    to  kind           from value  to value  lowest  highest",
        "   0    40  repeat cosine           1       0.5",
        "  40    80  quantize                0    0.1875       0     0.25",
        "  80  open  held               0.1875",
    ]


@pytest.mark.parametrize(
    ("schedule", "kind"),
    [
        (FALL, "linear"),
        ({"constant": None}, "constant"),
        ({"repeat": {"period": 5, "schedule": FALL}}, "repeat linear"),
        ({"repeat": {"period": 5, "schedule": {"constant": None}}}, "repeat constant"),
        ({"repeat": {"period": 5, "schedule": [[FALL]]}}, "repeat linear"),
        ({"repeat": {"period": 5, "schedule": WARMUP}}, "repeat"),
        ({"advance": {"by": 0, "schedule": {"cosine": {"final": 0}}}}, "advance cosine"),
        (
            {"quantize": {"every": 5, "schedule": {"repeat": {"period": 9, "schedule": FALL}}}},
            "quantize",
        ),
        ({"clamp": {"minimum": 0, "schedule": {"product": {"of": [FALL]}}}}, "clamp"),
        ({"product": {"of": [FALL]}}, "product"),
    ],
)
def test_what_stands_in_a_kind(schedule: Any, kind: str) -> None:
    assert phase_table(bound(schedule, steps=30))[1][2] == kind


def test_the_peak_of_a_quantized_warmup_is_in_the_table() -> None:
    (found,) = of({"quantize": {"every": 1000, "schedule": WARMUP}}, steps=193_750)

    assert found is not None
    # The multiple after the end of the warmup, at 19375.
    assert found[1] == pytest.approx((1 + cos(pi * 625 / 174_375)) / 2, rel=1e-12)
