"""A schedule that no kind states, as straight lines through its values."""

from __future__ import annotations

from collections.abc import Callable

from lrspec.importing.nodes import Node, piecewise_linear

# A value that lies on the line between two others, to this share of the largest, is left out.
_TOLERANCE = 1e-13


def sampled(rate: Callable[[int], float], steps: int) -> Node:
    """`rate` at every whole step from 0 to `steps`, joined by straight lines.

    A step between two others is left out where all three lie on one line, so that a schedule of
    straight lines comes out as the few that it has. At whole steps the values are those of `rate`,
    to 1e-13 of the largest; after `steps` the last one holds.

    Raises ValueError where `rate` gives something that is no finite number.
    """
    values = [float(rate(step)) for step in range(steps + 1)]
    for step, value in enumerate(values):
        if value - value != 0:
            raise ValueError(f"at step {step} the rate is {value}")
    kept = _corners(values, _TOLERANCE * max(map(abs, values)))
    return piecewise_linear(kept, [values[step] for step in kept])


def _corners(values: list[float], tolerance: float) -> list[int]:
    """The steps at which the line through the values bends."""
    corners = [0]
    last = len(values) - 1
    low, high = float("-inf"), float("inf")
    for step in range(1, last + 1):
        start = corners[-1]
        run = step - start
        rise = values[step] - values[start]
        if not low <= rise / run <= high:
            # The line from the last corner to here would miss a value between: bend before this.
            corners.append(step - 1)
            start, run, rise = step - 1, 1, values[step] - values[step - 1]
            low, high = float("-inf"), float("inf")
        low = max(low, (rise - tolerance) / run)
        high = min(high, (rise + tolerance) / run)
    return [*corners, last] if last > corners[-1] else corners
