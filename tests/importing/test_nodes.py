"""Nodes are written the short way, and stages as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.importing import nodes
from lrspec.importing.nodes import (
    Node,
    clamp,
    constant,
    cosine,
    exponential,
    inverse_sqrt,
    linear,
    number,
    percent,
    piecewise_constant,
    plain,
    repeat,
    steps,
    sum_of,
)
from lrspec.loading import from_dict


@pytest.mark.parametrize(
    ("node", "written"),
    [
        (constant(), {"constant": None}),
        (constant(0.5), {"constant": {"value": 0.5}}),
        (constant(0.5, 3), {"constant": {"value": 0.5, "length": 3}}),
        (constant(length="45%"), {"constant": {"length": "45%"}}),
        (constant(until=7.5), {"constant": {"until": "7.5 steps"}}),
        (constant(0, 0), {"constant": {"value": 0, "length": 0}}),
        (linear(None, 1), {"linear": {"final": 1}}),
        (
            linear(0, 1, 10.0, extend=True),
            {"linear": {"initial": 0, "final": 1, "after": "extend", "length": 10}},
        ),
        (linear(0, 1, until=9), {"linear": {"initial": 0, "final": 1, "until": 9}}),
        (cosine(1, 0), {"cosine": {"initial": 1, "final": 0}}),
        (
            cosine(1, 0, 5, exponent=2.0, extend=True),
            {
                "cosine": {
                    "initial": 1,
                    "final": 0,
                    "exponent": 2,
                    "after": "extend",
                    "length": 5,
                }
            },
        ),
        (
            nodes.polynomial(1, 0, 5, power=2.0),
            {"polynomial": {"initial": 1, "final": 0, "power": 2, "length": 5}},
        ),
        (
            nodes.polynomial(1, 0, power=0.5, origin="initial", extend=True),
            {
                "polynomial": {
                    "initial": 1,
                    "final": 0,
                    "power": 0.5,
                    "origin": "initial",
                    "after": "extend",
                }
            },
        ),
        (
            nodes.polynomial(1, 0, power=1.0, extend=True, until=3),
            {"linear": {"initial": 1, "final": 0, "after": "extend", "until": 3}},
        ),
        (
            nodes.geometric(1, 0.1, 5, extend=True),
            {"geometric": {"initial": 1, "final": 0.1, "after": "extend", "length": 5}},
        ),
        (
            nodes.geometric(1, 0.1, asymptote=0.05),
            {"geometric": {"initial": 1, "final": 0.1, "asymptote": 0.05}},
        ),
        (nodes.inverse(1, 0.1), {"inverse": {"initial": 1, "final": 0.1}}),
        (
            nodes.inverse(1, 0.1, asymptote=-1),
            {"inverse": {"initial": 1, "final": 0.1, "asymptote": -1}},
        ),
        (
            exponential(1, 0.5, 7.5, staircase=True),
            {"exponential": {"initial": 1, "rate": 0.5, "every": "7.5 steps", "staircase": True}},
        ),
        (exponential(None, 2.0, "1 epoch"), {"exponential": {"rate": 2, "every": "1 epoch"}}),
        (inverse_sqrt(None, 10), {"inverse_sqrt": {"timescale": 10}}),
        (
            nodes.power_law(1, 10, 0.5, 3),
            {"inverse_sqrt": {"initial": 1, "timescale": 10, "length": 3}},
        ),
        (
            nodes.power_law(1, 10, 1.0),
            {"power_law": {"initial": 1, "timescale": 10, "exponent": 1}},
        ),
        (
            nodes.piecewise_linear([0, 2.5, "10%"], [1, 0.5, 0]),
            {"piecewise_linear": {"boundaries": [0, "2.5 steps", "10%"], "values": [1, 0.5, 0]}},
        ),
        (
            piecewise_constant((3,), (1, 0.1)),
            {"piecewise_constant": {"boundaries": [3], "values": [1, 0.1]}},
        ),
        (piecewise_constant([], [0.5], 4), {"constant": {"value": 0.5, "length": 4}}),
        (
            repeat(linear(0, 1), period=10),
            {"repeat": {"period": 10, "schedule": {"linear": {"initial": 0, "final": 1}}}},
        ),
        (
            repeat(constant(1), count=3, stretch=2.0, shrink=0.5, toward=0.1),
            {
                "repeat": {
                    "count": 3,
                    "stretch": 2,
                    "shrink": 0.5,
                    "toward": 0.1,
                    "schedule": {"constant": {"value": 1}},
                }
            },
        ),
        (
            nodes.product(constant(1), linear(0, 1), length=3),
            {
                "product": {
                    "of": [{"constant": {"value": 1}}, {"linear": {"initial": 0, "final": 1}}],
                    "length": 3,
                }
            },
        ),
        (
            sum_of(constant(1), until="9%"),
            {"sum": {"of": [{"constant": {"value": 1}}], "until": "9%"}},
        ),
        (
            clamp(constant(1), minimum=0),
            {"clamp": {"minimum": 0, "schedule": {"constant": {"value": 1}}}},
        ),
        (
            clamp([constant(1)], maximum=0.5),
            {"clamp": {"maximum": 0.5, "schedule": [{"constant": {"value": 1}}]}},
        ),
        (
            nodes.quantize(constant(1), 5),
            {"quantize": {"every": 5, "schedule": {"constant": {"value": 1}}}},
        ),
        (
            nodes.advance(constant(1), 0.75),
            {"advance": {"by": "0.75 steps", "schedule": {"constant": {"value": 1}}}},
        ),
        (nodes.advance(constant(1)), {"advance": {"schedule": {"constant": {"value": 1}}}}),
    ],
)
def test_nodes(node: Node, written: Node) -> None:
    assert node == written
    from_dict({"lrspec": 1, "training": {"steps": 100, "steps_per_epoch": 5}, "schedule": node})


@pytest.mark.parametrize(
    ("given", "written"),
    [(7, 7), (7.0, 7), (7.25, "7.25 steps"), (1e-7, "0.0000001 steps"), (1e30, int(1e30)), (0, 0)],
)
def test_steps(given: float, written: Any) -> None:
    assert steps(given) == written


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (0.45, "45%"),
        (1, "100%"),
        (0, "0%"),
        (0.07, "7%"),
        (1 / 3, "33.33333333333333%"),
        (1e-5, "0.001%"),
        (1e-300, "1E-298%"),
        (1e-45, "1E-43%"),
    ],
)
def test_percent(fraction: float, text: str) -> None:
    assert percent(fraction) == text


def test_positions_are_read_as_what_they_are_written_from() -> None:
    for value in (0.1, 1 / 3, 1e-300, 1.5e299, 123456.789, 5e-324):
        assert float(plain(value)) == value
        node = exponential(1, 0.5, value)
        from_dict({"lrspec": 1, "schedule": node})


@pytest.mark.parametrize(
    ("value", "written"), [(2.0, 2), (2.5, 2.5), (0.0, 0), (-3.0, -3), (1e6, 1e6), (7, 7)]
)
def test_number(value: float, written: float) -> None:
    assert (number(value), type(number(value))) == (written, type(written))


def test_a_line_between_equal_values_is_a_constant() -> None:
    assert linear(0.5, 0.5, 3) == constant(0.5, 3)
    assert linear(0.5, 0.5, until="50%", extend=True) == constant(0.5, until="50%")
    assert linear(None, 0.5, 3) == {"linear": {"final": 0.5, "length": 3}}
