"""OneCycleLR and CosineRestartLR of mmengine, against their formulas and step by step."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, refused

from lrspec.importers.mmengine import load

RATE = {"lr": 0.1}
ONE_CYCLE = {"type": "OneCycleLR", "eta_max": 0.5, "by_epoch": False}


def one_cycle(
    step: int,
    total: int,
    *,
    share: float = 0.3,
    line: bool = False,
    three_phases: bool = False,
    high: float = 0.5,
) -> float:
    """The policy over `total` steps: start = high/25, end = start/10⁴. The last phase is that of
    every step after those before it."""
    start = high / 25
    end = start / 1e4
    phases = [(share * total - 1, start, high), (total - 1, high, end)]
    if three_phases:
        phases[1:] = [(2 * share * total - 2, high, start), (total - 1, start, end)]
    begin = 0.0
    for stop, first, last in phases[:-1]:
        if step <= stop:
            return between(first, last, (step - begin) / (stop - begin), line)
        begin = stop
    stop, first, last = phases[-1]
    return between(first, last, (step - begin) / (stop - begin), line)


def between(first: float, last: float, passed: float, line: bool) -> float:
    progress = passed if line else (1 - math.cos(math.pi * passed)) / 2
    return first + (last - first) * progress


SHAPES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"pct_start": 0.45, "anneal_strategy": "linear"}, {"share": 0.45, "line": True}),
    ({"three_phase": True}, {"three_phases": True}),
    # The first phase ends before the first step: 0.02·20 − 1 < 0.
    ({"pct_start": 0.02}, {"share": 0.02}),
]


@pytest.mark.parametrize(("config", "shape"), SHAPES)
@pytest.mark.parametrize("by_epoch", [False, True])
@pytest.mark.parametrize("end", [20, 19, 12, 2, 1])
def test_one_cycle(config: dict[str, Any], shape: dict[str, Any], by_epoch: bool, end: int) -> None:
    """After its range the last value stays, whether the policy has come to its end or not."""
    given = {**ONE_CYCLE, **config, "total_steps": 20, "end": end, "by_epoch": by_epoch}
    document = load([given, RATE], steps=100, steps_per_epoch=3)
    each = 3 if by_epoch else 1
    assert_curve(document, lambda s: one_cycle(min(s // each, end - 1), 20, **shape), range(100))


def test_one_cycle_has_the_length_of_its_range() -> None:
    given = {**ONE_CYCLE, "begin": 10, "end": 40}
    document = load([given, RATE], steps=60)
    assert_curve(
        document,
        lambda s: 0.1 if s < 10 else one_cycle(min(s - 10, 29), 30),
        range(60),
    )
    # Where the run ends with the cycle, so does the document.
    assert_curve(load([given, RATE], steps=40), lambda s: one_cycle(s - 10, 30), range(10, 40))


def test_one_cycle_without_an_end_is_that_of_torch() -> None:
    """It may be stepped as far as total_steps, once more than it has steps."""
    document = load([{**ONE_CYCLE, "total_steps": 20}, RATE])
    assert_curve(document, lambda s: one_cycle(s, 20), range(21))


def test_one_cycle_counts_epochs_that_are_converted_to_updates() -> None:
    given = {**ONE_CYCLE, "by_epoch": True, "convert_to_iter_based": True}
    document = load([{**given, "total_steps": 6, "end": 6}, RATE], steps=30, steps_per_epoch=5)
    assert_curve(document, lambda s: one_cycle(s, 30), range(30))


def test_what_is_built_after_one_cycle_takes_its_start_for_the_rate_of_the_optimizer() -> None:
    """Minimum and rate after T_max of a later CosineAnnealingLR go by eta_max/25 and not by lr."""
    cycle = {**ONE_CYCLE, "eta_max": 1, "end": 10}
    ratio = 0.5
    cosine = {"type": "CosineAnnealingLR", "eta_min_ratio": ratio, "T_max": 20}
    document = load([cycle, {**cosine, "by_epoch": False, "begin": 10, "end": 30}, RATE], steps=50)
    low = ratio / 25
    rates = [one_cycle(s, 10, high=1) for s in range(10)]
    # CosineAnnealingLR changes nothing in the first step of its range.
    rates.append(rates[-1])
    for r in range(1, 20):
        ratio_of = (1 + math.cos(math.pi * r / 20)) / (1 + math.cos(math.pi * (r - 1) / 20))
        rates.append(ratio_of * (rates[-1] - low) + low)
    assert_curve(document, lambda s: rates[min(s, 29)], range(50))


def restarts(step: int, periods: list[int], weights: list[float], low: float) -> float:
    """Half a cosine from 0.1 times its weight in every period, then the last value."""
    step = min(step, sum(periods) - 1)
    index = 0
    while step >= periods[index]:
        step -= periods[index]
        index += 1
    passed = step / periods[index]
    return low + (0.1 * weights[index] - low) * (1 + math.cos(math.pi * passed)) / 2


@pytest.mark.parametrize("by_epoch", [False, True])
@pytest.mark.parametrize("end", [None, 30, 13, 7])
def test_cosine_restarts(by_epoch: bool, end: int | None) -> None:
    periods, weights = [7, 10, 4], [1.0, 0.5, 0.25]
    config = {"type": "CosineRestartLR", "periods": periods, "restart_weights": weights}
    given: dict[str, Any] = {**config, "eta_min_ratio": 0.1, "by_epoch": by_epoch}
    given |= {} if end is None else {"end": end}
    each = 4 if by_epoch else 1
    document = load([given, RATE], steps=200, steps_per_epoch=4)
    last = 10**6 if end is None else end - 1
    assert_curve(
        document, lambda s: restarts(min(s // each, last), periods, weights, 0.01), range(200)
    )


def test_the_last_restart_ends_at_the_minimum_where_the_run_does() -> None:
    config = {"type": "CosineRestartLR", "periods": [5, 5], "restart_weights": [1, 1]}
    document = load([{**config, "eta_min": 0, "by_epoch": False}, RATE], steps=10)
    assert_curve(document, lambda s: restarts(s, [5, 5], [1, 1], 0), range(10))
    assert document.bind()(10) == 0
    assert document.notes == (
        "From step 10 on mmengine stays at the rate of its last step, 0.00954915; the document goes"
        " on to 0 and stays there.",
    )


RESTART = {"type": "CosineRestartLR", "periods": [9], "eta_min": 0, "by_epoch": False}
REFUSED: list[tuple[list[dict[str, Any]], str, str]] = [
    (
        [{**ONE_CYCLE, "total_steps": 20, "end": 30}],
        "/param_scheduler/0",
        "OneCycleLR goes on beyond its 20 steps, where mmengine soon fails",
    ),
    (
        [{**ONE_CYCLE, "total_steps": 20, "pct_start": 1.0}],
        "/param_scheduler/0",
        "the phases of OneCycleLR before the last one do not leave it a step",
    ),
    (
        [{**ONE_CYCLE, "total_steps": 10, "pct_start": 0.1}],
        "/param_scheduler/0",
        "mmengine divides by zero where the first phase ends at step 0",
    ),
    (
        [{**RESTART, "begin": 40}, {**ONE_CYCLE, "end": 30}],
        "/param_scheduler/1",
        "several schedulers share the rates of OneCycleLR",
    ),
    (
        [{**ONE_CYCLE, "type": "OneCycleParamScheduler", "param_name": "momentum", "end": 9}],
        "/param_scheduler/0/param_name",
        "mmengine has OneCycleParamScheduler for lr alone",
    ),
]


@pytest.mark.parametrize(("schedulers", "path", "message"), REFUSED)
def test_refused(schedulers: list[dict[str, Any]], path: str, message: str) -> None:
    problem = refused(load, [*schedulers, {"lr": 0.1, "momentum": 0.9}])
    assert (problem.code, problem.path, problem.message) == ("not-importable", path, message)


def test_one_cycle_has_no_class_for_the_momentum() -> None:
    problem = refused(load, [{**ONE_CYCLE, "type": "OneCycleMomentum"}, RATE])
    assert (problem.code, problem.path) == ("unknown-schedule", "/param_scheduler/0/type")
    assert problem.message.startswith("unknown scheduler 'OneCycleMomentum'; known are ")
