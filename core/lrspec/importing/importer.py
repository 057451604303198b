"""What an importer is to its caller, and what stands around every one of them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Protocol, TypeAlias, cast

from lrspec.copying import copy_data
from lrspec.embedded import below, path_to
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.run import Run
from lrspec.problems import SpecError
from lrspec.reading import decoded, read_characters, read_path, read_text
from lrspec.shorten import shown
from lrspec.source import Json, Marks, Source

FACTS = ("steps", "base", "batch_size", "sequence_length", "steps_per_epoch")

Read: TypeAlias = Callable[[Config, Run], Imported]
# Makes a mapping of the text of a file that is neither YAML, JSON nor TOML.
ReadText: TypeAlias = Callable[[str], Mapping[str, Any]]
_STANDARD = (".yaml", ".yml", ".json")


class Importer(Protocol):
    """`load` of one system; `system` is what people call it, such as NeMo."""

    system: str
    __doc__: str | None

    def __call__(
        self,
        config: object,
        *,
        at: str | None = None,
        schedule: str | None = None,
        sample: bool = False,
        steps: int | None = None,
        base: float | None = None,
        batch_size: int | list[dict[str, int]] | None = None,
        sequence_length: int | None = None,
        steps_per_epoch: float | None = None,
    ) -> Imported:
        """The document of a configuration.

        Args:
            config: The configuration as its users write it: the path of a file, the bytes of one,
                or a mapping.
            at: Where in it the part stands that matters: `trainer.optim`, or a JSON pointer.
            schedule: The function or class, where the configuration does not name it.
            sample: Write a schedule that no kind states as straight lines through its values at
                every step, instead of refusing it.
            steps: The length of the run, where the configuration leaves it to the trainer.
            base: The rate, where the configuration leaves it to the optimizer.
            batch_size: Samples of one step.
            sequence_length: Tokens of one sample.
            steps_per_epoch: Steps of one epoch.

        Raises:
            SpecError: The configuration is not one of this system, says too little or contradicts
                itself, or its schedule is one that no document states.
        """
        ...


def importer(
    system: str, *, key: str | None = None, text: ReadText | None = None
) -> Callable[[Read], Importer]:
    """Makes the `load` of a system from a function that reads one configuration.

    The function reads what it knows of the configuration; a key that it has not read is refused
    afterwards. `key` is where a configuration that is only a list belongs. `text` reads files that
    are neither YAML, JSON nor TOML, by their suffix; it raises ValueError where it cannot.
    """

    def make(read: Read) -> Importer:
        def load(
            config: object,
            *,
            at: str | None = None,
            schedule: str | None = None,
            sample: bool = False,
            **facts: Any,
        ) -> Imported:
            unknown = sorted(facts.keys() - set(FACTS))
            if unknown:
                raise TypeError(f"load() got an unexpected keyword argument {unknown[0]!r}")
            source = _source(config, text)
            path = () if at is None else path_to(source, at)
            data: Json = below(source.data, path)
            if key is not None and isinstance(data, list):
                data = {key: data}
            if not isinstance(data, dict):
                message = f"a configuration of {system} is a mapping, found {shown(data)}"
                raise SpecError([source.problem("not-a-config", path, message)])
            if "lrspec" in data and data.keys() & {"schedule", "schedules"}:
                message = "this is a document of lrspec already"
                raise SpecError([source.problem("not-a-config", path, message)])
            run = Run(system, source, facts, schedule, sample)
            whole = Config(data, path, source, run.notes)
            try:
                document = read(whole, run)
            except OverflowError:
                message = "a number in the configuration is too large to compute with"
                raise SpecError([source.problem("out-of-range", (), message)]) from None
            whole.done()
            return document

        load.__doc__ = read.__doc__
        load.__module__ = read.__module__
        made = cast("Importer", load)
        made.system = system
        return made

    return make


def _source(config: object, text: ReadText | None) -> Source:
    """The configuration as plain data, with its places where it comes from a file."""
    if isinstance(config, bytes):
        return _read_bytes(config, text)
    if isinstance(config, str | os.PathLike):
        return _read(os.fspath(cast("str", config)), text)
    return copy_data(config)


def _read_bytes(data: bytes, text: ReadText | None) -> Source:
    """What standard input gave: YAML or JSON, else what the system has besides."""
    try:
        source = read_text(data, any_key=True)
        if text is None or isinstance(source.data, dict | list):
            return source
    except SpecError:
        if text is None:
            raise
    return _read_other(decoded(data), None, text)


def _read(name: str, text: ReadText | None) -> Source:
    suffix = PurePath(name).suffix.lower()
    reader = tomllib.loads if suffix == ".toml" else text
    if reader is None or suffix in _STANDARD:
        return read_path(name, any_key=True)
    return _read_other(read_characters(name), name, reader)


def _read_other(characters: str, name: str | None, reader: ReadText) -> Source:
    nowhere = Source(None, Marks(), name)
    try:
        copied = copy_data(reader(characters))
    except SpecError:
        raise
    except ValueError as error:
        message = f"the file cannot be read: {error}"
        raise SpecError([nowhere.problem("not-a-config", (), message)]) from None
    problems = tuple(replace(problem, file=name) for problem in copied.problems)
    return Source(copied.data, copied.marks, name, problems)
