"""The document: what was read, checked and understood, ready to be bound to a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lrspec.curve import Curve
    from lrspec.model import Model
    from lrspec.problems import Problem
    from lrspec.source import Source


class Document:
    """A valid lrspec document.

    `lrspec.load`, `loads` and `from_dict` make it; it never changes.
        Attributes:
            source: The data as they were read, with their places in the text.
            model: The typed form of the data.
            warnings: What reading noticed that never stops a run; `lrspec.checking.problems_of`
                finds everything that `lrspec check` does.
    """

    def __init__(self, source: Source, model: Model) -> None:
        self.source = source
        self.model = model
        self.warnings: tuple[Problem, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The hyperparameters that the document schedules; ("lr",) for `schedule:`."""
        return tuple(self.model.schedules)

    def bind(
        self,
        *,
        steps: int | str | None = None,
        base: float | None = None,
        batch_size: int | list[dict[str, int]] | None = None,
        sequence_length: int | None = None,
        steps_per_epoch: float | None = None,
        name: str = "lr",
        override: bool = False,
    ) -> Curve:
        """The curve of the schedule `name` for a run.

        Args:
            steps: Planned optimizer updates (or text with a unit, such as "90 epochs").
            base: The rate that 1 stands for.
            batch_size: Samples of one update, or a list of {start: step, value: samples}.
            sequence_length: Tokens of one sample.
            steps_per_epoch: Updates of one epoch.
            name: Which of the document's `schedules`.
            override: Let a fact given here replace another value in the document, instead of
                refusing both.

        Raises:
            SpecError: A fact is missing, invalid or given twice with different values, or the
                stages do not fit.
        """
        from lrspec.binding import bind

        facts = {
            "steps": steps,
            "base": base,
            "batch_size": batch_size,
            "sequence_length": sequence_length,
            "steps_per_epoch": steps_per_epoch,
        }
        return bind(self, facts, name=name, override=override)

    def to_dict(self) -> dict[str, Any]:
        """The document as plain JSON data, a copy: `from_dict` of it is this document again."""
        data: dict[str, Any] = _unshared(self.source.data)
        return data

    def to_yaml(self) -> str:
        """The document as YAML text; `loads` of it is this document again (comments and anchors are
        not kept)."""
        from lrspec.writing import to_yaml

        return to_yaml(self.to_dict())

    @cached_property
    def _text(self) -> str:
        import json

        return json.dumps(self.source.data, sort_keys=True)

    def __eq__(self, other: object) -> bool:
        """Equal data, wherever they were read from."""
        return self._text == other._text if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        where = "" if self.source.file is None else f" {self.source.file!r}"
        return f"<Document{where} of {', '.join(self.names)}>"


def _unshared(data: Any) -> Any:
    """A copy in which nothing stands twice, as aliased parts of a document do."""
    if data.__class__ is dict:
        return {key: _unshared(value) for key, value in data.items()}
    return [_unshared(value) for value in data] if data.__class__ is list else data
