"""The conformance suite's view of this adapter: a real scheduler on a real optimizer."""

from __future__ import annotations

from collections.abc import Iterable

from torch import zeros
from torch.nn import Parameter
from torch.optim import SGD

from lrspec.curve import Curve
from lrspec_torch.scheduler import LRScheduler


def evaluate(curve: Curve, steps: Iterable[int]) -> list[float]:
    """What stands in the parameter group when a scheduler is built at each of `steps`.

    The group's own value is 1, so that a curve without a base gives its multiples.
    """
    parameter = Parameter(zeros(1))
    values: list[float] = []
    for step in steps:
        # A name that SGD does not know is a key of the group all the same.
        optimizer = SGD([{"params": [parameter], curve.name: 1.0}], lr=1.0)
        LRScheduler(optimizer, curve, last_epoch=step - 1)
        values.append(optimizer.param_groups[0][curve.name])
    return values


# The attribute by which the suite knows how exact the values are.
evaluate.profile = "float64"  # type: ignore[attr-defined]
