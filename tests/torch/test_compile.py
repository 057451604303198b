"""A compiled optimizer step sees every rate and is not compiled again for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.nn import Parameter

from lrspec.binding import as_curves
from lrspec_torch import LRScheduler

COSINE: dict[str, Any] = {"lrspec": 1, "schedule": {"cosine": {"final": 0, "length": 100}}}


@pytest.fixture(autouse=True)
def _fresh_compiler() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Counting:
    """A backend that runs each graph as it was traced, and counts the graphs."""

    def __init__(self) -> None:
        self.graphs = 0

    def __call__(self, module: torch.fx.GraphModule, _: list[torch.Tensor]) -> Any:
        self.graphs += 1
        return module.forward


@pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.AdamW])
def test_a_tensor_is_compiled_once(kind: Any) -> None:
    """Over 100 updates the number of graphs stays what it was after the first two."""
    parameter = Parameter(torch.ones(4))
    optimizer = kind([parameter], lr=torch.tensor(0.1))
    scheduler = LRScheduler(optimizer, COSINE)
    counting = Counting()
    update: Any = torch.compile(optimizer.step, backend=counting)
    graphs = []
    for _ in range(100):
        parameter.grad = torch.ones(4)
        update()
        scheduler.step()
        graphs.append(counting.graphs)
    assert graphs[0] >= 1
    assert set(graphs[2:]) == {graphs[1]}


def test_a_compiled_step_applies_the_rates_of_the_curve() -> None:
    """The rate is a tensor that is filled between the calls."""
    curve = as_curves(COSINE, {})["lr"]
    parameter = Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([parameter], lr=torch.tensor(1.0))
    scheduler = LRScheduler(optimizer, COSINE, last_epoch=39)
    update: Any = torch.compile(optimizer.step, backend=Counting())
    for step in range(40, 45):
        with torch.no_grad():
            parameter.zero_()
        parameter.grad = torch.ones(1)
        update()
        scheduler.step()
        assert parameter.item() == -torch.tensor(curve(step)).item()
