"""litgpt: the cosine of pretraining, on micro-batches, and that of finetuning (litgpt/pretrain.py).

In what follows s is the step, A the micro-batches of one step, w the warmup and T the end, in
steps, B the rate and m `min_lr`.
"""

from __future__ import annotations

from math import ceil

from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Schedule, advance, constant, cosine, linear
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages

_BOTH = ("pretrain", "finetune")
# Fields of TrainArgs, now or once, that say nothing about the rate.
_OTHERS = (
    "save_interval",
    "log_interval",
    "max_time",
    "max_norm",
    "tie_embeddings",
    "weight_decay",
    "beta1",
    "beta2",
)
_MIN_LR = 6e-5
_WARMUP = 100


@importer("litgpt")
def load(config: Config, run: Run) -> Imported:
    """The document of a litgpt configuration, or of its fields of `train` with `learning_rate`.

    With `max_tokens` or `gradient_accumulation_iters` it is one of pretraining, else of
    finetuning, unless `schedule` says `pretrain` or `finetune`.
    """
    train, world = _found(config)
    train.ignore(*_OTHERS)
    base = _base(config, train, run)
    is_long = "max_tokens" in train or "gradient_accumulation_iters" in train
    name = run.schedule or ("pretrain" if is_long else "finetune")
    if name not in _BOTH:
        config.choice("schedule", _BOTH, name, what="script", code="unknown-schedule")
    if name == "pretrain":
        schedule, steps = _pretrain(train, world, run, base)
    else:
        schedule, steps = _finetune(train, run, 1.0 if base is None else base)
    train.done()
    return run.document(schedule, origin=name, base=base, steps=steps)


def _found(config: Config) -> tuple[Config, Config]:
    """The fields of TrainArgs, and what says how many devices there are."""
    known = ("train", "learning_rate", "lr_warmup_steps", "lr_warmup_fraction")
    if not any(key in config for key in known):
        message = "there is no train here, and no field of a schedule"
        config.fail("not-a-config", message)
    if "train" not in config:
        return config, config
    train = config.section("train")
    config.ignore_rest()
    return train, config


def _base(config: Config, train: Config, run: Run) -> float | None:
    """B: of the optimizer, or of `train` as it was once."""
    if "learning_rate" in train:
        return run.base(train, "learning_rate")
    optimizer = config.data.get("optimizer")
    if train is config or not isinstance(optimizer, dict):
        return run.base()
    found = config.section("optimizer")
    found.ignore_rest()
    if "init_args" in found:
        found = found.section("init_args")
        found.ignore_rest()
    return run.base(found, "lr")


