"""What is wrong with a document, as values: a problem, and the exception that carries them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning"]
Path: TypeAlias = tuple[str | int, ...]

# A pointer names a place for people and tools; a key that is itself a page of text is cut in it.
_LONGEST_TOKEN = 120


def pointer(path: Path) -> str:
    """The JSON pointer (RFC 6901) of a path: `("schedule", 1, "a/b")` is `/schedule/1/a~1b`.

    The empty path is the whole document and gives the empty text. A key of more than 120
    characters is cut and ends with an ellipsis.
    """
    return "".join("/" + _token(str(part)) for part in path)


def _token(text: str) -> str:
    if len(text) > _LONGEST_TOKEN:
        text = text[: _LONGEST_TOKEN - 1] + "…"
    return text.replace("~", "~0").replace("/", "~1")


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a document, or one warning about it.

    `code` is stable and registered in `lrspec.codes`; `path` is a JSON pointer; `line` and `column`
    count from 1, columns in code points, and are None when the document was given as a mapping.
    `expected`, `found` and `hint` repeat for tools what the message says, where it applies.

    `str(problem)` is one line, `file:line:col: /json/pointer: message; hint`, without the parts
    that are unknown.
    """

    severity: Severity
    code: str
    file: str | None
    path: str
    line: int | None
    column: int | None
    message: str
    expected: str | None = None
    found: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        places = (self.file, self.line, self.column)
        place = ":".join(str(part) for part in places if part is not None)
        text = ": ".join(part for part in (place, self.path, self.message) if part)
        if self.hint is not None:
            text = f"{text}; {self.hint}"
        return _one_line(text)


def _one_line(text: str) -> str:
    """The text with line breaks and other unprintable characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _position(problem: Problem) -> tuple[str, int, int]:
    return (problem.file or "", problem.line or 0, problem.column or 0)


class SpecError(ValueError):
    """A document that cannot be used, with everything that is wrong with it.

    `problems` are in order of position; those without one keep the order in which they were found.
    The text is one line a problem.
    """

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=_position))
        # The arguments are what pickling calls the class with.
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
