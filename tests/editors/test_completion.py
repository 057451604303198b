"""What editors offer: kinds with their bodies, fields, root keys, words; and what comes of it."""

from __future__ import annotations

import re

import pytest
from lsprotocol import types as lsp
from tests.editors.marked import cursor
from tests.editors.mistakes import KINDS
from tests.editors.session import Session

import lrspec_spec

DEFINITIONS = lrspec_spec.schema()["definitions"]
ALL_KINDS = KINDS.split(", ")
ROOT = [
    "lrspec",
    "$schema",
    "name",
    "description",
    "base",
    "axis",
    "sample",
    "rounding",
    "training",
    "schedule",
    "schedules",
]

# What stands before the cursor where a schedule can begin: on an empty line, and on "- ".
EMPTY_LINES = {
    "schedule": "schedule:\n  ‸",
    "letters": "schedule:\n  co‸",
    "below a dash": "schedule:\n  -\n    ‸",
    "schedules": "schedules:\n  lr:\n    ‸",
    "repeat": "schedule:\n  repeat:\n    period: 10\n    schedule:\n      ‸",
    "three levels": """\
schedule:
  - clamp:
      minimum: 0
      schedule:
        product:
          of:
            - quantize:
                every: 1
                schedule:
                  ‸""",
}
DASHES = {
    "list": "schedule:\n  - ‸",
    "letters": "schedule:\n  - co‸",
    "second": "schedule:\n  - constant:\n  - ‸",
    "list in a list": "schedule:\n  - - ‸",
    "of": "schedule:\n  product:\n    of:\n      - ‸",
    "second in of": "schedule:\n  sum:\n    of:\n      - constant:\n      - ‸",
    "list in of": "schedule:\n  sum:\n    of:\n      - - ‸",
    "in a list": "schedule:\n  - sum:\n      of:\n        - ‸",
    "repeat": "schedule:\n  repeat:\n    period: 10\n    schedule:\n      - ‸",
}


def offered(server: Session, marked: str) -> dict[str, str]:
    """The labels of what is offered, with what accepting them inserts."""
    text, place = cursor(marked)
    items = server.completions(text, place)
    return {item.label: inserted(item) for item in items}


def inserted(item: lsp.CompletionItem) -> str:
    if item.text_edit is not None:
        return item.text_edit.new_text
    return item.insert_text or item.label


def in_document(marked: str) -> str:
    return f"lrspec: 1\n{marked}\n"


def body(kind: str) -> list[str]:
    """The fields that a body of this kind cannot be without."""
    return list(DEFINITIONS[kind].get("required", []))


@pytest.mark.parametrize("marked", EMPTY_LINES.values(), ids=EMPTY_LINES)
def test_kinds_on_an_empty_line(yaml_server: Session, marked: str) -> None:
    assert list(offered(yaml_server, in_document(marked))) == ALL_KINDS


@pytest.mark.parametrize("marked", DASHES.values(), ids=DASHES)
def test_kinds_after_a_dash(yaml_server: Session, marked: str) -> None:
    assert list(offered(yaml_server, in_document(marked))) == ALL_KINDS


def test_kinds_right_after_a_dash(yaml_server: Session) -> None:
    """This is where the cursor is after `product` was accepted."""
    found = offered(yaml_server, in_document("schedule:\n  product:\n    of:\n      -‸"))

    assert list(found) == ALL_KINDS
    assert found["linear"] == " linear:\n    final: "


# What a person writes where an accepted completion left a blank: for each field, and for the rest.
FILLED = {
    "final": "0.5",
    "power": "2",
    "rate": "0.5",
    "every": "10",
    "timescale": "10",
    "exponent": "1",
    "amplitude": "1",
}


def filled(snippet: str, indentation: int) -> str:
    """What stands in the editor when a snippet was accepted and its blanks are filled.

    An editor indents each line of a snippet as the line in which it was accepted.
    """
    lines: list[str] = []
    for line in re.sub(r"\$\{?\d+(?::(\w*))?\}?", r"\1", snippet).split("\n"):
        field = line.strip().removesuffix(":")
        if field in FILLED:
            line = f"{line.rstrip()} {FILLED[field]}"
        elif line.strip() == "" and lines[-1].strip() == "schedule:":
            line += "constant: {value: 1}"
        elif line.strip() == "-":
            above = lines[-1].strip()
            line = f"{line.rstrip()} {'0' if above == 'boundaries:' else 'constant: {value: 1}'}"
        lines.append(line)
    return ("\n" + " " * indentation).join(lines)


# What no completion asks for, although it cannot be left out.
MISSING = {"repeat": "  period: 10", "clamp": "  minimum: 0"}


@pytest.mark.parametrize("indented", [False, True], ids=["empty line", "dash"])
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_an_accepted_kind_has_its_whole_body(
    yaml_server: Session, kind: str, indented: bool
) -> None:
    start = "lrspec: 1\ntraining: {steps: 100}\nbase: 1\nschedule:\n  "
    start += "- " if indented else ""
    snippet = offered(yaml_server, f"{start}‸\n")[kind]
    fields = re.findall(r"^(?:  )+(\w+):", snippet, re.MULTILINE)
    text = start + filled(snippet, indentation=2)

    assert fields == body(kind)
    if kind in MISSING:
        text += "\n  " + ("  " if indented else "") + MISSING[kind]
    if kind == "piecewise_constant":
        # One value more than boundaries; the completion has one of each.
        text += f"\n{text.rpartition(chr(10))[2]}"
    assert yaml_server.problems(text + "\n") == []


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("start", ["schedule:\n  ", "schedule:\n  product:\n    of:\n      - - "])
def test_fields_of_a_kind(yaml_server: Session, kind: str, start: str) -> None:
    margin = " " * len(start.rpartition("\n")[2])
    found = set(offered(yaml_server, in_document(f"{start}{kind}:\n{margin}  ‸")))
    fields = set(DEFINITIONS[kind]["properties"])

    # The whole of the required ones is offered too, under the title of the body.
    assert found == fields | ({DEFINITIONS[kind]["title"]} if body(kind) else set())


