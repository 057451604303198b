"""The examples in docstrings of the core do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import lrspec
import lrspec_spec

MODULES = [
    module.name
    for package in (lrspec, lrspec_spec)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", ["lrspec", "lrspec_spec", *MODULES])
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))

    assert failed == 0
