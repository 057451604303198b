"""The cases of the suite as values: what is asked, and what is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from lrspec.conformance.profiles import Profile, Tolerance


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What every case has: `name` is its path in the suite without the suffix, `category` what it
    is counted under, `written` the text of its file, where numbers are as they were written."""

    name: str
    category: str
    description: str
    clauses: tuple[str, ...]
    written: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden(About):
    """A document and facts, and the values of its schedule at some steps.

    `facts` are the keywords of `Document.bind`; `exact` are the indices of `steps` at which the
    value is one certain float64. `bits`, where it is not None, says that all values are, in
    float64: these by index, and `values` elsewhere.
    """

    document: Mapping[str, Any]
    facts: Mapping[str, Any]
    schedule: str
    profiles: frozenset[str] | None
    steps: tuple[int, ...]
    values: tuple[float, ...]
    exact: frozenset[int]
    tolerance: Tolerance
    bits: Mapping[int, float] | None

    def within(self, profile: Profile) -> Golden:
        """The case with the steps that belong to a profile, none where the case does not."""
        meant = self.profiles is None or profile.name in self.profiles
        kept = [
            index
            for index, step in enumerate(self.steps)
            if meant and step <= profile.greatest_step
        ]
        if len(kept) == len(self.steps):
            return self
        bits = self.bits
        if bits is not None:
            bits = {new: bits[index] for new, index in enumerate(kept) if index in bits}
        return replace(
            self,
            steps=tuple(self.steps[index] for index in kept),
            values=tuple(self.values[index] for index in kept),
            exact=frozenset(new for new, index in enumerate(kept) if index in self.exact),
            bits=bits,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid(About):
    """A document, or a document with facts, that is refused for one fault: a code, and the JSON
    pointer of its place."""

    document: Mapping[str, Any]
    facts: Mapping[str, Any]
    schedule: str
    code: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(About):
    """A text, and what it means or why it means nothing.

    `source` is the text in parts, each so many times, or bytes that may be no text. Of `document`
    and `code` one is None; both are where the text is good and its meaning too long to say.
    """

    format: Literal["yaml", "json"]
    source: tuple[tuple[str, int], ...] | bytes
    document: dict[str, Any] | None
    code: str | None

    def text(self) -> str | bytes:
        """The whole text; it may be large."""
        if isinstance(self.source, bytes):
            return self.source
        return "".join(part * times for part, times in self.source)


Case: TypeAlias = Golden | Invalid | Reading
