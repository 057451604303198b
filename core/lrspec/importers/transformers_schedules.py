"""The schedules of transformers, from their arguments to stages.

In what follows s is the step, w the warmup, T the steps of the run, B the rate of the optimizer,
p = (s − w)/max(1, T − w) and cos↓(x) = ½(1 + cos πx). The warmup is B·s/w, so that the first update
is at 0.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Node,
    Schedule,
    advance,
    constant,
    cosine,
    inverse_sqrt,
    linear,
    polynomial,
    repeat,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

NAMES = (
    "linear",
    "cosine",
    "cosine_with_restarts",
    "polynomial",
    "constant",
    "constant_with_warmup",
    "inverse_sqrt",
    "cosine_with_min_lr",
    "cosine_warmup_with_min_lr",
    "warmup_stable_decay",
)
_SHAPES = ("linear", "cosine", "1-sqrt")
_TIMESCALE = 10_000


class Reader:
    """Reads one schedule: `peak` is B, `warmup` w, `steps` T where it is known, and `sample` where
    in a step the document is read."""

    def __init__(
        self, config: Config, run: Run, peak: float, warmup: int, steps: int | None
    ) -> None:
        self.config = config
        self.run = run
        self.peak = peak
        self.warmup = warmup
        self.steps = steps
        self.sample = "start"

    def schedule(self, name: str) -> Schedule:
        """The stages of the schedule of that name."""
        match name:
            case "constant":
                if self.warmup:
                    self.run.say("constant has no warmup in transformers, whatever is given.")
                return constant(self.peak)
            case "constant_with_warmup":
                return stages(self.warm(), None if self.warmup else constant(self.peak))
            case "linear":
                return self.linear()
            case "cosine":
                return self.cosine(0.0)
            case "cosine_with_restarts":
                return self.restarts()
            case "polynomial":
                return self.polynomial()
            case "inverse_sqrt":
                return self.inverse_sqrt()
            case "cosine_with_min_lr":
                return self.cosine(self.minimum())
            case "cosine_warmup_with_min_lr":
                return self.shifted(self.minimum())
            case _:
                return self.stable()

    def total(self) -> int:
        """T."""
        if self.steps is None:
            self.run.missing("steps", "max_steps", "the schedule ends with the run")
        return self.steps

    def decay_steps(self) -> int:
        """max(1, T − w)."""
        return max(1, self.total() - self.warmup)

    def rest(self, length: float | None = None) -> float | None:
        """The length of what ends after `length`, or T − w: none where it ends with the run."""
        left = self.total() - self.warmup
        length = length or self.decay_steps()
        return None if length == left else length

    def warm(self) -> Schedule | None:
        """B·s/w."""
        if not self.warmup:
            return None
        if self.steps is not None and self.warmup >= self.steps:
            self.run.say(f"The warmup of {self.warmup} steps takes the whole run.")
        return linear(0, self.peak, self.warmup)

    def linear(self) -> Schedule:
        """B·max(0, 1 − p)."""
        if self.warmup >= self.total():
            return stages(self.warm(), constant(0))
        return stages(self.warm(), linear(self.peak, 0))

    def cycles(self) -> float:
        """The waves of the cosine: a half is once down; the sign makes no difference."""
        return abs(self.config.number("num_cycles", 0.5))

    def cosine(self, low: float) -> Schedule:
        """m + (B − m)·cos↓(2np) with n = `num_cycles`."""
        return stages(self.warm(), self.falling(low))

    def falling(self, low: float, *, is_early: bool = False) -> Node:
        """That cosine from w on, or from a step before it."""
        cycles = self.cycles()
        self.total()
        if not cycles or low == self.peak:
            return constant(self.peak)
        if cycles == 0.5:
            self.run.say("After its end the cosine climbs again, as it does in transformers.")
        else:
            self.run.say(f"With num_cycles {cycles:g} there are {2 * cycles:g} half waves.")
        length = self.decay_steps() / (2 * cycles)
        return cosine(self.peak, low, length if is_early else self.rest(length), extend=True)

    def minimum(self) -> float:
        """M, from `min_lr` or from `min_lr_rate`, its share of B."""
        config = self.config
        low = config.optional_number("min_lr", least=0)
        share = config.optional_number("min_lr_rate", least=0)
        if low is not None and share is not None:
            config.conflict("min_lr", "min_lr_rate")
        if low is None and share is None:
            message = "one of 'min_lr' and 'min_lr_rate' is required in lr_scheduler_kwargs"
            config.fail("missing-field", message)
        return low if low is not None else (share or 0.0) * self.peak

    def shifted(self, low: float) -> Schedule:
        """The cosine at s + 1; `warmup_lr_rate` r makes the warmup B·(r + (1 − r)·s/(w − 1))."""
        start = self.config.optional_number("warmup_lr_rate", least=0)
        # Where it begins a step early it does not end with the run.
        fall = self.falling(low, is_early=self.warmup > 0 and start is not None)
        if not self.warmup or start is None:
            self.sample = "end"
            self.run.say("This schedule counts updates from 1: the first is not at 0.")
            return stages(self.warm(), fall)
        self.run.say(f"The warmup goes from {start:g} of the rate to all of it at its last step.")
        if self.warmup == 1:
            return stages(constant(start * self.peak, 1), advance(fall, 1))
        return stages(linear(start * self.peak, self.peak, self.warmup - 1), fall)

    def restarts(self) -> Schedule:
        """B·cos↓((n·p) mod 1) with n = `num_cycles`, 0 from T on."""
        cycles = self.config.number("num_cycles", 1, least=0)
        down = cosine(self.peak, 0)
        length = self.rest()
        if cycles == 1:
            return stages(self.warm(), cosine(self.peak, 0, length))
        if cycles and cycles == int(cycles):
            return stages(self.warm(), repeat(down, count=int(cycles), length=length))
        whole = self.decay_steps()
        if not cycles:
            return stages(self.warm(), constant(self.peak, whole), constant(0))
        cut = repeat(down, period=whole / cycles, length=whole)
        return stages(self.warm(), cut, constant(0))

    def polynomial(self) -> Schedule:
        """E + (B − e)·(1 − p)^k with e = `lr_end`, and e after T."""
        config = self.config
        end = config.number("lr_end", 1e-7)
        power = config.number("power", 1.0, least=0)
        if end >= self.peak:
            message = f"lr_end {end:g} is not below the rate {self.peak:g}"
            config.fail("out-of-range", message, *(["lr_end"] if "lr_end" in config else []))
        if "lr_end" not in config:
            self.run.say("lr_end is not given; it is 1e-07, the default.")
        total = self.total()
        if self.warmup == total:
            config.refuse("transformers divides by 0 where the warmup takes the whole run")
        if self.warmup > total:
            return stages(self.warm(), constant(end))
        if power == 0:
            return stages(self.warm(), constant(self.peak, total + 1 - self.warmup), constant(end))
        return stages(self.warm(), polynomial(self.peak, end, power=power))

    def inverse_sqrt(self) -> Schedule:
        """B·((s − w + c)/c)^-½ with c = `timescale`: w, or 10,000 where there is no warmup."""
        scale = self.config.optional_number("timescale", above=0)
        if scale is None:
            scale = self.warmup or _TIMESCALE
            self.run.say(f"timescale is not given; it is {scale:g}, the default.")
        return stages(self.warm(), inverse_sqrt(self.peak, scale))

    def stable(self) -> Schedule:
        """A warmup from m, B for `num_stable_steps`, down to m in `num_decay_steps`, then m."""
        config = self.config
        decay = config.whole("num_decay_steps")
        stable = config.optional_whole("num_stable_steps")
        low = self.peak * config.number("min_lr_ratio", 0.0, least=0)
        rise = config.choice("warmup_type", _SHAPES, "linear", what="warmup_type")
        usual = self.run.usual(config, "decay_type", "cosine") if decay else "cosine"
        shape = config.choice("decay_type", _SHAPES, usual, what="decay_type")
        fall = self.decaying(shape, low, decay)
        warm = self.rising(rise, low)
        if stable is not None:
            total = self.warmup + stable + decay
            if self.steps is not None and total != self.steps:
                self.run.say(
                    f"The stages of {self.warmup}, {stable} and {decay} steps are not the"
                    f" {self.steps} of the run."
                )
            ends_early = self.steps is not None and total < self.steps and len(fall) == 1
            after = constant(low) if decay and ends_early else None
            return stages(warm, constant(self.peak, stable), *fall, after)
        left = self.total() - self.warmup - decay
        if left >= 0:
            length = None if decay and len(fall) == 1 else left
            return stages(warm, constant(self.peak, length) if left else None, *fall)
        self.run.say(f"The decay of {decay} steps begins before the warmup of {self.warmup} ends.")
        if self.warmup >= self.total():
            return stages(warm, constant(low))
        return stages(warm, advance(fall[0], -left, decay + left), *fall[1:])

    def rising(self, shape: str, low: float) -> Schedule | None:
        """From m to B: p, 1 − cos↓(p), or 1 − √(1 − p)."""
        if self.warmup and low:
            self.run.say(f"The warmup starts at min_lr_ratio of the rate, {low:g}.")
        match shape if self.warmup else None:
            case None:
                return None
            case "linear":
                return linear(low, self.peak, self.warmup)
            case "cosine":
                return cosine(low, self.peak, self.warmup)
            case _:
                return polynomial(low, self.peak, self.warmup, power=0.5)

    def decaying(self, shape: str, low: float, length: int) -> list[Node]:
        """From B to m: 1 − p, 1 − √p, or cos↓(2np); and m after it where it ends elsewhere."""
        cycles = self.cycles()
        if not length:
            return [constant(low)]
        if shape == "linear":
            return [linear(self.peak, low, length)]
        if shape == "1-sqrt":
            return [polynomial(self.peak, low, length, power=0.5, origin="initial")]
        if cycles == 0.5:
            return [cosine(self.peak, low, length)]
        if not cycles:
            return [constant(self.peak, length), constant(low)]
        wave = [cosine(self.peak, low, "50%"), cosine(None, self.peak)]
        return [repeat(wave, period=length / cycles, length=length), constant(low)]
