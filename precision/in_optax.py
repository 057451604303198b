"""Our schedule for optax."""

from __future__ import annotations

from typing import Any

from lrspec.loading import from_dict
from lrspec_optax import schedule
from precision.framework import Answer
from precision.in_jax import by_all_ways
from precision.runs import Steps


def ours(document: dict[str, Any], steps: Steps) -> Answer:
    """The rates, compiled, mapped, in a loop, as one array and one by one."""
    return by_all_ways(schedule(from_dict(document)), steps)