def _pretrain(
    train: Config, world: Config, run: Run, base: float | None
) -> tuple[Schedule, int | None]:
    """B·x/w, then m + (B − m)·½(1 + cos π(x − w)/(T − w)), then m, at x = s + 1 − 1/A: that of the
    last micro-batch before the update."""
    low = train.number("min_lr", _MIN_LR, least=0)
    if "min_lr" not in train:
        run.say(f"min_lr is not given; it is {_MIN_LR:g}, the default.")
    if base is None:
        run.missing("base", "optimizer.init_args.lr", "min_lr is a rate, and lr is not known")
    every = _accumulation(train, world)
    end = _iterations(train, world, run, every)
    warmup = min(end, _warmup_iterations(train, run, every))
    warm = linear(0, base, warmup / every)
    fall = cosine(base, low, (end - warmup) / every) if warmup < end else constant(low)
    schedule = stages(warm, fall)
    if every == 1:
        return schedule, end
    run.say(
        f"The rate of an update is that of its last of {every} micro-batches: {every - 1}/{every}"
        " of a step later."
    )
    return advance(schedule, (every - 1) / every), max(1, end // every)


def _accumulation(train: Config, world: Config) -> int:
    """A: as it is given, or as the batch sizes and the number of devices say."""
    key = "gradient_accumulation_iters"
    if key in train:
        train.ignore("global_batch_size", "micro_batch_size")
        return train.whole(key, least=1)
    whole = train.whole("global_batch_size", least=1)
    micro = train.whole("micro_batch_size", least=1)
    found = whole // _devices(world) // micro
    if found < 1:
        message = f"a batch of {whole} is too small for these devices with {micro} at once"
        train.fail("out-of-range", message, "global_batch_size")
    return found


def _devices(world: Config) -> int:
    devices = world.raw("devices", None)
    if devices is None or isinstance(devices, str):
        message = "the rate depends on the number of devices, and it is not given"
        world.fail("missing-fact", message, hint="write how many there are: devices: 8")
    return world.whole("devices", least=1) * world.whole("num_nodes", 1, least=1)


def _iterations(train: Config, world: Config, run: Run, every: int) -> int:
    """T·A: the micro-batches of the run on each device."""
    if "max_tokens" not in train:
        total = run.needs_steps(train, "max_steps", why="the cosine ends with the run")
        train.ignore("epochs", "max_seq_length")
        return total * every
    train.ignore("epochs")
    tokens = train.whole("max_tokens", least=1)
    length = run.sequence_length(train, "max_seq_length")
    if length is None:
        run.missing("sequence_length", "max_seq_length", "max_tokens is counted in sequences")
    at_once = train.whole("micro_batch_size", least=1) * length
    found = tokens // _devices(world) // at_once
    if found < 1:
        message = f"{tokens} tokens are less than one micro-batch on each device"
        train.fail("out-of-range", message, "max_tokens")
    given = run.steps()
    if given is not None and given != found // every:
        message = f"steps is {given} here, and {tokens} tokens are {found // every} steps"
        train.fail("conflicting-fact", message, "max_tokens")
    run.say(f"{tokens} tokens are {found} micro-batches, and {found // every} steps.")
    return found


def _warmup_iterations(train: Config, run: Run, every: int) -> int:
    """W·A, or the micro-batches of a share of an epoch, rounded up."""
    share = train.optional_number("lr_warmup_fraction", least=0, most=1)
    steps = train.optional_whole("lr_warmup_steps")
    if share and steps:
        train.conflict("lr_warmup_steps", "lr_warmup_fraction")
    if share:
        each = run.steps_per_epoch(why="lr_warmup_fraction is a share of an epoch")
        found = ceil(share * round(each * every))
        run.say(f"lr_warmup_fraction {share:g} is {found} micro-batches, rounded up.")
        return found
    return _warmup_steps(train, run, steps) * every


def _warmup_steps(train: Config, run: Run, steps: int | None) -> int:
    """W: null is none, and one that is left out the default."""
    key = "lr_warmup_steps"
    if steps is not None or key in train.data:
        return steps or 0
    run.say(f"{key} is not given; it is {_WARMUP}, the default of TrainArgs.")
    return _WARMUP


def _finetune(train: Config, run: Run, peak: float) -> tuple[Schedule, int]:
    """B·s/w, then B·½(1 + cos π(s − w)/(T − w)), on and on."""
    if train.raw("min_lr", None) is not None:
        run.say("min_lr is not used in finetuning: the cosine ends at 0.")
    train.ignore("global_batch_size", "micro_batch_size", "max_seq_length", "max_tokens")
    steps = train.optional_whole("lr_warmup_steps")
    if train.optional_number("lr_warmup_fraction", least=0, most=1):
        why = "litgpt finetunes with lr_warmup_steps, and fails with lr_warmup_fraction"
        train.refuse(why, "lr_warmup_fraction")
    warmup = _warmup_steps(train, run, steps)
    total = _end(train, run)
    if warmup == 0:
        train.refuse("litgpt divides by 0 where it finetunes without a warmup")
    if warmup >= total:
        message = f"the warmup of {warmup} steps takes all {total} of the run"
        train.fail("out-of-range", message)
    run.say("After its end the cosine climbs again, as it does in litgpt.")
    return stages(linear(0, peak, warmup), cosine(peak, 0, extend=True)), total


def _end(train: Config, run: Run) -> int:
    """T: the smaller of `max_steps` and of `epochs` times the steps of an epoch."""
    why = "the cosine ends with the run"
    epochs = train.optional_whole("epochs", least=1)
    run.has_epochs = epochs is not None
    if epochs is None or run.facts.get("steps_per_epoch") is None:
        total = run.needs_steps(train, "max_steps", why=why)
        if epochs is not None:
            run.say(f"Where {epochs} epochs are less than {total} steps, the cosine ends earlier.")
        return total
    each = int(run.steps_per_epoch(why=why))
    total = epochs * each
    if "max_steps" in train:
        total = min(total, train.whole("max_steps", least=1))
    if total < 1:
        train.fail("out-of-range", "an epoch has no whole step")
    if run.steps() not in (None, total):
        message = f"steps is {run.steps()} here, and {epochs} epochs of {each} steps end at {total}"
        train.fail("conflicting-fact", message)
    run.say(f"The run ends at step {total}, with its epochs or max_steps.")
    return total
