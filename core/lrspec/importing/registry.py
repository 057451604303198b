"""Importers by name: those of this package, and whatever others are installed."""

from __future__ import annotations

from typing import cast

from lrspec.importing.importer import Importer

GROUP = "lrspec.importers"
# What else people call a system.
_ALSO_CALLED = {
    "hf": "transformers",
    "huggingface": "transformers",
    "hugging-face": "transformers",
    "trl": "transformers",
    "pytorch": "torch",
    "megatron": "megatron-lm",
    "megatron-bridge": "megatron-lm",
    "olmo": "olmo-core",
    "mosaicml": "composer",
    "mmcv": "mmengine",
    "mmdet": "mmengine",
    "pytorch-ignite": "ignite",
    "paddlepaddle": "paddle",
    "model-garden": "tf-models",
    "tfm": "tf-models",
    "yolo": "darknet",
    "marin": "levanter",
    "tf-keras": "keras",
    "lit-gpt": "litgpt",
    "python": "callable",
}


class ImporterError(Exception):
    """There is no such importer, or it cannot be used; the text says why."""


def names() -> tuple[str, ...]:
    """The systems that can be imported."""
    from importlib.metadata import entry_points

    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def find(name: str) -> Importer:
    """The importer of a system, `olmo-core` or `olmo_core`.

    Raises:
        ImporterError: None has the name, several have, or it cannot be loaded.
    """
    from importlib.metadata import entry_points

    from lrspec.hints import closest, did_you_mean

    wanted = _plain(name)
    points = [point for point in entry_points(group=GROUP) if _plain(point.name) == wanted]
    if not points:
        known = names()
        meant = _ALSO_CALLED.get(wanted) or closest(wanted, known)
        hint = did_you_mean(meant) or f"there are {', '.join(known)}"
        raise ImporterError(f"no importer is named {name!r}; {hint}")
    if len({point.value for point in points}) > 1:
        several = ", ".join(point.value for point in points)
        raise ImporterError(f"more than one importer is registered as {name!r}: {several}")
    try:
        return cast("Importer", points[0].load())
    except (ImportError, AttributeError) as error:
        raise ImporterError(f"{name} cannot be used here: {error}") from error


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
