"""The arguments of timm's training script, and of create_scheduler_v2."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lrspec.importers import timm_plan as read
from lrspec.importers.timm_plan import CYCLIC, KINDS, Plan, told
from lrspec.importing.config import Config
from lrspec.importing.run import Run


@dataclass(frozen=True)
class Names:
    """What an argument is called in the script or in the function, where that is not the same in
    both, and the defaults that differ."""

    epochs: str
    mul: str
    decay: str
    limit: str
    k: str
    decay_fn: str
    timescale: str
    noise: str
    warmup: int
    cycle_decay: float


SCRIPT = Names(
    *("epochs", "lr_cycle_mul", "lr_cycle_decay", "lr_cycle_limit", "lr_k_decay"),
    *("lr_decay_fn", "lr_stable_timescale", "lr_noise"),
    warmup=5,
    cycle_decay=0.5,
)
FACTORY = Names(
    *("num_epochs", "cycle_mul", "cycle_decay", "cycle_limit", "k_decay"),
    *("decay_fn", "stable_timescale", "noise"),
    warmup=0,
    cycle_decay=0.1,
)
# Arguments that only the function has.
FACTORY_KEYS = ("num_epochs", "step_on_epochs", "cycle_mul", "cycle_decay", "cycle_limit")
SCRIPT_KEYS = (
    *("sched", "lr", "epochs", "warmup_epochs", "warmup_lr", "warmup_prefix", "min_lr"),
    *("decay_epochs", "decay_milestones", "decay_rate", "cooldown_epochs", "sched_on_updates"),
    *("lr_cycle_mul", "lr_cycle_decay", "lr_cycle_limit", "lr_k_decay", "lr_decay_fn"),
    *("lr_stable_timescale", "lr_noise", "lr_base", "lr_base_size", "lr_base_scale"),
)


def plan_of_arguments(config: Config, run: Run, names: Names) -> tuple[Plan, float | None]:
    """The plan, and the base."""
    kind = _kind(config, run, names)
    epochs = told(config, run, names.epochs, 300, least=1)
    warmup = told(config, run, "warmup_epochs", names.warmup)
    start = told(config, run, "warmup_lr", 1e-5) if warmup and kind != "none" else 0.0
    low = config.number("min_lr", 0.0, least=0, most=1e300)
    if kind not in (*CYCLIC, "wsd", "rsqrt"):
        low = 0.0
    if names is SCRIPT:
        by_epoch = not config.flag("sched_on_updates", False)
        _rate_of_batch(config, run)
    else:
        by_epoch = config.flag("step_on_epochs", True)
    rate, base = read.rate(config, run, low, start)
    plan = Plan(
        kind="wsd" if kind == "rsqrt" else kind,
        rate=rate,
        unit="epochs",
        by_epoch=by_epoch,
        low=low,
        warmup=warmup,
        start=start,
        prefix=config.flag("warmup_prefix", False),
        length=epochs,
        stable="rsqrt" if kind == "rsqrt" else "constant",
    )
    plan = _with_arguments(config, run, plan, names)
    config.ignore(*_of_other_kinds(names))
    if by_epoch and kind not in ("none", "constant"):
        run.say("The rate changes once in an epoch, as timm is stepped at the end of one.")
    return plan, base


def _kind(config: Config, run: Run, names: Names) -> str:
    if "sched" not in config:
        run.say("sched is left out: timm takes cosine.")
    kind = config.choice("sched", KINDS, "cosine", what="schedule of timm", code="unknown-schedule")
    if kind == "plateau":
        config.refuse("the schedule plateau follows a metric", "sched")
    if names.noise in config:
        config.refuse("the noise of timm is drawn by chance", names.noise)
    return kind


def _of_other_kinds(names: Names) -> tuple[str, ...]:
    """Arguments that are given together with those of a kind, and that it does not take."""
    return (
        *(names.mul, names.decay, names.limit, names.k, names.decay_fn, names.timescale),
        *(names.noise, f"{names.noise}_pct", f"{names.noise}_std", "noise_seed", "seed"),
        *("warmup_lr", "decay_epochs", "decay_milestones", "decay_rate"),
        *("patience_epochs", "plateau_mode", "updates_per_epoch", "cooldown_epochs"),
    )


def _with_arguments(config: Config, run: Run, plan: Plan, names: Names) -> Plan:
    """The plan with the arguments of its kind, and its length."""
    cooldown = config.whole("cooldown_epochs", 0)
    if plan.kind in CYCLIC:
        usual = names.cycle_decay
        plan = read.cycles(config, plan, names.mul, names.decay, names.limit, names.k, usual)
        if plan.cycle_limit > 1 and names.decay not in config:
            run.say(f"{names.decay} is left out: timm takes {usual:g}.")
        if plan.kind == "poly":
            plan = replace(plan, power=told(config, run, "decay_rate", 0.1, above=0))
        end = replace(plan, cycle_limit=max(plan.cycle_limit, 1)).cycles_end
        return replace(plan, total=int(end) + cooldown if end < 1e15 else None)
    if plan.kind == "wsd":
        plan = _wsd(config, run, plan, names)
        return replace(plan, total=plan.warmup + plan.length + _in(plan, run, cooldown))
    plan = replace(plan, total=plan.length + (plan.warmup if plan.prefix else 0))
    if plan.kind == "step":
        plan = replace(plan, decay=told(config, run, "decay_epochs", 90, above=0))
        return replace(plan, decay_rate=told(config, run, "decay_rate", 0.1, above=0))
    if plan.kind == "multistep":
        if "decay_milestones" not in config:
            run.say("decay_milestones is left out: timm takes 90, 180 and 270.")
        found = read.milestones(config, "decay_milestones", [90, 180, 270])
        return replace(plan, milestones=found, decay_rate=told(config, run, "decay_rate", 0.1))
    return plan


def _in(plan: Plan, run: Run, epochs: float) -> float:
    """Epochs in the unit of the plan."""
    return epochs if plan.unit == "epochs" or not epochs else epochs * run.steps_per_epoch(why="")


def _wsd(config: Config, run: Run, plan: Plan, names: Names) -> Plan:
    """What create_scheduler_v2 makes of the arguments for WSDLRScheduler: the warmup is a prefix,
    and without `warmup_prefix` taken from the epochs."""
    length = plan.length if plan.prefix else plan.length - plan.warmup
    shape = "linear" if plan.stable == "rsqrt" else "1-sqrt"
    timescale = config.number(names.timescale, plan.warmup)
    if plan.stable == "rsqrt":
        read.check_timescale(config, names.timescale, timescale)
    plan = replace(
        plan,
        prefix=True,
        length=length,
        timescale=timescale,
        decay_fn=read.decay_fn(config, names.decay_fn, shape),
    )
    share = told(config, run, "decay_epochs", 0.2, above=0)
    decay = share * length if share < 1 else share
    if decay != int(decay):
        plan = plan.in_updates(run, why="timm rounds the decay to whole updates")
        factor = 1.0 if plan.unit == "epochs" else run.steps_per_epoch(why="")
        decay = share * plan.length if share < 1 else share * factor
        run.say(f"The decay of {decay:g} {plan.unit} is {round(decay)}, rounded half to even.")
    plan = replace(plan, decay=round(decay))
    read.check_decay(config, "decay_epochs", plan.decay, plan.length)
    return plan


def _rate_of_batch(config: Config, run: Run) -> None:
    """The training script's rate for the batch of all devices, where `lr` is left out."""
    config.ignore("lr_base_size", "lr_base_scale")
    if "lr" in config or run.base() is not None or "lr_base" not in config:
        config.ignore("lr_base")
        return
    reference = config.number("lr_base", above=0)
    size = config.whole("lr_base_size", 256, least=1)
    batch = run.batch_size()
    if not isinstance(batch, int):
        why = "the rate follows from lr_base and the batch of all devices"
        run.missing("batch_size", "lr", why)
    optimizer = config.data.get("opt")
    adaptive = isinstance(optimizer, str) and any(x in optimizer for x in ("ada", "lamb"))
    scale = config.text("lr_base_scale", "") or ("sqrt" if adaptive else "linear")
    ratio = batch / size
    rate = reference * (ratio**0.5 if scale == "sqrt" else ratio)
    run.say(f"The rate is lr_base {reference:g} for {size} samples, scaled to {batch}: {scale}.")
    run.facts = {**run.facts, "base": rate}
