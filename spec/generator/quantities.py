"""Positions and durations: their text, their units, their rounding (clause 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

from generator.clock import Clock
from generator.decimals import rounded
from generator.refusal import Refused

Written: TypeAlias = int | float | str
"""A position or duration as it stands in a document."""

TEXT = re.compile(
    r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?(?:(%)|([kMBT])? (step|epoch|sample|token)s?)"
)
PREFIX = {None: 1, "k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Ruler:
    """What positions are measured from, and what a percentage is of (3.4)."""

    start: Fraction
    end: Fraction | None
    in_repeat: bool = False

    def span(self) -> Fraction:
        """The length of the ruler."""
        if self.end is None:
            raise Refused("length-needed", "a percentage of a span without an end")
        return self.end - self.start


@dataclass(frozen=True)
class Quantity:
    """An amount of one unit: `%`, `step`, `epoch`, `sample` or `token`."""

    amount: Fraction
    unit: str


def parse(written: Written) -> Quantity:
    """Read a position or duration (3.1, 3.2)."""
    if not isinstance(written, str):
        if written != int(written):
            raise Refused("bad-position", repr(written))
        return Quantity(Fraction(int(written)), "step")
    match = TEXT.fullmatch(written)
    if match is None:
        raise Refused("bad-position", written)
    whole, part, power, percent, prefix, unit = match.groups()
    number = Fraction(f"{whole}{part or ''}{power or ''}")
    return Quantity(number * PREFIX[prefix], percent or unit)


def is_percentage(written: Written) -> bool:
    """Whether it is written in `%`."""
    return parse(written).unit == "%"


def _steps_of(quantity: Quantity, clock: Clock) -> Fraction:
    """Steps or epochs in steps."""
    if quantity.unit == "step":
        return quantity.amount
    if clock.steps_per_epoch is None:
        raise Refused("missing-fact", "steps_per_epoch")
    return quantity.amount * clock.steps_per_epoch


def _samples_of(quantity: Quantity, clock: Clock) -> Fraction:
    """Samples or tokens in samples."""
    if quantity.unit == "sample":
        return quantity.amount
    return quantity.amount / clock.known_sequence_length()


def in_steps(written: Written, clock: Clock) -> Fraction:
    """A duration from step 0, in steps (4.2)."""
    quantity = parse(written)
    if quantity.unit in ("step", "epoch"):
        return _steps_of(quantity, clock)
    return clock.steps(_samples_of(quantity, clock))


def _rounded(distance: Fraction, quantity: Quantity, clock: Clock) -> Fraction:
    """What is written in a unit other than steps, put on a whole number of them (3.6)."""
    if quantity.unit == "step":
        return distance
    return round_steps(distance, clock)


def round_steps(distance: Fraction, clock: Clock) -> Fraction:
    """A number of steps under the document's `rounding`."""
    if clock.rounding == "floor":
        return Fraction(floor(distance))
    if clock.rounding == "ceil":
        return Fraction(ceil(distance))
    if clock.rounding == "nearest":
        return Fraction(round(distance))  # half to even
    return distance


def _along_axis(quantity: Quantity, ruler: Ruler, clock: Clock) -> Fraction | None:
    """The distance on the axis, or None where it depends on the place."""
    if quantity.unit == "%":
        return quantity.amount / 100 * ruler.span()
    counts_steps = quantity.unit in ("step", "epoch")
    if counts_steps and clock.axis == "steps":
        return _steps_of(quantity, clock)
    # Tokens along tokens need no fact: through samples the sequence length would cancel.
    if quantity.unit == "token" and clock.axis == "tokens":
        return quantity.amount
    if not counts_steps and clock.axis == "samples":
        return _samples_of(quantity, clock)
    if not counts_steps and clock.axis == "tokens":
        return _samples_of(quantity, clock) * clock.known_sequence_length()
    if clock.batch_changes():
        return None
    if counts_steps:
        return clock.edge(_steps_of(quantity, clock))
    return clock.steps(_samples_of(quantity, clock))


def _from_place(quantity: Quantity, place: Fraction, clock: Clock, direction: int) -> Fraction:
    """The distance on the axis from a place on it, forward (1) or backward (-1) (3.7)."""
    if quantity.unit in ("step", "epoch"):
        step = clock.steps(clock.samples_at(place)) + direction * _steps_of(quantity, clock)
        return abs(clock.edge(step) - place)
    samples = clock.samples_at(place) + direction * _samples_of(quantity, clock)
    return abs(clock.edge(clock.steps(samples)) - place)


def distance(
    written: Written, place: Fraction, ruler: Ruler, clock: Clock, direction: int = 1
) -> Fraction:
    """A `length` from a place, or a position's distance from the ruler's start as the place."""
    quantity = parse(written)
    along = _along_axis(quantity, ruler, clock)
    if along is None and ruler.in_repeat:
        raise Refused("unit-not-proportional", str(written))
    if along is None:
        along = _from_place(quantity, place, clock, direction)
    return _rounded(along, quantity, clock)


def position(written: Written, ruler: Ruler, clock: Clock) -> Fraction:
    """An `until` or a boundary as a position on the axis."""
    return ruler.start + distance(written, ruler.start, ruler, clock)


def duration(written: Written, ruler: Ruler, clock: Clock) -> Fraction:
    """An `every`, `period`, `timescale` or `by`, which is the same everywhere (3.7)."""
    quantity = parse(written)
    along = _along_axis(quantity, ruler, clock)
    if along is None:
        raise Refused("unit-not-proportional", str(written))
    return _rounded(along, quantity, clock)


def positive_duration(written: Written, ruler: Ruler, clock: Clock) -> Fraction:
    """A duration that must be above 0 (3.8)."""
    found = duration(written, ruler, clock)
    if rounded(found) <= 0:
        raise Refused("rounds-to-zero", str(written))
    return found
