"""Which files a command is given: names, directories, patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

SUFFIXES = (".lrspec.yaml", ".lrspec.yml", ".lrspec.json")
_PATTERN = frozenset("*?[")


def files_of(names: Iterable[str]) -> list[str]:
    """The files that names, directories and patterns stand for, each once, in their order.

    A directory stands for the schedule files in it and below it; a pattern (`runs/**/*.yaml`) for
    the files that it matches, as in a shell. A directory or pattern without any is an error.
    """
    found: dict[str, None] = {}
    for name in names:
        if name == "-" or Path(name).is_file():
            matched = [name]
        elif Path(name).is_dir():
            below = (path for path in Path(name).rglob("*") if path.name.endswith(SUFFIXES))
            matched = sorted(str(path) for path in below if _is_named(path))
        elif _PATTERN & set(name):
            matched = sorted({path for path in _matches(name) if _is_named(Path(path))})
        else:
            matched = [name]
        if not matched:
            what = f"in it ends in {' or '.join(SUFFIXES)}" if Path(name).is_dir() else "matches"
            raise click.UsageError(f"{name}: no file {what}.")
        found |= dict.fromkeys(matched)
    return list(found)


def _is_named(path: Path) -> bool:
    """Whether a path is that of a file; a link that leads nowhere is one that cannot be read."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def _matches(pattern: str) -> Iterator[str]:
    """What a pattern matches; `**` is every folder below, but through no link: some are circles."""
    parts = pattern.split("/")
    if "**" not in parts:
        # A pattern may be absolute, which those of pathlib are not.
        yield from glob.iglob(pattern)  # noqa: PTH207
        return
    index = parts.index("**")
    before, after = "/".join(parts[:index]), "/".join(parts[index + 1 :]) or "*"
    found = glob.iglob(before or "/")  # noqa: PTH207
    for top in [""] if index == 0 else [f"{folder.rstrip('/')}/" for folder in found]:
        for folder, below, _ in os.walk(top or "."):
            below[:] = [name for name in below if not name.startswith(".")]
            inside = Path(folder).relative_to(top or ".").as_posix()
            prefix = top if inside == "." else f"{top}{inside}/"
            yield from _matches(f"{glob.escape(prefix)}{after}")
