"""Reading: scalars, JSON, limits, faults with their place, and mappings of a host."""

from __future__ import annotations

import decimal
import enum
import json
import math
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrspec import limits
from lrspec.problems import SpecError
from lrspec.reading import read_mapping, read_path, read_text
from lrspec.source import Json
from lrspec.yaml_pure import PureParser
from lrspec.yaml_reader import _fastest_parser, read_yaml

Parser = Callable[[str], Any]


@pytest.fixture(params=[_fastest_parser(), PureParser], ids=["fastest", "pure"])
def parser(request: pytest.FixtureRequest) -> Parser:
    """Both parsers of PyYAML: they have to give the same answers."""
    made: Parser = request.param
    return made


def refusal(read: Callable[[], object]) -> list[str]:
    """The problems that reading raises, one line each."""
    with pytest.raises(SpecError) as caught:
        read()
    return [f"{problem.code} {problem}" for problem in caught.value.problems]


def noted(text: str, parser: Parser) -> list[str]:
    """The problems that reading a YAML text goes on from."""
    return [f"{problem.code} {problem}" for problem in read_yaml(text, None, parser).problems]


# Scalars of YAML 1.2 core


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-5", 1e-5),
        ("1e5", 100000.0),
        ("1E+5", 100000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-.5e1", -5.0),
        ("10.0", 10.0),
        ("+5", 5),
        ("-0", 0),
        ("017", 17),
        ("08", 8),
        ("0x1F", 31),
        ("0o17", 15),
        ("0" * 5000 + "7", 7),
        ("1e-400", 0.0),
        ("9007199254740993", 9007199254740992),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        # text, whatever YAML 1.1 made of it
        ("on", "on"),
        ("yes", "yes"),
        ("1:30", "1:30"),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("-0x1F", "-0x1F"),
        ("1e", "1e"),
        (".", "."),
        ("2001-01-01", "2001-01-01"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("45%", "45%"),
        ("<<", "<<"),
        ('"1"', "1"),
        ("'1e-5'", "1e-5"),
        ("!!str 5", "5"),
        ('!!int "5"', 5),
        ("!!float 5", 5.0),
        ("!!bool 'true'", True),
        ("!!null ''", None),
    ],
)
def test_scalars(text: str, value: Json, parser: Parser) -> None:
    data = read_yaml(f"a: {text}\n", None, parser).data
    assert isinstance(data, dict)
    assert data["a"] == value
    assert type(data["a"]) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        *(".nan", ".NaN", ".NAN", ".inf", "-.inf", "+.INF", "1e400", "-1e309"),
        *("9" * 5000, "0x1" + "0" * 300, "0o1" + "7" * 400, "1" + "0" * 309),
    ],
)
def test_numbers_that_are_not_finite_are_refused(text: str, parser: Parser) -> None:
    (problem,) = read_yaml(f"a: [1, {text}]\n", None, parser).problems
    assert problem.code == "not-finite"
    assert (problem.path, problem.line, problem.column) == ("/a/1", 1, 8)
    assert problem.message.endswith(" is not a finite number in the range of float64")
    assert len(problem.message) < 100


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_the_float64_of_its_text(value: float) -> None:
    for text in (repr(value), f"{value:.17e}"):
        data = read_text(f"a: {text}").data
        assert isinstance(data, dict)
        assert data["a"] == value


