"""A toy adapter: the rates of a run as an array of float32, as a framework might keep them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from lrspec import Curve

_LARGEST = 3.4028234663852886e38


class Rates:
    """The rates at some steps of a run, each rounded to float32."""

    def __init__(self, curve: Curve, steps: Sequence[int]) -> None:
        assert curve.base is not None
        rates = (curve(step) for step in steps)
        self.rates = array("f", (max(min(rate, _LARGEST), -_LARGEST) for rate in rates))


def evaluate(curve: Curve, steps: Sequence[int]) -> Sequence[float]:
    """What the conformance suite asks."""
    return Rates(curve, steps).rates


evaluate.profile = "float32"  # type: ignore[attr-defined]
