"""`lrspec lsp`: the language server."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--stdio", is_flag=True, expose_value=False, help="What many editors add: it is the only way."
)
def lsp() -> int:
    """Run the language server on standard input and output.

    It reports the same problems as 'lrspec check' while a file is edited, shows on hovering over a
    position or value what it comes to, and offers the hints as quick fixes.
    """
    try:
        from lrspec.lsp.server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException(
            "the language server needs pygls, which is not installed; pip install 'lrspec[lsp]'"
        ) from error
    server().start_io()
    return 0
