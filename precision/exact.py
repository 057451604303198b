"""Exact values: what the generator of the conformance data computes, as arrays."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precision.runs import Steps

# For this import only: beside the generator lies the package of the specification, and the
# installed one is meant.
sys.path.append(str(Path(__file__).resolve().parent.parent / "spec"))
try:
    from generator import curve as generator
finally:
    sys.path.pop()

Doubles: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Exact:
    """The exact value at every step, in two parts, and the error that clause 8.6 allows there.

    `high` is the nearest float64 and `low` what is left, so that `high + low` has more than 100
    bits. Where nothing is allowed the value is `high` itself.
    """

    steps: Steps
    high: Doubles
    low: Doubles
    allowed: Doubles

    def until(self, last: int) -> Exact:
        """The steps up to one."""
        stop = int(np.searchsorted(self.steps, last, side="right"))
        return Exact(self.steps[:stop], self.high[:stop], self.low[:stop], self.allowed[:stop])


def compute(document: Mapping[str, Any], steps: Steps) -> Exact:
    """The curve of a document in 60 digits, at `steps`."""
    curve = generator.bind(document, {})
    parts = np.empty((3, len(steps)))
    for column, step in enumerate(steps.tolist()):
        value = curve.at(step)
        high = float(value.exact)
        parts[:, column] = high, float(value.exact - high), float(value.error)
    return Exact(steps, *parts)
