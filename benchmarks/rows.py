"""What a benchmark finds: figures with their unit, beside the target they are meant to meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, Literal


@dataclass(frozen=True)
class Target:
    """A bound on the median; nothing happens where it is missed, but the table says so."""

    bound: Literal["≤", "≥"]
    value: float

    def met(self, figure: float) -> bool:
        """Whether `figure` is within the bound."""
        return figure <= self.value if self.bound == "≤" else figure >= self.value

    def __str__(self) -> str:
        return f"{self.bound} {self.value:g}"


def at_most(value: float) -> Target:
    """No more than `value`."""
    return Target("≤", value)


def at_least(value: float) -> Target:
    """No less than `value`."""
    return Target("≥", value)


@dataclass(frozen=True)
class Row:
    """One line of the table: the figures of all rounds, one where they cannot differ."""

    what: str
    figures: tuple[float, ...]
    target: Target | None = None
    unit: str = "×"

    @property
    def median(self) -> float:
        """The figure to quote."""
        return median(self.figures)

    @property
    def quartiles(self) -> tuple[float, float] | None:
        """The middle half of the figures, where there are enough to differ."""
        if len(self.figures) < 2:
            return None
        low, _, high = quantiles(self.figures, n=4, method="inclusive")
        return low, high

    def as_json(self) -> dict[str, Any]:
        """The row as JSON data."""
        return {
            "what": self.what,
            "median": self.median,
            "quartiles": self.quartiles,
            "rounds": len(self.figures),
            "unit": self.unit,
            "target": None if self.target is None else str(self.target),
            "met": None if self.target is None else self.target.met(self.median),
        }


@dataclass(frozen=True)
class Missing:
    """Why a topic was not measured."""

    why: str


Measure = Callable[[], Iterator[Row | Missing]]
