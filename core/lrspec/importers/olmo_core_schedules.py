"""The schedulers of OLMo-core as documents state them (src/olmo_core/optim/scheduler.py).

With x the steps or tokens after an update (s + 1 for update s), B the rate, T the end, w the warmup
from m `warmup_min_lr`, d the decay to n `decay_min_lr` and α `alpha_f`: m + (B − m)·x/w up to w;
then, with p = (x − w)/(T − w), `linear_with_warmup` B − (1 − α)B·p, `cos_with_warmup`
αB + (1 − α)B·½(1 + cos πp), `half_cos_with_warmup` its second half, `inv_sqrt_with_warmup`
αB + (1 − α)B·√(w/x), `power_lr` B·(x/w)^b, `wsd` B; the last d of those with a decay are a straight
line to n. `wsds` is that in every period; `exponential` lr_min·(B/lr_min)^(x/T).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import cos, inf, pi, sqrt

from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Node,
    advance,
    constant,
    cosine,
    geometric,
    inverse_sqrt,
    linear,
    plain,
    power_law,
    sum_of,
)
from lrspec.importing.run import Run


@dataclass(frozen=True)
class Part:
    """One scheduler: its arguments, the rate it starts from and the length it has, `total`.

    `is_last` says that the run ends with it; `is_whole` that it is no part of a sequence;
    `knows_rate` that `rate` is one, and not 1 for what is unknown.
    """

    config: Config
    run: Run
    rate: float
    total: int | None
    units: str
    is_last: bool
    knows_rate: bool
    is_whole: bool = True

    def span(self, length: float) -> float | str:
        """A length as a document states it."""
        return length if self.units == "steps" else f"{plain(length)} tokens"

    def rest(self, length: float, end: float) -> float | str | None:
        """The length of a stage, None where it takes what a run of this end leaves."""
        open_ = self.is_last and self.units == "steps" and end == self.total
        return None if open_ else self.span(length)

    def needs_total(self) -> int:
        """The length of the scheduler."""
        if self.total is None:
            self.run.missing("steps", "max_steps", "the schedule ends with the run")
        return self.total

    def end(self) -> int:
        """`t_max`, or the length of the scheduler."""
        own = self.config.optional_whole("t_max", least=1)
        if own is not None and not self.is_whole and own != self.total:
            self.config.refuse("a part of a sequence that ends before its own t_max", "t_max")
        return self.needs_total() if own is None else own

    def length(self, name: str, end: Callable[[], int], fraction: float | None = None) -> int:
        """`name`, or its fraction of the end, rounded half to even."""
        config = self.config
        keys = [key for key in (name, f"{name}_steps", f"{name}_fraction") if key in config]
        if len(keys) > 1:
            config.conflict(keys[0], keys[1])
        if not keys and fraction is None:
            config.fail("missing-field", f"{name!r} or '{name}_fraction' is required")
        if keys and keys[0] != f"{name}_fraction":
            return config.whole(keys[0])
        share = config.number(f"{name}_fraction", fraction or 0.0, least=0, most=1)
        if not keys:
            self.run.say(f"{name}_fraction is left out: OLMo-core takes {share:g}.")
        whole = end()
        found = round(whole * share)
        if found != whole * share:
            what = f"{name}_fraction {share:g} of {whole} {self.units}"
            self.run.say(f"{what} is {found}, rounded half to even.")
        return found

    def warm(self, warmup: int, to: float) -> Node | None:
        """The ramp of the warmup."""
        low = self.config.number("warmup_min_lr", 0.0, least=0)
        if warmup and low >= to:
            self.config.fail("out-of-range", "warmup_min_lr is below the rate", "warmup_min_lr")
        return linear(low, to, self.span(warmup)) if warmup else None

    def only_warms(self, warmup: int, end: int) -> bool:
        """Whether the run ends before the warmup does."""
        if warmup > end and end == self.total and self.is_whole:
            return True
        if warmup >= end:
            self.config.fail("does-not-fit", f"the warmup of {warmup} leaves nothing of {end}")
        return False

    def lowest(self, below: float) -> float:
        """`decay_min_lr`, which is below what the decay starts from."""
        low = self.config.number("decay_min_lr", 0.0, least=0)
        if low >= below:
            self.config.fail("out-of-range", "decay_min_lr is below the rate", "decay_min_lr")
        return low

    def lowest_share(self, most: float = inf) -> float:
        """`alpha_f`."""
        usual = self.run.usual(self.config, "alpha_f", 0.1)
        return self.config.number("alpha_f", usual, least=0, most=most)

    def decay(self, name: str = "decay", fraction: float | None = 0.1) -> int:
        """The length of the decay, which OLMo-core divides by."""
        found = self.length(name, self.needs_total, fraction)
        if found == 0:
            self.config.fail("out-of-range", "OLMo-core divides by a decay, which is 0 here")
        return found


# The stages of a scheduler, and the rate at its end.
Stages = tuple[list[Node | None], float]


def _constant(part: Part) -> Stages:
    return [constant(part.rate)], part.rate


def _constant_with_warmup(part: Part) -> Stages:
    warmup = part.length("warmup", part.needs_total)
    return [part.warm(warmup, part.rate), constant(part.rate)], part.rate


def _falling(part: Part, make: Callable[..., Node]) -> Stages:
    end = part.end()
    warmup = part.length("warmup", lambda: end)
    low = part.rate * part.lowest_share()
    warm = part.warm(warmup, part.rate)
    if part.only_warms(warmup, end):
        return [warm], low
    return [warm, make(part.rate, low, part.rest(end - warmup, end))], low


def _half_cosine(part: Part) -> Stages:
    end = part.end()
    warmup = part.length("warmup", lambda: end)
    low = part.rate * part.lowest_share()
    warm = part.warm(warmup, low + (part.rate - low) / 2)
    if part.only_warms(warmup, end):
        return [warm], low
    left = end - warmup
    # The first half of the cosine is taken as passed.
    whole = advance(cosine(part.rate, low), by=part.span(left), length=part.span(left))
    return [warm, whole], low


def _cosine_and_decay(part: Part) -> Stages:
    end, total, decay = part.end(), part.needs_total(), part.decay()
    warmup = part.length("warmup", lambda: end)
    low = part.rate * part.lowest_share()
    begin = total - decay
    if not warmup < begin < end:
        part.config.fail("does-not-fit", "the warmup and the decay leave nothing of the cosine")
    share = (1 + cos(pi * ((begin - warmup) / (end - warmup)))) / 2
    last = part.lowest(low + (part.rate - low) * share)
    whole = cosine(part.rate, low, part.span(end - warmup))
    fall = advance(whole, by=0, length=part.span(begin - warmup))
    return [part.warm(warmup, part.rate), fall, linear(None, last, part.span(decay))], last


def _inverse_sqrt(part: Part) -> Stages:
    warmup = part.length("warmup", part.needs_total)
    share = part.lowest_share(most=1)
    low = share * part.rate
    if warmup == 0:
        part.run.say("Without a warmup only alpha_f of the rate is left.")
        return [constant(low)], low
    fall = inverse_sqrt(part.rate - low, part.span(warmup))
    reached = sqrt(warmup / max(part.total or warmup, warmup))
    node = fall if low == 0 else sum_of(constant(low), fall)
    return [part.warm(warmup, part.rate), node], low + (part.rate - low) * reached


def _wsd(part: Part) -> Stages:
    total, decay = part.needs_total(), part.decay()
    warmup = part.length("warmup", part.needs_total)
    low = part.lowest(part.rate)
    warm = part.warm(warmup, part.rate)
    hold = total - decay - warmup
    if warmup >= total:
        return [warm], part.rate
    if hold < 0:
        part.run.say("The decay begins inside the warmup, of which the rate drops at the end.")
        late = linear(part.rate, low, part.span(decay))
        return [warm, advance(late, by=part.span(-hold))], low
    if hold == 0:
        return [warm, linear(part.rate, low, part.rest(decay, total))], low
    held = constant(part.rate, part.rest(hold, total))
    return [warm, held, linear(part.rate, low, part.span(decay))], low


def _power(part: Part) -> Stages:
    total, decay = part.needs_total(), part.decay()
    warmup = part.length("warmup", part.needs_total)
    exponent = -part.config.number("b", -0.51)
    if warmup == 0 or exponent <= 0:
        part.config.fail("out-of-range", "power_lr has a warmup, and b is below 0")
    begin = total - decay
    if begin <= warmup:
        part.config.fail("does-not-fit", "the warmup and the decay leave nothing of the power")
    low = part.lowest(part.rate * (begin / warmup) ** -exponent)
    fall = power_law(part.rate, part.span(warmup), exponent, part.span(begin - warmup))
    return [part.warm(warmup, part.rate), fall, linear(None, low, part.rest(decay, total))], low


def _wsds(part: Part) -> Stages:
    config = part.config
    periods = config.wholes("period_lengths")
    shares = config.numbers("period_lr_multipliers", [1.0] * len(periods))
    if not periods or min(periods) == 0 or len(shares) != len(periods):
        config.fail("wrong-value", "every period has a length above 0, and a multiplier")
    warmup = part.length("warmup", lambda: periods[0])
    nodes: list[Node | None] = [part.warm(warmup, part.rate * shares[0])]
    low = part.lowest(part.rate * min(shares))
    for index, (period, share) in enumerate(zip(periods, shares, strict=True)):
        decay = part.length("decay", partial(int, period))
        hold = period - decay - (0 if index else warmup)
        if hold < 0 or decay == 0:
            config.fail("does-not-fit", f"period {index} has no room for its decay, or none")
        peak = part.rate * share
        nodes.append(constant(peak, part.span(hold)) if hold else None)
        nodes.append(linear(peak, low, part.span(decay)))
    return nodes, low


def _exponential(part: Part) -> Stages:
    low = part.config.number("lr_min", 1e-9, above=0)
    total = part.needs_total()
    if part.rate <= 0:
        part.config.fail("out-of-range", "the rate is above 0")
    return [geometric(low, part.rate, part.rest(total, total))], part.rate


SCHEDULERS: Mapping[str, Callable[[Part], Stages]] = {
    "constant": _constant,
    "constant_with_warmup": _constant_with_warmup,
    "linear_with_warmup": lambda part: _falling(part, linear),
    "cos_with_warmup": lambda part: _falling(part, cosine),
    "half_cos_with_warmup": _half_cosine,
    "cos_with_warmup_and_linear_decay": _cosine_and_decay,
    "inv_sqrt_with_warmup": _inverse_sqrt,
    "wsd": _wsd,
    "power_lr": _power,
    "wsds": _wsds,
    "exponential": _exponential,
}
