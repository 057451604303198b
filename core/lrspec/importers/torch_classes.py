"""The classes of torch.optim.lr_scheduler, each as the curves that it drives.

In what follows s is the number of calls of `step()`, B the rate of the optimizer, T a length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.importing.classes import one_rate, say_defaults
from lrspec.importing.config import Config
from lrspec.importing.cycles import OneCycle, cyclic, warm_restarts
from lrspec.importing.nodes import (
    Node,
    Schedule,
    constant,
    cosine,
    exponential,
    linear,
    piecewise_constant,
    polynomial,
)
from lrspec.importing.run import Run


@dataclass
class Curves:
    """What a scheduler drives: rates, and with some of them the momentum.

    `base` is what the rates are best written in multiples of, None where the optimizer's is not
    known. `changes` says how a step comes to its rate: `times` a factor that depends on the step
    alone, `affine` in the rate before, or `sets` it whatever it was; `mixed` is now this and now
    that. `initial` is the rate that schedulers built afterwards take for the optimizer's; None
    where it stays what it was.
    """

    rate: Schedule
    base: float | None
    changes: str = "times"
    momentum: Schedule | None = None
    initial: float | None = None
    steps: int | None = None


@dataclass
class Own:
    """The rate of the optimizer: `rate` is 1 where it is not known."""

    base: float | None
    run: Run

    @property
    def rate(self) -> float:
        """What values are computed with."""
        return 1.0 if self.base is None else self.base

    def needed(self, why: str) -> float:
        """The rate where one that is not known will not do."""
        return self.run.missing("base", "lr", why) if self.base is None else self.base


Read: TypeAlias = Callable[[Config, Run, Own], Curves]

SHAPES = ("triangular", "triangular2", "exp_range")


def step(config: Config, run: Run, own: Own) -> Curves:
    """StepLR: B·gamma^⌊s/step_size⌋."""
    say_defaults(config, run, gamma=0.1)
    size = config.whole("step_size", least=1)
    return Curves(staircase(own.rate, config.number("gamma", 0.1), size, config), own.base)


def staircase(rate: float, gamma: float, size: int, config: Config) -> Schedule:
    """rate·gamma^⌊s/size⌋."""
    if gamma == 1:
        return constant(rate)
    if gamma == 0:
        return piecewise_constant([size], [rate, 0])
    if gamma < 0:
        config.refuse("a negative gamma changes the sign of the rate again and again", "gamma")
    return exponential(rate, gamma, size, staircase=size > 1)


def multi_step(config: Config, run: Run, own: Own) -> Curves:
    """MultiStepLR: B·gamma^(number of milestones ≤ s)."""
    say_defaults(config, run, gamma=0.1)
    milestones = sorted(config.wholes("milestones"))
    return Curves(drops(own.rate, config.number("gamma", 0.1), milestones, config), own.base)


def drops(rate: float, gamma: float, milestones: list[int], config: Config) -> Schedule:
    """rate·gamma^(number of milestones ≤ s); one that stands twice counts twice."""
    bounds = sorted(set(milestones) - {0})
    counts = [sum(m <= bound for m in milestones) for bound in (0, *bounds)]
    try:
        return piecewise_constant(bounds, [rate * gamma**count for count in counts])
    except OverflowError:
        config.refuse("the rate grows beyond what a float holds", "gamma")


def constant_lr(config: Config, run: Run, own: Own) -> Curves:
    """ConstantLR: B·factor, and B from total_iters on."""
    say_defaults(config, run, factor="1/3", total_iters=5)
    factor = config.number("factor", 1 / 3, least=0, most=1)
    length = config.whole("total_iters", 5)
    if length == 0:
        run.say("With total_iters 0 torch leaves the rate at the factor for ever.")
        return Curves(constant(own.rate * factor), own.base)
    if factor == 0:
        config.refuse(f"torch divides by the factor at step {length}, and it is 0", "factor")
    return Curves(piecewise_constant([length], [own.rate * factor, own.rate]), own.base)


def linear_lr(config: Config, run: Run, own: Own) -> Curves:
    """LinearLR: B·(a + (b − a)·min(s, T)/T)."""
    say_defaults(config, run, start_factor="1/3", end_factor=1, total_iters=5)
    start = config.number("start_factor", 1 / 3, above=0, most=1)
    end = config.number("end_factor", 1.0, least=0, most=1)
    length = config.whole("total_iters", 5)
    if length == 0:
        run.say("With total_iters 0 torch leaves the rate at the start for ever.")
        return Curves(constant(own.rate * start), own.base)
    if start == end:
        return Curves(constant(own.rate * start), own.base)
    return Curves(linear(own.rate * start, own.rate * end, length), own.base)


def exponential_lr(config: Config, run: Run, own: Own) -> Curves:
    """ExponentialLR: B·gamma^s."""
    return Curves(staircase(own.rate, config.number("gamma"), 1, config), own.base)


def polynomial_lr(config: Config, run: Run, own: Own) -> Curves:
    """PolynomialLR: B·(1 − min(s, T)/T)^power."""
    say_defaults(config, run, total_iters=5, power=1)
    length = config.whole("total_iters", 5)
    power = config.number("power", 1.0, least=0)
    if length == 0:
        run.say("With total_iters 0 torch leaves the rate as it is.")
    if length == 0 or power == 0:
        return Curves(constant(own.rate), own.base)
    return Curves(polynomial(own.rate, 0, length, power=power), own.base)


def cosine_lr(config: Config, run: Run, own: Own) -> Curves:
    """CosineAnnealingLR: η + (B − η)·½(1 + cos πs/T), which climbs again after T."""
    length = config.whole("T_max", least=1)
    low = _eta_min(config, run, own)
    if low == own.rate:
        return Curves(constant(low), own.base, "affine")
    run.say(f"After its T_max of {length} steps the rate climbs back, as it does in torch.")
    rate = cosine(own.rate, low, length, extend=True)
    return Curves(rate, own.base, "affine" if low else "times")


def restarts(config: Config, run: Run, own: Own) -> Curves:
    """CosineAnnealingWarmRestarts: η + (B − η)·½(1 + cos πt/Tᵢ), Tᵢ = T_0·T_multⁱ."""
    first = config.whole("T_0", least=1)
    factor = config.whole("T_mult", 1, least=1)
    low = _eta_min(config, run, own)
    return Curves(warm_restarts(own.rate, low, first, factor), own.base, "sets")


def _eta_min(config: Config, run: Run, own: Own) -> float:
    low = config.number("eta_min", 0.0)
    if low:
        own.needed("eta_min is a rate, and to say what share of lr it is takes lr")
    return low


def swa(config: Config, run: Run, own: Own) -> Curves:
    """SWALR: from the rate there is to swa_lr, as a cosine or a line."""
    say_defaults(config, run, anneal_epochs=10, anneal_strategy="cos")
    at_once = config.whole("anneal_epochs", 10) == 0
    initial = 0.0 if at_once else own.needed("SWALR goes from lr to swa_lr")
    return Curves(swa_rates(config, initial), own.base, "affine")


def swa_rates(config: Config, initial: float) -> Node:
    """The rates of SWALR from a rate on."""
    final = one_rate(config, "swa_lr")
    length = config.whole("anneal_epochs", 10)
    shape = config.choice("anneal_strategy", ("cos", "linear"), "cos", what="anneal_strategy")
    if length == 0:
        return constant(final)
    return (cosine if shape == "cos" else linear)(initial, final, length)


def cyclic_lr(config: Config, run: Run, own: Own) -> Curves:
    """CyclicLR: base_lr → max_lr → base_lr, with the momentum the other way round."""
    low, high = one_rate(config, "base_lr"), one_rate(config, "max_lr")
    say_defaults(config, run, step_size_up=2000, mode="triangular")
    up = config.number("step_size_up", 2000.0, above=0)
    down = config.number("step_size_down", up, least=0)
    if config.raw("scale_fn", None) is not None:
        config.refuse("scale_fn is a function of the user's", "scale_fn")
    config.ignore("scale_mode")
    mode = config.choice("mode", SHAPES, "triangular", what="mode")
    gamma = config.number("gamma", 1.0)
    if mode == "exp_range" and gamma < 0:
        config.refuse("a negative gamma changes the sign of the rate again and again", "gamma")
    rate = cyclic(low, high, up, down, mode=mode, gamma=gamma)
    momentum = None
    if (found := _momenta(config, run, 0.8, 0.9)) is not None:
        least, most = found
        momentum = cyclic(most, least, up, down, mode=mode, gamma=gamma)
    _say_own(config, run, "CyclicLR", "base_lr to max_lr")
    return Curves(rate, high or None, "sets", momentum, low)


def one_cycle_lr(config: Config, run: Run, own: Own) -> Curves:
    """OneCycleLR: max_lr/div_factor → max_lr → that start / final_div_factor."""
    high = one_rate(config, "max_lr")
    total = _total(config, run)
    say_defaults(
        config,
        run,
        pct_start=0.3,
        anneal_strategy="cos",
        div_factor=25,
        final_div_factor="1e4",
    )
    share = config.number("pct_start", 0.3, least=0, most=1)
    shape = config.choice("anneal_strategy", ("cos", "linear"), "cos", what="anneal_strategy")
    three = config.flag("three_phase", False)
    start = high / _divisor(config, "div_factor", 25.0)
    end = start / _divisor(config, "final_div_factor", 1e4)
    cycle = OneCycle(
        config,
        total,
        share,
        shape="cosine" if shape == "cos" else "linear",
        three_phases=three,
        system="torch",
    )
    rate = cycle.schedule(start, high, *((start, end) if three else (end,)))
    momentum = None
    if (found := _momenta(config, run, 0.85, 0.95)) is not None:
        least, most = found
        momentum = cycle.schedule(most, least, *((most, most) if three else (most,)))
    if cycle.is_cut:
        run.say(f"torch stops after step {total}; the document holds its last value.")
    else:
        run.say(f"The formula goes on beyond step {total - 1}; torch stops after step {total}.")
    _say_own(config, run, "OneCycleLR", "max_lr")
    return Curves(rate, high or None, "sets", momentum, start, total)


def _divisor(config: Config, key: str, default: float) -> float:
    divisor = config.number(key, default)
    if divisor == 0:
        config.fail("out-of-range", f"{key} divides the rate, and is 0", key)
    return divisor


def _total(config: Config, run: Run) -> int:
    """`total_steps`, or `epochs` times `steps_per_epoch`."""
    if "total_steps" in config:
        config.ignore("epochs", "steps_per_epoch")
        return config.whole("total_steps", least=1)
    if "epochs" in config:
        epochs = config.whole("epochs", least=1)
        why = "OneCycleLR has its length in epochs"
        per_epoch = run.steps_per_epoch(config, "steps_per_epoch", why=why)
        if per_epoch <= 0 or per_epoch != int(per_epoch):
            message = "expected a whole number of at least 1"
            config.fail("out-of-range", f"steps_per_epoch: {message}", "steps_per_epoch")
        return epochs * int(per_epoch)
    return run.needs_steps(config, "total_steps", why="OneCycleLR needs total_steps")


def _momenta(config: Config, run: Run, low: float, high: float) -> tuple[float, float] | None:
    """The least and the most momentum, None where it is not cycled."""
    if not config.flag("cycle_momentum", True):
        config.ignore("base_momentum", "max_momentum")
        return None
    say_defaults(config, run, cycle_momentum="true", base_momentum=low, max_momentum=high)
    return one_rate(config, "base_momentum", low), one_rate(config, "max_momentum", high)


def _say_own(config: Config, run: Run, name: str, range_: str) -> None:
    run.say(f"{name} goes by {range_}; the rate of the optimizer has no say.")


CLASSES: dict[str, Read] = {
    "StepLR": step,
    "MultiStepLR": multi_step,
    "ConstantLR": constant_lr,
    "LinearLR": linear_lr,
    "ExponentialLR": exponential_lr,
    "PolynomialLR": polynomial_lr,
    "CosineAnnealingLR": cosine_lr,
    "CosineAnnealingWarmRestarts": restarts,
    "CyclicLR": cyclic_lr,
    "OneCycleLR": one_cycle_lr,
    "SWALR": swa,
}
REFUSED = {
    "LambdaLR": "LambdaLR multiplies the rate by a function of the user's",
    "MultiplicativeLR": "MultiplicativeLR multiplies the rate by a function of the user's",
    "ReduceLROnPlateau": "ReduceLROnPlateau goes by a metric of the training",
}
