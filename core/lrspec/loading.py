"""From text or data to a Document: read, held against the schema, parsed, checked for meaning."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from lrspec.document import Document
from lrspec.problems import SpecError

if TYPE_CHECKING:
    from lrspec.source import Source


def load(path: str | PathLike[str], *, at: str | None = None) -> Document:
    """The document in a file: JSON by the suffix .json, YAML by .yaml or .yml, else either.

    `at` says where in a larger file it stands, by keys, `optim.schedule`, or as a JSON pointer;
    what else is in the file does not matter, and problems have their places in the whole.

    Raises:
        SpecError: Everything that is wrong with it, each problem with line and column.
    """
    from lrspec.embedded import part
    from lrspec.reading import read_path

    # Only the whole of a file is a document of ours; others may have other keys than text.
    source = read_path(path, any_key=at is not None)
    return document(source if at is None else part(source, at))


def loads(text: str | bytes, *, file: str | None = None) -> Document:
    """The document in a text, YAML or JSON; `file` is the name that problems give it.

    Raises:
        SpecError: Everything that is wrong with it, each problem with line and column.
    """
    from lrspec.reading import read_text

    return document(read_text(text, file, None))


def from_dict(mapping: Mapping[str, Any]) -> Document:
    """The document that a mapping states; it is copied.

    Raises:
        SpecError: Everything that is wrong with it.
    """
    from lrspec.reading import read_mapping

    return document(read_mapping(mapping))


def document(source: Source) -> Document:
    """The document of something read; SpecError with all its problems."""
    from lrspec.meaning import meaning_problems
    from lrspec.nesting import nesting_problems
    from lrspec.parsing import parse
    from lrspec.schema import schema_problems

    problems = schema_problems(source)
    if problems:
        raise SpecError(problems)
    assert isinstance(source.data, dict)
    model = parse(source.data)
    problems = [*meaning_problems(model, source), *nesting_problems(model, source)]
    if problems:
        raise SpecError(problems)
    return Document(source, model)
