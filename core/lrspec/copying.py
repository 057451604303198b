"""Copies a mapping that a host gives, checking that it holds what a document can hold."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, cast

from lrspec import limits
from lrspec.problems import Path, Problem, SpecError, pointer
from lrspec.scalars import half_a_character
from lrspec.shorten import quoted
from lrspec.source import Json, Marks, Source


def copy_mapping(mapping: object) -> Source:
    """The mapping as plain data that share nothing with it; see `lrspec.reading.read_mapping`."""
    if not isinstance(mapping, Mapping):
        raise TypeError(f"a document is a mapping, not {_type_name(mapping)}")
    copier = _Copier()
    data = copier.copy(cast(object, mapping), ())
    return Source(data, Marks(), None, tuple(copier.problems))


def copy_data(data: object) -> Source:
    """Data of another system as plain data: a mapping or a list, in which numbers, booleans and
    None may be keys, and are the text they are written as."""
    copier = _Copier(any_key=True)
    copied = copier.copy(data, ())
    return Source(copied, Marks(), None, tuple(copier.problems))


def _type_name(value: object) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


class _Copier:
    """Counts as it copies; what is at fault is noted and replaced by None."""

    def __init__(self, *, any_key: bool = False) -> None:
        self.any_key = any_key
        self.problems: list[Problem] = []
        self.nodes = 0
        self.mappings = 0
        self.size = 0
        self.open: set[int] = set()

    def copy(self, value: object, path: Path) -> Json:
        self.count(path)
        if isinstance(value, Mapping):
            pairs = cast("Mapping[object, object]", value)
            self.mappings += 1
            if self.mappings > limits.MAPPINGS:
                self.stop(
                    "too-many-mappings",
                    (),
                    f"the document has more than {limits.MAPPINGS:,} mappings",
                )
            self.enter(pairs, path)
            copied: dict[str, Json] = {}
            for key, item in pairs.items():
                self.count(path)
                if self.any_key and (key is None or isinstance(key, bool | int | float)):
                    key = str(key)
                if not isinstance(key, str):
                    message = f"a key is text, found {_type_name(key)}"
                    self.note("key-not-string", path, message, found=_type_name(key))
                    continue
                name = self.text(key, path)
                if name in copied:
                    message = f"the key {quoted(name)} stands here twice, not only as text"
                    self.note("duplicate-key", (*path, name), message, found=name)
                copied[name] = self.copy(item, (*path, name))
            self.open.discard(id(pairs))
            return copied
        if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
            items = cast("Sequence[object]", value)
            self.enter(items, path)
            listed = [self.copy(item, (*path, index)) for index, item in enumerate(items)]
            self.open.discard(id(items))
            return listed
        return self.scalar(value, path)

    def scalar(self, value: Any, path: Path) -> Json:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value, path)
        if isinstance(value, float):
            return self.finite(float(value), path)
        try:
            whole = operator.index(value)
        except (TypeError, ValueError, OverflowError):
            self.refuse(value, path)
            return None
        try:
            nearest = self.finite(float(whole), path)
        except OverflowError:
            nearest = self.finite(math.inf if whole > 0 else -math.inf, path)
        return None if nearest is None else int(nearest)

    def finite(self, value: float, path: Path) -> float | None:
        if math.isfinite(value):
            return value
        message = f"{value} is not a finite number in the range of float64"
        self.note("not-finite", path, message, found=str(value))
        return None

    def refuse(self, value: Any, path: Path) -> None:
        found = _type_name(value)
        message = f"expected text, a number, true, false, None, a list or a mapping, found {found}"
        hint = None
        if hasattr(value, "tolist"):
            hint = "convert it with its tolist()"
        elif hasattr(value, "__float__"):
            hint = "convert it with float(…)"
        self.note("wrong-type", path, message, found=found, hint=hint)

    def text(self, value: str, path: Path) -> str:
        self.size += len(value)
        if self.size > limits.BYTES:
            mebibytes = limits.BYTES // 2**20
            self.stop("too-large", (), f"the document is larger than {mebibytes} MiB")
        if half_a_character(value):
            self.stop(
                "not-text", path, "the text holds half of a character, which no file can hold"
            )
        # Subclasses may print as something else; this is the text itself.
        return str.__str__(value)

    def enter(self, value: object, path: Path) -> None:
        if id(value) in self.open:
            self.stop("cyclic-alias", path, "this contains itself")
        if len(self.open) >= limits.DEPTH:
            message = f"lists and mappings are nested deeper than {limits.DEPTH}"
            self.stop("too-deep", (), message)
        self.open.add(id(value))

    def count(self, path: Path) -> None:
        self.nodes += 1
        if self.nodes > limits.NODES:
            message = f"the document has more than {limits.NODES:,} nodes"
            self.stop("too-many-nodes", (), message)

    def note(
        self, code: str, path: Path, message: str, *, found: str, hint: str | None = None
    ) -> None:
        self.problems.append(self.problem(code, path, message, found, hint))
        if len(self.problems) >= limits.PROBLEMS:
            raise SpecError(self.problems)

    def stop(self, code: str, path: Path, message: str) -> NoReturn:
        raise SpecError([*self.problems, self.problem(code, path, message)])

    def problem(
        self, code: str, path: Path, message: str, found: str | None = None, hint: str | None = None
    ) -> Problem:
        return Problem(
            "error", code, None, pointer(path), None, None, message, found=found, hint=hint
        )
