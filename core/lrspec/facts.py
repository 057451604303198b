"""The facts of a run: what the document states and what the host gives, brought together (clauses
4.1 to 4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from numbers import Integral, Real
from operator import index
from typing import Any, Literal, TypeVar

from lrspec import model, parsing
from lrspec.hints import interpolation_hint
from lrspec.meaning import batch_problems
from lrspec.problems import Path, Problem, SpecError
from lrspec.quantity import Quantity
from lrspec.reading import read_mapping
from lrspec.resolved import Batches
from lrspec.schema import schema_problems
from lrspec.shorten import shown
from lrspec.source import Source
from lrspec.units import Units

TRAINING = ("steps", "batch_size", "sequence_length", "steps_per_epoch")

T = TypeVar("T")
_Rows = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a run.

    `steps_problem` says why a written `training.steps` could not be turned into a number.
    """

    units: Units
    steps: int | None
    steps_problem: Problem | None
    base: float | Literal["absolute"] | None


def settle(
    document: model.Model, source: Source, host: Mapping[str, Any], *, name: str, override: bool
) -> Facts:
    """The facts for the schedule `name`, those of the document and those in `host` together.

    Raises SpecError with every fact that is invalid, or given twice with different values; with
    `override` the host's replaces the document's.
    """
    given = _host_facts(host)
    stated = document.training
    joint = _Joint(source, host, override)
    units = Units(
        document.axis,
        source,
        steps_per_epoch=joint.fact(
            "steps_per_epoch", stated.steps_per_epoch, given.steps_per_epoch
        ),
        batches=_batches(
            joint.fact("batch_size", _merged(stated.batch_size), _merged(given.batch_size))
        ),
        sequence_length=joint.fact(
            "sequence_length", stated.sequence_length, given.sequence_length
        ),
    )
    stated_steps, stated_problem = _steps(stated.steps, units)
    given_steps, given_problem = _steps(given.steps, units)
    if 0 in (stated_steps, given_steps):
        text = "steps comes to 0 steps; a run has at least one"
        none = source.problem("out-of-range", ("training", "steps"), text)
        joint.problems.append(none if stated_steps == 0 else _as_given(none))
    steps = joint.fact("steps", stated_steps, given_steps)
    base_path = ("base", name) if "schedules" in joint.data else ("base",)
    base = joint.fact("base", document.bases.get(name), host.get("base"), base_path)
    if joint.problems:
        raise SpecError(joint.problems)
    problem = (given_problem or stated_problem) if steps is None else None
    rate: Any = float(base) if isinstance(base, int) else base
    return Facts(units, steps, problem, rate)


def _host_facts(host: Mapping[str, Any]) -> model.Training:
    """The host's facts, held to the form that those of a document have."""
    training = {name: host[name] for name in TRAINING if host.get(name) is not None}
    stand_in: dict[str, Any] = {"lrspec": 1, "training": training, "schedule": {"constant": None}}
    base = host.get("base")
    try:
        source = read_mapping(stand_in)
        faults = schema_problems(source)
        if base is not None and not _is_rate(base):
            text = f"base is a number above 0, the rate that 1 stands for, not {shown(base)}"
            faults = [*faults, source.problem("invalid-fact", ("base",), text, found=shown(base))]
        if not faults:
            parsed = parsing.training(training)
            faults = list(batch_problems(parsed, source))
            if not faults:
                return parsed
    except SpecError as error:
        faults = list(error.problems)
    raise SpecError(_as_given(problem) for problem in faults)


def _is_rate(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1e300


def plain(value: Any) -> Any:
    """Numbers of array libraries as int and float; everything else as it is, for the schema to
    judge."""
    if value.__class__ in (bool, int, float, str, list, tuple, dict):
        return value
    if isinstance(value, Real) and not isinstance(value, Integral):
        return float(value)
    try:
        return index(value)
    except TypeError:
        return value


def _as_given(problem: Problem) -> Problem:
    """A fault of a stand-in document, as one of the facts that the host gave."""
    message = f"given when binding: {problem.message}"
    # It is being bound: the hint for a document would send the host in a circle.
    hint = interpolation_hint(problem.found) or problem.hint
    return replace(problem, code="invalid-fact", message=message, line=None, column=None, hint=hint)


class _Joint:
    """Settles each fact that stands in the document, is given by the host, or both."""

    def __init__(self, source: Source, host: Mapping[str, Any], override: bool) -> None:
        self.source = source
        self.data: Mapping[str, Any] = source.data if isinstance(source.data, dict) else {}
        self.host = host
        self.override = override
        self.problems: list[Problem] = []

    def fact(
        self, name: str, stated: T | None, given: T | None, path: Path | None = None
    ) -> T | None:
        """The one value of a fact; a problem that shows both where they differ."""
        if stated is None or given is None or stated == given:
            return stated if given is None else given
        rates = stated == "absolute"  # with another base the values would be no rates
        if rates or not self.override:
            path = path or ("training", name)
            written = self.data
            for part in path:
                written = written[str(part)]
            self.problems.append(
                self.source.problem(
                    "conflicting-fact",
                    path,
                    f"{name} is {_shown(written, stated)} in the document"
                    f" and {_shown(self.host[name], given)} where it is bound",
                    expected=str(written),
                    found=str(self.host[name]),
                    hint="leave it out where it is bound"
                    if rates
                    else "give it in one place, or bind with override=True (--override)",
                )
            )
        return given


def _shown(written: Any, value: Any) -> str:
    """A fact as it was written, with what that comes to where it is another number."""
    return f"{written} ({value})" if isinstance(written, str) and written != value else f"{written}"


def _merged(batches: _Rows | None) -> _Rows | None:
    """A batch schedule with neighbours of equal size as one."""
    if batches is None:
        return None
    return tuple(row for i, row in enumerate(batches) if i == 0 or row[1] != batches[i - 1][1])


def _batches(rows: _Rows | None) -> Batches | None:
    if rows is None:
        return None
    return Batches(tuple(start for start, _ in rows), tuple(size for _, size in rows))


def _steps(written: Quantity | None, units: Units) -> tuple[int | None, Problem | None]:
    """`training.steps` as a whole number, rounded up from step 0 (clause 4.2), or why it cannot be
    told."""
    if written is None:
        return None, None
    if written.unit == "steps":
        return ceil(written.number), None
    path = ("training", "steps")
    try:
        return ceil(units.steps(units.after(0, written, path))), None
    except SpecError as error:
        return None, error.problems[0]
