"""nanotron: `optimizer.learning_rate_scheduler`, and `tokens.train_steps` (nanotron/helpers.py).

In what follows s is the step, w `lr_warmup_steps`, T the steps, B `learning_rate`, m
`min_decay_lr`, a `lr_decay_starting_step` (w where it is left out) and d `lr_decay_steps`.
B·s/w up to and with s = w, B up to a, m + (B − m)·{½(1 + cos πp), 1 − p, 1 − √p} with
p = (s − a)/d up to a + d, then m.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Node,
    Schedule,
    advance,
    constant,
    cosine,
    linear,
    polynomial,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_RISES = ("linear", "constant")
_FALLS = ("linear", "cosine", "1-sqrt")


@importer("nanotron")
def load(config: Config, run: Run) -> Imported:
    """The document of a nanotron configuration: a whole one, its `optimizer`, or the fields of
    `learning_rate_scheduler` with `train_steps` beside them."""
    scheduler, tokens = config, config
    if "optimizer" in config or "learning_rate_scheduler" in config:
        config.ignore_rest()
        optimizer = config.section("optimizer") if "optimizer" in config else config
        optimizer.ignore_rest()
        scheduler = optimizer.section("learning_rate_scheduler")
        tokens = config.section("tokens", {})
        tokens.ignore_rest()
    elif "learning_rate" not in config:
        message = "there is no optimizer.learning_rate_scheduler here, and no learning_rate"
        config.fail("not-a-config", message)
    base = run.base(scheduler, "learning_rate")
    if base is None:
        run.missing("base", "learning_rate", "nanotron has no default for learning_rate")
    steps = run.steps(tokens, "train_steps")
    schedule = _Reader(scheduler, run, base, steps).schedule()
    scheduler.done()
    return run.document(schedule, origin="learning_rate_scheduler", base=base, steps=steps)


class _Reader:
    """Reads the fields: `peak` is B, `steps` T where it is known."""

    def __init__(self, config: Config, run: Run, peak: float, steps: int | None) -> None:
        self.run = run
        self.peak = peak
        self.steps = steps
        key = "lr_decay_style"
        self.warmup = config.whole("lr_warmup_steps", 0)
        self.is_linear = config.choice("lr_warmup_style", _RISES, what="style") == "linear"
        falling = "linear" if "min_decay_lr" not in config else run.usual(config, key, "linear")
        self.style = config.choice(key, _FALLS, falling, what="style")
        self.low = config.number("min_decay_lr", peak, least=0)
        if "min_decay_lr" not in config:
            run.say("min_decay_lr is not given; it is learning_rate, and nothing decays.")
        given = config.optional_whole("lr_decay_starting_step")
        self.start = self.warmup if given is None else given
        length = config.optional_whole("lr_decay_steps")
        self.length = self.rest(given) if length is None else length

    def rest(self, start: int | None) -> int:
        """D where it is left out: T − w − a, with the warmup twice where a is given."""
        if self.steps is None:
            why = "lr_decay_steps is not given, and the decay ends with the run"
            self.run.missing("steps", "train_steps", why)
        found = self.steps - self.warmup - (start or 0)
        if start is not None and self.warmup:
            self.run.say(
                f"lr_decay_steps is not given; nanotron takes {found}, and so the decay ends"
                f" {self.warmup} steps before the run."
            )
        return found

    def schedule(self) -> Schedule:
        """The stages."""
        w, peak = self.warmup, self.peak
        if w == 0 and self.length == 0:
            self.run.say("Without warmup and decay the rate is learning_rate squared in nanotron.")
            return constant(peak * peak)
        if self.is_linear and w == 0:
            self.run.say("Step 0 belongs to the warmup in nanotron, with a rate of 0.")
            return stages(constant(0, 1), *self.after(1))
        warm = linear(0, peak, w) if self.is_linear else None
        if warm is not None:
            self.run.say("The first update is at 0.")
        if self.start >= w and self.start + self.length > w:
            return stages(warm, *self.after(w if warm else 0))
        # Up to and with step w it is the warmup, whatever else would begin before.
        return stages(warm, constant(peak, 1 if warm else w + 1), *self.after(w + 1))

    def after(self, first: int) -> list[Node]:
        """From `first` on: B up to a, the decay up to a + d, and m."""
        if self.peak == self.low:
            return [constant(self.peak)]
        at, end = max(first, self.start), self.start + self.length
        held = constant(self.peak, at - first)
        if end <= at:
            return [held, constant(self.low)]
        if at > self.start:
            self.run.say(f"The decay counts from step {self.start}, before the warmup has ended.")
            late = advance(self.fall(self.length), at - self.start, end - at)
            return [late, constant(self.low)]
        if end == self.steps:
            return [held, self.fall(None)]
        ends_early = self.steps is not None and end < self.steps
        return [held, self.fall(self.length), *([constant(self.low)] if ends_early else [])]

    def fall(self, length: int | None) -> Node:
        """From B to m."""
        match self.style:
            case "cosine":
                return cosine(self.peak, self.low, length)
            case "linear":
                return linear(self.peak, self.low, length)
            case _:
                return polynomial(self.peak, self.low, length, power=0.5, origin="initial")
