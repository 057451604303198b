"""Documents changed in a way that changes no value, and how large the numbers are that values are
made of."""

from __future__ import annotations

from typing import Any

from tests.conformance.strategies import Bound

from lrspec import resolved
from lrspec.loading import from_dict


def with_schedule(one: Bound, schedule: Any, **facts: Any) -> Bound:
    """The document with another schedule, which must bind as the first one did."""
    return with_data({**one.data, "schedule": schedule}, {**one.facts, **facts})


def with_data(data: dict[str, Any], facts: dict[str, Any]) -> Bound:
    """A document that must bind."""
    document = from_dict(data)
    return Bound(document, facts, document.bind(**facts))


def scale(example: Bound) -> float:
    """A bound for the numbers that a value is the sum of: where they cancel, nothing says how
    small it is in the end."""
    factor = 1.0 if example.curve.base is None else example.curve.base
    return min(size(example.curve.resolution.root) * factor, 1e300)


def size(node: resolved.Node) -> float:
    """The largest number among those that a node adds up."""
    match node:
        case resolved.Constant(value):
            return abs(value)
        case resolved.PiecewiseLinear(values=values) | resolved.PiecewiseConstant(values=values):
            return max(map(abs, values))
        case resolved.Timeline(rows=rows):
            return max(map(size, rows))
        case resolved.Product(children):
            product = 1.0
            for child in children:
                product *= size(child)
            return product
        case resolved.Sum(children):
            return sum(map(size, children))
        case resolved.Clamp(child=child) | resolved.Quantize(child=child):
            return size(child)
        case resolved.Repeat(toward=toward, child=child):
            return size(child) + 2 * abs(toward)
        case resolved.Growing(toward=toward, periods=periods):
            return size(node.resolve(periods.first)) + 2 * abs(toward)
        case (
            resolved.Exponential()
            | resolved.Staircase()
            | resolved.InverseSqrt()
            | resolved.PowerLaw()
            | resolved.TokenPower()
        ):
            return abs(node.initial)
        case resolved.Geometric() | resolved.Inverse():
            return max(abs(node.initial), abs(node.final), abs(node.asymptote))
        case _:
            return max(abs(node.initial), abs(node.final))
