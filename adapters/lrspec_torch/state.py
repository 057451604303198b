"""The state of a scheduler: a position and the fingerprint of the schedule it is a position in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from operator import index
from typing import Any

from lrspec.curve import Curve

# Enough of a fingerprint to tell two apart; so many `repr` of a curve shows.
_DIGITS = 12


def fingerprint(curves: Mapping[str, Curve]) -> str:
    """The fingerprint of all scheduled names; that of the curve itself where it is lr alone."""
    if list(curves) == ["lr"]:
        return curves["lr"].fingerprint
    each = {name: curve.fingerprint for name, curve in curves.items()}
    return sha256(json.dumps(each, sort_keys=True).encode()).hexdigest()


def whole(value: Any, least: int, name: str) -> int:
    """`value` as an int; TypeError or ValueError unless it is a whole number ≥ `least`."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    number = index(value)
    if number < least:
        raise ValueError(f"{name} is {least} or more, not {value!r}")
    return number


def position(
    state: Mapping[str, object],
    expected: str,
    *,
    adopt: bool,
    rates: Callable[[int], Sequence[float]] | None,
) -> int:
    """The `last_epoch` of a loaded state; `rates` gives those of this schedule at a step, which an
    error shows where all groups have the same.

    Errors: ValueError when the state has none, or when its fingerprint is not `expected` and
    positions in other schedules are not to be adopted; TypeError when it is no whole number.
    """
    if "last_epoch" not in state:
        raise ValueError(f"not the state of a scheduler: it has {sorted(state)}, no last_epoch")
    last_epoch = whole(state["last_epoch"], -1, "last_epoch")
    found = state.get("fingerprint")
    if found != expected and not adopt:
        step = max(last_epoch, 0)
        now = set[float]() if rates is None else {*rates(step)}
        rate = f" at rate {now.pop():.9g}" if len(now) == 1 else ""
        origin, cause = "no fingerprint", ""
        if found is not None:
            origin = f"fingerprint {str(found)[:_DIGITS]}…"
            cause = "the document, steps or base is another: compare the two with lrspec diff; "
        raise ValueError(
            f"the state, at step {step}, comes from another schedule: it has {origin}, this "
            f"schedule has fingerprint {expected[:_DIGITS]}…; {cause}with on_mismatch='adopt' the "
            f"scheduler goes on from step {step}{rate}"
        )
    return last_epoch
