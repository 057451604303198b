"""Without JAX or optax the import says what to install; a broken JAX says itself what is wrong."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the time of a test neither the adapter nor optax has been imported."""
    for module in list(sys.modules):
        if module.partition(".")[0] in ("lrspec_optax", "optax"):
            monkeypatch.delitem(sys.modules, module)


@pytest.mark.parametrize("missing", ["jax", "optax"])
def test_the_hint_when_one_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(ImportError, match=r"pip install 'lrspec\[optax\]'$") as caught:
        import_module("lrspec_optax")
    assert type(caught.value) is ImportError
    assert caught.value.name == missing


def test_a_broken_optax_is_not_covered_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "optax.py").write_text("import a_part_that_optax_needs\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'a_part_that_optax_needs'$"):
        import_module("lrspec_optax")
