"""One import: what is known of the run beside the configuration, and the document at its end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.nodes import Schedule, number
from lrspec.importing.sampled import sampled
from lrspec.importing.scale import relative, tidy
from lrspec.problems import Problem, SpecError
from lrspec.shorten import shown
from lrspec.source import Source

_Default = TypeVar("_Default", bound=float | str)
# A document cannot hold the values of many more steps.
_LONGEST_SAMPLE = 400_000
# What the command line calls the facts.
_OPTIONS = {
    "steps": "--steps",
    "base": "--base",
    "batch_size": "--batch-size",
    "sequence_length": "--sequence-length",
    "steps_per_epoch": "--steps-per-epoch",
}


@dataclass
class Run:
    """What the caller says beside the configuration.

    `system` is what messages call it, `facts` are bind's keywords, `schedule` is the function or
    class where the configuration does not name it, `sample` allows a schedule that no kind states
    to be written as straight lines through its values.
    """

    system: str
    source: Source
    facts: Mapping[str, Any]
    schedule: str | None = None
    sample: bool = False
    notes: list[str] = field(default_factory=list[str])
    # Whether the length is given in epochs, of which the steps are not known.
    has_epochs: bool = False

    # Facts

    def steps(self, config: Config | None = None, key: str = "") -> int | None:
        """The length of the run in steps, from the configuration or the caller; None where neither
        says."""
        value = self._fact("steps", config, key, least=1)
        return None if value is None else int(value)

    def needs_steps(self, config: Config, key: str = "", *, why: str) -> int:
        """The length of the run in steps; `why` says what cannot be told without it."""
        found = self.steps(config, key)
        return self.missing("steps", key, why) if found is None else found

    def base(self, config: Config | None = None, key: str = "") -> float | None:
        """The rate that 1 stands for, from the configuration or the caller."""
        return self._fact("base", config, key)

    def steps_per_epoch(self, config: Config | None = None, key: str = "", *, why: str) -> float:
        """The steps of one epoch."""
        found = self._fact("steps_per_epoch", config, key)
        return self.missing("steps_per_epoch", key, why) if found is None else found

    def batch_size(self, config: Config | None = None, key: str = "") -> Any:
        """The samples of one step: a number, or a batch schedule."""
        given: list[Any] | float | None = self.facts.get("batch_size")
        if isinstance(given, list):
            return given
        value = self._fact("batch_size", config, key, least=1)
        return None if value is None else int(value)

    def sequence_length(self, config: Config | None = None, key: str = "") -> int | None:
        """The tokens of one sample."""
        value = self._fact("sequence_length", config, key, least=1)
        return None if value is None else int(value)

    def missing(self, fact: str, key: str, why: str) -> NoReturn:
        """A fact is needed and nobody says it."""
        where = f"{key!r} in the configuration, or " if key else ""
        hint = f"give {where}{_OPTIONS[fact]} (in Python {fact}=…)"
        if fact == "steps" and self.has_epochs:
            hint += f"; or {_OPTIONS['steps_per_epoch']}, for its epochs"
        raise SpecError([self.source.problem("missing-fact", (), why, hint=hint)])

    def _fact(
        self, name: str, config: Config | None, key: str, *, least: float | None = None
    ) -> float | None:
        given = self.facts.get(name)
        if given is not None:
            given = self._given(name, given, whole=least is not None)
        if config is None or not key or config.raw(key, None) is None:
            return given
        value = config.whole(key, least=int(least)) if least is not None else config.number(key)
        if given is not None and given != value:
            message = f"{name} is {shown(value)} in the configuration and {shown(given)} here"
            config.fail("conflicting-fact", message, key)
        return value

    @staticmethod
    def _given(name: str, value: object, *, whole: bool) -> float:
        """A fact that the caller gives, which is a number above 0."""
        number = value if isinstance(value, int | float) and value is not True else 0
        if 0 < number < math.inf and (not whole or number == int(number)):
            return number
        message = f"{name} is a {'whole ' if whole else ''}number above 0, found {shown(value)}"
        raise SpecError([Problem("error", "invalid-fact", None, "", None, None, message)])

    # The document

    def say(self, note: str) -> None:
        """Something that was assumed, for people to read."""
        if note not in self.notes:
            self.notes.append(note)

    def usual(self, config: Config, key: str, value: _Default) -> _Default:
        """What the system takes where a key is left out, which is told."""
        if key not in config:
            written = value if isinstance(value, str) else number(value)
            self.say(f"{key} is left out: {self.system} takes {written}.")
        return value

    def sampled(
        self,
        rate: Callable[[int], float],
        steps: int,
        *,
        refusal: str,
        config: Config,
        at: str = "",
    ) -> Schedule:
        """Straight lines through `rate` at every step from 0 to `steps`, where the caller allows
        it; otherwise the import is refused with `refusal`."""
        self.needs_sampling(refusal, config, at)
        self.say(
            f"Sampled: {refusal}. The document has its values at every step from 0 to {steps},"
            " joined by straight lines, and the last value from there on."
        )
        if steps > _LONGEST_SAMPLE:
            limit = f"{_LONGEST_SAMPLE:,}"
            config.refuse(f"{refusal}, and only a run of up to {limit} steps can be sampled")
        try:
            return sampled(rate, steps)
        except (ArithmeticError, ValueError) as error:
            config.refuse(f"the schedule has no rate at every step: {error}")

    def needs_sampling(self, refusal: str, config: Config, at: str = "") -> None:
        """Refuse with `refusal` what can only be sampled, where the caller does not allow that."""
        if not self.sample:
            hint = "with --sample it is written as straight lines through its values at every step"
            config.refuse(refusal, *([at] if at else []), hint=hint)

    def document(
        self,
        schedule: Schedule,
        *,
        origin: str,
        base: float | None,
        steps: int | str | None = None,
        training: Mapping[str, Any] | None = None,
        others: Mapping[str, Schedule] | None = None,
        **settings: str,
    ) -> Imported:
        """The document of a schedule whose values are rates (multiples, where `base` is None).

        `origin` is what the schedule is called in its system. Rates become multiples of `base`
        where these are short numbers, and stay what they are, with `base: absolute`, where they are
        not. `others` are schedules of further hyperparameters, in their own units. `settings` are
        `sample`, `rounding` and `axis`.
        """
        data: dict[str, Any] = {"lrspec": 1}
        multiples = schedule if base is None else relative(schedule, base)
        shared: Any = None if base is None else base if multiples is not None else "absolute"
        if others:
            shared = {} if shared is None else {"lr": shared}
            shared |= dict.fromkeys(others, "absolute")
        facts = {
            "steps": steps,
            "batch_size": self.facts.get("batch_size"),
            "sequence_length": self.facts.get("sequence_length"),
        }
        stated = [*facts.items(), *(training or {}).items()]
        known = {name: value for name, value in stated if value is not None}
        data |= {"base": shared} if shared is not None else {}
        data |= {name: value for name, value in settings.items() if value != _USUAL.get(name)}
        data |= {"training": known} if known else {}
        written = tidy(schedule if multiples is None else multiples)
        if others:
            tidied = {name: tidy(other) for name, other in others.items()}
            data["schedules"] = {"lr": written, **tidied}
        else:
            data["schedule"] = written
        return Imported(data, f"{self.system} {origin}", self.notes)


_USUAL = {"axis": "steps", "sample": "start", "rounding": "none"}
