"""Calls in text are read, and nothing else is."""

from __future__ import annotations

import re

import pytest

from lrspec.importing.calls import Call, Name, arguments, parse_call, parse_value, plain

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
        ("f(1 + 1)", "'1 + 1' is neither a call nor a plain value"),
        ("lambda s: s", "'lambda s: s' is neither a call nor a plain value"),
        ("f(*a)", "'*a' is neither a call nor a plain value"),
        ("f(**a)", "'f(**a)' has arguments that are not written out"),
        ("{**a}", "'{**a}' is neither a call nor a plain value"),
        ("{[1]: 1}", "the keys of a mapping are numbers or strings"),
        ("a[0](1)", "'a[0]' is no name"),
        ("f(-True)", "'-True' is neither a call nor a plain value"),
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
