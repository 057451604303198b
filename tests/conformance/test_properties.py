"""What holds for every document, on every backend."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from tests.backends import Backend
from tests.conformance.agreement import disagreements, rounded
from tests.conformance.rewriting import scale, with_data, with_schedule
from tests.conformance.strategies import Bound, bindings, bound, documents, steps

from lrspec.curve import Curve
from lrspec.loading import from_dict, loads
from lrspec.powers import saturate


def test_it_is_the_reference(backend: Backend) -> None:
    @backend.given(bindings(), st.data())
    def _(example: Bound, data: st.DataObject) -> None:
        at = data.draw(steps(example.curve))
        want = [example.curve(step) for step in at]
        got = backend(example.curve, at)

        assert disagreements(backend, at, got, want, scale=scale(example)) == []


def test_any_order_gives_the_same_values(backend: Backend) -> None:
    @backend.given(bindings(), st.data())
    def _(example: Bound, data: st.DataObject) -> None:
        at = data.draw(steps(example.curve))
        want = dict(zip(at, backend(example.curve, at), strict=True))
        shuffled = random.Random(0).sample(at, len(at))

        for order in (sorted(at), sorted(at, reverse=True), shuffled):
            assert backend(example.curve, order) == [want[step] for step in order]
        assert [backend(example.curve, [step])[0] for step in at[:3]] == [want[s] for s in at[:3]]


def test_reading_every_step_gives_the_same_values(backend: Backend) -> None:
    @backend.given(bindings())
    def _(example: Bound) -> None:
        at = range(60)
        want = backend(example.curve, at)

        assert backend(example.curve, at[::7]) == want[::7]
        assert backend(example.curve, at[41:43]) == want[41:43]


def through_pickle(example: Bound) -> Curve:
    curve: Curve = pickle.loads(pickle.dumps(example.curve))
    return curve


def through_yaml(example: Bound) -> Curve:
    return loads(example.document.to_yaml()).bind(**example.facts)


def through_data(example: Bound) -> Curve:
    return from_dict(example.document.to_dict()).bind(**example.curve.facts)


RELOADED: list[Callable[[Bound], Curve]] = [through_pickle, through_yaml, through_data]


def test_a_reloaded_curve_gives_the_same_values(backend: Backend) -> None:
    @backend.given(bindings(), st.sampled_from(RELOADED), st.data())
    def _(example: Bound, reload: Callable[[Bound], Curve], data: st.DataObject) -> None:
        at = data.draw(steps(example.curve))
        reloaded = reload(example)

        assert reloaded == example.curve
        assert backend(reloaded, at) == backend(example.curve, at)


def test_it_is_always_finite(backend: Backend) -> None:
    @backend.given(bindings(wild=True), st.data())
    def _(example: Bound, data: st.DataObject) -> None:
        at = data.draw(steps(example.curve))

        assert all(map(math.isfinite, backend(example.curve, at)))


def assert_same(backend: Backend, one: Bound, other: Bound, at: list[int], shift: int = 0) -> None:
    """Both give the same values, the other one later by `shift` steps."""
    later = [step + shift for step in at]

    assert backend(other.curve, later) == backend(one.curve, at)


def test_nesting_stages_in_a_list_changes_nothing(backend: Backend) -> None:
    @backend.given(documents(lists=True, movable=True), st.data())
    def _(case: tuple[dict[str, Any], dict[str, Any]], data: st.DataObject) -> None:
        one = bound(*case)
        stages = list(one.data["schedule"])
        first = data.draw(st.integers(0, len(stages) - 1))
        stop = data.draw(st.integers(first + 1, len(stages)))
        nested = [*stages[:first], stages[first:stop], *stages[stop:]]
        other = with_schedule(one, nested)

        assert other.curve == one.curve
        assert_same(backend, one, other, data.draw(steps(one.curve)))


def test_a_list_of_one_is_what_stands_in_it(backend: Backend) -> None:
    @backend.given(bindings(lists=True, percents=False), st.data())
    def _(one: Bound, data: st.DataObject) -> None:
        other = with_schedule(one, [one.data["schedule"]])

        assert_same(backend, one, other, data.draw(steps(one.curve)))


def test_splitting_a_constant_changes_nothing(backend: Backend) -> None:
    @backend.given(
        documents(lists=True), st.integers(0, 9), st.integers(0, 9), st.floats(-5, 5), st.data()
    )
    def _(
        case: tuple[dict[str, Any], dict[str, Any]],
        first: int,
        second: int,
        value: float,
        data: st.DataObject,
    ) -> None:
        document, facts = case
        stages = document["schedule"]
        place = data.draw(st.integers(0, len(stages)))

        def inserted(*new: Any) -> dict[str, Any]:
            return {**document, "schedule": [*stages[:place], *new, *stages[place:]]}

        whole = {"constant": {"value": value, "length": first + second}}
        part, rest = {"value": value, "length": first}, {"length": second}
        one = bound(inserted(whole), facts)
        other = with_schedule(one, inserted({"constant": part}, {"constant": rest})["schedule"])

        assert other.curve == one.curve or first + second > 0
        assert_same(backend, one, other, data.draw(steps(one.curve)))


def test_an_empty_constant_between_stages_changes_nothing(backend: Backend) -> None:
    @backend.given(bindings(lists=True), st.data())
    def _(one: Bound, data: st.DataObject) -> None:
        stages = one.data["schedule"]
        assume(len(stages) > 1)
        place = data.draw(st.integers(1, len(stages) - 1))
        empty = {"constant": {"length": 0}}
        other = with_schedule(one, [*stages[:place], empty, *stages[place:]])

        assert other.curve == one.curve
        assert_same(backend, one, other, data.draw(steps(one.curve)))


def test_scaling_by_the_base(backend: Backend) -> None:
    bases = st.one_of(st.sampled_from([1.0, 3e-4]), st.floats(1e-8, 10))

    @backend.given(documents(multiples=True), bases, st.data())
    def _(case: tuple[dict[str, Any], dict[str, Any]], base: float, data: st.DataObject) -> None:
        document, facts = case
        assume(facts.get("name") is None)
        multiples = bound(document, facts)
        rates = bound(document, {**facts, "base": base})
        at = data.draw(steps(multiples.curve))
        want = [saturate(base * multiples.curve(step)) for step in at]

        assert [rates.curve(step) for step in at] == want
        assert disagreements(backend, at, backend(rates.curve, at), want, scale=scale(rates)) == []


def test_prepending_a_hold_shifts(backend: Backend) -> None:
    @backend.given(
        documents(lists=True, movable=True, changing=False), st.integers(0, 20), st.data()
    )
    def _(case: tuple[dict[str, Any], dict[str, Any]], by: int, data: st.DataObject) -> None:
        document, facts = case
        one = bound(document, facts)
        longer: dict[str, Any] = {}
        if one.curve.steps is not None:
            longer = {"steps": one.curve.steps + by, "override": True}
        hold = {"constant": {"value": 1, "length": by}}
        other = with_schedule(one, [hold, *document["schedule"]], **longer)
        at = data.draw(st.lists(st.integers(0, 250), min_size=1, max_size=9))

        # Edges that are no whole steps are rounded after another number of binary digits.
        slack = 1e-9 * scale(one)
        expected = [one.curve(step) for step in at]
        found = backend(other.curve, [step + by for step in at])
        if backend.profile == "float32":
            slack += 1e-7 * scale(one)
        assert found == pytest.approx(expected, rel=1e-6 if slack else 0, abs=slack)
        before = 1.0 if one.curve.base is None else one.curve.base
        assert backend(other.curve, range(by)) == [rounded(backend, before)] * by


FACTS: dict[str, st.SearchStrategy[Any]] = {
    "steps": st.integers(1, 300),
    "batch_size": st.one_of(
        st.integers(1, 64),
        st.just([{"start": 0, "value": 2}, {"start": 7, "value": 9}]),
    ),
    "sequence_length": st.integers(1, 9000),
    "steps_per_epoch": st.sampled_from([1, 5, 12.5, 333.3]),
}


def test_a_fact_that_no_position_needs_changes_nothing(backend: Backend) -> None:
    @backend.given(bindings(), st.data())
    def _(one: Bound, data: st.DataObject) -> None:
        free = sorted(FACTS.keys() - one.curve.facts_used.keys())
        assume(free)
        names = data.draw(st.sets(st.sampled_from(free), min_size=1))
        other_facts = {name: data.draw(FACTS[name]) for name in sorted(names)}
        other = with_data(one.data, {**one.facts, **other_facts, "override": True})

        assert other.curve == one.curve
        assert_same(backend, one, other, data.draw(steps(one.curve)))


INTERPOLATING = ("linear", "cosine", "polynomial", "geometric", "inverse")


def test_interpolation_is_monotone_and_within_its_ends(backend: Backend) -> None:
    ends = st.floats(1e-9, 1e9)

    @backend.given(st.sampled_from(INTERPOLATING), ends, ends, st.data())
    def _(kind: str, initial: float, final: float, data: st.DataObject) -> None:
        length = data.draw(st.sampled_from([1, 2, 10, 97, 10**6, 2**31 - 1]))
        body: dict[str, Any] = {"initial": initial, "final": final, "length": length}
        if kind in ("cosine", "polynomial"):
            power = data.draw(st.one_of(st.sampled_from([0.5, 1, 2, 3]), st.floats(1e-3, 100)))
            body["exponent" if kind == "cosine" else "power"] = power
        if kind == "polynomial":
            body["origin"] = data.draw(st.sampled_from(["initial", "final"]))
        if kind in ("linear", "cosine", "polynomial") and data.draw(st.booleans()):
            body["initial"] = -initial
        curve = from_dict({"lrspec": 1, "schedule": {kind: body}}).bind()
        at = sorted(data.draw(st.lists(st.integers(0, length), min_size=1, max_size=30)))
        at = [0, *at, length, length + 1]
        values = backend(curve, at)
        first, last = rounded(backend, body["initial"]), rounded(backend, final)

        assert (values[0], *values[-2:]) == (first, last, last)
        assert min(first, last) <= min(values) <= max(values) <= max(first, last)
        if first > last:
            values.reverse()
        # What is monotone but for a few ULP of the larger end is told by steps that are next to
        # each other only.
        few = 16 * math.ulp(max(abs(first), abs(last)))
        few = few if backend.profile == "float64" else few * 2**29
        assert all(before <= here + few for before, here in pairwise(values))
