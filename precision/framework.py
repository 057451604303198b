"""What every measured evaluator answers, and whether all ways to a value give the same bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precision.errors import Values
from precision.runs import Steps

SPREAD = 2_000

Peer: TypeAlias = Callable[[int], Any]
"""A schedule of the framework itself, for a run of so many steps."""


@dataclass(frozen=True)
class Answer:
    """Values at the steps that were asked, and where another way to them gives other bits."""

    values: Values
    differs: npt.NDArray[np.bool_]


def agreed(ways: Mapping[str, Values]) -> Answer:
    """The values of the first way, and where any of the others differs from it."""
    first, *others = ways.values()
    differs = np.zeros(len(first), bool)
    for other in others:
        differs |= different(first, other)
    return Answer(first, differs)


def different(values: Values, others: Values) -> npt.NDArray[np.bool_]:
    """Where two arrays of one type have other bits.

    In float32 what is below the normal numbers may be 0, as it is where a compiler has its way.
    """
    bits = f"u{values.itemsize}"
    differs: npt.NDArray[np.bool_] = values.view(bits) != others.view(bits)
    if values.dtype == np.float32:
        differs &= np.maximum(np.abs(values), np.abs(others)) >= np.finfo(np.float32).tiny
    return differs


def spread(steps: Steps) -> slice:
    """Some of the steps, evenly spread, for ways that take long."""
    return slice(None, None, max(len(steps) // SPREAD, 1))


def mended(values: Values, places: slice, found: Values) -> Values:
    """The values, but at some places what another way gives there."""
    result = values.copy()
    result[places] = found
    return result


def one_by_one(call: Callable[[int], Any], steps: Steps, values: Values) -> Values:
    """The values, but at some of the steps what a call for that one step gives."""
    places = spread(steps)
    found = [float(call(step)) for step in steps[places].tolist()]
    return mended(values, places, np.array(found, values.dtype))
