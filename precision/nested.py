"""The documents of lists, repeats, combinators and wrappers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from precision.documents import Document, Schedule, shares
from precision.leaves import LOW, PEAK

_RESTART = {"cosine": {"initial": PEAK, "final": LOW}}
_BEND = {"piecewise_linear": {"boundaries": [0, "45%", "100%"], "values": [0.1, 1, 0.01]}}
_DECAY = {"inverse_sqrt": {"initial": PEAK, "timescale": "5%"}}

WARMUP_FROM = 1e-3
"""Of the peak; torch's LinearLR cannot start from 0."""

STAGES = 256


def warmup(horizon: int) -> int:
    """The length of a warmup."""
    return max(horizon // 44, 1)


def stage(horizon: int) -> int:
    """The length of one of the stages."""
    return max(horizon // STAGES, 1)


def _warmup_cosine(horizon: int) -> Schedule:
    first = {"initial": WARMUP_FROM * PEAK, "final": PEAK, "length": warmup(horizon)}
    return [{"linear": first}, {"cosine": {"final": LOW}}]


# Six kinds in turn.
KINDS_OF_STAGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("linear", {"initial": 1e-4, "final": 1e-3}),
    ("constant", {"value": 1e-3}),
    ("cosine", {"initial": 1e-3, "final": 2.5e-4}),
    ("polynomial", {"initial": 2e-4, "final": 8e-4, "power": 1.5}),
    ("geometric", {"initial": 8e-4, "final": 3e-4}),
    ("inverse_sqrt", {"initial": 3e-4, "timescale": 100}),
)


def _stages(horizon: int) -> Schedule:
    length = stage(horizon)
    kinds = (KINDS_OF_STAGES[index % len(KINDS_OF_STAGES)] for index in range(STAGES))
    return [{kind: {**fields, "length": length}} for kind, fields in kinds]


NESTED: Mapping[str, tuple[Document, ...]] = MappingProxyType(
    {
        "list": (
            Document("warmup and cosine", _warmup_cosine),
            shares(
                "warmup, plateau and cooldown in multiples",
                [
                    {"linear": {"initial": 0, "final": 1, "length": "2%"}},
                    {"constant": {}},
                    {
                        "polynomial": {
                            "final": 0,
                            "power": 0.5,
                            "origin": "initial",
                            "length": "20%",
                        }
                    },
                ],
                base=3e-4,
                sample="middle",
            ),
            Document("256 stages", _stages),
        ),
        "repeat": (
            shares(
                "10,000 restarts",
                {"repeat": {"period": "0.01%", "count": 10_000, "schedule": _RESTART}},
            ),
            shares(
                "restarts that grow and shrink",
                {
                    "repeat": {
                        "count": 6,
                        "stretch": 1.7,
                        "shrink": 0.7,
                        "toward": LOW,
                        "schedule": _RESTART,
                    }
                },
            ),
        ),
        "product": (shares("product", {"product": {"of": [_BEND, _RESTART]}}, base=0.7),),
        "sum": (shares("sum", {"sum": {"of": [_RESTART, {"constant": {"value": LOW}}]}}),),
        "clamp": (
            shares("clamp", {"clamp": {"schedule": _RESTART, "minimum": 1e-4, "maximum": 3e-3}}),
        ),
        "quantize": (shares("quantize", {"quantize": {"schedule": _RESTART, "every": "0.3%"}}),),
        "advance": (
            shares(
                "advance",
                [
                    {"linear": {"initial": LOW, "final": PEAK, "length": "5%"}},
                    {"advance": {"schedule": _DECAY}},
                ],
            ),
        ),
    }
)
