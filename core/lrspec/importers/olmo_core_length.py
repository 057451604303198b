"""The length of an OLMo run, and the tokens of one update: of OLMo-core and of legacy OLMo."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lrspec.importing.config import Config
from lrspec.importing.run import Run
from lrspec.scalars import NotFiniteError, number
from lrspec.shorten import shown

# 2e12T are tokens, 3ep are epochs, and a number alone is one of updates.
_DURATION = re.compile(r"\s*([0-9_.]+(?:[eE][+-]?[0-9]+)?)\s*(T|ep|)\s*")
_UNITS = {"T": "tokens", "ep": "epochs", "": "steps"}
_LONGEST = 10**18


@dataclass(frozen=True)
class Batch:
    """What one update takes, as far as a configuration says it."""

    tokens: int | None
    samples: int | None
    sequence_length: int | None

    @property
    def facts(self) -> dict[str, Any]:
        """What a document along tokens needs to know of the run."""
        if self.samples is None or self.sequence_length is None:
            return {}
        return {"batch_size": self.samples, "sequence_length": self.sequence_length}


def batch_of(config: Config, run: Run) -> Batch:
    """The batch of a whole configuration: sequences in legacy OLMo, tokens in OLMo-core."""
    given, length = run.batch_size(), run.sequence_length()
    if "global_train_batch_size" in config:
        given = run.batch_size(config, "global_train_batch_size")
        length = run.sequence_length(config.section("model", {}), "max_sequence_length")
    loader, dataset = config.raw("data_loader", None), config.raw("dataset", None)
    tokens = None
    if isinstance(loader, dict):
        tokens = config.section("data_loader").optional_whole("global_batch_size", least=1)
    if isinstance(dataset, dict):
        length = run.sequence_length(config.section("dataset"), "sequence_length")
    if tokens is not None and length and given is None and tokens % length == 0:
        given = tokens // length
    if tokens is None and isinstance(given, int) and length is not None:
        tokens = given * length
    return Batch(tokens, given if isinstance(given, int) else None, length)


def total_of(trainer: Config, run: Run, units: str, batch: Batch) -> int | None:
    """The length of the run in the units of the scheduler, where the configuration says it."""
    for stop in ("hard_stop", "stop_at"):
        if stop in trainer:
            run.say(f"{stop} ends the run before its schedule does, of which this is the whole.")
    key = "max_tokens" if units == "tokens" else "max_steps"
    if key in trainer or "max_duration" not in trainer:
        if units == "tokens":
            return trainer.optional_whole(key, least=1)
        return run.steps(trainer, key)
    value, unit = _duration(trainer)
    if unit == units:
        if units == "steps":
            return _checked(trainer, run, value)
        return value
    if units == "tokens":
        return value * batch.tokens if unit == "steps" and batch.tokens is not None else None
    if unit == "epochs":
        run.has_epochs = True
        if run.steps() is None and run.facts.get("steps_per_epoch") is None:
            return None
        steps = run.steps()
        if run.facts.get("steps_per_epoch") is not None:
            steps = _checked(trainer, run, int(value * run.steps_per_epoch(why="")))
            run.say(f"{value} epochs are {steps} steps.")
        return steps
    if batch.tokens is None:
        return run.steps()
    steps = -(-value // batch.tokens)
    run.say(f"{value} tokens are {steps} steps of {batch.tokens}, rounded up.")
    return _checked(trainer, run, steps)


def _checked(config: Config, run: Run, steps: int) -> int:
    given = run.steps()
    if given not in (None, steps):
        message = f"steps is {steps} in the configuration and {given} here"
        config.fail("conflicting-fact", message, "max_duration")
    return steps


def _duration(config: Config) -> tuple[int, str]:
    """`max_duration`: a number and its unit."""
    key = "max_duration"
    raw = config.raw(key)
    if isinstance(raw, dict):
        inside = config.section(key)
        unit = inside.choice("unit", ("steps", "epochs", "tokens"), what="unit")
        return inside.whole("value", least=1), unit
    if not isinstance(raw, str):
        return config.whole(key, least=1), "steps"
    found = _DURATION.fullmatch(config.text(key))
    amount = None if found is None else _amount(found[1])
    if found is None or amount is None or amount > _LONGEST or int(amount) < 1:
        hint = "such as 100000, 2e12T or 1ep"
        config.fail("wrong-value", f"expected a length, found {shown(raw)}", key, hint=hint)
    return int(amount), _UNITS[found[2]]


def _amount(text: str) -> float | None:
    try:
        return number(text.replace("_", ""))
    except NotFiniteError:
        return None
