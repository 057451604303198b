"""Cycles that several systems have by the same name and formula: OneCycle, cyclic, restarts."""

from __future__ import annotations

from typing import Literal

from lrspec.importing.config import Config
from lrspec.importing.cutting import decimal, span
from lrspec.importing.nodes import (
    Node,
    Schedule,
    advance,
    constant,
    cosine,
    exponential,
    linear,
    product,
    repeat,
    sum_of,
)
from lrspec.importing.sequence import stages


def cyclic(
    low: float,
    high: float,
    up: float,
    down: float,
    *,
    mode: str,
    gamma: float = 1.0,
) -> Schedule:
    """low → high in `up` steps, back in `down`, again and again.

    `triangular2` halves the height in every cycle, `exp_range` multiplies it by gamma in every
    step: low + (high − low)·triangle·gamma^s.
    """
    period = up + down
    back = linear(None, low) if down else None
    if mode == "exp_range" and gamma == 0:
        return constant(low)
    if mode != "exp_range" or gamma == 1:
        shrink = 0.5 if mode == "triangular2" else 1
        rise = stages(linear(low, high, up), back)
        toward = low if shrink != 1 else 0
        return repeat(rise, period=period, shrink=shrink, toward=toward)
    height = high - low
    triangle = stages(linear(0, height, up), linear(None, 0) if down else None)
    fading = product(repeat(triangle, period=period), exponential(None, gamma, 1))
    return sum_of(constant(low), fading) if low else fading


def warm_restarts(high: float, low: float, first: int, factor: int) -> Node:
    """Half a cosine from high to low, again and again, each `factor` times as long."""
    return repeat(cosine(high, low), period=first, stretch=factor)


class OneCycle:
    """The phases of a one-cycle policy over `total` steps, of which `share` rise.

    They end at share·total − 1 and total − 1, with three phases at 2·share·total − 2 between; none
    is rounded. The formula of the last goes on beyond its end.
    """

    def __init__(
        self,
        config: Config,
        total: int,
        share: float,
        *,
        shape: Literal["cosine", "linear"],
        three_phases: bool,
        system: str,
    ) -> None:
        first = float(share * total) - 1
        second = float(2 * share * total) - 2
        last = float(total - 1)
        if first == 0:
            config.refuse(f"{system} divides by zero where the first phase ends at step 0")
        self.ends = [_neat(first), _neat(second), last] if three_phases else [_neat(first), last]
        self._shape = cosine if shape == "cosine" else linear
        # Whether a phase that is not the last ends with the run, or after it.
        self.is_cut = max(self.ends[:-1]) >= last

    def schedule(self, *values: float) -> Schedule:
        """The values at the start, and at the end of each phase."""
        phases: list[Schedule] = []
        start = 0.0
        for index, end in enumerate(self.ends):
            if end < 0:
                # The first update lies after this phase.
                start = end
                continue
            last = index == len(self.ends) - 1
            if last and self.is_cut:
                break
            length = span(decimal(end) - decimal(start))
            if values[index] == values[index + 1]:
                phase = constant(values[index], None if last else length)
            else:
                phase = self._shape(values[index], values[index + 1], length, extend=last)
            phases.append(advance(phase, -start) if start < 0 else phase)
            start = end
        return stages(*phases)


def _neat(end: float) -> float:
    """Without the noise of a product of floats: 0.07·100 − 1 is 6, not 6.000000000000001."""
    whole = round(end)
    return float(whole) if whole and abs(end - whole) < 1e-12 * abs(whole) else end
