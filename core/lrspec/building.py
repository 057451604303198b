"""Builds the data and the marks of a document from what a YAML or JSON reader meets, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn, cast

from lrspec import limits
from lrspec.problems import Path, Problem, SpecError, pointer
from lrspec.scalars import Scalar
from lrspec.shorten import quoted
from lrspec.source import Branch, Json, Marks, Packed, Source, unpack


@dataclass(slots=True)
class _Anchored:
    """A finished part of the document that an alias can repeat, with what it counts for."""

    data: Json
    marks: Branch | Packed
    nodes: int = 1
    mappings: int = 0
    height: int = 0


@dataclass(slots=True)
class _Frame:
    """A list or mapping that has been opened and not closed."""

    data: list[Json] | dict[str, Json]
    branch: Branch
    anchor: str | None
    nodes_before: int
    mappings_before: int
    height: int = 1
    # Of a mapping: the key whose value comes next, and whether that value is to be kept.
    key: str | None = None
    keep: bool = True
    merging: bool = False
    merge_mark: Packed | None = None
    merged: list[tuple[dict[str, Json], Branch]] = field(
        default_factory=list[tuple[dict[str, Json], Branch]]
    )


class Builder:
    """Takes the parts of a document in the order of its text.

    It counts as it goes: a document beyond the limits is refused at the first part too many, and an
    alias costs what it repeats. A value or key at fault is noted and replaced, so that one reading
    reports every one of them; what leaves no way to go on raises SpecError.

    `expects_key` says whether what comes next is a key of a mapping.
    """

    def __init__(self, file: str | None, *, any_key: bool = False) -> None:
        self.file = file
        # Numbers, true and null as keys are the text they are written as.
        self.any_key = any_key
        self.expects_key = False
        self.problems: list[Problem] = []
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Anchored | None] = {}
        self._nodes = 0
        self._mappings = 0
        # The innermost part that is open, if it is a list, and the marks of its items.
        self._items: list[Json] | None = None
        self._item_marks: list[Branch | Packed] = []
        self._data: Json = None
        self._marks: Branch | Packed | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was met, or nothing but a null."""
        return self._data is None

    def source(self) -> Source:
        """The finished document."""
        return Source(self._data, Marks(self._marks), self.file, tuple(self.problems))

    # What a reader meets

    def scalar(self, value: Scalar, mark: Packed, anchor: str | None = None) -> None:
        """A value that is neither a list nor a mapping."""
        self._nodes += 1
        if self._nodes > limits.NODES:
            self._count(0, 0, mark)
        if anchor is not None:
            self._anchors[anchor] = _Anchored(value, mark)
        if self._items is None:
            self._place(value, mark, mark)
        else:
            # What a large document has many of: items of a long list.
            self._items.append(value)
            self._item_marks.append(mark)

    def key(self, name: str, mark: Packed, anchor: str | None = None) -> None:
        """A key; the same key twice is a problem, and its second value is read but not kept."""
        self._nodes += 1
        if self._nodes > limits.NODES:
            self._count(0, 0, mark)
        if anchor is not None:
            self._anchors[anchor] = _Anchored(name, mark)
        frame = self._frames[-1]
        frame.key = name
        self.expects_key = False
        first = frame.branch.keys.get(name)
        frame.keep = first is None
        if first is None:
            frame.branch.keys[name] = mark
        else:
            self._twice(name, first, mark)

    def no_key(self, mark: Packed) -> None:
        """Something that cannot be a key; its value is read but not kept."""
        self._count(1, 0, mark)
        frame = self._frames[-1]
        frame.key, frame.keep = "", False
        self.expects_key = False

    def merge_key(self, mark: Packed) -> None:
        """The key `<<`, whose value is a mapping, or a list of mappings, to take keys from."""
        self._count(1, 0, mark)
        frame = self._frames[-1]
        frame.merging = True
        self.expects_key = False
        if frame.merge_mark is None:
            frame.merge_mark = mark
        else:
            frame.key = "<<"
            self._twice("<<", frame.merge_mark, mark)

    def begin_list(self, mark: Packed, anchor: str | None = None) -> None:
        """A list opens."""
        self._begin([], Branch(mark, []), anchor)
        self._go_on()

    def begin_mapping(self, mark: Packed, anchor: str | None = None) -> None:
        """A mapping opens."""
        self._begin({}, Branch(mark, {}), anchor)
        self._go_on()

    def end(self) -> None:
        """The list or mapping that was opened last closes."""
        frame = self._frames.pop()
        data, branch = frame.data, frame.branch
        # Written keys win over merged ones, earlier sources over later ones.
        for taken, marks in frame.merged:
            target = cast("dict[str, Json]", data)
            values = cast("dict[str, Branch | Packed]", branch.values)
            for name, value in taken.items():
                if name not in target:
                    target[name] = value
                    values[name] = cast("dict[str, Branch | Packed]", marks.values)[name]
                    branch.keys[name] = marks.keys[name]
        if frame.anchor is not None:
            nodes = self._nodes - frame.nodes_before
            mappings = self._mappings - frame.mappings_before
            self._anchors[frame.anchor] = _Anchored(data, branch, nodes, mappings, frame.height)
        if self._frames:
            outer = self._frames[-1]
            outer.height = max(outer.height, frame.height + 1)
        self._place(data, branch, branch.mark)

    def alias(self, name: str, mark: Packed) -> None:
        """A part that was anchored before stands here again."""
        if name not in self._anchors:
            message = f"the alias *{name} has no anchor &{name} before it"
            self.stop("syntax", message, mark, path=self._path())
        anchored = self._anchors[name]
        if anchored is None:
            message = f"the alias *{name} stands inside what it repeats"
            self.stop("cyclic-alias", message, mark, path=self._path())
        if self.expects_key:
            if isinstance(anchored.data, str):
                self.key(anchored.data, mark)
                return
            message = f"a key is text, and *{name} is not"
            self.stop("key-not-string", message, mark, path=self._path())
        if len(self._frames) + anchored.height > limits.DEPTH:
            self.too_deep(mark)
        self._count(anchored.nodes, anchored.mappings, mark)
        # What is anchored stands before its alias, so that something encloses both.
        outer = self._frames[-1]
        outer.height = max(outer.height, anchored.height + 1)
        self._place(anchored.data, anchored.marks, mark)

    # Faults

    def note(
        self, code: str, message: str, mark: Packed, *, found: str | None = None, hint: str | None
    ) -> None:
        """A problem of the value that comes next, or of the mapping whose key does."""
        line, column = unpack(mark)
        where = pointer(self._path())
        self.problems.append(
            Problem("error", code, self.file, where, line, column, message, found=found, hint=hint)
        )
        if len(self.problems) >= limits.PROBLEMS:
            raise SpecError(self.problems)

    def stop(
        self, code: str, message: str, mark: Packed, *, hint: str | None = None, path: Path = ()
    ) -> NoReturn:
        """A problem of the document as a whole, or at `path`, after which nothing more is read."""
        line, column = unpack(mark)
        problem = Problem("error", code, self.file, pointer(path), line, column, message, hint=hint)
        raise SpecError([*self.problems, problem])

    def too_deep(self, mark: Packed) -> NoReturn:
        """A list or mapping that opens is one level too deep."""
        self.stop("too-deep", f"lists and mappings are nested deeper than {limits.DEPTH}", mark)

    # Inside

    def _begin(
        self, data: list[Json] | dict[str, Json], branch: Branch, anchor: str | None
    ) -> None:
        is_mapping = isinstance(data, dict)
        mark = branch.mark
        if self.expects_key:
            message = f"a key is text, found {'a mapping' if is_mapping else 'a list'}"
            self.stop("key-not-string", message, mark, path=self._path())
        if len(self._frames) >= limits.DEPTH:
            self.too_deep(mark)
        nodes, mappings = self._nodes, self._mappings
        self._count(1, int(is_mapping), mark)
        if anchor is not None:
            self._anchors[anchor] = None
        self._frames.append(_Frame(data, branch, anchor, nodes, mappings))

    def _path(self) -> Path:
        """The path of the value that comes next, or of the mapping whose key comes next."""
        parts: list[str | int] = []
        for frame in self._frames:
            if isinstance(frame.data, list):
                parts.append(len(frame.data))
            elif frame.key is not None:
                parts.append(frame.key)
        return tuple(parts)

    def _place(self, value: Json, marks: Branch | Packed, mark: Packed) -> None:
        """Put a finished value where it belongs; `mark` is where it stands, aliased or not."""
        if not self._frames:
            self._data, self._marks = value, marks
            self._items, self.expects_key = None, False
            return
        frame = self._frames[-1]
        data = frame.data
        if type(data) is list:
            data.append(value)
            cast("list[Branch | Packed]", frame.branch.values).append(marks)
        else:
            if frame.merging:
                if frame.key is None:
                    self._merge(frame, value, marks, mark)
                frame.merging = False
            elif frame.keep:
                name = cast(str, frame.key)
                cast("dict[str, Json]", data)[name] = value
                cast("dict[str, Branch | Packed]", frame.branch.values)[name] = marks
            frame.key = None
        self._go_on()

    def _go_on(self) -> None:
        """Make ready for what comes next in the innermost part."""
        frame = self._frames[-1]
        data, places = frame.data, frame.branch.values
        self.expects_key = isinstance(data, dict)
        self._items = None if isinstance(data, dict) else data
        if isinstance(places, list):
            self._item_marks = places

    def _merge(self, frame: _Frame, value: Json, marks: Branch | Packed, mark: Packed) -> None:
        parts = [(value, marks)]
        if isinstance(value, list) and isinstance(marks, Branch):
            parts = list(zip(value, marks.values, strict=True))  # type: ignore[arg-type]
        for part, where in parts:
            if not isinstance(part, dict) or not isinstance(where, Branch):
                message = "<< takes a mapping or a list of mappings"
                self.stop("syntax", message, mark, path=self._path())
            frame.merged.append((part, where))

    def _count(self, nodes: int, mappings: int, mark: Packed) -> None:
        self._nodes += nodes
        self._mappings += mappings
        if self._nodes > limits.NODES:
            message = f"the document has more than {limits.NODES:,} nodes, aliases written out"
            self.stop("too-many-nodes", message, mark)
        if self._mappings > limits.MAPPINGS:
            message = (
                f"the document has more than {limits.MAPPINGS:,} mappings, aliases written out"
            )
            self.stop("too-many-mappings", message, mark)

    def _twice(self, name: str, first: Packed, mark: Packed) -> None:
        one, two = unpack(first), unpack(mark)
        message = f"the key {quoted(name)} stands twice"
        if one.line == two.line:
            message += f" in line {two.line}, first in column {one.column}"
        else:
            message += f", in lines {one.line} and {two.line}"
        self.note("duplicate-key", message, mark, hint=None)
