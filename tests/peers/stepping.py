"""Comparing the curve of an imported document with the values that a library's own object gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lrspec.document import Document

RELATIVE = 1e-9
ABSOLUTE = 1e-12


def check(document: Document, values: Sequence[float], name: str = "lr") -> None:
    """The document has these values at the steps 0, 1, …, to 1e-9 of each and 1e-12 of the peak."""
    off = differing(document, values, name)
    assert not off, f"{off}\n{document.to_yaml()}"


def differing(
    document: Document, values: Sequence[float], name: str = "lr"
) -> list[tuple[int, float, float]]:
    """The steps at which the document has something else, with what it has and what it should."""
    curve = document.bind(name=name)
    peak = max((abs(value) for value in values if math.isfinite(value)), default=1.0)
    return [
        (step, curve(step), value)
        for step, value in enumerate(values)
        if not abs(curve(step) - value) <= RELATIVE * abs(value) + ABSOLUTE * peak
    ]


def only(config: dict[str, Any], *keys: str) -> dict[str, Any]:
    """The mapping without some keys."""
    return {key: value for key, value in config.items() if key not in keys}
