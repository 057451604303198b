"""The production case, a training of 88,004 updates, at every step on every backend; and what was
stated of piecewise-linear schedules when they were first asked for."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from tests.backends import Backend
from tests.conformance.agreement import rounded

from lrspec.curve import Curve
from lrspec.loading import from_dict, loads
from lrspec.problems import SpecError

UPDATES = 88_004
STEPS = range(UPDATES + 1)
PEAK = 39_602  # 0.45 · 88004 = 39601.8

PRODUCTION = """
lrspec: 1
base: absolute
training: {steps: 88004}
schedule:
  piecewise_linear:
    boundaries: [0, 45%, 90%, 100%]
    values: [1e-5, 4e-3, 1e-5, 1e-6]
"""


def piecewise(boundaries: list[Any], values: list[float], **facts: Any) -> Curve:
    """A piecewise-linear schedule of multiples."""
    body = {"boundaries": boundaries, "values": values}
    return from_dict({"lrspec": 1, "schedule": {"piecewise_linear": body}}).bind(**facts)


@cache
def production(backend: Backend) -> list[float]:
    """The value of every step."""
    return backend(loads(PRODUCTION).bind(), STEPS)


def test_every_step_is_that_of_the_reference(backend: Backend) -> None:
    curve = loads(PRODUCTION).bind()

    assert production(backend) == [rounded(backend, curve(step)) for step in STEPS]


def test_it_rises_to_the_peak_and_falls_after_it(backend: Backend) -> None:
    values = production(backend)
    peak = max(STEPS, key=values.__getitem__)

    assert peak in (PEAK - 1, PEAK)
    assert values[peak] == pytest.approx(4e-3, rel=1e-4)
    assert all(before < after for before, after in pairwise(values[: peak + 1]))
    assert all(before > after for before, after in pairwise(values[peak:]))


def test_its_knots(backend: Backend) -> None:
    values = production(backend)

    assert values[0] == rounded(backend, 1e-5)
    assert values[79_204] == pytest.approx(1e-5, rel=1e-3)  # 0.9 · 88004 = 79203.6
    assert values[UPDATES] == rounded(backend, 1e-6)


def test_its_last_value_holds(backend: Backend) -> None:
    later = backend(loads(PRODUCTION).bind(), [UPDATES + 1, 10**6, 2**31 - 1])

    assert later == [rounded(backend, 1e-6)] * 3


# What was stated: boundaries, values, facts, and from step 0 on the value at every `stride` steps.
STATED: dict[str, tuple[list[Any], list[float], dict[str, Any], int, list[float]]] = {
    "in steps": (
        [0, 4, 8],
        [0.1, 1, 0.5],
        {},
        1,
        [0.1, 0.325, 0.55, 0.775, 1, 0.875, 0.75, 0.625, 0.5, 0.5, 0.5],
    ),
    "relative": (["0%", "50%", "100%"], [0, 1, 0], {"steps": 20}, 5, [0, 0.5, 1, 0.5, 0]),
    "outside": ([2, 4], [0.5, 1], {}, 1, [0.5, 0.5, 0.5, 0.75, 1, 1, 1]),
    "a group of 1": ([0, 10], [0, 1], {"base": 1.0}, 5, [0, 0.5, 1]),
    "a group of 0.1": ([0, 10], [0, 1], {"base": 0.1}, 5, [0, 0.05, 0.1]),
}


@pytest.mark.parametrize("name", STATED)
def test_stated_values(backend: Backend, name: str) -> None:
    boundaries, values, facts, stride, want = STATED[name]
    curve = piecewise(boundaries, values, **facts)
    steps = [stride * i for i in range(len(want))]

    assert [curve(step) for step in steps] == pytest.approx(want, rel=1e-15)
    assert backend(curve, steps) == [rounded(backend, curve(step)) for step in steps]


def test_boundaries_are_not_rounded(backend: Backend) -> None:
    curve = piecewise(["0%", "45%"], [0, 1], steps=10)

    assert curve(4) == 4 / 4.5
    assert backend(curve, [4]) == [rounded(backend, 4 / 4.5)]


def test_one_document_describes_a_run_of_any_length() -> None:
    for steps in (1, 10, 999, 10**9):
        assert piecewise(["0%", "100%"], [0, 1], steps=steps)(steps) == 1


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "no boundaries": ({"values": [1]}, {}, "missing-field", "/schedule/piecewise_linear"),
    "no values": ({"boundaries": [0]}, {}, "missing-field", "/schedule/piecewise_linear"),
    "fewer values": (
        {"boundaries": [0, 4], "values": [1]},
        {},
        "values-number",
        "/schedule/piecewise_linear/values",
    ),
    "more values": (
        {"boundaries": [0], "values": [1, 2]},
        {},
        "values-number",
        "/schedule/piecewise_linear/values",
    ),
    "empty": (
        {"boundaries": [], "values": []},
        {},
        "too-few-items",
        "/schedule/piecewise_linear/boundaries",
    ),
    "equal": (
        {"boundaries": [0, 4, 4], "values": [1, 2, 3]},
        {},
        "boundaries-order",
        "/schedule/piecewise_linear/boundaries/2",
    ),
    "decreasing": (
        {"boundaries": [0, "50%", "40%"], "values": [1, 2, 3]},
        {"steps": 10},
        "boundaries-order",
        "/schedule/piecewise_linear/boundaries/2",
    ),
    "not finite": (
        {"boundaries": [0, float("inf")], "values": [1, 2]},
        {},
        "not-finite",
        "/schedule/piecewise_linear/boundaries/1",
    ),
    "no number": (
        {"boundaries": [0], "values": [float("nan")]},
        {},
        "not-finite",
        "/schedule/piecewise_linear/values/0",
    ),
    "relative to nothing": (
        {"boundaries": ["50%"], "values": [1]},
        {},
        "missing-fact",
        "/schedule/piecewise_linear/boundaries/0",
    ),
    "a fraction": (
        {"boundaries": [0, 0.5], "values": [1, 2]},
        {"steps": 10},
        "bad-position",
        "/schedule/piecewise_linear/boundaries/1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    body, facts, code, path = REFUSED[name]

    with pytest.raises(SpecError) as caught:
        from_dict({"lrspec": 1, "schedule": {"piecewise_linear": body}}).bind(**facts)

    assert (code, path) in [(problem.code, problem.path) for problem in caught.value.problems]


@pytest.mark.parametrize("steps", [0, -5, 10.5, "10", True], ids=repr)
def test_updates_that_are_no_number_of_updates(steps: Any) -> None:
    with pytest.raises(SpecError, match="given when binding") as caught:
        piecewise(["0%", "100%"], [0, 1], steps=steps)

    assert [problem.code for problem in caught.value.problems] == ["invalid-fact"]
