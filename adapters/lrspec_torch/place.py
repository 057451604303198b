"""Where a hyperparameter stands in a parameter group, how it is read there and how it is written.

A name stands under the key of the same name. `momentum` stands in `betas[0]` where a group has no
`momentum`, as in Adam and its kin.
"""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any, TypeAlias

from torch import Tensor

Group: TypeAlias = dict[str, Any]


def holds(group: Group, name: str) -> bool:
    """Whether the group has the hyperparameter at all."""
    return name in group or (name == "momentum" and "betas" in group)


def held(group: Group, name: str) -> object:
    """What stands there, as it is: a number or a tensor. The group must have it."""
    return group[name] if name in group else group["betas"][0]


def number(value: object) -> float | None:
    """A Python number, or a floating tensor of one element, as a float; None for anything else.

    An integer tensor is no number here: it could not take a rate.
    """
    if isinstance(value, Tensor):
        if value.numel() != 1 or not value.is_floating_point():
            return None
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    found = float(value)
    return found if isfinite(found) else None


def put(group: Group, name: str, value: float) -> None:
    """Set the hyperparameter to `value`; a group that does not have it is left alone.

    A tensor is filled in place: it keeps its identity, type and device, so that a compiled or
    captured optimizer step sees the new value. Everything else becomes a Python float. The other
    betas stay what they are.
    """
    if name in group:
        there = group[name]
        if isinstance(there, Tensor):
            there.fill_(value)
        else:
            group[name] = value
    elif holds(group, name):
        first, *others = group["betas"]
        if isinstance(first, Tensor):
            first.fill_(value)
        else:
            group["betas"] = (value, *others)
