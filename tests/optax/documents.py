"""Documents that the tests of this folder share."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import jax
import jax.experimental
import numpy as np

from lrspec.curve import Curve

Json = dict[str, Any]

LARGEST = float(np.finfo(np.float32).max)

# A warmup of 4 steps, a plateau, a decay to a tenth at step 40, held from there on.
WARMUP: Json = {
    "lrspec": 1,
    "base": 3e-4,
    "training": {"steps": 40},
    "schedule": [
        {"linear": {"initial": 0, "final": 1, "length": 4}},
        {"constant": None},
        {"cosine": {"final": 0.1, "length": "50%"}},
    ],
}

PRODUCTION: Json = {
    "lrspec": 1,
    "base": "absolute",
    "training": {"steps": 88004},
    "schedule": {
        "piecewise_linear": {
            "boundaries": [0, "45%", "90%", "100%"],
            "values": [1e-5, 4e-3, 1e-5, 1e-6],
        }
    },
}

# Every kind, periods and multiples that are no whole numbers, a clock that counts tokens.
EVERYTHING: Json = {
    "lrspec": 1,
    "axis": "tokens",
    "sample": "middle",
    "base": 1e-3,
    "training": {
        "steps": 4000,
        "batch_size": [{"start": 0, "value": 3}, {"start": 700, "value": 5}],
        "sequence_length": 4,
    },
    "schedule": [
        {"linear": {"initial": 0, "final": 1, "length": "1.1%"}},
        {"polynomial": {"final": 0.4, "power": 1.7, "length": "5%"}},
        {"geometric": {"final": 0.9, "length": "5%"}},
        {"inverse": {"final": 0.2, "length": "5%"}},
        {
            "repeat": {
                "schedule": {"cosine": {"initial": 1, "final": 0.1, "exponent": 1.5}},
                "period": "1.7%",
                "count": 6,
                "shrink": 0.9,
            }
        },
        {
            "repeat": {
                "schedule": {
                    "exponential": {
                        "initial": 1,
                        "rate": 0.7,
                        "every": "13%",
                        "staircase": True,
                    }
                },
                "period": "999 tokens",
                "count": 5,
                "stretch": 1.5,
            }
        },
        {
            "product": {
                "of": [
                    {
                        "quantize": {
                            "schedule": {"power_law": {"timescale": "5k samples", "exponent": 0.5}},
                            "every": "0.33%",
                        }
                    },
                    {
                        "sum": {
                            "of": [
                                {"constant": {"value": 0.2}},
                                {"linear": {"initial": 1, "final": 0}},
                            ]
                        }
                    },
                ],
                "length": "20%",
            }
        },
        {
            "clamp": {
                "schedule": {"token_power": {"amplitude": 1e-5, "exponent": 0.3}},
                "minimum": 0.001,
                "length": "10%",
            }
        },
        {
            "piecewise_constant": {
                "boundaries": ["80%", "85.5%"],
                "values": [0.3, 0.2, 0.1],
                "length": "5%",
            }
        },
        {"inverse_sqrt": {"timescale": "5k samples"}},
    ],
}

SIX_KINDS: tuple[Json, ...] = (
    {"linear": {"final": 1}},
    {"cosine": {"final": 0.2}},
    {"polynomial": {"initial": 0.3, "final": 0.9, "power": 1.7}},
    {"geometric": {"final": 0.4, "asymptote": -0.1}},
    {"exponential": {"initial": 1, "rate": 0.5, "every": 30}},
    {"inverse_sqrt": {"initial": 1, "timescale": 20}},
)
# Forms of six kinds that use every formula there is.
EVERY_FORM: tuple[Json, ...] = (
    {"cosine": {"initial": 1, "final": 0.1}},
    {"cosine": {"initial": 1, "final": 0.1, "exponent": 1.7}},
    {"cosine": {"initial": 0.1, "final": 1, "exponent": 1.7}},
    {"polynomial": {"initial": 0.3, "final": 0.9, "power": 1.7}},
    {"polynomial": {"initial": 0.9, "final": 0.3, "power": 2}},
    {"polynomial": {"initial": 0.9, "final": 0.3, "power": 0.5, "origin": "initial"}},
    {"polynomial": {"initial": 0.9, "final": 0.3, "power": 1}},
    {"geometric": {"final": 0.4, "asymptote": -0.1}},
    {"geometric": {"final": 0.9}},
    {"inverse": {"final": 0.1}},
    {"exponential": {"initial": 0.5, "rate": 1.01, "every": 30}},
    {"exponential": {"initial": 0.5, "rate": 0.9, "every": 30}},
    {"exponential": {"initial": 1, "rate": 0.5, "every": 30, "staircase": True}},
    {"inverse_sqrt": {"initial": 1, "timescale": 20}},
)


def stages(number: int, kinds: tuple[Json, ...]) -> Json:
    """A list of so many stages, of these kinds in turn."""
    found: list[Json] = [{"linear": {"initial": 0, "final": 1, "length": 10}}]
    while len(found) < number:
        ((kind, body),) = kinds[(len(found) - 1) % len(kinds)].items()
        found.append({kind: {**body, "length": 40 + len(found) % 7}})
    return {"lrspec": 1, "base": 1e-3, "schedule": found}


def rounded(curve: Curve, steps: Iterable[int]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The reference at `steps`, rounded to float32."""
    values = [min(max(curve(step), -LARGEST), LARGEST) for step in steps]
    return np.array(values, np.float32)


def scattered(number: int, *, below: int, seed: int = 0) -> list[int]:
    """Steps up to and with `below`, in no order, and the first ones."""
    rng = random.Random(seed)
    return [*range(60), below, *(rng.randrange(below) for _ in range(number))]


def x64(enabled: bool) -> AbstractContextManager[Any]:
    """JAX's x64 mode, on or off."""
    home: Any = jax if hasattr(jax, "enable_x64") else jax.experimental
    context: AbstractContextManager[Any] = home.enable_x64(enabled)
    return context