# Structure


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a:\tb", {"a": "b"}),
        ("a: 1\t# why", {"a": 1}),
        ("a: x\ty\t\n", {"a": "x\ty"}),
        ("{\n\t'a':\t1\n}", {"a": 1}),
        ("%YAML 1.1\n---\na: on\n...\n", {"a": "on"}),
        ("a: &x {b: 1, c: 2}\nd: {<<: *x, b: 3}", {"a": {"b": 1, "c": 2}, "d": {"b": 3, "c": 2}}),
        ("a: {<<: [{b: 1}, {b: 2, c: 2}]}", {"a": {"b": 1, "c": 2}}),
        ("a: {<<: {<<: {b: 1}, c: 2}}", {"a": {"b": 1, "c": 2}}),
        ("k: &k a\n*k : 1", {"k": "a", "a": 1}),
        ("a: &x 1\nb: &x 2\nc: *x", {"a": 1, "b": 2, "c": 2}),
        ("&k a: 1\nb: *k", {"a": 1, "b": "a"}),
        ('"<<": 1', {"<<": 1}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("a: b\n  c\n \t d\n", {"a": "b c d"}),
        ("a: b\n\n\n  c\n...", {"a": "b\n\nc"}),
        # Line breaks of YAML 1.1 that are none of 1.2, written out, in an escape and beside what
        # stands for them.
        ("a: b\u2028  c # \x85 d: e\nb: 1", {"a": "b\u2028  c", "b": 1}),
        ("# \u2029 a:\n'\x85': |\n  \u2028x\n  y\u2029", {"\x85": "\u2028x\ny\u2029"}),
        (
            'a: "\\L\\P\\N\\uE000\\U000F0000\U000f0001\u2028"',
            {"a": "\u2028\u2029\x85\ue000\U000f0000\U000f0001\u2028"},
        ),
        ("? a\n", {"a": None}),
        ("- !!map {a: !!seq [1]}", [{"a": [1]}]),
    ],
)
def test_structure(text: str, data: Json, parser: Parser) -> None:
    source = read_yaml(text, None, parser)
    assert source.data == data
    assert not source.problems


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a: 1\na: 2", ["duplicate-key 2:1: /a: the key 'a' stands twice, in lines 1 and 2"]),
        (
            "a: {b: 1, b: .nan}",
            [
                "duplicate-key 1:11: /a/b: the key 'b' stands twice in line 1, first in column 5",
                "not-finite 1:14: /a/b: .nan is not a finite number in the range of float64",
            ],
        ),
        (
            "<<: {a: 1}\n<<: {a: 2}",
            ["duplicate-key 2:1: /<<: the key '<<' stands twice, in lines 1 and 2"],
        ),
        ("a: {1: x}", ["key-not-string 1:5: /a: the key 1 is not text; put it in quotes"]),
        # A decimal comma, wherever the text before it is more than a byte a character.
        (
            "é𝄞: {a: 0,1}",
            ["key-not-string 1:11: /é𝄞: the key 1 is not text; a decimal has a point: 0.1"],
        ),
        (
            "\n{a: -12,05, b: 1}",
            ["key-not-string 2:9: the key 05 is not text; a decimal has a point: -12.05"],
        ),
        ("{a: 0, 1}", ["key-not-string 1:8: the key 1 is not text; put it in quotes"]),
        ("{a: x0,1}", ["key-not-string 1:8: the key 1 is not text; put it in quotes"]),
        ("{a: 1.5,1}", ["key-not-string 1:9: the key 1 is not text; put it in quotes"]),
        ("~: x", ["key-not-string 1:1: the key ~ is not text; put it in quotes"]),
        (".inf: x", ["key-not-string 1:1: the key .inf is not text; put it in quotes"]),
        ("? \n: b", ["key-not-string 1:2: a key is missing"]),
        ("a: !x 1", ["unsupported-tag 1:4: /a: the tag !x does not belong here; remove it"]),
        ("a: ! 1", ["unsupported-tag 1:4: /a: the tag ! does not belong here; remove it"]),
        ("!x {}", ["unsupported-tag 1:1: the tag !x does not belong here; remove it"]),
        ("- !!set {}", ["unsupported-tag 1:3: /0: the tag !!set does not belong here; remove it"]),
        ("- !!int x", ["unsupported-tag 1:3: /0: the tag !!int does not belong here; remove it"]),
        ("- !!bool 1", ["unsupported-tag 1:3: /0: the tag !!bool does not belong here; remove it"]),
    ],
)
def test_faults_that_reading_goes_on_from(text: str, problems: list[str], parser: Parser) -> None:
    assert noted(text, parser) == problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty-document 1:1: the document is empty"),
        ("# only this\n", "empty-document 1:1: the document is empty"),
        ("---\n", "empty-document 1:1: the document is empty"),
        ("null", "empty-document 1:1: the document is empty"),
        ("a: 1\n---\nb: 2", "multiple-documents 2:1: a second document starts"),
        ("? [a]\n: b", "key-not-string 1:3: a key is text, found a list"),
        ("x: {? {a: 1} : b}", "key-not-string 1:7: /x: a key is text, found a mapping"),
        ("a: &x [1]\n*x : 1", "key-not-string 2:1: a key is text, and *x is not"),
        ("a: *b", "syntax 1:4: /a: the alias *b has no anchor &b before it"),
        ("a: &x [1, *x]", "cyclic-alias 1:11: /a/1: the alias *x stands inside what it repeats"),
        ("<<: 1", "syntax 1:5: << takes a mapping or a list of mappings"),
        ("a: {<<: [{}, 1]}", "syntax 1:9: /a: << takes a mapping or a list of mappings"),
        ("a: b: c", "syntax 1:5: not YAML: no key can stand here; put text with ': ' in quotes"),
        ("a: - b", "syntax 1:4: not YAML: no list item can stand here; start it on its own line"),
        ("a: 'x", "syntax 1:4: not YAML: the quotes are not closed"),
        ("a: [1, 2", "syntax 1:4: not YAML: a ',' or ']' is missing"),
        ("[a, b:]", "syntax 1:6: not YAML: a ':' needs a space after it"),
        ("a: {b: 1]", "syntax 1:9: not YAML: a ',' or '}' is missing"),
        ("a: [1, *]", "syntax 1:9: not YAML: "),
        (
            "a: 1\n\tb: 2",
            "syntax 2:1: not YAML: a tab stands where only spaces may; indent with spaces",
        ),
        (
            "a:\n\tb: 2",
            "syntax 2:1: not YAML: a tab stands where only spaces may; indent with spaces",
        ),
        ("a: @b", "syntax 1:4: not YAML: nothing can start with '@' here; put text in quotes"),
        ("- a\nb: 1", "syntax 2:1: not YAML: this fits nothing above it; check the indentation"),
        ("a: 1\nb\n", "syntax 2:1: not YAML: the key has no ':' after it"),
        ('a: "\\ud83d"', "syntax 1:"),
    ],
)
def test_faults_that_stop_reading(text: str, problem: str, parser: Parser) -> None:
    (found,) = refusal(lambda: read_yaml(text, None, parser))
    assert found.startswith(problem)


