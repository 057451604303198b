"""Changes to a document that leave it near to being valid, or let it be valid and extreme."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz import hostile


def edited(random: Random, data: Any, *, extreme: bool) -> Any:
    """A copy of the data with one part changed; `extreme` keeps to what may still be valid."""
    data = _copy(data)
    parent, key = _place(random, data, leaf=extreme)
    edits = (*[_extreme] * 9, _longer) if extreme else _EDITS
    random.choice(edits)(random, parent, key)
    return data


def _copy(value: Any) -> Any:
    """Lists and mappings anew; all else is shared."""
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _place(random: Random, data: Any, *, leaf: bool) -> tuple[Any, Any]:
    """A part of the data, as what holds it and its key there; with `leaf` always a value."""
    parent, key = data, random.choice(list(data))
    while isinstance(parent[key], dict | list) and parent[key]:
        if not leaf and random.random() < 0.2:
            break
        parent = parent[key]
        key = random.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    return parent, key


def _replaced(random: Random, parent: Any, key: Any) -> None:
    parent[key] = hostile.value(random)


def _extreme(random: Random, parent: Any, key: Any) -> None:
    """Another value of the same sort."""
    amount = hostile.number if random.random() < 0.8 else hostile.quantity
    match parent[key]:
        case bool():
            parent[key] = not parent[key]
        case str() as text if text.isalpha():
            parent[key] = hostile.word(random)
        case str() as text:
            found = hostile.quantity(random)
            unit = text.lstrip("0123456789.e+-")
            parent[key] = found if random.random() < 0.3 else hostile.amount(random) + unit
        case int() as number if number > 0 and random.random() < 0.6:
            parent[key] = random.choice((1, 2, 3, 10, 1000, 10**6, 10**9, 2**31 - 1, 2**53))
        case float() as number if number > 0 and random.random() < 0.6:
            parent[key] = 10 ** random.uniform(-310, 300)
        case dict() as mapping:
            mapping[random.choice(hostile.FIELDS)] = amount(random)
        case _:
            parent[key] = amount(random)


def _lost(random: Random, parent: Any, key: Any) -> None:
    del parent[key]


def _renamed(random: Random, parent: Any, key: Any) -> None:
    if isinstance(parent, dict):
        parent[hostile.key(random)] = parent.pop(key)
    else:
        parent.insert(key, parent[random.randrange(len(parent))])


def _added(random: Random, parent: Any, key: Any) -> None:
    if isinstance(parent, dict):
        parent[hostile.key(random)] = hostile.value(random)
    else:
        parent.insert(key, hostile.value(random))


def _longer(random: Random, parent: Any, key: Any) -> None:
    """A list with more items, thousands at times."""
    part = parent[key] if isinstance(parent[key], list) else [parent[key]]
    parent[key] = (part * random.choice((2, 2, 2, 2, 2, 3, 3, 3, 40, 2000)))[:2000]


def _deeper(random: Random, parent: Any, key: Any) -> None:
    """A part with others around it."""
    part = parent[key]
    for _ in range(random.choice((1, 1, 1, 2, 2, 5, 30, 62, 100))):
        part = random.choice(_WRAPPERS)(part)
    parent[key] = part


_WRAPPERS: tuple[Callable[[Any], Any], ...] = (
    lambda part: [part],
    lambda part: [part, {"constant": {"length": 3}}],
    lambda part: {"repeat": {"schedule": part, "period": 10, "count": 3}},
    lambda part: {"repeat": {"schedule": part, "period": "50%", "stretch": 1.5}},
    lambda part: {"repeat": {"schedule": part, "count": 2, "stretch": 0.5}},
    lambda part: {"product": {"of": [part, {"constant": {"value": 0.5}}]}},
    lambda part: {"sum": {"of": [{"constant": {"value": 1}}, part]}},
    lambda part: {"clamp": {"schedule": part, "minimum": 0}},
    lambda part: {"quantize": {"schedule": part, "every": "7.5 steps"}},
    lambda part: {"advance": {"schedule": part, "by": 3}},
)
_EDITS = (_replaced, _extreme, _lost, _renamed, _added, _longer, _deeper)
