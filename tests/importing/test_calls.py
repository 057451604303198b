"""Calls in text are read, and nothing else is."""

from __future__ import annotations

import re

import pytest

from lrspec.importing.calls import Call, Name, arguments, assigned, parse_call, parse_value, plain

SIGNATURES = {"linear": ("initial", "final", "steps"), "join": ("schedules", "boundaries")}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-1e-3", -1e-3),
        ("'x'", "x"),
        ("True", True),
        ("None", None),
        ("(1, [2, -3])", [1, [2, -3]]),
        ("{100: 0.1, 'a': None}", {100: 0.1, "a": None}),
        ("optax.sgd", Name("optax.sgd")),
        (" f() ", Call("f", (), {})),
        ("a.b.f(1, g(2), k=(3,))", Call("a.b.f", (1, Call("g", (2,), {})), {"k": [3]})),
        ("f(g)(x=1)", Call("f", (), {"x": 1}, Call("f", (Name("g"),), {}))),
    ],
)
def test_values(text: str, value: object) -> None:
    assert parse_value(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f(", "'f(' is no expression of Python"),
        ("f(1 @ 1)", "'1 @ 1' is neither a call nor a plain value"),
        ("f(~1)", "'~1' is neither a call nor a plain value"),
        ("f(1 + n)", "'1 + n' is to be computed, and is not made of numbers alone"),
        ("f(True * 2)", "'True * 2' is to be computed, and is not made of numbers alone"),
        ("f(1 / 0)", "'1 / 0' gives no number"),
        ("f(9.0 ** 9 ** 9)", "'9.0 ** 9 ** 9' gives no number"),
        ("f((-1) ** 0.5)", "'(-1) ** 0.5' gives no number"),
        ("f(int(1, 2))", "'int(1, 2)' gives no number"),
        ("f(max('a', 'b'))", "is to be computed, and is not made of numbers alone"),
        ("config.warmup_epochs = 5", "'config.warmup_epochs' is given a number, and nothing is"),
        ("import optax", "'import optax' is no expression of Python"),
        ("def f(x): return x", "'def f(x):' is neither an expression nor a name with its value"),
        ("a, b = 1, 2", "is neither an expression nor a name with its value"),
        ("a = 1\nb = [a for a in 'x']", "is neither a call nor a plain value"),
        (
            "a = [1]\n" + "a = [a, a, a, a]\n" * 7,
            "a value of more than 10000 parts is not read",
        ),
        ("lambda s: s", "'lambda s: s' is neither a call nor a plain value"),
        ("f(*a)", "'*a' is neither a call nor a plain value"),
        ("f(**a)", "'f(**a)' has arguments that are not written out"),
        ("{**a}", "'{**a}' is neither a call nor a plain value"),
        ("{[1]: 1}", "the keys of a mapping are numbers or strings"),
        ("a[0](1)", "'a[0]' is no name"),
        ("f(-True)", "'-True' is to be computed, and is not made of numbers alone"),
        ("f(1j)", "'1j' is neither a call nor a plain value"),
        ("f(" * 300 + ")" * 300, "is no expression of Python"),
        ("-" * 9000 + "1", "is no expression of Python"),
        ("1" * 20_000, "an expression of 20000 characters is not read"),
        ("f(a=1, a=2)", "f has the argument 'a' twice"),
    ],
)
def test_what_is_no_call(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_value(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10 * 9", 90),
        ("1_000 // 10 - 1 % 4", 99),
        ("3e-4 / 10", 3e-4 / 10),
        ("10 ** -3", 1e-3),
        ("2 ** 10", 1024),
        ("-2.0 ** 2", -4.0),
        ("int(0.1 * 1000) + round(2.5)", 102),
        ("[min(1, 2), max(1, 2.5), abs(-1), float(2)]", [1, 2.5, 1, 2.0]),
    ],
)
def test_numbers_that_are_computed(text: str, value: object) -> None:
    found = parse_value(text)
    assert found == value
    assert type(found) is type(value)


def test_the_last_of_several_statements_is_meant() -> None:
    text = """
"A script."
import optax
from optax import adamw

total: int = 1_000
warmup = total // 10
model = [x for x in y]
config.rate = 3e-4
schedule = optax.linear(0, config.rate, warmup)
rate = model
total = total + 1
optimizer = adamw(schedule, rate, total)
"""
    linear = Call("optax.linear", (0, 3e-4, 100), {})
    assert parse_value(text) == Call("adamw", (linear, Name("model"), 1001), {})
    assert list(assigned(text)) == [
        *("", "warmup", "config.rate", "schedule", "rate", "total", "optimizer"),
    ]
    assert parse_value("a = 1\na") == 1
    assert parse_value("config.learning_rate = 0.1") == 0.1
    assert parse_value("a = [b]\nb = 2\na") == [Name("b")]


def test_a_value_is_no_call() -> None:
    with pytest.raises(ValueError, match="'1' is no call"):
        parse_call("1")


def test_arguments_by_name() -> None:
    assert arguments(parse_call("linear(0, steps=3)"), SIGNATURES["linear"]) == {
        "initial": 0,
        "steps": 3,
    }
    with pytest.raises(ValueError, match="linear has the argument 'initial' twice"):
        arguments(parse_call("linear(0, initial=1)"), SIGNATURES["linear"])
    with pytest.raises(ValueError, match="linear takes initial, final and steps, found 4"):
        arguments(parse_call("linear(0, 1, 2, 3)"), SIGNATURES["linear"])
    with pytest.raises(ValueError, match="f takes nothing, found 1 arguments"):
        arguments(parse_call("f(0)"), ())


def test_plain_data() -> None:
    call = parse_call("join([optax.linear(0, 1, 2), dict(a=g)], boundaries={1: 2})")
    assert plain(call, SIGNATURES) == {
        "name": "join",
        "schedules": [{"name": "linear", "initial": 0, "final": 1, "steps": 2}, {"a": "g"}],
        "boundaries": {"1": 2},
    }
    call = parse_call("pax_fiddle.Config(schedules.linear, 0, final=1)")
    assert plain(call, SIGNATURES) == {"name": "linear", "initial": 0, "final": 1}
    with pytest.raises(ValueError, match="'other' is not known; known are join and linear"):
        plain(parse_call("join([other()])"), SIGNATURES)
    with pytest.raises(ValueError, match="the keys of a mapping are numbers or strings"):
        plain(parse_call("join({True: 1})"), SIGNATURES)
