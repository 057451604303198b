"""A document as it was read: plain data, and where each part of it stands in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lrspec.problems import Path, Problem, Severity, pointer

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


class Mark(NamedTuple):
    """A place in a text; both count from 1, the column in code points."""

    line: int
    column: int


# A mark in one number: a document of 8 MiB can hold a million of them.
Packed: TypeAlias = int
_COLUMN_BITS = 24


def pack(line: int, column: int) -> Packed:
    """A mark, counted from 1, in one number."""
    return line << _COLUMN_BITS | column


def unpack(mark: Packed) -> Mark:
    """The mark that was packed."""
    return Mark(mark >> _COLUMN_BITS, mark & ((1 << _COLUMN_BITS) - 1))


@dataclass(slots=True)
class Branch:
    """The marks of a list or mapping: of itself, of its values, and of the keys of a mapping.

    A tree, not a table by path: an aliased part is held once, however often it is used. `values`
    are in the order of the list; of a mapping they are by key.
    """

    mark: Packed
    values: list[Branch | Packed] | dict[str, Branch | Packed]
    keys: dict[str, Packed] = field(default_factory=dict[str, Packed])

    def items(self) -> list[tuple[str | int, Branch | Packed]]:
        """The marks of what is in it, by number or key."""
        if isinstance(self.values, list):
            return list(enumerate(self.values))
        return list(self.values.items())


class Marks(Mapping[Path, Mark]):
    """Where the value at each path begins; `key(path)` says where its key does.

    Empty for a document that was given as a mapping.
    """

    __slots__ = ("_root",)

    def __init__(self, root: Branch | Packed | None = None) -> None:
        self._root = root

    def __getitem__(self, path: Path) -> Mark:
        found = self._find(path)
        if found is None:
            raise KeyError(path)
        return unpack(found.mark if isinstance(found, Branch) else found)

    def key(self, path: Path) -> Mark | None:
        """Where the key of the value at `path` stands; None for an item of a list and the root."""
        parent = self._find(path[:-1]) if path else None
        mark = parent.keys.get(str(path[-1])) if isinstance(parent, Branch) else None
        return None if mark is None else unpack(mark)

    def on(self, line: int) -> Iterator[tuple[Path, Mark]]:
        """The keys and values that begin in a line, with the path of the value; what encloses
        others before them."""
        waiting: list[tuple[Path, Branch | Packed]] = []
        if self._root is not None:
            root = self._root.mark if isinstance(self._root, Branch) else self._root
            yield from [((), unpack(root))] if root >> _COLUMN_BITS == line else []
            waiting.append(((), self._root))
        while waiting:
            path, found = waiting.pop()
            if not isinstance(found, Branch):
                continue
            for part, value in found.items():
                mark = value.mark if isinstance(value, Branch) else value
                for packed in (found.keys.get(str(part)), mark):
                    if packed is not None and packed >> _COLUMN_BITS == line:
                        yield (*path, part), unpack(packed)
                if isinstance(value, Branch):
                    waiting.append(((*path, part), value))

    def below(self, path: Path) -> Marks:
        """The marks of the part at `path`."""
        return Marks(self._find(path))

    def __iter__(self) -> Iterator[Path]:
        waiting: list[tuple[Path, Branch | Packed]] = []
        if self._root is not None:
            waiting.append(((), self._root))
        while waiting:
            path, found = waiting.pop()
            yield path
            if isinstance(found, Branch):
                items = reversed(found.items())
                waiting += [((*path, part), value) for part, value in items]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return self._root is not None

    def _find(self, path: Path) -> Branch | Packed | None:
        found = self._root
        for part in path:
            if not isinstance(found, Branch):
                return None
            values = found.values
            if isinstance(values, dict):
                found = values.get(str(part))
            elif isinstance(part, int) and 0 <= part < len(values):
                found = values[part]
            else:
                return None
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Plain JSON data with its marks.

    `file` is the name that problems carry. `problems` are faults of single values that reading
    found and went on from (a key twice, a number that is not finite): the data then hold a stand-in
    at that place, and `lrspec.schema.schema_problems` reports them together with its own. `at` is
    where the data stand in a larger file; paths are below it, and pointers of the whole file.
    Aliased parts of `data` are shared: treat them as read-only.
    """

    data: Json
    marks: Marks
    file: str | None = None
    problems: tuple[Problem, ...] = ()
    at: Path = ()

    def problem(
        self,
        code: str,
        path: Path,
        message: str,
        *,
        key: bool = False,
        at: Path | None = None,
        expected: str | None = None,
        found: str | None = None,
        hint: str | None = None,
        severity: Severity = "error",
    ) -> Problem:
        """A problem about the value at `path`, placed on it or, with `key`, on its key.

        `at` places it elsewhere than the path it names: an unknown field is named by the mapping
        that holds it and stands on its own key.
        """
        line, column = place(self, path if at is None else at, key=key)
        return Problem(
            severity,
            code,
            self.file,
            pointer((*self.at, *path)),
            line,
            column,
            message,
            expected,
            found,
            hint,
        )


def place(source: Source, path: Path, *, key: bool = False) -> tuple[int, int] | tuple[None, None]:
    """Line and column of the value at `path`, or with `key` of its key.

    A path that is not in the document is placed on what encloses it, an item of a list has no key
    and is placed on its value; without marks both are None.
    """
    marks = source.marks
    for length in range(len(path), -1, -1):
        part = path[:length]
        mark = marks.key(part) if key or length < len(path) else None
        mark = mark or marks.get(part)
        if mark is not None:
            return mark.line, mark.column
    return None, None
