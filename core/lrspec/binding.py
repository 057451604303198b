"""Binding a document to a run: the one way from a schedule, in any form, to a Curve."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, TypeAlias

from lrspec.curve import Curve
from lrspec.document import Document
from lrspec.facts import plain, settle
from lrspec.layout import Layout
from lrspec.loading import from_dict, load
from lrspec.problems import SpecError
from lrspec.resolved import Resolution
from lrspec.shorten import shown

ScheduleLike: TypeAlias = "str | PathLike[str] | Document | Mapping[str, Any] | Curve"


def bind(document: Document, host: Mapping[str, Any], *, name: str, override: bool) -> Curve:
    """The curve of one schedule for the facts in `host`; see `Document.bind`."""
    model, source = document.model, document.source
    if name not in document.names:  # a host may give what has no hash, too
        known = ", ".join(model.schedules)
        written = isinstance(source.data, dict) and "schedules" in source.data
        path = ("schedules",) if written else ("schedule",)
        text = f"no schedule has the name {shown(name)}"
        hint = f"the document schedules {known}"
        raise SpecError(
            [source.problem("not-scheduled", path, text, expected=known, found=name, hint=hint)]
        )
    host = {key: plain(value) for key, value in host.items() if value is not None}
    facts = settle(model, source, host, name=name, override=override)
    base = 1.0 if facts.base == "absolute" else facts.base
    layout = Layout(model, source, facts, base)
    laid = layout.root(model.schedules[name])
    rest = {"name": name} if name != "lr" else {}
    return Curve(
        document=document,
        facts={**host, **rest, **({"override": True} if override else {})},
        name=name,
        resolution=Resolution(layout.needed_clock(), laid.node(0), base),
        steps=facts.steps,
        warnings=tuple(layout.warnings),
        facts_used=layout.facts_used(),
        pieces=laid.pieces,
        units=facts.units,
    )


def as_document(schedule: str | PathLike[str] | Document | Mapping[str, Any]) -> Document:
    """The document that a path, a mapping or a Document stands for."""
    if isinstance(schedule, Document):
        return schedule
    return from_dict(schedule) if isinstance(schedule, Mapping) else load(schedule)


def as_curve(schedule: ScheduleLike, facts: Mapping[str, Any]) -> Curve:
    """The curve that an adapter's `schedule` and keywords stand for.

    Raises:
        TypeError: Facts beside a Curve, which is bound already, or an unknown keyword.
        SpecError: The document is not valid, or cannot be bound to the facts.
    """
    if isinstance(schedule, Curve):
        _refuse(facts)
        return schedule
    return as_document(schedule).bind(**facts)


def as_curves(schedule: ScheduleLike, facts: Mapping[str, Any]) -> dict[str, Curve]:
    """Every schedule of the document by name, each bound to the facts; a host's `base` is that of
    lr."""
    if isinstance(schedule, Curve):
        _refuse(facts)
        return {schedule.name: schedule}
    document = as_document(schedule)
    if "name" in facts:
        return {str(facts["name"]): document.bind(**facts)}
    if "lr" not in document.names and facts.get("base") is not None:
        document.bind(**facts)  # a base without an lr to be the base of: says so
    shared = {key: value for key, value in facts.items() if key != "base"}
    return {
        name: document.bind(**(facts if name == "lr" else shared), name=name)
        for name in document.names
    }


def _refuse(facts: Mapping[str, Any]) -> None:
    if facts:
        given = ", ".join(sorted(facts))
        raise TypeError(
            f"a Curve is bound already and takes no facts beside it, but {given} was given"
        )
