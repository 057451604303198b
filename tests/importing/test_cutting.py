"""A schedule that is cut has its values up to the cut, and what follows it begins there."""

from __future__ import annotations

from decimal import Decimal

import pytest

from lrspec.importing.cutting import cut, decimal, length_of, moved, span
from lrspec.importing.nodes import (
    Schedule,
    advance,
    clamp,
    constant,
    cosine,
    exponential,
    linear,
    piecewise_constant,
    piecewise_linear,
    polynomial,
    product,
    repeat,
    sum_of,
)
from lrspec.importing.sequence import stages
from lrspec.loading import from_dict

# A value that none of the schedules has.
AFTER = 99.0


WARMUP = linear(0, 4, 8)
SCHEDULES: dict[str, Schedule] = {
    "a constant": constant(3),
    "a constant with an end": constant(3, 12),
    "a line with an end": linear(5, 1, 12),
    "a line that goes on": linear(5, 1, 12, extend=True),
    "a cosine with an end": cosine(5, 1, 12),
    "a cosine that goes on": cosine(5, 1, 12, extend=True),
    "a power": polynomial(5, 1, 12, power=2),
    "an exponential": exponential(5, 0.5, 4),
    "an exponential with an end": exponential(5, 0.5, 4, 12),
    "steps": piecewise_constant([4, 9], [5, 3, 1]),
    "lines between points": piecewise_linear([0, 4, 9], [5, 3, 1]),
    "cycles": repeat(stages(linear(0, 4, 5), linear(None, 0)), period=11),
    "cycles that end with a constant": repeat(stages(linear(0, 4, 5), constant(2)), period=11),
    "cycles of a cosine": repeat(cosine(4, 0), period=11, stretch=2),
    "cycles of shares": repeat(stages(linear(0, 4, "50%"), linear(None, 0)), period=11),
    "cycles of steps": repeat(piecewise_constant([3], [2, 1]), period=6),
    "stages": stages(WARMUP, constant(4, 4), cosine(4, 1, 6)),
    "stages that inherit": [
        WARMUP,
        {"constant": {"length": 4}},
        {"linear": {"final": 1, "length": 6}},
    ],
    "stages after an exponential": [exponential(5, 0.5, 4, 8), linear(None, 1, 10)],
    "stages with steps": stages(WARMUP, piecewise_constant([10, 15], [5, 3, 1])),
    "stages with steps inside": stages(
        WARMUP, clamp(piecewise_constant([10, 15], [5, 3, 1]), minimum=2)
    ),
    "stages with steps in a product": stages(
        WARMUP, product(piecewise_constant([10, 15], [5, 3, 1]), exponential(1, 0.5, 4))
    ),
    "stages with steps in a sum": stages(
        WARMUP, sum_of(piecewise_constant([10, 15], [5, 3, 1]), cosine(4, 1, 12))
    ),
    "stages with a start before theirs": stages(
        advance(linear(0, 4, 8), 3, 5), cosine(4, 1, 12, extend=True)
    ),
}


def values(schedule: Schedule, count: int) -> list[float]:
    """The values at the steps before `count`."""
    curve = from_dict({"lrspec": 1, "base": "absolute", "schedule": schedule}).bind()
    return [curve(step) for step in range(count)]


@pytest.mark.parametrize("length", [1, 3, 4, 5, 8, 9, 11, 12, 13, 16, 20, 30])
@pytest.mark.parametrize("kind", SCHEDULES)
def test_values_up_to_the_cut(kind: str, length: int) -> None:
    schedule = SCHEDULES[kind]
    shortened = cut(schedule, length)
    written = [*shortened] if isinstance(shortened, list) else [shortened]
    after = values([*written, constant(AFTER)], 40)
    before = values(schedule, 40)[:length]
    assert after[:length] == pytest.approx(before, rel=1e-12, abs=1e-12)
    assert after[length:] == [AFTER] * (40 - length)


def test_what_comes_after_an_open_stage_never_begins() -> None:
    schedule = [WARMUP, constant(4), linear(None, 1, 6)]
    assert cut(schedule, 20) == [WARMUP, constant(4, 12)]


def test_a_cut_between_steps() -> None:
    """At 7.25 of 8 steps the line from 0 to 4 is at 3.625."""
    assert cut(WARMUP, 7.25) == linear(0, 3.625, 7.25)
    assert cut(stages(WARMUP, constant(4, 4)), Decimal("9.5")) == [
        WARMUP,
        constant(4, "1.5 steps"),
    ]


def test_short_forms() -> None:
    """Where a period, or a boundary, is not reached, there is none."""
    assert cut(SCHEDULES["cycles"], 5) == linear(0, 4, 5)
    assert cut(SCHEDULES["cycles"], 8) == [linear(0, 4, 5), linear(4, 2, 3)]
    assert cut(SCHEDULES["steps"], 4) == constant(5, 4)
    assert cut(SCHEDULES["steps"], 5) == piecewise_constant([4], [5, 3], 5)


def test_boundaries_of_a_list_of_its_own_stay_where_they_are() -> None:
    own: Schedule = [linear(0, 1, 2), piecewise_constant([5], [1, 2])]
    schedule = sum_of(piecewise_constant([4, 9], [5, 3, 1]), own)
    later = values([WARMUP, moved(schedule, 8)], 40)
    assert later[8:] == values(schedule, 32)


def test_lengths() -> None:
    assert length_of(constant(1)) is None
    assert length_of(stages(WARMUP, constant(4))) is None
    assert length_of(stages(WARMUP, constant(4, "1.25 steps"))) == Decimal("9.25")
    assert [span(decimal(length)) for length in (7.0, 7.25, 1e22)] == [7, "7.25 steps", 10**22]
