"""Nodes of a document as plain data, written the short way: the fields that are not the default.

Values are rates; `lrspec.importing.scale` turns them into multiples of a base afterwards.
Lengths are numbers of steps, or text with a unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, TypeAlias

Node: TypeAlias = dict[str, Any]
Schedule: TypeAlias = "Node | list[Any]"
Length: TypeAlias = "float | str | None"


def steps(number: float) -> int | str:
    """A number of steps as a document states it: `7`, or `7.25 steps`."""
    return int(number) if number == int(number) else f"{plain(number)} steps"


def percent(fraction: float) -> str:
    """A fraction as a document states it: 0.45 is `45%`, exactly."""
    return f"{_decimal(Decimal(repr(float(fraction))) * 100)}%"


def plain(value: float) -> str:
    """The shortest decimal text that reads as this float64, as positions are written."""
    return _decimal(Decimal(repr(float(value))))


def constant(value: float | None = None, length: Length = None, until: Length = None) -> Node:
    """`value` over the span."""
    return _node("constant", {"value": value}, length, until)


def linear(
    initial: float | None,
    final: float,
    length: Length = None,
    *,
    extend: bool = False,
    until: Length = None,
) -> Node:
    """A straight line, between equal values a constant."""
    if initial == final:
        return constant(initial, length, until)
    fields = {"initial": initial, "final": final, "after": _after(extend)}
    return _node("linear", fields, length, until)


def cosine(
    initial: float | None,
    final: float,
    length: Length = None,
    *,
    exponent: float = 1,
    extend: bool = False,
    until: Length = None,
) -> Node:
    """Half a cosine, to a power; between equal values a constant."""
    if initial == final:
        return constant(initial, length, until)
    fields = {
        "initial": initial,
        "final": final,
        "exponent": _but(exponent, 1),
        "after": _after(extend),
    }
    return _node("cosine", fields, length, until)


def polynomial(
    initial: float | None,
    final: float,
    length: Length = None,
    *,
    power: float,
    origin: str = "final",
    extend: bool = False,
    until: Length = None,
) -> Node:
    """A power of the progress; a power of 1 is a straight line, between equal values a constant."""
    if power == 1 or initial == final:
        return linear(initial, final, length, extend=extend, until=until)
    fields = {
        "initial": initial,
        "final": final,
        "power": number(power),
        "origin": _but(origin, "final"),
        "after": _after(extend),
    }
    return _node("polynomial", fields, length, until)


def geometric(
    initial: float | None,
    final: float,
    length: Length = None,
    *,
    asymptote: float = 0,
    extend: bool = False,
    until: Length = None,
) -> Node:
    """A straight line in the logarithm of the distance from `asymptote`."""
    fields = {
        "initial": initial,
        "final": final,
        "asymptote": _but(asymptote, 0),
        "after": _after(extend),
    }
    return _node("geometric", fields, length, until)


def inverse(
    initial: float | None,
    final: float,
    length: Length = None,
    *,
    asymptote: float = 0,
    until: Length = None,
) -> Node:
    """A straight line in the reciprocal of the distance from `asymptote`."""
    fields = {"initial": initial, "final": final, "asymptote": _but(asymptote, 0)}
    return _node("inverse", fields, length, until)


def exponential(
    initial: float | None,
    rate: float,
    every: float | str,
    length: Length = None,
    *,
    staircase: bool = False,
    until: Length = None,
) -> Node:
    """Times `rate` in every `every`."""
    fields = {
        "initial": initial,
        "rate": number(rate),
        "every": duration(every),
        "staircase": staircase or None,
    }
    return _node("exponential", fields, length, until)


def inverse_sqrt(
    initial: float | None, timescale: float | str, length: Length = None, until: Length = None
) -> Node:
    """initial / √(1 + x / timescale)."""
    fields = {"initial": initial, "timescale": duration(timescale)}
    return _node("inverse_sqrt", fields, length, until)


def power_law(
    initial: float | None,
    timescale: float | str,
    exponent: float,
    length: Length = None,
    until: Length = None,
) -> Node:
    """initial · (1 + x / timescale)^-exponent; an exponent of a half is `inverse_sqrt`."""
    if exponent == 0.5:
        return inverse_sqrt(initial, timescale, length, until)
    fields = {
        "initial": initial,
        "timescale": duration(timescale),
        "exponent": number(exponent),
    }
    return _node("power_law", fields, length, until)


def piecewise_linear(
    boundaries: Iterable[float | str],
    values: Iterable[float],
    length: Length = None,
    until: Length = None,
) -> Node:
    """Straight lines between points."""
    fields = {"boundaries": [duration(b) for b in boundaries], "values": list(values)}
    return _node("piecewise_linear", fields, length, until)


def piecewise_constant(
    boundaries: Iterable[float | str],
    values: Iterable[float],
    length: Length = None,
    until: Length = None,
) -> Node:
    """Steps; a single value without a boundary is a constant."""
    boundaries, values = list(boundaries), list(values)
    if not boundaries:
        return constant(values[0], length, until)
    fields = {"boundaries": [duration(b) for b in boundaries], "values": values}
    return _node("piecewise_constant", fields, length, until)


def repeat(
    schedule: Schedule,
    *,
    period: float | str | None = None,
    count: int | None = None,
    stretch: float = 1,
    shrink: float = 1,
    toward: float = 0,
    length: Length = None,
    until: Length = None,
) -> Node:
    """The schedule again and again."""
    fields = {
        "period": None if period is None else duration(period),
        "count": count,
        "stretch": _but(stretch, 1),
        "shrink": _but(shrink, 1),
        "toward": _but(toward, 0),
        "schedule": schedule,
    }
    return _node("repeat", fields, length, until)


def product(*of: Schedule, length: Length = None, until: Length = None) -> Node:
    """The product; the first child carries the unit of the rate, the others are plain factors."""
    return _node("product", {"of": list(of)}, length, until)


def sum_of(*of: Schedule, length: Length = None, until: Length = None) -> Node:
    """The sum."""
    return _node("sum", {"of": list(of)}, length, until)


def clamp(
    schedule: Schedule,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    length: Length = None,
    until: Length = None,
) -> Node:
    """No less than `minimum`, no more than `maximum`."""
    fields = {"minimum": minimum, "maximum": maximum, "schedule": schedule}
    return _node("clamp", fields, length, until)


def quantize(
    schedule: Schedule, every: float | str, length: Length = None, until: Length = None
) -> Node:
    """Changes once in every `every`."""
    return _node("quantize", {"every": duration(every), "schedule": schedule}, length, until)


def advance(
    schedule: Schedule, by: float | str | None = None, length: Length = None, until: Length = None
) -> Node:
    """As if `by`, or all before its stage, had passed already."""
    by = None if by is None else duration(by)
    return _node("advance", {"by": by, "schedule": schedule}, length, until)


def number(value: float) -> int | float:
    """A number as people write it: 2 and not 2.0."""
    return int(value) if abs(value) < 1e6 and value == int(value) else value


def duration(value: float | str) -> int | str:
    """A position or duration as a document states it."""
    return value if isinstance(value, str) else steps(value)


def _node(kind: str, fields: dict[str, Any], length: Length, until: Length = None) -> Node:
    spans = {"length": length, "until": until}
    body = {**fields, **{k: None if v is None else duration(v) for k, v in spans.items()}}
    given = {key: value for key, value in body.items() if value is not None}
    return {kind: given or None}


def _but(value: Any, default: Any) -> Any:
    """The value, or None where it is the default."""
    if value == default:
        return None
    return number(value) if isinstance(value, float) else value


def _after(extend: bool) -> str | None:
    return "extend" if extend else None


def _decimal(value: Decimal) -> str:
    value = value.normalize()
    text = f"{value:f}"
    return text if len(text) <= 40 else str(value)
