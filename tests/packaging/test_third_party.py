"""An adapter of somebody else, installed as a package of its own, is held to the suite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "third_party"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed: `lrspec` itself is there already."""
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--quiet", "--target", str(target), str(SOURCE)], check=True)
    return target


def lrspec(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where the package is installed."""
    code = "import sys; from lrspec.cli.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(site)},
    )


def test_it_passes_the_suite(site: Path) -> None:
    done = lrspec(site, "conform", "stdlib-array")

    *_, last = done.stdout.splitlines()
    assert last.startswith("stdlib-array: ") and " passed, 0 failed, " in last, done.stderr
    assert int(last.split()[1]) > 500
    assert done.returncode == 0


def test_it_is_named_beside_ours(site: Path) -> None:
    done = lrspec(site, "conform", "nobody")

    assert "there are core, keras, optax, stdlib-array, torch." in done.stderr
    assert done.returncode == 2
