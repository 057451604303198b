"""Valid documents for hypothesis, bound to the facts of runs of every sort."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from tests.conformance.grammar import ENDLESS, Place, schedule, stages
from tests.conformance.runs import runs

from lrspec.curve import Curve
from lrspec.document import Document
from lrspec.loading import from_dict
from lrspec.problems import SpecError


@dataclass(frozen=True)
class Bound:
    """A document, the facts it is bound to, and the curve that comes of it."""

    document: Document
    facts: dict[str, Any]
    curve: Curve

    @property
    def data(self) -> dict[str, Any]:
        """The document as a mapping."""
        return self.document.to_dict()

    def __repr__(self) -> str:
        return f"from_dict({self.document.to_dict()!r}).bind(**{self.facts!r})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis shows the fields otherwise


@st.composite
def documents(
    draw: st.DrawFn,
    *,
    depth: int = 4,
    lists: bool = False,
    wild: bool = False,
    movable: bool = False,
    multiples: bool = False,
    percents: bool = True,
    changing: bool = True,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A document, and facts to bind it to; most of them can be.

    Args:
        depth: How deep schedules nest.
        lists: The whole schedule is a list.
        wild: Numbers are of any size.
        movable: Nothing counts from the start of the outermost list.
        multiples: There is no base.
        percents: There may be percent.
        changing: The batch size may change.
    """
    run = draw(runs())
    if not changing and run.batches is not None:
        run = replace(run, batches=run.batches[:1])
    base = None if multiples else draw(st.sampled_from([None, "absolute", 0.5, 3e-4, 1]))
    place = Place(
        run=run,
        room=ENDLESS if run.steps is None else run.steps,
        ended=run.steps is not None,
        ruler=run.steps,
        at=0,
        depth=depth,
        written=base == "absolute",
        last=True,
        repeated=False,
        rate=base is not None,
        wild=wild,
        movable=movable,
        percents=percents,
    )
    document: dict[str, Any] = {"lrspec": 1}
    facts = run.facts()
    stated = draw(st.sets(st.sampled_from(sorted(facts)))) if facts else set()
    given = {name: fact for name, fact in facts.items() if name not in stated}
    if stated:
        document["training"] = {name: facts[name] for name in sorted(stated)}
    for key in ("axis", "sample", "rounding"):
        value = getattr(run, key)
        if value not in ("steps", "start", "none") or draw(st.integers(0, 9)) == 0:
            document[key] = value
    drawn = stages(draw, place) if lists else schedule(draw, place)
    if draw(st.integers(0, 5)) == 0 and not lists:
        other = schedule(draw, replace(place, written=False, rate=False))
        document["schedules"] = {"lr": drawn, "momentum": other}
        if base is not None:
            document["base"] = {"lr": base}
        if draw(st.booleans()):
            given["name"] = "momentum"
    else:
        document["schedule"] = drawn
        if isinstance(base, int | float) and draw(st.booleans()):
            given["base"] = base
        elif base is not None:
            document["base"] = base
    return document, given


@st.composite
def bindings(draw: st.DrawFn, /, **options: Any) -> Bound:
    """A document that binds, with its curve; options are those of `documents`."""
    data, facts = draw(documents(**options))
    return bound(data, facts)


def bound(data: dict[str, Any], facts: dict[str, Any]) -> Bound:
    """The document bound; an example of hypothesis that cannot be is left out."""
    try:
        document = from_dict(data)
        return Bound(document, facts, document.bind(**facts))
    except SpecError:
        reject()


def steps(curve: Curve) -> st.SearchStrategy[list[int]]:
    """Steps where something may go wrong: about the edges of the phases, in the run, beyond it, and
    far away."""
    edges = {0}
    for phase in curve.phases():
        for place in (phase.start, phase.stop):
            if place is not None and 0 <= place < 2**31:
                edges.update(range(max(int(place) - 1, 0), int(place) + 3))
    near = st.sampled_from(sorted(edges))
    far = st.sampled_from([2**24 - 1, 2**24, 2**24 + 1, 2**31 - 1])
    anywhere = st.integers(0, 2**31 - 1)
    return st.lists(
        st.one_of(near, near, st.integers(0, 250), far, anywhere), min_size=1, max_size=12
    )
