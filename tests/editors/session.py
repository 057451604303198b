"""A session with a language server: documents go in, problems, completions and hovers come out."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

T = TypeVar("T")
Place = tuple[int, int]

TIMEOUT_S = 60.0


@dataclass(frozen=True, order=True)
class Problem:
    """A message and what it underlines: start and end, each a line and a column from 0."""

    start: Place
    end: Place
    message: str


class Session:
    """One server, running, with an editor's settings; `suffix` is that of the documents, and
    `workspace` the folder that is open, of which theirs is one.

    The client lives in a thread of its own, so that tests read like any other.
    """

    def __init__(
        self,
        command: Sequence[str],
        settings: dict[str, Any],
        suffix: str,
        folder: Path,
        workspace: Path | None = None,
    ) -> None:
        self.suffix = suffix
        self._command = command
        self._settings = settings
        self._folder = folder
        self._root = None if workspace is None else workspace.as_uri()
        self._numbers = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._client: LanguageClient = make_test_lsp_client()

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def problems(self, text: str) -> list[Problem]:
        """What is wrong with a document, in the order of the text."""
        return self.problems_of_each([text])[0]

    def problems_of_each(self, texts: Iterable[str]) -> list[list[Problem]]:
        """What is wrong with each of several documents, all open at a time."""

        async def judged() -> list[list[Problem]]:
            uris = [self._open(text) for text in texts]
            found = [await self._judged(uri) for uri in uris]
            for uri in uris:
                self._close(uri)
            return [sorted(map(_problem, wrong)) for wrong in found]

        return self._run(judged())

    def completions(self, text: str, place: Place) -> list[lsp.CompletionItem]:
        """What is offered at a place."""

        async def offered(uri: str) -> list[lsp.CompletionItem]:
            found = await self._client.text_document_completion_async(
                lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), lsp.Position(*place))
            )
            return list(found.items if isinstance(found, lsp.CompletionList) else found or ())

        return self._run(self._asked(text, offered))

    def hovers(self, cursors: Iterable[tuple[str, Place]]) -> list[str]:
        """What is explained at a place of each document, as markdown; nothing is empty."""

        async def explained(uri: str, place: Place) -> str:
            found = await self._client.text_document_hover_async(
                lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(*place))
            )
            self._close(uri)
            if found is None:
                return ""
            assert isinstance(found.contents, lsp.MarkupContent | str | list | tuple)
            if isinstance(found.contents, lsp.MarkupContent):
                return found.contents.value
            # The server for JSON gives parts of markdown.
            return "\n\n".join(map(str, found.contents))

        async def all_explained() -> list[str]:
            opened = [(self._open(text), place) for text, place in cursors]
            return [await explained(uri, place) for uri, place in opened]

        return self._run(all_explained())

    def fixes(self, text: str) -> list[str]:
        """The titles of the quick fixes for everything that is wrong with a document."""

        async def offered(uri: str) -> list[str]:
            wrong = await self._judged(uri)
            found = await self._client.text_document_code_action_async(
                lsp.CodeActionParams(
                    lsp.TextDocumentIdentifier(uri),
                    wrong[0].range,
                    lsp.CodeActionContext(wrong, only=[lsp.CodeActionKind.QuickFix]),
                )
            )
            return [action.title for action in found or ()]

        return self._run(self._asked(text, offered))

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(TIMEOUT_S)

    async def _start(self) -> None:
        self._client.set_configuration(self._settings)
        await self._client.start_io(*self._command)
        await self._client.initialize_session(
            lsp.InitializeParams(
                capabilities=client_capabilities("visual-studio-code"),
                root_uri=self._root,
                initialization_options={"handledSchemaProtocols": ["file"]},
            )
        )
        self._client.workspace_did_change_configuration(
            lsp.DidChangeConfigurationParams(settings=self._settings)
        )

    async def _stop(self) -> None:
        await self._client.shutdown_session()
        stop: Any = self._client.stop  # its types are not said
        await stop()

    async def _asked(self, text: str, ask: Any) -> Any:
        uri = self._open(text)
        answer = await ask(uri)
        self._close(uri)
        return answer

    def _open(self, text: str) -> str:
        path = self._folder / f"document-{next(self._numbers)}{self.suffix}"
        language = self.suffix.rpartition(".")[2]
        item = lsp.TextDocumentItem(path.as_uri(), language, 1, text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return item.uri

    async def _judged(self, uri: str) -> list[lsp.Diagnostic]:
        while uri not in self._client.diagnostics:
            await asyncio.sleep(0.01)
        return list(self._client.diagnostics[uri])

    def _close(self, uri: str) -> None:
        self._client.text_document_did_close(
            lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri))
        )

    def wait(self, text: str) -> None:
        """Wait until something is wrong with a document: the settings are there.

        A server asks for them, and reads the schema, only after it has started; until then nothing
        is wrong with anything.
        """

        async def noticed() -> None:
            uri = self._open(text)
            while not self._client.diagnostics.get(uri):
                await asyncio.sleep(0.01)
            self._close(uri)

        self._run(noticed())


def _problem(diagnostic: lsp.Diagnostic) -> Problem:
    start, end = diagnostic.range.start, diagnostic.range.end
    assert isinstance(diagnostic.message, str)
    return Problem((start.line, start.character), (end.line, end.character), diagnostic.message)
