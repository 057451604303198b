"""The factors of scenic's `compound` schedule, as lists of parts."""

from __future__ import annotations

from itertools import pairwise

from lrspec.importing.config import REQUIRED, Config
from lrspec.importing.factors import Factor, after
from lrspec.importing.nodes import (
    Node,
    constant,
    cosine,
    exponential,
    inverse_sqrt,
    linear,
    number,
    piecewise_constant,
    piecewise_linear,
    polynomial,
    repeat,
)
from lrspec.importing.run import Run

# What each factor takes of the configuration.
TAKES = {
    "constant": ("base_learning_rate",),
    "polynomial": ("decay_steps", "end_factor", "power"),
    "piecewise_constant": ("decay_events", "decay_factors"),
    "piecewise_linear": ("decay_events", "decay_factors"),
    "linear_warmup": ("warmup_steps", "warmup_alpha"),
    "rsqrt_decay": ("warmup_steps", "timescale"),
    "decay_every": ("steps_per_decay", "decay_factor"),
    "exponential_decay": ("decay_steps", "decay_rate", "staircase"),
    "cosine_decay": (
        *("steps_per_cycle", "t_mul", "m_mul", "alpha"),
        *("warmup_steps", "start_decay_step", "total_steps"),
    ),
    "linear_decay": ("warmup_steps", "total_steps", "end_learning_rate"),
    "linear_cooldown": ("warmup_steps", "total_steps", "cooldown_steps"),
}


class Compound:
    """The arguments of one compound schedule. `linear_decay`, which is no factor, is not here."""

    def __init__(self, section: Config, run: Run, names: list[str]) -> None:
        self.section = section
        self.run = run
        self.names = names
        self.warmup = section.whole("warmup_steps", 0)

    def factor(self, name: str) -> Factor:
        """The parts of a factor."""
        section = self.section
        match name:
            case "constant":
                return [constant(self.base())]
            case "polynomial":
                return self._polynomial()
            case "piecewise_constant" | "piecewise_linear":
                return [self._piecewise(name)]
            case "linear_warmup":
                return self._warmup()
            case "rsqrt_decay":
                timescale = section.number("timescale", 10_000, above=0)
                return after(self.warmup, 1, inverse_sqrt(1, timescale))
            case "decay_every":
                rate = section.number("decay_factor", above=0)
                every = section.whole("steps_per_decay", least=1)
                return [exponential(1, rate, every, staircase=True)]
            case "exponential_decay":
                return [self._exponential()]
            case "cosine_decay":
                return self._cosine()
            case _:
                return self._cooldown()

    def base(self) -> float:
        """The rate of the factor `constant`."""
        given = self.run.base(self.section, "base_learning_rate")
        return self.section.number(
            "base_learning_rate", REQUIRED if given is None else given, least=0
        )

    def after_warmup(self, name: str) -> int:
        """The steps from the end of the warmup to that of the run."""
        total = self.run.needs_steps(self.section, "total_steps", why=f"{name} ends with the run")
        if total <= self.warmup:
            message = f"the warmup of {self.warmup} steps is not shorter than the run of {total}"
            self.section.fail("does-not-fit", message)
        return total - self.warmup

    def note_unused(self) -> None:
        """Say which arguments are given that no factor takes."""
        taken = {key for name in self.names for key in TAKES[name]} | {"total_steps"}
        for key in sorted({key for keys in TAKES.values() for key in keys} - taken):
            if key in self.section:
                self.run.say(f"{key} is given, and no factor takes it.")
            self.section.ignore(key)

    def _exponential(self) -> Node:
        rate = self.section.number("decay_rate", above=0)
        every = self.section.number("decay_steps", above=0)
        return exponential(1, rate, every, staircase=self.section.flag("staircase", False))

    def _polynomial(self) -> Factor:
        section = self.section
        length, end = section.whole("decay_steps", least=1), section.number("end_factor")
        fall = polynomial(1, end, length, power=section.number("power", above=0))
        return [fall, constant(end)]

    def _piecewise(self, name: str) -> Node:
        section = self.section
        events, factors = section.wholes("decay_events"), section.numbers("decay_factors")
        if len(events) != len(factors):
            message = f"there are {len(events)} decay_events and {len(factors)} decay_factors"
            section.fail("values-number", message, "decay_factors")
        if name == "piecewise_linear":
            if not events or any(a >= b for a, b in pairwise([0, *events])):
                message = "decay_events increase strictly, from more than 0"
                section.fail("boundaries-order", message, "decay_events")
            self.run.say(
                "scenic takes each line for 1e-6 steps longer, in float32; here it is exact."
            )
            return piecewise_linear([0, *events], [1, *factors])
        if any(a >= b for a, b in pairwise(events)):
            section.fail("boundaries-order", "decay_events increase strictly", "decay_events")
        self.run.say("A factor counts from the step after its event on, as in scenic.")
        return piecewise_constant([event + 1 for event in events], [1, *factors])

    def _warmup(self) -> Factor:
        if "warmup_steps" not in self.section:
            self.section.whole("warmup_steps")
        start = self.section.number("warmup_alpha", 0.0)
        if not self.warmup or start >= 1:
            return [constant(1)]
        if start == 0:
            self.run.say("The first update is at 0.")
        return [linear(number(start), 1, self.warmup), constant(1)]

    def _cosine(self) -> Factor:
        section, run = self.section, self.run
        cycle = section.whole("steps_per_cycle", least=1)
        total = section.whole("total_steps", cycle, least=1)
        period = cycle - int(self.warmup / (total / cycle))
        if period < 1:
            message = f"the warmup leaves nothing of the cycle of {cycle} steps"
            section.fail("does-not-fit", message, "steps_per_cycle")
        if period != cycle:
            run.say(
                f"The warmup of {self.warmup} steps makes each cycle of {cycle} one of {period}."
            )
        start = self.warmup + section.whole("start_decay_step", 0)
        end = section.number("alpha", 0.0)
        stretch, shrink = section.number("t_mul", 1, least=1), section.number("m_mul", 1, above=0)
        if stretch != 1:
            run.say("Where a cycle begins scenic finds by logarithms in float32, here it is exact.")
        run.say(f"The cosine starts again at step {start + period}, and so on.")
        again = repeat(
            cosine(1, end),
            period=period,
            stretch=stretch,
            shrink=shrink,
            toward=0 if shrink == 1 else end,
        )
        return after(start, 1, again)

    def _cooldown(self) -> Factor:
        left = self.after_warmup("linear_cooldown")
        cooldown = self.section.whole("cooldown_steps", least=1)
        total = self.warmup + left
        self.run.say(f"After step {total} the cooldown goes on below 0, as it does in scenic.")
        if cooldown > left:
            return after(
                self.warmup, left / cooldown, linear(left / cooldown, 0, left, extend=True)
            )
        return after(total - cooldown, 1, linear(1, 0, cooldown, extend=True))
