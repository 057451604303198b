"""TensorFlow Model Garden: `learning_rate` and `warmup` of an optimizer configuration
(official/modeling/optimization).

A warmup stands in place of the first W steps: linear from `warmup_learning_rate`, or target·(max(s,
1)/W)^power, up to the rate that the schedule has at step W. The schedule does not wait for it: its
clock runs from step 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from lrspec.importers.tf_models_shapes import MAKE
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.joining import Stage, join, laid
from lrspec.importing.nodes import Node, clamp, linear, polynomial
from lrspec.importing.run import Run
from lrspec.importing.scale import largest
from lrspec.loading import from_dict

_WARMUPS = ("linear", "polynomial")
_PARTS = ("trainer", "optimizer_config")


@importer("TensorFlow Model Garden")
def load(config: Config, run: Run) -> Imported:
    """The document of an experiment's configuration (`trainer.optimizer_config`), of an
    `optimizer_config` alone, or of its `learning_rate`."""
    if run.facts.get("base") is not None:
        config.fail("conflicting-fact", "the rates of tf-models are absolute; there is no base")
    steps = run.steps()
    found = config
    for part in _PARTS:
        if part in found:
            found.ignore_rest()
            found = found.section(part)
            steps = run.steps(found, "train_steps") if "train_steps" in found else steps
    warmup: tuple[str, Config] | None = None
    rate = found
    if "learning_rate" in found:
        found.ignore("optimizer", "ema")
        rate = found.section("learning_rate")
        warmup = _warmup(found)
        found.done(("learning_rate", "warmup"))
    elif "type" not in found:
        hint = "it stands in trainer.optimizer_config.learning_rate, as its type and a mapping"
        found.fail("missing-field", "there is no learning_rate here", hint=hint)
    kind, section = _chosen(rate, MAKE)
    stages = _stages(run, kind, section, warmup)
    schedule = laid(stages, steps)
    name = kind if warmup is None else f"{kind} after a {warmup[0]} warmup"
    return run.document(schedule, origin=name, base=largest(schedule), steps=steps)


def _warmup(config: Config) -> tuple[str, Config] | None:
    """The warmup, where there is one: a configuration that is written out has one of no type."""
    if "warmup" not in config:
        return None
    section = config.section("warmup")
    if "type" not in section and "type" in section.data:
        return None
    return _chosen(section, _WARMUPS)


def _chosen(config: Config, kinds: Iterable[str]) -> tuple[str, Config]:
    """What `type` names, and the mapping of that name."""
    kinds = sorted(kinds)
    kind = config.choice("type", kinds, what="type", code="unknown-schedule")
    section = config.section(kind, {})
    # A configuration that is written out has the mappings of all types.
    config.ignore(*kinds)
    config.done()
    return kind, section


def _stages(run: Run, kind: str, section: Config, warmup: tuple[str, Config] | None) -> list[Stage]:
    section.ignore("name")
    if warmup is None:
        main = MAKE[kind](section, run, 0)
        section.done()
        return main
    form, rising = warmup
    rising.ignore("name")
    length = rising.whole("warmup_steps")
    main = MAKE[kind](section, run, length)
    section.done()
    start = rising.number("warmup_learning_rate", 0) if form == "linear" else 0.0
    power = rising.number("power", 1, above=0) if form == "polynomial" else 1.0
    rising.done()
    if length == 0:
        return main
    target = _first(main)
    run.say(
        f"The warmup ends at {target:g}, the rate of the schedule at step {length}: its clock"
        " runs during the warmup."
    )
    node: Node = linear(start, target)
    if form == "polynomial":
        run.say("The first two steps have the same rate, as the warmup counts at least 1.")
        node = polynomial(0, target, power=power, origin="initial")
        node = clamp(node, minimum=target * (1 / length) ** power)
    return join([[Stage(node, length)], main], [length])


def _first(stages: list[Stage]) -> float:
    """The rate with which stages start."""
    data = {"lrspec": 1, "base": "absolute", "schedule": laid(stages)}
    return from_dict(data).bind()(0)
