"""The class of a scheduler and its arguments, in the ways in which configurations write them."""

from __future__ import annotations

from collections.abc import Iterable

from lrspec.hints import closest, did_you_mean
from lrspec.importing.config import Config
from lrspec.importing.run import Run
from lrspec.shorten import listed, quoted

# Where the class may stand, and where its arguments may, if not beside it.
NAMES = ("cls", "_target_", "class_path", "class_name", "type", "name", "fn")
ARGUMENTS = ("args", "params", "kwargs", "init_args")
# What Hydra is told about making the object.
_HYDRA = ("_partial_", "_convert_", "_recursive_")


def is_named(config: Config) -> bool:
    """Whether a class is named here."""
    return any(isinstance(config.data.get(key), str) for key in NAMES)


def class_of(
    config: Config,
    run: Run,
    known: Iterable[str],
    *,
    package: Iterable[str],
    schedule: str | None = None,
) -> tuple[str, Config]:
    """The name of a class, without its modules, and the mapping of its arguments.

    `schedule` is the name where the configuration has none. `package` are the words with which the
    modules of the system begin; a class of another is refused.
    """
    known = list(known)
    given = [key for key in NAMES if key in config]
    if len(given) > 1:
        config.conflict(given[0], given[1])
    if given:
        text = config.text(given[0])
        if schedule is not None and text != schedule:
            message = f"{quoted(given[0])} is {quoted(text)}, and the schedule {quoted(schedule)}"
            config.fail("conflicting-fields", message, given[0])
    elif schedule is None:
        message = f"no schedule of {run.system} is named here"
        hint = f"name it with {quoted('cls')} or {quoted('_target_')}; known are {listed(known)}"
        config.fail("not-a-config", message, hint=hint)
    else:
        text = schedule
    modules, _, name = text.rpartition(".")
    at = given[:1]
    if modules and modules.split(".")[0] not in package:
        config.refuse(f"{quoted(text)} is no class of {run.system}", *at)
    if name not in known:
        message = f"unknown scheduler {quoted(name)}; known are {listed(known)}"
        config.fail("unknown-schedule", message, *at, hint=did_you_mean(closest(name, known)))
    config.ignore(*_HYDRA)
    inside = [key for key in ARGUMENTS if key in config]
    return name, config.section(inside[0]) if inside else config


def say_defaults(config: Config, run: Run, **defaults: object) -> None:
    """Tells which values were taken that the configuration does not give."""
    missing = [f"{key} {value}" for key, value in defaults.items() if key not in config]
    if missing:
        run.say(f"Not given, so as {run.system} has it: {', '.join(missing)}.")


def one_rate(config: Config, key: str, default: float | None = None) -> float:
    """A number that may be a list, one for each parameter group, of the same number."""
    values = config.numbers(key) if default is None else config.numbers(key, [default])
    if not values:
        config.fail("too-few-items", f"{key} is an empty list", key)
    if len(set(values)) > 1:
        config.refuse(f"{key} differs between parameter groups; a document has one curve", key)
    return values[0]
