"""The schedulers of OLMo-core that are made of others: `sequential` and `composable`.

`sequential`: each scheduler has its own x, and starts from the rate at which the one before ended.
`composable`: stages from a rate to a rate, the first of which is that of the end before it where it
is left out; an `override_decay` takes their place from its start on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lrspec.importers.olmo_core_schedules import Part, Stages
from lrspec.importing.config import Config
from lrspec.importing.nodes import (
    Node,
    Schedule,
    advance,
    constant,
    cosine,
    duration,
    linear,
)
from lrspec.importing.sequence import stages


def sequential(part: Part, build: Callable[[Part], Stages]) -> Stages:
    """One scheduler after the other."""
    config = part.config
    schedulers = config.sections("schedulers")
    key = "schedulers_max" if "schedulers_max" in config else "schedulers_max_steps"
    lengths = config.wholes(key)
    if len(lengths) == len(schedulers):
        lengths = lengths[:-1]
    if len(lengths) + 1 != len(schedulers) or 0 in lengths:
        config.fail("wrong-value", "every scheduler but the last has a length above 0")
    left = part.total
    rate, nodes = part.rate, list[Node | None]()
    for index, scheduler in enumerate(schedulers):
        is_last = index == len(lengths)
        length = left if is_last else lengths[index]
        if left is not None and length is not None:
            if length > left or length == 0:
                config.fail("does-not-fit", "the schedulers are longer than the run")
            left -= length
        inner = replace(
            part,
            config=scheduler,
            rate=rate,
            total=length,
            is_last=is_last and part.is_last,
            is_whole=is_last and length is None,
        )
        found, rate = build(inner)
        nodes += found if is_last or length is None else _filled(part, scheduler, found, length)
        scheduler.done()
    return nodes, rate


def _filled(part: Part, config: Config, nodes: list[Node | None], length: int) -> list[Node]:
    """The stages over just this length, of which the last may have none."""
    kept = [node for node in nodes if node is not None]
    bodies = [next(iter(node.values())) for node in kept]
    left = length - sum(_number(body["length"]) for body in bodies if "length" in body)
    if left < 0 or (left == 0 and "length" not in bodies[-1]):
        config.fail("does-not-fit", f"the schedule is longer than its {length} {part.units}")
    if "length" not in bodies[-1]:
        bodies[-1]["length"] = duration(part.span(left))
    return kept


def _number(length: int | str) -> float:
    return length if isinstance(length, int) else float(length.split()[0])


def composable(part: Part) -> tuple[Schedule, bool]:
    """The stages of `composable`, and whether they are read at the end of an update."""
    config, jumps = part.config, False
    rate, begin = part.rate, 0
    nodes: list[tuple[str, float, float, int]] = []
    for stage in config.sections("stages"):
        start, end = _rate(stage, part, "start", rate), _rate(stage, part, "end", None)
        jumps = jumps or (begin > 0 and start != rate)
        nodes.append((_shape(stage), start, end, stage.whole("duration", least=1)))
        begin, rate = begin + nodes[-1][3], end
        stage.done()
    if not nodes:
        config.fail("too-few-items", "there is no stage", "stages")
    if "override_decay" in config:
        nodes = _overridden(config.section("override_decay"), part, nodes)
    if jumps and part.units != "steps":
        config.refuse(
            "a stage of tokens that starts with another rate than the last one ended with"
        )
    if not jumps:
        return stages(*(_node(part, *node) for node in nodes)), True
    part.run.say("OLMo-core counts an update before it is made: update 0 is at 1.")
    shape, start, end, length = nodes[0]
    made = linear(start, end) if shape == "linear" else cosine(start, end)
    first = advance(made, by=1, length=length - 1)
    return stages(first, *(_node(part, *node) for node in nodes[1:])), False


def _node(part: Part, shape: str, start: float, end: float, steps: int) -> Node:
    length = part.span(steps)
    if start == end:
        return constant(start, length)
    return linear(start, end, length) if shape == "linear" else cosine(start, end, length)


def _shape(config: Config) -> str:
    return config.choice("shape", ("linear", "cosine"), "linear", what="shape")


def _rate(config: Config, part: Part, which: str, default: float | None) -> float:
    """A rate, absolute or as a share of the scheduler's."""
    plain, share = f"{which}_lr", f"{which}_lr_fraction"
    if plain in config and share in config:
        config.conflict(plain, share)
    if plain in config:
        found = config.number(plain, least=0)
        if found and not part.knows_rate:
            part.run.missing("base", "lr", "rates of the scheduler stand beside lr")
        return found
    if share in config:
        return part.rate * config.number(share, least=0)
    config.ignore(plain, share)
    if default is None:
        config.fail("missing-field", f"{plain!r} or {share!r} is required")
    return default


def _overridden(
    config: Config, part: Part, nodes: list[tuple[str, float, float, int]]
) -> list[tuple[str, float, float, int]]:
    """The stages up to the decay, the last of them cut there, and the decay."""
    start, last_length = config.whole("start"), config.whole("duration", least=1)
    end, shape = _rate(config, part, "end", None), _shape(config)
    config.done()
    found: list[tuple[str, float, float, int]] = []
    begin, rate = 0, nodes[0][1]
    for kind, first, last, length in nodes:
        if begin + length > start:
            if begin < start:
                if kind == "cosine":
                    config.refuse("a cosine that is cut in its middle by override_decay", "start")
                rate = first + (last - first) * (start - begin) / length
                found.append((kind, first, rate, start - begin))
            break
        found.append((kind, first, last, length))
        begin, rate = begin + length, last
    if begin < start and (not found or sum(node[3] for node in found) < start):
        found.append(("linear", rate, rate, start - begin))
    return [*found, (shape, rate, end, last_length)]
