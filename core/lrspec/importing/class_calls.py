"""Schedulers as the calls that make them, turned into a class with its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lrspec.importing.calls import Call, NotKnownError, Value, parse_value, plain
from lrspec.importing.config import Config
from lrspec.source import Json

Signatures = Mapping[str, Sequence[str]]


def reader(signatures: Signatures) -> Callable[[str], dict[str, Json]]:
    """Makes a mapping of the text of a call, or of a script that ends with one: `{"name": …}` with
    the arguments by their names. Of an optimizer it is that of its `learning_rate`."""

    def read(text: str) -> dict[str, Json]:
        data = plain(_scheduler(parse_value(text), signatures), signatures)
        if isinstance(data, dict) and "name" in data:
            return data
        raise ValueError("it is no call of a scheduler")

    return read


def of_call(
    config: Config, schedule: str | None, signatures: Signatures
) -> tuple[Config, str | None]:
    """The configuration and the class beside it; where that is the text of a call, a configuration
    with what this says."""
    if schedule is None or "(" not in schedule:
        return config, schedule
    try:
        data = reader(signatures)(schedule)
    except ValueError as error:
        hint = error.hint if isinstance(error, NotKnownError) else None
        config.fail("unknown-schedule", str(error), hint=hint)
    return config.inner(data), None


def _scheduler(value: Value, signatures: Signatures) -> Value:
    if isinstance(value, Call) and value.name.rpartition(".")[2] not in signatures:
        return value.kwargs.get("learning_rate", value)
    return value
