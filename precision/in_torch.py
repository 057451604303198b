"""Our scheduler and those of torch, on an optimizer whose rate is a float or a tensor."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from torch.nn import Parameter
from torch.optim import SGD
from torch.optim.lr_scheduler import LRScheduler as TorchScheduler

from lrspec.loading import from_dict
from lrspec_torch import LRScheduler
from precision.errors import Values
from precision.framework import Answer, agreed
from precision.runs import Steps

MakeScheduler: TypeAlias = Callable[[SGD, int], TorchScheduler]
"""From an optimizer and the length of the run."""


def ours(document: dict[str, Any], steps: Steps) -> Answer:
    """The rates in the parameter group: step by step where the steps follow each other."""
    optimizer = _optimizer(1.0)
    scheduler = LRScheduler(optimizer, from_dict(document))
    (group,) = optimizer.param_groups
    values = np.empty(len(steps))
    for place, step in enumerate(steps.tolist()):
        if step == scheduler.last_epoch + 1:
            scheduler.step()
        else:
            scheduler.step(step)
        values[place] = group["lr"]
    return agreed({"sequence": values})


def peer(make: MakeScheduler, rate: float, horizon: int, *, tensor: bool) -> Values:
    """What a scheduler of torch gives at the steps 0 … horizon, one after the other."""
    optimizer = _optimizer(torch.tensor(rate) if tensor else rate)
    (group,) = optimizer.param_groups
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that no update was made, and what is deprecated
        scheduler = make(optimizer, horizon)
        values = [float(group["lr"])]
        for _ in range(horizon):
            scheduler.step()
            values.append(float(group["lr"]))
    return np.array(values, np.float32 if tensor else np.float64)


def _optimizer(rate: Any) -> SGD:
    return SGD([Parameter(torch.zeros(1))], lr=rate)
