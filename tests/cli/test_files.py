"""Which files a command takes: names, directories, patterns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import PRODUCTION, Cli


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Three schedules, one of them wrong, and a file of something else."""
    (tmp_path / "runs" / "b").mkdir(parents=True)
    (tmp_path / "runs" / "a.lrspec.yaml").write_text(PRODUCTION)
    (tmp_path / "runs" / "b" / "c.lrspec.json").write_text('{"lrspec": 1}')
    (tmp_path / "runs" / "b" / "d.lrspec.yml").write_text(PRODUCTION)
    (tmp_path / "runs" / "b" / "other.yaml").write_text("a: 1\n")
    return tmp_path


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["runs"], ["runs/a.lrspec.yaml", "runs/b/c.lrspec.json", "runs/b/d.lrspec.yml"]),
        (["runs/*.yaml"], ["runs/a.lrspec.yaml"]),
        (["runs/**/*.lrspec.y*ml"], ["runs/a.lrspec.yaml", "runs/b/d.lrspec.yml"]),
        (["runs/b/d.lrspec.yml", "runs/b/*.yml"], ["runs/b/d.lrspec.yml"]),
        (["runs/b/other.yaml"], ["runs/b/other.yaml"]),
        (["./runs/[a]*"], ["./runs/a.lrspec.yaml"]),
        (["runs/b/**"], ["runs/b/c.lrspec.json", "runs/b/d.lrspec.yml", "runs/b/other.yaml"]),
        (["**/**/a.*"], ["runs/a.lrspec.yaml"]),
        (["./r*/**/b/d.*"], ["./runs/b/d.lrspec.yml"]),
    ],
)
def test_directories_and_patterns(cli: Cli, names: list[str], files: list[str]) -> None:
    done = cli("check", *names)

    assert list(dict.fromkeys(line.split(":")[0] for line in done.lines)) == files
    assert done.status == int(any("/c." in file or "other" in file for file in files))


def test_a_pattern_goes_through_no_circle(cli: Cli, tree: Path) -> None:
    (tree / "runs" / "b" / "up").symlink_to("..")
    (tree / "runs" / ".old").mkdir()
    (tree / "runs" / ".old" / "a.lrspec.yaml").write_text("")
    report = json.loads(cli("check", f"{tree}/**/a.lrspec.yaml", "--format", "json").out)

    assert report["files"] == 1
    # A link that the pattern names is followed.
    assert cli("check", "runs/b/up/*.yaml").out == "runs/b/up/a.lrspec.yaml: OK\n"


@pytest.mark.parametrize("name", ["runs", "runs/**/*.yaml", "runs/dead.lrspec.yaml"])
def test_a_link_that_leads_nowhere_is_an_error(cli: Cli, tree: Path, name: str) -> None:
    (tree / "runs" / "dead.lrspec.yaml").symlink_to("nowhere")
    done = cli("check", name)

    assert done.status == 1
    assert "runs/dead.lrspec.yaml: there is no such file" in done.out


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("runs/*.toml", "runs/*.toml: no file matches."),
        ("empty", "empty: no file in it ends in .lrspec.yaml or .lrspec.yml or .lrspec.json."),
    ],
)
def test_nothing_to_check_is_an_error(cli: Cli, tree: Path, name: str, message: str) -> None:
    (tree / "empty").mkdir()
    done = cli("check", name)

    assert done.status == 2
    assert message in done.err
