"""A client of the language server: it starts `lrspec lsp` and speaks the protocol with it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

T = TypeVar("T")
URI = "file:///work/{name}"
_PROGRAM = "import sys; from lrspec.cli.main import main; sys.exit(main(['lsp', *sys.argv[1:]]))"
# More than any answer takes, on a machine that does much besides.
_PATIENCE = 60


class Client:
    """One open file and what the server says of it."""

    def __init__(self, client: LanguageClient, uri: str) -> None:
        self.client = client
        self.uri = uri
        self.document = types.TextDocumentIdentifier(uri)
        self.version = 1
        self._published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        def published(params: types.PublishDiagnosticsParams) -> None:
            self._published.put_nowait(params)

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

    async def open(self, text: str) -> list[types.Diagnostic]:
        """Open the file, and the diagnostics that come."""
        item = types.TextDocumentItem(self.uri, "yaml", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    async def change(self, text: str) -> list[types.Diagnostic]:
        """Write the file anew, and the diagnostics that come."""
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return await self.diagnostics()

    async def edit(self, *edits: tuple[types.Range, str]) -> list[types.Diagnostic]:
        """Change parts of the file, quickly one after the other, and the diagnostics that come."""
        for where, text in edits:
            self.version += 1
            self.client.text_document_did_change(
                types.DidChangeTextDocumentParams(
                    types.VersionedTextDocumentIdentifier(self.version, self.uri),
                    [types.TextDocumentContentChangePartial(where, text)],
                )
            )
        return await self.diagnostics()

    async def close(self) -> list[types.Diagnostic]:
        """Close the file, and the diagnostics that come."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document))
        return await self.diagnostics()

    async def diagnostics(self) -> list[types.Diagnostic]:
        """The next that are published."""
        params = await asyncio.wait_for(self._published.get(), _PATIENCE)
        assert params.uri == self.uri
        return list(params.diagnostics)

    async def hover(self, line: int, character: int) -> types.Hover | None:
        """What hovering over a place shows."""
        at = types.Position(line, character)
        return await self.client.text_document_hover_async(types.HoverParams(self.document, at))

    async def actions(self, line: int, character: int) -> list[types.CodeAction]:
        """The quick fixes at a place."""
        at = types.Position(line, character)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                self.document, types.Range(at, at), types.CodeActionContext(diagnostics=[])
            )
        )
        return [action for action in found or [] if isinstance(action, types.CodeAction)]


def with_client(
    use: Callable[[Client], Awaitable[T]], name: str = "a.lrspec.yaml", *options: str
) -> T:
    """What `use` makes of a server that was started for it; it must end well."""

    async def session() -> T:
        client = LanguageClient("test", "1")
        await client.start_io(sys.executable, "-c", _PROGRAM, *options)
        capabilities = types.ClientCapabilities()
        await client.initialize_async(types.InitializeParams(capabilities, process_id=None))
        client.initialized(types.InitializedParams())
        result = await asyncio.wait_for(
            asyncio.ensure_future(_awaited(use(Client(client, URI.format(name=name))))),
            3 * _PATIENCE,
        )
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call]
        return result

    return asyncio.run(session())


async def _awaited(coming: Awaitable[T]) -> T:
    return await coming
