"""torchtitan: `lr_scheduler`, `optimizer.lr` and `training.steps` (components/lr_scheduler.py).

With s the step, w `warmup_steps`, T the steps, d the decay and m `min_lr_factor`: (s + 1)/w up to
s = w − 1, 1 up to s = T − d, then m + (1 − m)·{1 − p, 1 − √p, ½(1 + cos πp)}, p = (s − T + d)/d.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Schedule, constant, cosine, linear, polynomial
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_SECTIONS = ("lr_scheduler", "optimizer", "training")
_FIELDS = ("warmup_steps", "decay_ratio", "decay_type", "min_lr_factor")
_WARMUP = 200


@importer("torchtitan")
def load(config: Config, run: Run) -> Imported:
    """The document of a torchtitan configuration (TOML, YAML or a mapping): a whole one, or the
    fields of `lr_scheduler` with `lr` and `steps` beside them."""
    scheduler, optimizer, training = config, config, config
    if not any(key in config for key in (*_SECTIONS, *_FIELDS)):
        config.fail("not-a-config", "there is no lr_scheduler here, and no field of one")
    if any(isinstance(config.data.get(key), dict) for key in _SECTIONS):
        scheduler = config.section("lr_scheduler", {})
        optimizer, training = config.section("optimizer", {}), config.section("training", {})
        for part in (config, optimizer, training):
            part.ignore_rest()
        if "warmup_steps" in training and "lr_scheduler" not in config:
            return _once(training, run, run.base(optimizer, "lr"))
        if "warmup_steps" in training:
            training.refuse(
                "the warmup of an older torchtitan is another one than that of lr_scheduler",
                "warmup_steps",
                hint="leave one of the two out",
            )
    base = run.base(optimizer, "lr")
    why = "the decay of torchtitan ends with the run"
    total = run.needs_steps(training, "steps", why=why)
    own = scheduler.whole("total_steps", total, least=1)
    if own != total:
        run.say(f"The decay ends at total_steps, {own}, and not with the {total} of the run.")
    schedule = _schedule(scheduler, run, 1.0 if base is None else base, own, own == total)
    scheduler.done()
    return run.document(schedule, origin="lr_scheduler", base=base, steps=total)


def _once(training: Config, run: Run, base: float | None) -> Imported:
    """As it was when `warmup_steps` stood in `training`: (s + 1)/(w + 1) while s < w, then a
    straight line to 0 over T − w, at least 1."""
    warmup = training.whole("warmup_steps")
    total = run.needs_steps(training, "steps", why="the decay of torchtitan ends with the run")
    peak = 1.0 if base is None else base
    run.say("warmup_steps stands in training: this is the schedule of the torchtitan of then.")
    if warmup:
        run.say(f"The first update is at 1/{warmup + 1} of the rate.")
    run.say(f"Beyond step {max(total, warmup + 1)} the formula goes on, as it does in torchtitan.")
    warm = linear(peak / (warmup + 1), peak, warmup) if warmup else None
    fall = linear(peak, 0, max(1, total - warmup), extend=True)
    return run.document(stages(warm, fall), origin="warmup_steps", base=base, steps=total)


def _schedule(config: Config, run: Run, peak: float, total: int, is_run: bool) -> Schedule:
    """The stages up to `total`, which is the end of the run or not."""
    warmup = config.whole("warmup_steps", _WARMUP)
    if "warmup_steps" not in config:
        run.say(f"warmup_steps is not given; it is {_WARMUP}, the default.")
    if warmup > total:
        run.say(f"The warmup of {warmup} steps is cut to the {total} of the run.")
        warmup = total
    ratio = config.optional_number("decay_ratio", least=0, most=1)
    decay = total - warmup
    if ratio is not None:
        decay = round(total * ratio)
        run.say(f"decay_ratio {ratio:g} of {total} steps is {decay}, rounded half to even.")
        if warmup + decay > total:
            run.say(f"The decay of {decay} steps is cut to what the warmup leaves.")
            decay = total - warmup
    usual = run.usual(config, "decay_type", "linear") if decay else "linear"
    style = config.choice("decay_type", ("linear", "sqrt", "cosine"), usual, what="decay_type")
    if "lr_min" in config and "min_lr_factor" in config:
        config.conflict("lr_min", "min_lr_factor")
    # What it was called before.
    key = "lr_min" if "lr_min" in config else "min_lr_factor"
    low = peak * config.number(key, 0.0, least=0)
    if warmup == 1:
        run.say("A warmup of 1 step has the whole rate at once.")
    elif warmup:
        run.say(
            f"The first update is at 1/{warmup} of the rate, the warmup ends at step {warmup - 1}."
        )
    warm = linear(peak / warmup, peak, warmup - 1) if warmup else None
    held = total - decay - max(warmup - 1, 0)
    hold = constant(peak, None if is_run else held) if held else None
    if decay == 0:
        return stages(warm, constant(peak))
    match style:
        case "linear":
            fall = linear(peak, low, decay, extend=True)
        case "sqrt":
            fall = polynomial(peak, low, decay, power=0.5, origin="initial", extend=True)
        case _:
            fall = cosine(peak, low, decay, extend=True)
    run.say(f"Beyond step {total} the formula goes on, as it does in torchtitan.")
    return stages(warm, hold, fall)
