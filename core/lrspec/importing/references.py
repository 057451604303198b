"""Values that stand elsewhere in a configuration: `${model.encoder.d_model}` of OmegaConf."""

from __future__ import annotations

import re

from lrspec.embedded import below, path_to
from lrspec.problems import Path, SpecError, pointer
from lrspec.source import Json, Source

_NAME = r"[A-Za-z0-9_-]+"
_REFERENCE = re.compile(rf"\$\{{(\.*)({_NAME}(?:\.{_NAME}|\[{_NAME}\])*)\}}")
# A value may refer to one that refers to another; more than this go round in a circle.
_MOST = 20


def is_reference(text: str) -> bool:
    """Whether a text is nothing but a reference to what may stand in the same configuration."""
    return _REFERENCE.fullmatch(text) is not None


def resolved(value: Json, path: Path, source: Source) -> Json:
    """What a text refers to, where it is nothing but a reference to what stands in the same
    configuration; every other value, and a reference that leads nowhere, as it is.

    `path` is that of the mapping in which the value stands: `${a.b}` counts from the top, or else
    from the outermost mapping on the way that has it, `${.b}` from that mapping, `${..b}` from the
    one around it.
    """
    found = value
    for _ in range(_MOST):
        match = _REFERENCE.fullmatch(found) if isinstance(found, str) else None
        if match is None:
            return found
        place = _place(match[1], match[2], path, source)
        if place is None:
            return value
        found, path = below(source.data, place), place[:-1]
    return value


def _place(dots: str, keys: str, path: Path, source: Source) -> Path | None:
    """Where a reference leads; None where there is nothing, or nothing that could be read."""
    if len(dots) > len(path) + 1:
        return None
    starts = [path[: len(path) + 1 - len(dots)]]
    if not dots:
        # A part may be a whole configuration, whose top is its own.
        starts = [path[:depth] for depth in range(len(path) + 1)]
    for start in starts:
        try:
            place = path_to(source, pointer((*start, *re.findall(_NAME, keys))))
        except SpecError:
            continue
        at = pointer(place)
        is_faulty = any(p.path == at or p.path.startswith(f"{at}/") for p in source.problems)
        return None if is_faulty else place
    return None
