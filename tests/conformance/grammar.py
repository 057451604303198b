"""Schedules as hypothesis draws them: every kind, wherever it can stand.

The functions follow the grammar, and what they know of a place (whether its span has an end, what
its ruler is, whether a first value must be written) lets most documents bind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from tests.conformance.runs import Run, boundaries, length

Json = Any
Body = dict[str, Any]
Draw = st.DrawFn

ENDLESS = 24  # how many steps of a span without an end are worth filling

_USUAL = st.sampled_from([0, 1, 0.1, 0.5, 1e-3, 2, -1, 0.30000000000000004])
_ABOVE_ZERO = st.sampled_from([1, 0.1, 0.5, 2, 1e-3])


@dataclass(frozen=True)
class Place:
    """Where a schedule stands.

    Attributes:
        run: The facts.
        room: About how many steps the span has.
        ended: The span has an end.
        ruler: About how many steps the ruler has; None without an end.
        at: About how many steps after the ruler's start the node starts.
        depth: How much deeper schedules may nest.
        written: The first value must be written.
        last: Nothing follows.
        repeated: It stands in a `repeat`.
        rate: A base is known.
        wild: Numbers are of any size.
        movable: Nothing may count from the start of the list or of the run.
        percents: There may be percent.
    """

    run: Run
    room: int
    ended: bool
    ruler: int | None
    at: int
    depth: int
    written: bool
    last: bool
    repeated: bool
    rate: bool
    wild: bool
    movable: bool
    percents: bool

    @property
    def percent(self) -> int | None:
        """The steps that percent are of, where percent may be written."""
        return self.ruler if self.percents and not self.movable else None

    @property
    def units(self) -> tuple[str, ...]:
        """The units of lengths and positions."""
        return self.run.proportional if self.repeated else self.run.units

    def inside(self, **changes: Any) -> Place:
        """The place of what stands one level further in."""
        return replace(self, depth=self.depth - 1, **changes)


# -- numbers ------------------------------------------------------------------------------------


def value(draw: Draw, place: Place) -> int | float:
    """A value: one that people write, or another of that size or of any."""
    other = st.floats(-1e300, 1e300) if place.wild else st.floats(-10, 10)
    return draw(st.one_of(_USUAL, other))


def positive(draw: Draw, place: Place, most: float = 10.0) -> int | float:
    """A number above 0."""
    wild = st.floats(0, 1e300, exclude_min=True)
    return draw(st.one_of(_ABOVE_ZERO, wild if place.wild else st.floats(1e-3, most)))


def rarely(draw: Draw) -> bool:
    return draw(st.integers(0, 3)) == 0


def either(draw: Draw) -> bool:
    return draw(st.booleans())


def span(draw: Draw, place: Place) -> int | str:
    """A duration above 0 in a unit that is proportional to the axis."""
    return length(draw, place.run, draw(st.integers(1, 9)), place.run.proportional, place.percent)


# -- kinds that hold no other -------------------------------------------------------------------


def initial(draw: Draw, place: Place) -> Body:
    """The first value, which may be left out in many places."""
    return {"initial": value(draw, place)} if place.written or either(draw) else {}


def ends(draw: Draw, place: Place) -> Body:
    """From where to where."""
    return {**initial(draw, place), "final": value(draw, place)}


def after(draw: Draw, place: Place) -> Body:
    """That the formula goes on beyond the end."""
    return {"after": "extend"} if place.last and rarely(draw) else {}


def constant(draw: Draw, place: Place) -> Body:
    return {"value": value(draw, place)} if place.written or either(draw) else {}


def linear(draw: Draw, place: Place) -> Body:
    return {**ends(draw, place), **after(draw, place)}


def cosine(draw: Draw, place: Place) -> Body:
    body = {**ends(draw, place), **after(draw, place)}
    if either(draw):
        whole = draw(st.sampled_from([1, 2, 3]))
        body["exponent"] = whole if "after" in body else positive(draw, place)
    return body


def polynomial(draw: Draw, place: Place) -> Body:
    body = {**ends(draw, place), **after(draw, place)}
    if either(draw):
        body["origin"] = "initial"
    whole = draw(st.sampled_from([1, 2, 3, 4]))
    needs_whole = "after" in body and "origin" not in body
    body["power"] = whole if needs_whole or either(draw) else positive(draw, place)
    return body


def inverse(draw: Draw, place: Place) -> Body:
    """Both ends on one side of the asymptote."""
    c = draw(st.sampled_from([None, None, 0, -0.5, 0.01, 20]))
    side = -1 if (c or 0) > 1 else 1
    body: Body = {} if c is None else {"asymptote": c}
    if place.written or not rarely(draw):
        body["initial"] = (c or 0) + side * positive(draw, place)
    body["final"] = (c or 0) + side * positive(draw, place)
    return body


def geometric(draw: Draw, place: Place) -> Body:
    return {**inverse(draw, place), **after(draw, place)}


def exponential(draw: Draw, place: Place) -> Body:
    rate = draw(st.sampled_from([0.5, 0.1, 1, 1.01])) if either(draw) else None
    body = {
        **initial(draw, place),
        "rate": rate or positive(draw, place, 1.5),
        "every": span(draw, place),
    }
    return {**body, "staircase": True} if either(draw) else body


def inverse_sqrt(draw: Draw, place: Place) -> Body:
    return {**initial(draw, place), "timescale": span(draw, place)}


def power_law(draw: Draw, place: Place) -> Body:
    return {**inverse_sqrt(draw, place), "exponent": positive(draw, place, 3.0)}


def token_power(draw: Draw, place: Place) -> Body:
    body = {**initial(draw, place), "amplitude": positive(draw, place), "exponent": -0.51}
    return {**body, "count_from": "stage"} if place.movable or either(draw) else body


def piecewise_linear(draw: Draw, place: Place) -> Body:
    points = boundaries(draw, place.run, place.room, place.units, place.percent)
    return {"boundaries": points, "values": [value(draw, place) for _ in points]}


def piecewise_constant(draw: Draw, place: Place) -> Body:
    body = piecewise_linear(draw, place)
    return {**body, "values": [*body["values"], value(draw, place)]}


# -- kinds that hold others ---------------------------------------------------------------------


def repeat(draw: Draw, place: Place, *, own_length: bool = False) -> Body:
    """Periods; with `own_length` both their length and their number are written."""
    if own_length:
        place = replace(place, percents=False)
    steps = draw(st.integers(1, 12))
    count_alone = place.ended and not own_length and rarely(draw)
    body: Body = {}
    if not count_alone:
        body["period"] = length(draw, place.run, steps, place.run.proportional, place.percent)
    if count_alone or own_length or either(draw):
        body["count"] = draw(st.integers(1, 4))
    if either(draw):
        body["stretch"] = draw(
            st.sampled_from([1, 2, 1.5, 1.1, *([0.5] if "count" in body else [])])
        )
    if either(draw):
        body["shrink"] = draw(st.sampled_from([0.5, 0.9, 1, 2]))
        body["toward"] = value(draw, place)
    inside = place.inside(
        room=steps, ended=True, ruler=steps, at=0, last=True, repeated=True, movable=False
    )
    return {"schedule": schedule(draw, inside), **body}


def product(draw: Draw, place: Place) -> Body:
    inside = place.inside(last=True)
    return {"of": [child(draw, inside) for _ in range(draw(st.integers(1, 3)))]}


def sum_(draw: Draw, place: Place) -> Body:
    return product(draw, replace(place, written=True))


def clamp(draw: Draw, place: Place) -> Body:
    least, most = sorted([value(draw, place), value(draw, place)])
    bounds = {"minimum": least, "maximum": most}
    for left_out in draw(st.sampled_from([[], ["minimum"], ["maximum"]])):
        del bounds[left_out]
    return {"schedule": child(draw, place.inside(last=True)), **bounds}


def quantize(draw: Draw, place: Place) -> Body:
    return {"schedule": child(draw, place.inside(last=True)), "every": span(draw, place)}


def advance(draw: Draw, place: Place) -> Body:
    by = {"by": span(draw, place)} if place.movable or either(draw) else {}
    return {"schedule": child(draw, place.inside(last=True)), **by}


Kinds = Mapping[str, Callable[[Draw, Place], Body]]

NEED_A_LENGTH: Kinds = {
    "linear": linear,
    "cosine": cosine,
    "polynomial": polynomial,
    "geometric": geometric,
    "inverse": inverse,
}
LEAVES: Kinds = {
    **NEED_A_LENGTH,
    "constant": constant,
    "exponential": exponential,
    "inverse_sqrt": inverse_sqrt,
    "power_law": power_law,
    "token_power": token_power,
    "piecewise_linear": piecewise_linear,
    "piecewise_constant": piecewise_constant,
}
NESTING: Kinds = {
    "repeat": repeat,
    "product": product,
    "sum": sum_,
    "clamp": clamp,
    "quantize": quantize,
    "advance": advance,
}
KINDS: Kinds = {**LEAVES, **NESTING}


# -- where they stand ---------------------------------------------------------------------------


def node(draw: Draw, place: Place) -> dict[str, Any]:
    """A node without `length` or `until`, of any kind that can stand in the place."""
    kinds = [kind for kind in LEAVES if place.ended or kind not in NEED_A_LENGTH]
    if not place.rate or place.repeated or "tokens" not in place.run.units:
        kinds.remove("token_power")
    if place.movable:
        kinds = [kind for kind in kinds if not kind.startswith("piecewise")]
    if place.depth > 0:
        kinds += [*NESTING, *NESTING]
    kind = draw(st.sampled_from(kinds))
    return {kind: KINDS[kind](draw, place) or None}


def ended(draw: Draw, place: Place, steps: int, *, until: bool = True) -> dict[str, Any]:
    """A node of about so many steps by its own `length` or `until`."""
    ((kind, body),) = node(draw, replace(place, room=steps, ended=True)).items()
    fields = ["length", "length", "until"] if until and not place.movable else ["length"]
    field = draw(st.sampled_from(fields))
    steps += place.at if field == "until" else 0
    written = length(draw, place.run, steps, place.units, place.percent)
    return {kind: {**(body or {}), field: written}}


def child(draw: Draw, place: Place) -> Json:
    """What stands in a combinator or wrapper: a schedule, or a node with an end of its own."""
    if rarely(draw):
        return ended(draw, place, draw(st.integers(0, place.room)))
    return schedule(draw, place)


def schedule(draw: Draw, place: Place) -> Json:
    """A node or a list."""
    if place.depth > 0 and either(draw):
        return stages(draw, place.inside(ruler=place.room if place.ended else None, at=0))
    return node(draw, place)


def stages(draw: Draw, place: Place, *, sized: bool = False) -> list[Json]:
    """A list; with `sized` it has a length of its own, which is at most the room."""
    number = draw(st.integers(1, 4))
    opened = None
    if not sized and either(draw):
        opened = draw(st.integers(0, number - 1)) if place.ended else number - 1
    share = place.room // (number + (0 if opened is None else 1))
    at = place.at
    found: list[Json] = []
    for i in range(number):
        here = place.inside(
            at=at,
            room=share,
            written=place.written and i == 0,
            last=place.last and i == number - 1,
        )
        if i == opened:
            room = place.room - at if place.ended else ENDLESS
            found.append(schedule(draw, replace(here, room=max(room, 1))))
            continue
        steps = draw(st.integers(0, max(share, 1)))
        at += steps
        before_open = opened is None or i < opened
        found.append(stage(draw, here, steps, until=before_open))
    return found


def stage(draw: Draw, place: Place, steps: int, *, until: bool) -> Json:
    """A stage that is not open."""
    form = draw(st.sampled_from(["written", "written", "written", "list", "repeat"]))
    if form == "list" and place.depth > 0:
        inside = place.inside(room=max(steps, 1), ruler=None, at=0, ended=True)
        return stages(draw, inside, sized=True)
    if form == "repeat" and place.depth > 0:
        return {"repeat": repeat(draw, place, own_length=True)}
    return ended(draw, place, steps, until=until)
