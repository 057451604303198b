"""The servers, told where the schema is by what `lrspec schema --editor vscode` prints."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.editors.programs import JSON, SERVERS, YAML, found, modules
from tests.editors.session import Session

import lrspec_spec


def printed(editor: str, *options: str, folder: Path | None = None) -> str:
    """What `lrspec schema --editor EDITOR OPTIONS` prints in a folder."""
    command = [sys.executable, "-m", "lrspec", "schema", "--editor", editor, *options]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=folder)
    return done.stdout


def nested(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as servers see them: `{"a.b": 1}` is `{"a": {"b": 1}}`."""
    tree: dict[str, Any] = {}
    for key, value in settings.items():
        *outer, last = key.split(".")
        inner = tree
        for name in outer:
            inner = inner.setdefault(name, {})
        inner[last] = value
    return tree


# What VS Code adds by itself; the network is left out.
DEFAULTS = {
    "yaml.validate": True,
    "yaml.hover": True,
    "yaml.completion": True,
    "yaml.schemaStore.enable": False,
    "json.validate.enable": True,
    "http.proxyStrictSSL": False,
    "editor.tabSize": 2,
}


@pytest.fixture(scope="session")
def node_modules(pytestconfig: pytest.Config) -> Path:
    """The programs from npm."""
    cache = pytestconfig.cache
    assert cache is not None
    return modules(cache)


class Servers:
    """Starts servers, one of each name, and ends them together."""

    def __init__(self, node_modules: Path, folder: Path, running: ExitStack) -> None:
        self._modules = node_modules
        self.folder = folder
        self._running = running
        self._sessions: dict[str, Session] = {}
        self._failed: set[str] = set()
        self._settings = nested({**DEFAULTS, **json.loads(printed("vscode"))})

    def __getitem__(self, name: str) -> Session:
        # Whoever waited in vain for a server is not followed by hundreds.
        assert name not in self._failed, f"{name} did not start, see the first error"
        if name not in self._sessions:
            self._failed.add(name)
            session = self._running.enter_context(self.started(name, self._settings))
            session.wait('{"lrspec": 2}')
            self._failed.remove(name)
            self._sessions[name] = session
        return self._sessions[name]

    @contextmanager
    def started(self, name: str, settings: dict[str, Any], folder: str = ".") -> Generator[Session]:
        """A server with settings of its own, for documents in a folder beside the others."""
        script, suffix = SERVERS[name]
        command = [found("node"), str(self._modules / script), "--stdio"]
        place = self.folder / folder
        with Session(command, settings, suffix, place, workspace=self.folder) as session:
            yield session


@pytest.fixture(scope="session")
def servers(node_modules: Path) -> Iterator[Servers]:
    """All servers; the schema lies beside the documents too, for those that name it.

    Not below pytest's own folder, which may be a hidden one.
    """
    with TemporaryDirectory(prefix="lrspec-") as name, ExitStack() as running:
        folder = Path(name)
        (folder / "schedule.schema.json").write_text(lrspec_spec.schema_text(), encoding="utf-8")
        yield Servers(node_modules, folder, running)


@pytest.fixture(params=SERVERS)
def server(servers: Servers, request: pytest.FixtureRequest) -> Session:
    """Each of the servers."""
    return servers[request.param]


@pytest.fixture(params=YAML)
def yaml_server(servers: Servers, request: pytest.FixtureRequest) -> Session:
    """Each of the servers for YAML."""
    return servers[request.param]


@pytest.fixture(params=JSON)
def json_server(servers: Servers, request: pytest.FixtureRequest) -> Session:
    """The server for JSON."""
    return servers[request.param]
