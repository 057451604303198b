"""Live schedulers of torch: optimizers for them, how they go on, and what is refused of them."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from torch.nn import Parameter
from torch.optim import Optimizer

from lrspec.problems import Problem, SpecError
from lrspec_torch import from_scheduler


def sgd(*rates: float) -> Optimizer:
    groups = [{"params": [Parameter(torch.zeros(1))], "lr": rate} for rate in rates]
    return torch.optim.SGD(groups, momentum=0.9)


def walked(scheduler: Any, count: int) -> list[list[float]]:
    """The rates of each group at the steps from here on."""
    groups = scheduler.optimizer.param_groups
    rows = [[float(group["lr"]) for group in groups]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(count):
            scheduler.step()
            rows.append([float(group["lr"]) for group in groups])
    return [list(column) for column in zip(*rows, strict=True)]


def refused(scheduler: Any, **options: Any) -> Problem:
    with pytest.raises(SpecError) as caught:
        from_scheduler(scheduler, **options)
    return caught.value.problems[0]
