"""`WarmupPolyLR` of detectron2's DeepLab, which MaskFormer and others have from there.

With s the step, B the rate, T `MAX_ITER`, w the warmup and f its factor: B·(1 − s/T)^power, no less
than B times the constant ending from w on, times f + (1 − f)·s/w, or f, while s < w.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.nodes import Node, Schedule, clamp, constant, linear, polynomial, product
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

NAME = "WarmupPolyLR"


def warmup_poly(
    solver: Config, run: Run, base: float, total: int, warmup: int, factor: float, method: str
) -> Schedule:
    """The schedule, in rates."""
    power = solver.number("POLY_LR_POWER", 0.9, above=0)
    ending = solver.number("POLY_LR_CONSTANT_ENDING", 0.0, least=0, most=1)
    if "POLY_LR_POWER" not in solver:
        run.say("POLY_LR_POWER is not given; it is 0.9, the default of DeepLab.")
    fall: Node = polynomial(base, 0, power=power)
    if ending:
        if (1 - min(warmup / total, 1)) ** power < ending:
            solver.refuse("the constant ending begins inside the warmup, which leaves it out")
        fall = clamp(fall, minimum=base * ending)
    if not warmup or factor == 1:
        return fall
    run.say("The warmup is a factor of the decay, which begins with the run.")
    if method == "linear":
        return product(fall, linear(factor, 1, warmup))
    return product(fall, stages(constant(factor, warmup), constant(1)))
