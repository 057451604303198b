"""detectron2: `SOLVER` of a configuration, or `lr_multiplier` of a lazy one (detectron2/solver)."""

from __future__ import annotations

import math

from lrspec.hints import closest
from lrspec.importers.bases import with_bases
from lrspec.importers.detectron2_poly import NAME, warmup_poly
from lrspec.importers.fvcore import Reader, imported, warmed
from lrspec.importers.fvcore_classes import (
    Curve,
    Smooth,
    gamma_table,
    milestone_table,
)
from lrspec.importing.classes import say_defaults
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import cosine
from lrspec.importing.run import Run

_KEYS = (
    *("LR_SCHEDULER_NAME", "MAX_ITER", "BASE_LR", "BASE_LR_END", "GAMMA", "STEPS", "NUM_DECAYS"),
    *("WARMUP_ITERS", "WARMUP_FACTOR", "WARMUP_METHOD", "RESCALE_INTERVAL"),
)
_NAMES = ("WarmupMultiStepLR", "WarmupCosineLR", "WarmupStepWithFixedGammaLR", NAME)
# What only WarmupPolyLR reads.
_POLY = ("POLY_LR_POWER", "POLY_LR_CONSTANT_ENDING")
# What `SOLVER` says beside the schedule of the rate.
_ELSEWHERE = (
    "AMP",
    "BIAS_LR_FACTOR",
    "CHECKPOINT_PERIOD",
    "CLIP_GRADIENTS",
    "IMS_PER_BATCH",
    "MOMENTUM",
    "NESTEROV",
    "OPTIMIZER",
    "REFERENCE_WORLD_SIZE",
    "WEIGHT_DECAY",
    "WEIGHT_DECAY_BIAS",
    "WEIGHT_DECAY_EMBED",
    "WEIGHT_DECAY_NORM",
)
_ALL_STEPS = 40000
# A key of a project's own with one of these in it may change the curve.
_ABOUT_RATES = ("LR", "WARMUP", "STEP", "ITER", "GAMMA", "SCHED", "POLY", "COS")


@importer("detectron2")
def load(config: Config, run: Run) -> Imported:
    """The document of a detectron2 configuration: a whole one, or its `SOLVER`; of a lazy one
    `lr_multiplier` with `optimizer.lr` and `train.max_iter`."""
    if "lr_multiplier" in config:
        return _lazy(config, run)
    solver = config = with_bases(config, run)
    if "SOLVER" in config:
        solver = config.section("SOLVER")
        config.ignore_rest()
    solver.ignore(*_ELSEWHERE)
    _leave_others(solver, run)
    name = solver.choice(
        "LR_SCHEDULER_NAME",
        _NAMES,
        "WarmupMultiStepLR",
        what="scheduler",
        code="unknown-schedule",
    )
    say_defaults(
        solver,
        run,
        LR_SCHEDULER_NAME=name,
        MAX_ITER=_ALL_STEPS,
        WARMUP_ITERS=1000,
        WARMUP_FACTOR=0.001,
    )
    total = run.steps(solver, "MAX_ITER")
    if total is None:
        total = _ALL_STEPS
        say_defaults(solver, run, MAX_ITER=_ALL_STEPS)
    base = run.base(solver, "BASE_LR")
    if base is None:
        base = 0.001
        say_defaults(solver, run, BASE_LR=0.001)
    if base <= 0:
        solver.fail("out-of-range", f"expected more than 0, found {base:g}", "BASE_LR")
    warmup = solver.whole("WARMUP_ITERS", 1000)
    factor = solver.number("WARMUP_FACTOR", 0.001)
    methods = ("linear", "constant")
    method = solver.choice("WARMUP_METHOD", methods, "linear", what="WARMUP_METHOD")
    rescale = solver.flag("RESCALE_INTERVAL", False)
    if name == NAME:
        schedule = warmup_poly(solver, run, base, total, warmup, factor, method)
    else:
        curve = _curve(name, solver, run, base, total)
        share = min(warmup / total, 1.0)
        phases = warmed(curve, factor, share, method, rescale, run, warmup)
        schedule = Reader(run, base, total).phases(phases, solver)
    solver.ignore("BASE_LR_END", "GAMMA", "STEPS", "NUM_DECAYS", *_POLY)
    solver.done()
    return run.document(schedule, origin=name, base=base, steps=total)


def _leave_others(solver: Config, run: Run) -> None:
    """Leave what projects add to `SOLVER`, but for what may change the curve or be misspelt."""
    for key in solver.keys():  # noqa: SIM118 - it is no mapping
        is_known = key in _ELSEWHERE or any(word in key.upper() for word in _ABOUT_RATES)
        if is_known or not key.isupper() or closest(key, _KEYS) is not None:
            continue
        solver.ignore(key)
        if key.endswith("_MULTIPLIER"):
            run.say(f"{key} gives some parameters another rate; this is that of the others.")


def _curve(name: str, solver: Config, run: Run, base: float, total: int) -> Curve:
    if name == "WarmupCosineLR":
        end = solver.number("BASE_LR_END", 0.0, least=0, most=base) / base
        return _half_cosine(end)
    say_defaults(solver, run, GAMMA=0.1)
    gamma = solver.number("GAMMA", 0.1, above=0)
    if name == "WarmupStepWithFixedGammaLR":
        say_defaults(solver, run, NUM_DECAYS=3)
        return gamma_table(1.0, gamma, solver.whole("NUM_DECAYS", 3, least=1), total, solver)
    say_defaults(solver, run, STEPS="(30000,)")
    steps = solver.wholes("STEPS", [30000])
    kept = [step for step in steps if step <= total]
    if kept != steps:
        run.say(f"STEPS after the {total} of MAX_ITER are left out.")
    if kept != sorted({*kept}) or any(not 0 < step < total for step in kept):
        message = f"STEPS increase, from above 0 to below the {total} of MAX_ITER"
        solver.fail("boundaries-order", message, "STEPS")
    return milestone_table([gamma**k for k in range(len(kept) + 1)], kept, total)


def _half_cosine(end: float) -> Smooth:
    return Smooth(
        lambda where: end + 0.5 * (1 - end) * (1 + math.cos(math.pi * where)),
        lambda scale: cosine(scale, scale * end),
    )


def _lazy(config: Config, run: Run) -> Imported:
    multiplier = config.section("lr_multiplier")
    optimizer, train = config.section("optimizer", {}), config.section("train", {})
    for part in (config, optimizer, train):
        part.ignore_rest()
    base = run.base(optimizer, "lr")
    return imported(multiplier, run, base, run.steps(train, "max_iter"))
