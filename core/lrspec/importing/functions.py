"""Schedules that functions make: by their name and arguments, or as the text of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.importing.calls import Call, NotKnownError, Value, arguments, parse_value, plain
from lrspec.importing.config import Config
from lrspec.importing.joining import Stage, join
from lrspec.importing.run import Run
from lrspec.scalars import number
from lrspec.shorten import listed, quoted

NAMES = ("name", "_target_")
# What takes an optimizer first, and leaves its steps what they are.
_WRAPPERS = ("MultiSteps", "apply_if_finite", "flatten", "masked")
# What takes several optimizers, each for some of the parameters.
_SEVERAL = ("MultiOptimizer", "combine", "multi_transform", "partition")
# Beside a rate that does not change, a key with one of these in it says that it does.
_ABOUT_RATES = ("sched", "warmup", "anneal", "decay_step", "lr_decay", "transition_step")
Found: TypeAlias = tuple[str, Config]


@dataclass(frozen=True)
class Functions:
    """The functions of one library.

    Attributes:
        signatures: Their parameters, in their order.
        constant: The function that a number alone stands for, with its parameter.
        optimizers: What takes a schedule first, or as `learning_rate`.
        inside: The keys under which a configuration has its schedule.
    """

    signatures: Mapping[str, Sequence[str]]
    constant: tuple[str, str]
    optimizers: Sequence[str] = ()
    inside: Sequence[str] = ("schedule", "lr_schedule", "learning_rate")

    def find(self, config: Config, run: Run) -> Found:
        """The schedule of a configuration: its function, and its arguments."""
        if run.schedule is not None:
            return self._from_text(config, run.schedule)
        return self._find(config)

    def value(self, config: Config, *at: str | int) -> Found:
        """A schedule at a place of the configuration: a number, a text or a mapping."""
        value = config.raw(str(at[0]))
        if len(at) > 1 and isinstance(value, list):
            value = value[int(at[1])]
        if isinstance(value, dict):
            return self._named(config.inner(value, *at))
        if isinstance(value, str) and number(value) is None:
            return self._from_text(config, value, *at)
        name, parameter = self.constant
        return name, config.inner({parameter: value}, *at)

    def joined(self, config: Config, make: Callable[[Config, str], list[Stage]]) -> list[Stage]:
        """`schedules` one after the other, each from its boundary on with a clock of its own."""
        boundaries = config.wholes("boundaries")
        schedules = config.raw("schedules")
        if not isinstance(schedules, list) or not schedules:
            config.fail("wrong-type", "expected a list of schedules", "schedules")
        if len(schedules) != len(boundaries) + 1:
            message = f"{len(schedules)} schedules take {len(schedules) - 1} boundaries,"
            config.fail("values-number", f"{message} found {len(boundaries)}", "boundaries")
        parts: list[list[Stage]] = []
        for index in range(len(schedules)):
            name, inner = self.value(config, "schedules", index)
            parts.append(make(inner, name))
        return join(parts, boundaries)

    def _find(self, config: Config) -> Found:
        if "optimizer" in config and not any(key in config for key in NAMES):
            optimizer = config.data["optimizer"]
            config.ignore_rest()
            if not isinstance(optimizer, str):
                return self._alone(config, "optimizer", self._find(config.section("optimizer")))
            if not any(key in config for key in self.inside):
                return self.value(config, "optimizer")
        for key in self.inside:
            # A function there is null, and a problem.
            if key in config.data and config.raw(key, None) is not None:
                config.ignore_rest()
                return self._alone(config, key, self.value(config, key))
        return self._named(config)

    def _alone(self, config: Config, key: str, found: Found) -> Found:
        """What was found, unless it is a fixed rate and something beside it says that the rate
        changes."""
        if found[0] != self.constant[0]:
            return found
        for other in config.keys():  # noqa: SIM118
            if other == key or other in self.inside or not config.data[other]:
                continue
            if any(word in other for word in _ABOUT_RATES):
                message = f"{quoted(other)} stands beside {quoted(key)}, which is a fixed rate"
                hint = f"write the schedule in {quoted(key)}, by the name of its function"
                config.fail("conflicting-fields", message, other, hint=hint)
        return found

    def _named(self, config: Config) -> Found:
        key = next((key for key in NAMES if key in config), None)
        if key is None:
            places = listed([quoted(place) for place in (NAMES[0], *self.inside)], "or")
            hint = f"name its function in {places}, or with --schedule"
            config.fail("missing-field", "no schedule is named here", hint=hint)
        return self._known(config, config.text(key), key), config

    def _known(self, config: Config, name: str, *at: str | int) -> str:
        """A name without what may stand before it."""
        short = name.rpartition(".")[2]
        if short not in self.signatures:
            unknown = config.inner({"name": short}, *at[:-1])
            unknown.choice("name", self.signatures, what="schedule", code="unknown-schedule")
        return short

    def _from_text(self, config: Config, text: str, *at: str | int) -> Found:
        """A schedule that is the name of a function, or a call of it."""
        if text.rpartition(".")[2] in self.signatures:
            return text.rpartition(".")[2], config.inner({}, *at) if at else config
        if text.lstrip().startswith("lambda"):
            config.refuse("the schedule is code of the user, which no document states", *at)
        try:
            data = plain(self._rate(parse_value(text)), self.signatures)
        except ValueError as error:
            hint = error.hint if isinstance(error, NotKnownError) else None
            config.fail("unknown-schedule", str(error), *at, hint=hint)
        if isinstance(data, dict) and "name" in data:
            given = {key: value for key, value in data.items() if key != "name"}
            return str(data["name"]), config.inner(given, *at)
        if isinstance(data, str):
            return self._known(config, data, *at), config.inner({}, *at)
        name, parameter = self.constant
        return name, config.inner({parameter: data}, *at)

    def _rate(self, value: Value) -> Value:
        """What an optimizer is given for its rate: `inject_hyperparams(sgd)(f)` and `sgd(f)` are
        f; a chain has that of the one member that has one."""
        if not isinstance(value, Call):
            return value
        name = value.name.rpartition(".")[2]
        if name in _WRAPPERS and value.args and self.optimizers:
            return self._rate(value.args[0])
        if name in _SEVERAL and self.optimizers:
            raise ValueError(f"{name} has several optimizers; give one of them")
        if name == "chain" and self.optimizers:
            return self._of_chain(value)
        if not (value.of and name == "inject_hyperparams") and name not in self.optimizers:
            return value
        only = Call(value.name, value.args[:1], value.kwargs)
        return arguments(only, ("learning_rate",)).get("learning_rate", value)

    def _of_chain(self, chain: Call) -> Value:
        """The rate of the one member that has one; a factor beside it would be part of the rate."""
        rates: list[Value] = []
        for member in chain.args:
            rate = self._rate(member)
            if rate is not member:
                rates.append(rate)
            elif (
                isinstance(member, Call)
                and member.name.rpartition(".")[2] == "scale"
                and member.args not in ((1,), (-1,))
            ):
                raise ValueError("a chain with a factor of the rate is not read; multiply it out")
        if len(rates) != 1:
            raise ValueError(f"a chain with {len(rates)} rates has not one rate")
        return rates[0]
