"""A mapping of another system's configuration, read key by key, so that none is lost."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NoReturn, cast

from lrspec.hints import closest, did_you_mean, number_hint
from lrspec.importing.references import is_reference, resolved
from lrspec.problems import Path, Problem, SpecError, pointer
from lrspec.scalars import NotFiniteError, number, number_or_text
from lrspec.shorten import listed, quoted, short, shown
from lrspec.source import Json, Source


class _Required:
    """Stands for a default where there is none."""


REQUIRED: Final = _Required()
# The underscore between two digits.
_GROUPED: Final = re.compile(r"(?<=\d)_(?=\d)")
_LIST: Final = re.compile(r"\s*[(\[]([-+.,\w\s]{0,10000})[)\]]\s*")
_VARIABLE: Final = re.compile(r"\$[A-Za-z_(]|\$\{[A-Z_][A-Z0-9_]*(?::?[-=][^}]*)?\}")


class Config:
    """One mapping of a configuration, at a path of its source.

    Every way of reading a key notes that it was read, and `done` refuses those that were not: a key
    that an importer does not know may change the curve. A key whose value is null counts as left
    out, as it does in nearly every system, and so is `???`, which OmegaConf has for what is given
    later. `${a.b}` is what stands there in the configuration.

    Every method raises SpecError, placed on the value at fault.
    """

    def __init__(
        self, data: Mapping[str, Json], path: Path, source: Source, notes: list[str]
    ) -> None:
        self.data = data
        self.path = path
        self.source = source
        self.notes = notes
        self._read: set[str] = set()
        # Of a whole file only what the schedule stands in has to be good.
        if path:
            self._check_problems()

    # What is there

    def __contains__(self, key: str) -> bool:
        """Whether a key is given, and not as null."""
        return self._value(key) is not None

    def keys(self) -> list[str]:
        """The keys that are given, in their order."""
        return [key for key in self.data if key in self]

    def raw(self, key: str, default: Json | _Required = REQUIRED) -> Json:
        """The value as it stands."""
        self._read.add(key)
        self._check_problems(key)
        value = self._value(key)
        if value is not None:
            return value
        if isinstance(default, _Required):
            self.fail("missing-field", f"{quoted(key)} is required", hint=self._meant(key))
        return default

    # Numbers

    def number(
        self,
        key: str,
        default: float | _Required = REQUIRED,
        *,
        least: float = -math.inf,
        above: float = -math.inf,
        most: float = math.inf,
    ) -> float:
        """A finite number, not less than `least`, more than `above`, not more than `most`."""
        return self._number(self.raw(key, default), (key,), least, above, most)

    def whole(
        self,
        key: str,
        default: int | _Required = REQUIRED,
        *,
        least: int = 0,
    ) -> int:
        """A whole number, not less than `least`; 10.0 is ten."""
        value = self._number(self.raw(key, default), (key,), least, -math.inf, math.inf)
        if value != int(value):
            self.fail("wrong-type", f"expected a whole number, found {shown(value)}", key)
        return int(value)

    def optional_number(
        self,
        key: str,
        *,
        least: float = -math.inf,
        above: float = -math.inf,
        most: float = math.inf,
    ) -> float | None:
        """As `number`, and None where the key is left out."""
        if self.raw(key, None) is None:
            return None
        return self.number(key, least=least, above=above, most=most)

    def optional_whole(self, key: str, *, least: int = 0) -> int | None:
        """As `whole`, and None where the key is left out."""
        return None if self.raw(key, None) is None else self.whole(key, least=least)

    def numbers(self, key: str, default: Sequence[float] | _Required = REQUIRED) -> list[float]:
        """A list of finite numbers; one number alone is a list of it, and so is a text such as `(1,
        2)`, which is a tuple of Python."""
        value = self.raw(key, cast("Json", default))
        if isinstance(value, str) and (found := _LIST.fullmatch(value)):
            items = [item.strip() for item in found[1].split(",")]
            value = [number_or_text(item) for item in items if item]
        if isinstance(value, list):
            return [
                self._number(item, (key, i), -math.inf, -math.inf, math.inf)
                for i, item in enumerate(value)
            ]
        return [self._number(value, (key,), -math.inf, -math.inf, math.inf)]

    def wholes(self, key: str, default: Sequence[int] | _Required = REQUIRED) -> list[int]:
        """A list of whole numbers of at least 0; one alone is a list of it."""
        found: list[int] = []
        for i, value in enumerate(self.numbers(key, default)):
            if value != int(value) or value < 0:
                message = f"expected a whole number of at least 0, found {shown(value)}"
                self.fail("wrong-type", message, key, i)
            found.append(int(value))
        return found

    # Other values

    def flag(self, key: str, default: bool | _Required = REQUIRED) -> bool:
        """True or false."""
        value = self.raw(key, default)
        if not isinstance(value, bool):
            self.fail("wrong-type", f"expected true or false, found {shown(value)}", key)
        return value

    def text(self, key: str, default: str | _Required = REQUIRED) -> str:
        """A text that is no interpolation."""
        value = self.raw(key, default)
        if not isinstance(value, str):
            self.fail("wrong-type", f"expected text, found {shown(value)}", key)
        self._check_interpolation(value, (key,))
        return value

    def choice(
        self,
        key: str,
        options: Iterable[str],
        default: str | _Required = REQUIRED,
        *,
        what: str = "value",
        code: str = "wrong-value",
    ) -> str:
        """A text that is one of `options`; the others are named where it is none of them."""
        text = self.text(key, default)
        options = list(options)
        if text not in options:
            meant = did_you_mean(closest(text, options))
            message = f"unknown {what} {quoted(text)}; known are {listed(options)}"
            self.fail(code, message, key, hint=meant)
        return text

    def section(self, key: str, default: Mapping[str, Json] | _Required = REQUIRED) -> Config:
        """A mapping inside this one."""
        value = self.raw(key, cast("Json", default))
        if not isinstance(value, dict):
            self.fail("wrong-type", f"expected a mapping, found {shown(value)}", key)
        return self.inner(value, key)

    def sections(self, key: str) -> list[Config]:
        """A list of mappings inside this one."""
        value = self.raw(key)
        if not isinstance(value, list):
            self.fail("wrong-type", f"expected a list, found {shown(value)}", key)
        found: list[Config] = []
        for i, item in enumerate(value):
            if not isinstance(item, dict):
                self.fail("wrong-type", f"expected a mapping, found {shown(item)}", key, i)
            found.append(self.inner(item, key, i))
        return found

    def inner(self, data: Mapping[str, Json], *path: str | int) -> Config:
        """A mapping at a place below this one."""
        return Config(data, (*self.path, *path), self.source, self.notes)

    # What is not read

    def ignore(self, *keys: str) -> None:
        """These keys are known, and say nothing about the curve."""
        self._read.update(keys)

    def ignore_rest(self) -> None:
        """Whatever else stands here says nothing about the curve."""
        self._read.update(self.data)

    def done(self, known: Iterable[str] = ()) -> None:
        """Refuse every key that nothing has read; `known` are more names to suggest."""
        unread = [key for key in self.keys() if key not in self._read]
        if not unread:
            return
        names = sorted({*self._read, *known})
        problems: list[Problem] = []
        for key in unread:
            others = [name for name in names if name != key]
            hint = did_you_mean(closest(key, others)) or f"it takes {listed(others)}"
            message = f"{quoted(key)} is not known here"
            at = (*self.path, key)
            problems.append(
                self.source.problem(
                    "unknown-field", self.path, message, at=at, key=True, found=key, hint=hint
                )
            )
        raise SpecError(problems)

    # Refusing

    def fail(self, code: str, message: str, *path: str | int, hint: str | None = None) -> NoReturn:
        """A problem of this mapping, or of what stands at `path` below it."""
        raise SpecError([self.source.problem(code, (*self.path, *path), message, hint=hint)])

    def refuse(self, why: str, *path: str | int, hint: str | None = None) -> NoReturn:
        """The schedule is one that no document can state."""
        self.fail("not-importable", why, *path, hint=hint)

    def conflict(self, one: str, two: str) -> NoReturn:
        """Two keys that exclude each other are both given."""
        message = f"{quoted(one)} and {quoted(two)} exclude each other"
        self.fail("conflicting-fields", message, two)

    def note(self, text: str) -> None:
        """Something that was assumed, for people to read."""
        if text not in self.notes:
            self.notes.append(text)

    # Inside

    def _value(self, key: str) -> Json:
        found = resolved(self.data.get(key), self.path, self.source)
        return None if found == "???" else found

    def _number(self, value: Json, path: Path, least: float, above: float, most: float) -> float:
        value = resolved(value, self.path, self.source)
        if isinstance(value, str):
            value = self._number_in_text(value, path)
        if isinstance(value, bool) or not isinstance(value, int | float):
            hint = _hint(value) if isinstance(value, str) else None
            self.fail("wrong-type", f"expected a number, found {shown(value)}", *path, hint=hint)
        if not math.isfinite(value):
            self.fail("not-finite", f"{value} is not a finite number", *path)
        for fits, limit in (
            (value >= least, f"at least {least:g}"),
            (value > above or above == -math.inf, f"more than {above:g}"),
            (value <= most, f"at most {most:g}"),
        ):
            if not fits:
                self.fail("out-of-range", f"expected {limit}, found {shown(value)}", *path)
        return value

    def _number_in_text(self, text: str, path: Path) -> Json:
        """The number in a text: `1e-3` is text to PyYAML, and a number to the systems that read it
        so; `150_001` is text in YAML 1.2, and a number to PyYAML."""
        self._check_interpolation(text, path)
        try:
            found = number(_GROUPED.sub("", text.strip()))
        except NotFiniteError:
            self.fail("not-finite", f"{quoted(text)} is not a finite number", *path)
        if found is None:
            return text
        self.note(f"{path[-1]} is the text {quoted(text)}, read as the number {found!r}")
        return found

    def _check_interpolation(self, text: str, path: Path) -> None:
        if _VARIABLE.match(text):
            message = f"{quoted(text)} is a variable of a script"
            self.fail("wrong-value", message, *path, hint="write its value in its place")
        if "${" in text:
            message = f"{quoted(text)} is filled in by another part of the configuration"
            if is_reference(text):
                message = f"{quoted(text)} leads to nothing that can be read here"
            hint = "resolve it first, as OmegaConf.to_container(…, resolve=True) does"
            self.fail("wrong-value", message, *path, hint=hint)

    def _check_problems(self, key: str | None = None) -> None:
        """What reading found at a key, or in all of this mapping, and had to leave out."""
        at = pointer(self.path if key is None else (*self.path, key))
        problems = self.source.problems
        faults = [p for p in problems if p.path == at or p.path.startswith(f"{at}/")]
        if faults:
            raise SpecError(faults)

    def _meant(self, key: str) -> str | None:
        """A key that is given and may be a misspelling of the one that is missing."""
        close = closest(key, [name for name in self.keys() if name not in self._read])
        return None if close is None else f"is {short(close)} meant for it?"


def _hint(text: str) -> str | None:
    """What to write for a text that is no number, such as the `1 or 2` of a script that gives an
    argument twice."""
    several = [number_or_text(part) for part in text.split(" or ")]
    if len(several) > 1 and not any(isinstance(part, str) for part in several):
        return "it is given several times: leave the command that is meant"
    return number_hint(text)
