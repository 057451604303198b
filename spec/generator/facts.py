"""The facts of a run: what the document says of them, and what the host says (clause 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from generator.clock import Batches, Clock, constant_batches, merged
from generator.decimals import rational
from generator.quantities import in_steps
from generator.refusal import Refused

ABSOLUTE = "absolute"


@dataclass(frozen=True)
class Run:
    """A document's facts, settled for one of the names that it schedules."""

    clock: Clock
    steps: int | None
    base: float | None  # 1 under `absolute`, None when nothing says what 1 stands for
    absolute: bool


def settle(document: Mapping[str, Any], facts: Mapping[str, Any], name: str) -> Run:
    """The facts of the document and those of the host as one (4.1)."""
    training: Mapping[str, Any] = document.get("training", {})
    override = bool(facts.get("override", False))

    def fact(field: str, same: Callable[[Any], Any]) -> Any:
        written, given = training.get(field), facts.get(field)
        if written is None or given is None:
            return written if given is None else given
        if same(written) != same(given) and not override:
            raise Refused("conflicting-fact", field)
        return given

    batches_as_written = fact("batch_size", _batches)
    batches = None if batches_as_written is None else _batches(batches_as_written)
    sequence_length = fact("sequence_length", Fraction)
    epoch = fact("steps_per_epoch", Fraction)
    clock = Clock(
        axis=document.get("axis", "steps"),
        sample=document.get("sample", "start"),
        rounding=document.get("rounding", "none"),
        batches=batches,
        sequence_length=None if sequence_length is None else int(sequence_length),
        steps_per_epoch=None if epoch is None else rational(epoch),
    )
    if clock.rounding != "none" and clock.axis != "steps":
        raise Refused("rounding-axis")

    stated, told = (_whole_steps(clock, source.get("steps")) for source in (training, facts))
    if stated is not None and told is not None and stated != told and not override:
        raise Refused("conflicting-fact", "steps")
    steps = stated if told is None else told
    base = document.get("base")
    if isinstance(base, Mapping):
        base = base.get(name)
    absolute = base == ABSOLUTE
    given = facts.get("base")
    if given is not None:
        if absolute or (base is not None and base != given and not override):
            raise Refused("conflicting-fact", "base")
        base = given
    return Run(
        clock=clock,
        steps=steps,
        base=1.0 if absolute else None if base is None else float(base),
        absolute=absolute,
    )


def _batches(written: Any) -> Batches:
    if isinstance(written, list):
        return merged(tuple((int(entry["start"]), int(entry["value"])) for entry in written))
    return constant_batches(int(written))


def _whole_steps(clock: Clock, written: Any) -> int | None:
    """`training.steps` as a number of steps, converted from step 0 and rounded up (4.2); None where
    it is left out, or cannot be converted, which is an error only where the run's span is needed.
    """
    if written is None:
        return None
    try:
        steps = int(written) if not isinstance(written, str) else ceil(in_steps(written, clock))
    except Refused as refused:
        if refused.code != "missing-fact":
            raise
        return None
    if steps == 0:
        raise Refused("out-of-range", "steps")
    return steps
