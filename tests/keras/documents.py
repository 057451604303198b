"""Documents that the tests of the Keras adapter share."""

from __future__ import annotations

from typing import Any

PRODUCTION: dict[str, Any] = {
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
WARMUP: dict[str, Any] = {
    "lrspec": 1,
    "base": 0.5,
    "training": {"steps": 100},
    "schedule": [
        {"linear": {"initial": 0, "final": 1, "length": 10}},
        {"cosine": {"final": 0.1}},
    ],
}
RESTARTS: dict[str, Any] = {
    "lrspec": 1,
    "base": 1e-3,
    "schedule": {
        "repeat": {
            "period": "33.3 steps",
            "shrink": 0.5,
            "schedule": {"cosine": {"initial": 1, "final": 0}},
        }
    },
}
