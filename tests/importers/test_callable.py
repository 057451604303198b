"""A function from step to rate is sampled, and its code is run for nothing less."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import body, refused

from lrspec.importers.callable import load

RATES = '''\
"""Rates of my own."""

from __future__ import annotations

from dataclasses import dataclass

with open("ran", "a") as file:
    file.write("x")


@dataclass
class Warmup:
    steps: int

    def __call__(self, step):
        return 0.1 * min(1, step / self.steps)


warmup = Warmup(4)
LIMIT = 3


class Schedules:
    @staticmethod
    def fall(step):
        return 1 / (1 + step)
'''


@pytest.fixture
def rates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of rates, in the directory in which the test runs."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rates.py"
    path.write_text(RATES, "utf-8")
    return path


def ran(rates: Path) -> int:
    """How often the file has been run."""
    trace = rates.with_name("ran")
    return len(trace.read_text()) if trace.exists() else 0


Function = Callable[[int], Any]


def square(step: int) -> float:
    return 0.5 * step**2


@dataclass
class Line:
    """A callable that is no function."""

    slope: float

    def __call__(self, step: int) -> float:
        return self.at(step)

    def at(self, step: int) -> float:
        return self.slope * step


def power(exponent: float, step: int) -> float:
    return float(step**exponent)


def test_a_function_of_a_file(rates: Path) -> None:
    document = load("rates.py:warmup", steps=6, sample=True)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 6}\n"
        "schedule:\n"
        "  piecewise_linear:\n"
        "    boundaries: [0, 4, 6]\n"
        "    values: [0, 1, 1]\n"
    )
    assert document.origin == "Python rates.py:warmup"
    assert document.notes == (
        "Sampled: rates.py:warmup is code, and no kind states what code computes. The document has "
        "its values at every step from 0 to 6, joined by straight lines, and the last value from "
        "there on.",
    )
    curve = document.bind()
    assert [curve(step) for step in (0, 1, 4, 6, 60)] == pytest.approx([0, 0.025, 0.1, 0.1, 0.1])


def test_the_function_may_be_named_beside_the_file(rates: Path) -> None:
    assert load(rates, schedule="warmup", steps=6, sample=True).bind()(4) == pytest.approx(0.1)


def test_a_function_inside_a_class(rates: Path) -> None:
    assert load(f"{rates}:Schedules.fall", steps=3, sample=True).bind()(3) == 0.25


def test_a_file_is_run_anew_and_leaves_no_module_behind(rates: Path) -> None:
    before = dict(sys.modules)
    for count in (1, 2):
        load("rates.py:warmup", steps=1, sample=True)
        assert ran(rates) == count
    assert sys.modules.get("rates") is before.get("rates")


def test_a_module_of_the_same_name_stays(rates: Path) -> None:
    path = rates.rename(rates.with_name("json.py"))
    import json

    load(f"{path}:warmup", steps=1, sample=True)
    assert sys.modules["json"] is json


def test_a_function_of_a_module(monkeypatch: pytest.MonkeyPatch, rates: Path) -> None:
    monkeypatch.syspath_prepend(rates.parent)
    monkeypatch.delitem(sys.modules, "rates", raising=False)
    assert load("rates:warmup", steps=6, sample=True).bind()(2) == pytest.approx(0.05)
    monkeypatch.delitem(sys.modules, "rates")
    assert load("math:sqrt", steps=9, sample=True).bind()(9) == 3


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (square, "square"),
        (partial(power, 3), "partial"),
        (Line(2), "Line"),
        (Line(2).at, "Line.at"),
    ],
)
def test_functions(function: Function, name: str) -> None:
    document = load(function, steps=2, sample=True)
    assert document.origin == f"Python {name}"
    assert document.bind()(2) == pytest.approx(function(2))


def test_with_a_base_it_gives_multiples() -> None:
    document = load(Line(0.25), steps=4, base=0.1, sample=True)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 4}\n"
        "schedule:\n"
        "  piecewise_linear:\n"
        "    boundaries: [0, 4]\n"
        "    values: [0, 1]\n"
    )


def test_rates_of_nothing() -> None:
    document = load(Line(0), steps=4, sample=True)
    assert document.bind().base == 1
    assert document.bind()(2) == 0


def test_nothing_is_run_unless_it_may_be_sampled(rates: Path) -> None:
    problem = refused(load, "rates.py:warmup", steps=6)
    assert (problem.code, str(problem)) == (
        "not-importable",
        "rates.py:warmup is code, and no kind states what code computes; with --sample it is "
        "written as straight lines through its values at every step",
    )
    problem = refused(load, "rates.py:warmup", sample=True)
    assert (problem.code, str(problem)) == (
        "missing-fact",
        "a function has no end: it is sampled to that of the run; give --steps (in Python steps=…)",
    )
    assert ran(rates) == 0


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (3, "int"),
        (b"def f(step): ...", "bytes"),
        (None, "NoneType"),
        ("rates.py", "'rates.py'"),
        (":f", "':f'"),
        ("rates.py:", "'rates.py:'"),
    ],
)
def test_what_is_no_function(config: object, message: str) -> None:
    problem = refused(load, config, steps=3, sample=True)
    assert problem.code == "not-a-config"
    assert problem.message == (
        "expected a function, or where one stands: 'module.py:function' or "
        f"'package.module:function'; found {message}"
    )


def test_a_function_has_no_inside() -> None:
    problem = refused(load, square, at="a.b", steps=3, sample=True)
    assert (problem.code, problem.message) == (
        "not-a-config",
        "there is nothing at 'a.b', a function has no inside",
    )


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1/0", "bad.py:f", "bad.py cannot be loaded: ZeroDivisionError: division by zero"),
        ("def f(:", "bad.py:f", "bad.py cannot be loaded: SyntaxError: "),
        ("raise SystemExit", "bad.py:f", "bad.py cannot be loaded: SystemExit"),
        ("", "missing.py:f", "missing.py cannot be loaded: FileNotFoundError: "),
        ("", "no.such.module:f", "no.such.module cannot be loaded: ModuleNotFoundError: "),
        ("f = 3", "bad.py:f", "'f' in bad.py is no function, but int"),
        ("rate = 3", "bad.py:rat", "bad.py has no 'rat'; did you mean 'rate'?"),
        ("rate = 3", "bad.py:rate.x", "bad.py has no 'rate.x'"),
    ],
)
def test_code_that_cannot_be_loaded(
    text: str, place: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.py").write_text(text, "utf-8")
    problem = refused(load, place, steps=3, sample=True)
    assert problem.code == "not-importable"
    assert str(problem).startswith(message)
    assert "bad" not in sys.modules


WITHOUT_A_RATE: list[tuple[Function, str]] = [
    (lambda step: 1 / (2 - step), "at step 2 {} raises ZeroDivisionError: division by zero"),
    (lambda step: sys.exit() if step else 1, "at step 1 {} raises SystemExit"),
    (lambda step: "0.1", "at step 0 {} gives '0.1'"),
    (lambda step: None, "at step 0 {} raises TypeError: "),
    (lambda step: float("nan"), "at step 0 the rate is nan"),
    (lambda step: 1e308 * step, "at step 2 the rate is inf"),
    (lambda step: 10**400, "at step 0 {} raises OverflowError: "),
]


@pytest.mark.parametrize(("function", "message"), WITHOUT_A_RATE)
def test_a_function_that_gives_no_rate(function: Function, message: str) -> None:
    problem = refused(load, function, steps=3, sample=True)
    assert problem.code == "not-importable"
    expected = message.format("<lambda>")
    assert problem.message.startswith(f"the schedule has no rate at every step: {expected}")


def test_the_run_may_be_too_long() -> None:
    problem = refused(load, square, steps=10**7, sample=True)
    assert (problem.code, problem.message) == (
        "not-importable",
        "square is code, and no kind states what code computes, and only a run of up to 400,000 "
        "steps can be sampled",
    )


def test_unknown_facts_are_an_error_of_the_caller() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'epochs'"):
        load(square, epochs=3)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]


def test_rates_beyond_the_language_are_refused() -> None:
    assert refused(load, Line(1e305), steps=3, sample=True).code == "out-of-range"
