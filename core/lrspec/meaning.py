"""What a schema cannot say and no fact of a run is needed for: the rules of order, place and
sign."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lrspec import model
from lrspec.problems import Path, Problem
from lrspec.quantity import Quantity
from lrspec.source import Source


def meaning_problems(document: model.Model, source: Source) -> list[Problem]:
    """Everything about the model that no binding could mend."""
    found = {(p.code, p.path): p for p in _Checker(document, source).problems()}
    return list(found.values())


def children(node: model.Schedule) -> tuple[model.Schedule, ...]:
    """The schedules directly inside `node`."""
    match node:
        case model.Stages():
            return node.stages
        case model.Combination():
            return node.of
        case model.Repeat() | model.Clamp() | model.Quantize() | model.Advance():
            return (node.schedule,)
        case _:
            return ()


def is_open(node: model.Schedule) -> bool:
    """Whether a stage takes what is left, having neither a written length nor one of its own
    (clause 5.3)."""
    if isinstance(node, model.Stages):
        return any(_open_inside(stage) for stage in node.stages)
    if node.length is not None or node.until is not None:
        return False
    return not (
        isinstance(node, model.Repeat) and node.period is not None and node.count is not None
    )


def _open_inside(stage: model.Schedule) -> bool:
    """Whether a stage keeps the list that holds it from having a length of its own: it is open or
    ends by %."""
    if is_open(stage):
        return True
    if isinstance(stage, model.Stages):
        return False
    ends = [stage.length, stage.until]
    if isinstance(stage, model.Repeat) and stage.length is None and stage.until is None:
        ends.append(stage.period)
    return any(end is not None and end.unit == "%" for end in ends)


def unwritten(node: model.Schedule) -> bool:
    """Whether the node starts from a value that stands before it (clause 6.3); of a `product`,
    whether every child does."""
    match node:
        case model.Constant():
            return node.value is None
        case model.Piecewise():
            return False
        case model.Stages():
            return unwritten(node.stages[0])
        case model.Combination():
            start = (unwritten(child) for child in node.of)
            return all(start) if node.operator == "product" else any(start)
        case model.Repeat() | model.Clamp() | model.Quantize() | model.Advance():
            return unwritten(node.schedule)
        case _:
            return node.initial is None


class _Checker:
    def __init__(self, document: model.Model, source: Source) -> None:
        self.document = document
        self.source = source
        self.problem = source.problem

    def problems(self) -> Iterator[Problem]:
        document = self.document
        for name in sorted(document.bases.keys() - document.schedules.keys()):
            known = ", ".join(sorted(document.schedules))
            yield self.problem(
                "base-name",
                ("base", name),
                f"no schedule has the name {name!r}",
                key=True,
                expected=known,
                found=name,
                hint=f"the document schedules {known}",
            )
        if document.rounding != "none" and document.axis != "steps":
            yield self.problem(
                "rounding-axis",
                ("rounding",),
                f"rounding to whole steps is for axis: steps, and the axis is {document.axis}",
                expected="axis: steps",
                found=f"axis: {document.axis}",
            )
        yield from batch_problems(document.training, self.source)
        for name, schedule in document.schedules.items():
            if document.bases.get(name) == "absolute" and unwritten(schedule):
                yield self._first_required(schedule)
            yield from self._node(schedule, nothing_follows=True, repeated=False)

    def _first_required(self, schedule: model.Schedule) -> Problem:
        node = schedule
        while (inside := children(node)) and not (
            isinstance(node, model.Combination) and node.operator == "product"
        ):
            node = next(filter(unwritten, inside))
        field = "value" if isinstance(node, model.Constant) else "initial"
        assert not isinstance(node, model.Stages)  # the way down ended in a kind
        path = (*node.path, node.kind)
        where = "of one child" if children(node) else ""
        return self.problem(
            "initial-required",
            path,
            f"with base: absolute the first {field} {where}".rstrip() + " must be written",
            expected=field,
            hint="there is nothing before it to start from",
        )

    def _node(
        self, node: model.Schedule, *, nothing_follows: bool, repeated: bool
    ) -> Iterator[Problem]:
        match node:
            case model.Stages():
                yield from self._stages(node)
                last = len(node.stages) - 1
                for i, stage in enumerate(node.stages):
                    follows = nothing_follows and i == last
                    yield from self._node(stage, nothing_follows=follows, repeated=repeated)
                return
            case model.Interpolating():
                yield from self._interpolating(node, nothing_follows)
            case model.Piecewise():
                yield from self._piecewise(node)
            case model.Clamp(minimum=float(least), maximum=float(most)) if least > most:
                yield self.problem(
                    "bounds-order",
                    (*node.path, "clamp"),
                    f"minimum {least:g} is above maximum {most:g}",
                    at=(*node.path, "clamp", "minimum"),
                )
            case model.Repeat(count=None) if node.stretch < 1:
                yield self.problem(
                    "stretch-needs-count",
                    (*node.path, "repeat"),
                    "periods that shrink for ever come to an end: stretch below 1 needs a count",
                    at=(*node.path, "repeat", "stretch"),
                    expected="count",
                )
            case model.TokenPower() if repeated:
                yield self.problem(
                    "token-power-in-repeat",
                    node.path,
                    "token_power counts the tokens of the run and cannot stand inside a repeat",
                )
            case model.Combination(operator="sum"):
                for child in node.of:
                    yield from self._written_start(child)
            case _:
                pass
        repeated = repeated or isinstance(node, model.Repeat)
        for child in children(node):
            yield from self._node(child, nothing_follows=True, repeated=repeated)

    def _written_start(self, node: model.Schedule) -> Iterator[Problem]:
        """In a `sum` there is nothing to start from; a `product` inside it starts its children from
        1."""
        if isinstance(node, model.Combination):
            return  # a product is settled here, a sum checks its own children
        if isinstance(node, model.Stages):
            yield from self._written_start(node.stages[0])
        elif inside := children(node):
            yield from self._written_start(inside[0])
        elif unwritten(node):
            field = "value" if isinstance(node, model.Constant) else "initial"
            yield self.problem(
                "initial-required",
                (*node.path, node.kind),
                f"{field} must be written in a sum",
                expected=field,
                hint="a sum has no value to start its children from",
            )

    def _stages(self, node: model.Stages) -> Iterator[Problem]:
        opened: model.Schedule | None = None
        for stage in node.stages:
            if is_open(stage):
                if opened is not None:
                    yield self.problem(
                        "two-open-stages",
                        stage.path,
                        "a second stage without a length; only one can take what is left",
                        hint=f"give this stage or stage {opened.path[-1]} a length",
                    )
                opened = opened or stage
            elif (
                opened is not None
                and not isinstance(stage, model.Stages)
                and stage.until is not None
            ):
                yield self.problem(
                    "until-after-open",
                    (*stage.path, stage.kind, "until"),
                    "a stage after the open one is laid from the list's end: it needs a length",
                    key=True,
                    expected="length",
                    found="until",
                )

    def _interpolating(self, node: model.Interpolating, nothing_follows: bool) -> Iterator[Problem]:
        body = (*node.path, node.kind)
        if node.extend:
            if not nothing_follows:
                yield self.problem(
                    "after-misplaced",
                    (*body, "after"),
                    "after: extend stands only where nothing follows",
                    key=True,
                    hint="another stage follows this one",
                )
            if isinstance(node, model.Cosine) and not node.exponent.is_integer():
                yield self._whole_power((*body, "exponent"), "exponent", node.exponent)
            if (
                isinstance(node, model.Polynomial)
                and node.origin == "final"
                and not node.power.is_integer()
            ):
                yield self._whole_power((*body, "power"), "power", node.power)
        if isinstance(node, model.Geometric | model.Inverse):
            ends = {"initial": node.initial, "final": node.final}
            if problem := side_problem(node, ends, self.source):
                yield problem

    def _whole_power(self, path: Path, field: str, value: float) -> Problem:
        return self.problem(
            "after-needs-whole-power",
            path,
            f"after: extend needs a whole {field}, since beyond the end the base is negative",
            expected="a whole number",
            found=f"{value:g}",
        )

    def _piecewise(self, node: model.Piecewise) -> Iterator[Problem]:
        body = (*node.path, node.kind)
        wanted = len(node.boundaries) + (0 if node.linear else 1)
        if len(node.values) != wanted:
            yield self.problem(
                "values-number",
                (*body, "values"),
                f"{len(node.boundaries)} boundaries need {wanted} values, found {len(node.values)}",
                expected=str(wanted),
                found=str(len(node.values)),
                hint="one value a boundary" if node.linear else "one value more than boundaries",
            )
        for i, (before, here) in enumerate(pairwise(node.boundaries)):
            if before.unit == here.unit and here.number <= before.number:
                yield boundary_problem(self.source, (*body, "boundaries", i + 1), before, here)


def boundary_problem(
    source: Source, path: Path, before: Quantity, here: Quantity, note: str = ""
) -> Problem:
    """Two boundaries that do not increase."""
    return source.problem(
        "boundaries-order",
        path,
        f"boundaries must increase: {here} after {before}{note}",
        expected=f"more than {before}",
        found=str(here),
    )


def side_problem(
    node: model.Geometric | model.Inverse,
    ends: dict[str, float | None],
    source: Source,
    *,
    inherited_from: str | None = None,
) -> Problem | None:
    """Ends that are not on one side of the asymptote; an end that is not known yet is None."""
    c = node.asymptote
    known = {name: value for name, value in ends.items() if value is not None}
    above = {name: value > c for name, value in known.items() if value != c}
    if len(above) == len(known) and len(set(above.values())) == 1:
        return None
    body = (*node.path, node.kind)
    shown = " and ".join(f"{name} {value:g}" for name, value in known.items())
    note = f" (initial is left out and comes from {inherited_from})" if inherited_from else ""
    return source.problem(
        "asymptote-side",
        body,
        f"{node.kind} needs initial and final on one side of {c:g}, found {shown}{note}",
        at=(*body, "initial") if inherited_from is None and "initial" in known else body,
        hint="a value of 0 is never reached" if c == 0 else None,
    )


def batch_problems(training: model.Training, source: Source) -> Iterator[Problem]:
    """A batch schedule starts at step 0 and its steps increase."""
    batches = training.batch_size or ((0, 1),)
    if batches[0][0] != 0:
        yield source.problem(
            "batch-order",
            ("training", "batch_size", 0, "start"),
            f"a batch schedule starts at step 0, not {batches[0][0]}",
            expected="0",
            found=str(batches[0][0]),
        )
    for i, ((before, _), (here, _)) in enumerate(pairwise(batches)):
        if here <= before:
            yield source.problem(
                "batch-order",
                ("training", "batch_size", i + 1, "start"),
                f"the steps of a batch schedule must increase: {here} after {before}",
                expected=f"more than {before}",
                found=str(here),
            )
