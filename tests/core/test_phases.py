"""The resolved stages as rows."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.curve import Curve
from lrspec.loading import from_dict
from lrspec.phase_lines import phase_lines
from lrspec.phases import Phase


def bound(schedule: Any, *, axis: str = "steps", **facts: Any) -> Curve:
    return from_dict({"lrspec": 1, "axis": axis, "schedule": schedule}).bind(**facts)


def phases(schedule: Any, *, axis: str = "steps", **facts: Any) -> tuple[Phase, ...]:
    return bound(schedule, axis=axis, **facts).phases()


def rows(schedule: Any, **facts: Any) -> list[tuple[Any, ...]]:
    return [(p.start, p.stop, p.kind, p.initial, p.final) for p in phases(schedule, **facts)]


def test_stages() -> None:
    schedule = [
        {"linear": {"initial": 0, "final": 1, "length": "10%"}},
        {"constant": None},
        [{"cosine": {"final": 0.1, "length": 20}}],
    ]

    assert phases(schedule, steps=100, base=0.5) == (
        Phase(0, 10, "linear", 0.0, 0.5, "/schedule/0"),
        Phase(10, 80, "constant", 0.5, 0.5, "/schedule/1"),
        Phase(80, 100, "cosine", 0.5, 0.05, "/schedule/2/0"),
    )


def test_knots_are_rows() -> None:
    body = {"boundaries": [0, "45%", "90%", "100%"], "values": [1e-5, 4e-3, 1e-5, 1e-6]}

    assert rows({"piecewise_linear": body}, steps=88_004) == [
        (0, 39601.8, "piecewise_linear", 1e-5, 4e-3),
        (39601.8, 79203.6, "piecewise_linear", 4e-3, 1e-5),
        (79203.6, 88004, "piecewise_linear", 1e-5, 1e-6),
    ]


def test_pieces_that_are_constant() -> None:
    body = {"boundaries": [3, 5, 90], "values": [1, 2, 3, 4]}

    assert rows([{"piecewise_constant": {**body, "length": 7}}, {"constant": None}]) == [
        (0, 3, "piecewise_constant", 1, 1),
        (3, 5, "piecewise_constant", 2, 2),
        (5, 7, "piecewise_constant", 3, 3),
        (7, None, "constant", 3, None),
    ]


def test_a_curve_without_an_end() -> None:
    assert rows({"inverse_sqrt": {"timescale": 3}}) == [(0, None, "inverse_sqrt", 1, None)]
    assert rows({"piecewise_linear": {"boundaries": [2, 4], "values": [1, 0]}})[-1] == (
        4,
        None,
        "piecewise_linear",
        0,
        None,
    )


def test_empty_stages_are_no_rows() -> None:
    schedule = [{"constant": {"length": 0}}, {"linear": {"final": 0, "length": 3}}]

    assert rows([*schedule, {"constant": None}], steps=3) == [
        (0, 3, "linear", 1, 0),
        (3, None, "constant", 0, None),
    ]


@pytest.mark.parametrize(
    ("axis", "facts", "stop"),
    [
        ("samples", {"batch_size": 8}, 12.5),
        ("tokens", {"batch_size": 8, "sequence_length": 512}, 12.5),
        ("samples", {"batch_size": [{"start": 0, "value": 8}, {"start": 10, "value": 4}]}, 15),
    ],
)
def test_edges_are_steps_on_every_axis(axis: str, facts: dict[str, Any], stop: float) -> None:
    schedule = [{"linear": {"final": 0, "length": "100 samples"}}, {"constant": None}]

    facts.setdefault("sequence_length", 512)
    assert [phase.stop for phase in phases(schedule, axis=axis, **facts)] == [stop, None]


def test_a_whole_step_is_an_int() -> None:
    schedule = [{"constant": {"length": "2.5 steps"}}, {"constant": {"length": "0.5 steps"}}]

    found = phases([*schedule, {"constant": None}])
    assert [type(phase.stop) for phase in found[:2]] == [float, int]


def test_combinators_and_wrappers_are_one_row() -> None:
    stages = [{"linear": {"final": 0, "length": 3}}, {"constant": {"value": 1}}]
    for kind, body in {
        "product": {"of": [stages]},
        "clamp": {"minimum": 0, "schedule": stages},
        "quantize": {"every": 1, "schedule": stages},
        "advance": {"by": 0, "schedule": stages},
        "repeat": {"period": 9, "schedule": stages},
    }.items():
        assert rows({kind: body}, steps=9) == [(0, 9, kind, 1, 1)]


REPEAT: Any = {"schedule": {"linear": {"initial": 1, "final": 0.5}}, "period": 200, "count": 3}


@pytest.mark.parametrize("steps", [None, 100, 600, 1000])
def test_a_repeat_that_ends_of_its_own_is_alone_what_it_is_in_a_list(steps: int | None) -> None:
    alone: Any = {"repeat": REPEAT}

    assert rows(alone, steps=steps) == rows([alone], steps=steps) == [(0, 600, "repeat", 1, 0.5)]
    assert "held" in phase_lines(bound(alone, steps=steps))[-1]
    # A written end comes before its own.
    for end, value in ((500, 0.75), (700, 0.5)):
        longer: Any = {"repeat": {**REPEAT, "length": end}}
        assert rows(longer, steps=steps) == [(0, end, "repeat", 1, value)]


@pytest.mark.parametrize(
    "schedule",
    [
        {"repeat": REPEAT},
        {"linear": {"initial": 1, "final": 0.5, "length": 600}},
        {"clamp": {"minimum": 0.1, "length": 600, "schedule": {"linear": {"final": 0.5}}}},
    ],
)
def test_what_is_longer_than_the_run_is_alone_what_it_is_in_a_list(schedule: Any) -> None:
    for steps in (599, 600):
        alone = bound(schedule, steps=steps).warnings
        listed = bound([schedule], steps=steps).warnings
        codes = ["beyond-the-run"] if steps < 600 else []
        assert [w.code for w in alone] == [w.code for w in listed] == codes
    (warning,) = bound(schedule, steps=500).warnings
    assert (warning.severity, warning.path) == ("warning", "/schedule")
    assert warning.message == "the schedule reaches step 600, the run ends at 500"


def test_inside_a_combinator_what_is_longer_than_the_run_is_named() -> None:
    of = [{"repeat": REPEAT}, {"constant": {"value": 1, "length": 900}}]
    found = bound({"product": {"of": of}}, steps=700).warnings

    assert [w.path for w in found] == ["/schedule/product/of/1"]
    assert not bound({"product": {"of": of, "length": 100}}, steps=700).warnings


def test_pieces_hold_what_stands_in_them() -> None:
    inner: Any = {"constant": {"value": 1, "length": 3}}
    body: Any = {"product": {"of": [[inner, inner], {"repeat": {"period": 5, "schedule": inner}}]}}
    for kind, fields in {
        "clamp": {"minimum": 0},
        "quantize": {"every": 1},
        "advance": {"by": 0},
    }.items():
        (piece,) = bound({kind: {**fields, "schedule": body}}, steps=9).pieces
        ((product,),) = piece.inside
        (listed, (repeat,)) = product.inside
        assert [(p.start, p.stop) for p in listed] == [(0, 3), (3, 6)]
        assert [(p.start, p.stop) for p in repeat.period] == [(0, 3)]
    stretched: Any = {"repeat": {"period": 5, "stretch": 2, "schedule": inner}}
    assert bound(stretched, steps=9).pieces[0].period == ()
