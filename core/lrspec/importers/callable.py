"""A function from step to rate, in Python code: it is sampled, for nothing else is known of it.

`load` runs the code: all of the file or module, and the function at every step of the run. Give it
only code that you would run yourself.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from lrspec.hints import closest, did_you_mean
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import FACTS, Importer
from lrspec.importing.run import Run
from lrspec.importing.scale import largest, times
from lrspec.shorten import quoted, shown
from lrspec.source import Marks, Source

_FORM = "a function, or where one stands: 'module.py:function' or 'package.module:function'"


def _load(
    config: object,
    *,
    at: str | None = None,
    schedule: str | None = None,
    sample: bool = False,
    **facts: Any,
) -> Imported:
    """The document of a Python function from step to rate: straight lines through its values.

    Args:
        config: The function, or `module.py:function` or `package.module:function`. That code is
            run, but only where `sample` is given.
        at: Has no meaning here.
        schedule: The name of the function, where `config` is only a file or module.
        sample: Has to be true: a function can only be sampled.
        facts: `steps` is required: the function is called with 0, 1, …, steps. With `base` it
            gives multiples of that, else rates.

    Raises:
        SpecError: `sample` or `steps` is not given, the code cannot be loaded, or the function
            raises, or gives something that is no finite number, at a step that is named.
    """
    unknown = sorted(facts.keys() - set(FACTS))
    if unknown:
        raise TypeError(f"load() got an unexpected keyword argument {unknown[0]!r}")
    source = Source({}, Marks())
    run = Run("Python", source, facts, None, sample)
    whole = Config({}, (), source, run.notes)
    if at is not None:
        whole.fail("not-a-config", f"there is nothing at {quoted(at)}, a function has no inside")
    place = _place(config, schedule, whole)
    name = place if isinstance(place, str) else _name(place)
    refusal = f"{name} is code, and no kind states what code computes"
    run.needs_sampling(refusal, whole)
    total = run.needs_steps(whole, why="a function has no end: it is sampled to that of the run")
    function = _function(place, whole) if isinstance(place, str) else place
    lines = run.sampled(_rate(function, name), total, refusal=refusal, config=whole)
    base = run.base()
    if base is None:
        return run.document(lines, origin=name, base=largest(lines), steps=total)
    return run.document(times(lines, base), origin=name, base=base, steps=total)


load = cast("Importer", _load)
load.system = "Python"


def _place(config: object, function: str | None, whole: Config) -> str | Callable[[int], Any]:
    """The function, or the text that says where it stands."""
    if callable(config):
        return config
    if isinstance(config, os.PathLike):
        config = os.fspath(cast("os.PathLike[str]", config))
    if not isinstance(config, str):
        whole.fail("not-a-config", f"expected {_FORM}; found {type(config).__name__}")
    place = config if function is None else f"{config}:{function}"
    module, _, name = place.rpartition(":")
    if not module or not name:
        whole.fail("not-a-config", f"expected {_FORM}; found {shown(place)}")
    return place


def _name(function: Callable[[int], Any]) -> str:
    return str(getattr(function, "__qualname__", type(function).__qualname__))


def _function(place: str, whole: Config) -> Callable[[int], Any]:
    where, _, name = place.rpartition(":")
    try:
        module = _module(where)
    except (Exception, SystemExit) as error:
        whole.refuse(f"{where} cannot be loaded: {_told(error)}")
    try:
        found = attrgetter(name)(module)
    except AttributeError:
        hint = did_you_mean(closest(name, vars(module)))
        whole.refuse(f"{where} has no {quoted(name)}", hint=hint)
    if not callable(found):
        whole.refuse(f"{quoted(name)} in {where} is no function, but {type(found).__name__}")
    return cast("Callable[[int], Any]", found)


def _module(where: str) -> ModuleType:
    """The module of a name, or of a file, which is run anew."""
    if not where.endswith(".py"):
        return importlib.import_module(where)
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    assert spec is not None and spec.loader is not None  # of a name that ends so there is one
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(spec.name)
    # Some of what a module defines, such as a dataclass, looks for it here.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules.pop(spec.name, None)
        if before is not None:
            sys.modules[spec.name] = before
    return module


def _rate(function: Callable[[int], Any], name: str) -> Callable[[int], float]:
    """The function as one that gives numbers, and says at which step it does not."""

    def rate(step: int) -> float:
        try:
            value = function(step)
            if not isinstance(value, str | bytes | bytearray):
                return float(value)
            problem = f"gives {shown(value)}"
        except (Exception, SystemExit) as error:
            problem = f"raises {_told(error)}"
        raise ValueError(f"at step {step} {name} {problem}")

    return rate


def _told(error: BaseException) -> str:
    kind = type(error).__name__
    return f"{kind}: {error}" if str(error) else kind
