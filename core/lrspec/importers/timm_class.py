"""The arguments of a class of timm's schedulers, with `lr` beside them."""

from __future__ import annotations

from dataclasses import replace

from lrspec.importers import timm_plan as read
from lrspec.importers.timm_plan import CYCLIC, KINDS, Plan, number_above
from lrspec.importing.config import Config
from lrspec.importing.run import Run

CLASSES = {
    "CosineLRScheduler": "cosine",
    "TanhLRScheduler": "tanh",
    "PolyLRScheduler": "poly",
    "StepLRScheduler": "step",
    "MultiStepLRScheduler": "multistep",
    "WSDLRScheduler": "wsd",
    "PlateauLRScheduler": "plateau",
}
# Arguments that only a class has.
_NAMES = ("cls", "_target_", "class_path")
KEYS = (*_NAMES, "t_initial", "decay_t", "warmup_t", "warmup_lr_init", "t_in_epochs")


def plan_of_class(config: Config, run: Run) -> tuple[Plan, float | None]:
    """The plan, and the base."""
    kind = _kind(config, run)
    low = config.number("lr_min", 0.0, least=0, most=1e300)
    warmup = config.number("warmup_t", 0.0, least=0)
    start = config.number("warmup_lr_init", 0.0)
    rate, base = read.rate(config, run, low, start if warmup else 0)
    by_epoch = config.flag("t_in_epochs", False)
    if not by_epoch:
        run.say("The lengths count calls of the scheduler, one for every update.")
    plan = Plan(
        kind=kind,
        rate=rate,
        unit="epochs" if by_epoch else "steps",
        by_epoch=by_epoch,
        low=low,
        warmup=warmup,
        start=start,
        prefix=kind == "wsd" or config.flag("warmup_prefix", kind in ("step", "multistep")),
        total=None if by_epoch else run.steps(),
    )
    return _with_arguments(config, plan), base


def _kind(config: Config, run: Run) -> str:
    key = next((key for key in _NAMES if key in config), "cls")
    if key in config or run.schedule in CLASSES:
        kind = CLASSES[_class(config, key, run)]
    else:
        kind = config.choice("sched", KINDS, what="schedule of timm", code="unknown-schedule")
        if kind not in CLASSES.values():
            config.fail("wrong-value", f"no class of timm is the schedule {kind}", "sched")
    if kind == "plateau":
        config.refuse("the schedule plateau follows a metric")
    if "noise_range_t" in config:
        config.refuse("the noise of timm is drawn by chance", "noise_range_t")
    config.ignore("noise_range_t", "noise_pct", "noise_std", "noise_seed", "initialize")
    return kind


def _class(config: Config, key: str, run: Run) -> str:
    """The name of the class, which may have the modules of timm before it."""
    given = config.text(key, run.schedule or "")
    name = given.rpartition(".")[2]
    if given.startswith("timm.") and name in CLASSES:
        return name
    return config.choice(key, CLASSES, given, what="class of timm")


def _with_arguments(config: Config, plan: Plan) -> Plan:
    match plan.kind:
        case "step":
            plan = replace(plan, decay=config.number("decay_t", above=0))
            return replace(plan, decay_rate=number_above(config, "decay_rate", 1.0))
        case "multistep":
            plan = replace(plan, milestones=read.milestones(config, "decay_t"))
            return replace(plan, decay_rate=config.number("decay_rate", 1.0, least=0))
        case "wsd":
            return _wsd(config, plan)
        case _:
            assert plan.kind in CYCLIC
    plan = read.cycles(config, plan, "cycle_mul", "cycle_decay", "cycle_limit", "k_decay", 1.0)
    plan = replace(plan, length=config.number("t_initial", above=0))
    if plan.kind == "poly":
        plan = replace(plan, power=number_above(config, "power", 0.5))
    if plan.kind == "tanh":
        plan = replace(plan, bounds=(config.number("lb", -7.0), config.number("ub", 3.0)))
        if plan.bounds[0] >= plan.bounds[1]:
            config.fail("bounds-order", "lb is below ub")
    return plan


def _wsd(config: Config, plan: Plan) -> Plan:
    length, decay = config.number("t_initial", above=0), config.number("decay_t", above=0)
    read.check_decay(config, "decay_t", decay, length)
    stable = config.choice(
        "stable_fn", ("constant", "rsqrt", "power"), "constant", what="stable_fn"
    )
    timescale = config.number("stable_timescale", plan.warmup)
    exponent = number_above(config, "stable_power", 0.5)
    if stable != "constant":
        read.check_timescale(config, "stable_timescale", timescale)
    ratio = config.number("decay_ratio", 0.1, above=0)
    if ratio >= 1:
        config.fail("out-of-range", "decay_ratio is below 1", "decay_ratio")
    return replace(
        plan,
        length=length,
        decay=decay,
        stable=stable,
        timescale=timescale,
        stable_power=0.5 if stable == "rsqrt" else exponent,
        decay_fn=read.decay_fn(config, "decay_fn", "1-sqrt"),
        decay_power=number_above(config, "decay_power", 0.5),
        decay_ratio=ratio,
    )
