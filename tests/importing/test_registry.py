"""Importers are found by name, those of other packages too."""

from __future__ import annotations

import importlib.metadata
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from lrspec.importers import torchtitan
from lrspec.importing.registry import GROUP, ImporterError, find, names

POINTS = [
    EntryPoint("torchtitan", "lrspec.importers.torchtitan:load", GROUP),
    EntryPoint("olmo-core", "lrspec.importers.torchtitan:load", GROUP),
    EntryPoint("Other_System", "lrspec.importers.torchtitan:load", GROUP),
    EntryPoint("twice", "lrspec.importers.torchtitan:load", GROUP),
    EntryPoint("twice", "lrspec.importers.torchtitan:load", GROUP),
    EntryPoint("several", "lrspec.importers.torchtitan:load", GROUP),
    EntryPoint("several", "another.package:load", GROUP),
    EntryPoint("no-module", "lrspec.importers.no_such_module:load", GROUP),
    EntryPoint("no-function", "lrspec.importers.torchtitan:loads", GROUP),
    EntryPoint("torch", "lrspec_torch.conformance:evaluate", "lrspec.adapters"),
]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the entry points above."""

    def entry_points(*, group: str) -> EntryPoints:
        return EntryPoints(POINTS).select(group=group)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)


def test_names() -> None:
    assert names() == (
        *("Other_System", "no-function", "no-module", "olmo-core"),
        *("several", "torchtitan", "twice"),
    )


@pytest.mark.parametrize(
    "name",
    ["torchtitan", "TorchTitan", "olmo-core", "olmo_core", "other-system", "Other_System", "twice"],
)
def test_find(name: str) -> None:
    assert find(name) is torchtitan.load


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("torchtitn", "no importer is named 'torchtitn'; did you mean 'torchtitan'?"),
        (
            "zzzzzzzzzz",
            "no importer is named 'zzzzzzzzzz'; there are Other_System, no-function, no-module, "
            "olmo-core, several, torchtitan, twice",
        ),
        (
            "several",
            "more than one importer is registered as 'several': lrspec.importers.torchtitan:load, "
            "another.package:load",
        ),
        ("no-module", "no-module cannot be used here: No module named"),
        (
            "no-function",
            "no-function cannot be used here: module 'lrspec.importers.torchtitan' has",
        ),
    ],
)
def test_not_found(name: str, message: str) -> None:
    with pytest.raises(ImporterError) as caught:
        find(name)
    assert str(caught.value).startswith(message)
