"""How cases are written: a function for every kind, and the forms of a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.nodes import Schedule


def _kind(name: str) -> Callable[..., dict[str, Any]]:
    def of(**fields: Any) -> dict[str, Any]:
        return {name: fields}

    return of


constant = _kind("constant")
linear = _kind("linear")
cosine = _kind("cosine")
polynomial = _kind("polynomial")
geometric = _kind("geometric")
inverse = _kind("inverse")
exponential = _kind("exponential")
inverse_sqrt = _kind("inverse_sqrt")
power_law = _kind("power_law")
token_power = _kind("token_power")
piecewise_linear = _kind("piecewise_linear")
piecewise_constant = _kind("piecewise_constant")
repeat = _kind("repeat")
clamp = _kind("clamp")
quantize = _kind("quantize")
advance = _kind("advance")


def product(*of: Schedule, **fields: Any) -> dict[str, Any]:
    """A product of its children."""
    return {"product": {"of": list(of), **fields}}


def sum_of(*of: Schedule, **fields: Any) -> dict[str, Any]:
    """A sum of its children."""
    return {"sum": {"of": list(of), **fields}}


@dataclass(frozen=True)
class Golden:
    """A document and facts whose values the generator computes."""

    path: str
    description: str
    clauses: Sequence[str]
    document: Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict)
    name: str = "lr"
    steps: Sequence[int] | None = None  # None: chosen by the generator
    profiles: Sequence[str] = ("float64", "float32")


@dataclass(frozen=True)
class Invalid:
    """A document, or a document with facts, that is refused for one fault."""

    path: str
    description: str
    clauses: Sequence[str]
    document: Mapping[str, Any]
    facts: Mapping[str, Any]
    name: str
    error: Mapping[str, str]


@dataclass(frozen=True)
class Reading:
    """A text and what it means, or why it means nothing."""

    path: str
    description: str
    clauses: Sequence[str]
    format: str
    source: Mapping[str, Any]
    result: Mapping[str, Any]


def golden(
    path: str,
    description: str,
    clauses: str,
    schedule: Schedule | None = None,
    /,
    *,
    facts: Mapping[str, Any] | None = None,
    bound: str = "lr",
    read: str | None = None,
    double_only: bool = False,
    **root: Any,
) -> Golden:
    """A golden case; `root` are the keys of the document beside `schedule`.

    `bound` is the name that is bound, if not `lr`. `read` names the steps, such as "0 1 9-11";
    without it they are chosen around the knots.
    """
    document: dict[str, Any] = {"lrspec": 1, **root}
    if schedule is not None:
        document["schedule"] = schedule
    return Golden(
        path=path,
        description=description,
        clauses=clauses.split(),
        document=document,
        facts=facts or {},
        name=bound,
        steps=None if read is None else steps_in(read),
        profiles=("float64",) if double_only else ("float64", "float32"),
    )


def invalid(
    path: str,
    description: str,
    clauses: str,
    code: str,
    pointer: str,
    schedule: Any = None,
    /,
    *,
    facts: Mapping[str, Any] | None = None,
    bound: str = "lr",
    **root: Any,
) -> Invalid:
    """An invalid case; `root` are the keys of the document beside `schedule`."""
    document: dict[str, Any] = {"lrspec": 1, **root}
    if schedule is not None:
        document["schedule"] = schedule
    error = {"code": code, "path": pointer}
    return Invalid(path, description, clauses.split(), document, facts or {}, bound, error)


def steps_in(text: str) -> list[int]:
    """The steps of a text such as "0 1 9-11"."""
    steps: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        steps |= set(range(int(first), int(last or first) + 1))
    return sorted(steps)
