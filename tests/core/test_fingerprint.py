"""The name of a curve: the same for the same values by the same formulas, and for no others."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lrspec.loading import from_dict, loads

LINEAR: dict[str, Any] = {"linear": {"initial": 0, "final": 1, "length": 5}}


def name(schedule: Any, *, facts: dict[str, Any] | None = None, **root: Any) -> str:
    curve = from_dict({"lrspec": 1, **root, "schedule": schedule}).bind(**(facts or {}))
    return curve.fingerprint


def test_it_is_a_sha_256() -> None:
    assert re.fullmatch("[0-9a-f]{64}", name(LINEAR))


def test_the_form_of_the_document_does_not_count() -> None:
    assert name(LINEAR, facts={"base": 0.5}) == (
        loads(
            "{lrspec: 1, base: .5, schedule: {linear: {initial: 0.0, final: 1e0, length: 5 steps}}}"
        )
        .bind(steps=900)
        .fingerprint
    )


SAME: dict[str, tuple[Any, Any]] = {
    "a list of one": (LINEAR, [[LINEAR]]),
    "another way to write a number": (
        LINEAR,
        {"linear": {"initial": 0.0, "final": 1.0, "length": "5 steps"}},
    ),
    "a default": (LINEAR, {"linear": {**LINEAR["linear"], "after": "hold"}}),
    "an empty stage": (
        [LINEAR, {"constant": None}],
        [LINEAR, {"constant": {"length": 0}}, {"constant": None}],
    ),
    "an inherited value": (
        {"linear": {"final": 0, "length": 5}},
        {"linear": {"initial": 1, "final": 0, "length": 5}},
    ),
    "a constant in two": (
        [{"constant": {"length": 3}}, {"constant": {"length": 4}}, LINEAR],
        [{"constant": {"length": 7}}, LINEAR],
    ),
    "what is held": ([LINEAR, {"constant": {"length": 9}}], LINEAR),
    "what is held, of every kind": (
        [
            *({kind: {"initial": 1, "final": 2, "length": 5}} for kind in ("cosine", "inverse")),
            {"constant": {"value": 2}},
        ],
        [
            *({kind: {"initial": 1, "final": 2, "length": 5}} for kind in ("cosine", "inverse")),
            {"constant": {"value": 2, "length": 4}},
        ],
    ),
    "nothing to advance": (LINEAR, {"advance": {"schedule": LINEAR}}),
}


@pytest.mark.parametrize("case", SAME)
def test_the_same(case: str) -> None:
    one, other = SAME[case]

    assert name(one) == name(other)


def test_a_run_that_ends_before_or_with_its_last_stage() -> None:
    warmup: dict[str, Any] = {"linear": {"initial": 0, "final": 1, "length": 50}}
    one = [warmup, {"constant": None}, {"cosine": {"final": 0.1, "length": 60}}]
    other = [warmup, {"constant": {"length": 190}}, {"cosine": {"final": 0.1}}]

    assert name(one, facts={"steps": 300}) == name(other, facts={"steps": 300})
    assert name(one, facts={"steps": 300}) != name(other, facts={"steps": 301})


@pytest.mark.parametrize("kind", ["linear", "cosine", "polynomial", "geometric", "inverse"])
def test_a_value_held_before_and_after(kind: str) -> None:
    """A stage between two constants is all that counts of them, unless it goes on."""
    body: dict[str, Any] = {"initial": 1, "final": 2, "length": 5}
    body |= {"power": 3} if kind == "polynomial" else {}
    alone = [{"constant": {"value": 1, "length": 4}}, {kind: body}]

    assert name(alone) == name([{"constant": {"length": 4}}, {kind: body}, {"constant": None}])
    assert name(alone) == name(
        [{"constant": {"length": 2}}, {"constant": {"length": 2}}, {kind: body}]
    )
    assert name(alone) != name(
        [{"constant": {"length": 4}}, {kind: body}, {"constant": {"value": 3}}]
    )
    assert name(alone) != name([{"constant": {"value": 0.5, "length": 4}}, {kind: body}])
    if kind != "inverse":
        extended = {kind: {**body, "after": "extend"}}
        assert name(alone) != name([{"constant": {"length": 4}}, extended])


def test_the_horizon_and_what_no_position_needs_do_not_count() -> None:
    known: list[dict[str, Any]] = [
        {"steps": 5},
        {"steps": 500},
        {"batch_size": 3},
        {"steps_per_epoch": 3},
    ]
    for facts in known:
        assert name(LINEAR, facts=facts) == name(LINEAR)
    note: dict[str, Any] = {"x-note": 1}
    assert name(LINEAR, description="x", **note, training={"steps": 70}) == name(LINEAR)


BODIES: list[Any] = [
    LINEAR,
    {"linear": {**LINEAR["linear"], "after": "extend"}},
    {"linear": {**LINEAR["linear"], "final": 0.9}},
    {"linear": {**LINEAR["linear"], "initial": 1e-300}},
    {"linear": {**LINEAR["linear"], "length": 6}},
    {"cosine": LINEAR["linear"]},
    {"cosine": {**LINEAR["linear"], "exponent": 2}},
    {"polynomial": {**LINEAR["linear"], "power": 2}},
    {"polynomial": {**LINEAR["linear"], "power": 2, "origin": "initial"}},
    {"exponential": {"rate": 0.5, "every": 5}},
    {"exponential": {"rate": 0.5, "every": 5, "staircase": True}},
    {"inverse_sqrt": {"timescale": 5}},
    {"power_law": {"timescale": 5, "exponent": 0.5}},
    {"piecewise_linear": {"boundaries": [1, 2], "values": [0, 1]}},
    {"piecewise_constant": {"boundaries": [1], "values": [0, 1]}},
    {"product": {"of": [LINEAR, {"constant": {"value": 2}}]}},
    {"sum": {"of": [LINEAR, {"constant": {"value": 2}}]}},
    {"sum": {"of": [{"constant": {"value": 2}}, LINEAR]}},
    {"clamp": {"minimum": 0, "schedule": LINEAR}},
    {"clamp": {"maximum": 0, "schedule": LINEAR}},
    {"quantize": {"every": 2, "schedule": LINEAR}},
    {"advance": {"by": 2, "schedule": LINEAR}},
    [LINEAR, {"constant": {"value": 0}}],
    *(
        {
            "repeat": {
                "schedule": [{"constant": {"length": "20%"}}, {"linear": {"final": 0}}],
                **body,
            }
        }
        for body in (
            {"period": 5},
            {"period": 5, "count": 2},
            {"period": 5, "shrink": 0.5},
            {"period": 5, "shrink": 0.5, "toward": 0.1},
            {"period": 5, "stretch": 2},
            {"period": 5, "stretch": 2, "count": 2},
            {"period": 5, "stretch": 2, "count": 3},
            {"period": 5, "stretch": 3},
            {"period": 6, "stretch": 2},
            {"period": 5, "stretch": 2, "shrink": 0.5},
            {"period": 5, "stretch": 2, "shrink": 0.5, "toward": 0.1},
        )
    ),
    {
        "repeat": {
            "period": 5,
            "stretch": 2,
            "schedule": [{"constant": {"length": 1}}, {"linear": {"final": 0}}],
        }
    },
    {"repeat": {"period": 5, "stretch": 2, "schedule": {"linear": {"final": 0}}}},
]


def test_all_others_differ() -> None:
    assert len({name(body) for body in BODIES}) == len(BODIES)


def test_the_clock_counts() -> None:
    facts = {"batch_size": 2, "sequence_length": 3}
    roots: list[dict[str, Any]] = [
        {},
        {"sample": "middle"},
        {"sample": "end"},
        {"axis": "samples"},
        {"axis": "tokens"},
        {"base": 1.0},
        {"base": 0.5},
    ]

    assert len({name(LINEAR, facts=facts, **root) for root in roots}) == len(roots)
    assert name(LINEAR, facts=facts, axis="samples") != name(
        LINEAR, facts={**facts, "batch_size": 3}, axis="samples"
    )


def test_absolute_is_a_base_of_one() -> None:
    assert name(LINEAR, base="absolute") == name(LINEAR, base=1)


def test_numbers_of_thousands_of_digits_count() -> None:
    """The first of so many periods is a quotient that Python does not write in decimal."""
    names = {
        name({"repeat": {"count": count, "length": length, "stretch": 0.9, "schedule": LINEAR}})
        for count, length in ((10**300, 10), (10**300, 20), (40, 10))
    }

    assert len(names) == 3
