"""Schedules of Keras that mean the same curves as some of the documents."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import keras

from precision.framework import Peer
from precision.leaves import LOW, PEAK, hundredth
from precision.nested import WARMUP_FROM, warmup

_schedules: Any = keras.optimizers.schedules


def _polynomial(final: float, power: float) -> Peer:
    return lambda n: _schedules.PolynomialDecay(PEAK, n, final, power)


def _exponential(*, staircase: bool) -> Peer:
    return lambda n: _schedules.ExponentialDecay(PEAK, hundredth(n), 0.96, staircase=staircase)


def _warmup_cosine(horizon: int) -> Any:
    first = warmup(horizon)
    return _schedules.CosineDecay(
        WARMUP_FROM * PEAK,
        horizon - first,
        alpha=LOW / PEAK,
        warmup_target=PEAK,
        warmup_steps=first,
    )


PEERS: Mapping[str, Mapping[str, Peer]] = MappingProxyType(
    {
        "linear to 0": {"PolynomialDecay": _polynomial(0.0, 1)},
        "linear falling": {"PolynomialDecay": _polynomial(LOW, 1)},
        "cosine to 0": {"CosineDecay": lambda n: _schedules.CosineDecay(PEAK, n)},
        "cosine falling": {
            "CosineDecay": lambda n: _schedules.CosineDecay(PEAK, n, alpha=LOW / PEAK)
        },
        "polynomial of power 0.9 to 0": {"PolynomialDecay": _polynomial(0.0, 0.9)},
        "polynomial of power 2 to 0": {"PolynomialDecay": _polynomial(0.0, 2)},
        "exponential of 0.96": {"ExponentialDecay": _exponential(staircase=False)},
        "exponential of 0.96 in stairs": {"ExponentialDecay": _exponential(staircase=True)},
        # The timescale of the document is a twentieth of the run.
        "power_law of exponent 1": {
            "InverseTimeDecay": lambda n: _schedules.InverseTimeDecay(PEAK, n / 20, 1)
        },
        "warmup and cosine": {"CosineDecay": _warmup_cosine},
    }
)
