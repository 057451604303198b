"""Composer's time strings: `10ba`, `2ep`, `5000sp`, `3e9tok`, and `0.1dur` of the whole run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from lrspec.importing.config import Config
from lrspec.importing.nodes import Length, percent
from lrspec.importing.run import Run
from lrspec.shorten import quoted, shown

_TIME = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?)\s*(ep|ba|sp|tok|dur|iter|sec)\s*")
_MOST = 10**18
_NAMES = {"ba": "batches", "sp": "samples", "tok": "tokens"}
_SCALES = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "k"))


@dataclass(frozen=True)
class Time:
    """A whole number of batches, samples or tokens; `share` where it was a share of the run that
    needed no rounding."""

    value: int
    unit: str
    share: str | None = None

    @property
    def span(self) -> Length:
        """The time as a document states it."""
        if self.share is not None:
            return self.share
        if self.unit == "ba":
            return self.value
        return amount(self.value, "samples" if self.unit == "sp" else "tokens")


def amount(value: int, unit: str) -> str:
    """A number of samples or tokens, as short as it can be: `4.8B tokens`."""
    for scale, letter in _SCALES:
        if value >= scale and value * 1000 % scale == 0:
            return f"{(Decimal(value) / scale).normalize():f}{letter} {unit}"
    return f"{value} {unit}"


@dataclass
class Times:
    """How the times of one run are read. `ratio` is the scale_schedule_ratio."""

    config: Config
    run: Run
    whole: Time | None
    ratio: float
    # Where the batches of an epoch stand.
    trainer: Config
    units: set[str] = field(default_factory=set[str])

    def read(self, key: str, default: str | None = None, *, scaled: bool = True) -> Time:
        """The time at a key, as Composer converts it: to whole batches, samples or tokens."""
        if default is not None and key not in self.config:
            return self.time(default, key, scaled)
        return self.time(self.config.raw(key), key, scaled)

    def several(self, key: str) -> list[Time]:
        """A list of times."""
        found = self.config.raw(key)
        if not isinstance(found, list):
            self.config.fail("wrong-type", f"expected a list, found {shown(found)}", key)
        return [self.time(item, key, scaled=True) for item in found]

    def time(self, value: object, key: str, scaled: bool) -> Time:
        """A time string in whole batches, samples or tokens."""
        number, unit = parsed(self.config, key, value)
        if unit == "dur":
            return self._of_run(number, key)
        number, unit = in_batches(self.trainer, self.run, number, unit, key)
        if self.ratio != 1 and scaled:
            number = Decimal(int(float(number) * self.ratio))
        return self._noted(Time(int(number), unit))

    def _of_run(self, share: Decimal, key: str) -> Time:
        if self.whole is None:
            self.run.missing("steps", "max_duration", f"{key} is a share of max_duration")
        found = int(float(share) * self.whole.value)
        exact = share * self.whole.value == found and self.whole.unit == "ba"
        if share * self.whole.value != found:
            name = _NAMES[self.whole.unit]
            self.run.say(f"{key} {share}dur is {found} of {self.whole.value} {name}, rounded down.")
        text = percent(float(share)) if exact and share != 1 else None
        return self._noted(Time(found, self.whole.unit, text))

    def _noted(self, time: Time) -> Time:
        self.units.add(time.unit)
        return time

    def is_end(self, time: Time) -> bool:
        """Whether the run ends there, which can be told of batches only: the last one of a run of
        samples may be a part of one."""
        return self.whole is not None and time.unit == "ba" and time.value == self.whole.value

    def between(self, start: Time | None, end: Time) -> Length:
        """The length from one time to another; None where that is the end of the run."""
        if self.is_end(end):
            return None
        if start is None or start.value == 0:
            return end.span
        return Time(end.value - start.value, end.unit).span

    @property
    def axis(self) -> str:
        """Along what the schedule goes."""
        units = self.units
        return "tokens" if "tok" in units else "samples" if "sp" in units else "steps"


def parsed(config: Config, key: str, value: object) -> tuple[Decimal, str]:
    """The number and the unit of a time string; a number alone is batches."""
    if isinstance(value, str) and (found := _TIME.fullmatch(value)):
        number, unit = Decimal(found[1]), found[2]
        if unit in ("iter", "sec"):
            config.refuse(f"{quoted(value)} is no length in batches, samples or tokens", key)
        if number > _MOST or (unit != "dur" and number != int(number)):
            config.fail("out-of-range", f"expected a whole number, found {quoted(value)}", key)
        return number, unit
    hint = "such as 100ba, 2ep, 5000sp, 3e9tok or 0.1dur"
    config.fail("wrong-type", f"expected a time, found {shown(value)}", key, hint=hint)


def in_batches(
    config: Config, run: Run, number: Decimal, unit: str, key: str
) -> tuple[Decimal, str]:
    """Epochs as batches; any other time as it is."""
    if unit != "ep":
        return number, unit
    why = f"{key} counts epochs, which Composer turns into batches"
    per_epoch = run.steps_per_epoch(config, "batches_per_epoch", why=why)
    if per_epoch != int(per_epoch) or per_epoch < 1:
        config.fail("wrong-value", f"an epoch is a whole number of batches, not {per_epoch:g}")
    return number * int(per_epoch), "ba"


def whole_run(config: Config, run: Run, ratio: float) -> Time | None:
    """`max_duration` of a configuration, or the steps that the caller gives."""
    value = config.raw("max_duration", None)
    if value is None:
        steps = run.steps()
        return None if steps is None else Time(steps, "ba")
    if isinstance(value, int) and not isinstance(value, bool):
        value = f"{value}ep"
    number, unit = parsed(config, "max_duration", value)
    if unit == "dur" or number < 1:
        config.fail("wrong-value", "max_duration is no share of itself", "max_duration")
    number = number if ratio == 1 else Decimal(int(float(number) * ratio))
    number, unit = in_batches(config, run, number, unit, "max_duration")
    found = Time(int(number), unit)
    if unit == "ba" and run.steps() not in (None, found.value):
        message = f"steps is {found.value} in the configuration and {run.steps()} here"
        config.fail("conflicting-fact", message, "max_duration")
    return found
