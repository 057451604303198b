"""The language server: problems as they are typed, hovers, and quick fixes."""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache
from importlib.metadata import version
from pathlib import PurePosixPath
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from lrspec.checking import problems_of
from lrspec.document import Document
from lrspec.loading import loads
from lrspec.lsp.diagnostics import allowing, diagnostic, fix
from lrspec.lsp.hovers import hover, path_at
from lrspec.lsp.tokens import lines_of
from lrspec.problems import Problem, SpecError

# The key that every document has, at the start of a line of YAML.
_OURS = re.compile(r"^([\"']?)lrspec\1\s*:", re.MULTILINE)
# What stands before a document in brackets, and in them what opens, closes or may be that key.
_BEFORE = re.compile(r"(?:\s|#.*|---|\ufeff)*\{")
_IN_BRACKETS = re.compile(
    r"[\[{]|[\]}]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*'|(?<!\S)#.*|\blrspec(?=\s*:)"
)
# In seconds: less than anybody waits for, more than is between two keys.
_PAUSE = 0.1


def server() -> LanguageServer:
    """A server of its own; `start_io()` runs it on standard input and output."""
    made = LanguageServer("lrspec", version("lrspec"))

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        _publish(made, params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        # Of changes that follow each other quickly only the last one counts.
        await asyncio.sleep(_PAUSE)
        document = made.workspace.text_documents.get(params.text_document.uri)
        if document is not None and document.version == params.text_document.version:
            _publish(made, params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        made.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, [])
        )

    @made.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        text = _text(made, params.text_document.uri)
        document = None if text is None else _document(text, params.text_document.uri)
        if text is None or document is None:
            return None
        lines = lines_of(text)
        place = made.workspace.position_codec.position_from_client_units(lines, params.position)
        found = path_at(document.source, lines, place.line, place.character)
        said = None if found is None else hover(document, found[0])
        if found is None or said is None:
            return None
        token = found[1]
        start, stop = (types.Position(token.line, at) for at in (token.start, token.stop))
        where = _to_client(made, lines, types.Range(start, stop))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said), where)

    @made.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def acted(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        lines = lines_of(_text(made, uri) or "")
        actions: list[types.CodeAction] = []
        for problem in _problems(made, uri):
            shown = _diagnostic(made, problem, lines)
            if not _touch(shown.range, params.range):
                continue
            offers = [fix(problem, lines)]
            offers += [] if _name(uri).endswith(".json") else [allowing(problem, lines)]
            for offer in filter(None, offers):
                title, edit = offer
                edit.range = _to_client(made, lines, edit.range)
                actions.append(
                    types.CodeAction(
                        title,
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[shown],
                        edit=types.WorkspaceEdit(changes={uri: [edit]}),
                    )
                )
        return actions

    return made


def _publish(made: LanguageServer, uri: str) -> None:
    document = made.workspace.get_text_document(uri)
    lines = lines_of(document.source)
    found = [_diagnostic(made, problem, lines) for problem in _problems(made, uri)]
    made.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri, found, document.version)
    )


def _problems(made: LanguageServer, uri: str) -> tuple[Problem, ...]:
    text, name = _text(made, uri), _name(uri)
    return _problems_of(text, name) if text is not None and is_ours(text, name) else ()


@lru_cache(maxsize=4)
def _problems_of(text: str, name: str) -> tuple[Problem, ...]:
    return problems_of(lambda: _read(text, name))


def _document(text: str, uri: str) -> Document | None:
    try:
        return _read(text, _name(uri))
    except SpecError:
        return None


@lru_cache(maxsize=4)
def _read(text: str, name: str) -> Document:
    return loads(text, file=name)


def _text(made: LanguageServer, uri: str) -> str | None:
    """The text of a file that is open; None of others, which may not even be on a disk."""
    document = made.workspace.text_documents.get(uri)
    return None if document is None else document.source


def is_ours(text: str, name: str) -> bool:
    """Whether a file is a schedule by its name, or looks like one: editors give a server every file
    of its languages."""
    if ".lrspec." in name:
        return True
    opened = _BEFORE.match(text)
    if opened is None:
        return _OURS.search(text) is not None
    depth = 1
    for found in _IN_BRACKETS.finditer(text, opened.end()):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        is_key = found[0].strip("\"'") == "lrspec" and text[found.end() :].lstrip()[:1] == ":"
        if depth == 1 and is_key:
            return True
    return False


def _name(uri: str) -> str:
    """The name of a file, which says whether it is YAML or JSON."""
    return PurePosixPath(unquote(urlparse(uri).path)).name


def _diagnostic(made: LanguageServer, problem: Problem, lines: list[str]) -> types.Diagnostic:
    found = diagnostic(problem, lines)
    found.range = _to_client(made, lines, found.range)
    return found


def _to_client(made: LanguageServer, lines: list[str], where: types.Range) -> types.Range:
    """Places in the units of the client, which mostly are of UTF-16."""
    return made.workspace.position_codec.range_to_client_units(lines, where)


def _touch(one: types.Range, two: types.Range) -> bool:
    def key(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(one.start) <= key(two.end) and key(two.start) <= key(one.end)
