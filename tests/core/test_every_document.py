"""What holds for the curve of every document, beyond what every backend is asked."""

from __future__ import annotations

import json
import math
import struct
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.strategies import Bound, bindings

from lrspec.loading import from_dict, loads
from lrspec.powers import saturate
from lrspec.reading import read_text


def bits(values: list[float]) -> list[bytes]:
    return [struct.pack("d", value) for value in values]


@given(bindings(), st.integers(0, 80), st.integers(0, 80), st.integers(1, 9))
def test_values_are_those_of_single_steps(
    example: Bound, start: int, stop: int, stride: int
) -> None:
    found = example.curve.values(start, stop, stride)

    assert isinstance(found, array)
    assert bits(list(found)) == bits([example.curve(s) for s in range(start, stop, stride)])


@given(bindings(), st.integers(0, 2**53), st.integers(1, 2**40))
def test_values_far_away(example: Bound, start: int, stride: int) -> None:
    steps = range(start, start + 5 * stride, stride)
    found = example.curve.values(steps.start, steps.stop, stride)

    assert bits(list(found)) == bits(list(map(example.curve, steps)))


@given(bindings())
def test_phases_follow_each_other(example: Bound) -> None:
    curve = example.curve
    base = 1.0 if curve.resolution.base is None else curve.resolution.base

    for before, here in pairwise(curve.phases()):
        assert before.stop is not None and before.final is not None
        assert before.start < before.stop <= here.start
        # Between them the last value of a list that is shorter than its span is held. A stage that
        # is empty has no phase, but a last value.
        gap = range(math.ceil(before.stop), math.floor(here.start))
        if gap:
            ended = [
                piece.closing
                for piece in curve.pieces
                if piece.stop is not None and curve.units.steps(piece.stop) <= gap.start
            ]
            assert ended[-1] is not None
            assert {curve(step) for step in gap} == {saturate(ended[-1] * base)}


@given(bindings())
def test_a_phase_starts_with_the_value_of_its_step(example: Bound) -> None:
    curve = example.curve
    if curve.resolution.clock.sample != "start":
        return
    for phase in curve.phases():
        if isinstance(phase.start, int):
            assert phase.initial == curve(phase.start)


@given(bindings())
def test_what_is_written_reads_back(example: Bound) -> None:
    document = example.document
    data = document.to_dict()

    assert from_dict(data) == document
    assert loads(document.to_yaml()) == document
    assert read_text(json.dumps(data), None, "json").data == data
    assert data == example.data and data is not example.data


@given(bindings())
def test_the_facts_that_were_used_are_enough(example: Bound) -> None:
    curve = example.curve
    used = {name: fact for name, fact in curve.facts.items() if name in curve.facts_used}
    kept = {name: fact for name, fact in curve.facts.items() if name in ("base", "name")}

    assert example.document.bind(**used, **kept) == curve


@given(bindings())
def test_it_says_what_it_is(example: Bound) -> None:
    curve = example.curve

    assert curve.fingerprint[:12] in repr(curve)
    assert curve.document is example.document
    assert dict(curve.facts) == {k: v for k, v in example.facts.items() if (k, v) != ("name", "lr")}
    with pytest.raises(TypeError):
        curve.facts["steps"] = 1  # type: ignore[index]
