"""What documents are called in a picture of several."""

from __future__ import annotations

import pytest

from lrspec.cli.labels import labels


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["runs/a.yaml"], ["a.yaml"]),
        (["runs/x/a.yaml", "runs/y/a.yaml", "b.yaml"], ["x/a.yaml", "y/a.yaml", "b.yaml"]),
        (["a.yaml", "x/a.yaml"], ["a.yaml", "x/a.yaml"]),
        (["x/s/a", "y/s/a", "x/t/a"], ["x/s/a", "y/s/a", "t/a"]),
        (["a", "a", "a (2)"], ["a", "a (2)", "a (2) (2)"]),
        (["./a", "a"], ["./a", "a"]),
        (["-", "a"], ["<stdin>", "a"]),
        (["a\nb"], ["a\\nb"]),
    ],
)
def test_files(files: list[str], expected: list[str]) -> None:
    assert labels(files, [""] * len(files)) == expected


def test_names() -> None:
    assert labels(["a/x", "b/x", "b/x"], ["", "", "n"]) == ["a/x", "b/x", "n"]
    assert labels(["a/x", "a/y", "a/y"], ["n", "n", ""]) == ["n (x)", "n (y)", "y"]
    assert labels(["a", "a"], ["n", "n"]) == ["n", "n (2)"]
