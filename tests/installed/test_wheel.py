"""In tox every test imports the wheel, never the checkout."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ["lrspec", "lrspec_spec", "lrspec_torch", "lrspec_optax", "lrspec_keras"]


@pytest.mark.skipif("TOX_ENV_NAME" not in os.environ, reason="only tox installs the wheel")
@pytest.mark.parametrize("package", PACKAGES)
def test_package_is_the_installed_one(package: str) -> None:
    spec = importlib.util.find_spec(package)

    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).parent.parent == Path(sysconfig.get_path("purelib"))


@pytest.mark.skipif("TOX_ENV_NAME" not in os.environ, reason="the checkout may be installed")
def test_no_package_can_be_found_in_the_checkout() -> None:
    places = {Path(entry).resolve() for entry in sys.path}

    # The root itself is there, for `tests`; it holds no package.
    assert not places & {ROOT / "spec", ROOT / "core", ROOT / "adapters"}
    assert not any((ROOT / package).exists() for package in PACKAGES)
