"""The hook that the repository offers to pre-commit, run from a clone of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.packaging.cloning import clone_to


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, with nobody's settings."""
    nobody = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    subprocess.run(["git", *nobody, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """The repository as pre-commit fetches it."""
    folder = clone_to(tmp_path / "lrspec")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")
    return folder


def test_the_hook_checks_schedule_files(hooks: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "--quiet")
    good = "lrspec: 1\nschedule: {constant: {value: 1}}\n"
    (project / "good.lrspec.yaml").write_text(good)
    (project / "bad.lrspec.yaml").write_text(good.replace("constant", "constnt"))
    (project / "other.yaml").write_text("a: [\n")
    git(project, "add", "--all")

    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), "lrspec-check", "--all-files"],
        cwd=project,
        env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert "good.lrspec.yaml: OK" in lines, done.stdout + done.stderr
    message = "unknown kind 'constnt'; did you mean 'constant'?"
    assert f"bad.lrspec.yaml:2:12: /schedule: {message}" in lines
    assert "other.yaml" not in done.stdout
