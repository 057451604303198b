"""Reads the suite: the cases and profiles as they lie in the data of the language."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources.abc import Traversable
from typing import Any

from lrspec.conformance.cases import Case, Golden, Invalid, Reading
from lrspec.conformance.profiles import Profile, Tolerance


@dataclass(frozen=True, slots=True)
class Suite:
    """The conformance data of one version of the language."""

    version: str
    profiles: Mapping[str, Profile]
    cases: tuple[Case, ...]


def installed() -> Suite:
    """The suite that is installed beside this package."""
    from importlib.resources import files

    import lrspec_spec

    return read(files(lrspec_spec).joinpath(f"v{lrspec_spec.VERSION}", "conformance"))


def read(folder: Traversable) -> Suite:
    """The suite in a folder: every file that its manifest names.

    Raises:
        OSError: A file that the manifest names is missing.
        ValueError: A file is not what the suite's own schema says.
    """
    manifest: dict[str, Any] = json.loads(_text(folder, "manifest.json"))
    profiles = {name: _profile(name, data) for name, data in manifest["profiles"].items()}
    return Suite(manifest["suite"], profiles, tuple(_cases(folder, manifest["files"])))


def _cases(folder: Traversable, paths: Mapping[str, str]) -> Iterator[Case]:
    for path in paths:
        group, _, rest = path.partition("/")
        name = path.removesuffix(".json")
        if group == "golden":
            category = rest.partition("/")[0]
            yield _made(_golden, _text(folder, path), name=name, category=category)
        else:
            make = {"invalid": _invalid, "reading": _reading}.get(group)
            if make is None:
                raise ValueError(f"{name}: no group of cases is named {group!r}")
            yield _made(make, _text(folder, path), name=name, category=group)


def _made(make: Any, text: str, *, name: str, category: str) -> Case:
    try:
        data: dict[str, Any] = json.loads(text)
        about = {
            "name": name,
            "category": category,
            "description": data["description"],
            "clauses": tuple(data["clauses"]),
            "written": text,
        }
        case: Case = make(about, data)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{name}: not a case of the suite: {error!r}") from error
    return case


def _golden(about: Mapping[str, Any], data: Mapping[str, Any]) -> Golden:
    steps = tuple(int(step) for step in data["steps"])
    values = tuple(float(value) for value in data["values"])
    if len(steps) != len(values):
        raise ValueError(f"{len(steps)} steps, {len(values)} values")
    tolerance = data["tolerance"]
    bits = data.get("bits")
    return Golden(
        **about,
        document=data["document"],
        facts=data.get("facts", {}),
        schedule=data.get("name", "lr"),
        profiles=frozenset(data["profiles"]) if "profiles" in data else None,
        steps=steps,
        values=values,
        exact=frozenset(data["exact"]),
        tolerance=Tolerance(Fraction(tolerance["ulp"]), float(tolerance.get("scale", 0))),
        bits=None if bits is None else {int(i): float(value) for i, value in bits.items()},
    )


def _invalid(about: Mapping[str, Any], data: Mapping[str, Any]) -> Invalid:
    return Invalid(
        **about,
        document=data["document"],
        facts=data.get("facts", {}),
        schedule=data.get("name", "lr"),
        code=data["error"]["code"],
        path=data["error"]["path"],
    )


def _reading(about: Mapping[str, Any], data: Mapping[str, Any]) -> Reading:
    source: bytes | tuple[tuple[str, int], ...]
    if "base64" in data:
        source = b64decode(data["base64"], validate=True)
    else:
        written: str | list[Any] = data["text"]
        parts = [written] if isinstance(written, str) else written
        source = tuple((p, 1) if isinstance(p, str) else tuple(p["repeat"]) for p in parts)
    if not ("document" in data or "error" in data or data["accepted"] is True):
        raise ValueError("neither a document nor an error")
    return Reading(
        **about,
        format=data["format"],
        source=source,
        document=data.get("document"),
        code=data["error"]["code"] if "error" in data else None,
    )


def _profile(name: str, data: Mapping[str, Any]) -> Profile:
    greatest = int(data["greatest_step"])
    if "ulp" not in data:
        return Profile(name, greatest)
    return Profile(
        name,
        greatest,
        single=Fraction(data["ulp"]),
        zero_below=float(data["may_be_zero_below"]),
        largest=float(data["largest"]),
    )


def _text(folder: Traversable, path: str) -> str:
    return folder.joinpath(*path.split("/")).read_text(encoding="utf-8")
