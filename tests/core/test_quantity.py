"""Positions and durations as they are written."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lrspec.quantity import Quantity, quantity


@pytest.mark.parametrize(
    ("written", "number", "unit"),
    [
        (2000, 2000, "steps"),
        (1e4, 10_000, "steps"),
        (0, 0, "steps"),
        ("1 step", 1, "steps"),
        ("7.25 steps", Fraction(29, 4), "steps"),
        ("3 epochs", 3, "epochs"),
        ("1 epoch", 1, "epochs"),
        ("2.5M samples", 2_500_000, "samples"),
        ("0.1k sample", 100, "samples"),
        ("10B tokens", 10**10, "tokens"),
        ("1T token", 10**12, "tokens"),
        ("1e3 steps", 1000, "steps"),
        ("1.5E-2 epochs", Fraction(3, 200), "epochs"),
        ("1e+2k steps", 100_000, "steps"),
        ("45%", Fraction(9, 20), "%"),
        ("0.1%", Fraction(1, 1000), "%"),
        ("100%", 1, "%"),
    ],
)
def test_number_and_unit(written: float | str, number: Fraction | int, unit: str) -> None:
    found = quantity(written)

    assert (found.number, found.unit) == (number, unit)
    assert found.text == str(found) == (written if isinstance(written, str) else str(number))


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("9" * 300 + " steps", 1e300),
        ("1." + "0" * 5000 + "1 steps", 1.0),
        ("0." + "0" * 300 + "3" * 5000 + " epochs", 1e-300 / 3),
        # half-way between two float64, but for a digit far away
        ("9007199254740993." + "0" * 5000 + "1 steps", 9007199254740994.0),
        ("9007199254740992." + "9" * 5000 + " steps", 9007199254740992.0),
        ("0." + "0" * 8000 + "1 steps", 0.0),
    ],
)
def test_thousands_of_digits(written: str, nearest: float) -> None:
    found = quantity(written)

    assert float(found.number) == nearest
    assert found.number > 0
    assert len(found.text) < 50


def test_millions_of_digits_are_beyond_float64() -> None:
    with pytest.raises(OverflowError):
        float(quantity("9" * 4_000_000 + " steps").number)


def test_a_whole_number_is_an_int() -> None:
    assert type(quantity("2.5M samples").number) is int
    assert type(quantity(7.0).number) is int


NO_NUMBERS = [
    "",
    "steps",
    "-1 steps",
    "+1 steps",
    "01 steps",
    "1. steps",
    ".5 steps",
    "1e1000 steps",
]
NO_UNITS = [
    "10",
    "1 Steps",
    "1 hours",
    "1ksteps",
    "1 k steps",
    "1  steps",
    "1 steps ",
    "50 %",
    "5k%",
]


@pytest.mark.parametrize("text", [*NO_NUMBERS, *NO_UNITS, "½ steps", "٣ steps"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="not a position or duration"):
        quantity(text)


def test_it_is_a_value() -> None:
    assert quantity("3 steps") == Quantity(3, "steps", "3 steps")
    assert quantity("3 steps") != quantity(3)