def test_what_was_noted_before_reading_stopped_is_kept() -> None:
    found = refusal(lambda: read_text("a: .nan\nb: 'x"))
    assert [line.split()[0] for line in found] == ["not-finite", "syntax"]


# JSON


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": 1, "b": [1.5, -0, 1E5, true, false, null]}', None),
        ('{\t"a"\n:\r\n1}', None),
        ('{"a" : [1 , 2] , "b": []}', None),
        ('{"a": "\\ud83d\\ude00\\/\\t\\u0041", "": "é\x7f\x85"}', None),
        ("[[[]], {}, []]", None),
        ('"x"', None),
        ("1e-5", None),
        ('{"<<": {"a": 1}}', None),
    ],
)
def test_json(text: str, data: Json) -> None:
    assert read_text(text, "a.json").data == json.loads(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty-document a.json:1:1: the document is empty"),
        (" \n", "empty-document a.json:1:1: the document is empty"),
        ("null", "empty-document a.json:1:1: the document is empty"),
        ("{a: 1}", "syntax a.json:1:2: not JSON: expected a key in double quotes, found 'a'"),
        (
            "{'a': 1}",
            "syntax a.json:1:2: not JSON: expected a key in double quotes, found ''a'';"
            " JSON text stands in double quotes",
        ),
        ('{"a" 1}', "syntax a.json:1:6: not JSON: expected ':' after the key, found '1'"),
        ('{"a": 1,}', "syntax a.json:1:9: not JSON: expected a key in double quotes, found '}'"),
        ("[1,]", "syntax a.json:1:4: not JSON: expected a value, found ']'"),
        ("[1 2]", "syntax a.json:1:4: not JSON: expected ',' or ']', found '2'"),
        ("[1,\n 2", "syntax a.json:2:3: not JSON: expected ',' or ']', found the end"),
        (
            '{"a": .5}',
            "syntax a.json:1:7: not JSON: expected a value, found '.5';"
            " JSON numbers look like -1, 0.5 and 1e-5",
        ),
        ("[01]", "syntax a.json:1:2: not JSON: expected a value, found '01'; JSON numbers"),
        ("[1_0]", "syntax a.json:1:2: not JSON: expected a value, found '1_0'; JSON numbers"),
        ("[tru]", "syntax a.json:1:2: not JSON: expected a value, found 'tru'"),
        (
            '{"a": 1 // why\n}',
            "syntax a.json:1:9: not JSON: expected ',' or '}', found '//'; JSON has no comments",
        ),
        ("{} x", "syntax a.json:1:4: not JSON: expected the end of the document, found 'x'"),
        ('["x', "syntax a.json:1:2: not JSON: the quotes are not closed"),
        (
            '["x\ny"]',
            "syntax a.json:1:4: not JSON: a line break or control character in the text;"
            " write \\\\n",
        ),
        ('["\\q"]', "syntax a.json:1:3: not JSON: an escape that JSON does not know; write \\\\"),
        ('["\\ud83d"]', "syntax a.json:1:2: not JSON: a \\\\u escape that is no character"),
    ],
)
def test_text_that_is_not_json(text: str, problem: str) -> None:
    (found,) = refusal(lambda: read_text(text, "a.json"))
    assert found.replace("\\u", "\\\\u").replace("write \\n", "write \\\\n").startswith(problem)


