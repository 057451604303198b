"""The lrspec 1 language as data: its JSON Schema and its conformance suite.

This package holds data files and hands them out; it knows nothing of evaluators and needs nothing
but the standard library. Files are found through `importlib.resources`, so it also works from a
zip file. What reads files is imported when the first one is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

__all__ = ["VERSION", "conformance_files", "schema", "schema_text"]

VERSION = 1
"""The major version of the language that the data of this package describe."""


def _root() -> Traversable:
    """Return the directory of the data of this version."""
    from importlib.resources import files

    return files(__name__).joinpath(f"v{VERSION}")


def schema_text() -> str:
    """Return the JSON Schema of a schedule document (draft-07) as it is stored, UTF-8 decoded."""
    return _root().joinpath("schedule.schema.json").read_text(encoding="utf-8")


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a schedule document (draft-07).

    Every call reads the file and returns a fresh dictionary, which the caller may change.
    """
    import json

    data: dict[str, Any] = json.loads(schema_text())
    return data


def conformance_files() -> Iterator[Traversable]:
    """Yield every file of the conformance suite, in a fixed order.

    A directory is walked in the order of its names, by code point, its entries taken as they come:
    the order is the same on every platform. Without a suite nothing is yielded.
    """
    suite = _root().joinpath("conformance")
    if suite.is_dir():
        yield from _walk(suite)


def _walk(directory: Traversable) -> Iterator[Traversable]:
    """Yield the files below `directory`, names sorted."""
    for entry in sorted(directory.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry)
        else:
            yield entry
