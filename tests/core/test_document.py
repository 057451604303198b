"""The document: its names, its data, its YAML, and what adapters make of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import lrspec
from lrspec.binding import as_curve, as_curves, as_document
from lrspec.loading import from_dict, load, loads
from lrspec.problems import SpecError
from lrspec.reading import read_text
from lrspec.writing import _fastest_dumper, to_yaml

TEXT = """\
# A warmup.
lrspec: 1
name: 'on'
base: &rate 3e-4
x-notes: {seen: [*rate, null, true, "1e-5", '017', "", "~", .5, 10.0, 'é — ½']}
schedule:
- linear: {initial: 0, final: 1, length: 7.25 steps}
- constant:
"""
BOTH: dict[str, Any] = {
    "lrspec": 1,
    "base": {"lr": 0.5},
    "schedules": {"lr": {"linear": {"final": 0}}, "rho": {"linear": {"final": 0.5}}},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "warmup.lrspec.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_names() -> None:
    assert loads(TEXT).names == ("lr",)
    assert from_dict(BOTH).names == ("lr", "rho")


def test_documents_are_equal_by_their_data(file: Path) -> None:
    document = load(file)

    assert document == loads(TEXT) == from_dict(document.to_dict())
    assert hash(document) == hash(loads(TEXT))
    assert document != loads(TEXT.replace("7.25", "7.5"))
    assert document != TEXT


def test_its_data_are_a_copy() -> None:
    document = loads(TEXT)
    data = document.to_dict()
    data["schedule"][0]["linear"]["final"] = 9

    assert document.to_dict()["schedule"][0]["linear"]["final"] == 1
    assert document == loads(TEXT)


def test_aliased_data_are_not_shared() -> None:
    text = "lrspec: 1\nx-a: &a {k: [1]}\nx-b: *a\nschedule: {constant: }"
    data = loads(text).to_dict()
    data["x-a"]["k"].append(2)

    assert data["x-b"] == {"k": [1]}


def test_what_was_given_may_change_later() -> None:
    data = json.loads(json.dumps(BOTH))
    document = from_dict(data)
    data["base"]["lr"] = 7

    assert document == from_dict(BOTH)


def test_yaml_reads_back() -> None:
    document = loads(TEXT)
    text = document.to_yaml()

    assert loads(text) == document
    assert loads(loads(text).to_yaml()).to_yaml() == text
    assert list(loads(text).to_dict()) == list(document.to_dict())


def test_yaml_is_easy_to_read() -> None:
    data = {
        "lrspec": 1,
        "name": "on",
        "schedule": [{"linear": {"final": 0, "length": "10%"}}, {"constant": None}],
    }

    assert from_dict(data).to_yaml() == (
        "lrspec: 1\nname: 'on'\nschedule:\n- linear: {final: 0, length: 10%}\n- constant:\n"
    )


WORDS = ["on", "yes", "~", "null", "true", "<<", "=", ".nan", ".inf", "-.INF", "é", "2001-01-01"]
DIGITS = ["1e-5", "1_000", "0b11", "1:30", "017", "0x1F", "0o17", ".5", "5.", "1" * 400]
SPACES = ["", " ", " a", "a ", "a: b", "# no", "- x", "\n", "a\nb\n", "'", '"']


@pytest.mark.parametrize("text", [*WORDS, *DIGITS, *SPACES], ids=lambda text: repr(text)[:12])
def test_text_stays_text(text: str) -> None:
    document = from_dict({"lrspec": 1, "description": text, "schedule": {"constant": None}})

    assert loads(document.to_yaml()).to_dict()["description"] == text


CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")


@given(st.text(CHARACTERS), st.floats(allow_nan=False, allow_infinity=False))
def test_both_dumpers_write_what_reads_back(text: str, number: float) -> None:
    data = {"a": text, "b": {"c": [number, {text: [text]}]}}

    for dumper in (_fastest_dumper(), yaml.SafeDumper):
        assert read_text(to_yaml(data, dumper), None, "yaml").data == data


def test_without_libyaml_the_pure_dumper_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml.cyaml", None)
    assert _fastest_dumper() is yaml.SafeDumper


@pytest.mark.parametrize("number", [1e-5, 1e300, 5e-324, 0.1, -0.5, 1e16, 123456789.123, 2.0])
def test_numbers_stay_numbers(number: float) -> None:
    document = from_dict({"lrspec": 1, "schedule": {"constant": {"value": number}}})

    assert loads(document.to_yaml()).bind()(0) == number


def test_what_it_prints(file: Path) -> None:
    assert repr(load(file)) == f"<Document {str(file)!r} of lr>"
    assert repr(from_dict(BOTH)) == "<Document of lr, rho>"


def test_a_schedule_in_any_form(file: Path) -> None:
    document = load(file)

    assert as_document(document) is document
    assert (
        as_document(file) == as_document(str(file)) == as_document(document.to_dict()) == document
    )
    assert as_curve(file, {}) == as_curve(document, {}) == document.bind()
    assert as_curve(document, {"steps": 20}).steps == 20


def test_a_curve_takes_no_facts() -> None:
    curve = loads(TEXT).bind()

    assert as_curve(curve, {}) is curve
    assert as_curves(curve, {}) == {"lr": curve}
    message = "a Curve is bound already and takes no facts beside it, but base, steps was given"
    for call in (as_curve, as_curves):
        with pytest.raises(TypeError, match=message):
            call(curve, {"steps": 3, "base": 1.0})


def test_a_keyword_that_is_no_fact() -> None:
    for call in (as_curve, as_curves):
        with pytest.raises(TypeError, match="max_steps"):
            call(BOTH, {"max_steps": 3})


def test_every_name_is_bound() -> None:
    document = from_dict(BOTH)
    curves = as_curves(BOTH, {"steps": 4})

    assert list(curves) == ["lr", "rho"]
    assert curves["lr"] == document.bind(steps=4)
    assert curves["rho"] == document.bind(steps=4, name="rho")
    assert as_curves(BOTH, {"steps": 4, "name": "rho"}) == {"rho": curves["rho"]}


def test_the_base_of_the_host_is_that_of_lr() -> None:
    curves = as_curves(BOTH, {"steps": 4, "base": 0.25, "override": True})

    assert (curves["lr"].base, curves["rho"].base) == (0.25, None)


def test_a_document_that_cannot_be_bound() -> None:
    with pytest.raises(SpecError, match=r"/schedules/lr: linear needs training.steps"):
        as_curves(BOTH, {})
    with pytest.raises(SpecError, match="there is no such file"):
        as_curve("no.lrspec.yaml", {})


def test_a_base_without_an_lr_to_be_the_base_of() -> None:
    only = {"lrspec": 1, "schedules": {"rho": {"constant": {}}}}

    with pytest.raises(SpecError) as caught:
        as_curves(only, {"base": 0.1})

    assert [problem.code for problem in caught.value.problems] == ["not-scheduled"]


def test_every_name_is_listed_before_it_is_used() -> None:
    assert set(lrspec.__all__) <= set(dir(lrspec))
