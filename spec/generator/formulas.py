"""The formulas of the kinds that hold no other schedule, at 60 digits (clause 7)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

from mpmath import mp

from generator import bits
from generator.clock import Point
from generator.decimals import digits
from generator.facts import Run
from generator.nodes import Node
from generator.refusal import Refused
from generator.values import Value, saturated

# The limits of 8.6 in ULP.
LINE, COSINE, POWER = 3, 7, 16


def interpolated(node: Node, a: Value, point: Fraction) -> Value:
    """`linear`, `cosine`, `polynomial`, `geometric` and `inverse` (7.2 to 7.7)."""
    fields, b = node.fields, Value.of(node.fields["final"])
    assert node.t is not None
    if point >= node.t and not (extended(node) and point > node.t):
        return b
    if point <= node.s or a.exact == b.exact:
        return a
    u = digits((point - node.s) / (node.t - node.s))
    rise = b.exact - a.exact
    found = interpolated_bits(node, a, b, point)
    if node.kind == "linear":
        exact, ulps = a.exact + rise * u, LINE
    elif node.kind == "cosine":
        exponent = digits(fields.get("exponent", 1))
        height = ((1 + mp.cos(mp.pi * u)) / 2) ** exponent
        exact = b.exact - rise * height
        ulps = COSINE if exponent == 1 else of_exponent(exponent)
    elif node.kind == "polynomial":
        power = digits(fields["power"])
        if fields.get("origin", "final") == "final":
            exact = b.exact - rise * signed_power(1 - u, power)
        else:
            exact = a.exact + rise * u**power
        ulps = of_exponent(power)
    else:
        c = digits(fields.get("asymptote", 0))
        from_a, from_b = a.exact - c, b.exact - c
        if from_a * from_b <= 0:
            raise Refused("asymptote-side")
        if node.kind == "geometric":
            exact = c + from_a * (from_b / from_a) ** u
            ulps = of_power(from_b / from_a, u)
        else:
            exact = c + 1 / ((1 - u) / from_a + u / from_b)
            ulps = POWER
    opposite = a.exact * b.exact < 0
    scale = max(abs(a.exact), abs(b.exact)) if opposite or point > node.t else 0
    return Value.within(exact, ulps, scale, found).carrying(a)


def interpolated_bits(node: Node, a: Value, b: Value, point: Fraction) -> float | None:
    """What the bit-equal forms give between the ends, or beyond them."""
    if a.bits is None or b.bits is None or node.t is None:
        return None
    ends = (a.bits, b.bits, float(node.s), float(node.t), float(point))
    if node.kind == "linear":
        return bits.line(*ends)
    if node.kind == "polynomial":
        power, origin = node.fields["power"], node.fields.get("origin", "final")
        return bits.polynomial(*ends, power, origin)
    return None


def of_power(base: Any, power: Any) -> int:
    """The ULP of a power: half an ULP in its exponent is worth more where the power goes far."""
    return int(max(POWER, ceil(abs(power * mp.log(base))) // 2 + 3))


def of_exponent(exponent: Any) -> int:
    """The ULP of a power whose base is a quotient.

    8.6 has a limit for exponents of up to 16; beyond them an ULP of the base is worth as many.
    """
    return POWER if exponent <= 16 else int(mp.ceil(2 * exponent))


def signed_power(base: Any, power: Any) -> Any:
    """A power whose base may be negative, which it is only for whole powers (6.7)."""
    if base >= 0:
        return base**power
    if power != int(power):
        raise Refused("after-needs-whole-power")
    return base ** int(power)


def extended(node: Node) -> bool:
    """Whether it goes on by its formula beyond its end (6.7)."""
    return bool(node.fields.get("after", "hold") == "extend")


def exponential(node: Node, a: Value, point: Point, where: Fraction) -> Value:
    """`exponential` (7.8): whole powers by exact arithmetic, others at the rounded position."""
    rate = digits(node.fields["rate"])
    if node.fields.get("staircase", False):
        turns = (point.at - node.place.start) / node.exact_duration("every")
        power = digits(max(ceil(turns) - 1 if point.left else floor(turns), 0))
    else:
        power = digits((where - node.s) / node.duration("every"))
    if power == 0 or rate == 1:
        return a
    return Value.within(a.exact * rate**power, of_power(rate, power)).carrying(a)


def power_law(node: Node, a: Value, where: Fraction) -> Value:
    """`inverse_sqrt` and `power_law` (7.9, 7.10)."""
    exponent = digits(node.fields["exponent"]) if node.kind == "power_law" else mp.mpf(1) / 2
    timescale, x = node.duration("timescale"), where - node.s
    if x == 0:
        return a
    found = None
    if node.kind == "inverse_sqrt" and a.bits is not None:
        found = bits.inverse_sqrt(a.bits, float(timescale), float(where) - float(node.s))
    exact = a.exact * (1 + digits(x / timescale)) ** -exponent
    return Value.within(exact, of_exponent(exponent), bits=found).carrying(a)


def token_power(node: Node, a: Value, point: Point, where: Fraction, run: Run) -> Value:
    """`token_power` (7.11)."""
    clock, fields = node.clock, node.fields
    tokens = clock.tokens_at(where)
    if fields.get("count_from", "run") == "stage":
        tokens -= clock.tokens_at(node.s)
    batch = clock.batch_at(point)
    if run.base is None:
        raise Refused("base-required")
    if tokens <= 0:
        return a
    powered = digits(tokens) ** digits(fields["exponent"])
    rate = digits(fields["amplitude"]) * batch * powered / digits(run.base)
    found = saturated(Value.within(rate, POWER))
    if a.exact + a.error < found.exact - found.error:
        return a
    return Value(min(a.exact, found.exact), found.error + a.error, None)


def piecewise_linear(node: Node, where: Fraction) -> Value:
    """`piecewise_linear` (7.12)."""
    boundaries, values = node.boundaries(), node.fields["values"]
    if len(values) != len(boundaries):
        raise Refused("values-number")
    if where <= boundaries[0]:
        return Value.of(values[0])
    for i in range(1, len(boundaries)):
        if where == boundaries[i]:
            return Value.of(values[i])
        if where < boundaries[i]:
            left, right = Value.of(values[i - 1]), Value.of(values[i])
            if left.exact == right.exact:
                return left
            s, t = boundaries[i - 1], boundaries[i]
            u = digits((where - s) / (t - s))
            opposite = left.exact * right.exact < 0
            scale = max(abs(left.exact), abs(right.exact)) if opposite else 0
            found = bits.line(values[i - 1], values[i], float(s), float(t), float(where))
            exact = left.exact + (right.exact - left.exact) * u
            return Value.within(exact, LINE, scale, found)
    return Value.of(values[-1])


def piecewise_constant(node: Node, where: Fraction, *, left: bool) -> Value:
    """`piecewise_constant` (7.13)."""
    boundaries, values = node.boundaries(), node.fields["values"]
    if len(values) != len(boundaries) + 1:
        raise Refused("values-number")
    passed = [b for b in boundaries if (b < where if left else b <= where)]
    return Value.of(values[len(passed)])
