"""The parameter schedulers of fvcore: functions of `where`, the share of the run that has passed.

A step s of T is at where = s/T. Steps between values, and phases, begin up to 1e-6 early.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Node,
    constant,
    cosine,
    exponential,
    geometric,
    linear,
    piecewise_constant,
    polynomial,
)

EPSILON = 1e-6
_MOST_DECAYS = 1_000_000


@dataclass
class Smooth:
    """A curve over its span: its value at a share of it, and its node where values are `scale`d."""

    at: Callable[[float], float]
    node: Callable[[float], Node]


@dataclass
class Table:
    """Values one after the other: which of them it is at a share of the span.

    `updates` is the number of steps that it was made for, `gamma` what each value is times the one
    before, where they are so and have equal shares.
    """

    values: list[float]
    index: Callable[[float], int]
    updates: int
    gamma: float | None = None

    def at(self, where: float) -> float:
        """The value at a share of the span."""
        return self.values[min(self.index(where), len(self.values) - 1)]

    def node(self, scale: float, steps: int, local: Callable[[float], float] | None = None) -> Node:
        """Its values over `steps` steps of the run; `local` is its share of its own span where a
        share of the run has passed, the same where it is left out."""
        last = len(self.values) - 1

        def value_at(step: int) -> int:
            return min(self.index(local(step / steps) if local else step / steps), last)

        every = steps / (last + 1)
        bounds = [_first(value_at, index, steps) for index in range(1, last + 1)]
        if (
            local is None
            and self.gamma is not None
            and bounds == [every * (i + 1) for i in range(last)]
        ):
            return exponential(scale * self.values[0], self.gamma, every, staircase=True)
        kept: dict[int, float] = {}
        for bound, value in zip(bounds, self.values[1:], strict=True):
            if bound < steps:
                kept[bound] = scale * value
        first = kept.pop(0, scale * self.values[0])
        return piecewise_constant(list(kept), [first, *kept.values()])


Curve: TypeAlias = "Smooth | Table"


def _first(value_at: Callable[[int], int], index: int, steps: int) -> int:
    """The first step at which the value has at least this index, `steps` where there is none."""
    low, high = 0, steps
    while low < high:
        middle = (low + high) // 2
        if value_at(middle) >= index:
            high = middle
        else:
            low = middle + 1
    return low


def constant_(config: Config) -> Curve:
    """value."""
    value = config.number("value")
    return Smooth(lambda where: value, lambda scale: constant(scale * value))


def cosine_(config: Config) -> Curve:
    """end + ½(start − end)(1 + cos π·where)."""
    start, end = config.number("start_value"), config.number("end_value")
    return Smooth(
        lambda where: end + 0.5 * (start - end) * (1 + math.cos(math.pi * where)),
        lambda scale: cosine(scale * start, scale * end),
    )


def linear_(config: Config) -> Curve:
    """start·(1 − where) + end·where."""
    start, end = config.number("start_value"), config.number("end_value")
    return line(start, end)


def line(start: float, end: float) -> Smooth:
    """A straight line over the span."""
    return Smooth(
        lambda where: end * where + start * (1 - where),
        lambda scale: linear(scale * start, scale * end),
    )


def exponential_(config: Config) -> Curve:
    """start·decay^where."""
    start, decay = config.number("start_value"), config.number("decay", above=0)
    if start == 0 or decay == 1:
        return Smooth(lambda where: start, lambda scale: constant(scale * start))
    if start * decay == 0:
        config.refuse("the value falls to 0 in floats", "decay")
    return Smooth(
        lambda where: start * decay**where,
        lambda scale: geometric(scale * start, scale * (start * decay)),
    )


def polynomial_(config: Config) -> Curve:
    """base·(1 − where)^power."""
    base, power = config.number("base_value"), config.number("power", least=0)
    if power == 0:
        return Smooth(lambda where: base, lambda scale: constant(scale * base))
    return Smooth(
        lambda where: base * (1 - where) ** power,
        lambda scale: polynomial(scale * base, 0, power=power),
    )


def multi_step(config: Config) -> Curve:
    """values[i] from milestones[i − 1] of num_updates on."""
    values = config.numbers("values")
    updates = config.optional_whole("num_updates", least=1)
    milestones = config.wholes("milestones") if "milestones" in config else None
    config.ignore("milestones")
    if not values:
        config.fail("too-few-items", "there is no value in the list", "values")
    if milestones is None:
        if updates is None:
            config.fail("missing-field", "num_updates or milestones is required")
        width = math.ceil(updates / len(values))
        milestones = [width * (index + 1) for index in range(len(values) - 1)]
    elif len(milestones) != len(values) - (updates is not None):
        message = f"{len(values)} values take {len(values) - (updates is not None)} milestones"
        config.fail("values-number", f"{message}, found {len(milestones)}", "milestones")
    if updates is None:
        updates, milestones = milestones[-1], milestones[:-1]
    if updates < len(values):
        config.fail("out-of-range", f"{len(values)} values in {updates} updates", "values")
    if milestones != sorted({*milestones}) or any(not 0 < m < updates for m in milestones):
        message = f"milestones increase, from above 0 to below the {updates} updates"
        config.fail(
            "boundaries-order", message, "milestones" if "milestones" in config else "values"
        )
    return milestone_table(values, milestones, updates)


def milestone_table(values: list[float], milestones: list[int], updates: int) -> Table:
    """values[i] from milestones[i − 1] of `updates` on."""
    return Table(
        values,
        lambda where: bisect_right(milestones, int((where + EPSILON) * updates)),
        updates,
    )


def step(config: Config) -> Curve:
    """Each value for an equal share."""
    updates = math.ceil(config.number("num_updates", above=0))
    values = config.numbers("values")
    if not values:
        config.fail("too-few-items", "there is no value in the list", "values")
    return Table(values, lambda where: int((where + EPSILON) * len(values)), updates)


def fixed_gamma(config: Config) -> Curve:
    """base, base·gamma, … base·gamma^num_decays, each for an equal share."""
    base, gamma = config.number("base_value", above=0), config.number("gamma", above=0)
    decays, updates = config.whole("num_decays", least=1), config.whole("num_updates", least=1)
    return gamma_table(base, gamma, decays, updates, config)


def gamma_table(base: float, gamma: float, decays: int, updates: int, config: Config) -> Table:
    """base·gamma^i for i from 0 to `decays`, each for an equal share."""
    if decays > _MOST_DECAYS:
        config.refuse(f"{decays} decays are too many to compute one by one")
    values = [base]
    for _ in range(decays):
        values.append(values[-1] * gamma)
    return Table(values, lambda where: int((where + EPSILON) * len(values)), updates, gamma)


CLASSES: dict[str, Callable[[Config], Curve]] = {
    "ConstantParamScheduler": constant_,
    "CosineParamScheduler": cosine_,
    "LinearParamScheduler": linear_,
    "ExponentialParamScheduler": exponential_,
    "PolynomialDecayParamScheduler": polynomial_,
    "MultiStepParamScheduler": multi_step,
    "StepParamScheduler": step,
    "StepWithFixedGammaParamScheduler": fixed_gamma,
}
