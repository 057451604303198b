"""Every test that takes `backend` runs once for each backend that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from tests.backends import Backend, asked_for, described

# Frameworks compile when they are first called, so that no example has a deadline. `max_examples`
# is that of the core, see `tests.backends.SHARE`.
settings.register_profile("local", deadline=None, max_examples=40)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=5000)
settings.load_profile("local")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backends",
        metavar="NAMES",
        help="backends to test on, such as core,torch,optax,keras, where one that is missing"
        " fails; left out, those that are installed",
    )


def pytest_configure(config: pytest.Config) -> None:
    backends(config)  # an unknown name is reported before anything is collected


def pytest_report_header(config: pytest.Config) -> str:
    return f"backends: {', '.join(map(described, backends(config)))}"


def backends(config: pytest.Config) -> tuple[str, ...]:
    """The names of the backends to test on."""
    return asked_for(config.getoption("backends"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # Reading and refusing documents is the core's work, whatever evaluates them.
    core_only = collection_path.parts[-2:] == ("conformance", "test_invalid.py")
    return True if core_only and "core" not in backends(config) else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" in metafunc.fixturenames:
        names = backends(metafunc.config)
        metafunc.parametrize("backend", names, indirect=True, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    backend = pyfuncitem.funcargs.get("backend")
    if isinstance(backend, Backend):
        backend.found  # noqa: B018 - fails here, and once, where it cannot be imported


@pytest.fixture(scope="session")
def backend(request: pytest.FixtureRequest) -> Backend:
    """One of the backends that were asked for."""
    return Backend(request.param)
