"""mmengine's `_base_`: the files that a configuration goes on from (mmengine/config/config.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from lrspec.importing.beside import path_beside
from lrspec.importing.config import Config
from lrspec.importing.run import Run
from lrspec.importing.scripts import read_config
from lrspec.problems import SpecError
from lrspec.reading import read_characters, read_path
from lrspec.shorten import listed
from lrspec.source import Json

_KEY = "_base_"
_DELETE = "_delete_"
_OURS = ("/param_scheduler", "/optim_wrapper", "/train_cfg")
# More files than this go round in a circle.
_MOST = 50


def with_bases(config: Config, run: Run) -> Config:
    """The configuration over its bases, whose paths count from its own; those go on from others as
    well. A mapping changes the keys that it has and keeps the others, unless it has `_delete_`.

    What is not there, or cannot be read, is left out, with a note.
    """
    if _KEY not in config:
        return config
    found: list[str] = []
    lost: list[str] = []
    merged = _over(config.data, config.source.file, found, lost)
    names = listed([PurePath(name).name for name in found])
    if found:
        run.say(f"It goes on from {names}.")
    if lost:
        run.say(f"It would go on from more, which is left out: {'; '.join(lost)}.")
    config.ignore_rest()
    return Config(merged, config.path, config.source, config.notes)


def _over(
    data: Mapping[str, Json], file: str | None, found: list[str], lost: list[str]
) -> dict[str, Json]:
    named = data.get(_KEY)
    whole: dict[str, Json] = {}
    for name in named if isinstance(named, list) else [named] if named else []:
        path = path_beside(name, file)
        if path is None or len(found) >= _MOST:
            lost.append(str(name))
            continue
        found.append(path)
        inherited = _read(path)
        if inherited is None:
            lost.append(f"{name}, which is no configuration")
            continue
        whole = _merged(whole, _over(inherited, path, found, lost))
    return _merged(whole, {key: value for key, value in data.items() if key != _KEY})


def _read(path: str) -> Mapping[str, Json] | None:
    if path.endswith(".py"):
        characters = read_characters(path)
        try:
            return read_config(characters)
        except ValueError:
            return None
    source = read_path(path, any_key=True)
    faults = [problem for problem in source.problems if problem.path.startswith(_OURS)]
    if faults:
        raise SpecError(faults)
    return source.data if isinstance(source.data, dict) else None


def _merged(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if not isinstance(value, dict):
            merged[key] = value
        elif isinstance(old, dict) and value.get(_DELETE) is not True:
            merged[key] = _merged(old, value)
        else:
            merged[key] = _merged({}, {k: v for k, v in value.items() if k != _DELETE})
    return merged
