"""What a gin file binds to one function."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.importers.t5x_gin import bindings


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("f.a = 1", {"a": 1}),
        ("m.f.a = -1e-3", {"a": -1e-3}),
        (
            "m.f:\n  a = 1\n  b = 'x'  # a comment\n\n  c = None\ng:\n  a = 2\n",
            {"a": 1, "b": "x", "c": None},
        ),
        ("f.a = 1\nf.a = 10_000\n", {"a": 10_000}),
        ("f.a = %A\nA = %B\nB = (1,\n  2)\n", {"a": (1, 2)}),
        ("f.a = 'two ' 'parts'", {"a": "two parts"}),
        ("f.a = '%no # macro'", {"a": "%no # macro"}),
        ("g.a = @h()\ng.b = %gin.REQUIRED\nscope/g.c = 1\nf.a = True\n", {"a": True}),
        ("scope/A = 1\nf.a = 2", {"a": 2}),
        ("f:\n  a = 1\ng.f = 2\nf.b = 3\n", {"a": 1, "b": 3}),
        ("g.a = {\n  'x': @h,\n}\n", {}),
        ("", {}),
    ],
)
def test_bindings(text: str, bound: dict[str, Any]) -> None:
    assert bindings(text, "f") == (bound, [])


def test_includes() -> None:
    text = "from __gin__ import x\nimport a.b\ninclude 'one.gin'\ninclude \"two.gin\"\n"
    assert bindings(text, "f") == ({}, ["one.gin", "two.gin"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f.a = @g()", r"'@ g \( \)' is no plain value"),
        ("f.a = 1 + x", r"'1 \+ x' is no plain value"),
        ("f.a = ", "'' is no plain value"),
        ("f.a = %A", "the macro %A is not defined in this file"),
        ("f.a = %gin.REQUIRED", "the macro %gin.REQUIRED is not defined in this file"),
        ("A = %B\nB = %A\nf.a = %A", "the macro %[AB] stands for itself"),
        ("s/f.a = 1", "'s/f' is bound in a scope"),
        ("m/n/x.f:\n  a = 1", "'m/n/x.f' is bound in a scope"),
        ("hello", "'hello' is no binding of gin"),
        ("f.a = (1,", "it is no gin"),
        ("f:\n    a = 1\n  b = 2\n", "it is no gin"),
        ("include @x", "'@ x' is no plain value"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bindings(text, "f")
