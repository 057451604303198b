"""The resolved stages as rows."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.loading import from_dict
from lrspec.phases import Phase


def phases(schedule: Any, *, axis: str = "steps", **facts: Any) -> tuple[Phase, ...]:
    return from_dict({"lrspec": 1, "axis": axis, "schedule": schedule}).bind(**facts).phases()


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
