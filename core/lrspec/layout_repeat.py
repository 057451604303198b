"""The periods of a `repeat`, laid out on spans of their own (clause 7.14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

from lrspec import model, resolved
from lrspec.evaluate import shrunk
from lrspec.limits import LAST_STEP
from lrspec.nesting import LENGTHS, cost, rounded_lengths
from lrspec.periods import Periods, round_whole, series
from lrspec.problems import SpecError
from lrspec.resolved import Exact, Node, simplest
from lrspec.shorten import short
from lrspec.spans import Laid, Piece, Place, Span

if TYPE_CHECKING:
    from lrspec.layout import Layout

# Edges must stay well within float64; a growing period is tried at a length so much larger.
_FARTHEST = 10**200
# The last of counted periods is at most 2 to this as long as the first.
_MOST_BITS = 2**15
_MOST_ROUNDED = 100_000


@dataclass(frozen=True)
class PeriodLayout:
    """Lays the repeated schedule out on a period of a given length."""

    layout: Layout
    schedule: model.Schedule
    place: Place

    def __call__(self, length: Exact) -> Node:
        """The schedule on a period as one node."""
        return self.laid(length).node(0)

    def laid(self, length: Exact) -> Laid:
        """The schedule on [0, length), which is its ruler."""
        inside = replace(self.place, ruler=0, span=length, passed=0, repeated=True)
        return self.layout.lay(self.schedule, Span(0, length, True), inside)


def periods_of(layout: Layout, node: model.Repeat, span: Span, place: Place) -> Periods:
    """The periods of a `repeat` on `span`."""
    if node.count is not None and node.count * log2(node.stretch) > _MOST_BITS:
        raise _too_many(layout, node, "grow beyond all bounds")
    if node.period is None:
        assert node.count is not None
        if span.stop is None:
            raise SpecError([layout.no_length(node.path, "repeat with count alone")])
        share = Fraction(span.stop - span.start) / series(node.stretch, node.count)
        return Periods(simplest(share), node.stretch, node.count, "none")
    first = layout.above_zero(node.period, place, (*node.path, node.kind, "period"))
    # Periods of one length are what was written; only those that grow are put on whole steps.
    rounding = "none" if node.stretch == 1 else layout.rounding
    periods = Periods(first, node.stretch, node.count, rounding)
    if rounding != "none" and node.count is not None:
        _check_rounded(layout, node, periods, node.count)
    total = periods.total()
    if total is not None and node.stretch != 1 and total > _FARTHEST:
        raise _too_long(layout, node)
    return periods


def _check_rounded(layout: Layout, node: model.Repeat, periods: Periods, count: int) -> None:
    """Periods that come to nothing, or that are too many to be rounded one after the other."""
    assert node.period is not None
    length = total = periods.first
    for index in range(1, count):
        before, length = length, round_whole(length * node.stretch, periods.rounding)
        total += length
        if length == 0:
            path = (*node.path, node.kind, "period")
            raise SpecError([layout.rounds_to_zero(path, node.period.text)])
        if length == before:
            break
        if total > _FARTHEST:
            raise _too_long(layout, node)
        if index == _MOST_ROUNDED:
            raise _too_many(layout, node, "of different lengths are too many to round")


def _too_long(layout: Layout, node: model.Repeat) -> SpecError:
    return _too_many(layout, node, f"are longer than 1e200 {layout.document.axis}")


def _too_many(layout: Layout, node: model.Repeat, what: str) -> SpecError:
    path = (*node.path, node.kind, "count")
    text = f"{short(str(node.count))} periods {what}"
    return SpecError([layout.source.problem("out-of-range", path, text)])


def lay_repeat(layout: Layout, node: model.Repeat, span: Span, place: Place) -> Laid:
    """A `repeat` on its span; beyond its last period it holds its closing value (clause 6.6)."""
    lay = PeriodLayout(layout, node.schedule, place)
    # What stands in a period may be large, and hold periods in turn: no length is laid out twice.
    laid = lru_cache(LENGTHS)(lay.laid)
    periods = None if node.period is None else periods_of(layout, node, span, place)
    if layout.empty(span):
        value = layout.value(laid(0 if periods is None else periods.first).node(0), 0, left=False)
        return layout.single(node, span, resolved.Constant(value), value)
    periods = periods or periods_of(layout, node, span, place)
    repeated: Node
    one: tuple[Piece, ...] = ()
    if periods.stretch == 1:
        start, period = simplest(span.start), simplest(periods.first)
        inside = laid(period)
        one = inside.pieces
        repeated = resolved.Repeat(start, period, node.shrink, node.toward, inside.node(0))
    else:
        _check_periods(laid, periods, cost(node.schedule, rounded=layout.rounding != "none"))
        repeated = resolved.Growing(simplest(span.start), periods, node.shrink, node.toward, lay)

    def closing_of(index: int) -> float:
        """Of one period, toward + shrinkⁱ·(closing − toward)."""
        length = simplest(periods.length(index))
        closing = layout.closing_at(laid(length), 0, length)
        return shrunk(closing, node.shrink, index, node.toward)

    def closing_at(stop: Exact) -> float:
        """At the end of a span that the periods reach (clause 6.2)."""
        length = stop - span.start
        index = periods.locate(length, left=True)
        if periods.start(index) + periods.length(index) == length:
            return closing_of(index)
        return layout.value(repeated, stop, left=True)

    if node.count is None:
        if span.stop is None and periods.stretch > 2:
            # The last period that a step may lie in can be much longer than what is before it.
            reached = layout.units.position(LAST_STEP + 1) - span.start
            layout.edge(periods.length(periods.locate(reached, left=False)))
        closing = None if span.stop is None else closing_at(span.stop)
        found = layout.single(node, span, repeated, closing)
        return replace(found, pieces=(replace(found.pieces[0], period=one),))
    total = periods.total()
    assert total is not None
    # A count alone divides the span: its periods end exactly where the span does.
    end = span.stop if node.period is None and span.stop is not None else span.start + total
    layout.edge(end)
    last = closing_of(node.count - 1)
    closing = closing_at(span.stop) if span.stop is not None and span.stop < end else last
    whole = span if span.stop is not None else replace(span, stop=end)
    found = layout.single(node, whole, repeated, closing)
    rows = (*found.rows, (end, resolved.Constant(last)))
    piece = replace(found.pieces[0], period=one)
    if node.length is None and node.until is None:
        # It ends of its own (clause 5.3), alone as in a list, whatever its span.
        piece = replace(piece, stop=end, closing=last)
    return replace(found, rows=rows, pieces=(piece,))


def _check_periods(laid: Callable[[Exact], Laid], periods: Periods, each: int) -> None:
    """Lay out the periods that decide whether all of them can be: each condition is linear in the
    length, so the ends suffice; `each` is the cost of one."""
    laid(simplest(periods.first))
    count = periods.count
    if periods.rounding == "none":
        last = _far(periods.first) if count is None else periods.length(count - 1)
        laid(simplest(last))
        return
    length = periods.first
    most = rounded_lengths(each)
    for index in range(1, most if count is None else min(count, most)):
        longer = periods.length(index)
        if longer == length:
            break
        length = longer
        laid(simplest(length))


def _far(first: Exact) -> Exact:
    """A length that periods without a number reach, far from the first and within float64, that of
    periods inside them too."""
    return max(first, min(first * _FARTHEST, _FARTHEST * 10**50))
