"""The schedules that axolotl adds to those of transformers, from their keys to stages.

In what follows s is the step, w the warmup, T the steps of the run, B `learning_rate`, r
`cosine_min_lr_ratio`, m = r·B and p = (s − w)/(T − w).
"""

from __future__ import annotations

from dataclasses import dataclass

from lrspec.importers.torch import of_class
from lrspec.importers.transformers_schedules import Reader
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.nodes import (
    Schedule,
    constant,
    cosine,
    inverse,
    linear,
    polynomial,
    product,
    repeat,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages
from lrspec.source import Json

_QUADRATIC = "lr_quadratic_warmup"
_LOW = "cosine_min_lr_ratio"
_CONSTANT = "cosine_constant_lr_ratio"
# (1 − p)/(0.1 + 0.9·(1 − p)) is the straight line of 1/(10/9 − value).
_REX = 10 / 9
# Those that do not jump, so that the end of a step is where the next one starts.
_CONTINUOUS = (
    "linear",
    "cosine",
    "constant",
    "constant_with_warmup",
    "inverse_sqrt",
    "cosine_with_min_lr",
)


@dataclass
class Given:
    """What a schedule is made of: `kwargs` is `lr_scheduler_kwargs`, the others are the symbols."""

    config: Config
    kwargs: Config
    run: Run
    name: str
    peak: float
    warmup: int
    steps: int | None

    @property
    def total(self) -> int:
        """T."""
        if self.steps is None:
            self.run.missing("steps", "max_steps", "the schedule ends with the run")
        return self.steps

    def share(self, key: str) -> float:
        """A share of the rate or of the run; 0 where it is left out."""
        return self.config.number(key, 0.0, least=0, most=1)

    def unused(self, *keys: str) -> None:
        """Keys that axolotl reads for another schedule only."""
        for key in keys:
            if self.config.raw(key, None):
                self.run.say(f"{key} is not used with {self.name}.")


def of_transformers(given: Given) -> tuple[Schedule, str]:
    """A schedule of transformers, or a cosine of axolotl's own; and where in a step it is read."""
    low, run = given.share(_LOW) * given.peak, given.run
    stop = given.share(_CONSTANT)
    quadratic = given.config.flag(_QUADRATIC, False)
    if given.name == "cosine" and quadratic:
        if low:
            run.say(f"{_LOW} is not used with {_QUADRATIC}.")
        warm = polynomial(0, given.peak, given.warmup, power=2, origin="initial")
        return stages(warm, _cosine(given, 0)), "start"
    if given.name == "cosine" and low:
        warm = linear(0, given.peak, given.warmup)
        return stages(warm, *(_until(given, low, stop) if stop else [_cosine(given, low)])), "start"
    given.unused(*([] if given.name == "cosine" else [_QUADRATIC, _LOW]), _CONSTANT)
    reader = Reader(given.kwargs, run, given.peak, given.warmup, given.steps)
    return reader.schedule(given.name), reader.sample


def _cosine(given: Given, low: float) -> Schedule:
    """m + (B − m)·½(1 + cos πp), where T − w is at least 1."""
    if given.peak != low:
        given.run.say("After its end the cosine climbs again, as it does in axolotl.")
    length = None if given.warmup < given.total else 1
    return cosine(given.peak, low, length, extend=True)


def _until(given: Given, low: float, share: float) -> list[Schedule]:
    """The cosine up to int(`cosine_constant_lr_ratio`·T), and m from there on."""
    end = int(given.total * share)
    given.run.say(
        f"{_CONSTANT} {share:g} of {given.total} steps is {end}, rounded down: the cosine ends"
        " there."
    )
    length = end - given.warmup
    if length > 0:
        return [cosine(given.peak, low, length), constant(low)]
    # The library stops at one point of the cosine, at a whole number of half waves.
    given.run.say("The cosine ends before the warmup does, and axolotl holds one value of it.")
    return [constant(low if length % 2 else given.peak)]


def rex(given: Given) -> tuple[Schedule, str]:
    """B·x/w, then m + (B − m)·(1 − p)/(0.1 + 0.9·(1 − p)), at x = s + 1; m from T on."""
    given.unused(_QUADRATIC, _CONSTANT)
    if given.warmup > given.total:
        message = f"the warmup of {given.warmup} steps is longer than the run"
        given.config.fail("out-of-range", message)
    low = given.share(_LOW) * given.peak
    given.run.say("rex counts updates from 1: the first is not at 0.")
    warm = linear(0, given.peak, given.warmup)
    if given.warmup == given.total or given.peak == low:
        return stages(warm, constant(low)), "end"
    asymptote = low + (given.peak - low) * _REX
    return stages(warm, inverse(given.peak, low, asymptote=asymptote)), "end"


def one_cycle(given: Given) -> Imported:
    """torch's OneCycleLR, in which the warmup is the share that rises."""
    config, run = given.config, given.run
    given.unused(_QUADRATIC, _LOW, _CONSTANT)
    if _steps(config, "jagged_restart_steps"):
        config.refuse("no document states jagged restarts around one_cycle", "jagged_restart_steps")
    config.ignore("jagged_restart_warmup_steps", "jagged_restart_anneal_steps")
    share = given.warmup / given.total
    if "pct_start" not in given.kwargs:
        run.say(f"pct_start is the warmup of {given.warmup} steps by {given.total}: {share:g}.")
    for key in ("max_lr", "total_steps"):
        if key in given.kwargs:
            config.fail("conflicting-fields", f"{key} is given by axolotl", "lr_scheduler_kwargs")
    own: dict[str, Json] = {"pct_start": share, "anneal_strategy": "cos"}
    merged = {"max_lr": given.peak, "total_steps": given.total, **own, **given.kwargs.data}
    return of_class("OneCycleLR", given.kwargs.inner(merged), run, given.peak)


def _steps(config: Config, key: str) -> int | None:
    """A number of steps, for which axolotl takes `false` as 0."""
    return 0 if config.raw(key, None) is False else config.optional_whole(key)


def jagged(given: Given, schedule: Schedule, sample: str) -> tuple[Schedule, str]:
    """The schedule times an envelope, both at s + 1: in every `jagged_restart_steps` a rise from
    the least share to 1, and a fall at its end; there is no rise at the start of the run."""
    config, run = given.config, given.run
    period = _steps(config, "jagged_restart_steps") or 0
    warm = _steps(config, "jagged_restart_warmup_steps") or 10
    anneal = _steps(config, "jagged_restart_anneal_steps") or 1
    if not period:
        return schedule, sample
    if given.name == "rex":
        config.refuse("axolotl counts the steps of rex twice in jagged restarts")
    if warm + anneal > period:
        message = f"the warmup of {warm} steps and the annealing of {anneal} are more than {period}"
        config.fail("out-of-range", message, "jagged_restart_steps")
    if anneal > warm:
        why = "versions of axolotl differ where a restart anneals longer than it warms up"
        config.refuse(why, "jagged_restart_anneal_steps")
    low = given.share(_LOW) or 0.001
    run.say(f"Jagged restarts: every {period} steps the rate falls to {low:g} of what it would be.")
    down = linear(1, low, anneal)
    again = stages(linear(low, 1, warm), constant(1) if warm + anneal < period else None, down)
    envelope = stages(constant(1, period - anneal), down, repeat(again, period=period))
    is_continuous = given.name in _CONTINUOUS and given.warmup < given.total
    if is_continuous and int(given.total * (given.share(_CONSTANT) or 1)) >= given.warmup:
        run.say("With jagged restarts updates are counted from 1: the first is not at 0.")
        return product(schedule, envelope), "end"
    inner = run.document(
        schedule, origin=given.name, base=given.peak, steps=given.total, sample=sample
    ).bind()
    factor = run.document(envelope, origin=given.name, base=None, steps=given.total).bind()
    why = f"{given.name} jumps, and axolotl reads it one step later in jagged restarts"
    found = run.sampled(
        lambda step: inner(step + 1) * factor(step + 1), given.total, refusal=why, config=config
    )
    return found, "start"
