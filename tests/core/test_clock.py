"""From a step to its position, and from a position to what was consumed there."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.clock import BatchMap, Consumption, edge, position
from lrspec.resolved import Batches, Clock

Axis = Literal["steps", "samples", "tokens"]

BATCHES = Batches((0, 10, 30), (4, 2, 8))
ONE = Batches((0,), (5,))


def clock(
    axis: Axis = "steps",
    sample: Literal["start", "middle", "end"] = "start",
    batches: Batches | None = BATCHES,
) -> Clock:
    return Clock(axis, sample, batches, 100)


def consumed(step: int) -> int:
    """Clause 2.3, one update after the other."""
    return sum(4 if s < 10 else 2 if s < 30 else 8 for s in range(step))


def test_samples_before_a_step() -> None:
    samples = BatchMap(BATCHES).samples

    assert [samples(step) for step in range(50)] == [consumed(step) for step in range(50)]


def test_samples_between_steps_and_before_the_first() -> None:
    samples = BatchMap(BATCHES).samples

    assert samples(Fraction(1, 2)) == 2
    assert samples(Fraction(21, 2)) == 41
    assert samples(-3) == -12
    assert samples(10**20) == consumed(30) + 8 * (10**20 - 30)


@given(st.fractions(-20, 1000, max_denominator=50))
def test_steps_are_the_inverse(step: Fraction) -> None:
    batch_map = BatchMap(BATCHES)

    assert batch_map.steps(batch_map.samples(step)) == step


def test_a_whole_step_is_an_int() -> None:
    assert type(BatchMap(BATCHES).steps(40)) is int
    assert BatchMap(BATCHES).steps(41) == Fraction(21, 2)


def test_the_batch_size_in_force() -> None:
    batch_map = BatchMap(BATCHES)

    assert [batch_map.size_at_step(s, False) for s in (-1, 0, 9, 10, 29, 30, 31)] == [4] * 3 + [
        2,
        2,
        8,
        8,
    ]
    assert [batch_map.size_at_step(s, True) for s in (0, 10, 11, 30)] == [4, 4, 2, 2]
    assert [batch_map.size_at_samples(s, False) for s in (-4, 0, 39, 40, 80)] == [4, 4, 4, 2, 8]
    assert [batch_map.size_at_samples(s, True) for s in (0, 40, 80, 81)] == [4, 4, 2, 8]


def test_edges() -> None:
    steps = (0, 1, 10, 31)

    assert [edge(clock())(s) for s in steps] == [0, 1, 10, 31]
    assert [edge(clock("samples"))(s) for s in steps] == [consumed(s) for s in steps]
    assert [edge(clock("tokens"))(s) for s in steps] == [100 * consumed(s) for s in steps]
    assert [edge(clock("samples", batches=ONE))(s) for s in steps] == [5 * s for s in steps]
    assert [edge(clock("tokens", batches=ONE))(s) for s in steps] == [500 * s for s in steps]
    assert all(type(edge(clock("tokens"))(s)) is int for s in steps)


def test_positions() -> None:
    assert [position(clock())(s) for s in (0, 7)] == [0, 7]
    assert [position(clock(sample="end"))(s) for s in (0, 7)] == [1, 8]
    assert [position(clock(sample="middle"))(s) for s in (0, 7)] == [0.5, 7.5]
    assert [position(clock("samples", "end"))(s) for s in (9, 10)] == [40, 42]
    assert [position(clock("samples", "middle"))(s) for s in (9, 10)] == [38, 41]


def test_a_middle_beyond_float64_is_exact() -> None:
    step = 2**60

    assert position(clock(sample="middle"))(step) == Fraction(2 * step + 1, 2)
    assert position(clock(sample="middle"))(2**50) == 2**50 + 0.5


@pytest.mark.parametrize(
    ("axis", "at"),
    [("steps", Fraction(21, 2)), ("samples", 41), ("tokens", 4100)],
)
def test_consumption(axis: Axis, at: Fraction | int) -> None:
    consumption = Consumption(clock(axis))

    assert consumption.tokens(at) == 4100
    assert consumption.batch_size(at, False) == 2


def test_the_batch_size_of_a_limit_from_the_left() -> None:
    for axis, at in (("steps", 10), ("samples", 40), ("tokens", 4000)):
        consumption = Consumption(clock(axis))  # type: ignore[arg-type]
        assert consumption.batch_size(at, False) == 2
        assert consumption.batch_size(at, True) == 4
