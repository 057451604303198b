"""The curve: what a step may be, ranges, equality, pickling; values at the ends of float64."""

from __future__ import annotations

import pickle
from array import array
from fractions import Fraction
from sys import float_info
from typing import Any

import pytest

from lrspec.curve import Curve, checked
from lrspec.loading import from_dict

LARGEST = float_info.max

STAGES: list[dict[str, Any]] = [
    {"linear": {"initial": 0, "final": 1, "length": 4}},
    {"constant": {"length": 2.0}},
    {"cosine": {"final": 0.1}},
]


def bound(schedule: Any, **facts: Any) -> Curve:
    root: dict[str, Any] = {
        key: facts.pop(key) for key in ("axis", "sample", "rounding") if key in facts
    }
    return from_dict({"lrspec": 1, **root, "schedule": schedule}).bind(**facts)


class Whole:
    """A whole number of some array library."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"Whole({self.value})"


class Steps(int):
    """A subclass of int."""


@pytest.fixture
def curve() -> Curve:
    return bound(STAGES, steps=10, base=0.5)


# -- steps --------------------------------------------------------------------------------------


def test_values(curve: Curve) -> None:
    assert [curve(step) for step in (0, 1, 4, 5, 6, 10, 11)] == [
        0,
        0.125,
        0.5,
        0.5,
        0.5,
        0.05,
        0.05,
    ]


@pytest.mark.parametrize("five", [5, Whole(5), Steps(5)], ids=repr)
def test_steps_are_whole_numbers_of_any_sort(curve: Curve, five: Any) -> None:
    assert curve(five) == 0.5
    assert list(curve.values(five, 6)) == [0.5]


@pytest.mark.parametrize("step", [1.5, 1.0, True, False, "3", None, Fraction(1), [1]], ids=repr)
def test_what_is_no_step(curve: Curve, step: Any) -> None:
    message = f"a step is a whole number, not {step!r}"

    for call in (lambda: curve(step), lambda: curve.values(step, 5), lambda: curve.values(0, step)):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == message


@pytest.mark.parametrize("step", [-1, -(10**30), Whole(-1), Steps(-1)], ids=repr)
def test_steps_do_not_count_back(curve: Curve, step: Any) -> None:
    for call in (lambda: curve(step), lambda: curve.values(step, 5), lambda: curve.values(0, step)):
        with pytest.raises(ValueError, match=r"a step is 0 or more, not -1"):
            call()


def test_checked() -> None:
    assert type(checked(Whole(7))) is int
    assert type(checked(Steps(7))) is int


@pytest.mark.parametrize("sample", ["start", "middle", "end"])
@pytest.mark.parametrize("axis", ["steps", "samples", "tokens"])
def test_steps_beyond_the_integers_of_float64(axis: str, sample: str) -> None:
    kinds: list[dict[str, Any]] = [
        {"linear": {"final": 0.5, "length": 9}},
        {"cosine": {"final": 0.5, "length": 9}},
        {"inverse_sqrt": {"timescale": "4 steps"}},
        {"exponential": {"rate": 0.5, "every": 10}},
        {"exponential": {"rate": 0.5, "every": 10, "staircase": True}},
        {"repeat": {"period": 7, "schedule": {"linear": {"final": 0.5}}}},
        {"repeat": {"period": 7, "stretch": 2, "schedule": {"linear": {"final": 0.5}}}},
        {"quantize": {"every": 7, "schedule": {"power_law": {"timescale": 4, "exponent": 0.5}}}},
    ]
    for kind in kinds:
        curve = bound(kind, axis=axis, sample=sample, batch_size=3, sequence_length=5)
        for step in (2**31, 2**53 + 1, 2**63, 10**100):
            assert 0 <= curve(step) <= 1
            assert list(curve.values(step, step + 2)) == [curve(step), curve(step + 1)]


@pytest.mark.parametrize("sample", ["start", "middle", "end"])
@pytest.mark.parametrize(
    "kind",
    [
        {"polynomial": {"initial": 1, "final": 1e300, "power": 0.001}},
        {"polynomial": {"initial": 1, "final": 0, "power": 0.3, "origin": "initial"}},
        {"inverse": {"initial": 2e-310, "final": 1e300}},
        {"cosine": {"initial": 0, "final": 1, "exponent": 3}},
        {"geometric": {"initial": 1e-300, "final": 1e300}},
        {"linear": {"initial": 0, "final": 1}},
        {"cosine": {"initial": 0, "final": 1}},
    ],
)
def test_a_position_is_rounded_before_it_is_compared(kind: dict[str, Any], sample: str) -> None:
    """Clause 3.9: near the end of so long a run a step that is less than the end rounds to it."""
    steps = 10**17
    curve = bound(kind, sample=sample, steps=steps)
    ((_, body),) = kind.items()
    least, most = sorted((body["initial"], body["final"]))

    near = range(steps - 20, steps + 3)
    found = list(curve.values(near.start, near.stop))
    assert found == [curve(step) for step in near]
    assert all(least <= value <= most for value in found)
    ended = [value for step, value in zip(near, found, strict=True) if float(step) >= steps]
    assert len(ended) >= 10 and set(ended[2:]) == {body["final"]}


# -- ranges -------------------------------------------------------------------------------------


def test_ranges(curve: Curve) -> None:
    assert curve.values(0, 3) == array("d", [0, 0.125, 0.25])
    assert curve.values(1, 12, 4) == array("d", [curve(1), curve(5), curve(9)])
    assert curve.values(5, 5) == curve.values(7, 2) == array("d")


def test_strides(curve: Curve) -> None:
    with pytest.raises(ValueError, match="a stride is 1 or more, not 0"):
        curve.values(0, 5, 0)
    with pytest.raises(ValueError, match="not -1"):
        curve.values(0, 5, -1)
    with pytest.raises(TypeError, match=r"not 1\.5"):
        curve.values(0, 5, 1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", ["start", "middle", "end"])
@pytest.mark.parametrize(
    "schedule",
    [
        [{"constant": {"length": 3}}, *STAGES],
        {"linear": {"initial": 5, "final": 0.1, "length": 7}},
        {"linear": {"initial": -5, "final": 9, "length": "7.5 steps"}},
        {"linear": {"initial": 1, "final": 1, "length": 7}},
        {"linear": {"final": 0.5, "length": 7, "after": "extend"}},
        {"linear": {"initial": 1 / 3, "final": 1 / 3 + 2**-53, "length": 49}},
        {
            "repeat": {
                "period": 5,
                "schedule": [{"constant": {"length": 2}}, {"linear": {"final": 0}}],
            }
        },
        {
            "repeat": {
                "period": 5,
                "shrink": 0.5,
                "toward": 0.1,
                "schedule": {"linear": {"final": 0}},
            }
        },
        {"repeat": {"period": "2.5 steps", "schedule": {"linear": {"final": 0}}}},
        {"product": {"of": [{"linear": {"final": 0, "length": 9}}, {"constant": {"value": 2}}]}},
        {
            "sum": {
                "of": [
                    {"constant": {"value": 2}},
                    {"linear": {"initial": 1, "final": 0, "length": 9}},
                ]
            }
        },
        {
            "advance": {
                "by": 3,
                "schedule": {"repeat": {"period": 5, "schedule": {"linear": {"final": 0}}}},
            }
        },
    ],
)
@pytest.mark.parametrize("axis", ["steps", "samples"])
def test_ranges_are_single_steps_bit_for_bit(schedule: Any, sample: str, axis: str) -> None:
    rows = [{"start": 0, "value": 2}, {"start": 4, "value": 3}]
    batches: Any = rows if axis == "samples" and "repeat" not in str(schedule) else 2
    for facts in ({}, {"base": 3e-4}, {"base": 1e300}):
        curve = bound(schedule, axis=axis, sample=sample, steps=20, batch_size=batches, **facts)
        for steps in (range(40), range(3, 31, 7), range(38, 39)):
            found = curve.values(steps.start, steps.stop, steps.step)
            assert found.tobytes() == array("d", map(curve, steps)).tobytes()


# -- the ends of float64 ------------------------------------------------------------------------


def test_values_beyond_float64_are_the_largest() -> None:
    growing = bound({"exponential": {"rate": 10, "every": 1}})
    falling = bound({"exponential": {"initial": -1, "rate": 10, "every": 1}})

    assert (growing(308), growing(309), falling(400)) == (1e308, LARGEST, -LARGEST)
    assert list(growing.values(308, 311)) == [1e308, LARGEST, LARGEST]


def test_a_base_that_makes_values_infinite() -> None:
    curve = bound(
        [{"constant": {"value": 1e300, "length": 1}}, {"constant": {"value": -1e300}}], base=1e10
    )

    assert list(map(curve, range(2))) == list(curve.values(0, 2)) == [LARGEST, -LARGEST]
    assert [phase.initial for phase in curve.phases()] == [LARGEST, -LARGEST]
    assert [phase.final for phase in curve.phases()] == [LARGEST, None]


def test_products_and_sums_that_leave_float64_on_the_way() -> None:
    numbers = [1e300, 1e300, 1e-300, 1e-300]
    constants = [{"constant": {"value": number}} for number in numbers]

    assert bound({"product": {"of": constants}})(0) == pytest.approx(1, rel=1e-15)
    assert bound({"product": {"of": constants[:2]}})(0) == LARGEST
    assert bound({"product": {"of": [*constants[2:], *constants[:2]]}})(0) == pytest.approx(1)
    sums = [{"sum": {"of": [{"constant": {"value": 1e300}}] * 2}}] * 3
    huge = {"product": {"of": [{"constant": {"value": 1e9}}, {"constant": {"value": 1e300}}]}}
    assert bound({"sum": {"of": [huge, huge, {"constant": {"value": -1}}]}})(0) == LARGEST
    assert bound({"sum": {"of": sums}})(0) == 6e300


def test_repeats_that_grow_beyond_float64() -> None:
    up = {"repeat": {"period": 1, "shrink": 10, "schedule": {"constant": {"value": 1}}}}
    down = {
        "repeat": {"period": 1, "shrink": 0.1, "toward": 2, "schedule": {"constant": {"value": 1}}}
    }

    assert [bound(up)(step) for step in (0, 308, 400, 10**6)] == [1, 1e308, LARGEST, LARGEST]
    assert [bound(down)(step) for step in (0, 1, 10**6)] == [1, 1.9, 2]


# -- a curve as a value -------------------------------------------------------------------------


def test_equal_curves(curve: Curve) -> None:
    same = bound([STAGES], steps=10, base=0.5)

    assert curve == same
    assert hash(curve) == hash(same)
    assert curve != bound(STAGES, steps=10)
    assert curve != bound(STAGES, steps=11, base=0.5)
    assert curve != "curve"
    assert {curve: 1}[same] == 1


def test_names_tell_curves_apart() -> None:
    document = from_dict(
        {"lrspec": 1, "schedules": {"lr": {"constant": None}, "rho": {"constant": None}}}
    )

    lr, rho = document.bind(), document.bind(name="rho")
    assert lr != rho
    assert lr.fingerprint == rho.fingerprint
    assert (lr.name, rho.name) == ("lr", "rho")
    assert (dict(lr.facts), dict(rho.facts)) == ({}, {"name": "rho"})


def test_pickling(curve: Curve) -> None:
    curve.values(0, 20)
    copy = pickle.loads(pickle.dumps(curve))

    assert copy == curve
    assert copy.values(0, 20) == curve.values(0, 20)
    assert copy.phases() == curve.phases()
    assert copy.document == curve.document
    assert (copy.facts, copy.facts_used, copy.steps) == (curve.facts, curve.facts_used, curve.steps)


def test_what_it_prints(curve: Curve) -> None:
    assert repr(curve) == f"<Curve 'lr' {curve.fingerprint[:12]}, steps=10>"
    assert repr(bound({"constant": None})).endswith(">")
    assert "steps" not in repr(bound({"constant": None}))


def test_base_and_horizon() -> None:
    assert bound({"constant": None}).base is None
    assert bound({"constant": None}).steps is None
    absolute = from_dict({"lrspec": 1, "base": "absolute", "schedule": {"constant": {"value": 3}}})
    assert absolute.bind(steps=7).base == 1.0
    assert absolute.bind(steps=7).steps == 7


def test_facts_make_the_curve_again() -> None:
    document = from_dict({"lrspec": 1, "training": {"steps": 5}, "schedule": STAGES})
    curve = document.bind(steps=10, base=0.5, override=True)

    assert dict(curve.facts) == {"steps": 10, "base": 0.5, "override": True}
    assert curve.document.bind(**curve.facts) == curve


@pytest.mark.parametrize(
    "schedule",
    [{"inverse_sqrt": {"timescale": 3}}, {"power_law": {"timescale": 3, "exponent": 0.5}}],
)
def test_a_step_beyond_float64_is_refused(schedule: dict[str, Any]) -> None:
    curve = bound(schedule)

    assert curve(2**1000) >= 0
    with pytest.raises(ValueError, match="a step of 1101 bits is beyond float64"):
        curve(2**1100)


@pytest.mark.parametrize(("initial", "step"), [(135.34448573844594, 1), (-135.34448573844557, 1)])
def test_a_rounded_difference_does_not_lead_beyond_an_end(initial: float, step: int) -> None:
    # final + (initial − final)·w is 1 ULP beyond initial here.
    final = -135.34448573844557 if initial > 0 else 135.34448573844594
    curve = bound({"cosine": {"initial": initial, "final": final, "length": 2**31}})
    values = [curve(step), *curve.values(step, step + 1), *curve.values(2**31 - 1, 2**31)]

    assert all(abs(value) <= max(abs(initial), abs(final)) for value in values)
    assert values[0] == values[1] == initial
