"""Curves as points for a picture: exact ones, as close to every step as they say."""

from __future__ import annotations

from bisect import bisect_left
from itertools import combinations, pairwise
from math import exp, log, ulp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.strategies import Bound, bindings, bound

from lrspec.curve import Curve
from lrspec.loading import from_dict
from lrspec.plotting.breaks import TooManyError, breaks
from lrspec.plotting.samples import Samples, envelope, every, lines, sample
from lrspec.plotting.styles import styles

MANY = 10**6


def curve(schedule: Any, **root: Any) -> Curve:
    """A curve of 10,000 steps unless `training` says otherwise."""
    root.setdefault("training", {"steps": 10_000})
    return from_dict({"lrspec": 1, **root, "schedule": schedule}).bind()


def check(curve: Curve, last: int, found: Samples, within: float) -> None:
    """Whether points are exact, and every step as close to the line as `within`."""
    values = curve.values(0, last + 1)
    peak, reach = max(map(abs, values)), within * max(values) - within * min(values)
    assert (found.steps[0], found.steps[-1]) == (0, last)
    assert [values[step] for step in found.steps] == list(found.values)
    for step, value in enumerate(values):
        right = bisect_left(found.steps, step)
        if found.steps[right] == step:
            continue
        i, u, j, v = (*_point(found, right - 1), *_point(found, right))
        along = (step - i) / (j - i)
        assert abs(value - (u * (1 - along) + v * along)) <= reach + 8 * ulp(peak), step
        if value > 1e-9 * peak:
            shown = exp((1 - along) * log(u) + along * log(v))
            assert abs(value - shown) <= (10 * within + 1e-12) * value + 8 * ulp(peak), step


def _point(found: Samples, index: int) -> tuple[int, float]:
    return found.steps[index], found.values[index]


@given(bindings(depth=3), st.integers(0, 400), st.sampled_from([1e-6, 1e-3, 0.1]))
def test_lines_are_close_to_every_step(drawn: Bound, last: int, within: float) -> None:
    check(drawn.curve, last, lines(drawn.curve, last, within, most=MANY), within)


@st.composite
def long_schedules(draw: st.DrawFn) -> Any:
    """Stages over thousands of steps, of every kind that bends."""
    value = st.sampled_from([1e-6, 0.01, 0.1, 0.5, 1.0, 3.0])
    exponent = st.sampled_from([0.25, 0.5, 1, 2, 7.5, 40])
    length = st.sampled_from([1, 17, 500, 2500, "2500.5 steps", "33.3%"])

    def stage() -> dict[str, Any]:
        ends = {"initial": draw(value), "final": draw(value)}
        kind, fields = draw(
            st.sampled_from(
                [
                    ("linear", {**ends, "final": 0}),
                    ("cosine", ends),
                    ("cosine", {**ends, "final": 0, "exponent": draw(exponent)}),
                    ("polynomial", {**ends, "power": draw(exponent)}),
                    ("polynomial", {**ends, "power": draw(exponent), "origin": "initial"}),
                    ("geometric", ends),
                    ("inverse", ends),
                    ("inverse_sqrt", {"initial": draw(value), "timescale": draw(length)}),
                    ("power_law", {"timescale": 100, "exponent": draw(exponent)}),
                    ("exponential", {"rate": 0.9, "every": draw(length), "staircase": True}),
                    ("exponential", {"rate": 0.999, "every": 1}),
                    ("piecewise_linear", {"boundaries": ["10%", "20.03%"], "values": [1, 0.2]}),
                    ("piecewise_constant", {"boundaries": ["5%"], "values": [1, 0.2]}),
                ]
            )
        )
        return {kind: fields}

    def whole() -> Any:
        form = draw(st.integers(0, 6))
        if form == 0:
            return {"clamp": {"maximum": draw(value), "schedule": stage()}}
        if form == 1:
            return {draw(st.sampled_from(["product", "sum"])): {"of": [stage(), stage()]}}
        if form == 2:
            return {"quantize": {"every": draw(length), "schedule": stage()}}
        if form == 3:
            stretch = draw(st.sampled_from([1, 1.5, 2]))
            return {"repeat": {"period": 1234, "stretch": stretch, "schedule": stage()}}
        return stage()

    last = whole()
    first = whole()
    (body,) = first.values()
    return [{**first, next(iter(first)): {**body, "length": draw(length)}}, last]


@given(long_schedules(), st.sampled_from(["start", "middle", "end"]), st.sampled_from([1e-5, 1e-3]))
def test_lines_over_thousands_of_steps(schedule: Any, where: str, within: float) -> None:
    long = bound({"lrspec": 1, "sample": where, "schedule": schedule}, {"steps": 10_000}).curve
    check(long, 10_000, lines(long, 10_000, within, most=MANY), within)


