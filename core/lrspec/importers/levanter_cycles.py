"""The cycles of Levanter's schedules: warmup, peak and decay, again and again, then a cooldown."""

from __future__ import annotations

from decimal import Decimal
from itertools import accumulate, groupby, pairwise

from lrspec.importers.levanter_shapes import Around, Shape
from lrspec.importing.config import Config
from lrspec.importing.joining import Stage, sized
from lrspec.importing.nodes import Node, Schedule, constant, linear, percent, repeat
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

# From this many equal cycles on they are written as one that repeats.
_SAME = 3
_CYCLES = 5000


def cycled(
    config: Config, run: Run, shape: Shape, peak: float, floor: float, total: int
) -> Schedule:
    """The whole schedule over a run of `total` steps."""
    cooldown = _steps(config, run, "cooldown", total, 0)
    main = total - cooldown
    if main < 1:
        config.fail("out-of-range", "the cooldown leaves no steps before it", "cooldown")
    ends = _ends(config, run, main)
    cycles: list[tuple[int, list[Stage]]] = []
    previous = 0.0
    for index, (start, end) in enumerate(pairwise([0, *ends])):
        span = end - start
        warmup = _warmup(config, run, index, span)
        decay = _steps(config, run, "decay", span, span - warmup)
        if decay > span - warmup:
            decay = span - warmup
            run.say(f"The decay is cut to the {decay} steps that the warmup leaves.")
        at = Around(peak, floor, warmup, decay, end == main and not cooldown)
        held = Stage(constant(peak), span - warmup - decay)
        rising = [Stage(linear(previous, peak), warmup), held]
        cycles.append((span, _merged([*rising, *(shape.stages(at) if decay else [])])))
        previous = shape.closing(at) if decay else peak
    if cooldown:
        nodes = _opened(_repeated(cycles, shape))
        length = _fraction(config, "cooldown", total) or cooldown
        return stages(*nodes, sized(linear(previous, floor), length))
    if len(cycles) == 1:
        return stages(*_one(config, cycles[0][1], total))
    return stages(*_opened(_repeated(cycles, shape)))


def _warmup(config: Config, run: Run, index: int, span: int) -> int:
    """The steps of the warmup of a cycle of `span` steps."""
    key = "rewarmup" if index else "warmup"
    if "warmup" not in config:
        run.say("warmup is left out and is 0.01, Levanter's default.")
    default = 0 if index else int(0.01 * span)
    return min(_steps(config, run, key, span, default), span)


def _steps(config: Config, run: Run, key: str, whole: int, default: int) -> int:
    """A number of steps: a fraction of `whole` steps up to 1, truncated, and steps above."""
    value = config.optional_number(key, least=0)
    if value is None:
        return default
    if value > 1:
        if value != int(value):
            message = f"above 1 it is a whole number of steps, found {value:g}"
            config.fail("out-of-range", message, key)
        return int(value)
    found = int(value * whole)
    if value == 1:
        run.say(f"{key} 1 is all of the {whole} steps, as Levanter reads fractions up to 1.")
    elif not _is_exact(value, whole):
        run.say(f"{key} {value:g} of {whole} steps is truncated to {found}.")
    return found


def _is_exact(fraction: float, whole: int) -> bool:
    return Decimal(repr(fraction)) * whole == int(fraction * whole)


def _fraction(config: Config, key: str, whole: int) -> str | None:
    """The percent of a key, where that comes to whole steps."""
    value = config.optional_number(key)
    return percent(value) if value and value <= 1 and _is_exact(value, whole) else None


def _ends(config: Config, run: Run, main: int) -> list[int]:
    """The steps at which the cycles end; the last one ends after `main` steps."""
    keys = [key for key in ("cycle_length", "cycles", "haps") if key in config]
    if len(keys) > 1:
        config.conflict(*keys[:2])
    key = keys[0] if keys else "cycles"
    value = config.raw(key, None)
    if value is None:
        return [main]
    if key == "cycle_length" and not isinstance(value, list):
        return _equal(config, run, main)
    if key == "cycles" and not isinstance(value, list):
        count = config.whole(key, least=1)
        _check_number(config, key, count)
        ends = [int(main / count * (i + 1)) for i in range(count - 1)]
    else:
        ends = config.wholes(key)
        _check_number(config, key, len(ends))
        ends = list(accumulate(ends)) if key == "cycle_length" else ends
    if not ends or ends[-1] != main:
        ends.append(main)
    if any(start >= end for start, end in pairwise([0, *ends])):
        config.fail("out-of-range", f"the cycles do not rise from 0 to the {main} steps", key)
    return ends


def _equal(config: Config, run: Run, main: int) -> list[int]:
    """Cycles of one length; what it does not divide is added to the last one."""
    length = _steps(config, run, "cycle_length", main, main)
    if length < 1:
        config.fail("out-of-range", "a cycle has at least one step", "cycle_length")
    count = max(main // length, 1)
    _check_number(config, "cycle_length", count)
    if main % length:
        last = main - length * (count - 1)
        run.say(f"The last cycle has {last} steps, as {length} does not divide {main}.")
    return [*(length * i for i in range(1, count)), main]


def _check_number(config: Config, key: str, count: int) -> None:
    if count > _CYCLES:
        config.refuse(f"these are {count} cycles; up to {_CYCLES} are imported", key)


def _merged(cycle: list[Stage]) -> list[Stage]:
    """The stages that are not empty, two equal constants in one."""
    found: list[Stage] = []
    for stage in cycle:
        if stage.length == 0:
            continue
        before = found[-1] if found else None
        if before and before.node == stage.node and "constant" in stage.node:
            both = None if stage.length is None else (before.length or 0) + stage.length
            found[-1] = Stage(stage.node, both)
        else:
            found.append(stage)
    return found


def _one(config: Config, cycle: list[Stage], total: int) -> list[Node]:
    """A single cycle, with percent where the configuration has fractions that come to whole
    steps. What is left is the constant's, or the last stage's where that has no end."""
    lengths: list[float | str | None] = [stage.length for stage in cycle]
    if "linear" in cycle[0].node and cycle[0].node["linear"]["initial"] == 0 and len(cycle) > 1:
        lengths[0] = _fraction(config, "warmup", total) or cycle[0].length
    held = [i for i, stage in enumerate(cycle[:-1]) if "constant" in stage.node]
    if held == [len(cycle) - 2] and cycle[-1].length is not None:
        lengths[held[0]] = None
        lengths[-1] = _fraction(config, "decay", total) or cycle[-1].length
    else:
        lengths[-1] = None
    return [sized(stage.node, length) for stage, length in zip(cycle, lengths, strict=True)]


def _repeated(cycles: list[tuple[int, list[Stage]]], shape: Shape) -> list[Node]:
    """The cycles one after the other; many that are the same as one that repeats."""
    nodes: list[Node] = []
    for (span, cycle), same in groupby(cycles):
        count = len(list(same))
        if count >= _SAME and shape.fixed:
            inner = stages(*_opened([sized(stage.node, stage.length) for stage in cycle]))
            nodes.append(repeat(inner, period=span, count=count))
        else:
            nodes += [sized(stage.node, stage.length) for stage in cycle] * count
    return nodes


def _opened(nodes: list[Node]) -> list[Node]:
    """The last one takes what is left."""
    ((kind, body),) = nodes[-1].items()
    if kind == "repeat":
        return nodes
    return [*nodes[:-1], {kind: {k: v for k, v in body.items() if k != "length"}}]
