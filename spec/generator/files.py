"""The files of the suite: what stands in each, and how it is laid out as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from generator.cases import GOLDEN, INVALID, READING
from generator.curve import bind
from generator.decimals import digits, exactly, text, to_float64, ulp
from generator.notation import Golden, Invalid, Reading
from generator.reading_points import steps_of
from generator.refusal import Refused
from generator.values import Value

SUITE_VERSION = "1.0.0"
WIDTH = 100

# Beyond so many ULP of the value itself, a bound says more beside the largest value of the case.
MOST_ULP = 64

PROFILES = {
    "float64": {
        "description": "Every value within the tolerance of its case, equal where `exact` says so.",
        "greatest_step": str(2**53),
    },
    "float32": {
        "description": (
            "Every value within `ulp` units in the last place of float32; below "
            "`may_be_zero_below` it may be 0; beyond `largest` that number with its sign."
        ),
        "ulp": "0.501",
        "may_be_zero_below": text(2.0**-126),
        "largest": text(float(2**128 - 2**104)),
        "greatest_step": str(2**31 - 1),
    },
}


def suite() -> dict[str, str]:
    """The text of every generated file by its path below `conformance/`."""
    made: dict[str, Any] = {}
    for golden in GOLDEN:
        try:
            _add(made, f"golden/{golden.path}.json", golden_file(golden))
        except Refused as refused:
            raise ValueError(f"{golden.path} is no document: {refused}") from refused
    for invalid in INVALID:
        _add(made, f"invalid/{invalid.path}.json", invalid_file(invalid))
    for reading in READING:
        _add(made, f"reading/{reading.path}.json", reading_file(reading))
    texts = {path: layout(made[path]) + "\n" for path in sorted(made)}
    texts["manifest.json"] = layout(manifest(texts)) + "\n"
    return texts


def _add(made: dict[str, Any], path: str, content: Any) -> None:
    if path in made:
        raise ValueError(f"two cases are named {path}")
    made[path] = content


def golden_file(case: Golden) -> dict[str, Any]:
    """A golden case with its values."""
    curve = bind(case.document, case.facts, case.name)
    chosen = steps_of(curve)  # lays everything out, and so refuses what does not fit
    steps = chosen if case.steps is None else list(case.steps)
    values = [curve.at(step) for step in steps]
    found: dict[str, Any] = {"description": case.description, "clauses": list(case.clauses)}
    found["document"] = case.document
    if case.facts:
        found["facts"] = case.facts
    if case.name != "lr":
        found["name"] = case.name
    if list(case.profiles) != list(PROFILES):
        found["profiles"] = list(case.profiles)
    found["steps"] = [str(step) for step in steps]
    found["values"] = [text(value.nearest()) for value in values]
    found["exact"] = [index for index, value in enumerate(values) if not value.error]
    found["tolerance"] = tolerance(values)
    assert all(v.bits in (None, v.nearest()) for v in values if not v.error), case.path
    bits = {index: value.bits for index, value in enumerate(values) if value.bits is not None}
    if len(bits) == len(values):
        found["bits"] = {
            str(index): text(number)
            for index, number in bits.items()
            if text(number) != found["values"][index]
        }
    return found


def tolerance(values: list[Value]) -> dict[str, Any]:
    """The ULP that cover the errors of all values, on a scale where single values need it."""

    def needed(scale: Any) -> int:
        # The value in the file is itself up to half an ULP from the exact one.
        bounds = [value.error / ulp(max(abs(value.exact), scale)) for value in values]
        return max(ceil(exactly(bound)) for bound in bounds)

    own = needed(0)
    if own <= MOST_ULP:
        return {"ulp": own}
    largest = max(abs(value.exact) for value in values)
    scale = to_float64(exactly(largest))
    return {"ulp": needed(digits(Fraction(scale))), "scale": text(scale)}


def invalid_file(case: Invalid) -> dict[str, Any]:
    """A document that is refused."""
    found: dict[str, Any] = {"description": case.description, "clauses": list(case.clauses)}
    found["document"] = case.document
    if case.facts:
        found["facts"] = case.facts
    if case.name != "lr":
        found["name"] = case.name
    found["error"] = case.error
    return found


def reading_file(case: Reading) -> dict[str, Any]:
    """A text and what it means."""
    found: dict[str, Any] = {"description": case.description, "clauses": list(case.clauses)}
    return {**found, "format": case.format, **case.source, **case.result}


def manifest(texts: Mapping[str, str]) -> dict[str, Any]:
    """What the suite holds, so that a copy can be checked."""
    counts: dict[str, Any] = {"golden": {}, "invalid": len(INVALID), "reading": len(READING)}
    for case in sorted(GOLDEN, key=lambda case: case.path):
        category = case.path.partition("/")[0]
        counts["golden"][category] = counts["golden"].get(category, 0) + 1
    return {
        "suite": SUITE_VERSION,
        "language": 1,
        "counts": counts,
        "profiles": PROFILES,
        "files": {
            path: hashlib.sha256(content.encode()).hexdigest() for path, content in texts.items()
        },
    }


def layout(data: Any, indent: int = 0, taken: int = 0) -> str:
    """JSON with every list and object on one line where it fits there.

    `taken` is what stands before it on its first line.
    """
    short = json.dumps(data, ensure_ascii=False)
    if taken + len(short) < WIDTH or not isinstance(data, (dict, list)) or not data:
        return short
    inner = " " * (indent + 2)
    if isinstance(data, dict):
        lines = []
        for key, value in data.items():
            start = f"{inner}{json.dumps(key, ensure_ascii=False)}: "
            lines.append(start + layout(value, indent + 2, len(start)))
        return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"
    if all(not isinstance(item, (dict, list)) for item in data):
        return (
            "[\n" + _filled([json.dumps(item) for item in data], inner) + "\n" + " " * indent + "]"
        )
    lines = [inner + layout(item, indent + 2, indent + 2) for item in data]
    return "[\n" + ",\n".join(lines) + "\n" + " " * indent + "]"


def _filled(items: list[str], inner: str) -> str:
    """Items in lines as full as they can be."""
    lines, line = [], inner + items[0]
    for item in items[1:]:
        if len(line) + len(item) + 3 > WIDTH:
            lines.append(line + ",")
            line = inner + item
        else:
            line += ", " + item
    return "\n".join([*lines, line])
