"""Binding a schedule: spans, rulers, inherited values and closing values settled, node by node
(sections 3, 5 and 6 of the clauses).

Positions are exact rationals here; each edge is rounded once, when it enters the resolved tree.
"""

from __future__ import annotations

from dataclasses import replace

from lrspec import model, resolved
from lrspec.evaluate import function
from lrspec.facts import Facts
from lrspec.layout_leaf import closing_of, lay_leaf
from lrspec.layout_list import beyond, lay_stages
from lrspec.layout_repeat import lay_repeat
from lrspec.limits import LAST_STEP
from lrspec.measure import unit_problems
from lrspec.positions import Positions, shown
from lrspec.problems import Problem, SpecError, pointer
from lrspec.resolved import Exact, Node, simplest
from lrspec.source import Source
from lrspec.spans import Laid, Piece, Place, Span


class Layout(Positions):
    """Lays out the schedules of one document for one set of facts; `warnings` collects what never
    stops a run."""

    def __init__(
        self, document: model.Model, source: Source, facts: Facts, base: float | None
    ) -> None:
        super().__init__(document, source, facts)
        self.base = base
        self.clock = resolved.Clock(
            document.axis, document.sample, facts.units.batches, facts.units.sequence_length
        )
        self.warnings: list[Problem] = []

    def run(self) -> Span:
        """The span of the whole curve (clause 5.1)."""
        if self.document.axis != "steps":
            self.units.axis_batches()
            self.edge(self.units.position(LAST_STEP + 1))
        if self.facts.steps is None:
            return Span(0, None, False)
        stop = self.units.position(self.facts.steps)
        self.edge(stop)
        return Span(0, stop, False)

    def root(self, schedule: model.Schedule) -> Laid:
        """The whole curve."""
        problems: list[Problem] = []
        run = Span(0, None, False)
        try:
            run = self.run()
        except SpecError as error:
            problems += error.problems
        known = {problem.expected for problem in problems}
        for problem in unit_problems(schedule, self.units):
            if problem.expected not in known:
                problems.append(problem)
        if problems:
            raise SpecError(problems)
        return self.lay(schedule, run, Place(0, run.stop, 1.0, "the start of the curve"))

    def needed_clock(self) -> resolved.Clock:
        """The clock, without the facts that no position needs (clause 4.3)."""
        used = self.units.used
        return replace(
            self.clock,
            batches=self.clock.batches if "batch_size" in used else None,
            sequence_length=self.clock.sequence_length if "sequence_length" in used else None,
        )

    def facts_used(self) -> dict[str, object]:
        """The horizon if it is known, and the facts that some position needed."""
        units = self.units
        batches = units.batches
        known: dict[str, object] = {
            "steps": self.facts.steps,
            "batch_size": batches and (batches.values[0] if len(batches.values) == 1 else batches),
            "sequence_length": units.sequence_length,
            "steps_per_epoch": units.steps_per_epoch,
        }
        return {
            name: value
            for name, value in known.items()
            if value is not None and (name in units.used or name == "steps")
        }

    # -- one node -------------------------------------------------------------------------------

    def lay(self, node: model.Schedule, span: Span, place: Place) -> Laid:
        """A node that stands alone on `span`: the whole schedule, or a child of a combinator,
        wrapper or period."""
        if isinstance(node, model.Stages):
            # Only a list among stages is laid from its end (clause 5.6), not one inside a stage.
            return lay_stages(self, node, replace(span, from_end=False), place)
        if node.length is None and node.until is None:
            laid = self.kind(node, span, place, written=False)
        else:
            stop = self.written_end(node, span.start, place)
            laid = self.kind(node, Span(span.start, stop, True), place, written=True)
        end = laid.pieces[-1].stop
        if not span.bounded and span.stop is not None and end is not None and end > span.stop:
            self.warnings.append(beyond(self, node.path, end, span.stop, what="schedule reaches"))
        return laid

    def written_end(self, node: model.Kind, start: Exact, place: Place) -> Exact:
        """Where a node with `length` or `until` ends."""
        if node.length is not None:
            path = (*node.path, node.kind, "length")
            stop = self.after(start, node.length, place, path)
            self.edge(stop)
            return stop
        assert node.until is not None
        path = (*node.path, node.kind, "until")
        stop = self.point(node.until, place, path)
        if stop < start:
            began = shown(start - place.ruler)
            raise SpecError(
                [
                    self.source.problem(
                        "until-before-start",
                        path,
                        f"until {node.until} is before the start at {began}",
                        expected=f"at least {began}",
                        found=node.until.text,
                    )
                ]
            )
        return stop

    def kind(self, node: model.Kind, span: Span, place: Place, *, written: bool) -> Laid:
        """A node on its own span; `written` says that its length is, so that it holds beyond it
        (clause 6.6)."""
        match node:
            case model.Repeat():
                laid = lay_repeat(self, node, span, place)
            case model.Combination():
                laid = self._combination(node, span, place)
            case model.Clamp() | model.Quantize() | model.Advance():
                laid = self._wrapper(node, span, place)
            case _:
                laid = lay_leaf(self, node, span, place)
        if not written or (isinstance(node, model.Interpolating) and node.extend):
            return laid
        assert laid.closing is not None and span.stop is not None
        rows = tuple(row for row in laid.rows if row[0] < span.stop) or laid.rows[:1]
        held = (span.stop, resolved.Constant(laid.closing))
        return replace(laid, rows=(*rows, held) if rows[-1][0] < span.stop else (held,))

    def single(
        self,
        node: model.Placed,
        span: Span,
        resolved_node: Node,
        closing: float | None,
        *inside: Laid,
    ) -> Laid:
        """A node that is one row and one piece; `inside` is what it combines or wraps."""
        children = tuple(child.pieces for child in inside)
        piece = Piece(span.start, span.stop, node.kind, node.path, resolved_node, closing, children)
        return Laid(((span.start, resolved_node),), span.stop, closing, (piece,))

    def empty(self, span: Span) -> bool:
        """Whether the rounded edges are equal (clause 6.2)."""
        return span.stop is not None and self.edge(span.start) == self.edge(span.stop)

    def value(self, node: Node, at: Exact, *, left: bool) -> float:
        """What a resolved node gives at a position of its frame."""
        return function(node, self.clock, left=left, fractions=True)(at)

    def closing_at(self, laid: Laid, start: Exact, stop: Exact) -> float:
        """What a child of a combinator or wrapper on [start, stop) has at `stop` (clause 6.2)."""
        if laid.stop is not None and laid.stop == stop:
            assert laid.closing is not None
            return laid.closing
        return self.value(laid.node(start), stop, left=True)

    # -- combinators and wrappers ---------------------------------------------------------------

    def _combination(self, node: model.Combination, span: Span, place: Place) -> Laid:
        inside = replace(place, before=1.0, source=f"the {node.operator} at {pointer(node.path)}")
        laid: list[Laid] = []
        problems: list[Problem] = []
        for child in node.of:
            try:
                laid.append(self.lay(child, span, inside))
            except SpecError as error:
                problems += error.problems
        if problems:
            raise SpecError(problems)
        children = tuple(child.node(span.start) for child in laid)
        make = resolved.Product if node.operator == "product" else resolved.Sum
        closing = None
        if span.stop is not None:
            closings = [self.closing_at(child, span.start, span.stop) for child in laid]
            constants = make(tuple(map(resolved.Constant, closings)))
            closing = self.value(constants, span.stop, left=True)
        return self.single(node, span, make(children), closing, *laid)

    def _wrapper(self, node: model.Wrapper, span: Span, place: Place) -> Laid:
        match node:
            case model.Clamp():
                child = self.lay(node.schedule, span, place)
                inner = child.node(span.start)
                clamp = resolved.Clamp(inner, node.minimum, node.maximum)
                closing = None
                if span.stop is not None:
                    value = resolved.Constant(self.closing_at(child, span.start, span.stop))
                    closing = self.value(replace(clamp, child=value), span.stop, left=True)
                return self.single(node, span, clamp, closing, child)
            case model.Quantize():
                every = self.above_zero(node.every, place, (*node.path, node.kind, "every"))
                child = self.lay(node.schedule, span, place)
                inner = child.node(span.start)
                quantize = resolved.Quantize(simplest(span.start), simplest(every), inner)
                closing = closing_of(self, quantize, span)
                return self.single(node, span, quantize, closing, child)
            case model.Advance():  # pragma: no branch - nothing else is left
                path = (*node.path, node.kind, "by")
                by = place.passed if node.by is None else self.duration(node.by, place, path)
                moved = Span(span.start - by, span.stop, span.bounded)
                child = self.lay(node.schedule, moved, place)
                closing = None
                if span.stop is not None:
                    closing = self.closing_at(child, moved.start, span.stop)
                return self.single(node, span, child.node(span.start), closing, child)
