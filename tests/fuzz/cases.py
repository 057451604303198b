"""What the fuzz run hands to lrspec: a document in some form, and the facts to bind it to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lrspec.document import Document
from lrspec.loading import from_dict, loads

# Enough for most documents to bind.
ALL_FACTS: dict[str, Any] = {
    "steps": 100,
    "batch_size": 8,
    "sequence_length": 16,
    "steps_per_epoch": 10,
}


@dataclass(frozen=True)
class Case:
    """A text, the bytes of one, or a mapping; `file` is the name that a text goes by."""

    document: str | bytes | Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    file: str | None = None

    def read(self) -> Document:
        """The document; SpecError where it is none."""
        if isinstance(self.document, str | bytes):
            return loads(self.document, file=self.file)
        return from_dict(self.document)

    def size(self) -> int:
        """How large it is: the bytes of a text, the items of a mapping."""
        if isinstance(self.document, bytes):
            return len(self.document)
        if isinstance(self.document, str):
            return len(self.document.encode("utf-8", "surrogatepass"))
        return _characters(self.document)

    def __repr__(self) -> str:
        if isinstance(self.document, str | bytes):
            return f"loads({self.document!r}, file={self.file!r}).bind(**{_shown(self.facts)})"
        return f"from_dict({_shown(self.document)}).bind(**{_shown(self.facts)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis shows the fields otherwise


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return "{…}"


def _characters(value: object) -> int:
    """About how long a value is, written as JSON; parts that stand twice count twice."""
    if isinstance(value, Mapping):
        return 2 + sum(_characters(key) + _characters(item) + 2 for key, item in value.items())
    if isinstance(value, list | tuple):
        return 2 + sum(_characters(item) + 1 for item in value)
    return len(value) + 2 if isinstance(value, str | bytes) else min(len(str(type(value))), 8)
