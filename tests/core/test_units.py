"""How far a quantity reaches along each axis, and which facts that takes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lrspec.clock import BatchMap
from lrspec.model import Axis
from lrspec.problems import SpecError
from lrspec.quantity import quantity
from lrspec.resolved import Batches, Exact
from lrspec.source import Marks, Source
from lrspec.units import Units

ONE = Batches((0,), (8,))
CHANGING = Batches((0, 10), (4, 2))
PATH = ("schedule", "linear", "length")


def units(axis: Axis = "steps", batches: Batches | None = ONE) -> Units:
    return Units(
        axis,
        Source({}, Marks()),
        steps_per_epoch=Fraction(3333, 10),
        batches=batches,
        sequence_length=512,
    )


def nothing(axis: Axis = "steps") -> Units:
    return Units(
        axis, Source({}, Marks()), steps_per_epoch=None, batches=None, sequence_length=None
    )


@pytest.mark.parametrize(
    ("text", "axis", "want"),
    [
        ("7.25 steps", "steps", Fraction(29, 4)),
        ("2 epochs", "steps", Fraction(3333, 5)),
        ("12 samples", "steps", Fraction(3, 2)),
        ("4096 tokens", "steps", 1),
        ("7.25 steps", "samples", 58),
        ("2 epochs", "samples", Fraction(3333 * 8, 5)),
        ("12 samples", "samples", 12),
        ("256 tokens", "samples", Fraction(1, 2)),
        ("7.25 steps", "tokens", 58 * 512),
        ("1 epoch", "tokens", Fraction(3333 * 8 * 512, 10)),
        ("12 samples", "tokens", 12 * 512),
        ("256 tokens", "tokens", 256),
    ],
)
def test_with_one_batch_size_every_unit_is_proportional(
    text: str, axis: Axis, want: Fraction | int
) -> None:
    assert units(axis).duration(quantity(text), PATH) == want
    assert units(axis).after(100, quantity(text), PATH) == 100 + want
    assert units(axis).before(100, quantity(text), PATH) == 100 - want


@pytest.mark.parametrize(
    ("text", "axis", "start", "stop"),
    [
        # 4 samples a step before step 10, 2 from there on: 40 samples are consumed before it.
        ("8 samples", "steps", 8, 10),
        ("8 samples", "steps", Fraction(17, 2), 11),
        ("8 samples", "steps", 20, 24),
        ("4096 tokens", "steps", 9, 12),
        ("3 steps", "samples", 36, 44),
        ("3 steps", "tokens", 36 * 512, 44 * 512),
        ("0.01 epochs", "samples", 0, Fraction(3333 * 4, 1000)),
    ],
)
def test_a_changing_batch_size_is_taken_where_it_stands(
    text: str, axis: Axis, start: Fraction | int, stop: Fraction | int
) -> None:
    changing = units(axis, CHANGING)

    assert changing.after(start, quantity(text), PATH) == stop
    assert changing.before(stop, quantity(text), PATH) == start


@pytest.mark.parametrize(
    ("text", "axis", "hint"),
    [
        ("8 samples", "steps", "use steps or epochs"),
        ("8 tokens", "steps", "use steps or epochs"),
        ("8 steps", "samples", "use samples or tokens"),
        ("1 epoch", "tokens", "use samples or tokens"),
    ],
)
def test_a_unit_that_is_not_proportional(text: str, axis: Axis, hint: str) -> None:
    with pytest.raises(SpecError) as caught:
        units(axis, CHANGING).duration(quantity(text), PATH)

    (problem,) = caught.value.problems
    assert problem.code == "unit-not-proportional"
    assert problem.path == "/schedule/linear/length"
    assert str(problem) == (
        f"/schedule/linear/length: {text} is no fixed length along axis: {axis}"
        f" while the batch size changes; {hint}"
    )


FAMILIES: list[tuple[str, Axis]] = [
    ("8 steps", "steps"),
    ("1 epoch", "steps"),
    ("8 samples", "samples"),
    ("8 tokens", "tokens"),
]


@pytest.mark.parametrize(("text", "axis"), FAMILIES)
def test_units_of_the_family_of_the_axis_stay_proportional(text: str, axis: Axis) -> None:
    changing = units(axis, CHANGING)

    assert changing.after(7, quantity(text), PATH) - 7 == changing.duration(quantity(text), PATH)


@pytest.mark.parametrize(
    ("text", "axis", "fact"),
    [
        ("1 epoch", "steps", "steps_per_epoch"),
        ("1 samples", "steps", "batch_size"),
        ("1 tokens", "steps", "sequence_length"),
        ("1 steps", "samples", "batch_size"),
        ("1 tokens", "samples", "sequence_length"),
        ("1 samples", "tokens", "sequence_length"),
    ],
)
def test_a_fact_that_is_missing(text: str, axis: Axis, fact: str) -> None:
    with pytest.raises(SpecError) as caught:
        nothing(axis).after(0, quantity(text), PATH)

    flag = fact.replace("_", "-")
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("missing-fact", "/schedule/linear/length")
    assert problem.message == f"{text} needs training.{fact}, which is not known"
    assert problem.expected == f"training.{fact}"
    assert problem.hint == f"write it in the document or give {fact} when binding (--{flag})"


def test_the_axis_needs_facts_itself() -> None:
    with pytest.raises(SpecError, match=r"/axis: axis: samples needs training.batch_size"):
        nothing("samples").axis_batches()
    with pytest.raises(SpecError, match=r"/axis: axis: tokens needs training.sequence_length"):
        nothing("tokens").axis_batches()


def test_only_what_a_conversion_needs_is_used() -> None:
    known = units()

    known.duration(quantity("3 steps"), PATH)
    assert known.used == set()
    known.duration(quantity("3 epochs"), PATH)
    assert known.used == {"steps_per_epoch"}
    known.duration(quantity("3 samples"), PATH)
    assert known.used == {"steps_per_epoch", "batch_size"}
    known.duration(quantity("3 tokens"), PATH)
    assert known.used == {"steps_per_epoch", "batch_size", "sequence_length"}


def test_positions_and_steps() -> None:
    assert units().position(7) == units().steps(7) == 7
    assert units("samples", CHANGING).position(12) == 44
    assert units("samples", CHANGING).steps(44) == 12
    assert units("tokens", CHANGING).position(12) == 44 * 512
    assert units("tokens", CHANGING).steps(44 * 512) == 12
    assert units("tokens", CHANGING).steps(1) == Fraction(1, 4 * 512)


def test_convertible_asks_for_facts_only() -> None:
    units("steps", CHANGING).convertible(quantity("8 samples"), PATH)
    with pytest.raises(SpecError, match="steps_per_epoch"):
        nothing().convertible(quantity("8 epochs"), PATH)


def test_batch_sizes_do_not_add_up_in_a_denominator() -> None:
    rows = Batches(tuple(range(1500)), tuple(10**40 + 2 * i + 1 for i in range(1500)))
    across, one = units("steps", rows), BatchMap(rows)
    exact: Exact = 0
    found: Exact = 0
    for _ in range(100):
        exact = one.steps(one.samples(exact + Fraction(11, 10)) + 2 * 10**40)
        found = across.after(found + Fraction(11, 10), quantity("2e40 samples"), PATH)

    assert Fraction(exact).denominator.bit_length() > 5000
    assert Fraction(found).denominator.bit_length() < 5000
    assert abs(Fraction(found) - Fraction(exact)) < Fraction(1, 2**1900)