def test_a_peak_between_ends_is_found() -> None:
    """Both children are next to nothing at the ends, in the middle, and halfway to it."""
    rising = {"polynomial": {"initial": 0, "final": 1, "power": 25, "origin": "initial"}}
    falling = {"polynomial": {"initial": 1e9, "final": 0, "power": 300}}
    both = curve({"product": {"of": [rising, falling]}})
    check(both, 10_000, lines(both, 10_000, 1e-4, most=MANY), 1e-4)


def test_both_sides_of_a_jump_are_points() -> None:
    steps = lines(
        curve({"piecewise_constant": {"boundaries": [50, "99.5 steps"], "values": [1, 2, 3]}}),
        9999,
        1e-6,
        most=MANY,
    ).steps

    assert list(steps) == [0, 49, 50, 99, 100, 9999]


@pytest.mark.parametrize(
    ("where", "expected"), [("start", [50, 100]), ("middle", [50, 99]), ("end", [50, 99])]
)
@pytest.mark.parametrize("axis", ["steps", "samples"])
def test_breaks_are_where_the_step_is_read(where: str, axis: str, expected: list[int]) -> None:
    size = 1 if axis == "steps" else 10
    boundaries = [50 * size, "99.5 steps"] if axis == "steps" else ["50 steps", "99.5 steps"]
    found = breaks(
        curve(
            {"piecewise_constant": {"boundaries": boundaries, "values": [1, 2, 3]}},
            sample=where,
            axis=axis,
            training={"batch_size": size, "steps": 200},
        ),
        200,
        MANY,
    )

    assert found == expected


LINE = {"linear": {"initial": 1, "final": 0}}


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ({"repeat": {"period": 10, "stretch": 2, "schedule": LINE}}, [10, 30, 70]),
        ({"repeat": {"period": 10, "stretch": 2, "count": 2, "schedule": LINE}}, [10, 30]),
        ({"repeat": {"period": 40, "schedule": [{**LINE}, {"constant": {"length": 1}}]}},
         [39, 40, 79, 80]),
        ({"quantize": {"every": 30, "schedule": LINE}}, [30, 60, 90]),
        ({"exponential": {"rate": 0.5, "every": "30.5 steps", "staircase": True}}, [31, 61, 92]),
        ({"product": {"of": [{"constant": {"value": 2}}, {**LINE}]}}, []),
        ({"clamp": {"minimum": 0.5, "schedule": [{"constant": {"length": 7}}, {**LINE}]}}, [7]),
        ([{"constant": {"value": 1, "length": 9}},
          {"token_power": {"amplitude": 4, "exponent": -0.5, "count_from": "stage"}}], [9, 50]),
    ],
)  # fmt: skip
def test_what_begins(schedule: Any, expected: list[int]) -> None:
    batches = [{"start": 0, "value": 4}, {"start": 50, "value": 8}]
    training = {"steps": 1000, "batch_size": batches, "sequence_length": 2}
    found = breaks(curve(schedule, base=1, training=training), 99, MANY)

    assert found == expected


def test_a_straight_line_takes_its_ends() -> None:
    straight = curve({"linear": {"initial": 1, "final": 0.5}})

    assert len(lines(straight, 10_000, 1e-2, most=MANY).steps) <= 20


def test_a_constant_takes_its_ends() -> None:
    assert list(lines(curve({"constant": {"value": 0.1}}), 10**9, 1e-6, most=9).steps) == [0, 10**9]


def test_an_oscillation_that_is_extended() -> None:
    wave = curve({"cosine": {"final": 0.5, "length": 100, "after": "extend"}})

    check(wave, 1000, lines(wave, 1000, 1e-4, most=MANY), 1e-4)
    assert breaks(wave, 1000, MANY) == list(range(50, 1001, 50))


@pytest.mark.parametrize(
    "schedule",
    [
        {"repeat": {"period": 3, "schedule": {"cosine": {"final": 0}}}},
        {"repeat": {"period": 1, "stretch": 1.0001, "schedule": {"cosine": {"final": 0}}}},
        {"quantize": {"every": 2, "schedule": {"cosine": {"final": 0}}}},
        {"cosine": {"final": 0, "length": 1, "after": "extend"}},
        {"piecewise_constant": {"boundaries": list(range(1, 300)), "values": [*range(300)]}},
        {"polynomial": {"final": 0, "power": 3}},
    ],
)
def test_too_many(schedule: Any) -> None:
    with pytest.raises(TooManyError):
        lines(curve(schedule), 10_000, 1e-9, most=300)


def test_too_many_beside_the_breaks() -> None:
    steps = {"piecewise_constant": {"boundaries": [*range(2, 302, 2)], "values": [*range(151)]}}

    assert len(breaks(curve(steps), 10_000, 200)) == 150
    with pytest.raises(TooManyError):
        lines(curve(steps), 10_000, 1e-3, most=200)


