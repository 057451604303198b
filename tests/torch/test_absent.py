"""Without torch the import says what to install; a broken torch says itself what is wrong."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the time of a test the adapter has not been imported."""
    for module in [name for name in sys.modules if name.split(".")[0] == "lrspec_torch"]:
        monkeypatch.delitem(sys.modules, module)


def test_the_hint_when_torch_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install 'lrspec\[torch\]'$") as caught:
        import_module("lrspec_torch")
    assert type(caught.value) is ImportError
    assert caught.value.name == "torch"


def test_a_broken_torch_is_not_covered_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import a_library_that_torch_needs\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(
        ModuleNotFoundError, match=r"^No module named 'a_library_that_torch_needs'$"
    ):
        import_module("lrspec_torch")


def test_it_brings_no_other_framework() -> None:
    code = "import lrspec_torch, sys; print({'jax', 'keras', 'tensorflow'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
