"""Periods of growing length: each one's start and length, and which one a position lies in."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec.periods import Periods, Walk, power, round_whole, series

Rounding = Literal["none", "floor", "ceil", "nearest"]
ROUNDINGS: list[Rounding] = ["none", "floor", "ceil", "nearest"]


def lengths_of(
    first: Fraction | int, stretch: Fraction, rounding: Rounding, number: int
) -> list[Fraction | int]:
    """The first lengths, one after the other."""
    lengths: list[Fraction | int] = [first]
    while len(lengths) < number:
        lengths.append(round_whole(lengths[-1] * stretch, rounding))
    return lengths


@pytest.mark.parametrize(
    ("rounding", "want"),
    [
        ("none", [Fraction(5, 2), Fraction(7, 2), Fraction(1, 3)]),
        ("floor", [2, 3, 0]),
        ("ceil", [3, 4, 1]),
        ("nearest", [2, 4, 0]),
    ],
)
def test_round_whole(rounding: Rounding, want: list[Fraction | int]) -> None:
    given_ = [Fraction(5, 2), Fraction(7, 2), Fraction(1, 3)]

    assert [round_whole(value, rounding) for value in given_] == want


def test_power_is_exact_while_it_is_short() -> None:
    assert power(Fraction(3, 2), 0) == 1
    assert power(Fraction(3, 2), 1) == Fraction(3, 2)
    assert power(Fraction(3, 2), 1000) == Fraction(3**1000, 2**1000)


@pytest.mark.parametrize("ratio", [Fraction(11, 10), Fraction(10, 11), Fraction(1001, 1000)])
def test_power_keeps_two_thousand_bits(ratio: Fraction) -> None:
    exact = ratio**40_000

    assert power(ratio, 40_000) != exact
    assert abs(power(ratio, 40_000) / exact - 1) < Fraction(1, 2**1900)


def test_series() -> None:
    assert series(Fraction(1), 7) == 7
    assert series(Fraction(2), 4) == 1 + 2 + 4 + 8
    assert series(Fraction(1, 2), 3) == Fraction(7, 4)
    assert series(Fraction(5), 0) == 0


def test_exact_lengths_and_starts() -> None:
    periods = Periods(10, Fraction(3, 2), None, "none")

    assert [periods.length(i) for i in range(3)] == [10, 15, Fraction(45, 2)]
    assert [periods.start(i) for i in range(4)] == [0, 10, 25, Fraction(95, 2)]
    assert periods.total() is None


def test_the_total_of_a_count() -> None:
    assert Periods(10, Fraction(2), 3, "none").total() == 70
    assert Periods(10, Fraction(1), 3, "none").total() == 30
    assert Periods(5, Fraction(3, 2), 3, "nearest").total() == 5 + 8 + 12


@pytest.mark.parametrize("rounding", ROUNDINGS[1:])
def test_rounded_lengths_follow_each_other(rounding: Rounding) -> None:
    stretch = Fraction(13, 10)
    want = lengths_of(7, stretch, rounding, 30)
    periods = Periods(7, stretch, None, rounding)

    assert [periods.length(i) for i in (29, 3, 0)] == [want[29], want[3], want[0]]
    assert [periods.length(i) for i in range(30)] == want
    assert [periods.start(i) for i in range(30)] == [sum(want[:i]) for i in range(30)]


def test_a_rounded_length_may_stop_growing() -> None:
    periods = Periods(3, Fraction(11, 10), None, "nearest")  # 3.3 is 3 again

    assert [periods.length(i) for i in (0, 1, 10**9)] == [3, 3, 3]
    assert periods.start(10**12) == 3 * 10**12
    assert periods.locate(3 * 10**12, False) == 10**12
    assert periods.locate(3 * 10**12, True) == 10**12 - 1
    assert periods.locate(3 * 10**12 + 1, True) == 10**12


def test_a_rounded_length_may_shrink_to_one_that_stays() -> None:
    periods = Periods(10, Fraction(1, 2), 6, "ceil")

    assert [periods.length(i) for i in range(6)] == [10, 5, 3, 2, 1, 1]
    assert periods.total() == 22
    assert [periods.locate(p, False) for p in (0, 9, 10, 15, 18, 20, 21)] == [0, 0, 1, 2, 3, 4, 5]
    assert periods.locate(10**6, False) == 5


def test_periods_that_come_to_nothing_own_nothing() -> None:
    periods = Periods(3, Fraction(1, 4), 5, "floor")  # 3, 0, 0, …

    assert periods.total() == 3
    assert periods.locate(2, False) == 0
    assert periods.length(4) == 0


@given(
    st.fractions(Fraction(1, 3), 50, max_denominator=6),
    st.sampled_from([Fraction(text) for text in ("1/2", "9/10", "1001/1000", "3/2", "7")]),
    st.sampled_from(ROUNDINGS),
    st.integers(1, 12),
    st.integers(0, 13),
    st.fractions(0, 2000, max_denominator=4),
    st.booleans(),
)
def test_locate_is_the_period_that_holds_the_position(
    first: Fraction,
    stretch: Fraction,
    rounding: Rounding,
    count: int,
    edge: int,
    anywhere: Fraction,
    left: bool,
) -> None:
    first = Fraction(round_whole(first, rounding)) or Fraction(1)
    lengths = lengths_of(first, stretch, rounding, count)
    while lengths[-1] == 0:
        lengths.pop()
    count = len(lengths)
    starts = [sum(lengths[:i]) for i in range(count)]
    periods = Periods(first, stretch, count, rounding)
    endless = Periods(first, stretch, None, rounding) if stretch >= 1 else None

    for offset in (anywhere, periods.start(min(edge, count))):
        if left:
            want = sum(1 for start in starts[1:] if start < offset)
        else:
            want = sum(1 for start in starts[1:] if start <= offset)
        assert periods.locate(offset, left) == want
        if endless is not None and offset < periods.start(count):
            assert endless.locate(offset, left) == want


@pytest.mark.parametrize(
    ("stretch", "far"), [(Fraction(10001, 10000), 10**5), (Fraction(2), 900), (Fraction(10**9), 30)]
)
def test_locate_far_away(stretch: Fraction, far: int) -> None:
    periods = Periods(100, stretch, None, "none")

    for index in (1, far // 2, far):
        start = periods.start(index)
        assert periods.locate(start, False) == index
        assert periods.locate(start, True) == index - 1
        assert periods.locate(start + Fraction(1, 10**6), True) == index


def test_locate_near_the_end_of_shrinking_periods() -> None:
    periods = Periods(100, Fraction(1, 2), 60, "none")  # the limit is 200
    last = periods.start(59)

    assert periods.locate(last, False) == 59
    assert periods.locate(last, True) == 58
    assert periods.locate(200, False) == 59


@given(
    st.sampled_from([Fraction(11, 10), Fraction(9, 10), Fraction(3, 2), Fraction(1001, 1000)]),
    st.sampled_from(ROUNDINGS),
    st.lists(st.fractions(0, 2000, max_denominator=4), min_size=1, max_size=20).map(sorted),
    st.booleans(),
)
def test_a_walk_finds_what_is_located(
    stretch: Fraction, rounding: Rounding, offsets: list[Fraction], left: bool
) -> None:
    periods = Periods(7, stretch, 500, rounding)
    walk = Walk(periods, left)

    for offset in offsets:
        walk.to(offset)
        index = periods.locate(offset, left)
        assert walk.index == index
        for found, want in (
            (walk.start, periods.start(index)),
            (walk.length, periods.length(index)),
            (walk.end, walk.start + walk.length),
        ):
            assert abs(Fraction(found) - want) <= Fraction(found) / 2**1900


def test_it_is_a_value() -> None:
    periods = Periods(7, Fraction(13, 10), None, "nearest")
    periods.start(20)
    copy = pickle.loads(pickle.dumps(periods))

    assert copy == periods == Periods(7, Fraction(13, 10), None, "nearest")
    assert hash(copy) == hash(periods)
    assert copy.start(20) == periods.start(20)