def test_faults_in_json_that_reading_goes_on_from() -> None:
    source = read_text('{"a": NaN,\n "b": -Infinity, "c": 1e999, "a": 2}', "a.json")
    assert source.data == {"a": None, "b": None, "c": None}
    assert [str(problem) for problem in source.problems] == [
        "a.json:1:7: /a: NaN is not a finite number in the range of float64",
        "a.json:2:7: /b: -Infinity is not a finite number in the range of float64",
        "a.json:2:23: /c: 1e999 is not a finite number in the range of float64",
        "a.json:2:30: /a: the key 'a' stands twice, in lines 1 and 2",
    ]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab\n😀", max_size=3), inner)
    ),
    max_leaves=12,
).filter(lambda value: value is not None)


@given(JSON_VALUES, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_json_is_what_json_says(value: Json, indent: int | str | None, escape: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escape)
    source = read_text(text, "a.json")
    assert source.data == value
    # every mark points at its value
    lines = text.split("\n")
    for path, mark in source.marks.items():
        part: Any = value
        for step in path:
            part = part[step]
        rest = lines[mark.line - 1][mark.column - 1 :]
        assert rest.startswith(
            ("[", "{") if isinstance(part, list | dict) else json.dumps(part, ensure_ascii=escape)
        )


# Files and bytes


def test_a_file_is_yaml_or_json_by_its_suffix(tmp_path: Path) -> None:
    yaml, plain = tmp_path / "a.lrspec.yaml", tmp_path / "a.lrspec.JSON"
    yaml.write_text("a: 1e-5\n")
    plain.write_text("a: 1e-5\n")
    assert read_path(yaml).data == {"a": 1e-5}
    assert read_path(str(yaml)).file == str(yaml)
    assert refusal(lambda: read_path(plain))[0].startswith(f"syntax {plain}:1:1: not JSON")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    assert refusal(lambda: read_path(missing)) == [
        f"unreadable-file {missing}: there is no such file"
    ]
    assert refusal(lambda: read_path(tmp_path)) == [
        f"unreadable-file {tmp_path}: this is a directory, not a file"
    ]
    assert refusal(lambda: read_path("a\0b")) == [
        "unreadable-file a\\x00b: the file cannot be read: embedded null byte"
    ]
    beyond = tmp_path / "a.yaml" / "b.yaml"
    (tmp_path / "a.yaml").write_text("a: 1")
    (found,) = refusal(lambda: read_path(beyond))
    assert found.startswith(f"unreadable-file {beyond}: the file cannot be read: ")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert refusal(lambda: read_path("a.yaml")) == [
        "unreadable-file a.yaml: the file may not be read"
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"a: \xc3\xa9",
        b"\xef\xbb\xbfa: \xc3\xa9",
        "a: é".encode("utf-16"),
        b"\xfe\xff" + "a: é".encode("utf-16-be"),
    ],
)
def test_encodings(data: bytes) -> None:
    assert read_text(data).data == {"a": "é"}


