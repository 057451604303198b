"""Units on the axis: how far a quantity reaches from a position, in exact rationals (clauses 3.3,
3.7)."""

from __future__ import annotations

from fractions import Fraction

from lrspec.clock import BatchMap
from lrspec.model import Axis
from lrspec.periods import shortened
from lrspec.problems import Path, Problem, SpecError
from lrspec.quantity import Quantity
from lrspec.resolved import Batches, Exact, simplest
from lrspec.source import Source


def option(fact: str) -> str:
    """The option by which the command line takes a fact."""
    return f"--{fact.replace('_', '-')}"


class Units:
    """Conversion of every unit but % to the axis, with the facts about the run that this takes.

    `steps_per_epoch`, `batches` and `sequence_length` are None while they are not known; whatever
    needs one then raises a problem that names the field at `path` and the fact. `used` collects the
    facts that were needed.
    """

    def __init__(
        self,
        axis: Axis,
        source: Source,
        *,
        steps_per_epoch: Fraction | None,
        batches: Batches | None,
        sequence_length: int | None,
    ) -> None:
        self.axis = axis
        self.source = source
        self.steps_per_epoch = steps_per_epoch
        self.batches = batches
        self.sequence_length = sequence_length
        self.used: set[str] = set()
        self._made: BatchMap | None = None

    def duration(self, quantity: Quantity, path: Path) -> Exact:
        """The quantity on the axis, the same wherever it starts; a problem where the batch size
        changes what it is."""
        factor = self._factor(quantity, path)
        if factor is None:
            raise SpecError(
                [
                    self.source.problem(
                        "unit-not-proportional",
                        path,
                        f"{quantity} is no fixed length along axis: {self.axis}"
                        " while the batch size changes",
                        expected=f"a unit proportional to {self.axis}",
                        found=quantity.text,
                        hint="use steps or epochs"
                        if self.axis == "steps"
                        else "use samples or tokens",
                    )
                ]
            )
        return quantity.number * factor

    def convertible(self, quantity: Quantity, path: Path) -> None:
        """Raises the problem of a quantity that lacks a fact."""
        self._factor(quantity, path)

    def after(self, start: Exact, quantity: Quantity, path: Path) -> Exact:
        """The position that lies `quantity` after `start`."""
        factor = self._factor(quantity, path)
        if factor is not None:
            return start + quantity.number * factor
        return self._across(start, self._in_family(quantity, path))

    def before(self, stop: Exact, quantity: Quantity, path: Path) -> Exact:
        """The position from which `quantity` leads to `stop`."""
        factor = self._factor(quantity, path)
        if factor is not None:
            return stop - quantity.number * factor
        return self._across(stop, -self._in_family(quantity, path))

    def steps(self, position: Exact) -> Exact:
        """A position on the axis as a number of steps."""
        if self.axis == "steps":
            return position
        return self._map(self.axis_batches()).steps(self._samples(position))

    def position(self, step: int) -> Exact:
        """E(step), where a step starts on the axis."""
        if self.axis == "steps":
            return step
        samples = self._map(self.axis_batches()).samples(step)
        return samples * (self.sequence_length or 1) if self.axis == "tokens" else samples

    def axis_batches(self) -> Batches:
        """The batch schedule that an axis of samples or tokens needs."""
        if self.axis == "tokens":
            self.need_sequence_length(("axis",), "axis: tokens")
        return self.need_batches(("axis",), f"axis: {self.axis}")

    def missing(self, fact: str, path: Path, reason: str) -> Problem:
        """The problem of a field that needs a fact which is not known."""
        return self.source.problem(
            "missing-fact",
            path,
            f"{reason} needs training.{fact}, which is not known",
            expected=f"training.{fact}",
            hint=f"write it in the document or give {fact} when binding ({option(fact)})",
        )

    def need_batches(self, path: Path, reason: str) -> Batches:
        """The batch schedule."""
        if self.batches is None:
            raise SpecError([self.missing("batch_size", path, reason)])
        self.used.add("batch_size")
        return self.batches

    def need_sequence_length(self, path: Path, reason: str) -> int:
        """Tokens of a sample."""
        if self.sequence_length is None:
            raise SpecError([self.missing("sequence_length", path, reason)])
        self.used.add("sequence_length")
        return self.sequence_length

    def _factor(self, quantity: Quantity, path: Path) -> Exact | None:
        """Axis units of one unit of the quantity, or None where the batch size changes between
        them."""
        in_steps = quantity.unit in ("steps", "epochs")
        unit = self._unit(quantity, path)
        if in_steps == (self.axis == "steps"):
            return unit if in_steps else unit * self._axis_of_a_sample(path, quantity.text)
        batches = self.need_batches(path, quantity.text)
        sizes = list(batches.values)
        if len(sizes) > 1:
            return None
        size = sizes[0]
        if in_steps:
            return unit * size * self._axis_of_a_sample(path, quantity.text)
        return Fraction(unit) / size

    def _unit(self, quantity: Quantity, path: Path) -> Exact:
        """The unit in steps (steps, epochs) or in samples (samples, tokens)."""
        if quantity.unit == "epochs":
            if self.steps_per_epoch is None:
                raise SpecError([self.missing("steps_per_epoch", path, quantity.text)])
            self.used.add("steps_per_epoch")
            return self.steps_per_epoch
        if quantity.unit == "tokens":
            return Fraction(1, self.need_sequence_length(path, quantity.text))
        return 1

    def _in_family(self, quantity: Quantity, path: Path) -> Exact:
        return quantity.number * self._unit(quantity, path)

    def _axis_of_a_sample(self, path: Path, reason: str) -> int:
        return self.need_sequence_length(path, reason) if self.axis == "tokens" else 1

    def _map(self, batches: Batches) -> BatchMap:
        """The map between steps and samples; of thousands of rows it takes a while to make."""
        if self._made is None:
            self._made = BatchMap(batches)
        return self._made

    def _samples(self, position: Exact) -> Exact:
        """A position on an axis of samples or tokens, in samples."""
        if self.axis == "tokens":
            return Fraction(position, self.need_sequence_length(("axis",), "axis: tokens"))
        return position

    def _across(self, position: Exact, distance: Exact) -> Exact:
        """`distance`, in the family that is not the axis's own, away from `position`, through the
        map between steps and samples."""
        assert self.batches is not None
        batch_map = self._map(self.batches)
        if self.axis == "steps":
            found = batch_map.steps(batch_map.samples(position) + distance)
        else:
            samples = batch_map.samples(batch_map.steps(self._samples(position)) + distance)
            found = samples * self._axis_of_a_sample((), "")
        # Each conversion may bring a batch size into the denominator; there may be thousands.
        return simplest(shortened(Fraction(found)))
