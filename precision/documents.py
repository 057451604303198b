"""A document that is measured: written for a run of any length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Schedule: TypeAlias = dict[str, Any] | list[Any]


@dataclass(frozen=True)
class Document:
    """A schedule as a function of the planned horizon, and what stands beside it.

    `scale` is the larger end where the curve changes its sign, so that limits are relative to it.
    """

    name: str
    schedule: Callable[[int], Schedule]
    root: Mapping[str, Any] = field(default_factory=dict[str, Any])
    scale: float = 0.0

    def on(self, horizon: int) -> dict[str, Any]:
        """The document of a run of so many steps."""
        training = {"steps": horizon, **self.root.get("training", {})}
        root = {"base": "absolute", **self.root, "training": training}
        return {"lrspec": 1, **root, "schedule": self.schedule(horizon)}


def shares(name: str, schedule: Schedule, *, scale: float = 0.0, **root: Any) -> Document:
    """A document whose lengths are shares of the run, or the run itself."""
    return Document(name, lambda horizon: schedule, root, scale)


def interpolating(kind: str) -> Callable[..., Document]:
    """Documents of one kind over the whole run; `ends` are its first and last value."""

    def document(name: str, ends: tuple[float, float], **fields: Any) -> Document:
        initial, final = ends
        body = {"initial": initial, "final": final, **fields}
        crosses = initial * final < 0 or fields.get("after") == "extend"
        scale = max(abs(initial), abs(final)) if crosses else 0.0
        return shares(f"{kind} {name}", {kind: body}, scale=scale)

    return document
