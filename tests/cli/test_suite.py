"""Reading the conformance data: the installed suite, and files that are no cases."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.cli.suites import golden, invalid, reading, write_suite

from lrspec.conformance import suite
from lrspec.conformance.answers import Accepted, Values
from lrspec.conformance.backends import BackendError, find
from lrspec.conformance.cases import Golden
from lrspec.conformance.judging import equal, judge_golden
from lrspec.conformance.profiles import Profile
from lrspec.conformance.running import run
from lrspec.source import Json


def test_the_installed_suite_is_all_there() -> None:
    found = suite.installed()
    import lrspec_spec

    (manifest,) = (
        json.loads(file.read_text(encoding="utf-8"))
        for file in lrspec_spec.conformance_files()
        if file.name == "manifest.json"
    )
    counts = Counter(case.category for case in found.cases)
    assert found.version == manifest["suite"]
    assert set(found.profiles) == {"float64", "float32"}
    assert counts == {
        **manifest["counts"]["golden"],
        **{group: manifest["counts"][group] for group in ("invalid", "reading")},
    }


def test_a_golden_case(tmp_path: Path) -> None:
    case: dict[str, Any] = golden(
        facts={"base": 2}, name="momentum", tolerance={"ulp": 2, "scale": "0.5"}
    )
    (found,) = suite.read(write_suite(tmp_path, {"golden/linear/one": case})).cases

    assert isinstance(found, Golden)
    assert (found.name, found.category) == ("golden/linear/one", "linear")
    assert (found.facts, found.schedule) == ({"base": 2}, "momentum")
    assert (found.steps, found.values) == ((0, 3, 10), (1.0, 0.7, 0.0))
    assert found.tolerance.unit(0.1) == 2.0**-53
    assert found.clauses == ("7.2",)


def test_what_belongs_to_a_profile(tmp_path: Path) -> None:
    folder = write_suite(
        tmp_path,
        {"golden/a/all": golden(), "golden/a/precise": golden(profiles=["float64"])},
    )
    every, precise = suite.read(folder).cases
    assert isinstance(every, Golden) and isinstance(precise, Golden)
    near = Profile("float32", 3)

    assert every.within(near).steps == (0, 3)
    assert every.within(near).exact == {0}
    assert precise.within(near).steps == ()
    assert precise.within(Profile("float64", 10)) == precise


@pytest.mark.parametrize(
    "case",
    [
        {"description": "nothing else"},
        golden(steps=["0"]),
        golden(values=["1", "x", "0"]),
        golden(tolerance=None),
        golden(clauses=3),
    ],
)
def test_a_file_that_is_no_case(tmp_path: Path, case: dict[str, Any]) -> None:
    folder = write_suite(tmp_path, {"golden/linear/one": case})

    with pytest.raises(ValueError, match="golden/linear/one: not a case of the suite: "):
        suite.read(folder)


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    folder = write_suite(tmp_path, {"invalid/one": invalid()})
    (folder / "invalid" / "one.json").unlink()

    with pytest.raises(FileNotFoundError):
        suite.read(folder)


@pytest.mark.parametrize("change", [{"accepted": False}, {"base64": "no base64!"}, {"text": 3}])
def test_a_reading_case_that_is_none(tmp_path: Path, change: dict[str, Any]) -> None:
    folder = write_suite(tmp_path, {"reading/one": reading(**change)})

    with pytest.raises(ValueError, match="reading/one: not a case of the suite: "):
        suite.read(folder)


def test_a_group_that_is_not_known(tmp_path: Path) -> None:
    folder = write_suite(tmp_path, {"silver/one": golden()})

    with pytest.raises(ValueError, match="silver/one: no group of cases is named 'silver'"):
        suite.read(folder)


def test_bits_hold_in_float64_only(tmp_path: Path) -> None:
    case = golden(bits={"1": "0.70000000000000007"})
    (found,) = suite.read(write_suite(tmp_path, {"golden/linear/one": case})).cases
    assert isinstance(found, Golden)
    double, single = Profile("float64", 10), Profile("float32", 10, single=Fraction("0.501"))

    def passes(profile: Profile, *values: float) -> bool:
        return judge_golden(found, Values(values), profile, 0).status == "passed"

    assert passes(double, 1.0, 0.7000000000000001, 0.0)
    assert not passes(double, 1.0, 0.7, 0.0)
    assert passes(single, 1.0, 0.699999988079071, 0.0)
    assert found.within(Profile("float64", 3)).bits == {1: 0.7000000000000001}
    assert found.within(Profile("float64", 0)).bits == {}


def test_a_golden_case_without_values(tmp_path: Path) -> None:
    (found,) = suite.read(write_suite(tmp_path, {"golden/linear/one": golden()})).cases
    assert isinstance(found, Golden)

    assert judge_golden(found, Accepted(), Profile("float64", 10), 0).reason == "no values"


def test_a_report_is_a_value(tmp_path: Path) -> None:
    folder = write_suite(tmp_path, {"golden/linear/one": golden(), "invalid/one": invalid()})
    report = run(find("core"), suite.read(folder))

    assert report.good
    assert report == run(find("core"), suite.read(folder))
    assert [count.category for count in report.counts()] == ["linear", "invalid"]


def test_a_backend_that_is_not_there() -> None:
    with pytest.raises(BackendError, match=r"no backend is named 'none'; there are core, "):
        find("none")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": [1, "x", None]}, {"a": [1.0, "x", None]}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ([1, 2], [1], False),
        ([1], [2], False),
        (True, 1, False),
        (True, True, True),
        (0, False, False),
        ("1", 1, False),
        (None, False, False),
        (2**53 + 1, float(2**53), True),
        ({}, [], False),
    ],
)
def test_equal_documents(one: Json, other: Json, same: bool) -> None:
    assert equal(one, other) == same
