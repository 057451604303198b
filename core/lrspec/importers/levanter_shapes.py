"""Levanter's shapes of a decay: what follows the warmup of a cycle (levanter/optim/config.py).

With t the steps since the decay began, d its length, w the warmup of the cycle, p the peak, r
`min_lr_ratio`, m = r·p:

constant        p
cosine          p·((1 - r)·(½(1 + cos(π·min(t, d)/d)))^exponent + r)
linear          p + (m - p)·min(t/d, 1)
polynomial      m + (p - m)·(1 - min(t/d, 1))^power
inv             max(m, p / ((p/m - 1)·max(t, 1)/d + 1))
inv_sqrt        max(m, p·min(1, √(timescale / max(t + w, 1))))
inv_sqrt_decay  max(m, p / √(1 + decay_constant·t/d))
power           min(p, a·B·(t·B·S)^b), with B `batch_size` and S `seq_length`; p at t = 0
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from lrspec.importing.config import Config
from lrspec.importing.joining import Stage
from lrspec.importing.nodes import (
    Node,
    clamp,
    constant,
    cosine,
    inverse,
    inverse_sqrt,
    linear,
    number,
    polynomial,
    power_law,
)
from lrspec.importing.run import Run

# The names that may stand alone; the others need settings of their own.
PLAIN = ("constant", "cosine", "linear", "inv_sqrt", "inv")
TYPES = (*PLAIN, "polynomial", "inv_sqrt_decay", "power")
_INT32 = 2**31


@dataclass(frozen=True)
class Around:
    """What a shape takes from the cycle that it stands in; `last` when nothing follows it."""

    peak: float
    floor: float
    warmup: int
    decay: int
    last: bool


@dataclass(frozen=True)
class Shape:
    """A shape with its settings.

    `stages` gives what stands for the decay, `closing` its value at t = d. `fixed` is whether every
    cycle closes with the same value and holds it.
    """

    stages: Callable[[Around], list[Stage]]
    closing: Callable[[Around], float]
    fixed: bool = True
    batch_size: int | None = None
    sequence_length: int | None = None


def shape(config: Config, run: Run, type_: str, batch: object) -> Shape:
    """The shape named `type_` with the settings that stand in `config`; `batch` is the batch size
    of the trainer, where that is known."""
    match type_:
        case "constant":
            return Shape(lambda at: [Stage(constant(at.peak), at.decay)], lambda at: at.peak)
        case "cosine":
            exponent = config.number("exponent", 1.0, above=0)
            return _falling(lambda at: cosine(at.peak, at.floor, exponent=exponent))
        case "linear":
            return _falling(lambda at: linear(at.peak, at.floor))
        case "polynomial":
            power = config.number("power", 2.0, above=0)
            return _falling(lambda at: polynomial(at.peak, at.floor, power=power))
        case "inv":
            return _inv(config, run)
        case "inv_sqrt":
            return _inv_sqrt(run, config.number("timescale", 10000.0, above=0))
        case "inv_sqrt_decay":
            return _inv_sqrt_decay(config.number("decay_constant", 28.6, above=0))
        case _:
            return _power(config, run, batch)


def _falling(node: Callable[[Around], Node]) -> Shape:
    return Shape(lambda at: [Stage(node(at), at.decay)], lambda at: at.floor)


def _inv(config: Config, run: Run) -> Shape:
    def stages(at: Around) -> list[Stage]:
        if at.floor <= 0:
            config.refuse("inv divides by min_lr, which is 0 with this min_lr_ratio")
        if at.floor >= at.peak:
            return [Stage(constant(at.floor), at.decay)]
        # The clock starts at 1: what would be the peak is already the value of the next step.
        first = at.peak / ((at.peak / at.floor - 1) / at.decay + 1)
        run.say(
            "The first step of an inv decay has the rate of its second one, as Levanter counts"
            " from 1 there; hence the maximum."
        )
        return [Stage(clamp(inverse(at.peak, at.floor), maximum=first), at.decay)]

    return Shape(stages, lambda at: at.floor)


def _inv_sqrt(run: Run, timescale: float) -> Shape:
    def rate(at: Around, clock: float) -> float:
        return max(at.floor, at.peak * min(1.0, math.sqrt(timescale / max(clock, 1))))

    def stages(at: Around) -> list[Stage]:
        begin = max(timescale, 1, at.warmup)
        plateau = begin - at.warmup
        first = rate(at, begin)
        if plateau >= at.decay:
            if at.last:
                run.say(
                    f"inv_sqrt keeps the peak for {begin:g} steps of warmup and decay, more than"
                    " there are in the run; the document keeps it after the run too."
                )
            return [Stage(constant(first), at.decay)]
        tail = inverse_sqrt(first, begin)
        left = None if at.last else at.decay - plateau
        lowest = 0.0 if at.last else at.peak * math.sqrt(timescale / (at.warmup + at.decay))
        if first == at.floor:
            tail = constant(first)
        elif lowest < at.floor:
            tail = clamp(tail, minimum=at.floor)
        return [Stage(constant(first), plateau), Stage(tail, left)]

    return Shape(stages, lambda at: rate(at, at.decay + at.warmup), fixed=False)


def _inv_sqrt_decay(c: float) -> Shape:
    def stages(at: Around) -> list[Stage]:
        if at.floor >= at.peak:
            return [Stage(constant(at.floor), at.decay)]
        tail = inverse_sqrt(at.peak, at.decay / c)
        if at.floor > (0 if at.last else at.peak / math.sqrt(1 + c)):
            tail = clamp(tail, minimum=at.floor)
        return [Stage(tail, None if at.last else at.decay)]

    return Shape(stages, lambda at: max(at.floor, at.peak / math.sqrt(1 + c)), fixed=False)


def _power(config: Config, run: Run, batch: object) -> Shape:
    size, length = config.whole("batch_size", least=1), config.whole("seq_length", least=1)
    a, b = config.number("a", 4.6, above=0), config.number("b", -0.51)
    if b >= 0:
        config.fail("out-of-range", f"expected less than 0, found {b:g}", "b")
    overflow = -(-_INT32 // (size * length))
    run.say(
        f"Levanter counts the tokens of power in int32, which overflow {overflow} steps after the"
        " warmup; the document counts them exactly."
    )

    def law(t: float) -> float:
        return size * a * math.pow(t * size * length, b)

    def node(at: Around) -> list[Stage]:
        left = None if at.last else at.decay
        if batch in (None, size):
            fields = {"amplitude": number(a), "exponent": number(b), "count_from": "stage"}
            return [Stage({"token_power": {"initial": at.peak, **fields}}, left)]
        # One batch size counts the tokens here, and the trainer takes another: no token_power.
        run.say(
            f"power counts with its own batch_size {size}, whatever the trainer takes; so its law"
            " is written in steps."
        )
        try:
            begin = math.pow(at.peak / law(1), 1 / b)
        except (OverflowError, ZeroDivisionError):
            config.refuse("the law of power does not meet learning_rate at any step")
        if begin >= at.decay and not at.last:
            return [Stage(constant(at.peak), at.decay)]
        tail = power_law(at.peak, begin, -b)
        return [Stage(constant(at.peak), begin), Stage(tail, left and left - begin)]

    def closing(at: Around) -> float:
        return min(at.peak, law(at.decay))

    own = batch in (None, size)
    return Shape(node, closing, False, size if own else None, length if own else None)
