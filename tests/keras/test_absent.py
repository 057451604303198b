"""Without Keras the import says what to install; a broken Keras says itself what is wrong."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the time of a test the adapter has not been imported."""
    for module in [name for name in sys.modules if name.split(".")[0] == "lrspec_keras"]:
        monkeypatch.delitem(sys.modules, module)


def test_the_hint_when_keras_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keras", None)
    with pytest.raises(ImportError, match=r"pip install 'lrspec\[keras\]'$") as caught:
        import_module("lrspec_keras")
    assert type(caught.value) is ImportError
    assert caught.value.name == "keras"


def test_a_broken_keras_is_not_covered_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "keras.py").write_text("import a_backend_that_keras_needs\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "keras", raising=False)
    with pytest.raises(
        ModuleNotFoundError, match=r"^No module named 'a_backend_that_keras_needs'$"
    ):
        import_module("lrspec_keras")


def test_a_backend_without_float64_arrays_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import keras

    from lrspec_keras.arrays import arrays

    monkeypatch.setattr(keras.backend, "backend", lambda: "openvino")

    with pytest.raises(NotImplementedError, match="the Keras backend openvino has no float64"):
        arrays()
