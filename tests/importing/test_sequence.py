"""Stages are written as people write them."""

from __future__ import annotations

import pytest

from lrspec.importing import nodes
from lrspec.importing.nodes import (
    Schedule,
    clamp,
    constant,
    cosine,
    exponential,
    inverse_sqrt,
    linear,
    repeat,
)
from lrspec.importing.sequence import closing, stages


@pytest.mark.parametrize(
    ("node", "value"),
    [
        (constant(0.5, 3), 0.5),
        (constant(), None),
        (linear(0, 1), 1.0),
        (nodes.inverse(1, 0.5), 0.5),
        (exponential(1, 0.5, 3), None),
        ([linear(0, 1, 3), cosine(1, 0)], 0.0),
        ([linear(0, 1, 3), constant()], None),
    ],
)
def test_closing(node: Schedule, value: float | None) -> None:
    assert closing(node) == value


@pytest.mark.parametrize(
    ("given", "written"),
    [
        # One alone is no list.
        ([linear(0, 1, 3)], linear(0, 1, 3)),
        ([None, constant(1), None], constant(1)),
        ([constant(1, 0)], constant(1, 0)),
        # What stands before is inherited.
        ([linear(0, 1, 3), constant(1)], [linear(0, 1, 3), constant()]),
        (
            [linear(0, 1, 3), constant(1, 2), cosine(1, 0)],
            [linear(0, 1, 3), constant(None, 2), cosine(None, 0)],
        ),
        (
            [constant(1, 2), constant(None, 2), cosine(1, 0)],
            [constant(1, 4), cosine(None, 0)],
        ),
        # What holds the same value is one stage, unless lengths are in different units.
        ([constant(1, 2), constant(1)], constant(1)),
        ([linear(0, 1, 3), constant(1, 2), constant(1, 5)], [linear(0, 1, 3), constant(None, 7)]),
        ([constant(1, 2), constant(1, "5%")], [constant(1, 2), constant(None, "5%")]),
        ([constant(1, "5%"), constant(1)], [constant(1, "5%"), constant()]),
        ([constant(1, until=2), constant(1)], [constant(1, until=2), constant()]),
        ([constant(1, 2), constant(1, until=5)], [constant(1, 2), constant(None, until=5)]),
        ([linear(0, 1, 3), cosine(0.5, 0)], [linear(0, 1, 3), cosine(0.5, 0)]),
        ([linear(0, 1, 3), inverse_sqrt(1, 9)], [linear(0, 1, 3), inverse_sqrt(None, 9)]),
        ([exponential(1, 0.5, 3, 9), constant(1)], [exponential(1, 0.5, 3, 9), constant(1)]),
        (
            [linear(0, 1, 3), [constant(1, 2), linear(1, 0)]],
            [linear(0, 1, 3), [constant(None, 2), linear(1, 0)]],
        ),
        (
            [linear(0, 1, 3), clamp(constant(1), minimum=0)],
            [linear(0, 1, 3), clamp(constant(1), minimum=0)],
        ),
        # What is empty is left out, but for the last.
        ([linear(0, 1, 0), constant(1)], constant(1)),
        ([linear(0, 1, 0), cosine(1, 0, 0)], cosine(1, 0, 0)),
        ([[constant(1, 0), linear(1, 2, 0)], constant(2)], constant(2)),
        ([constant(1, 3), linear(1, 2, 0), constant(2)], [constant(1, 3), constant(2)]),
        # What it ends with is where the next one starts, unless this says something else.
        ([linear(0, 0.5, 0), constant()], constant(0.5)),
        ([linear(0, 0.5, 0), linear(None, 1)], linear(0.5, 1)),
        ([linear(0, 0.5, 0), linear(0.25, 1)], linear(0.25, 1)),
        (
            [linear(0, 0.5, 0), [constant(None, 3), linear(None, 1)]],
            [constant(0.5, 3), linear(None, 1)],
        ),
        ([linear(0, 0.5, 0), constant(None, 0), exponential(None, 2, 3)], exponential(0.5, 2, 3)),
        ([linear(0, 0.5, 0), repeat(constant(), period=3)], repeat(constant(), period=3)),
        (
            [constant(1, 3), linear(1, 2, 0), constant(None, 4), constant(2)],
            [constant(1, 3), constant(2)],
        ),
        ([constant(1, 3), linear(2, 1, 0), constant(None, 4)], constant(1, 7)),
    ],
)
def test_stages(given: list[Schedule | None], written: Schedule) -> None:
    assert stages(*given) == written
