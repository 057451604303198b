"""Comparing two curves step by step."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lrspec.comparing import At, difference, horizon
from lrspec.curve import Curve
from lrspec.loading import from_dict

VALUES = st.lists(st.sampled_from([0.0, 0.5, 1.0, -1.0]), min_size=1, max_size=8)


def curve(values: list[float], **root: object) -> Curve:
    """One value a step, the last one for ever."""
    stages = [{"constant": {"value": value, "length": 1}} for value in values]
    return from_dict({"lrspec": 1, "schedule": stages, **root}).bind()


@given(VALUES, VALUES)
def test_against_looking_at_every_step(ones: list[float], twos: list[float]) -> None:
    one, two = curve(ones), curve(twos)
    last = 2 * horizon(one, two)
    apart = [At(s, one(s), two(s)) for s in range(last + 1) if one(s) != two(s)]
    found = difference(one, two, last)

    assert last == 2 * max(len(ones), len(twos))
    if found is None:
        assert apart == []
    else:
        assert (found.first, found.steps) == (apart[0], len(apart))
        assert found.largest.distance == max(at.distance for at in apart)


def test_a_difference_far_away_and_in_another_part() -> None:
    def jump(at: int) -> Curve:
        pieces = {"boundaries": [at], "values": [1, 0]}
        return from_dict({"lrspec": 1, "schedule": {"piecewise_constant": pieces}}).bind()

    found = difference(jump(200_000), jump(200_001), 300_000)

    assert found is not None
    assert found.first == found.largest == At(200_000, 0.0, 1.0)
    assert found.steps == 1
    assert difference(jump(200_000), jump(200_001), 199_999) is None


def test_a_share_of_nothing() -> None:
    assert At(0, 0.0, 0.0).relative == 0
    assert At(0, 0.0, 2.0).relative == 1
    assert At(0, -1.0, 1.0).relative == 2


def test_the_run_counts_for_the_horizon() -> None:
    assert horizon(curve([1.0], training={"steps": 7}), curve([1.0, 2.0])) == 7


def test_what_both_hold_is_not_looked_at_step_by_step() -> None:
    found = difference(curve([1.0, 0.5]), curve([1.0, 0.25]), 10**18)

    assert found is not None
    assert found.first == found.largest == At(1, 0.5, 0.25)
    assert found.steps == 10**18
    far = difference(curve([1.0, 0.5]), curve([0.0, 0.5]), 10**18)
    assert far is not None
    assert far.steps == 1


def test_a_curve_that_goes_on_is_looked_at_to_the_end() -> None:
    falls = {"lrspec": 1, "schedule": {"inverse_sqrt": {"timescale": 1}}}
    found = difference(from_dict(falls).bind(), curve([1.0]), 100)

    assert found is not None
    assert (found.first.step, found.largest.step, found.steps) == (1, 100, 100)
