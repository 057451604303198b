"""Rates as multiples of a base, where that reads better than the rates themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ulp
from typing import Any

from lrspec.importing.nodes import Schedule, number

_VALUES = ("initial", "final", "value", "minimum", "maximum", "asymptote", "toward")
# A multiple of more digits is no easier to read than the rate.
_DIGITS = 6


def relative(schedule: Schedule, base: float) -> Schedule | None:
    """The schedule in multiples of `base`, or None where one of them is no short number.

    `{linear: {initial: 0, final: 0.003}}` with the base 0.003 is `{linear: {initial: 0, final:
    1}}`. Every multiple times the base is the rate, to the last bit but one.
    """
    if base <= 0:
        return None
    multiples = [_multiple(value, base) for value in _values(schedule)]
    if None in multiples:
        return None
    return _mapped(schedule, lambda value: _multiple(value, base))


def times(schedule: Schedule, factor: float) -> Schedule:
    """The schedule with every rate in it times `factor`, which is no less than 0."""
    return _mapped(schedule, lambda value: value * factor)


def tidy(schedule: Schedule) -> Schedule:
    """The schedule with the noise of the last bits gone: 0.30000000000000004 is 0.3."""
    return _mapped(schedule, _tidy)


def largest(schedule: Schedule) -> float:
    """The largest value that a schedule states: the base of one that has no other."""
    return _tidy(max(_values(schedule), default=0))


def _multiple(value: float, base: float) -> int | float | None:
    short = float(f"{value / base:.{_DIGITS}g}")
    return number(short) if abs(short * base - value) <= 2 * ulp(value) else None


def _tidy(value: float) -> int | float:
    short = float(f"{value:.15g}")
    return number(short if abs(short - value) <= 2 * ulp(value) else value)


def _values(schedule: Schedule) -> Iterator[float]:
    found: list[float] = []

    def note(value: float) -> float:
        found.append(value)
        return value

    _mapped(schedule, note)
    yield from found


def _mapped(schedule: Schedule, change: Callable[[float], Any]) -> Schedule:
    """The schedule with every value that is a rate changed; of a product that is the first child's
    alone, the others are factors."""
    if isinstance(schedule, list):
        return [_mapped(stage, change) for stage in schedule]
    ((kind, body),) = schedule.items()
    if not body:
        return schedule
    changed = dict(body)
    for key, value in body.items():
        if key in _VALUES:
            changed[key] = change(value)
        elif key == "values":
            changed[key] = [change(item) for item in value]
        elif key == "schedule":
            changed[key] = _mapped(value, change)
        elif key == "of" and kind == "product":
            changed[key] = [_mapped(value[0], change), *value[1:]]
        elif key == "of":
            changed[key] = [_mapped(child, change) for child in value]
    return {kind: changed}
