"""Schedulers of torch that mean the same curves as some of the documents."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from torch.optim import SGD
from torch.optim.lr_scheduler import (
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    PolynomialLR,
    SequentialLR,
)

from precision.in_torch import MakeScheduler
from precision.leaves import LOW, PEAK, halving
from precision.nested import WARMUP_FROM, warmup


def _warmup_cosine(optimizer: SGD, horizon: int) -> SequentialLR:
    first = warmup(horizon)
    return SequentialLR(
        optimizer,
        [
            LinearLR(optimizer, WARMUP_FROM, 1.0, first),
            CosineAnnealingLR(optimizer, horizon - first, eta_min=LOW),
        ],
        [first],
    )


def _production(optimizer: SGD, horizon: int) -> LambdaLR:
    knots = [0.0, 0.45 * horizon, 0.9 * horizon, horizon]
    shares = [1e-5 / PEAK, 1.0, 1e-5 / PEAK, LOW / PEAK]
    return LambdaLR(optimizer, lambda step: float(np.interp(step, knots, shares)))


PEERS: Mapping[str, Mapping[str, MakeScheduler]] = MappingProxyType(
    {
        "linear to 0": {
            "LinearLR": lambda optimizer, n: LinearLR(optimizer, 1.0, 0.0, n),
            "PolynomialLR": lambda optimizer, n: PolynomialLR(optimizer, n, 1.0),
        },
        "linear falling": {
            "LinearLR": lambda optimizer, n: LinearLR(optimizer, 1.0, LOW / PEAK, n)
        },
        "cosine to 0": {"CosineAnnealingLR": CosineAnnealingLR},
        "cosine falling": {
            "CosineAnnealingLR": lambda optimizer, n: CosineAnnealingLR(optimizer, n, eta_min=LOW)
        },
        "polynomial of power 0.9 to 0": {
            "PolynomialLR": lambda optimizer, n: PolynomialLR(optimizer, n, 0.9)
        },
        "polynomial of power 2 to 0": {
            "PolynomialLR": lambda optimizer, n: PolynomialLR(optimizer, n, 2.0)
        },
        "exponential at each step": {
            "ExponentialLR": lambda optimizer, n: ExponentialLR(optimizer, halving(n))
        },
        "production": {"LambdaLR": _production},
        "warmup and cosine": {"SequentialLR": _warmup_cosine},
    }
)
