"""The reference evaluator: a resolved tree becomes one function from position to value.

A position is exact: a whole number, a float that stands for itself (a half), or a Fraction inside a
period that is not whole. Leaves take it rounded once to float64; periods, multiples and whole
powers are found by exact arithmetic (clause 3.9). `left` asks for the limit from the left, at every
boundary at once (clause 2.5).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from math import inf, isfinite, prod
from sys import float_info
from typing import Any, TypeAlias, cast

from lrspec import formulas, resolved
from lrspec.clock import Consumption
from lrspec.powers import LARGEST, raised, saturate
from lrspec.resolved import Exact, Node

Position: TypeAlias = int | float | Fraction
Function: TypeAlias = Callable[[Position], float]


def function(node: Node, clock: resolved.Clock, *, left: bool, fractions: bool = False) -> Function:
    """The value of `node` at a position on or after its start, a Fraction only if `fractions`."""
    return _Compiler(clock, left).compile(node, fractions=fractions)


def exact(position: Position) -> Exact:
    """`position` as a rational: floats stand for themselves."""
    return Fraction(position) if isinstance(position, float) else position


_FEW = 16
_SMALLEST_NORMAL = float_info.min


class _Compiler:
    """Turns nodes into closures for one side of the boundaries."""

    def __init__(self, clock: resolved.Clock, left: bool) -> None:
        self.clock = clock
        self.left = left

    def compile(self, node: Node, *, fractions: bool = False) -> Function:
        """`fractions` says that positions may come as Fractions, which only the nodes that count
        periods need."""
        match node:
            case resolved.Timeline():
                return self._timeline(node, fractions)
            case resolved.Repeat():
                return self._repeat(node, fractions)
            case resolved.Growing():
                return self._growing(node)
            case resolved.Product() | resolved.Sum():
                children = [self.compile(child, fractions=fractions) for child in node.children]
                return _combination(combined(node), children)
            case resolved.Clamp():
                return _clamp(self.compile(node.child, fractions=fractions), node)
            case resolved.Quantize():
                return self._quantize(node, fractions)
            case resolved.Staircase():
                return self._staircase(node, fractions)
            case resolved.TokenPower():
                return self._token_power(node)
            case _:
                leaf = self._leaf(node)
                # Without fractions a position is a whole number or a float as it is.
                return (lambda p: leaf(float(p))) if fractions else cast("Function", leaf)

    def _leaf(self, node: Node) -> Callable[[float], float]:
        match node:
            case resolved.Constant(value):
                return lambda p: value
            case resolved.Exponential():
                return formulas.exponential(node)
            case resolved.InverseSqrt():
                return formulas.inverse_sqrt(node)
            case resolved.PowerLaw():
                return formulas.power_law(node)
            case resolved.PiecewiseLinear():
                return formulas.piecewise_linear(node)
            case resolved.PiecewiseConstant():
                return formulas.piecewise_constant(node, self.left)
            case (
                resolved.Linear()
                | resolved.Cosine()
                | resolved.Polynomial()
                | resolved.Geometric()
                | resolved.Inverse()
            ):
                return formulas.interpolation(node)
            case _:  # pragma: no cover - `compile` has taken every other node
                raise AssertionError(node)

    def _timeline(self, node: resolved.Timeline, fractions: bool) -> Function:
        edges = node.edges
        rows: list[Function | None] = [None] * len(node.rows)
        search = bisect_left if self.left else bisect_right

        def row(index: int) -> Function:
            found = rows[index] = self.compile(node.rows[index], fractions=fractions)
            return found

        if len(rows) <= _FEW and not fractions:
            few = [row(index) for index in range(len(rows))]
            return lambda p: few[search(edges, p)](p)

        # Rows are compiled when a position first falls into them: long lists bind quickly.
        def at(p: Position) -> float:
            index = search(edges, p)
            return (rows[index] or row(index))(p)

        if not fractions:
            return at

        def at_fraction(p: Position) -> float:
            index = search(edges, float(p))
            return (rows[index] or row(index))(p)

        return at_fraction

    def _repeat(self, node: resolved.Repeat, fractions: bool) -> Function:
        start, period, left = node.start, node.period, self.left
        shrink, toward = node.shrink, node.toward
        split = _splitter(start, period, fractions)
        child = self.compile(node.child, fractions=split is _exactly)

        def at(p: Position) -> float:
            index, offset = split(p, start, period)
            if left and index and not offset:
                index, offset = index - 1, period
            value = child(offset)
            return value if shrink == 1 else shrunk(value, shrink, int(index), toward)

        return at

    def _growing(self, node: resolved.Growing) -> Function:
        start, periods, left = node.start, node.periods, self.left
        shrink, toward = node.shrink, node.toward
        # Finding a period takes exact powers: the one that was found last is remembered.
        last: tuple[Exact, Exact, int, Function] = (0, 0, 0, self.compile(resolved.Constant(0.0)))

        def at(p: Position) -> float:
            nonlocal last
            offset = exact(p) - start
            begin, end, index, child = last
            if not (begin < offset <= end if left else begin <= offset < end):
                index = periods.locate(offset, left)
                begin, length = periods.start(index), periods.length(index)
                child = self.compile(node.resolve(length), fractions=True)
                last = begin, begin + length, index, child
            value = child(offset - begin)
            return value if shrink == 1 else shrunk(value, shrink, index, toward)

        return at

    def _quantize(self, node: resolved.Quantize, fractions: bool) -> Function:
        start, every, left = node.start, node.every, self.left
        split = _splitter(start, every, fractions)
        # Read at the multiple, not as a limit from the left (clause 2.5).
        inside = _Compiler(self.clock, False)
        child = inside.compile(node.child, fractions=split is _exactly)

        def at(p: Position) -> float:
            index, rest = split(p, start, every)
            if left and index and not rest:
                index -= 1
            return child(start + index * every)

        return at

    def _staircase(self, node: resolved.Staircase, fractions: bool) -> Function:
        start, every, left = node.start, node.every, self.left
        split = _splitter(start, every, fractions)
        grown = formulas.staircase(node)

        def at(p: Position) -> float:
            index, rest = split(p, start, every)
            if left and index and not rest:
                index -= 1
            return grown(min(index, LARGEST))

        return at

    def _token_power(self, node: resolved.TokenPower) -> Function:
        consumption = Consumption(self.clock)
        since = consumption.tokens(node.since)
        left = self.left
        initial, amplitude, exponent, base = node.initial, node.amplitude, node.exponent, node.base

        def at(p: Position) -> float:
            position = exact(p)
            tokens = float(consumption.tokens(position) - since)
            if tokens <= 0:
                return initial
            batch = consumption.batch_size(position, left)
            value = saturate(amplitude * batch * raised(tokens, exponent)) / base
            return value if value < initial else initial

        return at


def _splitter(start: Exact, every: Exact, fractions: bool) -> Callable[[Any, Any, Any], Any]:
    """What gives index and rest of the distance of a position from `start`."""
    whole = isinstance(start, int) and isinstance(every, int) and not fractions
    return _as_they_are if whole else _exactly


def _as_they_are(p: Any, start: Any, every: Any) -> Any:
    """Of whole numbers and halves, which floats hold."""
    return divmod(p - start, every)


def _exactly(p: Position, start: Exact, every: Exact) -> tuple[Exact, Exact]:
    """A position may belong to a node whose exact start lies a hair beyond it."""
    return divmod(max(exact(p) - start, 0), every)


def shrunk(value: float, shrink: float, index: int, toward: float) -> float:
    """Toward + shrink^index·(value − toward); the value itself while the power is exactly 1 (clause
    7.14)."""
    try:
        factor = shrink**index
    except OverflowError:
        factor = 1.0 if shrink == 1 else inf if shrink > 1 else 0.0
    if factor == 1 or value == toward:
        return value
    return saturate(toward + factor * (value - toward))


def _combination(operator: Callable[..., float], children: list[Function]) -> Function:
    if len(children) == 2:
        first, second = children
        return lambda p: operator(first(p), second(p))
    return lambda p: operator(*[child(p) for child in children])


def combined(node: resolved.Product | resolved.Sum) -> Callable[..., float]:
    """The operator of a combinator over the values of its children, in their order."""
    return _product if isinstance(node, resolved.Product) else _sum


def _product(*factors: float) -> float:
    result = 1.0
    for factor in factors:
        result *= factor
        if not _SMALLEST_NORMAL <= abs(result) <= LARGEST:
            # A partial product may leave float64 though the whole does not.
            return 0.0 if 0 in factors else _nearest(prod(map(Fraction, factors)))
    return result


def _sum(*terms: float) -> float:
    result = 0.0
    for term in terms:
        result += term
    return result if isfinite(result) else _nearest(sum(map(Fraction, terms)))


def _nearest(value: Exact) -> float:
    """The float64 nearest to `value`, or the largest finite one of its sign."""
    try:
        return float(value)
    except OverflowError:
        return LARGEST if value > 0 else -LARGEST


def _clamp(child: Function, node: resolved.Clamp) -> Function:
    least = -inf if node.minimum is None else node.minimum
    most = inf if node.maximum is None else node.maximum

    def at(p: Position) -> float:
        value = child(p)
        if value < least:
            return least
        return most if value > most else value

    return at
