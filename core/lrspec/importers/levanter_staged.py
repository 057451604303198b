"""Levanter's `lr_schedule` as a list of stages, as its discussion #974 asks for.

`{start: <step>, value: …}`: the value is a rate or a schedule object. A stage ends where the next
one starts, the last one with the run. `initial` left out is where the stage before ends, `final`
left out is min_lr.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Node,
    Schedule,
    constant,
    cosine,
    inverse,
    inverse_sqrt,
    linear,
    polynomial,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import closing, stages

TYPES = ("constant", "linear", "cosine", "polynomial", "inv", "inv_sqrt")
_NOT_HERE = ("warmup", "decay", "rewarmup", "cooldown", "cycle_length", "cycles", "haps")


def staged(config: Config, run: Run, floor: float, total: int) -> Schedule:
    """The stages over a run of `total` steps; `floor` is min_lr."""
    for key in _NOT_HERE:
        if key in config:
            config.conflict("lr_schedule", key)
    sections = config.sections("lr_schedule")
    if not sections:
        config.fail("too-few-items", "there is at least one stage", "lr_schedule")
    starts = [section.whole("start") for section in sections]
    for section, earlier, start in zip(sections, [-1, *starts], starts, strict=False):
        if start <= earlier or (earlier < 0 and start > 0):
            section.fail("out-of-range", f"the starts rise from 0; {start} does not", "start")
    if starts[-1] >= total:
        message = f"the last stage starts at {starts[-1]}, and the run has {total} steps"
        sections[-1].fail("out-of-range", message, "start")
    nodes: list[Node] = []
    before: float | None = None
    for index, (section, start) in enumerate(zip(sections, starts, strict=True)):
        length = starts[index + 1] - start if index + 1 < len(starts) else None
        if isinstance(section.raw("value"), dict):
            inner = section.section("value")
            nodes.append(_node(inner, run, floor, length, before, first=index == 0))
            inner.done()
        else:
            nodes.append(constant(section.number("value", least=0), length))
        section.done()
        before = closing(nodes[-1])
    return stages(*nodes)


def _node(
    config: Config,
    run: Run,
    floor: float,
    length: int | None,
    before: float | None,
    *,
    first: bool,
) -> Node:
    """One stage, of `length` steps or up to the end of the run; `before` is where the stage before
    it ends, if that is known."""
    kind = config.choice("type", TYPES, what="type", code="unknown-schedule")
    initial = config.optional_number("initial", least=0)
    if initial is None and first:
        config.fail("missing-field", "the first stage says with which rate it starts: 'initial'")
    if kind == "constant":
        return constant(initial, length)
    if kind == "inv_sqrt":
        return inverse_sqrt(initial, config.number("timescale", 10000.0, above=0), length)
    final = config.optional_number("final", least=0)
    if final is None:
        final = floor
        run.say(f"final is left out of a stage and is min_lr, {floor:g}.")
    match kind:
        case "linear":
            return linear(initial, final, length)
        case "cosine":
            exponent = config.number("exponent", 1.0, above=0)
            return cosine(initial, final, length, exponent=exponent)
        case "polynomial":
            power = config.number("power", 2.0, above=0)
            return polynomial(initial, final, length, power=power)
        case _:
            if 0 in (before if initial is None else initial, final):
                config.refuse("inv has no value at a rate of 0, and it starts or ends there")
            return inverse(initial, final, length)
