"""Products of factors, as stages where their parts fit."""

from __future__ import annotations

import pytest

from lrspec.importing.factors import Factor, after, combined, constant_from, written
from lrspec.importing.nodes import (
    Schedule,
    constant,
    cosine,
    exponential,
    inverse_sqrt,
    linear,
    piecewise_constant,
    polynomial,
)

RATE: Factor = [constant(0.5)]
WARMUP: Factor = [linear(0, 1, 10), constant(1)]


@pytest.mark.parametrize(
    ("factors", "schedule"),
    [
        ([RATE], {"constant": {"value": 0.5}}),
        ([RATE, RATE], {"constant": {"value": 0.25}}),
        (
            [RATE, WARMUP],
            {"linear": {"initial": 0, "final": 0.5, "length": 10}},
        ),
        (
            [WARMUP, after(10, 1, inverse_sqrt(1, 10)), RATE],
            [
                {"linear": {"initial": 0, "final": 0.5, "length": 10}},
                {"inverse_sqrt": {"timescale": 10}},
            ],
        ),
        (
            # What begins elsewhere stays a factor, and says only what is not 1.
            [RATE, WARMUP, [exponential(1, 0.9, 7)]],
            {
                "product": {
                    "of": [
                        {"linear": {"initial": 0, "final": 0.5, "length": 10}},
                        {"exponential": {"rate": 0.9, "every": 7}},
                    ]
                }
            },
        ),
        (
            # The first factor has the unit; a later constant joins it.
            [[exponential(1, 0.9, 7)], WARMUP, RATE],
            {
                "product": {
                    "of": [
                        {"exponential": {"initial": 0.5, "rate": 0.9, "every": 7}},
                        {"linear": {"initial": 0, "final": 1, "length": 10}},
                    ]
                }
            },
        ),
        (
            # Over the same steps two parts are one product, and a third joins it.
            [RATE, WARMUP, WARMUP, WARMUP, after(10, 1, exponential(1, 0.9, 7))],
            [
                {
                    "product": {
                        "of": [
                            {"linear": {"initial": 0, "final": 0.5}},
                            {"linear": {"initial": 0, "final": 1}},
                            {"linear": {"initial": 0, "final": 1}},
                        ],
                        "length": 10,
                    }
                },
                {"exponential": {"initial": 0.5, "rate": 0.9, "every": 7}},
            ],
        ),
        (
            # The last parts keep the lengths that they have.
            [RATE, after(10, 1, cosine(1, 0, 30)), after(10, 1, linear(1, 0, 20, extend=True))],
            [
                {"constant": {"value": 0.5, "length": 10}},
                {
                    "product": {
                        "of": [
                            {"cosine": {"initial": 0.5, "final": 0, "length": 30}},
                            {"linear": {"final": 0, "after": "extend", "length": 20}},
                        ]
                    }
                },
            ],
        ),
        (
            # A part that is cut short by another factor stays whole.
            [RATE, [cosine(1, 0, 30)], WARMUP],
            {
                "product": {
                    "of": [
                        {"cosine": {"initial": 0.5, "final": 0, "length": 30}},
                        {"linear": {"initial": 0, "final": 1, "length": 10}},
                    ]
                }
            },
        ),
        (
            [
                RATE,
                [linear(0, 1, 4), constant(1, 6), cosine(1, 0, 30)],
                after(20, 1, linear(1, 0, 9)),
            ],
            {
                "product": {
                    "of": [
                        [
                            {"linear": {"initial": 0, "final": 0.5, "length": 4}},
                            {"constant": {"length": 6}},
                            {"cosine": {"final": 0, "length": 30}},
                        ],
                        [{"constant": {"length": 20}}, {"linear": {"final": 0, "length": 9}}],
                    ]
                }
            },
        ),
        (
            [RATE, [linear(0.1, 1, 10), constant(1)], [piecewise_constant([5], [1, 0.1])]],
            {
                "product": {
                    "of": [
                        {"linear": {"initial": 0.05, "final": 0.5, "length": 10}},
                        {"piecewise_constant": {"boundaries": [5], "values": [1, 0.1]}},
                    ]
                }
            },
        ),
    ],
)
def test_combined(factors: list[Factor], schedule: Schedule) -> None:
    assert written(combined(*factors)) == schedule


def test_what_ends_with_the_run_is_left_open() -> None:
    fall = after(80, 1, linear(1, 0, 20))
    assert written(combined(RATE, WARMUP, fall), 100) == [
        {"linear": {"initial": 0, "final": 0.5, "length": 10}},
        {"constant": None},
        {"linear": {"final": 0, "length": 20}},
    ]
    assert written(combined(RATE, WARMUP, after(10, 1, polynomial(1, 0, 90, power=2))), 100) == [
        {"linear": {"initial": 0, "final": 0.5, "length": 10}},
        {"polynomial": {"final": 0, "power": 2}},
    ]
    assert written([[cosine(1, 0, 100)]], 100) == {"cosine": {"initial": 1, "final": 0}}
    assert written([[cosine(1, 0, 100)]], 99) == {
        "cosine": {"initial": 1, "final": 0, "length": 100}
    }
    assert written([[linear(1, 0, 2.5)]], 3) == {
        "linear": {"initial": 1, "final": 0, "length": "2.5 steps"}
    }


def test_after_no_steps_nothing_stands() -> None:
    assert after(0, 1, inverse_sqrt(1, 5)) == [inverse_sqrt(1, 5)]
    assert after(3, 1) == [constant(1, 3)]


def test_constant_from() -> None:
    (warm,) = combined(RATE, WARMUP)
    assert constant_from(warm, 10) == ([linear(0, 0.5, 10)], 0.5)
    assert constant_from(warm, 25) == ([linear(0, 0.5, 10), constant(0.5, 15)], 0.5)
    assert constant_from(warm, 9) is None
    assert constant_from([cosine(1, 0, 10)], 20) is None
