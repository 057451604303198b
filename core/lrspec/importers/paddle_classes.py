"""The schedulers of paddle.optimizer.lr, each as a schedule.

In what follows s is the step and B `learning_rate`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.importers.torch_classes import SHAPES, drops, staircase
from lrspec.importing.classes import say_defaults
from lrspec.importing.config import Config
from lrspec.importing.cycles import OneCycle, cyclic, warm_restarts
from lrspec.importing.nodes import (
    Schedule,
    advance,
    constant,
    cosine,
    exponential,
    inverse_sqrt,
    linear,
    piecewise_constant,
    polynomial,
    power_law,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

MOST_CYCLES = 1000


@dataclass
class Curve:
    """A schedule, what it is best written in multiples of, and its own length."""

    schedule: Schedule
    base: float
    steps: int | None = None


Read: TypeAlias = Callable[[Config, Run], Curve]


def rate_of(config: Config, key: str = "learning_rate") -> float:
    """A rate of at least 0."""
    return config.number(key, least=0)


def noam(config: Config, run: Run) -> Curve:
    """NoamDecay: B·d_model^−½·min(s^−½, s·w^−1.5), which is 0 at first."""
    rate = config.number("learning_rate", 1.0, least=0)
    width = config.number("d_model", above=0)
    warmup = config.whole("warmup_steps", least=1)
    peak = rate * width**-0.5 * warmup**-0.5
    run.say(f"The peak is learning_rate/√(d_model·warmup_steps), {peak:.6g}; the first rate is 0.")
    return Curve(stages(linear(0, peak, warmup), inverse_sqrt(peak, warmup)), peak)


def piecewise(config: Config, run: Run) -> Curve:
    """PiecewiseDecay: values[i] before boundaries[i], the last value from the last one on."""
    boundaries, values = config.wholes("boundaries"), config.numbers("values")
    if not boundaries or len(values) <= len(boundaries):
        message = f"{len(boundaries)} boundaries, one at least, take a value more"
        config.fail("values-number", f"{message}; found {len(values)}", "values")
    if boundaries != sorted(set(boundaries)):
        config.fail("boundaries-order", "boundaries increase", "boundaries")
    if len(values) > len(boundaries) + 1:
        run.say("Paddle takes the last of the values after the last boundary, and skips others.")
    taken = [*values[: len(boundaries)], values[-1]]
    return Curve(piecewise_constant(boundaries, taken), max(values))


def natural(config: Config, run: Run) -> Curve:
    """NaturalExpDecay: B·e^(−gamma·s)."""
    rate, gamma = rate_of(config), config.number("gamma", above=0)
    factor = math.exp(-gamma)
    if factor == 0:
        return Curve(piecewise_constant([1], [rate, 0]), rate)
    run.say(f"The factor of a step is e^-{gamma:g}.")
    return Curve(exponential(rate, factor, 1), rate)


def inverse(config: Config, run: Run) -> Curve:
    """InverseTimeDecay: B/(1 + gamma·s)."""
    rate, gamma = rate_of(config), config.number("gamma", least=0)
    if gamma == 0:
        return Curve(constant(rate), rate)
    return Curve(power_law(rate, 1 / gamma, 1), rate)


def polynomial_decay(config: Config, run: Run) -> Curve:
    """PolynomialDecay: (B − e)·(1 − s/N)^power + e; with `cycle` N is the next multiple of it."""
    say_defaults(config, run, end_lr="1e-4", power=1)
    rate, low = rate_of(config), config.number("end_lr", 1e-4)
    length = config.whole("decay_steps", least=1)
    power = config.number("power", 1.0, above=0)
    if not config.flag("cycle", False):
        return Curve(polynomial(rate, low, length, power=power), rate)
    why = "with cycle each decay is longer than the one before, and to write them takes the steps"
    total = run.needs_steps(config, why=why)
    count = math.ceil(total / length)
    if count > MOST_CYCLES:
        config.refuse(f"{count} decays are too many to write one by one", "decay_steps")
    run.say(f"The decays are written one by one, as far as step {count * length}.")
    parts: list[Schedule] = [polynomial(rate, low, length, power=power)]
    for i in range(1, count if length > 1 else 1):
        # The last step of a decay still belongs to it.
        decay = polynomial(rate, low, (i + 1) * length, power=power)
        parts += [constant(low, 1), advance(decay, i * length + 1, length - 1)]
    return Curve(stages(*parts), rate)


def exponential_decay(config: Config, run: Run) -> Curve:
    """ExponentialDecay: B·gamma^s."""
    gamma = config.number("gamma", above=0)
    below_one(config, gamma)
    rate = rate_of(config)
    return Curve(exponential(rate, gamma, 1), rate)


def below_one(config: Config, gamma: float) -> None:
    """Refuses a factor that would not make the rate smaller."""
    if gamma >= 1:
        config.fail("out-of-range", f"expected less than 1, found {gamma:g}", "gamma")


def multi_step(config: Config, run: Run) -> Curve:
    """MultiStepDecay: B·gamma^(number of milestones ≤ s)."""
    say_defaults(config, run, gamma=0.1)
    gamma = config.number("gamma", 0.1)
    below_one(config, gamma)
    milestones = config.wholes("milestones")
    if milestones != sorted(set(milestones)):
        config.fail("boundaries-order", "milestones increase", "milestones")
    rate = rate_of(config)
    return Curve(drops(rate, gamma, milestones, config), rate)


def step(config: Config, run: Run) -> Curve:
    """StepDecay: B·gamma^⌊s/step_size⌋."""
    say_defaults(config, run, gamma=0.1)
    gamma = config.number("gamma", 0.1)
    below_one(config, gamma)
    rate = rate_of(config)
    return Curve(staircase(rate, gamma, config.whole("step_size", least=1), config), rate)


def multiplicative(config: Config, run: Run) -> Curve:
    """MultiplicativeDecay: B·∏ λ(i), read only where the text of λ is a number."""
    rate = rate_of(config)
    text = config.text("lr_lambda") if isinstance(config.raw("lr_lambda"), str) else ""
    found = re.fullmatch(r"lambda \w+: *([0-9.]+(?:e-?[0-9]+)?)", text.strip())
    if found is None:
        config.refuse("MultiplicativeDecay multiplies by a function of the user's", "lr_lambda")
    factor = config.inner({"factor": found[1]}, "lr_lambda").number("factor", least=0)
    run.say(f"The function gives {factor:g} at every step.")
    return Curve(staircase(rate, factor, 1, config), rate)


def cosine_decay(config: Config, run: Run) -> Curve:
    """CosineAnnealingDecay: η + (B − η)·½(1 + cos πs/T), which climbs again after T."""
    length = config.whole("T_max", least=1)
    run.say(f"After its T_max of {length} steps the rate climbs back, as it does in Paddle.")
    rate = rate_of(config)
    return Curve(cosine(rate, config.number("eta_min", 0.0), length, extend=True), rate)


def one_cycle(config: Config, run: Run) -> Curve:
    """OneCycleLR: max/divide_factor → max → end_learning_rate, which is a rate."""
    say_defaults(
        config,
        run,
        phase_pct=0.3,
        divide_factor=25,
        end_learning_rate="1e-4",
        anneal_strategy="cos",
    )
    high, low = (
        rate_of(config, "max_learning_rate"),
        config.number("end_learning_rate", 1e-4, least=0),
    )
    total = config.whole("total_steps", least=1)
    share = config.number("phase_pct", 0.3, least=0, most=1)
    three = config.flag("three_phase", False)
    if three and share >= 0.5:
        message = f"three phases take less than 0.5, found {share:g}"
        config.fail("out-of-range", message, "phase_pct")
    shape = config.choice("anneal_strategy", ("cos", "linear"), "cos", what="anneal_strategy")
    divisor = config.number("divide_factor", 25.0)
    if divisor == 0:
        config.fail("out-of-range", "divide_factor divides the rate, and is 0", "divide_factor")
    cycle = OneCycle(
        config,
        total,
        share,
        shape="cosine" if shape == "cos" else "linear",
        three_phases=three,
        system="Paddle",
    )
    start = high / divisor
    schedule = cycle.schedule(start, high, *((start, low) if three else (low,)))
    if not cycle.is_cut:
        run.say(f"The formula goes on beyond step {total - 1}; Paddle stops after step {total}.")
    return Curve(schedule, high, total)


def cyclic_lr(config: Config, run: Run) -> Curve:
    """CyclicLR: base → max → base; `exp_gamma` in every step, or half in every cycle."""
    low, high = config.number("base_learning_rate"), rate_of(config, "max_learning_rate")
    up = config.whole("step_size_up", least=1)
    down = config.whole("step_size_down", up, least=1)
    if config.raw("scale_fn", None) is not None:
        config.refuse("scale_fn is a function of the user's", "scale_fn")
    config.ignore("scale_mode")
    mode = config.choice("mode", SHAPES, "triangular", what="mode")
    gamma = config.number("exp_gamma", 1.0)
    if mode == "exp_range" and gamma < 0:
        config.refuse("a negative factor changes the sign again and again", "exp_gamma")
    return Curve(cyclic(low, high, up, down, mode=mode, gamma=gamma), high)


def linear_lr(config: Config, run: Run) -> Curve:
    """LinearLR: B·(a + (b − a)·min(s, N)/N)."""
    say_defaults(config, run, start_factor="1/3", end_factor=1)
    rate, length = rate_of(config), config.whole("total_steps", least=1)
    start = config.number("start_factor", 1 / 3, above=0, most=1)
    end = config.number("end_factor", 1.0, least=0, most=1)
    return Curve(linear(rate * start, rate * end, length), rate)


def restarts(config: Config, run: Run) -> Curve:
    """CosineAnnealingWarmRestarts: half a cosine of T_0·T_multⁱ steps, again and again."""
    first, factor = config.whole("T_0", least=1), config.whole("T_mult", 1, least=1)
    rate = rate_of(config)
    return Curve(warm_restarts(rate, config.number("eta_min", 0.0), first, factor), rate)


CLASSES: dict[str, Read] = {
    "NoamDecay": noam,
    "PiecewiseDecay": piecewise,
    "NaturalExpDecay": natural,
    "InverseTimeDecay": inverse,
    "PolynomialDecay": polynomial_decay,
    "ExponentialDecay": exponential_decay,
    "MultiStepDecay": multi_step,
    "StepDecay": step,
    "MultiplicativeDecay": multiplicative,
    "CosineAnnealingDecay": cosine_decay,
    "OneCycleLR": one_cycle,
    "CyclicLR": cyclic_lr,
    "LinearLR": linear_lr,
    "CosineAnnealingWarmRestarts": restarts,
}
REFUSED = {
    "LambdaDecay": "multiplies the rate by a function of the user's",
    "ReduceOnPlateau": "goes by a metric of the training",
}
