"""The schedulers of fairseq as documents state them (fairseq/optim/lr_scheduler).

With B `lr`, m `min_lr`, w the warmup from i `warmup_init_lr`, i + (B − i)·s/w while s < w: then
`inverse_sqrt` B·√(w/s); `polynomial_decay` e + (B − e)·((T − s)/(T − w))^power; `cosine`, in period
j that is P·t_multʲ long, lr_shrinkʲ·(m + (B − m)·½(1 + cos πp)); `step`
max(B·lr_decay^⌊(s − w)/P⌋, m); `tri_stage` B, and in the last steps B·final_lr_scale^p;
`triangular` from B to `max_lr` and back; `fixed` a rate for every epoch, times (s + 1)/w while
s < w; `manual` a rate from an update or epoch on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from lrspec.importing.config import Config
from lrspec.importing.logarithm import late_starts
from lrspec.importing.nodes import (
    Node,
    Schedule,
    clamp,
    constant,
    cosine,
    exponential,
    geometric,
    inverse_sqrt,
    linear,
    piecewise_constant,
    polynomial,
    product,
    repeat,
    sum_of,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

KEYS = (
    *("warmup_updates", "warmup_init_lr", "min_lr", "lr_period_updates", "t_mult", "lr_shrink"),
    *("end_learning_rate", "power", "total_num_update", "force_anneal", "max_lr", "shrink_min"),
    *("warmup_steps", "hold_steps", "decay_steps", "phase_ratio", "init_lr_scale"),
    *("final_lr_scale", "lr_decay", "lr_decay_period", "lr_deacy_period", "epoch2lr", "update2lr"),
)
_EPOCH = "1 epoch"
# More entries than this are no schedule that people write.
_MOST_ENTRIES = 10_000


@dataclass
class Reading:
    """One scheduler: its arguments, the rates of `lr`, the length of the run."""

    config: Config
    run: Run
    rates: list[float]
    total: int | None
    knows_rate: bool
    in_epochs: bool = False
    top: float | None = None

    @property
    def base(self) -> float:
        """What multiples are of."""
        return self.rates[0] if self.top is None else self.top

    def rate(self) -> float:
        """The rate, of which these schedulers take one."""
        if len(self.rates) != 1:
            self.config.fail("wrong-value", "this scheduler takes one lr; that of epochs is fixed")
        return self.rates[0]

    def beside(self, key: str, default: float) -> float:
        """Another rate; that of a misspelt or unknown `lr` cannot be told."""
        found = self.config.number(key, default)
        if found > 0 and not self.knows_rate:
            self.run.missing("base", "lr", f"{key} is a rate beside lr")
        return found

    def needs_total(self, why: str) -> int:
        """The length of the run."""
        if self.total is None:
            self.run.missing("steps", "max_update", why)
        return self.total

    def warm(self, rate: float, default: float, updates: int) -> tuple[int, Node | None]:
        """The warmup, from `warmup_init_lr` or what stands for it below 0."""
        warmup = self.config.whole("warmup_updates", updates)
        if "warmup_updates" not in self.config and updates:
            self.run.say(f"warmup_updates is left out: fairseq takes {updates}.")
        start = self.beside("warmup_init_lr", -1.0)
        return warmup, linear(default if start < 0 else start, rate, warmup) if warmup else None


def _inverse_sqrt(read: Reading) -> Schedule:
    rate = read.rate()
    warmup, ramp = read.warm(rate, 0.0, 4000)
    if not warmup:
        read.config.fail("out-of-range", "fairseq divides by warmup_updates, which is 0 here")
    return stages(ramp, inverse_sqrt(rate, warmup))


def _polynomial(read: Reading) -> Schedule:
    rate, config = read.rate(), read.config
    if "force_anneal" in config:
        config.refuse("force_anneal keeps the rate that another one has left", "force_anneal")
    warmup = config.whole("warmup_updates", 0)
    low, power = read.beside("end_learning_rate", 0.0), config.number("power", 1.0, above=0)
    if config.data.get("total_num_update") == "${optimization.max_update}":
        config.ignore("total_num_update")
        end: int | None = None
    else:
        end = config.optional_whole("total_num_update", least=1)
    end = end or read.needs_total("the decay ends after total_num_update")
    length = None if end == read.total else end - warmup
    ramp = linear(0, rate, warmup) if warmup else None
    if warmup >= end:
        read.run.say("The warmup takes all of the decay: one update has lr, then it drops.")
        return stages(ramp, constant(rate, 1), constant(low))
    return stages(ramp, polynomial(rate, low, length, power=power))


def _cosine(read: Reading) -> Schedule:
    rate, low, config = read.rate(), read.beside("min_lr", 0.0), read.config
    if low >= rate:
        config.fail("out-of-range", f"min_lr {low:g} is not below lr {rate:g}")
    warmup, ramp = read.warm(rate, low, 0)
    period, factor = config.number("lr_period_updates", -1), config.number("t_mult", 1.0, above=0)
    shrink = config.number("lr_shrink", 0.1, above=0)
    if period <= 0:
        total = read.needs_total("without lr_period_updates a period ends with the run")
        if total <= warmup:
            config.fail("does-not-fit", "the warmup leaves nothing of the run for a period")
        read.run.say("After max_update the document holds min_lr; fairseq would start a period.")
        return stages(ramp, cosine(rate, low))
    for start in late_starts(period, factor, 60):
        if read.total is None or start + warmup < read.total:
            read.run.say(
                f"A period begins at {start + warmup} here; fairseq's logarithm falls short of its"
                " number and has the lowest rate there once more."
            )
    read.run.usual(config, "lr_shrink", 0.1)
    if factor < 1:
        config.refuse("periods that become shorter end, and fairseq fails after the last", "t_mult")
    cycle = cosine(rate, low)
    return stages(ramp, repeat(cycle, period=period, stretch=factor, shrink=shrink))


def _step(read: Reading) -> Schedule:
    rate, low, config = read.rate(), read.beside("min_lr", 0.0), read.config
    if not 0 <= low < rate:
        config.fail("out-of-range", f"min_lr {low:g} is not between 0 and lr {rate:g}")
    _, ramp = read.warm(rate, low, 0)
    # The name has this slip in fairseq.
    key = "lr_deacy_period" if "lr_deacy_period" in config else "lr_decay_period"
    every = config.whole(key, 25000, least=1)
    if key not in config:
        read.run.say("lr_deacy_period is left out: fairseq takes 25000.")
    factor = config.number("lr_decay", 0.5, above=0, most=1)
    fall = exponential(rate, factor, every, staircase=True)
    if low:
        read.run.say("min_lr is a lower bound.")
    return stages(ramp, clamp(fall, minimum=low) if low else fall)


def _tri_stage(read: Reading) -> Schedule:
    rate, config = read.rate(), read.config
    if "phase_ratio" in config:
        shares = config.numbers("phase_ratio")
        if len(shares) != 3 or sum(shares) != 1 or min(shares) < 0:
            config.fail("wrong-value", "phase_ratio is three shares whose sum is 1", "phase_ratio")
        config.ignore("warmup_steps", "hold_steps", "decay_steps")
        total = read.needs_total("phase_ratio is a share of the run")
        warmup, hold, decay = (int(total * share) for share in shares)
        for share, found in zip(shares, (warmup, hold, decay), strict=True):
            if share * total != found:
                read.run.say(f"phase_ratio {share:g} of {total} updates is {found}, rounded down.")
    else:
        keys = ("warmup_steps", "hold_steps", "decay_steps")
        warmup, hold, decay = (config.whole(key, 0) for key in keys)
    first = rate * config.number("init_lr_scale", 0.01, least=0)
    usual = read.run.usual(config, "final_lr_scale", 0.01)
    last = rate * config.number("final_lr_scale", usual, above=0)
    if not decay:
        config.fail("out-of-range", "fairseq divides by the steps of the decay, which are 0 here")
    ends = warmup + hold + decay == read.total
    held = constant(rate, None if ends else hold) if hold else None
    length = None if ends and not hold else decay
    return stages(
        linear(first, rate, warmup) if warmup else None,
        held,
        constant(rate, length) if last == rate else geometric(rate, last, length),
    )


def _triangular(read: Reading) -> Schedule:
    low, config = read.rate(), read.config
    high = config.number("max_lr", above=low)
    if not read.knows_rate:
        read.run.missing("base", "lr", "max_lr is a rate beside lr, the lowest")
    half = int(config.number("lr_period_updates", 5000, least=2, most=1e15) // 2)
    shrink = config.number("lr_shrink", read.run.usual(config, "lr_shrink", 0.1), above=0)
    read.top = high
    if config.flag("shrink_min", False) or shrink == 1 or low == 0:
        up = [linear(low, high, half), linear(high, low, half)]
        return repeat(stages(*up), period=2 * half, shrink=shrink)
    # The lowest rate keeps its share, while that of the highest shrinks.
    down = stages(linear(low, 0, half), linear(0, low, half))
    up_ = stages(linear(0, high, half), linear(high, 0, half))
    return sum_of(repeat(down, period=2 * half), repeat(up_, period=2 * half, shrink=shrink))


def _fixed(read: Reading) -> Schedule:
    config, rates = read.config, read.rates
    anneal = config.optional_whole("force_anneal", least=1)
    usual = 0.1 if anneal is None else read.run.usual(config, "lr_shrink", 0.1)
    shrink = config.number("lr_shrink", usual, above=0)
    warmup = config.whole("warmup_updates", 0)
    known = rates if anneal is None else rates[: anneal - 1]
    steps: list[Schedule] = []
    read.in_epochs = len(known) > 1 or anneal is not None
    if known:
        length = None if anneal is None else _epochs(anneal - 1)
        boundaries = [_epochs(epoch) for epoch in range(1, len(known))]
        steps = [piecewise_constant(boundaries, known, length)]
    if anneal is not None:
        steps.append(exponential(rates[-1] * shrink, shrink, _EPOCH, staircase=True))
    if not warmup:
        return stages(*steps)
    read.run.say(f"The first update is at 1/{warmup} of the rate.")
    if not read.in_epochs:
        return stages(linear(rates[0] / warmup, rates[0], warmup - 1), constant(rates[0]))
    return product(stages(*steps), linear(1 / warmup, 1, warmup - 1))


def _epochs(number: int) -> str:
    return _EPOCH if number == 1 else f"{number} epochs"


def _manual(read: Reading) -> Schedule:
    by_epoch, by_update = (_entries(read, key) for key in ("epoch2lr", "update2lr"))
    if by_epoch and by_update:
        read.config.refuse("rates of epochs and of updates overwrite each other", "update2lr")
    read.in_epochs = bool(by_epoch)
    found = by_epoch or by_update
    if 1 not in found and not read.knows_rate:
        read.run.missing("base", "lr", "lr is the rate before the first that is given")
    first = found.get(1, read.rates[0])
    boundaries: list[float | str] = []
    values = [first]
    for start in sorted(found):
        position = start - 1 if by_epoch else start
        if position <= 0:
            values[-1] = found[start]
        elif found[start] != values[-1]:
            boundaries.append(_epochs(position) if by_epoch else position)
            values.append(found[start])
    return piecewise_constant(boundaries, values)


def _entries(read: Reading, key: str) -> dict[int, float]:
    """`{"1-3": 0.1, "4,9": 0.01}`, as a mapping or its text, by the number that it starts at."""
    config = read.config
    value: object = config.raw(key, {})
    if isinstance(value, str):
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            config.fail("wrong-value", "expected a mapping such as {'1-3': 0.1}", key)
    if not isinstance(value, Mapping):
        config.fail("wrong-type", "expected a mapping such as {'1-3': 0.1}", key)
    found: dict[int, float] = {}
    for name, rate in cast("Mapping[object, object]", value).items():
        starts = str(name).split("-")[:1] if "-" in str(name) else str(name).split(",")
        if (
            isinstance(rate, bool)
            or not isinstance(rate, int | float)
            or len(found) > _MOST_ENTRIES
        ):
            config.fail("wrong-type", "expected a rate for every update or epoch", key)
        for start in starts:
            if not start.strip().isdecimal() or len(start) > 15:
                config.fail("wrong-value", "expected numbers such as '3', '1-3' or '4,9'", key)
            found[int(start)] = float(rate)
    return found


SCHEDULERS: Mapping[str, Callable[[Reading], Schedule]] = {
    "fixed": _fixed,
    "inverse_sqrt": _inverse_sqrt,
    "polynomial_decay": _polynomial,
    "cosine": _cosine,
    "tri_stage": _tri_stage,
    "triangular": _triangular,
    "step": _step,
    "manual": _manual,
}
