"""The kinds that hold no schedule, laid out on their spans (clauses 7.1 to 7.13)."""

from __future__ import annotations

from itertools import pairwise
from math import isinf, isnan
from typing import TYPE_CHECKING

from lrspec import model, resolved
from lrspec.clock import BatchMap
from lrspec.limits import LAST_STEP
from lrspec.meaning import boundary_problem, side_problem
from lrspec.positions import shown
from lrspec.problems import SpecError
from lrspec.resolved import Node, simplest
from lrspec.spans import Laid, Place, Span

if TYPE_CHECKING:
    from lrspec.layout import Layout


def lay_leaf(layout: Layout, node: model.Kind, span: Span, place: Place) -> Laid:
    """A kind without schedules inside, on its own span."""
    match node:
        case model.Interpolating():
            return _interpolating(layout, node, span, place)
        case model.Constant():
            value = place.before if node.value is None else node.value
            closing = None if span.stop is None else value
            return layout.single(node, span, resolved.Constant(value), closing)
        case model.Piecewise():
            return _piecewise(layout, node, span, place)
        case model.Exponential():
            leaf = _exponential(layout, node, span, place)
        case model.InverseSqrt():
            timescale = layout.above_zero(
                node.timescale, place, (*node.path, node.kind, "timescale")
            )
            leaf = resolved.InverseSqrt(
                layout.edge(span.start), _initial(node, place), layout.edge(timescale)
            )
        case model.PowerLaw():
            timescale = layout.above_zero(
                node.timescale, place, (*node.path, node.kind, "timescale")
            )
            leaf = resolved.PowerLaw(
                layout.edge(span.start),
                _initial(node, place),
                layout.edge(timescale),
                node.exponent,
            )
        case model.TokenPower():
            leaf = _token_power(layout, node, span, place)
        case _:  # pragma: no cover - `kind` has taken every other node
            raise AssertionError(node)
    return layout.single(node, span, leaf, closing_of(layout, leaf, span))


def closing_of(layout: Layout, leaf: Node, span: Span) -> float | None:
    """The limit from the left at the end of the span; where that is empty, the value at its
    start."""
    if span.stop is None:
        return None
    if layout.empty(span):
        return layout.value(leaf, span.start, left=False)
    return layout.value(leaf, span.stop, left=True)


def _initial(
    node: model.Exponential | model.InverseSqrt | model.PowerLaw | model.TokenPower,
    place: Place,
) -> float:
    return place.before if node.initial is None else node.initial


def _interpolating(layout: Layout, node: model.Interpolating, span: Span, place: Place) -> Laid:
    if span.stop is None:
        raise SpecError([layout.no_length(node.path, f"{node.kind}")])
    initial = place.before if node.initial is None else node.initial
    final = node.final
    if (
        isinstance(node, model.Geometric | model.Inverse)
        and node.initial is None
        and not isnan(initial)
    ):
        ends: dict[str, float | None] = {"initial": initial, "final": final}
        problem = side_problem(node, ends, layout.source, inherited_from=place.source)
        if problem is not None:
            raise SpecError([problem])
    if layout.empty(span):
        return layout.single(node, span, resolved.Constant(final), final)
    start, stop = layout.edge(span.start), layout.edge(span.stop)
    leaf: Node
    match node:
        case model.Cosine():
            leaf = resolved.Cosine(start, stop, initial, final, node.exponent, node.extend)
        case model.Polynomial():
            leaf = resolved.Polynomial(
                start, stop, initial, final, node.power, node.origin, node.extend
            )
        case model.Geometric():
            leaf = resolved.Geometric(start, stop, initial, final, node.asymptote, node.extend)
        case model.Inverse():
            leaf = resolved.Inverse(start, stop, initial, final, node.asymptote)
        case _:
            leaf = resolved.Linear(start, stop, initial, final, node.extend)
    return layout.single(node, span, leaf, final)


def _exponential(layout: Layout, node: model.Exponential, span: Span, place: Place) -> Node:
    every = layout.above_zero(node.every, place, (*node.path, node.kind, "every"))
    initial = _initial(node, place)
    if node.staircase:
        return resolved.Staircase(simplest(span.start), initial, node.rate, simplest(every))
    return resolved.Exponential(layout.edge(span.start), initial, node.rate, layout.edge(every))


def _token_power(layout: Layout, node: model.TokenPower, span: Span, place: Place) -> Node:
    batches = layout.units.need_batches(node.path, "token_power")
    length = layout.units.need_sequence_length(node.path, "token_power")
    if layout.base is None:
        raise SpecError(
            [
                layout.source.problem(
                    "base-required",
                    node.path,
                    "token_power gives a rate and needs to know the rate that 1 stands for",
                    expected="base",
                    hint="write base in the document (absolute, if values are rates)"
                    " or give base when binding (--base)",
                )
            ]
        )
    layout.edge(BatchMap(batches).samples(LAST_STEP + 1) * length)
    if isinf(node.amplitude * float(max(batches.values))):
        path = (*node.path, node.kind, "amplitude")
        text = f"{node.amplitude:g} times the batch size is beyond the range of float64"
        raise SpecError([layout.source.problem("out-of-range", path, text)])
    since = span.start if node.count_from == "stage" else 0
    initial = _initial(node, place)
    return resolved.TokenPower(since, initial, node.amplitude, node.exponent, layout.base)


def _piecewise(layout: Layout, node: model.Piecewise, span: Span, place: Place) -> Laid:
    body = (*node.path, node.kind)
    points = [
        layout.point(boundary, place, (*body, "boundaries", i))
        for i, boundary in enumerate(node.boundaries)
    ]
    edges = tuple(layout.edge(point) for point in points)
    for i, (before, here) in enumerate(pairwise(edges)):
        if here <= before:
            path = (*body, "boundaries", i + 1)
            note = f" ({shown(points[i + 1])} after {shown(points[i])})"
            both = node.boundaries[i], node.boundaries[i + 1]
            raise SpecError([boundary_problem(layout.source, path, *both, note)])
    make = resolved.PiecewiseLinear if node.linear else resolved.PiecewiseConstant
    leaf = make(edges, node.values)
    return layout.single(node, span, leaf, closing_of(layout, leaf, span))
