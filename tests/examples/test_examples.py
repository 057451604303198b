"""Every example is a valid document that gives the rates it is meant to give."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from tests.examples.worked import FOLDER, WORKED, Worked

import lrspec_spec
from lrspec.checking import checked
from lrspec.loading import load, loads

FILES = sorted(FOLDER.iterdir())

# How long to look at a curve that has no horizon.
LONG = 200_000


def test_every_schedule_of_every_example_is_worked_out() -> None:
    schedules = {(path.name, name) for path in FILES for name in load(path).names}

    assert schedules == {(f"{worked.example}.lrspec.yaml", worked.name) for worked in WORKED}


@pytest.mark.parametrize("worked", WORKED, ids=str)
def test_values_are_those_worked_out(worked: Worked) -> None:
    bound = worked.curve()

    assert bound.steps == worked.steps
    assert {step: bound(step) for step in worked.at} == pytest.approx(dict(worked.at), rel=1e-12)


def test_values_are_multiples_where_nothing_says_of_what() -> None:
    curve = load(FOLDER / "finetune-linear.lrspec.yaml").bind(steps=3000)

    assert curve.base is None
    assert [curve(step) for step in (0, 90, 180, 1590, 3000)] == [0, 0.5, 1, 0.5, 0]


@pytest.mark.parametrize("worked", WORKED, ids=str)
def test_values_are_finite_and_not_negative_over_the_whole_run(worked: Worked) -> None:
    bound = worked.curve()
    run = bound.steps or LONG

    assert all(isfinite(value) and value >= 0 for value in bound.values(0, run + 1))


@pytest.mark.parametrize("worked", WORKED, ids=str)
def test_nothing_is_to_be_warned_about(worked: Worked) -> None:
    assert worked.curve().warnings == ()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name.partition(".")[0])
def test_writing_and_reading_it_again_keeps_it(path: Path) -> None:
    document = load(path)

    assert loads(document.to_yaml()) == document


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name.partition(".")[0])
def test_has_no_warnings(path: Path) -> None:
    """What may not be meant is allowed where it is meant."""
    document = load(path)
    facts: dict[str, Any] = {} if "training" in document.to_dict() else {"steps": LONG}

    assert checked(lambda: document, **facts).problems == ()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name.partition(".")[0])
def test_says_what_it_is_and_names_the_schema(path: Path) -> None:
    first, *comment = path.read_text().partition("\nlrspec: 1\n")[0].splitlines()

    line, _, schema = first.partition("=")
    assert line == "# yaml-language-server: $schema"
    assert (path.parent / schema).read_text("utf-8") == lrspec_spec.schema_text()
    assert 1 <= len(comment) <= 2
    assert all(line.startswith("# ") for line in comment)
