"""What documents are called beside each other: by their names or files, no two alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import PurePath


def labels(files: Sequence[str], names: Sequence[str]) -> list[str]:
    """A label for each file: its name where it has one, else the end of its path that no other file
    has; both where the name stands for several, and a number where the file itself does.

    labels(["a/x", "b/x", "b/x"], ["", "", "n"]) is ["a/x", "b/x", "n"],
    labels(["a/x", "a/y", "a/y"], ["n", "n", ""]) is ["n (x)", "n (y)", "y"].
    """
    from lrspec.cli.terminal import printable

    ends = _ends(dict.fromkeys(files))
    pairs = list(zip(files, names, strict=True))
    files_of = Counter(name for _, name in set(pairs))
    called = (
        ends[file] if not name else f"{name} ({ends[file]})" if files_of[name] > 1 else name
        for file, name in pairs
    )
    return _numbered(map(printable, called))


def _ends(files: Iterable[str]) -> dict[str, str]:
    """File -> the shortest end of its path that no other has; all of it where there is none."""
    parts = {file: PurePath(file).parts for file in files}
    ends = {file: "<stdin>" if file == "-" else file for file in parts}
    left = parts.keys() - {"-"}
    for length in range(1, max(map(len, parts.values())) + 1):
        tails = {file: parts[file][-length:] for file in parts}
        times = Counter(tails.values())
        for file in [file for file in left if times[tails[file]] == 1]:
            ends[file] = str(PurePath(*tails[file]))
            left.remove(file)
    return ends


def _numbered(found: Iterable[str]) -> list[str]:
    """The same, those that were there before with a number."""
    given: dict[str, None] = {}
    for label in found:
        numbers = (f"{label} ({number})" for number in count(2))
        given[next(each for each in chain([label], numbers) if each not in given)] = None
    return list(given)
