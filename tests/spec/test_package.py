"""The data package hands out its files, from a directory and from a zip file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lrspec_spec


def test_schema_is_the_file() -> None:
    assert json.loads(lrspec_spec.schema_text()) == lrspec_spec.schema()
    assert lrspec_spec.schema()["$id"] == (
        f"https://lrspec.org/v{lrspec_spec.VERSION}/schedule.schema.json"
    )


def test_schema_is_fresh() -> None:
    lrspec_spec.schema()["definitions"].clear()
    assert lrspec_spec.schema()["definitions"]


def test_conformance_files_are_sorted() -> None:
    names = [file.name for file in lrspec_spec.conformance_files()]
    assert names == [file.name for file in lrspec_spec.conformance_files()]
    assert all(file.is_file() for file in lrspec_spec.conformance_files())


def test_without_a_suite_there_are_no_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lrspec_spec, "_root", lambda: tmp_path)
    assert list(lrspec_spec.conformance_files()) == []
    (tmp_path / "conformance").write_text("a file and no directory", "utf-8")
    assert list(lrspec_spec.conformance_files()) == []


def _without_site(code: str, path: Path) -> str:
    """Run `code` in a fresh interpreter that finds packages at `path` alone; return its output."""
    program = f"import sys; sys.path.insert(0, {str(path)!r}); {code}"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_import_reads_nothing() -> None:
    package = Path(lrspec_spec.__file__).parent
    loaded = "import lrspec_spec; print(sorted({'json', 'importlib.resources'} & set(sys.modules)))"
    assert _without_site(loaded, package.parent) == "[]"


def test_from_a_zip_file(tmp_path: Path) -> None:
    """Files come in the order of their names, directories walked where they stand."""
    package = tmp_path / "lrspec_spec"
    shutil.copytree(Path(lrspec_spec.__file__).parent, package)
    suite = package / "v1" / "conformance"
    shutil.rmtree(suite, ignore_errors=True)
    count = "import lrspec_spec; print([f.name for f in lrspec_spec.conformance_files()])"
    assert _without_site(count, tmp_path) == "[]"

    for name in ("b/2.json", "b/10.json", "a.json", "c.json"):
        (suite / name).parent.mkdir(parents=True, exist_ok=True)
        (suite / name).write_text("{}")
    expected = "['a.json', '10.json', '2.json', 'c.json']"
    assert _without_site(count, tmp_path) == expected

    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "lrspec_spec")
    assert _without_site(count, Path(archive)) == expected
    assert (
        _without_site("import lrspec_spec; print(lrspec_spec.schema()['title'])", Path(archive))
        == "lrspec document"
    )
