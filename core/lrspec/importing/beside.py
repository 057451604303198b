"""Files that a configuration names by their paths from its own."""

from __future__ import annotations

from pathlib import Path

from lrspec.source import Json


def path_beside(name: Json, file: str | None) -> str | None:
    """The path of a file that is there, named in another one; None where it is not."""
    if file is None or not isinstance(name, str):
        return None
    path = Path(file).parent / name
    try:
        return str(path) if path.is_file() else None
    except (OSError, ValueError):
        # The name is no name of a file, or too long for one.
        return None
