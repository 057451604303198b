"""A part of a larger file, found by the keys that lead to it."""

from __future__ import annotations

import re
from typing import Any, cast

from lrspec.problems import Path, SpecError, pointer
from lrspec.shorten import listed, quoted, shown
from lrspec.source import Json, Source

_BRACKETS = re.compile(r"\[([0-9]+)\]")
# The number of an item as in a JSON pointer; no list is longer.
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


def path_to(source: Source, keys: str) -> Path:
    """The path that `a.b.0` or the JSON pointer `/a/b/0` names.

    Raises:
        SpecError: Nothing stands there; it says what does.
    """
    if keys.startswith("/"):
        parts = [part.replace("~1", "/").replace("~0", "~") for part in keys[1:].split("/")]
    else:
        parts = keys.split(".")
    path: Path = ()
    here: Json = source.data
    for part in parts:
        if isinstance(here, list) and _INDEX.fullmatch(part) and int(part) < len(here):
            path, here = (*path, int(part)), here[int(part)]
        elif isinstance(here, dict) and part in here:
            path, here = (*path, part), here[part]
        else:
            given = _given(here)
            message = f"there is no {quoted(part)} here, but {given}"
            hint = _hint(keys, part, here)
            raise SpecError([source.problem("no-such-part", path, message, hint=hint)])
    return path


def _given(here: Json) -> str:
    """What stands where something was looked for in vain."""
    if isinstance(here, dict):
        return listed(here) if here else "nothing"
    if isinstance(here, list):
        return f"a list of {len(here)}, counted from 0" if here else "an empty list"
    return shown(here)


def _hint(keys: str, part: str, here: Json) -> str | None:
    """How the way is written that may have been meant."""
    if _BRACKETS.search(part):
        return "write " + _BRACKETS.sub(r".\1", keys)
    dotted = [key for key in here if "." in key] if isinstance(here, dict) else []
    meant = next((key for key in dotted if f".{key}.".find(f".{part}.") == 0), None)
    if meant is None or keys.startswith("/"):
        return None
    return f"'{meant}' is one key, and takes the form of a JSON pointer, /{meant}"


def below(data: Json, path: Path) -> Json:
    """The data at a path that is there."""
    found: Any = data
    for part in path:
        found = found[part]
    return cast("Json", found)


def part(source: Source, keys: str) -> Source:
    """The part of a file as a document of its own, whose problems have their places in the file.

    What reading found wrong elsewhere in the file does not matter.
    """
    path = path_to(source, keys)
    here = pointer(path)
    inside = (p for p in source.problems if p.path == here or p.path.startswith(f"{here}/"))
    return Source(
        below(source.data, path), source.marks.below(path), source.file, tuple(inside), path
    )
