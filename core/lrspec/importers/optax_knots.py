"""The schedules of optax that go from one boundary to the next (optax/schedules/_schedule.py).

`boundaries_and_scales` maps steps to factors; the value at a boundary is that of the one before
times its factor. Between boundaries it is joined by lines or half cosines; the last one holds.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from operator import mul

from lrspec.importing.config import Config
from lrspec.importing.joining import Stage
from lrspec.importing.nodes import Node, constant, cosine, linear, piecewise_linear
from lrspec.importing.run import Run
from lrspec.scalars import number

# Up to this many stretches are stages of their own.
_STAGES = 4


def scaled(config: Config, initial: float) -> tuple[list[float], list[float]]:
    """The boundaries in their order, and the values before, between and after them."""
    if "boundaries_and_scales" not in config:
        config.ignore("boundaries_and_scales")
        return [], [initial]
    section = config.section("boundaries_and_scales")
    found: dict[float, float] = {}
    for key in section.data:
        boundary = number(key)
        if boundary is None:
            section.fail("wrong-type", f"a boundary is a number of steps, found {key!r}", key)
        if boundary in found:
            section.fail("boundaries-order", f"the boundary {boundary} stands twice", key)
        found[float(boundary)] = section.number(key, least=0)
    section.done()
    return _cumulative(initial, found)


def _cumulative(initial: float, scales: dict[float, float]) -> tuple[list[float], list[float]]:
    pairs = sorted(scales.items())
    values = list(accumulate((scale for _, scale in pairs), mul, initial=initial))
    return [boundary for boundary, _ in pairs], values


def piecewise_interpolate(config: Config, run: Run) -> list[Stage]:
    """Lines or half cosines between boundaries."""
    kind = config.choice("interpolate_type", ("linear", "cosine"), what="interpolate_type")
    boundaries, values = scaled(config, config.number("init_value"))
    for boundary in boundaries:
        if boundary < 0 or boundary != int(boundary):
            message = f"a boundary is a whole number of at least 0, found {boundary:g}"
            config.fail("out-of-range", message, "boundaries_and_scales")
    return _through(boundaries, values, linear if kind == "linear" else cosine)


def linear_onecycle(config: Config, run: Run) -> list[Stage]:
    """Up, down again and further down, in straight lines."""
    total, peak, divisor, last = _cycle(config)
    return _onecycle(
        peak / divisor,
        {
            _share(config, run, "pct_start", 0.3, total): divisor,
            _share(config, run, "pct_final", 0.85, total): 1 / divisor,
            total: 1 / last,
        },
        linear,
    )


def cosine_onecycle(config: Config, run: Run) -> list[Stage]:
    """Up and down, in half cosines."""
    total, peak, divisor, last = _cycle(config)
    first = _share(config, run, "pct_start", 0.3, total)
    return _onecycle(peak / divisor, {first: divisor, total: 1 / (divisor * last)}, cosine)


def _cycle(config: Config) -> tuple[int, float, float, float]:
    total, peak = config.whole("transition_steps", least=1), config.number("peak_value")
    divisor = config.number("div_factor", 25.0, above=0)
    return total, peak, divisor, config.number("final_div_factor", 1e4, above=0)


def _share(config: Config, run: Run, key: str, default: float, total: int) -> int:
    """A fraction of the cycle, truncated to whole steps."""
    share = config.number(key, default, least=0)
    steps = int(share * total)
    if abs(share * total - steps) > 1e-9 * total:
        run.say(f"{key} {share:g} of {total} steps is truncated to {steps}.")
    return steps


def _onecycle(
    initial: float, scales: dict[int, float], between: Callable[[float, float], Node]
) -> list[Stage]:
    # Of boundaries that fall on one step a mapping keeps the last factor, as it does in optax.
    boundaries, values = _cumulative(initial, {float(k): v for k, v in scales.items()})
    return _through(boundaries, values, between)


def _through(
    boundaries: list[float], values: list[float], between: Callable[[float, float], Node]
) -> list[Stage]:
    """From value to value, the first one at step 0."""
    knots = [0.0, *boundaries]
    if len(knots) > 1 and knots[1] == 0:
        knots, values = knots[1:], values[1:]
    if len(knots) == 1:
        return [Stage(constant(values[0]))]
    if len(knots) > _STAGES + 1 and between is linear:
        return [Stage(piecewise_linear(knots, values))]
    return [
        Stage(between(values[i], values[i + 1]), knots[i + 1] - knots[i])
        for i in range(len(knots) - 1)
    ]
