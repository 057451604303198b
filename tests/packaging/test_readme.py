"""What the README says to do on a fresh machine works: in a clone, with nothing but this Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.packaging.cloning import ROOT, clone_to

SHOW = (
    "python3 -m venv .venv && .venv/bin/pip install . &&"
    " .venv/bin/lrspec show examples/production.lrspec.yaml"
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The repository as somebody clones it."""
    return clone_to(tmp_path / "clone")


def test_a_fresh_machine_shows_the_production_schedule(clone: Path, tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.symlink_to(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}")
    environment = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}

    assert f"\n{SHOW}\n" in (ROOT / "README.md").read_text()
    done = subprocess.run(
        SHOW, shell=True, cwd=clone, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    knots = [["0", "39601.8"], ["39601.8", "79203.6"], ["79203.6", "88004"]]
    for knot in knots:
        assert any(row[:3] == [*knot, "piecewise_linear"] for row in rows), done.stdout
    assert rows[-4][3:] == ["1e-05", "0.004"]
    assert rows[-3][3:] == ["0.004", "1e-05"]
    assert rows[-2][3:] == ["1e-05", "1e-06"]
