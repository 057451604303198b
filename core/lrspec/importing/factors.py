"""Products of factors as some systems state them, written as stages wherever their parts fit.

A factor is the list of its parts in their order: nodes with their first value written and a length
in whole steps, all but the last one, which goes on as its node does. Factors are multiples, but for
one that carries the unit of the rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, cast

from lrspec.hints import closest, did_you_mean
from lrspec.importing.config import REQUIRED, Config
from lrspec.importing.nodes import Node, Schedule, constant, product
from lrspec.importing.scale import times
from lrspec.importing.sequence import closing, stages
from lrspec.shorten import listed, quoted

Factor: TypeAlias = list[Node]


def named(config: Config, known: Iterable[str], default: str | None = None) -> list[str]:
    """The names in `factors`, such as `constant * linear_warmup`."""
    text = config.text("factors", REQUIRED if default is None else default)
    names = [name.strip() for name in text.split("*")]
    for name in names:
        if name not in known:
            message = f"unknown factor {quoted(name)}; known are {listed(known)}"
            hint = did_you_mean(closest(name, known))
            config.fail("wrong-value", message, "factors", hint=hint)
    return names


def combined(*factors: Factor) -> list[Factor]:
    """As few factors as can be made of these by multiplying their parts with each other.

    Of two parts one has to be a constant, or both begin and end together. So a warmup times a decay
    that begins where the warmup ends is one factor; times a decay that began before it stays two.
    """
    groups: list[Factor] = []
    for factor in factors:
        for index, group in enumerate(groups):
            merged = _merged(group, factor)
            if merged is not None:
                groups[index] = merged
                break
        else:
            groups.append(factor)
    return groups


def written(groups: list[Factor], total: int | None = None) -> Schedule:
    """The schedule of combined factors; where all parts of one have a length and end with the run,
    after `total` steps, one of them is left open."""
    first, *others = [stages(*_open(group, total)) for group in groups]
    return product(first, *map(_plain, others)) if others else first


def after(length: int, value: float, *parts: Node) -> Factor:
    """A factor that is `value` for a while; a while of no steps is left out."""
    return [constant(value, length), *parts] if length else list(parts)


def _merged(one: Factor, two: Factor) -> Factor | None:
    starts = sorted({start for factor in (one, two) for start, _ in _placed(factor)})
    merged: Factor = []
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        length = None if end is None else end - start
        first, second = _part(one, start, length), _part(two, start, length)
        if first is None or second is None:
            return None
        merged.append(_multiplied(first, second, length))
    return merged


def _placed(factor: Factor) -> Iterator[tuple[int, Node]]:
    """The parts with the steps at which they begin."""
    start = 0
    for node in factor[:-1]:
        yield start, node
        start += _body(node)["length"]
    yield start, factor[-1]


def _part(factor: Factor, start: int, length: int | None) -> Node | None:
    """What a factor is over a span within which none of its parts begins; None where that is a
    piece of a part that is no constant."""
    placed = [(at, node) for at, node in _placed(factor) if at <= start]
    at, node = placed[-1]
    if "constant" in node:
        return constant(_body(node)["value"], length)
    is_last = len(placed) == len(factor)
    is_whole = length is None if is_last else _body(node)["length"] == length
    return node if at == start and is_whole else None


def _multiplied(one: Node, two: Node, length: int | None) -> Node:
    for number, other in ((one, two), (two, one)):
        if "constant" in number:
            return cast("Node", times(other, _body(number)["value"]))
    return product(*_children(one, length), *map(_plain, _children(two, length)), length=length)


def _children(node: Node, length: int | None) -> list[Node]:
    """The children of a product, or the node alone, without a length that the product has."""
    if "product" in node:
        return list(_body(node)["of"])
    return [node if length is None else _without(node, "length")]


def _open(factor: Factor, total: int | None) -> Factor:
    parts = list(factor)
    if len(parts) > 1 and _is_said_before(parts[-1], parts[-2]):
        del parts[-1]
    lengths = [_body(part).get("length") for part in parts]
    whole = [length for length in lengths if isinstance(length, int)]
    if len(whole) == len(lengths) and sum(whole) == total:
        index = -2 if len(parts) > 1 and "constant" in parts[-2] else -1
        parts[index] = _without(parts[index], "length")
    return parts


def _is_said_before(last: Node, before: Node) -> bool:
    """Whether the last part only holds what the one before it ends with."""
    return "constant" in last and closing(before) == _body(last)["value"]


def _plain(schedule: Schedule) -> Schedule:
    """A schedule in a product, where what is not written is 1."""
    if isinstance(schedule, list):
        return [_plain(schedule[0]), *schedule[1:]]
    field = "value" if "constant" in schedule else "initial"
    return _without(schedule, field) if _body(schedule).get(field) == 1 else schedule


def constant_from(factor: Factor, start: int) -> tuple[Factor, float] | None:
    """The parts of a factor up to a step, and the value that it has from there on; None where that
    is no constant."""
    placed = list(_placed(factor))
    at, last = placed[-1]
    if "constant" not in last or at > start:
        return None
    value: float = _body(last)["value"]
    return [*factor[:-1], *after(start - at, value)], value


def _without(node: Node, field: str) -> Node:
    ((kind, body),) = node.items()
    return {kind: {key: value for key, value in body.items() if key != field} or None}


def _body(node: Node) -> dict[str, Any]:
    (body,) = node.values()
    return body or {}
