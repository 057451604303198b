"""The resolved tree: what binding makes of a schedule, plain numbers in one frame of positions.

Everything that depends on facts, rulers, units and on what stands before a node is settled here.
Positions and edges are in axis units (clause 2.2), rounded once to float64 (clause 3.9); inside a
period of a `repeat` they count from the period's start (7.14). Numbers that decide an *index*
(which period, which multiple) stay exact rationals. `advance`, `length`, `until` and lists inside
lists are gone: they only moved edges.

A node is evaluated at a position on or after its own start and goes on for ever: whoever encloses
it cuts it, and what holds beyond an end is a `Constant` row of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from lrspec.periods import Periods

Exact: TypeAlias = int | Fraction


def simplest(value: Exact) -> Exact:
    """A whole number as an int: arithmetic with it is many times quicker than with a Fraction."""
    return int(value) if value == int(value) else value


@dataclass(frozen=True, slots=True)
class Constant:
    """Value (clause 7.1)."""

    value: float


@dataclass(frozen=True, slots=True)
class Linear:
    """A straight line from `initial` at `start` to `final` at `stop` (clause 7.2)."""

    start: float
    stop: float
    initial: float
    final: float
    extend: bool = False


@dataclass(frozen=True, slots=True)
class Cosine:
    """Half a period of a cosine, to a power (clause 7.3)."""

    start: float
    stop: float
    initial: float
    final: float
    exponent: float
    extend: bool = False


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A power of the distance from the `origin` end (clause 7.4)."""

    start: float
    stop: float
    initial: float
    final: float
    power: float
    origin: Literal["initial", "final"]
    extend: bool = False


@dataclass(frozen=True, slots=True)
class Geometric:
    """The same factor at every step, over `asymptote` (clause 7.6)."""

    start: float
    stop: float
    initial: float
    final: float
    asymptote: float
    extend: bool = False


@dataclass(frozen=True, slots=True)
class Inverse:
    """The reciprocal of the height over `asymptote` is a straight line (clause 7.7)."""

    start: float
    stop: float
    initial: float
    final: float
    asymptote: float


@dataclass(frozen=True, slots=True)
class Exponential:
    """Initial · rate^((p − start)/every) (clause 7.8)."""

    start: float
    initial: float
    rate: float
    every: float


@dataclass(frozen=True, slots=True)
class Staircase:
    """Initial · rate^⌊(p − start)/every⌋, the index in exact arithmetic (clause 7.8)."""

    start: Exact
    initial: float
    rate: float
    every: Exact


@dataclass(frozen=True, slots=True)
class InverseSqrt:
    """Initial · √(timescale/(timescale + p − start)) (clause 7.9)."""

    start: float
    initial: float
    timescale: float


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """Initial · (1 + (p − start)/timescale)^−exponent (clause 7.10)."""

    start: float
    initial: float
    timescale: float
    exponent: float


@dataclass(frozen=True, slots=True)
class TokenPower:
    """Min(initial, amplitude·B·T^exponent/base) of the batch size B and the tokens T at the
    position (clause 7.11).

    `since` is the position from which tokens count: 0 for the run, the node's start for the stage.
    """

    since: Exact
    initial: float
    amplitude: float
    exponent: float
    base: float


@dataclass(frozen=True, slots=True)
class PiecewiseLinear:
    """Straight lines between knots, held outside (clause 7.12)."""

    boundaries: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PiecewiseConstant:
    """Values[i] from boundaries[i − 1] on (clause 7.13)."""

    boundaries: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """A list: row 0 before edges[0], row i from edges[i − 1] on; edges never decrease, every row
    but the last owns a part."""

    edges: tuple[float, ...]
    rows: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Periods of one length: period i starts at start + i·period; the child counts positions from
    there (clause 7.14)."""

    start: Exact
    period: Exact
    shrink: float
    toward: float
    child: Node


@dataclass(frozen=True)
class Growing:
    """Periods of different lengths (`stretch` other than 1), each resolved on its own span when it
    is first asked for (clause 7.14).

    `periods` finds index, start and length of a period by exact arithmetic; `resolve` lays the
    child out on the span [0, length).
    """

    start: Exact
    periods: Periods
    shrink: float
    toward: float
    resolve: Callable[[Exact], Node]


@dataclass(frozen=True, slots=True)
class Product:
    """The product of the children, in order (clause 7.15)."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the children, in order (clause 7.15)."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Clamp:
    """No less than `minimum`, no more than `maximum` (clause 7.16)."""

    child: Node
    minimum: float | None
    maximum: float | None


@dataclass(frozen=True, slots=True)
class Quantize:
    """The child at start + ⌊(p − start)/every⌋·every, by exact arithmetic, read there and not as a
    limit (clause 7.17)."""

    start: Exact
    every: Exact
    child: Node


Leaf: TypeAlias = (
    Constant
    | Linear
    | Cosine
    | Polynomial
    | Geometric
    | Inverse
    | Exponential
    | Staircase
    | InverseSqrt
    | PowerLaw
    | TokenPower
    | PiecewiseLinear
    | PiecewiseConstant
)
Node: TypeAlias = Leaf | Timeline | Repeat | Growing | Product | Sum | Clamp | Quantize


@dataclass(frozen=True, slots=True)
class Batches:
    """The batch schedule: from step starts[i] on an update takes values[i] samples (clause 2.3);
    starts[0] is 0."""

    starts: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """How a step becomes a position (clauses 2.2 to 2.4).

    Facts that no position needs are None.
    """

    axis: Literal["steps", "samples", "tokens"]
    sample: Literal["start", "middle", "end"]
    batches: Batches | None
    sequence_length: int | None


@dataclass(frozen=True, slots=True)
class Resolution:
    """All that evaluation needs: the clock, the tree, and the factor that comes last (None:
    multiples of what the host has)."""

    clock: Clock
    root: Node
    base: float | None
