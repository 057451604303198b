"""What a configuration of timm says of its schedule, whichever way it is written."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from lrspec.importing.config import Config
from lrspec.importing.logarithm import late_starts
from lrspec.importing.nodes import plain
from lrspec.importing.run import Run
from lrspec.problems import pointer

KINDS = (
    *("cosine", "tanh", "poly", "step", "multistep", "wsd", "rsqrt", "constant", "plateau"),
    "none",
)
CYCLIC = ("cosine", "tanh", "poly")
_SHAPES = ("linear", "1-sqrt", "cosine", "power", "exp")


@dataclass(frozen=True)
class Plan:
    """The arguments of one of timm's schedulers.

    Lengths count t, which is epochs or updates. `unit` is that in which a document states them:
    with `unit` epochs and not `by_epoch`, t is updates and every length already divided by the
    updates of an epoch.
    """

    kind: str
    rate: float
    unit: Literal["steps", "epochs"] = "steps"
    # Whether the rate changes once in an epoch.
    by_epoch: bool = False
    low: float = 0.0
    warmup: float = 0.0
    start: float = 0.0
    prefix: bool = False
    # t_initial: the length of the first cycle, or of what follows the warmup.
    length: float = 0.0
    cycle_mul: float = 1.0
    cycle_decay: float = 1.0
    cycle_limit: int = 1
    k_decay: float = 1.0
    power: float = 0.5
    bounds: tuple[float, float] = (-7.0, 3.0)
    # decay_t and decay_rate of `step` and `multistep`, decay_t of `wsd`.
    decay: float = 0.0
    decay_rate: float = 1.0
    milestones: tuple[float, ...] = ()
    stable: str = "constant"
    timescale: float = 0.0
    stable_power: float = 0.5
    decay_fn: str = "1-sqrt"
    decay_power: float = 0.5
    decay_ratio: float = 0.1
    # The length of the run in t, where it is known.
    total: float | None = None

    def span(self, t: float) -> float | str:
        """A length as a document states it."""
        if self.unit == "steps":
            return t
        return "1 epoch" if t == 1 else f"{plain(t)} epochs"

    @property
    def cycles_end(self) -> float:
        """The t after the last cycle, with a warmup that is a prefix; inf beyond float64."""
        mul, count = self.cycle_mul, self.cycle_limit
        try:
            cycles = count if mul == 1 else (mul**count - 1) / (mul - 1)
        except OverflowError:
            cycles = math.inf
        return self.length * cycles + (self.warmup if self.prefix else 0)

    def in_updates(self, run: Run, *, why: str) -> Plan:
        """The plan with every length in updates, where it is stepped by them."""
        if self.unit == "steps" or self.by_epoch:
            return self
        factor = run.steps_per_epoch(why=why)
        return replace(
            self,
            unit="steps",
            warmup=self.warmup * factor,
            length=self.length * factor,
            decay=self.decay * factor,
            milestones=tuple(milestone * factor for milestone in self.milestones),
            timescale=self.timescale * factor,
            total=None if self.total is None else self.total * factor,
        )


def glitches(plan: Plan) -> list[float]:
    """The t at which a cycle begins a little late in timm, with `low` once more."""
    offset = plan.warmup if plan.prefix else 0
    return [start + offset for start in late_starts(plan.length, plan.cycle_mul, plan.cycle_limit)]


def told(config: Config, run: Run, key: str, default: float, **limits: float) -> float:
    """A number, of which it is told where the default was taken."""
    limits.setdefault("least", 0)
    if key not in config:
        run.say(f"{key} is left out: timm takes {default:g}.")
    return config.number(key, default, **limits)


def rate(config: Config, run: Run, *absolute: float) -> tuple[float, float | None]:
    """The rate, and the base; `absolute` are rates that the configuration states beside it."""
    base = run.base(config, "lr")
    if base is None and any(absolute):
        run.missing("base", "lr", "timm states the lowest rate and that of the warmup beside lr")
    return (1.0 if base is None else base), base


def cycles(
    config: Config, plan: Plan, mul: str, decay: str, limit: str, k: str, usual: float
) -> Plan:
    """The plan with the arguments of its cycles; `usual` is the default of their decay."""
    return replace(
        plan,
        cycle_mul=number_above(config, mul, 1.0),
        cycle_decay=number_above(config, decay, usual),
        cycle_limit=config.whole(limit, 1),
        k_decay=1.0 if plan.kind == "tanh" else number_above(config, k, 1.0),
    )


def milestones(config: Config, key: str, *default: list[int]) -> tuple[float, ...]:
    """The milestones of `multistep`, which timm takes to increase."""
    found = config.numbers(key, *default)
    for index, (one, after) in enumerate(pairwise(found), 1):
        if after < one:
            config.fail("boundaries-order", "the milestones do not increase", key, index)
    return tuple(found)


def decay_fn(config: Config, key: str, default: str) -> str:
    """The function with which `wsd` decays."""
    path = pointer((*config.path, key))
    if any(problem.path == path for problem in config.source.problems):
        config.refuse(f"{key} is a function of the user", key)
    return config.choice(key, _SHAPES, default, what=key)


def check_timescale(config: Config, key: str, timescale: float) -> None:
    """The timescale of a stable phase that falls is above 0."""
    if timescale <= 0:
        message = f"{key} is above 0; left out it is the length of the warmup"
        config.fail("out-of-range", message, *([key] if key in config else []))


def check_decay(config: Config, key: str, decay: float, length: float) -> None:
    """The decay fits into what follows the warmup."""
    if not 0 < decay <= length:
        message = f"the decay of {decay:g} is not between 0 and the {length:g} that it may take"
        config.fail("does-not-fit", message, *([key] if key in config else []))


def number_above(config: Config, key: str, default: float) -> float:
    """A number above 0, of a size that a document can hold."""
    return float(config.number(key, default, above=0, most=1e300))
