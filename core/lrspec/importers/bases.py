"""Configurations that go on from others: `_BASE_` of detectron2 (fvcore/common/config.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from lrspec.importing.beside import path_beside
from lrspec.importing.config import Config
from lrspec.importing.run import Run
from lrspec.problems import SpecError
from lrspec.reading import read_path
from lrspec.source import Json

_KEY = "_BASE_"
# More files than this go round in a circle.
_MOST = 20


def with_bases(config: Config, run: Run) -> Config:
    """The configuration over the files that `_BASE_` names, whose paths count from its own; those
    go on from others as well. A mapping in it changes the keys that it has and keeps the others.

    It is refused where no such file is there, or where the configuration comes from no file.
    """
    if _KEY not in config:
        return config
    found: list[str] = []
    merged = _over_bases(config, config.data, config.source.file, found)
    run.say(f"It goes on from {', '.join(PurePath(name).name for name in found)}.")
    config.ignore_rest()
    return Config(merged, config.path, config.source, config.notes)


def _over_bases(
    config: Config, data: Mapping[str, Json], file: str | None, found: list[str]
) -> dict[str, Json]:
    own = {key: value for key, value in data.items() if key != _KEY}
    named = data.get(_KEY)
    if named is None:
        return own
    whole: dict[str, Json] = {}
    for name in named if isinstance(named, list) else [named]:
        whole = _merged(whole, _base(config, name, file, found))
    return _merged(whole, own)


def _base(config: Config, name: Json, file: str | None, found: list[str]) -> dict[str, Json]:
    """What stands in a file and its bases."""
    path = path_beside(name, file)
    if path is None or len(found) >= _MOST:
        hint = "write the whole one with cfg.dump(), and import that"
        where = "another file" if not isinstance(name, str) else name
        config.refuse(f"a part of this configuration stands in {where}", _KEY, hint=hint)
    found.append(path)
    source = read_path(path, any_key=True)
    faults = [problem for problem in source.problems if problem.path.startswith("/SOLVER")]
    if faults:
        raise SpecError(faults)
    return _over_bases(config, source.data if isinstance(source.data, dict) else {}, path, found)


def _merged(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = (
            _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
        )
    return merged
