"""Cases as requests and answers of a program, each one line of JSON (CONFORMANCE.md, "Asking a
program"); numbers of documents keep the text that they have in the case."""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from typing import Any, Final, cast

from lrspec.conformance.answers import (
    Accepted,
    Answer,
    Broken,
    Declined,
    Fault,
    Refusal,
    Values,
)
from lrspec.conformance.cases import Case, Golden, Reading

# An invalid document is asked for a value like any other: what it is, is for the program to find.
_INVALID_STEPS: Final = ("0",)

_DECIMAL: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_LONGEST: Final = 200


class _Number(str):
    """The text of a number."""

    __slots__ = ()


def request(case: Case, profile: str) -> str:
    """The line that asks a program a case, without its end."""
    return _dumps({"id": case.name, "profile": profile, **_content(case)})


def _content(case: Case) -> dict[str, Any]:
    if isinstance(case, Reading):
        source = case.text()
        if isinstance(source, bytes):
            return {"format": case.format, "base64": b64encode(source).decode("ascii")}
        return {"format": case.format, "text": source}
    written: dict[str, Any] = json.loads(case.written, parse_float=_Number, parse_int=_Number)
    facts = dict(written.get("facts", {}))
    if "name" in written:
        facts["name"] = written["name"]
    steps = tuple(map(str, case.steps)) if isinstance(case, Golden) else _INVALID_STEPS
    return {"document": written["document"], "facts": facts, "steps": steps}


def _dumps(value: Any) -> str:
    """JSON on one line; `json.dumps` has no way to write a number by its text."""
    match value:
        case _Number():
            return str(value)
        case dict():
            members = cast("dict[str, Any]", value).items()
            return "{" + ", ".join(f"{json.dumps(k)}: {_dumps(v)}" for k, v in members) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_dumps, cast("list[Any]", value))) + "]"
        case _:
            return json.dumps(value)


def answer(line: bytes, name: str) -> Answer:
    """What a line says about the case of that name; a line that is no answer is `Broken`."""
    try:
        said: object = json.loads(line)
    except (ValueError, RecursionError):
        return _no_answer(line, "not JSON")
    if not isinstance(said, dict):
        return _no_answer(line, "not a JSON object")
    members = cast("dict[str, Any]", said)
    if members.get("id") != name:
        return _no_answer(line, f"its id is not {name!r}")
    match {key: value for key, value in members.items() if key != "id"}:
        case {"values": [*values], **rest} if not rest:
            return _values(cast("list[object]", values))
        case {"error": {"code": str(code), "path": str(path), **more}, **rest} if not rest:
            message = more.get("message", "")
            return Refusal((Fault(code, path, message if isinstance(message, str) else ""),))
        case {"document": {**document}, **rest} if not rest:
            return Accepted(cast("dict[str, Any]", document))
        case {"accepted": True, **rest} if not rest:
            return Accepted()
        case {"declined": str(why), **rest} if not rest:
            return Declined(why)
        case _:
            return _no_answer(line, "neither values, error, document, accepted nor declined")


def _values(values: list[object]) -> Answer:
    numbers: list[float] = []
    for value in values:
        if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
            return Broken(f"a value is not the text of a decimal number: {_short(repr(value))}")
        number = float(value)
        if not math.isfinite(number):
            return Broken(f"a value is beyond float64: {_short(value)}")
        numbers.append(number)
    return Values(tuple(numbers))


def _no_answer(line: bytes, why: str) -> Broken:
    return Broken(f"no answer, {why}: {_short(line.decode('utf-8', 'backslashreplace').strip())}")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
