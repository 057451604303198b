"""A document that an importer wrote, with what it assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from lrspec.document import Document
from lrspec.loading import from_dict
from lrspec.phase_lines import phase_lines
from lrspec.problems import SpecError

_WIDTH = 96
# A sampled schedule has thousands.
_PHASES = 24


class Imported(Document):
    """A document that states the schedule of another system.

    Attributes:
        origin: The system and the schedule there, such as `NeMo CosineAnnealing`.
        notes: What was assumed, rounded or added, one sentence each.
    """

    def __init__(self, data: Mapping[str, Any], origin: str, notes: Iterable[str]) -> None:
        document = from_dict(data)
        super().__init__(document.source, document.model)
        self.warnings = document.warnings
        self.origin = origin
        self.notes = tuple(notes)

    def report(self) -> str:
        """Lines for people: where the document comes from, what was assumed, and its phases."""
        lines = [*_sentences([f"Imported from {self.origin}.", *self.notes])]
        for name in self.names:
            try:
                phases = phase_lines(self.bind(name=name))
            except SpecError:
                # Something of the run is known to its host alone.
                continue
            if len(phases) > _PHASES:
                phases[_PHASES - 4 : -3] = [f"… {len(phases) - _PHASES + 1} more"]
            lines += ["", *([f"{name}:"] if len(self.names) > 1 else []), *phases]
        return "".join(f"{line}\n" for line in lines)

    def to_yaml(self) -> str:
        """The document as YAML text, under comments that say where it comes from, what was assumed
        and which phases it has; `loads` of it is this document again."""
        lines = self.report().splitlines()
        comments = "".join(f"# {line}".rstrip() + "\n" for line in lines)
        return f"{comments}\n{super().to_yaml()}"


def _sentences(sentences: Sequence[str]) -> Iterator[str]:
    """The first as it stands, the others as a list."""
    for index, sentence in enumerate(sentences):
        first, rest = ("- ", "  ") if index else ("", "")
        text = " ".join(sentence.split())
        yield from wrap(text, _WIDTH, initial_indent=first, subsequent_indent=rest)
