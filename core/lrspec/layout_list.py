"""The stages of a list: which is open, where each starts and ends, and what each hands to the next
(clauses 5.2 to 5.9, 6.1 to 6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

from lrspec import model
from lrspec.layout_repeat import periods_of
from lrspec.meaning import is_open
from lrspec.positions import shown
from lrspec.problems import Path, Problem, SpecError, pointer
from lrspec.quantity import Quantity
from lrspec.resolved import Exact, Node
from lrspec.spans import Laid, Piece, Place, Span

if TYPE_CHECKING:
    from lrspec.layout import Layout


def lay_stages(layout: Layout, node: model.Stages, span: Span, place: Place) -> Laid:
    """A list on its span."""
    length = None if span.stop is None else span.stop - span.start
    place = replace(place, ruler=span.start, span=length)
    spans = _spans(layout, node, span, place)
    rows: list[tuple[Exact, Node]] = []
    pieces: list[Piece] = []
    before, source = place.before, place.source
    problems: list[Problem] = []
    last: Laid | None = None
    for stage, stage_span in zip(node.stages, spans, strict=True):
        layout.edge(stage_span.start)
        inside = replace(place, before=before, source=source, passed=stage_span.start - span.start)
        try:
            last = _stage(layout, stage, stage_span, inside)
        except SpecError as error:
            problems += error.problems
            before = nan  # not known, and not to be blamed on the next stage
            continue
        # The stage takes over from its start on; an empty one before it is gone with its rows.
        while rows and rows[-1][0] >= stage_span.start:
            rows.pop()
        rows += last.rows
        pieces += last.pieces
        if last.closing is not None:
            before, source = last.closing, pointer(stage.path)
    if problems:
        raise SpecError(problems)
    assert last is not None
    return Laid(tuple(rows), last.stop, last.closing, tuple(pieces))


def _stage(layout: Layout, stage: model.Schedule, span: Span, place: Place) -> Laid:
    if isinstance(stage, model.Stages):
        return lay_stages(layout, stage, span, place)
    written = stage.length is not None or stage.until is not None
    return layout.kind(stage, span, place, written=written)


def _spans(layout: Layout, node: model.Stages, span: Span, place: Place) -> list[Span]:
    """The span of every stage: forward to the open one, backward from the end after it."""
    stages = node.stages
    opened = next((i for i, stage in enumerate(stages) if is_open(stage)), len(stages))
    if opened == len(stages) and span.from_end:
        # The list itself was laid from its end (clause 5.6), back to its last written position.
        written = [i for i, stage in enumerate(stages) if _until(stage) is not None]
        ahead = max(written, default=-1) + 1
        assert span.stop is not None
        spans = _forward(layout, stages[:ahead], span.start, place)
        return [*spans, *_backward(layout, stages[ahead:], span.stop, place)]
    spans = _forward(layout, stages[:opened], span.start, place)
    if opened == len(stages):
        _check_fit(layout, node, spans, span)
        return spans
    at = _last_stop(spans, span.start)
    if opened == len(stages) - 1:
        return [*spans, _last_open(layout, node, spans, span, at)]
    if span.stop is None:
        what = "a stage without a length, with stages after it,"
        raise SpecError([layout.no_length(stages[opened].path, what)])
    behind = _backward(layout, stages[opened + 1 :], span.stop, place)
    end = behind[0].start
    if end < at:
        sizes = _sum([*spans, *behind])
        raise SpecError([_nothing_left(layout, stages[opened].path, sizes, span)])
    return [*spans, Span(at, end, True), *behind]


def _forward(
    layout: Layout, stages: Sequence[model.Schedule], start: Exact, place: Place
) -> list[Span]:
    spans: list[Span] = []
    for stage in stages:
        end = _end(layout, stage, start, place)
        spans.append(Span(start, end, True))
        start = end
    return spans


def _backward(
    layout: Layout, stages: Sequence[model.Schedule], end: Exact, place: Place
) -> list[Span]:
    spans: list[Span] = []
    for stage in reversed(stages):
        start = _start(layout, stage, end, place)
        spans.append(Span(start, end, True, from_end=True))
        end = start
    spans.reverse()
    return spans


def _last_stop(spans: list[Span], start: Exact) -> Exact:
    stop = spans[-1].stop if spans else start
    assert stop is not None
    return stop


def _until(stage: model.Schedule) -> Quantity | None:
    return None if isinstance(stage, model.Stages) else stage.until


def _end(layout: Layout, stage: model.Schedule, start: Exact, place: Place) -> Exact:
    """Where a stage that is not open ends, laid forward from `start`."""
    if isinstance(stage, model.Stages):
        inside = replace(place, ruler=start, span=None)
        for inner in stage.stages:
            start = _end(layout, inner, start, inside)
        return start
    if isinstance(stage, model.Repeat) and stage.length is None and stage.until is None:
        return start + _own_length(layout, stage, place)
    return layout.written_end(stage, start, place)


def _start(layout: Layout, stage: model.Schedule, stop: Exact, place: Place) -> Exact:
    """Where a stage that is not open starts, laid backward from `stop`."""
    if isinstance(stage, model.Stages):
        inside = replace(place, ruler=stop, span=None)
        for inner in reversed(stage.stages):
            if not isinstance(inner, model.Stages) and inner.until is not None:
                # The position counts from the start that is looked for: it leads back in one go.
                path = (*inner.path, inner.kind, "until")
                return layout.before(stop, inner.until, inside, path)
            stop = _start(layout, inner, stop, inside)
        return stop
    if isinstance(stage, model.Repeat) and stage.length is None:
        return stop - _own_length(layout, stage, place)
    assert stage.length is not None
    return layout.before(stop, stage.length, place, (*stage.path, stage.kind, "length"))


def _own_length(layout: Layout, stage: model.Repeat, place: Place) -> Exact:
    total = periods_of(layout, stage, Span(0, None, False), place).total()
    assert total is not None
    return total


def _last_open(
    layout: Layout, node: model.Stages, spans: list[Span], span: Span, at: Exact
) -> Span:
    """The span of an open stage that nothing follows (clauses 5.4, 5.8)."""
    if span.stop is None or at < span.stop:
        return Span(at, span.stop, span.bounded)
    if span.bounded:
        if at > span.stop:
            sizes = _sum(spans)
            raise SpecError([_nothing_left(layout, node.stages[-1].path, sizes, span)])
        return Span(at, at, True)
    layout.warnings.append(beyond(layout, node.stages[-1].path, at, span.stop))
    return Span(at, None, False)


def _check_fit(layout: Layout, node: model.Stages, spans: list[Span], span: Span) -> None:
    """Stages longer than a bounded span are an error, than the run a warning (clause 5.8)."""
    stop = spans[-1].stop
    if span.stop is None or stop is None or stop <= span.stop:
        return
    if not span.bounded:
        over = next(
            i for i, stage in enumerate(spans) if stage.stop is not None and stage.stop > span.stop
        )
        layout.warnings.append(beyond(layout, node.stages[over].path, stop, span.stop))
        return
    length = shown(span.stop - span.start)
    sizes = f"{_sum(spans)} > {length} {layout.document.axis}"
    raise SpecError(
        [
            layout.source.problem(
                "does-not-fit",
                node.path,
                f"the stages are longer than what holds them: {sizes}",
                expected=f"at most {length}",
                found=shown(stop - span.start),
            )
        ]
    )


def _nothing_left(layout: Layout, path: Path, sizes: str, span: Span) -> Problem:
    assert span.stop is not None
    length = shown(span.stop - span.start)
    return layout.source.problem(
        "nothing-left",
        path,
        f"nothing is left for the open stage: {sizes} > {length} {layout.document.axis}",
        expected=f"at most {length} for the other stages",
    )


def beyond(
    layout: Layout, path: Path, at: Exact, stop: Exact, *, what: str = "stages reach"
) -> Problem:
    """The warning about what ends, or begins, after the run (clause 5.8)."""
    axis = layout.document.axis
    return layout.source.problem(
        "beyond-the-run",
        path,
        f"the {what} {axis[:-1]} {shown(at)}, the run ends at {shown(stop)}",
        severity="warning",
    )


def _sum(spans: list[Span]) -> str:
    """The lengths of the stages, added up for people: "2000 + 110000 = 112000"."""
    sizes = [span.stop - span.start for span in spans if span.stop is not None]
    total = shown(sum(sizes))
    if len(sizes) == 1:
        return total
    terms = [shown(size) for size in sizes]
    if len(terms) > 6:
        terms = [*terms[:3], "…", *terms[-2:]]
    return f"{' + '.join(terms)} = {total}"
