"""MaxText: `lr_schedule_type` cosine or wsd (maxtext_utils.py, create_learning_rate_schedule).

With S `learning_rate_schedule_steps`, W = ⌊S·warmup_steps_fraction⌋, p the rate and m its final
fraction: p·s/W up to W; then of cosine m·p + (1 - m)·p·½(1 + cos(π·t/(L - 1))) with t = s - W and
L = S - W, which comes to its end at S - 1; of wsd p, and such a cosine or a line in the last D =
⌊S·wsd_decay_steps_fraction⌋ steps, D - 1 long. From S on 0, where the run is longer.
"""

from __future__ import annotations

import re
from decimal import Decimal

from lrspec.importing.classes import say_defaults
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import Node, Schedule, constant, cosine, linear, percent
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages
from lrspec.importing.shell import words
from lrspec.source import Json

_OLD = "cosine_learning_rate_final_fraction"
_OVERRIDE = re.compile(r"([a-z][a-z0-9_]*)=(.*)", re.DOTALL)
# A key with one of these in it may change the curve.
_ABOUT_RATES = ("warmup", "learning_rate", "lr_sched", "wsd")


def parse_overrides(text: str) -> dict[str, Json]:
    """The keys that a command gives, `train.py configs/base.yml steps=100 learning_rate=1e-3`; the
    file is the `base_config`.

    Raises ValueError where quotes do not match, or nothing is given.
    """
    found: dict[str, Json] = {}
    for word in words(text):
        if override := _OVERRIDE.fullmatch(word):
            found[override[1]] = override[2]
        elif word.endswith((".yml", ".yaml")):
            found["base_config"] = word
    if found.keys() <= {"base_config"}:
        raise ValueError("no argument such as learning_rate=1e-3 stands in it")
    return found


@importer("MaxText", text=parse_overrides)
def load(config: Config, run: Run) -> Imported:
    """The document of a MaxText configuration: a whole base.yml, its keys that are about the
    learning rate, with `steps`, or a command that gives some of them."""
    peak = run.base(config, "learning_rate")
    if peak is None:
        peak = 3e-5
        run.say("learning_rate is left out and is 3e-05, MaxText's default.")
    is_left = config.raw("steps", None) == -1
    steps = run.steps() if is_left else run.steps(config, "steps")
    total = config.whole("learning_rate_schedule_steps", -1, least=-1)
    if total == 0:
        config.fail("out-of-range", "expected -1 or at least 1", "learning_rate_schedule_steps")
    if total < 0:
        why = "the schedule of MaxText is laid out over the run"
        total = run.needs_steps(config, "" if is_left else "steps", why=why)
    if is_left and steps is None:
        steps = total
    kind = config.choice("lr_schedule_type", ("cosine", "wsd"), "cosine", what="lr_schedule_type")
    if "base_config" in config:
        run.say("base_config is not read: what is left out here has the defaults of MaxText.")
    _say_defaults(config, run, kind)
    schedule = _schedule(config, run, kind, peak, total, steps)
    rest = [key for key in config.data if not any(word in key for word in _ABOUT_RATES)]
    config.ignore("wsd_decay_steps_fraction", "wsd_decay_style", *rest)
    origin = f"lr_schedule_type {kind}"
    return run.document(schedule, origin=origin, base=peak, steps=steps or total)


def _say_defaults(config: Config, run: Run, kind: str) -> None:
    finals = ("learning_rate_final_fraction", _OLD)
    say_defaults(
        config,
        run,
        **({} if "lr_schedule_type" in config else {"lr_schedule_type": kind}),
        warmup_steps_fraction=0.1,
        **({} if any(key in config for key in finals) else {finals[0]: 0.1}),
        **({"wsd_decay_style": "linear", "wsd_decay_steps_fraction": 0.1} if kind == "wsd" else {}),
    )


def _schedule(
    config: Config, run: Run, kind: str, peak: float, total: int, steps: int | None
) -> Schedule:
    fraction = config.number("warmup_steps_fraction", 0.1, least=0, most=1)
    warmup = _part(run, "warmup_steps_fraction", fraction, total)
    exact = steps == total and Decimal(repr(fraction)) * total == warmup
    rise = linear(0, peak, percent(fraction) if exact else warmup) if warmup else None
    longer = steps is not None and steps > total
    low = peak * _final(config)
    if kind == "cosine":
        length = total - warmup
        # An older MaxText reaches the end of its cosine one step later.
        fall = _falling(config, run, "cosine", peak, low, length, 0 if _OLD in config else 1)
        held = None
    else:
        style = config.choice("wsd_decay_style", ("linear", "cosine"), "linear", what="style")
        share = config.number("wsd_decay_steps_fraction", 0.1, least=0, most=1)
        length = _part(run, "wsd_decay_steps_fraction", share, total)
        if warmup + length > total:
            message = f"the warmup of {warmup} steps and the decay of {length} are more than"
            config.fail("does-not-fit", f"{message} the {total} of the schedule")
        held = constant(peak, total - warmup - length) if total > warmup + length else None
        fall = _falling(config, run, style, peak, low, length, 1)
    if not longer:
        return stages(rise, held, *fall)
    run.say(f"From step {total} on the rate is 0, up to the end of the run.")
    rest = total - warmup - sum(_length(node) for node in fall) - _length(held)
    ended = [_held_still(node) for node in fall]
    return stages(rise, held, *ended, constant(None, rest) if rest else None, constant(0))


def _final(config: Config) -> float:
    """The fraction of the rate at the end, under the name of an older MaxText too."""
    if _OLD in config:
        if "learning_rate_final_fraction" in config:
            config.conflict("learning_rate_final_fraction", _OLD)
        return config.number(_OLD, least=0)
    return config.number("learning_rate_final_fraction", 0.1, least=0)


def _falling(
    config: Config, run: Run, style: str, peak: float, low: float, length: int, early: int
) -> list[Node]:
    """The decay, which is at its end `early` steps before it is over."""
    span = length - early
    if length == 0:
        return []
    if span == 0 and style == "linear":
        return [constant(peak, length)]
    if span == 0:
        config.refuse("MaxText divides by the 0 steps between the ends of a cosine of one step")
    if early:
        run.say(f"The decay has its last rate at its last step, {span} steps after it begins.")
    if style == "linear":
        return [linear(peak, low, span)]
    return [cosine(peak, low, span, extend=True)]


def _part(run: Run, key: str, fraction: float, total: int) -> int:
    """A fraction of the schedule in whole steps."""
    steps = int(total * fraction)
    if Decimal(repr(fraction)) * total != steps:
        run.say(f"{key} {fraction:g} of {total} steps is truncated to {steps}.")
    return steps


def _length(node: Node | None) -> int:
    if node is None:
        return 0
    ((_, body),) = node.items()
    return int(body["length"])


def _held_still(node: Node) -> Node:
    """The node where something follows it, which no formula goes on beyond."""
    ((kind, body),) = node.items()
    return {kind: {key: value for key, value in body.items() if key != "after"}}
