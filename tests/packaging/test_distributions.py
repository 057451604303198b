"""What is published: the source distribution holds the repository, the wheel the five packages."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NAME = f"lrspec-{PYPROJECT['project']['version']}"
PACKAGES: list[str] = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


class Built(NamedTuple):
    """The two files that are published."""

    sdist: Path
    wheel: Path


def build(source: Path, target: Path, *what: str) -> None:
    """Build without an environment of its own: what it needs is installed for these tests."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), *what]
    done = subprocess.run(
        [*command, str(source)], capture_output=True, text=True, check=False, cwd=target
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both distributions, each built from the repository."""
    target = tmp_path_factory.mktemp("dist")
    build(ROOT, target, "--sdist", "--wheel")
    (sdist,) = target.glob("*.tar.gz")
    (wheel,) = target.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def repository() -> set[str]:
    """Every file that git keeps, or would keep."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}


def contents(wheel: Path) -> Mapping[str, bytes]:
    """Name -> bytes of everything in a wheel."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_sdist_is_the_repository(built: Built, repository: set[str]) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {member.name for member in archive.getmembers() if member.isfile()}

    assert names == {f"{NAME}/{name}" for name in repository | {"PKG-INFO"}}


def test_wheel_is_the_packages(built: Built, repository: set[str]) -> None:
    packages = {
        str(PurePosixPath(name).relative_to(PurePosixPath(package).parent))
        for name in repository
        for package in PACKAGES
        if PurePosixPath(name).is_relative_to(package)
    }
    about = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}

    assert set(contents(built.wheel)) == packages | {f"{NAME}.dist-info/{name}" for name in about}


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_has_types_and_code(built: Built, package: str) -> None:
    name = PurePosixPath(package).name

    assert {f"{name}/__init__.py", f"{name}/py.typed"} <= set(contents(built.wheel))


def test_wheel_holds_the_language(built: Built) -> None:
    names = set(contents(built.wheel))

    assert "lrspec_spec/v1/schedule.schema.json" in names
    assert "lrspec_spec/v1/conformance/manifest.json" in names
    assert any(name.startswith("lrspec_spec/v1/conformance/golden/") for name in names)
    assert any(name.startswith("lrspec_spec/v1/conformance/invalid/") for name in names)


def test_sdist_builds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    build(tmp_path / NAME, tmp_path, "--wheel")

    assert contents(tmp_path / built.wheel.name) == contents(built.wheel)


def test_entry_points_name_modules_of_the_wheel(built: Built) -> None:
    files = contents(built.wheel)
    parser = ConfigParser()
    parser.read_string(files[f"{NAME}.dist-info/entry_points.txt"].decode())

    assert set(parser["lrspec.adapters"]) == {"torch", "optax", "keras"}
    assert set(parser["console_scripts"]) == {"lrspec"}
    for section in parser.sections():
        for target in parser[section].values():
            assert target.partition(":")[0].replace(".", "/") + ".py" in files


def test_the_index_would_take_them(built: Built) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2
