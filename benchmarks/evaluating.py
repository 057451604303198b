"""A curve at one step, against a closure of the same formula and against libraries of schedules in
pure Python, and with many knots against few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from benchmarks import schedules
from benchmarks.measuring import over, race, ratios
from benchmarks.rows import Missing, Row, at_least, at_most
from lrspec.loading import from_dict

STEPS = 88_004


def measure() -> Iterator[Row | Missing]:
    """Random steps: nothing is to be gained from the step before."""
    steps = [Random(0).randrange(STEPS) for _ in range(1000)]
    for name, document, closure in (
        ("production", schedules.production(STEPS), schedules.production_by_hand(STEPS)),
        ("warmup-cosine", schedules.warmup_cosine(STEPS), schedules.warmup_cosine_by_hand(STEPS)),
        ("inverse-sqrt", schedules.inverse_sqrt(), schedules.inverse_sqrt_by_hand()),
    ):
        curve = from_dict(document).bind()
        ours, theirs = race(over(steps, curve), over(steps, closure))
        yield Row(f"curve(step) / closure by hand, {name}", ratios(ours, theirs), at_most(2))

    curve = from_dict(schedules.warmup_cosine(STEPS)).bind()
    for library, peer in (("fvcore", _fvcore), ("lrsched", _lrsched)):
        if find_spec(library) is None:
            yield Missing(f"{library}: not installed")
            continue
        ours, theirs = race(over(steps, curve), over(steps, peer()))
        yield Row(f"{library} / curve(step), warmup-cosine", ratios(theirs, ours), at_least(2))

    few, many = from_dict(schedules.knots(4)).bind(), from_dict(schedules.knots(100_000)).bind()
    short = [Random(1).randrange(40) for _ in range(1000)]
    long = [Random(1).randrange(1_000_000) for _ in range(1000)]
    slow, quick = race(over(long, many), over(short, few))
    yield Row("curve(step), 100,000 knots / 4 knots", ratios(slow, quick), at_most(10))


def _fvcore() -> Callable[[int], float]:
    """Its composite of a line and a cosine, in parts of the run."""
    fvcore: Any = import_module("fvcore.common.param_scheduler")
    scheduler = fvcore.CompositeParamScheduler(
        [fvcore.LinearParamScheduler(0, 3e-4), fvcore.CosineParamScheduler(3e-4, 3e-5)],
        lengths=[0.02, 0.98],
        interval_scaling=["rescaled", "rescaled"],
    )
    return lambda step: scheduler(step / STEPS)


def _lrsched() -> Callable[[int], float]:
    """Its cosine behind its warmup."""
    lrsched: Any = import_module("lrsched")
    warmup = STEPS // 50
    decay = lrsched.cosine(base_lr=3e-4, min_lr=3e-5, total_steps=STEPS - warmup)
    rate: Callable[[int], float] = lrsched.with_warmup(decay, warmup_steps=warmup, start_lr=0.0)
    return rate
