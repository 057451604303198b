"""`lrspec lsp` over its protocol: the problems of `lrspec check`, hovers, quick fixes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from lsprotocol import types
from tests.lsp.client import Client, with_client

from lrspec.checking import problems_of
from lrspec.loading import loads
from lrspec.lsp import server

GOOD = """\
lrspec: 1
base: 0.0003
training: {steps: 100000}
schedule:
  - linear: {initial: 0.1, final: 1, length: 2000}
  - constant:
  - cosine: {final: 0.1, length: 20%}
"""
WRONG = """\
lrspec: 1
# é𝄞 before the place
training: {steps: 100}
schedule:
  - linear: {initial: "0.1", final: 1, length: 0.1}
  - constnt:
  - cosine: {"𝄞": 1, finl: 0.1, length: 20%}
"""


def told(diagnostic: types.Diagnostic) -> tuple[int, int, int, str | int | None]:
    """Line, columns and code."""
    where = diagnostic.range
    return where.start.line, where.start.character, where.end.character, diagnostic.code


def test_the_problems_are_those_of_check() -> None:
    async def use(client: Client) -> list[types.Diagnostic]:
        return await client.open(WRONG)

    # Editors that speak over standard input and output say so.
    found = with_client(use, "a.lrspec.yaml", "--stdio")
    problems = problems_of(lambda: loads(WRONG, file="a.lrspec.yaml"))

    assert [d.code for d in found] == [problem.code for problem in problems]
    assert [d.message for d in found] == [
        problem.message + (f"; {problem.hint}" if problem.hint else "") for problem in problems
    ]
    # Columns are those of the client, in units of UTF-16.
    assert [told(d) for d in found] == [
        (4, 22, 27, "wrong-type"),
        (4, 47, 50, "bad-position"),
        (5, 4, 11, "unknown-kind"),
        (6, 13, 17, "unknown-field"),
        (6, 22, 26, "unknown-field"),
    ]
    assert {d.severity for d in found} == {types.DiagnosticSeverity.Error}
    assert {d.source for d in found} == {"lrspec"}


def test_what_no_schema_says_and_what_may_not_be_meant() -> None:
    nothing_left = GOOD.replace("steps: 100000", "steps: 1000")
    jump = GOOD.replace("- constant:", "- constant: {value: 2}")

    async def use(client: Client) -> list[list[types.Diagnostic]]:
        return [
            await client.open(GOOD),
            await client.change(nothing_left),
            await client.change(jump),
            await client.change(GOOD),
            await client.close(),
        ]

    good, wrong, warned, mended, closed = with_client(use)

    assert [told(d) for d in wrong] == [(5, 4, 12, "nothing-left")]
    assert [told(d) for d in warned] == [(5, 22, 23, "jump")]
    assert warned[0].severity == types.DiagnosticSeverity.Warning
    assert good == mended == closed == []


def test_a_text_that_is_no_document() -> None:
    async def use(client: Client) -> list[list[types.Diagnostic]]:
        return [
            await client.open(""),
            await client.change("lrspec: [\n"),
            await client.change("\n"),
        ]

    empty, broken, blank = with_client(use)

    assert [told(d) for d in empty] == [(0, 0, 0, "empty-document")]
    assert [d.code for d in broken] == ["syntax"]
    assert [d.code for d in blank] == ["empty-document"]


def test_other_files_are_left_alone() -> None:
    async def use(client: Client) -> list[list[types.Diagnostic]]:
        return [
            await client.open("services: {web: {image: a}}\n"),
            await client.change("lrspec: 1\nschedle: []\n"),
            await client.change('{"lrspec": 1}'),
        ]

    other, ours, as_json = with_client(use, "compose.yaml")

    assert other == []
    assert {d.code for d in ours} == {"unknown-field"}
    assert {d.code for d in as_json} == {"missing-field"}


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [
        ('{"lrspec": 1}', True),
        ("# a comment {\n---\n{a: [{b: 1}], 'it''s': '}', lrspec : 1}", True),
        ('{"a": "}\\"lrspec\\": {", "b": {}, "lrspec"\n: 1', True),
        ("{a: 1, # lrspec: 1, }\n  'lrspec': 1}", True),
        ("'lrspec': 1\nschedule: {constant: }", True),
        ('{"model": {}, "optim": {"schedule": {"lrspec": 1, "schedule": {}}}}', False),
        ('{"dependencies": {\n"lrspec": "^1"}}', False),
        ('{"needs": ["lrspec"], "a": "lrspec: 1"}', False),
        ("{name: lrspec, a: {lrspec: 1}}", False),
        ("{a: 1, # lrspec: 1, }\n  b: 1}", False),
        ('env: {"lrspec": ">=1"}\n', False),
        ("needs:\n  lrspec: 1\n", False),
        ("[lrspec]", False),
        ("", False),
    ],
)
def test_whose_key_it_is(text: str, is_ours: bool) -> None:
    assert server.is_ours(text, "train.json") is is_ours
    assert server.is_ours(text, "a.lrspec.json")


def shown(hover: types.Hover | None) -> list[str]:
    """The paragraphs of a hover."""
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.Markdown
    return hover.contents.value.split("\n\n")


def test_a_hover_says_what_a_place_comes_to() -> None:
    async def use(client: Client) -> list[types.Hover | None]:
        await client.open(GOOD)
        places = [(6, 34), (6, 21), (4, 23), (6, 5), (1, 8), (2, 22), (0, 2)]
        return [await client.hover(*place) for place in places]

    length, final, initial, kind, base, steps, version = with_client(use)

    stage = "**cosine**, stage 3 of 3: from step 80000 to 100000, from 0.0003 to 3e-05"
    picture = (
        "```text\n"
        "▂████████████████████████████████▇▆▅▄▃▂▂\n"
        "                                ‾‾‾‾‾‾‾‾\n"
        "step 0 to 100000, at most 0.0003\n"
        "```"
    )
    assert shown(length)[:2] == [stage, "`length`: 20000 steps, to step 100000"]
    assert shown(length)[2] == picture
    assert shown(final)[1] == "`final`: 3e-05, towards step 100000"
    assert shown(initial)[1] == "`initial`: 3e-05, at step 0"
    assert shown(kind)[0] == stage
    assert len(shown(kind)) == 2
    run = "**lr** over a run of 100000 steps, in rates, 1 stands for 0.0003"
    assert shown(base)[0] == shown(steps)[0] == run
    assert version is None
    assert length is not None
    assert length.range == types.Range(types.Position(6, 33), types.Position(6, 36))


def test_no_hover_where_a_document_is_wrong() -> None:
    async def use(client: Client) -> list[types.Hover | None]:
        await client.open(WRONG)
        return [await client.hover(4, 20), await client.hover(6, 0)]

    assert with_client(use) == [None, None]


def edited(action: types.CodeAction) -> tuple[str, int, int, str]:
    """The title of an action, and the one edit that it makes."""
    assert action.edit is not None
    assert action.edit.changes is not None
    ((edit,),) = action.edit.changes.values()
    return action.title, edit.range.start.line, edit.range.start.character, edit.new_text


def test_quick_fixes() -> None:
    async def use(client: Client) -> list[list[types.CodeAction]]:
        await client.open(WRONG)
        return [
            await client.actions(*place) for place in [(4, 23), (4, 48), (5, 5), (6, 23), (0, 0)]
        ]

    quoted, fraction, kind, field, none = with_client(use)

    assert [edited(action) for action in quoted] == [("Remove the quotes", 4, 22, "0.1")]
    assert [edited(action) for action in fraction] == [("Change to 10%", 4, 47, "10%")]
    assert [edited(action) for action in kind] == [("Change to constant", 5, 4, "constant")]
    assert [edited(action) for action in field] == [("Change to final", 6, 22, "final")]
    assert none == []
    assert field[0].kind == types.CodeActionKind.QuickFix
    assert field[0].diagnostics is not None
    assert [d.code for d in field[0].diagnostics] == ["unknown-field"]


def test_a_warning_can_be_allowed() -> None:
    jump = GOOD.replace("- constant:", "- constant: {value: 2}")

    async def use(client: Client) -> list[list[types.CodeAction]]:
        await client.open(jump)
        first = await client.actions(5, 22)
        await client.change(f"x-allow: [late-rise]\n{jump}")
        return [first, await client.actions(6, 22)]

    first, second = with_client(use)

    assert [edited(a) for a in first] == [("Allow jump in this file", 1, 0, "x-allow: [jump]\n")]
    assert [edited(a) for a in second] == [("Allow jump in this file", 0, 19, ", jump")]


def test_json() -> None:
    text = '{"lrspec": 1, "schedule": {"linear": {"initial": 0, "finl": 1, "length": 10}}}'

    async def use(client: Client) -> tuple[list[types.Diagnostic], list[types.CodeAction]]:
        found = await client.open(text)
        return found, await client.actions(0, 53)

    found, actions = with_client(use, "a.lrspec.json")

    assert [told(d) for d in found] == [(0, 52, 58, "unknown-field")]
    assert [edited(action) for action in actions] == [("Change to final", 0, 52, '"final"')]


def at(line: int, start: int, stop: int) -> types.Range:
    """A part of a line."""
    return types.Range(types.Position(line, start), types.Position(line, stop))


def test_quick_partial_changes_are_one() -> None:
    text = GOOD.replace("\n", "  # 𝄞é\r\n")
    # One letter after the other: 'cosine' becomes 'cos'.
    typed = [(at(6, 9 - i, 10 - i), "") for i in range(3)]

    async def use(client: Client) -> list[list[types.Diagnostic]]:
        good = await client.open(text)
        broken = await client.edit(*typed)
        behind = [await client.edit((at(6, 0, 0), '# "𝄞'), (at(6, 2, 5), ""))]
        return [good, broken, *behind, await client.edit((at(6, 0, 2), ""), (at(6, 7, 7), "ine"))]

    good, broken, comment, mended = with_client(use)

    assert good == comment == mended == []
    assert [told(d) for d in broken] == [(6, 4, 7, "unknown-kind")]


def test_what_is_closed_is_told_nothing_more() -> None:
    async def use(client: Client) -> list[list[types.Diagnostic]]:
        wrong = await client.open(WRONG)
        edit = types.TextDocumentContentChangeWholeDocument(WRONG)
        version = types.VersionedTextDocumentIdentifier(2, client.uri)
        client.client.text_document_did_change(types.DidChangeTextDocumentParams(version, [edit]))
        return [wrong, await client.close(), await client.open(GOOD)]

    wrong, closed, good = with_client(use)

    assert len(wrong) == 5
    assert closed == good == []


def test_what_is_not_open_is_not_known() -> None:
    async def use(client: Client) -> list[object]:
        before = [await client.hover(0, 0), await client.actions(0, 0)]
        await client.open(WRONG)
        await client.close()
        return [*before, await client.hover(0, 0), await client.actions(0, 0)]

    assert with_client(use) == [None, [], None, []]


def test_a_line_ends_where_editors_end_it() -> None:
    async def use(client: Client) -> list[types.Diagnostic]:
        return await client.open("lrspec: 1\r\n# \u2028\x85\rschedul: {constant: }\n")

    (unknown,) = with_client(use)

    assert unknown.code == "unknown-field"
    assert unknown.range == types.Range(types.Position(2, 0), types.Position(2, 7))


def test_a_session_ends_without_a_fault() -> None:
    def frame(message: dict[str, object]) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    start: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
    spoken = frame({"id": 1, "method": "initialize", "params": start})
    spoken += frame({"id": 2, "method": "shutdown"}) + frame({"method": "exit"})
    done = subprocess.run(
        [sys.executable, "-m", "lrspec", "lsp"], input=spoken, capture_output=True, check=False
    )

    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
