"""The curve: a bound schedule, a pure function from step to value."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex

from lrspec.clock import position
from lrspec.evaluate import function
from lrspec.powers import saturate
from lrspec.resolved import Resolution

if TYPE_CHECKING:
    from lrspec.document import Document
    from lrspec.phases import Phase
    from lrspec.problems import Problem
    from lrspec.spans import Piece
    from lrspec.table import Table
    from lrspec.units import Units


# Up to here every whole number and every half is a float64.
_EXACT = 2**52


class Curve:
    """One schedule of a document, bound to the facts of a run: `curve(step)` is its value.

    `step` is the number of optimizer updates already completed, 0 for the first (clause 2.1). The
    value depends on nothing else: random access gives the same bits as reading in order. With a
    base it is a rate (`base` is 1.0 for `base: absolute`); without one `base` is None and values
    are multiples of what the host has.

    Attributes:
        name: The hyperparameter, "lr" unless the document schedules several.
        base: The factor that comes last, or None.
        steps: The planned horizon, or None when it is not known. It is no boundary: the curve goes
            on beyond it.
        warnings: What binding noticed that never stops a run; `lrspec.linting.lint` finds more.
        document: The document, for serialization.
        facts: The keywords that `bind` was given, for serialization: `document.bind(**facts)` is
            this curve again.
        facts_used: The horizon where it is known, and the facts that some position needed.
        resolution: The resolved tree (`lrspec.resolved`).
        pieces: The stages as they are laid out, in exact positions (`lrspec.spans`).
        units: What positions are in steps (`lrspec.units`).
    """

    __slots__ = (
        "__weakref__",
        "_at",
        "_exact",
        "_factor",
        "_far",
        "_fingerprint",
        "base",
        "document",
        "facts",
        "facts_used",
        "name",
        "pieces",
        "resolution",
        "steps",
        "units",
        "warnings",
    )

    def __init__(
        self,
        *,
        document: Document,
        facts: Mapping[str, Any],
        name: str,
        resolution: Resolution,
        steps: int | None,
        warnings: tuple[Problem, ...],
        facts_used: Mapping[str, Any],
        pieces: tuple[Piece, ...],
        units: Units,
    ) -> None:
        self.document = document
        self.facts = MappingProxyType(dict(facts))
        self.name = name
        self.resolution = resolution
        self.base = resolution.base
        self.steps = steps
        self.warnings = warnings
        self.facts_used = MappingProxyType(dict(facts_used))
        self.pieces = pieces
        self.units = units
        self._fingerprint: str | None = None
        self._compile()

    def _compile(self) -> None:
        clock = self.resolution.clock
        at: Callable[[Any], float]
        at = function(self.resolution.root, clock, left=clock.sample == "end")
        self._exact = _EXACT - 1
        if clock.axis != "steps" or clock.sample != "start":
            place = position(clock)
            at = _composed(at, place)
            self._exact = (
                bisect_left(range(_EXACT), True, key=lambda step: place(step) >= _EXACT) - 1
            )
        self._factor = 1.0 if self.base is None else self.base
        if self._factor > 1:  # only then can a product with a finite value be infinite
            at, self._factor = _scaled(at, self._factor), 1.0
        self._at = at
        self._far: Callable[[int], float] | None = None

    def _beyond(self, step: int) -> float:
        """The value at a step whose position no float64 may hold: it is rounded first (clause 3.9),
        which takes longer."""
        if self._far is None:
            clock = self.resolution.clock
            left = clock.sample == "end"
            far = function(self.resolution.root, clock, left=left, fractions=True)
            self._far = _composed(far, position(clock))
        return saturate(self._far(step) * (1.0 if self.base is None else self.base))

    def __call__(self, step: SupportsIndex) -> float:
        """The value that the update after `step` completed ones applies.

        Raises:
            TypeError: `step` is no whole number.
            ValueError: `step` is negative.
        """
        if step.__class__ is int and 0 <= step <= self._exact:  # pyright: ignore[reportOperatorIssue]
            return self._at(step) * self._factor
        whole = checked(step)
        if whole <= self._exact:
            return self._at(whole) * self._factor
        try:
            return self._beyond(whole)
        except OverflowError:
            bits = whole.bit_length()
            raise ValueError(f"a step of {bits} bits is beyond float64") from None

    def values(self, start: int, stop: int, stride: int = 1) -> array[float]:
        """The values at `range(start, stop, stride)`, each equal to `curve(step)` bit for bit.

        Raises:
            TypeError: An argument is no whole number.
            ValueError: A step is negative, or `stride` is 0.
        """
        from lrspec.ranges import values

        if checked(stride) == 0:
            raise ValueError("a stride is 1 or more, not 0")
        steps = range(checked(start), checked(stop), checked(stride))
        if steps and steps[-1] > self._exact:
            return array("d", map(self, steps))
        return values(self.resolution, steps)

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hex, of the resolved tree, whatever the horizon.

        Curves of one fingerprint are equal; an equal curve in other words mostly has the same one.
        """
        if self._fingerprint is None:
            from lrspec.fingerprint import fingerprint

            self._fingerprint = fingerprint(self.resolution)
        return self._fingerprint

    def phases(self) -> tuple[Phase, ...]:
        """The resolved stages in order, one row for each piece of a piecewise kind."""
        from lrspec.phases import phases

        return phases(self.pieces, self.resolution, self.units)

    def table(self) -> Table:
        """The resolved form for array evaluators (`lrspec.table.evaluate`)."""
        from lrspec.table import build

        return build(self.resolution)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve):
            return NotImplemented
        return self.name == other.name and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash((self.name, self.fingerprint))

    def __repr__(self) -> str:
        horizon = "" if self.steps is None else f", steps={self.steps}"
        return f"<Curve {self.name!r} {self.fingerprint[:12]}{horizon}>"

    def __getstate__(self) -> dict[str, Any]:
        return {
            "document": self.document,
            "facts": dict(self.facts),
            "name": self.name,
            "resolution": self.resolution,
            "steps": self.steps,
            "warnings": self.warnings,
            "facts_used": dict(self.facts_used),
            "pieces": self.pieces,
            "units": self.units,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


def _composed(at: Callable[[Any], float], place: Callable[[int], Any]) -> Callable[[int], float]:
    return lambda step: at(place(step))


def _scaled(at: Callable[[Any], float], factor: float) -> Callable[[int], float]:
    return lambda step: saturate(at(step) * factor)


def checked(step: SupportsIndex) -> int:
    """`step` as an int.

    Raises:
        TypeError: It is no whole number, or a boolean.
        ValueError: It is negative.
    """
    try:
        whole = index(step)
    except TypeError:
        whole = None
    if whole is None or isinstance(step, bool):
        raise TypeError(f"a step is a whole number, not {step!r}")
    if whole < 0:
        raise ValueError(f"a step is 0 or more, not {whole}")
    return whole