def test_a_field_is_offered_once(yaml_server: Session) -> None:
    marked = in_document("schedule:\n  - cosine:\n      final: 0\n      length: 5\n      ‸")

    assert list(offered(yaml_server, marked)) == ["initial", "exponent", "after", "until"]


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("schedule:\n  cosine:\n    after: ‸", ["hold", "extend"]),
        ("schedule:\n  exponential:\n    staircase: ‸", ["true", "false"]),
        ("schedule:\n  cosine:\n    length: ‸", ["20%", "2000", "3 epochs"]),
        ("axis: ‸", ["steps", "samples", "tokens"]),
        ("training:\n  ‸", ["steps", "batch_size", "sequence_length", "steps_per_epoch"]),
        ("training:\n  batch_size:\n    - ‸", ["start", "{start, value}", "value"]),
        ("schedules:\n  ‸", ["lr", "weight_decay", "momentum", "name"]),
    ],
)
def test_words_and_names(yaml_server: Session, marked: str, found: list[str]) -> None:
    assert list(offered(yaml_server, in_document(marked))) == found


def test_root_keys(yaml_server: Session) -> None:
    first = offered(yaml_server, "‸")
    second = offered(yaml_server, "lrspec: 1\n‸")

    # The whole of the required ones is offered too, under the title of the schema.
    assert list(first) == ["lrspec", "lrspec document", *ROOT[1:]]
    assert first["lrspec"] == "lrspec: 1"
    assert list(second) == ROOT[1:]
    assert second["schedule"] == "schedule:\n  "
    assert offered(yaml_server, "lrspec: ‸") == {"1": "1"}


@pytest.mark.parametrize("start", ["schedule:\n  ", "schedule:\n  product:\n    of:\n      "])
def test_a_further_item_on_an_empty_line(yaml_server: Session, start: str) -> None:
    """An item has no name of its own; after it was accepted, kinds are offered."""
    margin = start.rpartition("\n")[2]
    found = offered(yaml_server, in_document(f"{start}- cosine: {{final: 0}}\n{margin}‸"))

    assert found == {"- (array item) schedule: kind | [stage, …]": "- $1\n"}


class TestWhatTheServersLeaveOut:
    """Places where yaml-language-server offers nothing, whatever a schema says. Each is one more
    key press for a person, and would be welcome: a test that fails here is good news."""

    def test_on_the_line_of_the_key(self, yaml_server: Session) -> None:
        assert offered(yaml_server, in_document("schedule: ‸")) == {}

    @pytest.mark.parametrize("marked", ["schedule: {‸}", "schedule:\n  cosine: {‸}"])
    def test_in_braces(self, yaml_server: Session, marked: str) -> None:
        assert offered(yaml_server, in_document(marked)) == {}

    def test_below_of_before_the_first_dash(self, yaml_server: Session) -> None:
        marked = in_document("schedule:\n  product:\n    of:\n      ‸")

        assert offered(yaml_server, marked) == {}

    def test_below_a_constant_without_fields(self, yaml_server: Session) -> None:
        """The line could be its null."""
        marked = in_document("schedule:\n  - constant:\n  ‸")

        assert offered(yaml_server, marked) == {"null": "null"}


class TestJson:
    """JSON has braces, in which kinds and fields are offered; a body is inserted empty."""

    @pytest.mark.parametrize(
        "marked",
        [
            '{"schedule": {‸}}',
            '{"schedule": [{‸}]}',
            '{"schedule": [{"constant": {}}, {‸}]}',
            '{"schedule": {"product": {"of": [{‸}]}}}',
            '{"schedule": [{"clamp": {"schedule": {"sum": {"of": [[{‸}]]}}}}]}',
            '{"schedules": {"lr": {‸}}}',
        ],
    )
    def test_kinds(self, json_server: Session, marked: str) -> None:
        text, place = cursor(marked)
        found = json_server.completions(text, place)

        assert [item.label for item in found] == ALL_KINDS
        assert [inserted(item) for item in found] == [f'"{kind}": {{$1}}' for kind in ALL_KINDS]
        for item in found:
            assert isinstance(item.documentation, lsp.MarkupContent)
            assert item.documentation.value == DEFINITIONS[item.label]["markdownDescription"]

    @pytest.mark.parametrize("kind", ALL_KINDS)
    def test_fields_of_a_kind(self, json_server: Session, kind: str) -> None:
        marked = f'{{"schedule": {{"product": {{"of": [[{{"{kind}": {{‸}}}}]]}}}}}}'

        assert list(offered(json_server, marked)) == list(DEFINITIONS[kind]["properties"])

    def test_root_keys(self, json_server: Session) -> None:
        assert list(offered(json_server, "{‸}")) == ROOT
        assert list(offered(json_server, '{"lrspec": 1, ‸}')) == ROOT[1:]

    @pytest.mark.parametrize("marked", ['{"schedule": ‸}', '{"schedule": [‸]}'])
    def test_only_brackets_where_a_value_begins(self, json_server: Session, marked: str) -> None:
        """The kinds follow inside of the braces."""
        assert list(offered(json_server, marked)) == ["{}", "[]"]
