"""The libraries as these tests import them."""

from __future__ import annotations

import importlib.util
import sys
import types


def _without_its_models(name: str) -> None:
    """Let the modules of a package be imported without the package itself: timm's asks for a
    torchvision that fits the installed torch, and its schedulers do not."""
    found = importlib.util.find_spec(name)
    assert found is not None, f"{name} is not installed"
    module = types.ModuleType(name)
    # mmengine and transformers ask whether timm is there.
    module.__spec__ = found
    module.__path__ = list(found.submodule_search_locations or ())
    sys.modules[name] = module


_without_its_models("timm")
