"""The model of a document: what is written, typed and frozen, before any fact of a run is known.

One class a kind (clauses 7.1 to 7.18). A field that is left out is None where it is inherited or
derived, and its default otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from lrspec.problems import Path
from lrspec.quantity import Quantity

Axis: TypeAlias = Literal["steps", "samples", "tokens"]
Sample: TypeAlias = Literal["start", "middle", "end"]
Rounding: TypeAlias = Literal["none", "floor", "ceil", "nearest"]
Base: TypeAlias = float | Literal["absolute"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What every kind has: its name, where it stands in the document, and its written end, if
    any."""

    kind: str
    path: Path
    length: Quantity | None = None
    until: Quantity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Placed):
    """One value."""

    value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpolating(Placed):
    """What the kinds share that run from one value to another and therefore need a length."""

    initial: float | None
    final: float
    extend: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear(Interpolating):
    """A straight line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cosine(Interpolating):
    """Half a period of a cosine."""

    exponent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Polynomial(Interpolating):
    """A power of the distance from one end."""

    power: float
    origin: Literal["initial", "final"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometric(Interpolating):
    """The same factor at every step."""

    asymptote: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Inverse(Interpolating):
    """The reciprocal is a straight line."""

    asymptote: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponential(Placed):
    """A factor for every so many steps."""

    initial: float | None
    rate: float
    every: Quantity
    staircase: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InverseSqrt(Placed):
    """One over the square root of time."""

    initial: float | None
    timescale: Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLaw(Placed):
    """A negative power of time."""

    initial: float | None
    timescale: Quantity
    exponent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPower(Placed):
    """The Power Scheduler."""

    initial: float | None
    amplitude: float
    exponent: float
    count_from: Literal["run", "stage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piecewise(Placed):
    """Boundaries with the values at (`linear`) or between them."""

    linear: bool
    boundaries: tuple[Quantity, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Placed):
    """A schedule again and again."""

    schedule: Schedule
    period: Quantity | None
    count: int | None
    stretch: Fraction
    shrink: float
    toward: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination(Placed):
    """The product or the sum of schedules on one span."""

    operator: Literal["product", "sum"]
    of: tuple[Schedule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clamp(Placed):
    """A schedule within bounds."""

    schedule: Schedule
    minimum: float | None
    maximum: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantize(Placed):
    """A schedule read at whole multiples."""

    schedule: Schedule
    every: Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance(Placed):
    """A schedule as if something had already passed."""

    schedule: Schedule
    by: Quantity | None


@dataclass(frozen=True, slots=True)
class Stages:
    """A list: its stages follow each other."""

    path: Path
    stages: tuple[Schedule, ...]


Kind: TypeAlias = (
    Constant
    | Linear
    | Cosine
    | Polynomial
    | Geometric
    | Inverse
    | Exponential
    | InverseSqrt
    | PowerLaw
    | TokenPower
    | Piecewise
    | Repeat
    | Combination
    | Clamp
    | Quantize
    | Advance
)
Schedule: TypeAlias = Kind | Stages
Wrapper: TypeAlias = Clamp | Quantize | Advance


@dataclass(frozen=True, slots=True)
class Training:
    """Facts about the run that the document states."""

    steps: Quantity | None = None
    batch_size: tuple[tuple[int, int], ...] | None = None
    sequence_length: int | None = None
    steps_per_epoch: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """A whole document.

    `schedules` and `bases` are by name; `schedule:` has the name lr.
    """

    axis: Axis
    sample: Sample
    rounding: Rounding
    training: Training
    schedules: Mapping[str, Schedule]
    bases: Mapping[str, Base]
