"""Configurations that are Python files are read, and never run."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.importing.scripts import read_config, read_ml_config


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("'A comment.'\nimport os\na = 1\n", {"a": 1}),
        ("a: int = 2 * 3\nb = [a, -a, (a, 'x')]\nc: int\n", {"a": 6, "b": [6, -6, [6, "x"]]}),
        (
            "a = dict(b=dict(c=1), d={'e': None, 2: True})",
            {"a": {"b": {"c": 1}, "d": {"e": None, "2": True}}},
        ),
        ("a = ConfigDict(dict(b=1), c=2)\n", {"a": {"b": 1, "c": 2}}),
        (
            "a = ml_collections.ConfigDict()\na.b.c = 1\na['d'] = a.b.c + 1\n",
            {"a": {"b": {"c": 1}, "d": 2}},
        ),
        ("a.b = 1\na = dict(c=2)\na.c.d = 3\n", {"a": {"c": {"d": 3}}}),
        ("a = 1\na.b = 2\n", {"a": {"b": 2}}),
        ("a = dict(type=Linear, x=mod.Other)\n", {"a": {"type": "Linear", "x": "mod.Other"}}),
        (
            "a = f(1)\nb = dict(f(x))\nc = Config(g, 1)\nd = dict([1])\n",
            {"a": "f(…)", "b": "dict(…)", "c": "Config(…)", "d": "dict(…)"},
        ),
        # Updates of a mapping.
        ("a = dict(b=1, c=2)\na.update(dict(c=3))\n", {"a": {"b": 1, "c": 3}}),
        ("a.update(b=1)\nf(a)\n", {}),
        ("a = 1\na.update(dict(c=3))\n", {"a": "what line 2 makes of it"}),
        ("f().update(dict(c=3))\n", {}),
        # What is not known.
        ("a = [x for x in y]\n", {"a": "what line 1 makes of it"}),
        ("a = 1\nif x:\n  a = 2\n", {"a": "what line 2 makes of it"}),
        ("a = 1\nif runlocal:\n  a = 2\n", {"a": 1}),
        (
            "a = 1\nif arg.runlocal:\n  a = 2\nelse:\n  b = 1\n",
            {"a": "what line 2 makes of it", "b": "what line 2 makes of it"},
        ),
        (
            "for a in x:\n  b.c = a\n",
            {"a": "what line 1 makes of it", "b": {"c": "what line 1 makes of it"}},
        ),
        ("a += 1\n", {"a": "what line 1 makes of it"}),
        ("a, b = c\n", {"a": "what line 1 makes of it", "b": "what line 1 makes of it"}),
        ("a[0] = 1\n", {}),
        ("f().a = 1\n", {}),
        ("a = 1\ndef a(): pass\nclass b: pass\n", {}),
        (
            "with open(x) as a: b = 1\n",
            {"a": "what line 1 makes of it", "b": "what line 1 makes of it"},
        ),
        ("a = [1]\n" + "a = [a, a, a, a]\n" * 5, {"a": "what line 6 makes of it"}),
    ],
)
def test_names_of_a_file(text: str, found: dict[str, Any]) -> None:
    assert read_config(text) == found


def test_what_get_config_returns() -> None:
    text = """
SIZE = 1000

def other(): return 1

def get_config(arg=None):
    c = mlc.ConfigDict()
    arg = parse(arg)
    c.steps = SIZE // 10
    c.schedule = [('img/.*', None), ('.*', dict(decay_type='cosine'))]
    for x in y:
        c.other = x
    return c
"""
    assert read_config(text) == {
        "steps": 100,
        "schedule": [["img/.*", None], [".*", {"decay_type": "cosine"}]],
        "other": "what line 11 makes of it",
    }
    assert read_config("def get_config():\n  a = 1\n  return a\n") == {}
    assert read_config("def get_config():\n  return dict(a=1)\n") == {}
    assert read_ml_config("config.lr = 1\n") == {"lr": 1}
    assert read_ml_config("lr = 1\n") == {"lr": 1}


def test_files_that_it_goes_on_from() -> None:
    text = """
with read_base():
    from .._base_.schedules.one import *
    from .two import a
    import three
train = dict(x=1)
test.update(dict(y=2))
rate = 1
"""
    assert read_config(text) == {
        "_base_": ["../_base_/schedules/one.py", "two.py"],
        "train": {"x": 1, "_delete_": True},
        "test": {"y": 2},
        "rate": 1,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = (", "it is no Python"),
        ("a = " + "(" * 5000 + ")" * 5000, "it is no Python"),
        ("a = 1\n" * 100_000, "a file of 600000 characters is not read"),
    ],
)
def test_what_is_no_script(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_config(text)
