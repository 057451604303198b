"""From documents to rows: exact values are computed once, and everything is compared with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from precision.documents import Document
from precision.errors import double_errors, single_errors
from precision.evaluators import Evaluator
from precision.exact import Exact, compute
from precision.framework import different
from precision.rows import Row
from precision.runs import Run


def measure(
    kind: str, documents: Sequence[Document], runs: Sequence[Run], evaluators: Sequence[Evaluator]
) -> Iterator[Row]:
    """A row for each evaluator over all documents of a kind, then one for what else there is for
    each of the documents."""
    rows: dict[tuple[str, ...], Row] = {}

    def add(row: Row, *key: str) -> None:
        rows[key] = rows[key].joined(row) if key in rows else row

    for document, run in product(documents, runs):
        if document is documents[0] or not run.thorough:
            exact = compute(document.on(run.horizon), run.steps)
            for row in _ours(kind, document, run, exact, evaluators):
                add(row, row.name)
            for row in _peers(kind, document, run, exact, evaluators):
                add(row, row.name, document.name)
    yield from sorted(rows.values(), key=lambda row: row.limit is None)


def _ours(
    kind: str, document: Document, run: Run, exact: Exact, evaluators: Sequence[Evaluator]
) -> Iterator[Row]:
    reference, *_ = evaluators
    expected = reference.ours(document.on(run.horizon), exact.steps).values
    for evaluator in evaluators:
        if evaluator.single and not run.narrow:
            continue
        answer = evaluator.ours(document.on(run.horizon), exact.steps)
        values = answer.values
        errors = (
            single_errors(exact, values)
            if evaluator.single
            else double_errors(exact, values, document.scale)
        )
        differs = answer.differs | different(values, expected.astype(values.dtype))
        worst = errors.worst()
        yield Row(
            kind=kind,
            name=evaluator.name,
            error=float(errors.ulps[worst]),
            limit=float(errors.limits[worst]),
            document=document.name,
            run=run.name,
            step=int(exact.steps[worst]),
            steps=len(exact.steps),
            over=int(errors.over.sum()),
            differing=int((differs & errors.settled).sum()),
        )


def _peers(
    kind: str, document: Document, run: Run, exact: Exact, evaluators: Sequence[Evaluator]
) -> Iterator[Row]:
    """Within the run, beyond which they mean other things."""
    exact = exact.until(run.horizon)
    for evaluator in evaluators:
        if not run.narrow:
            continue
        for name, values in evaluator.peers(document.name, run, exact.steps).items():
            measured = single_errors if values.dtype == np.float32 else double_errors
            errors = measured(exact, values).ulps
            # A number in the place of 0 is wrong by no number of ULP; what is none is wrong.
            errors = np.where((exact.high == 0) & np.isfinite(errors), 0.0, errors)
            worst = int(np.argmax(errors))
            yield Row(
                kind=kind,
                name=name,
                error=float(errors[worst]),
                limit=None,
                document=document.name,
                run=run.name,
                step=int(exact.steps[worst]),
                steps=len(exact.steps),
            )
