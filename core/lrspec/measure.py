"""Which facts the quantities of a schedule need, asked of all before anything is laid out."""

from __future__ import annotations

from collections.abc import Iterator

from lrspec import model
from lrspec.meaning import children
from lrspec.problems import Path, Problem, SpecError
from lrspec.quantity import Quantity
from lrspec.units import Units


def unit_problems(schedule: model.Schedule, units: Units) -> Iterator[Problem]:
    """Every quantity whose unit cannot be converted: a fact is missing, or the unit is not
    proportional to the axis where it must be (clauses 3.3, 3.7)."""
    yield from _problems(schedule, units, repeated=False)


def _problems(node: model.Schedule, units: Units, *, repeated: bool) -> Iterator[Problem]:
    if not isinstance(node, model.Stages):
        for path, quantity, proportional in _quantities(node):
            if quantity.unit != "%":
                convert = units.duration if proportional or repeated else units.convertible
                try:
                    convert(quantity, path)
                except SpecError as error:
                    yield from error.problems
        repeated = repeated or isinstance(node, model.Repeat)
    for child in children(node):
        yield from _problems(child, units, repeated=repeated)


def _quantities(node: model.Kind) -> Iterator[tuple[Path, Quantity, bool]]:
    """Path and quantity of every field that has one, and whether its unit must be proportional."""
    body = (*node.path, node.kind)
    if node.length is not None:
        yield (*body, "length"), node.length, False
    if node.until is not None:
        yield (*body, "until"), node.until, False
    match node:
        case model.Piecewise():
            for i, boundary in enumerate(node.boundaries):
                yield (*body, "boundaries", i), boundary, False
        case model.Exponential() | model.Quantize():
            yield (*body, "every"), node.every, True
        case model.InverseSqrt() | model.PowerLaw():
            yield (*body, "timescale"), node.timescale, True
        case model.Repeat() if node.period is not None:
            yield (*body, "period"), node.period, True
        case model.Advance() if node.by is not None:
            yield (*body, "by"), node.by, True
        case _:
            pass
