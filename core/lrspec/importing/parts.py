"""Where the part that matters stands in a larger configuration."""

from __future__ import annotations

from collections.abc import Container, Mapping

from lrspec.importing.config import Config
from lrspec.source import Json

_DEEPEST = 3


def hint_at(config: Config, keys: Container[str]) -> str | None:
    """How to name the first part below that has one of `keys`: `some stand in sft.args: give --at
    sft.args`."""
    found = _inside(config.data, keys, _DEEPEST)
    if found is None:
        return None
    where = ".".join([*map(str, config.path), *found])
    return f"some stand in {where}: give --at {where}"


def _inside(data: Mapping[str, Json], keys: Container[str], depth: int) -> list[str] | None:
    for key, value in data.items():
        if not isinstance(value, dict):
            continue
        if any(name in keys for name in value):
            return [key]
        deeper = _inside(value, keys, depth - 1) if depth > 1 else None
        if deeper is not None:
            return [key, *deeper]
    return None
