"""A configuration is read key by key, with its types, and none is lost."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from lrspec.copying import copy_data
from lrspec.importing.config import Config
from lrspec.problems import SpecError
from lrspec.reading import read_text


def config(data: dict[Any, Any], *path: str | int) -> Config:
    """A mapping as an importer gets it, or what stands in it at a path."""
    source = copy_data(data)
    here: Any = source.data
    for part in path:
        here = here[part]
    return Config(here, path, source, [])


def refusal(read: Callable[[], object]) -> str:
    """The one problem that reading raises, after its code."""
    with pytest.raises(SpecError) as caught:
        read()
    (problem,) = caught.value.problems
    return f"{problem.code} {problem}"


# What is there


def test_null_is_left_out() -> None:
    found = config({"a": None, "b": 0, "c": False})
    assert ("a" in found, "b" in found, "c" in found, "d" in found) == (False, True, True, False)
    assert found.keys() == ["b", "c"]


def test_raw() -> None:
    found = config({"a": None, "b": [1, {"c": None}]})
    assert found.raw("b") == [1, {"c": None}]
    assert found.raw("a", 3) == 3
    assert found.raw("d", None) is None
    assert refusal(lambda: found.raw("a")) == "missing-field 'a' is required"


def test_a_missing_key_may_be_misspelt() -> None:
    found = config({"warmup_step": 3, "LR": 1})
    message = "missing-field 'warmup_steps' is required; is warmup_step meant for it?"
    assert refusal(lambda: found.whole("warmup_steps")) == message
    assert (
        refusal(lambda: found.number("lr")) == "missing-field 'lr' is required; is LR meant for it?"
    )
    found.ignore("LR")
    assert refusal(lambda: found.number("lr")) == "missing-field 'lr' is required"


# Numbers


@pytest.mark.parametrize(
    ("value", "number"),
    [(1, 1), (0.5, 0.5), (-3, -3), ("1e-3", 0.001), (" 12 ", 12), ("0x10", 16), (5e-324, 5e-324)],
)
def test_number(value: object, number: float) -> None:
    assert config({"a": value}).number("a") == number


def test_a_number_in_text_is_said() -> None:
    found = config({"a": "1e-3", "b": [1, "2"]})
    found.number("a")
    found.number("a")
    found.numbers("b")
    assert found.notes == [
        "a is the text '1e-3', read as the number 0.001",
        "1 is the text '2', read as the number 2",
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("x", "wrong-type /a: expected a number, found 'x'"),
        (True, "wrong-type /a: expected a number, found true"),
        ([1], "wrong-type /a: expected a number, found a list"),
        ({}, "wrong-type /a: expected a number, found an empty mapping"),
        (".nan", "not-finite /a: '.nan' is not a finite number"),
        ("1e999", "not-finite /a: '1e999' is not a finite number"),
        (
            "${lr}",
            "wrong-value /a: '${lr}' leads to nothing that can be read here; "
            "resolve it first, as OmegaConf.to_container(…, resolve=True) does",
        ),
        (
            "${mul:${lr},2}",
            "wrong-value /a: '${mul:${lr},2}' is filled in by another part of the configuration; "
            "resolve it first, as OmegaConf.to_container(…, resolve=True) does",
        ),
        ("$LR", "wrong-value /a: '$LR' is a variable of a script; write its value in its place"),
        (
            "$((N / 2))",
            "wrong-value /a: '$((N / 2))' is a variable of a script; write its value in its place",
        ),
        ("$5", "wrong-type /a: expected a number, found '$5'"),
        (
            "${LR:-3e-4}",
            "wrong-value /a: '${LR:-3e-4}' is a variable of a script; write its value in its place",
        ),
    ],
)
def test_what_is_no_number(value: object, message: str) -> None:
    assert refusal(lambda: config({"a": value}).number("a")) == message


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_a_default_that_is_no_number(value: float) -> None:
    message = f"not-finite /a: {value} is not a finite number"
    assert refusal(lambda: config({}).number("a", value)) == message


@pytest.mark.parametrize(
    ("value", "limits", "message"),
    [
        (-1, {"least": 0}, "out-of-range /a: expected at least 0, found -1"),
        (0, {"above": 0}, "out-of-range /a: expected more than 0, found 0"),
        (1.5, {"most": 1}, "out-of-range /a: expected at most 1, found 1.5"),
    ],
)
def test_limits(value: float, limits: dict[str, float], message: str) -> None:
    found = config({"a": value})
    assert refusal(lambda: found.number("a", **limits)) == message
    assert refusal(lambda: found.optional_number("a", **limits)) == message


def test_limits_are_within() -> None:
    found = config({"a": 1})
    assert found.number("a", least=1, above=0.5, most=1) == 1
    assert found.number("b", 7) == 7
    # A default is held to them as well: it is not the importer's to break them.
    assert refusal(lambda: found.number("b", -1, least=0)) == (
        "out-of-range /b: expected at least 0, found -1"
    )


def test_whole() -> None:
    found = config({"a": 10.0, "b": 10.5, "c": -1, "d": "12"})
    assert (found.whole("a"), type(found.whole("a"))) == (10, int)
    assert found.whole("d") == 12
    assert found.whole("e", 3) == 3
    assert found.whole("c", least=-1) == -1
    assert refusal(lambda: found.whole("b")) == (
        "wrong-type /b: expected a whole number, found 10.5"
    )
    assert refusal(lambda: found.whole("c")) == "out-of-range /c: expected at least 0, found -1"


def test_optional_numbers() -> None:
    found = config({"a": 1.5, "b": 2, "c": None})
    assert found.optional_number("a") == 1.5
    assert found.optional_number("c") is None
    assert found.optional_number("d") is None
    assert found.optional_whole("b") == 2
    assert found.optional_whole("c") is None
    assert refusal(lambda: found.optional_whole("b", least=3)) == (
        "out-of-range /b: expected at least 3, found 2"
    )


def test_lists_of_numbers() -> None:
    found = config({"a": [1, 2.5], "b": 3, "c": [1, "x"], "d": [1, -1], "e": [1.5], "f": (1, 2)})
    assert found.numbers("a") == [1, 2.5]
    assert found.numbers("b") == [3]
    assert found.numbers("z", [0.5]) == [0.5]
    texts = config({"a": "(1, 2.5)", "b": "[1e-3,]", "c": "()", "d": "[1, x]", "e": "[1, .nan]"})
    assert [texts.numbers(key) for key in "abc"] == [[1, 2.5], [0.001], []]
    assert texts.notes == []
    assert refusal(lambda: texts.numbers("d")) == ("wrong-type /d/1: expected a number, found 'x'")
    assert refusal(lambda: texts.numbers("e")).startswith("not-finite")
    assert found.wholes("b") == [3]
    assert found.wholes("f") == [1, 2]
    assert found.wholes("z", []) == []
    assert refusal(lambda: found.numbers("c")) == ("wrong-type /c/1: expected a number, found 'x'")
    assert refusal(lambda: found.wholes("d")) == (
        "wrong-type /d/1: expected a whole number of at least 0, found -1"
    )
    assert refusal(lambda: found.wholes("e")) == (
        "wrong-type /e/0: expected a whole number of at least 0, found 1.5"
    )
    assert refusal(lambda: found.numbers("z")) == "missing-field 'z' is required"


# Other values


def test_flag() -> None:
    found = config({"a": True, "b": 1})
    assert found.flag("a")
    assert not found.flag("c", False)
    assert refusal(lambda: found.flag("b")) == "wrong-type /b: expected true or false, found 1"


def test_text() -> None:
    found = config({"a": "x", "b": 1, "c": "${x}"})
    assert found.text("a") == "x"
    assert found.text("d", "y") == "y"
    assert refusal(lambda: found.text("b")) == "wrong-type /b: expected text, found 1"
    assert refusal(lambda: found.text("c")).startswith("wrong-value /c: '${x}' leads to nothing")


def test_choice() -> None:
    found = config({"a": "Cosin", "b": "x"})
    assert found.choice("c", iter(["linear"]), "linear") == "linear"
    assert refusal(lambda: found.choice("a", iter(["linear", "cosine"]), what="decay")) == (
        "wrong-value /a: unknown decay 'Cosin'; known are linear and cosine; did you mean 'cosine'?"
    )
    assert refusal(lambda: found.choice("b", ["linear"], code="unknown-schedule")) == (
        "unknown-schedule /b: unknown value 'x'; known are linear"
    )


def test_sections() -> None:
    found = config({"a": {"b": 1, "x": 2}, "c": [{"d": "?"}], "e": [3], "f": 3})
    inside = found.section("a")
    assert inside.whole("b") == 1
    assert refusal(inside.done) == "unknown-field /a: 'x' is not known here; it takes b"
    assert found.section("z", {}).keys() == []
    (item,) = found.sections("c")
    assert refusal(lambda: item.number("d")) == "wrong-type /c/0/d: expected a number, found '?'"
    assert refusal(lambda: found.section("f")) == "wrong-type /f: expected a mapping, found 3"
    assert refusal(lambda: found.sections("a")) == "wrong-type /a: expected a list, found a mapping"
    assert refusal(lambda: found.sections("e")) == "wrong-type /e/0: expected a mapping, found 3"


# What is not read


def test_what_nothing_reads_is_refused() -> None:
    found = config({"lr": 1, "warmup_stepz": 2, "zzz": 3, "seed": 4, "none": None})
    found.number("lr")
    found.whole("warmup_steps", 0)
    found.ignore("seed")
    with pytest.raises(SpecError) as caught:
        found.done(["extra"])
    assert [str(problem) for problem in caught.value.problems] == [
        "'warmup_stepz' is not known here; did you mean 'warmup_steps'?",
        "'zzz' is not known here; it takes extra, lr, seed and warmup_steps",
    ]
    found.ignore_rest()
    found.done()


def test_a_known_key_that_nothing_reads_is_no_misspelling_of_itself() -> None:
    with pytest.raises(SpecError) as caught:
        config({"min_lr": 1}).done(["min_lr", "power"])
    (problem,) = caught.value.problems
    assert problem.hint == "it takes power"


def test_unknown_keys_have_their_places() -> None:
    source = read_text("a:\n  b: 1\n  c: 2\n", "x.yaml")
    assert isinstance(source.data, dict)
    inside = Config(source.data, (), source, []).section("a")
    inside.number("b")
    assert refusal(inside.done) == (
        "unknown-field x.yaml:3:3: /a: 'c' is not known here; it takes b"
    )


# What reading had to leave out


def test_a_fault_is_raised_where_it_is_read() -> None:
    found = config({"a": print, "b": 1, "c": {"d": {"e": print}, "f": 2}, "g": [1, {"h": print}]})
    assert found.number("b") == 1
    for read in (
        lambda: found.raw("a", None),
        lambda: found.raw("a"),
        lambda: found.number("a", 3),
        lambda: found.optional_number("a"),
    ):
        assert refusal(read).startswith("wrong-type /a: ")
    # A part with a fault in it is no part that an importer can trust.
    assert refusal(lambda: found.section("c")).startswith("wrong-type /c/d/e: ")
    assert refusal(lambda: found.raw("g")).startswith("wrong-type /g/1/h: ")
    assert refusal(lambda: found.sections("g")).startswith("wrong-type /g/1/h: ")


def test_faults_elsewhere_do_not_matter() -> None:
    data = {"optim": {"lr": 0.1}, "optim_2": print, "model": {"act": print}}
    assert config(data).section("optim").number("lr") == 0.1
    assert config(data, "optim").number("lr") == 0.1
    assert refusal(lambda: config(data, "model")).startswith("wrong-type /model/act: ")


# Refusing


def test_refusing() -> None:
    found = config({"a": {"b": 1, "c": 2}}, "a")
    assert refusal(lambda: found.fail("wrong-value", "no", "b", hint="yes")) == (
        "wrong-value /a/b: no; yes"
    )
    assert refusal(lambda: found.refuse("it is random", "b")) == "not-importable /a/b: it is random"
    assert refusal(lambda: found.refuse("it is random")) == "not-importable /a: it is random"
    assert refusal(lambda: found.conflict("b", "c")) == (
        "conflicting-fields /a/c: 'b' and 'c' exclude each other"
    )


def test_notes_are_said_once() -> None:
    found = config({"a": {}})
    found.note("one")
    found.section("a").note("two")
    found.note("one")
    assert found.notes == ["one", "two"]