def test_a_byte_order_mark_in_text_is_passed_over() -> None:
    assert read_text("\ufeffa: 1").data == {"a": 1}
    assert read_text("\ufeff{}", "a.json").data == {}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x89PNG\r\n", "not-text 1:1: the file is not text: byte 0x89 is not UTF-8"),
        (b"a: 1\nb: \xff", "not-text 2:4: the file is not text: byte 0xff is not UTF-8"),
        (b"\xff\xfea", "not-text 1:1: the file is not text: byte 0x61 is not UTF-16"),
        (b"a: \x00", "not-text 1:4: the file is not text: it holds the character U+0000"),
        ("a: \x07", "not-text 1:4: the file is not text: it holds the character U+0007"),
        ("a: 1\r\nb: \ud800", "not-text 2:4: the file is not text: it holds the character U+D800"),
        ("a: \x7f", "not-text 1:4: the file is not text: it holds the character U+007F"),
    ],
)
def test_what_is_not_text(data: str | bytes, problem: str) -> None:
    assert refusal(lambda: read_text(data)) == [problem]


def test_syntax_may_be_said() -> None:
    assert refusal(lambda: read_text("a: 1", None, "json"))[0].startswith("syntax 1:1: not JSON")
    assert read_text("a: 1", "a.json", "yaml").data == {"a": 1}


JUST_JSON = [
    r'{"a": "\ud83d\ude00"}',
    '\ufeff \r\n\t{"a": "\x7f"}',
    '{"' + "a" * 2000 + '": 1}',
    '{"a"\n:\n1}',
]


@pytest.mark.parametrize("text", JUST_JSON)
@pytest.mark.parametrize("file", [None, "<stdin>", "a.txt"])
def test_a_text_without_a_suffix_may_be_json(text: str, file: str | None) -> None:
    assert read_text(text, file).data == json.loads(text.removeprefix("\ufeff"))
    with pytest.raises(SpecError, match=r"not YAML|U\+007F"):
        read_text(text, "a.yml")


@pytest.mark.parametrize(
    "text", ["{a: 017}", '{"a": 017, }', "{'a': 17} # seventeen", '{"a": +17}']
)
def test_what_is_not_json_is_read_as_yaml(text: str) -> None:
    assert read_text(text).data == {"a": 17}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1', "syntax 1:1: not YAML: a ',' or '}' is missing"),
        ("{\x00", "not-text 1:2: "),
        ('{"a": ' * 70, "too-deep 1:385: "),
        ('{"a": NaN, "a": 1}', "not-finite 1:7: "),
    ],
)
def test_faults_of_what_may_be_json(text: str, problem: str) -> None:
    try:
        found = [f"{problem.code} {problem}" for problem in read_text(text).problems]
    except SpecError as error:
        found = [f"{problem.code} {problem}" for problem in error.problems]
    assert found[0].startswith(problem)


# Limits: each refused with its code, and quickly


def bomb() -> str:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    return "\n".join(lines)


def merge_bomb() -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{i}: &a{i} {{b: *a{i - 1}, c: *a{i - 1}}}" for i in range(1, 30)]
    return "\n".join(lines)


