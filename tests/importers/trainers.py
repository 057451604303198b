"""What the tests of the importers of trainers share: comparing curves, and looking at refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import pytest

from lrspec.importing.imported import Imported
from lrspec.importing.importer import Importer
from lrspec.problems import Problem, SpecError

HOSTILE: tuple[Any, ...] = (
    *(None, True, "", "x", "${a.b}", "1e-3", "nan", [], [1, 2], {}, {"a": 1}, 0, -1, 1, 2, 0.5),
    *(-0.5, 1e308, -1e308, 1e-320, 10**30, 10**400, math.nan, math.inf, abs, [None], ["a", 1]),
)


def body(document: Imported) -> str:
    """The text of a document without the comments above it."""
    lines = document.to_yaml().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#")).lstrip("\n")


def assert_curve(
    document: Imported,
    formula: Callable[[int], float],
    steps: Iterable[int],
    *,
    name: str = "lr",
    relative: float = 1e-9,
) -> None:
    """The document has the values of the formula at every one of the steps."""
    curve = document.bind(name=name)
    expected = [(step, formula(step)) for step in steps]
    absolute = 1e-12 * max(abs(value) for _, value in expected)
    for step, value in expected:
        assert curve(step) == pytest.approx(value, rel=relative, abs=absolute), step


def refused(load: Importer, config: object, **options: Any) -> Problem:
    """The one problem for which the configuration is refused."""
    with pytest.raises(SpecError) as caught:
        load(config, **options)
    (problem,) = caught.value.problems
    return problem


def assert_survives(load: Importer, config: dict[str, Any], **options: Any) -> None:
    """Whatever stands in place of one value, or beside all of them, there is a document or a
    SpecError."""
    for variant in [config, *_variants(config)]:
        for sample in (False, True):
            with suppress(SpecError):
                load(variant, sample=sample, **options).bind()(3)


def _variants(value: Any) -> Iterable[Any]:
    """The value with each part of it in turn replaced by something else, or left out."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield {other: value[other] for other in value if other != key}
            for variant in [*HOSTILE, *_variants(item)]:
                yield {**value, key: variant}
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for variant in [*HOSTILE, *_variants(item)]:
                yield [*value[:index], variant, *value[index + 1 :]]
