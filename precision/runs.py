"""The runs that a document is read on: how long, and at which steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Steps: TypeAlias = npt.NDArray[np.int64]

LAST_INT32 = 2**31 - 1
LAST_WHOLE = 2**53  # float64 skips whole numbers beyond
LAST_WHOLE_FLOAT32 = 2**24


@dataclass(frozen=True)
class Run:
    """A planned horizon and the steps to read, ascending."""

    name: str
    horizon: int
    steps: Steps
    complete: bool = False  # from the first step to the last, and some beyond
    thorough: bool = False  # for the first document of a kind only

    @property
    def narrow(self) -> bool:
        """Whether the steps are int32, which is all that optimizers of JAX and Keras count in."""
        return self.horizon <= LAST_INT32


def full() -> tuple[Run, ...]:
    """What the limits are stated for."""
    return _runs(every=88_004, samples=100_000, window=200)


def quick() -> tuple[Run, ...]:
    """The same runs with few steps, to see that all works."""
    return _runs(every=1_100, samples=500, window=10)


def _runs(every: int, samples: int, window: int) -> tuple[Run, ...]:
    def around(*landmarks: int, last: int) -> Steps:
        return _steps(*(_around(step, window, last) for step in landmarks))

    far, farther, sampled = LAST_INT32, LAST_WHOLE, 10**7
    return (
        Run(
            f"every step of {every:,}",
            every,
            _steps(range(every + window), around(LAST_WHOLE_FLOAT32, far, last=far)),
            complete=True,
        ),
        Run(
            f"samples of {sampled:,}",
            sampled,
            _steps(
                Random(0).sample(range(sampled), samples), around(sampled, last=sampled + window)
            ),
            thorough=True,
        ),
        Run(
            "landmarks of 2³¹ − 1",
            far,
            around(0, LAST_WHOLE_FLOAT32, far // 3, far // 2, far, last=far),
        ),
        Run(
            "landmarks of 2⁵³",
            farther,
            around(0, LAST_WHOLE_FLOAT32, far, farther // 3, farther // 2, farther, last=farther),
        ),
    )


def _around(step: int, window: int, last: int) -> range:
    """The steps next to one, on both sides."""
    return range(max(step - window, 0), min(step + window, last) + 1)


def _steps(*parts: Iterable[int]) -> Steps:
    return np.array(sorted({int(step) for part in parts for step in part}), np.int64)
