"""Holds a document to the JSON Schema of the language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lrspec import limits
from lrspec.elsewhere import no_document
from lrspec.explaining import explain
from lrspec.explaining_values import A_BATCH_SCHEDULE
from lrspec.form import Fault, Form, form
from lrspec.problems import Path, Problem, pointer
from lrspec.schema_words import DEFERRED
from lrspec.shorten import shown
from lrspec.source import Json, Source

# Faults of reading that leave a stand-in; what the schema says of that, or in it, is no news.
_STAND_INS = ("not-finite", "unsupported-tag", "wrong-type")
# A key that is no text is left out; what the schema misses in that mapping is no news either.
_LEFT_OUT = ("key-not-string",)


def schema_problems(source: Source) -> list[Problem]:
    """Everything about the form of a document that is wrong, in the order of its text.

    Faults of single values that reading noted are among them. A document of a version that this
    reader does not know gives that one problem and no other, and so does what is no document at
    all. After a thousand problems no more are looked for.
    """
    language = form()
    version = _version_problem(source, language)
    if version is not None:
        return [version]
    other = no_document(source, language)
    if other is not None:
        return [other]
    stand_ins = {problem.path for problem in source.problems if problem.code in _STAND_INS}
    left_out = {problem.path for problem in source.problems if problem.code in _LEFT_OUT}
    problems = [*map(_explained, source.problems)]
    seen: set[tuple[int | None, int | None, str]] = set()
    for problem in _problems(source, language):
        # A part with an alias is held to the schema wherever it stands; it is at fault once.
        place = (problem.line, problem.column, problem.message)
        if place in seen and problem.line is not None:
            continue
        if problem.path in left_out or _lies_in(problem.path, stand_ins):
            continue
        seen.add(place)
        problems.append(problem)
        if len(problems) >= limits.PROBLEMS:
            break
    return sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0))


def _explained(problem: Problem) -> Problem:
    """A fault that reading noted, with what to write where the place tells what was meant."""
    if problem.code in _LEFT_OUT and problem.path.endswith("/training/batch_size"):
        return replace(problem, hint=A_BATCH_SCHEDULE)
    return problem


@dataclass(slots=True)
class _Visit:
    """A part of the document that is being held to the schema."""

    part: str | None
    path: Path
    instance: Json
    faults: Iterator[Fault]
    found: list[Fault] = field(default_factory=list[Fault])


def _problems(source: Source, language: Form) -> Iterator[Problem]:
    """The problems of each part, those of parts inside of it first.

    The parts that are open stand in a list instead of on the stack of calls, so that a document may
    be deep; they are visited as they are met, so that a caller may stop early.
    """

    def visit(part: str | None, path: Path, instance: Json) -> _Visit:
        return _Visit(part, path, instance, language.faults(part, instance))

    visits = [visit(None, (), source.data)]
    while visits:
        current = visits[-1]
        fault = next(current.faults, None)
        if fault is not None and fault.keyword == DEFERRED:
            visits.append(visit(fault.argument, (*current.path, *fault.path), fault.instance))
        elif fault is not None and len(current.found) < limits.PROBLEMS:
            current.found.append(fault)
        else:
            visits.pop()
            if current.found:
                part, path, instance = current.part, current.path, current.instance
                yield from explain(source, language, part, path, instance, current.found)


def _lies_in(path: str, places: set[str]) -> bool:
    while places:
        if path in places:
            return True
        if not path:
            break
        path = path.rpartition("/")[0]
    return False


def _version_problem(source: Source, language: Form) -> Problem | None:
    data, known = source.data, language.version
    if not isinstance(data, dict) or "lrspec" not in data:
        return None
    found = data["lrspec"]
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    if is_number and found == known:
        return None
    path = ("lrspec",)
    if _lies_in(pointer(path), {problem.path for problem in source.problems}):
        return None
    hint = f"write lrspec: {known}"
    if not is_number:
        message = f"expected version {known} of the language, found {shown(found)}"
    elif isinstance(found, int | float) and found > known:
        message = f"the document is written for version {shown(found)} of the language"
        hint = f"this reader knows version {known}"
    else:
        message = f"there is no version {shown(found)} of the language"
    return source.problem(
        "unsupported-version",
        path,
        message,
        expected=str(known),
        found=shown(found),
        hint=hint,
    )
