"""A mapping that is no document at all: one problem, which says where a document stands in it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from lrspec.form import Form
from lrspec.problems import Path, Problem, pointer
from lrspec.source import Json, Source

_SCHEDULES = ("schedule", "schedules")
# What configurations of all kinds have at their root.
_ANYWHERE = ("name", "description")


def no_document(source: Source, language: Form) -> Problem | None:
    """The one problem of a mapping without `lrspec` that holds a document further down, or that has
    nothing in common with one; None where what is wrong with its fields says more."""
    data = source.data
    if not isinstance(data, dict) or "lrspec" in data:
        return None
    found = next(_documents(data), None)
    if found is None and (_is_meant(data, language) or not _others(data)):
        return None
    message, hint = "this is no document of lrspec", None
    if found is None:
        hint = "lrspec import SYSTEM FILE reads the configurations of other systems"
    else:
        keys = _keys((*source.at, *found))
        message = f"no document of lrspec stands {'here' if source.at else 'at the root'}"
        hint = f"one stands at {keys}: add --at {keys}, or at='{keys}' in Python"
    return source.problem("missing-field", (), message, expected="lrspec", hint=hint)


def _documents(data: Json) -> Iterator[Path]:
    """Where documents stand, the outermost first."""
    waiting: list[tuple[Path, Json]] = [((), data)]
    seen: set[int] = set()  # an alias stands in many places
    for path, value in waiting:
        if not isinstance(value, dict | list) or id(value) in seen:
            continue
        seen.add(id(value))
        if (
            isinstance(value, dict)
            and "lrspec" in value
            and any(map(value.__contains__, _SCHEDULES))
        ):
            yield path
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += [((*path, key), part) for key, part in inner]


def _is_meant(data: dict[str, Json], language: Form) -> bool:
    """Whether some field tells that a document was meant: one of the language, a kind, or a word
    like `schedule`."""
    known = language.root["properties"].keys() - _ANYWHERE
    return any(
        key in known
        or (isinstance(value, dict | list) and (key in language.kinds or _is_like_schedule(key)))
        for key, value in data.items()
    )


def _is_like_schedule(key: str) -> bool:
    # A scheduler is what other systems have.
    word = key.lower()
    return "scheduler" not in word and bool(difflib.get_close_matches(word, _SCHEDULES, 1, 0.85))


def _others(data: dict[str, Json]) -> bool:
    return any(not key.startswith("x-") for key in data)


def _keys(path: Path) -> str:
    """The path as `--at` takes it: `a.b.0`, or a JSON pointer where a key has a point in it."""
    parts = [str(part) for part in path]
    plain = all(part and "." not in part for part in parts) and not parts[0].startswith("/")
    return ".".join(parts) if plain else pointer(path)