def test_a_short_run_is_every_step() -> None:
    whole = curve({"cosine": {"final": 0}})
    found = sample(whole, 99, 100)

    assert (list(found.steps), found.within) == (list(range(100)), 0.0)
    assert list(found.values) == list(whole.values(0, 100)) == list(every(whole, 99).values)


def test_lines_get_as_close_as_the_points_allow() -> None:
    waves = curve({"repeat": {"period": 500, "schedule": {"cosine": {"final": 0.1}}}})
    few, more = sample(waves, 10_000, 2000), sample(waves, 10_000, 6000)
    fewest = sample(waves, 10_000, 1500)

    assert few.within is not None and more.within is not None
    assert 1e-6 <= more.within < few.within < 1e-3 == fewest.within
    assert len(few.steps) <= 2000 < len(more.steps) <= 6000
    check(waves, 10_000, few, few.within)


def test_lines_that_all_need_twice_the_points_stay_as_they_are() -> None:
    parabola = {"polynomial": {"initial": 2, "final": 1, "power": 2}}
    waves = curve({"repeat": {"period": 500, "schedule": parabola}})
    found = sample(waves, 10_000, 1200)

    assert (found.within, len(found.steps)) == (1e-3, 661)
    assert len(sample(waves, 10_000, 1500).steps) == 1301


def test_a_smooth_run_is_as_close_as_any_picture_asks() -> None:
    assert sample(curve({"cosine": {"final": 0}}), 10_000, 9_000).within == 1e-6


FAST: list[Any] = [
    [{"constant": {"value": 1, "length": 5}}, {"repeat": {"period": 2, "schedule": {
        "linear": {"final": 0}}}}],
    {"repeat": {"period": 7, "schedule": {"cosine": {"initial": 1, "final": 0.25}}}},
    {"product": {"of": [{"repeat": {"period": 1, "stretch": 1.001, "schedule": {
        "linear": {"initial": 1, "final": 0}}}}]}},
]  # fmt: skip


@pytest.mark.parametrize("schedule", FAST)
@pytest.mark.parametrize("last", [10_000, 10**10])
def test_the_least_and_greatest_of_each_part(schedule: Any, last: int) -> None:
    busy = curve(schedule)
    found = sample(busy, last, 200)

    assert found.within is None
    assert (found.steps[0], found.steps[-1]) == (0, last)
    assert list(found.steps) == sorted(set(found.steps)) and len(found.steps) <= 200
    assert [busy(step) for step in found.steps] == list(found.values)


def test_the_least_and_greatest_of_every_step() -> None:
    busy = curve(FAST[1])
    found = envelope(busy, 9_999, 400)
    values = busy.values(0, 10_000)

    for start in range(0, 10_000, 100):
        part = [
            v for s, v in zip(found.steps, found.values, strict=True) if start <= s < start + 100
        ]
        assert (min(part), max(part)) == (
            min(values[start : start + 100]),
            max(values[start : start + 100]),
        )


def test_one_part_at_least() -> None:
    assert list(envelope(curve({"linear": {"final": 0}}), 100, 1).steps) == [0, 100]


@pytest.mark.parametrize(
    ("base", "schedule"),
    [
        (1e300, {"exponential": {"rate": 1.001, "every": 1}}),
        (1e300, {"linear": {"initial": 1.7976e8, "final": -1.7976e8}}),
        (1e300, {"constant": {"value": 1e10}}),
        (1e-310, {"geometric": {"initial": 1, "final": 1e-12}}),
    ],
)
def test_lines_near_the_ends_of_float64(base: float, schedule: Any) -> None:
    found = lines(curve(schedule, base=base), 10_000, 1e-3, most=MANY)

    assert len(found.steps) < 2000
    for (i, u), (j, v) in pairwise(zip(found.steps, found.values, strict=True)):
        value = curve(schedule, base=base)((i + j) // 2)
        assert min(u, v) <= value <= max(u, v)


def test_too_many_between_two_breaks() -> None:
    """Before the base is multiplied, float64 has few values here: each of them is a step."""
    steep = {"linear": {"initial": 0, "final": 2e-310}}
    found = sample(curve(steep, base=1e8, training={"steps": 2**53 - 1}), 2**53 - 1, 6000)

    assert found.within == 1e-3 and len(found.steps) < 6000


@pytest.mark.parametrize("count", [1, 2, 8, 9, 24, 50, 200])
def test_lines_differ_and_none_hides_another(count: int) -> None:
    found = styles(count)
    solid, *dashed = found

    assert len(found) == count
    assert len({(style.colour, style.dash) for style in found}) == min(count, 50)
    # One below others is either solid, or dashed as none of them, or wider.
    assert solid.dash == () and all(style.dash for style in dashed)
    for style, above in combinations(dashed, 2):
        assert style.dash != above.dash or style.width > above.width
    assert max(style.width for style in found) < 3
