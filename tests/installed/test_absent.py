"""Where no framework is installed, the core works and an adapter says what to install.

Elsewhere the framework is hidden; in the environment `absent` it is really missing, as numpy is.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.metadata import entry_points

import pytest

import lrspec

ADAPTERS = [("torch", ["torch"]), ("optax", ["jax", "optax"]), ("keras", ["keras"])]


@pytest.mark.skipif(os.environ.get("TOX_ENV_NAME") != "absent", reason="hidden, not missing")
@pytest.mark.parametrize("name", ["torch", "jax", "optax", "keras", "tensorflow", "numpy"])
def test_it_is_really_missing(name: str) -> None:
    assert importlib.util.find_spec(name) is None


@pytest.fixture(
    params=[(name, hidden) for name, needs in ADAPTERS for hidden in needs],
    ids=lambda param: f"{param[0]}-without-{param[1]}",
)
def adapter(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an adapter whose framework is missing."""
    name, hidden = request.param
    for module in list(sys.modules):
        if module.partition(".")[0] == f"lrspec_{name}":
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, hidden, None)  # Python's own way to say: not found
    return str(name)


def test_an_adapter_says_what_to_install(adapter: str) -> None:
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"lrspec_{adapter}")

    assert f"pip install 'lrspec[{adapter}]'" in str(caught.value)


def test_an_entry_point_says_what_to_install(adapter: str) -> None:
    (point,) = entry_points(group="lrspec.adapters", name=adapter)

    with pytest.raises(ImportError) as caught:
        point.load()

    assert f"pip install 'lrspec[{adapter}]'" in str(caught.value)


def test_the_core_works() -> None:
    document = lrspec.loads("lrspec: 1\nbase: 0.5\nschedule:\n  linear: {final: 0}\n")

    assert list(document.bind(steps=4).values(0, 5)) == [0.5, 0.375, 0.25, 0.125, 0.0]
