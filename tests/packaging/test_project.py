"""Facts that stand in two files of the project agree."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def tox(section: str, key: str) -> str:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "tox.ini")
    return parser[section][key]


def test_ci_runs_the_command_of_the_readme() -> None:
    command = "python3 -m venv .venv && .venv/bin/pip install tox && .venv/bin/tox"

    assert f"\n{command}\n" in (ROOT / "README.md").read_text()
    assert f"\n{command} || status=$?\n" in (ROOT / ".ci" / "run").read_text()


def floors(*requirements: str) -> dict[str, str]:
    """Name -> lowest version of `name>=version`."""
    pairs = (requirement.partition(">=") for requirement in requirements)
    return {name: version for name, _, version in pairs}


def lowest(factor: str) -> dict[str, str]:
    """Name -> version that the environment of the lowest versions pins."""
    pins: list[tuple[str, str]] = re.findall(
        rf"^{factor}: ([a-z]+)==([0-9.]+)$", tox("testenv", "deps"), re.MULTILINE
    )
    return dict(pins)


def same(floor: str, pin: str) -> bool:
    """Whether `pin` is the first release that `floor` allows: 0.7 and 0.7.0 are the same."""
    return pin.removesuffix(".0") == floor.removesuffix(".0")


@pytest.mark.parametrize(
    ("factor", "requirements"),
    [
        ("lowest-core", PROJECT["dependencies"]),
        ("lowest-optax", PROJECT["optional-dependencies"]["optax"]),
        ("lowest-keras", PROJECT["optional-dependencies"]["keras"]),
        ("torch", PROJECT["optional-dependencies"]["torch"]),
    ],
)
def test_lowest_versions_are_tested(factor: str, requirements: list[str]) -> None:
    pins = lowest(factor)

    for name, floor in floors(*requirements).items():
        assert same(floor, pins[name]), name


def test_every_python_of_the_classifiers_is_tested() -> None:
    classified = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["classifiers"]))
    tested = re.search(r"py3\{([0-9,]+)\}-core", tox("tox", "env_list"))

    assert tested is not None
    assert tested[1].split(",") == classified


def test_changelog_knows_the_version() -> None:
    assert f"\n## [{PROJECT['version']}] - " in (ROOT / "CHANGELOG.md").read_text()