def ladder() -> str:
    lines = ["a0: &a0 [1]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 3000)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.yaml", "[" * 200_000, "too-deep"),
        ("a.yaml", "[\n" * 200_000, "too-deep"),
        ("a.yaml", "{a: " * 200_000, "too-deep"),
        ("a.yaml", "- " * 200_000, "too-deep"),
        ("a.yaml", "a: " + "[" * 62 + "{}" + "]" * 62, None),
        ("a.yaml", "a: " + "[" * 64 + "]" * 64, "too-deep"),
        ("a.yaml", ladder(), "too-deep"),
        ("a.yaml", bomb(), "too-many-nodes"),
        ("a.yaml", merge_bomb(), "too-many-mappings"),
        ("a.yaml", "[" + "{}," * 20_000 + "]", None),
        ("a.yaml", "[" + "{}," * 20_001 + "]", "too-many-mappings"),
        ("a.yaml", "[" + "{}," * 2_000_000 + "]", "too-many-mappings"),
        ("a.yaml", "x" * (limits.BYTES + 1), "too-large"),
        ("a.yaml", "é" * (limits.BYTES // 2 + 1), "too-large"),
        ("a.yaml", " " * limits.BYTES, "empty-document"),
        ("a.yaml", '"' + "x" * limits.BYTES, "too-large"),
        ("a.yaml", "a: 1\n" * 1_000_000, "duplicate-key"),
        ("a.yaml", "- .nan\n" * 1_000_000, "not-finite"),
        ("a.json", "[" * 200_000, "too-deep"),
        ("a.json", '{"a":' * 200_000, "too-deep"),
        ("a.json", "[" + "{}," * 20_000 + "{}]", "too-many-mappings"),
        ("a.json", "\n" * limits.BYTES, "empty-document"),
        ("a.json", '"' + "\\n" * (limits.BYTES // 2 - 1) + '"', None),
    ],
)
def test_limits(name: str, text: str, code: str | None) -> None:
    started = time.process_time()
    if code is None:
        read_text(text, name)
    else:
        assert refusal(lambda: read_text(text, name))[0].split()[0] == code
    assert time.process_time() - started < 5


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_nodes_are_counted_exactly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # the list, the mapping in it, its key and its value are four
    text = '[{"a": 1}, ' + "1, " * 94 + "1]"
    monkeypatch.setattr(limits, "NODES", 99)
    assert read_text(text, name).data == [{"a": 1}, *[1] * 95]
    monkeypatch.setattr(limits, "NODES", 98)
    (found,) = refusal(lambda: read_text(text, name))
    assert found.endswith(": the document has more than 98 nodes, aliases written out")
    # the one too many is a key
    monkeypatch.setattr(limits, "NODES", 2)
    (found,) = refusal(lambda: read_text(text, name))
    assert found.startswith(f"too-many-nodes {name}:1:3: ")


@pytest.mark.parametrize("text", ["[" * 200_000, "[\n" * 50_000, "{a: " * 50_000, bomb(), ladder()])
def test_limits_without_libyaml(text: str) -> None:
    started = time.process_time()
    assert refusal(lambda: read_yaml(text, None, PureParser))[0].startswith("too-")
    assert time.process_time() - started < 10


def test_a_large_file_is_not_read_whole(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_bytes(b"x" * 11_000_000)
    assert refusal(lambda: read_path(large)) == [
        f"too-large {large}: the document is larger than 8 MiB"
    ]


def test_no_more_than_a_thousand_faults_are_looked_for() -> None:
    assert len(refusal(lambda: read_text("- .nan\n" * 5000))) == limits.PROBLEMS
    assert len(refusal(lambda: read_mapping({"a": [math.nan] * 5000}))) == limits.PROBLEMS


# Mappings of a host


class Unit(str, enum.Enum):  # noqa: UP042  # StrEnum prints as its text
    """A text that prints as something else."""

    STEPS = "steps"


class Whole:
    """What array libraries give for a whole number."""

    def __index__(self) -> int:
        return 7


class Single:
    """What array libraries give for a number in single precision."""

    def tolist(self) -> float:
        return 0.5


class Double(float):
    """What array libraries give for a number in double precision."""


def test_a_mapping_is_copied_to_plain_data() -> None:
    given_: dict[str, Any] = {
        "a": [1, 0.5, "x", True, None],
        "b": (1, range(2)),
        "c": MappingProxyType({"d": Whole()}),
        "e": Double(0.25),
        "f": Unit.STEPS,
        "g": 2**53 + 1,
    }
    source = read_mapping(given_)
    assert source.data == {
        "a": [1, 0.5, "x", True, None],
        "b": [1, [0, 1]],
        "c": {"d": 7},
        "e": 0.25,
        "f": "steps",
        "g": 2**53,
    }
    assert not source.problems
    data: Any = source.data
    assert [type(data[key]) for key in "ef"] == [float, str]
    data["a"].append(2)
    assert len(given_["a"]) == 5


def test_what_a_mapping_may_not_hold() -> None:
    given_: dict[Any, Any] = {
        "a": math.nan,
        "b": [-math.inf, 10**400, -(10**400)],
        "c": decimal.Decimal(1),
        "d": b"x",
        "e": {"f": {1, 2}},
        "g": Single(),
        3: 4,
    }
    source = read_mapping(given_)
    kinds = "expected text, a number, true, false, None, a list or a mapping, found"
    assert [str(problem) for problem in source.problems] == [
        "/a: nan is not a finite number in the range of float64",
        "/b/0: -inf is not a finite number in the range of float64",
        "/b/1: inf is not a finite number in the range of float64",
        "/b/2: -inf is not a finite number in the range of float64",
        f"/c: {kinds} decimal.Decimal; convert it with float(…)",
        f"/d: {kinds} bytes",
        f"/e/f: {kinds} set",
        f"/g: {kinds} {__name__}.Single; convert it with its tolist()",
        "a key is text, found int",
    ]


def cyclic() -> dict[str, Any]:
    inner: list[Any] = []
    inner.append({"b": inner})
    return {"a": inner}


def deep(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for _ in range(levels - 1):
        made = {"a": made}
    return made


def wide() -> dict[str, Any]:
    shared: list[Any] = [1] * 1000
    for _ in range(2):
        shared = [shared] * 1000
    return {"a": shared}


@pytest.mark.parametrize(
    ("mapping", "problem"),
    [
        (cyclic(), "cyclic-alias /a/0/b: this contains itself"),
        (
            {"a": ["\udfff"]},
            "not-text /a/0: the text holds half of a character, which no file can hold",
        ),
        ({"b\ud83d": 1}, "not-text the text holds half of a character, which no file can hold"),
        (deep(65), "too-deep lists and mappings are nested deeper than 64"),
        (wide(), "too-many-nodes the document has more than 1,000,000 nodes"),
        ({"a": [{}] * 20_000}, "too-many-mappings the document has more than 20,000 mappings"),
        ({"a": ["x" * 1000] * 9000}, "too-large the document is larger than 8 MiB"),
    ],
)
def test_limits_of_a_mapping(mapping: dict[str, Any], problem: str) -> None:
    assert refusal(lambda: read_mapping(mapping)) == [problem]


def test_the_deepest_mapping() -> None:
    assert read_mapping(deep(64)).data == deep(64)


def test_a_document_is_a_mapping() -> None:
    with pytest.raises(TypeError, match=r"^a document is a mapping, not list$"):
        read_mapping([1])  # type: ignore[arg-type]


# Both parsers


PIECES = "a|b: |c:| |\t|\n|\n  |\n- |: |[|]|{|}|,|\"x\"|'y'| # c|&a |*a|<<: |1|1e-5|😀|---\n|...\n"


@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=12).map("".join))
def test_both_parsers_agree(text: str) -> None:
    answers: list[object] = []
    for parser in (_fastest_parser(), PureParser):
        try:
            source = read_yaml(text, None, parser)
        except SpecError:
            answers.append("refused")
        else:
            answers.append((source.data, [problem.code for problem in source.problems]))
    assert answers[0] == answers[1]


def test_without_libyaml_the_pure_parser_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml.cyaml", None)
    assert _fastest_parser() is PureParser


def test_without_libyaml_documents_are_read() -> None:
    script = """
    import sys
    sys.modules["yaml._yaml"] = sys.modules["_yaml"] = None
    from lrspec.yaml_pure import PureParser
    from lrspec.yaml_reader import _fastest_parser, read_yaml
    assert _fastest_parser() is PureParser
    assert read_yaml("a: 1e-5", None).data == {"a": 1e-5}
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
