"""Written positions and durations on the axis: rulers, percentages and rounding (clauses 3.4 to
3.9)."""

from __future__ import annotations

from fractions import Fraction

from lrspec.facts import Facts
from lrspec.model import Model, Rounding
from lrspec.periods import round_whole
from lrspec.problems import Path, Problem, SpecError
from lrspec.quantity import Quantity
from lrspec.resolved import Exact
from lrspec.source import Source
from lrspec.spans import Place


class Positions:
    """Turns the quantities of one document into exact positions on its axis."""

    def __init__(self, document: Model, source: Source, facts: Facts) -> None:
        self.document = document
        self.source = source
        self.facts = facts
        self.units = facts.units
        self.rounding: Rounding = document.rounding

    def point(self, quantity: Quantity, place: Place, path: Path) -> Exact:
        """A written position: from the ruler's start, on a whole step where the document rounds."""
        return self.after(place.ruler, quantity, place, path)

    def after(self, start: Exact, quantity: Quantity, place: Place, path: Path) -> Exact:
        """The position that lies a written duration after `start`."""
        if quantity.unit == "%" or place.repeated:
            stop = start + self.duration(quantity, place, path)
        else:
            stop = start + self._rounded(self.units.after(start, quantity, path) - start, quantity)
        self.edge(stop)
        return stop

    def before(self, stop: Exact, quantity: Quantity, place: Place, path: Path) -> Exact:
        """The position from which a written duration leads to `stop`."""
        if quantity.unit == "%" or place.repeated:
            start = stop - self.duration(quantity, place, path)
        else:
            start = stop - self._rounded(stop - self.units.before(stop, quantity, path), quantity)
        self.edge(start)
        return start

    def duration(self, quantity: Quantity, place: Place, path: Path) -> Exact:
        """A written duration in a unit that is proportional to the axis."""
        if quantity.unit != "%":
            return self._rounded(self.units.duration(quantity, path), quantity)
        if place.span is None:
            raise SpecError([self.no_length(path, f"{quantity}")])
        return self._rounded(quantity.number * place.span, quantity)

    def above_zero(self, quantity: Quantity, place: Place, path: Path) -> Exact:
        """A duration that must not come to 0 (clause 3.8)."""
        value = self.duration(quantity, place, path)
        if self.edge(value) == 0:
            raise SpecError([self.rounds_to_zero(path, quantity.text)])
        return value

    def rounds_to_zero(self, path: Path, text: str) -> Problem:
        """The problem of a duration that comes to 0."""
        rounded = "" if self.rounding == "none" else f" after rounding: {self.rounding}"
        return self.source.problem(
            "rounds-to-zero",
            path,
            f"{path[-1]} {text} comes to 0 {self.document.axis}{rounded}",
            expected="more than 0",
            found=text,
        )

    def _rounded(self, distance: Exact, quantity: Quantity) -> Exact:
        return distance if quantity.unit == "steps" else round_whole(distance, self.rounding)

    def edge(self, position: Exact) -> float:
        """A position or duration rounded to float64 (clause 3.9)."""
        try:
            return float(position)
        except OverflowError:
            text = "a position lies beyond the range of float64"
            raise SpecError([self.source.problem("out-of-range", (), text)]) from None

    def no_length(self, path: Path, what: str) -> Problem:
        """The problem of something that needs a span with an end (clauses 3.4, 5.5, 5.10)."""
        if self.facts.steps is None:
            if self.facts.steps_problem is not None:
                return self.facts.steps_problem
            return self.units.missing("steps", path, what)
        return self.source.problem(
            "length-needed",
            path,
            f"{what} needs a length, and nothing ends its span",
            expected="length",
            hint="give it a length or until",
        )


def shown(number: Exact) -> str:
    """An exact number as a decimal: whole numbers in full, others as the shortest text of the
    float64 nearest to them."""
    number = Fraction(number)
    return str(number.numerator) if number.denominator == 1 else repr(float(number))
