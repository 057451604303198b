"""The schedules of NeMo, one method a family; the symbols are those of `nemo_parts`."""

from __future__ import annotations

from itertools import pairwise

from lrspec.importers.nemo_parts import Parts
from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Schedule,
    constant,
    cosine,
    inverse_sqrt,
    linear,
    percent,
    piecewise_linear,
    polynomial,
    power_law,
)
from lrspec.importing.sequence import stages

_HOLD = (
    "WarmupHoldPolicy",
    "NoamHoldAnnealing",
    "PolynomialHoldDecayAnnealing",
    "WarmupHoldAnnealOneMinusSquareRoot",
    "WarmupHoldAnnealLinear",
)
NAMES = (
    "WarmupPolicy",
    "SquareAnnealing",
    "SquareRootAnnealing",
    "CosineAnnealing",
    "NoamAnnealing",
    "WarmupAnnealing",
    "InverseSquareRootAnnealing",
    "T5InverseSquareRootAnnealing",
    "PolynomialDecayAnnealing",
    *_HOLD,
    "PiecewiseLinear",
)


class Reader(Parts):
    """Reads one schedule."""

    def schedule(self) -> Schedule:
        """The stages of the schedule."""
        if self.name == "PiecewiseLinear":
            return self.piecewise()
        if self.name == "T5InverseSquareRootAnnealing":
            return self.t5()
        self.low = self.minimum()
        warmup = self.length("warmup")
        self.warmup = self.default_warmup if warmup is None else warmup
        match self.name:
            case "WarmupPolicy":
                return self.until_the_end(constant(self.peak))
            case "CosineAnnealing":
                return self.cosine()
            case "NoamAnnealing":
                return self.noam()
            case "InverseSquareRootAnnealing":
                self.total("min_lr comes after max_steps")
                return self.until_the_end(inverse_sqrt(self.peak, self.warmup + 1))
            case name if name in _HOLD:
                return self.held(self.length("hold"))
            case _:
                return self.decay()

    def decay(self) -> Schedule:
        """To m at T, on the progress p = (s − w)/(T − w), or s/T for SquareRootAnnealing."""
        self.total(f"{self.name} ends at max_steps")
        power = self.power() if self.name == "PolynomialDecayAnnealing" else 1.0
        if self.is_only_warmup() or power == 0:
            return self.until_the_end(constant(self.peak))
        start = None if self.warmup else self.peak
        match self.name:
            case "SquareAnnealing":
                square = polynomial(start, 0, self.to_the_end(self.warmup), power=2)
                return stages(self.warm(), self.no_less(square))
            case "SquareRootAnnealing":
                root = self.no_less(polynomial(self.peak, 0, self.to_the_end(0), power=0.5))
                return self.on_the_clock_of_the_run(root, "max_steps")
            case _:
                length = self.to_the_end(self.warmup)
                return stages(self.warm(), polynomial(self.peak, self.low, length, power=power))

    def power(self) -> float:
        """The power of a polynomial; `cycle` changes nothing before T where p is 1 there."""
        self.config.flag("cycle", False)
        return self.config.number("power", 1.0, least=0)

    def cosine(self) -> Schedule:
        """m + (B − m)·½(1 + cos πp); with `constant_steps` c the warmup is B·s/w, and the cosine
        ends c steps before T."""
        rest = self.length("constant") or 0
        total = self.total("CosineAnnealing ends at max_steps")
        if self.peak < self.low or (rest and self.peak == self.low):
            message = f"min_lr {self.low:g} is not below lr {self.peak:g}"
            self.config.fail("out-of-range", message, "min_lr")
        if not rest:
            if self.is_only_warmup():
                return self.until_the_end(constant(self.peak))
            return stages(self.warm(), cosine(self.peak, self.low, self.to_the_end(self.warmup)))
        self.run.say("With constant_steps the warmup of NeMo starts at 0.")
        warm = linear(0, self.peak, self.warmup)
        length = total - self.warmup - rest
        if length > 0:
            return stages(warm, cosine(self.peak, self.low, length), constant(self.low))
        if not self.warmup:
            message = f"nothing is left of {total} steps after {rest} constant ones"
            self.config.fail("out-of-range", message)
        return stages(warm, constant(self.peak, 1), constant(self.low))

    def noam(self) -> Schedule:
        """B·d^-½·min(t^-½, t·w^-1.5) with t = max(1, s), no less than m after the warmup."""
        if self.peak < self.low:
            message = f"min_lr {self.low:g} is more than lr {self.peak:g}"
            self.config.fail("out-of-range", message, "min_lr")
        w = max(self.warmup, 1)
        peak = self.peak * self.config.number("d_model", above=0) ** -0.5 * w**-0.5
        self.run.say("The rate of step 0 is that of step 1.")
        if not self.warmup:
            first = constant(max(peak, self.low), 1)
            return stages(first, self.no_less(inverse_sqrt(peak, 1)))
        first = constant(peak / w, 1)
        if peak < self.low:
            rise = linear(peak / w, peak, w - 1)
            return stages(first, rise, constant(peak, 1), constant(self.low))
        fall = inverse_sqrt(peak, w)
        return stages(first, linear(peak / w, peak, w - 1), self.no_less(fall))

    def held(self, hold: int | None) -> Schedule:
        """B until w + h, then down to m at T; where no hold is given, the decays count from step 0,
        but that of NoamHoldAnnealing."""
        total = self.total(f"{self.name} ends at max_steps")
        start = self.warmup + (hold or 0)
        if self.name == "WarmupHoldPolicy":
            return self.until_the_end(constant(self.peak), start=start)
        if self.name == "NoamHoldAnnealing":
            return self.noam_hold(start)
        is_polynomial = self.name == "PolynomialHoldDecayAnnealing"
        cycle = is_polynomial and self.config.flag("cycle", False)
        power = self.power() if is_polynomial else 1.0
        if start >= total or power == 0:
            return self.until_the_end(constant(self.peak), start=start)
        if hold is not None or not self.warmup:
            fall = self.fall(power, self.to_the_end(start))
            return stages(self.warm(), constant(self.peak, hold or 0), fall)
        if not is_polynomial:
            return self.on_the_clock_of_the_run(self.fall(power, self.to_the_end(0)), "max_steps")
        if cycle:
            return self.cycling(power, total)
        length = total - self.warmup
        curve = self.fall(power, length)
        return self.on_the_clock_of_the_run(curve, f"step {length}, before max_steps")

    def fall(self, power: float, length: int | None) -> Schedule:
        """B to m, by the rule of the name."""
        if self.name == "WarmupHoldAnnealOneMinusSquareRoot":
            return self.no_less(polynomial(self.peak, 0, length, power=0.5, origin="initial"))
        return polynomial(self.peak, self.low, length, power=power)

    def cycling(self, power: float, total: int) -> Schedule:
        """The polynomial on s/(k·(T − w)) with k the number of the period, counted from 1."""
        w, peak, low = self.warmup, self.peak, self.low
        period = total - w

        def rate(step: int) -> float:
            if step <= w:
                return peak * (step + 1) / (w + 1)
            if step > total:
                return low
            progress = step / (period * -(-step // period))
            return float(low + (peak - low) * (1 - progress) ** power)

        refusal = "no kind of the language has periods that grow while they go on, as cycle has"
        end = max(total, self.end_of_run or 0)
        return self.run.sampled(rate, end, refusal=refusal, config=self.config, at="cycle")

    def noam_hold(self, start: int) -> Schedule:
        """B·(w/(s − h))^k after the hold, no less than m."""
        if not self.warmup:
            message = "NoamHoldAnnealing needs a warmup of at least 1 step"
            self.config.fail("missing-field", message, hint="give warmup_steps or warmup_ratio")
        rate = self.config.number("decay_rate", 0.5)
        # A rate of 0 or less comes out as 1 in NeMo, where max(1, …) stands around both powers.
        curve = power_law(self.peak, self.warmup, rate) if rate > 0 else constant(self.peak)
        return self.until_the_end(self.no_less(curve), start=start)

    def t5(self) -> Schedule:
        """1/√c up to c = `constant_steps`, then 1/√s up to T, whatever `lr` is."""
        config = self.config
        if "constant_steps" not in config and "constant_ratio" in config:
            why = "NeMo raises TypeError for constant_ratio without constant_steps"
            config.refuse(why, "constant_ratio")
        hold = config.whole("constant_steps", least=1)
        if config.optional_number("constant_ratio") is not None:
            config.conflict("constant_steps", "constant_ratio")
        self.low = config.number("min_lr", 0.0, least=0)
        total = self.total("min_lr comes after max_steps")
        self.run.say("The rates of T5InverseSquareRootAnnealing are its own; lr changes nothing.")
        self.peak = hold**-0.5
        if hold >= total:
            self.warmup = 0
            return self.until_the_end(constant(self.peak), start=hold + 1)
        return self.until_the_end(inverse_sqrt(self.peak, hold), start=hold)

    def piecewise(self) -> Schedule:
        """Straight lines through `values`, times B, at `boundaries`; steps, or shares of T."""
        config = self.config
        relative = config.flag("relative", False)
        if relative:
            self.total("relative boundaries are shares of max_steps")
        boundaries = _list(config, "boundaries")
        values = _list(config, "values")
        if len(boundaries) != len(values):
            message = f"there are {len(boundaries)} boundaries and {len(values)} values"
            config.fail("values-number", message, "values", hint="as many values as boundaries")
        for i, (one, two) in enumerate(pairwise(boundaries), start=1):
            if not one < two:
                message = f"boundaries increase strictly, {two:g} does not come after {one:g}"
                config.fail("boundaries-order", message, "boundaries", i)
        if boundaries[0] < 0:
            config.fail("out-of-range", "a boundary lies before step 0", "boundaries", 0)
        levels = [value * self.peak for value in values]
        if relative and self.end_of_run == self.steps:
            return piecewise_linear([percent(b) if b else 0 for b in boundaries], levels)
        unit = self.steps or 1 if relative else 1
        return piecewise_linear([b * unit for b in boundaries], levels)


def _list(config: Config, key: str) -> list[float]:
    if not isinstance(config.raw(key), list):
        config.fail("wrong-type", f"{key} is a list of numbers", key)
    found = config.numbers(key)
    if not found:
        config.fail("too-few-items", f"{key} is empty", key)
    return found
