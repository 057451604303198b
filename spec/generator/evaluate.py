"""The value of a node at a position, and its closing value (clauses 6 and 7)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from generator import formulas
from generator.clock import Point
from generator.decimals import digits, rounded, ulp
from generator.facts import Run
from generator.lists import stages_of
from generator.nodes import NEEDS_LENGTH, Node
from generator.refusal import Refused
from generator.values import Value, saturated


def value(node: Node, point: Point, run: Run) -> Value:
    """The value of a node anywhere from its start on, beyond its end too (6.6)."""
    if node.has_written_length and is_beyond(node, point) and not formulas.extended(node):
        return closing(node, run)
    return by_kind(node, point, run)


def by_kind(node: Node, point: Point, run: Run) -> Value:
    """What the kind of a node gives at a position (clause 7)."""
    where = rounded(point.at)
    match node.kind:
        case "list":
            return value(owner(node, where, left=point.left), point, run)
        case "product" | "sum":
            return combined(node, [value(child, point, run) for child in node.children()])
        case "clamp":
            return clamped(node, value(node.child(), point, run))
        case "advance":
            return value(node.child(), point, run)
        case "quantize":
            return quantized(node, point, run)
        case "repeat":
            return repeated(node, point, run)
        case "constant":
            return initial(node, run)
        case "piecewise_linear":
            return formulas.piecewise_linear(node, where)
        case "piecewise_constant":
            return formulas.piecewise_constant(node, where, left=point.left)
        case "exponential":
            return formulas.exponential(node, initial(node, run), point, where)
        case "inverse_sqrt" | "power_law":
            return formulas.power_law(node, initial(node, run), where)
        case "token_power":
            return formulas.token_power(node, initial(node, run), point, where, run)
        case _:
            return formulas.interpolated(node, initial(node, run), where)


def is_beyond(node: Node, point: Point) -> bool:
    """Whether a position, or what lies just before it, is not in [start, end) any more."""
    where = rounded(point.at)
    return node.t is not None and (where > node.t or (where == node.t and not point.left))


def initial(node: Node, run: Run) -> Value:
    """`initial`, or `value` of a constant, where it is written; otherwise what 6.3 hands on."""
    for name in ("initial", "value"):
        if name in node.fields:
            return Value.of(node.fields[name])
    before = node.place.before
    if before is None:
        raise Refused("initial-required")
    return closing(before, run) if isinstance(before, Node) else before


def owner(node: Node, where: Fraction, *, left: bool) -> Node:
    """The stage of a list that owns a position, the last one beyond its end (6.1, 5.9).

    Stages that start at the same place are empty but for the last of them. Of a limit from the
    left the first stage is the owner even at its own start.
    """
    stages = stages_of(node)
    started = [stage for stage in stages if (stage.s < where if left else stage.s <= where)]
    return started[-1] if started else stages[0]


def combined(node: Node, values: list[Value]) -> Value:
    """The product or the sum of the children's values, in their order (7.15)."""
    result = values[0]
    for other in values[1:]:
        result = result.times(other) if node.kind == "product" else result.plus(other)
    return saturated(result)


def clamped(node: Node, found: Value) -> Value:
    """No less than the minimum and no more than the maximum (7.16)."""
    result = found
    if "minimum" in node.fields:
        result = _larger(result, Value.of(node.fields["minimum"]), 1)
    if "maximum" in node.fields:
        result = _larger(result, Value.of(node.fields["maximum"]), -1)
    return result


def _larger(found: Value, bound: Value, sign: int) -> Value:
    """The larger of two (the smaller for a sign of -1); where it is in doubt, with the doubt."""
    over = (bound.exact - found.exact) * sign
    if abs(over) > found.error:
        return bound if over > 0 else found
    bits = found.bits
    if bits is not None and bound.bits is not None:
        bits = max(bits, bound.bits) if sign > 0 else min(bits, bound.bits)
    return Value(bound.exact if over > 0 else found.exact, found.error, bits)


def quantized(node: Node, point: Point, run: Run) -> Value:
    """The schedule at the last multiple of `every`, read there (7.17)."""
    every, start = node.exact_duration("every"), node.place.start
    turns = (point.at - start) / every
    multiple = max(ceil(turns) - 1 if point.left else floor(turns), 0)
    return value(node.child(), Point(start + multiple * every), run)


def repeated(node: Node, point: Point, run: Run) -> Value:
    """One of the periods, its height over `toward` shrunk (7.14)."""
    periods, offset = node.periods(), point.at - node.place.start
    index = periods.index(offset, left=point.left)
    if periods.count is not None and index >= periods.count:
        return closing_of_period(node, periods.count - 1, run)  # held from there on
    here = Point(offset - periods.start(index), point.left)
    return shrunk(node, index, value(node.period(index), here, run))


def closing_of_period(node: Node, index: int, run: Run) -> Value:
    """The closing value of a period of a `repeat` (6.2)."""
    inner = closing_at(node.period(index), node.periods().length(index), run)
    return shrunk(node, index, inner)


def shrunk(node: Node, index: int, inner: Value) -> Value:
    """What a value of the schedule becomes in a period of a `repeat` (7.14)."""
    shrink, toward = digits(node.fields.get("shrink", 1)), Value.of(node.fields.get("toward", 0))
    if shrink**index == 1:
        return inner
    # The power itself is within 2 ULP, and exact for the first. It may be beyond every float64.
    power = shrink**index
    height = Value(power, 0 * power if index == 1 else 2 * ulp(power), None)
    return saturated(toward.plus(height.times(inner.minus(toward))))


def closing(node: Node, run: Run) -> Value:
    """The closing value: the limit from the left at the node's own end (6.2)."""
    if node.kind in NEEDS_LENGTH:
        return Value.of(node.fields["final"])
    end = node.place.end
    if end is None:
        raise Refused("length-needed", "the closing value of a node without an end")
    if node.kind == "list":
        return closing_at(stages_of(node)[-1], end, run)
    if node.kind in ("product", "sum"):
        return combined(node, [closing_at(child, end, run) for child in node.children()])
    if node.kind == "clamp":
        return clamped(node, closing_at(node.child(), end, run))
    if node.kind == "advance":
        return closing_at(node.child(), end, run)
    if node.kind == "repeat" and not node.is_empty:
        periods, length = node.periods(), end - node.place.start
        index = periods.index(length, left=True)
        inside = periods.count is None or index < periods.count
        if inside and periods.start(index + 1) == length:
            return closing_of_period(node, index, run)
    return limit_at_end(node, run)


def limit_at_end(node: Node, run: Run) -> Value:
    """The limit from the left at a node's end; an empty one has only its start to give."""
    assert node.place.end is not None
    if node.is_empty:
        return closing(node, run) if node.kind == "list" else at_start(node, run)
    return value(node, Point(node.place.end, left=True), run)


def at_start(node: Node, run: Run) -> Value:
    """The value at a node's start."""
    return by_kind(node, Point(node.place.start), run)


def closing_at(child: Node, end: Fraction, run: Run) -> Value:
    """What a child has at the end of what it stands in."""
    if child.place.end == end:
        return closing(child, run)
    return value(child, Point(end, left=True), run)
