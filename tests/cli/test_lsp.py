"""`lrspec lsp` where pygls is not installed."""

from __future__ import annotations

import sys

import pytest
from tests.cli.conftest import Cli


@pytest.mark.parametrize("missing", ["pygls", "lsprotocol"])
def test_it_says_what_to_install(cli: Cli, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in [name for name in sys.modules if name.startswith(("lrspec.lsp", missing))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    done = cli("lsp")

    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "Error: the language server needs pygls, which is not installed;"
        " pip install 'lrspec[lsp]'\n"
    )


def test_another_fault_is_not_hidden(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lrspec.lsp.server", raising=False)
    monkeypatch.setitem(sys.modules, "lrspec.checking", None)

    with pytest.raises(ModuleNotFoundError, match=r"lrspec\.checking"):
        cli("lsp")
