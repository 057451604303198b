"""Durations of big_vision: in steps, examples, epochs, or as a share of the run."""

from __future__ import annotations

import math

from lrspec.importing.config import Config
from lrspec.importing.run import Run
from lrspec.shorten import shown

UNITS = ("steps", "examples", "epochs", "percent")


class Sizes:
    """The durations of one configuration in whole steps.

    The samples of a step are `batch_size`, in the configuration or in its `input`, those of an
    epoch `data_size`; the caller gives them as the facts `batch_size` and `steps_per_epoch`.
    """

    def __init__(self, config: Config, run: Run) -> None:
        self.config = config
        self.run = run
        self.holder = config
        if "batch_size" not in config and "input" in config:
            self.holder = config.section("input")
        self.holder.ignore("batch_size", "data_size")

    def total(self) -> int:
        """The steps of the run."""
        why = "the schedules of big_vision end with the run"
        units, given = self._given(self.config, "total"), self.run.steps()
        if not units:
            return self.run.missing("steps", "total_steps", why) if given is None else given
        if units == ["steps"]:
            return self.run.needs_steps(self.config, "total_steps", why=why)
        steps = self.duration(self.config, "total")
        if given not in (None, steps):
            message = f"steps is {steps} in the configuration and {given} here"
            self.config.fail("conflicting-fact", message)
        if steps == 0:
            self.config.fail("out-of-range", "the run has no steps")
        return steps

    def duration(self, section: Config, name: str, total: int = 0) -> int:
        """What `name` is in steps, in whichever unit it is given; 0 where it is not. Below 0 it
        counts as left out, and a share is one of `total`."""
        units = self._given(section, name)
        if not units:
            return 0
        if len(units) > 1:
            section.conflict(f"{name}_{units[0]}", f"{name}_{units[1]}")
        unit, key = units[0], f"{name}_{units[0]}"
        if unit == "steps":
            return section.whole(key)
        value = section.number(key, most=1 if unit == "percent" else math.inf)
        exact = self._exact(value, unit, key, total)
        if not math.isfinite(exact):
            section.fail("out-of-range", f"{shown(value)} is too long", key)
        steps = max(1, round(exact)) if exact else 0
        how = "" if steps == exact else ", rounded half to even, to no less than 1"
        self.run.say(f"{key} {value:g} is {steps} steps{how}.")
        return steps

    def batch(self, why: str) -> int:
        """The samples of one step; `why` says what needs them."""
        found = self.run.batch_size(self.holder, "batch_size")
        if isinstance(found, list):
            self.config.refuse("in big_vision the batch size does not change")
        return self.run.missing("batch_size", "batch_size", why) if found is None else int(found)

    def _given(self, section: Config, name: str) -> list[str]:
        units = UNITS[:-1] if name == "total" else UNITS
        numbers = {unit: section.optional_number(f"{name}_{unit}") for unit in units}
        return [unit for unit, number in numbers.items() if number is not None and number >= 0]

    def _exact(self, value: float, unit: str, key: str, total: int) -> float:
        """The steps of so many of a unit, before rounding."""
        why = f"{key} is counted in {unit}"
        if unit == "percent":
            return value * total
        if unit == "examples":
            return value / self.batch(why)
        if "data_size" not in self.config:
            return value * self.run.steps_per_epoch(why=why)
        return value * (self.config.number("data_size", above=0) / self.batch(why))
