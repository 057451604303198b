"""What a backend answers when it is asked a case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Values:
    """The values at the steps of the case, in their order."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a document: a code of the language and a JSON pointer."""

    code: str
    path: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The document is refused, with everything that is wrong with it."""

    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The document is good, and no values were asked for; `document` is what a text was read as."""

    document: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Declined:
    """The backend does not do what the case is about, and says so."""

    reason: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The backend gave no answer: it raised something, or said what is no answer."""

    reason: str


Answer: TypeAlias = Values | Refusal | Accepted | Declined | Broken


def broken(error: Exception) -> Broken:
    """What was raised instead of an answer, in one line."""
    text = " ".join(str(error).split())
    return Broken(f"{type(error).__name__}: {text if len(text) <= 500 else text[:499] + '…'}")
