"""A line of the table: the largest error of something, and where it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Row:
    """What was found of one evaluator over `steps` steps.

    What others make has no `limit`. `over` counts the steps beyond their limits, `differing` those
    at which another way to the same value gave other bits.
    """

    kind: str
    name: str
    error: float
    limit: float | None
    document: str
    run: str
    step: int
    steps: int
    over: int = 0
    differing: int = 0

    @property
    def passed(self) -> bool:
        """Whether all is as it should be, which is asked of our own alone."""
        return not self.over and not self.differing

    def joined(self, other: Row) -> Row:
        """Both as one: the larger error, but first one that is over its limit."""
        return replace(
            max(self, other, key=_weight),
            steps=self.steps + other.steps,
            over=self.over + other.over,
            differing=self.differing + other.differing,
        )

    def as_json(self) -> dict[str, Any]:
        """The row as JSON data; where a value is no number the error is null."""
        limits = {"limit": self.limit, "over": self.over, "differing": self.differing}
        return {
            "kind": self.kind,
            "name": self.name,
            "error": self.error if isfinite(self.error) else None,
            **({} if self.limit is None else limits),
            "document": self.document,
            "run": self.run,
            "step": self.step,
            "steps": self.steps,
        }


def _weight(row: Row) -> tuple[bool, float]:
    if row.over and row.limit is not None:
        return True, row.error - row.limit
    return False, row.error
