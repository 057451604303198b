"""The clock: batches, samples and tokens, the edges of steps, and where a step reads (clause 2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from generator.refusal import Refused

Batches: TypeAlias = tuple[tuple[int, int], ...]
"""The first step at which a batch size holds, and the batch size; the first start is 0."""


def constant_batches(size: int) -> Batches:
    """One batch size throughout."""
    return ((0, size),)


def merged(batches: Batches) -> Batches:
    """The same batches without entries that repeat the size before them (4.1)."""
    kept: list[tuple[int, int]] = []
    for start, size in batches:
        if not kept or kept[-1][1] != size:
            kept.append((start, size))
    return tuple(kept)


@dataclass(frozen=True)
class Point:
    """Where a curve is read: a position, and whether it is the limit from the left there."""

    at: Fraction
    left: bool = False


@dataclass(frozen=True)
class Clock:
    """What is known of the run's steps, samples and tokens."""

    axis: str
    sample: str
    rounding: str
    batches: Batches | None
    sequence_length: int | None
    steps_per_epoch: Fraction | None

    # From steps to samples and back (2.3).

    def known_batches(self) -> Batches:
        """The batches, which something needs."""
        if self.batches is None:
            raise Refused("missing-fact", "batch_size")
        return self.batches

    def known_sequence_length(self) -> int:
        """The tokens of a sample, which something needs."""
        if self.sequence_length is None:
            raise Refused("missing-fact", "sequence_length")
        return self.sequence_length

    def samples(self, steps: Fraction) -> Fraction:
        """S: the samples before a point of time in steps; linear between whole steps."""
        batches = self.known_batches()
        if steps < 0:
            return steps * batches[0][1]
        total = Fraction(0)
        for index, (start, size) in enumerate(batches):
            last = index + 1 == len(batches)
            stop = steps if last else min(steps, Fraction(batches[index + 1][0]))
            if stop > start:
                total += (stop - start) * size
        return total

    def steps(self, samples: Fraction) -> Fraction:
        """The inverse of S."""
        batches = self.known_batches()
        if samples < 0:
            return samples / batches[0][1]
        for index, (start, size) in enumerate(batches):
            before = self.samples(Fraction(start))
            last = index + 1 == len(batches)
            if last or samples < self.samples(Fraction(batches[index + 1][0])):
                return start + (samples - before) / size
        raise AssertionError("the last batch size has no end")

    def batch_changes(self) -> bool:
        """Whether there is more than one batch size."""
        return self.batches is not None and len(self.batches) > 1

    # Along the axis.

    def edge(self, step: Fraction) -> Fraction:
        """e: where a step starts on the axis (2.2)."""
        if self.axis == "steps":
            return step
        if self.axis == "samples":
            return self.samples(step)
        return self.samples(step) * self.known_sequence_length()

    def point(self, step: int) -> Point:
        """Where a step reads the curve (2.4)."""
        begin = self.edge(Fraction(step))
        if self.sample == "start":
            return Point(begin)
        end = self.edge(Fraction(step + 1))
        if self.sample == "middle":
            return Point((begin + end) / 2)
        return Point(end, left=True)

    def samples_at(self, position: Fraction) -> Fraction:
        """The samples consumed at a position on the axis."""
        if self.axis == "steps":
            return self.samples(position)
        if self.axis == "samples":
            return position
        return position / self.known_sequence_length()

    def tokens_at(self, position: Fraction) -> Fraction:
        """The tokens consumed at a position on the axis."""
        return self.samples_at(position) * self.known_sequence_length()

    def batch_at(self, point: Point) -> int:
        """The batch size that holds at a position, or just before it."""
        batches = self.known_batches()
        size = batches[0][1]
        for start, later in batches[1:]:
            edge = self.edge(Fraction(start))
            if point.at > edge or (point.at == edge and not point.left):
                size = later
        return size
