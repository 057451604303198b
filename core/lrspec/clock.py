"""From a step to its position on the axis, and from a position to what was consumed there (clauses
2.2 to 2.4, 7.11)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

from lrspec.resolved import Batches, Clock, Exact

_EXACT_FLOAT = 2**52  # below it every half is a float64


class BatchMap:
    """Samples consumed before a step, S(s), as the exact piecewise linear map of clause 2.3, and
    its inverse."""

    def __init__(self, batches: Batches) -> None:
        self.starts = batches.starts
        self.values = batches.values
        spans = zip(batches.starts, batches.starts[1:], batches.values, strict=False)
        self.consumed = (0, *accumulate((stop - start) * value for start, stop, value in spans))

    def samples(self, step: Exact) -> Exact:
        """S(step), also between steps and before step 0."""
        row = max(bisect_right(self.starts, step) - 1, 0)
        return self.consumed[row] + (step - self.starts[row]) * self.values[row]

    def steps(self, samples: Exact) -> Exact:
        """The step, a rational, before which `samples` are consumed."""
        row = max(bisect_right(self.consumed, samples) - 1, 0)
        steps = self.starts[row] + Fraction(samples - self.consumed[row], self.values[row])
        return steps.numerator if steps.denominator == 1 else steps

    def size_at_step(self, step: Exact, left: bool) -> int:
        """The batch size in force at `step` (`left`: just before it)."""
        search = bisect_left if left else bisect_right
        return self.values[max(search(self.starts, step) - 1, 0)]

    def size_at_samples(self, samples: Exact, left: bool) -> int:
        """The batch size in force when `samples` are consumed (`left`: just before)."""
        search = bisect_left if left else bisect_right
        return self.values[max(search(self.consumed, samples) - 1, 0)]


def edge(clock: Clock) -> Callable[[int], int]:
    """E(s): where step s starts on the axis, a whole number."""
    if clock.axis == "steps":
        return lambda step: step
    assert clock.batches is not None
    factor = 1
    if clock.axis == "tokens":
        assert clock.sequence_length is not None
        factor = clock.sequence_length
    if len(clock.batches.values) == 1:
        factor *= clock.batches.values[0]
        return lambda step: step * factor
    samples = BatchMap(clock.batches).samples
    return lambda step: int(samples(step)) * factor


def position(clock: Clock) -> Callable[[int], int | float | Fraction]:
    """Where in its interval a step is read: a function from the step to its exact position."""
    start = edge(clock)
    if clock.sample == "start":
        return start
    if clock.sample == "end":
        return lambda step: start(step + 1)

    def middle(step: int) -> int | float | Fraction:
        twice = start(step) + start(step + 1)
        return twice / 2 if twice < _EXACT_FLOAT else Fraction(twice, 2)

    return middle


class Consumption:
    """Tokens and batch size at a position on the axis."""

    def __init__(self, clock: Clock) -> None:
        assert clock.batches is not None and clock.sequence_length is not None
        self.clock = clock
        self.length = clock.sequence_length
        self.map = BatchMap(clock.batches)

    def tokens(self, position: Exact) -> Exact:
        """Tokens consumed at `position`."""
        if self.clock.axis == "tokens":
            return position
        samples = self.map.samples(position) if self.clock.axis == "steps" else position
        return samples * self.length

    def batch_size(self, position: Exact, left: bool) -> int:
        """Samples of one update at `position` (`left`: just before it)."""
        if self.clock.axis == "steps":
            return self.map.size_at_step(position, left)
        samples = Fraction(position, self.length) if self.clock.axis == "tokens" else position
        return self.map.size_at_samples(samples, left)
