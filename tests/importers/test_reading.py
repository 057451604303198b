"""What is read for importers alone: keys that are no text, and files of other kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lrspec import limits
from lrspec.copying import copy_data
from lrspec.problems import SpecError
from lrspec.reading import decoded, read_characters, read_path, read_text
from lrspec.yaml_pure import PureParser
from lrspec.yaml_reader import _fastest_parser, read_yaml


def refusal(read: Callable[[], object]) -> str:
    """The one problem that reading raises, after its code."""
    with pytest.raises(SpecError) as caught:
        read()
    (problem,) = caught.value.problems
    return f"{problem.code} {problem}"


# Keys in YAML


@pytest.mark.parametrize("parser", [_fastest_parser(), PureParser], ids=["fastest", "pure"])
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("0: 0.1\n10: 0.2\n", {"0": 0.1, "10": 0.2}),
        ("0.5: 1\n1e-3: 2\n", {"0.5": 1, "1e-3": 2}),
        ("true: 1\nnull: 2\n~: 3\n", {"true": 1, "null": 2, "~": 3}),
        (".inf: 1\n", {".inf": 1}),
        ("'1': 1\n!!str 2: 2\n!!int '3': 3\n", {"1": 1, "2": 2, "3": 3}),
        ("a: {1: {2: 3}}\n", {"a": {"1": {"2": 3}}}),
        ("a: &x {1: 2}\nb: {<<: *x, 3: 4}\n", {"a": {"1": 2}, "b": {"1": 2, "3": 4}}),
    ],
)
def test_keys_of_yaml(text: str, data: dict[str, Any], parser: Callable[[str], Any]) -> None:
    source = read_yaml(text, None, parser, any_key=True)
    assert (source.data, source.problems) == (data, ())
    problems = read_yaml(text, None, parser).problems
    assert not problems or {problem.code for problem in problems} == {"key-not-string"}


def test_keys_of_yaml_that_are_equal() -> None:
    (problem,) = read_text("1: a\n'1': b\n", any_key=True).problems
    assert (problem.code, problem.line) == ("duplicate-key", 2)


def test_keys_of_yaml_that_are_collections() -> None:
    assert refusal(lambda: read_text("[1]: a\n", any_key=True)) == (
        "key-not-string 1:1: a key is text, found a list"
    )


def test_keys_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("1: a\n", "utf-8")
    assert read_path(path, any_key=True).data == {"1": "a"}
    assert [problem.code for problem in read_path(path).problems] == ["key-not-string"]
    assert read_text('{"1": "a"}', any_key=True).data == {"1": "a"}
    assert read_text("{1: a}", any_key=True).data == {"1": "a"}


# Data of Python


def test_keys_of_data() -> None:
    data = {1: "a", 0.5: "b", None: "d", "e": {2: (3, 4)}}
    assert copy_data(data).data == {"1": "a", "0.5": "b", "None": "d", "e": {"2": [3, 4]}}
    assert copy_data({True: 1, False: 2}).data == {"True": 1, "False": 2}
    assert copy_data([{1: 2}]).data == [{"1": 2}]
    assert copy_data(3).data == 3


def test_keys_of_data_that_are_equal_as_text() -> None:
    (problem,) = copy_data({"a": {1: 2, "1": 3}}).problems
    assert f"{problem.code} {problem}" == (
        "duplicate-key /a/1: the key '1' stands here twice, not only as text"
    )


def test_keys_of_data_that_are_no_text() -> None:
    (problem,) = copy_data({(1, 2): 3, "a": 4}).problems
    assert (problem.code, problem.message) == ("key-not-string", "a key is text, found tuple")


# Characters


def test_characters(tmp_path: Path) -> None:
    path = tmp_path / "a.cfg"
    path.write_bytes("\ufefflr=1 # °\n".encode())
    assert read_characters(path) == read_characters(str(path)) == "lr=1 # °\n"
    path.write_bytes("lr=1".encode("utf-16"))
    assert read_characters(path) == "lr=1"
    assert decoded(b"lr=1") == "lr=1"


def test_what_has_no_characters(tmp_path: Path) -> None:
    path = tmp_path / "a.cfg"
    assert refusal(lambda: read_characters(path)) == (
        f"unreadable-file {path}: there is no such file"
    )
    path.write_bytes(b"a\n\xff")
    assert refusal(lambda: read_characters(path)) == (
        f"not-text {path}:2:1: the file is not text: byte 0xff is not UTF-8"
    )
    path.write_bytes(b"a\n\0")
    assert refusal(lambda: read_characters(path)) == (
        f"not-text {path}:2:1: the file is not text: it holds the character U+0000"
    )


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BYTES", 2**20)
    path = tmp_path / "a.cfg"
    path.write_bytes(b"x" * 2**20)
    assert len(read_characters(path)) == 2**20
    path.write_bytes(b"x" * (2**20 + 1))
    assert refusal(lambda: read_characters(path)) == (
        f"too-large {path}: the file is larger than 1 MiB"
    )
    assert refusal(lambda: decoded(b"x" * (2**20 + 1))) == (
        "too-large the file is larger than 1 MiB"
    )
