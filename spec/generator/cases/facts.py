"""The facts of a run: in the document, from the host, in both; bases; several hyperparameters."""

from __future__ import annotations

from typing import Any

from generator.notation import (
    Golden,
    constant,
    cosine,
    exponential,
    golden,
    inverse_sqrt,
    linear,
    piecewise_constant,
    product,
    repeat,
    sum_of,
)

WARMUP = [linear(initial=0, final=1, length="10%"), linear(final=0.1)]
CHANGING = [{"start": 0, "value": 2}, {"start": 4, "value": 4}]

STEPS: list[Golden] = [
    golden(
        "facts/steps-that-cannot-be-converted-are-not-missed-where-no-span-is-needed",
        "Nothing asks how long the run is, so that nothing asks for steps_per_epoch.",
        "4.2 3.3 4.3",
        [linear(initial=1, final=0.5, length=4), constant()],
        training={"steps": "3 epochs"},
        read="0-6",
    ),
    golden(
        "facts/steps-stand-in-the-document",
        "The document knows its run.",
        "4.1 4.2",
        WARMUP,
        training={"steps": 20},
    ),
    golden(
        "facts/steps-come-from-the-host",
        "The document is shared, the host knows its run.",
        "4.1 4.2",
        WARMUP,
        facts={"steps": 20},
    ),
    golden(
        "facts/steps-may-be-given-twice-when-equal",
        "Both say the same.",
        "4.1",
        WARMUP,
        training={"steps": 20},
        facts={"steps": 20},
    ),
    golden(
        "facts/steps-given-twice-are-compared-with-the-result",
        "The document says 2 epochs, the host 20 steps.",
        "4.1 4.2",
        WARMUP,
        training={"steps": "2 epochs", "steps_per_epoch": 10},
        facts={"steps": 20},
    ),
    golden(
        "facts/an-override-replaces-the-documents-steps",
        "The host asks for an override.",
        "4.1",
        WARMUP,
        training={"steps": 20},
        facts={"steps": 30, "override": True},
    ),
    golden(
        "facts/an-override-without-a-difference-changes-nothing",
        "Nothing is replaced.",
        "4.1",
        WARMUP,
        training={"steps": 20},
        facts={"steps": 20, "override": True},
    ),
    golden(
        "facts/an-override-leaves-the-other-facts",
        "Only what the host gives is replaced.",
        "4.1",
        WARMUP,
        base=0.5,
        training={"steps": "2 epochs", "steps_per_epoch": 10},
        facts={"steps_per_epoch": 15, "override": True},
    ),
    golden(
        "facts/steps-may-be-written-in-epochs",
        "3 epochs of 7 steps.",
        "4.2 3.3",
        WARMUP,
        training={"steps": "3 epochs", "steps_per_epoch": 7},
    ),
    golden(
        "facts/steps-are-rounded-up",
        "2.5 epochs of 7 steps are 17.5 steps: 18.",
        "4.2",
        linear(initial=0, final=1),
        training={"steps": "2.5 epochs", "steps_per_epoch": 7},
    ),
    golden(
        "facts/steps-may-be-written-in-tokens",
        "10k tokens of 16 x 25 each step.",
        "4.2 3.3",
        WARMUP,
        training={"steps": "10k tokens", "batch_size": 16, "sequence_length": 25},
    ),
    golden(
        "facts/steps-in-samples-are-rounded-up",
        "50 samples of 8 are 6.25 steps: 7.",
        "4.2",
        linear(initial=0, final=1),
        training={"steps": "50 samples", "batch_size": 8},
    ),
    golden(
        "facts/steps-in-samples-follow-the-batch-schedule",
        "4 steps of 2 and 6 of 4: 32 samples.",
        "4.2 2.3",
        linear(initial=0, final=1),
        training={"steps": "32 samples", "batch_size": CHANGING},
    ),
    golden(
        "facts/steps-may-be-written-in-steps",
        "0.02k steps are 20.",
        "4.2",
        WARMUP,
        training={"steps": "0.02k steps"},
    ),
    golden(
        "facts/fractional-steps-are-rounded-up",
        "9.1 steps are 10.",
        "4.2",
        linear(initial=0, final=1),
        training={"steps": "9.1 steps"},
    ),
    golden(
        "facts/the-run-may-be-one-step",
        "A run of one step.",
        "4.2",
        linear(initial=0.5, final=1),
        training={"steps": 1},
    ),
    golden(
        "facts/the-run-is-no-boundary",
        "No value changes because the run ends.",
        "4.2",
        product(
            exponential(initial=1, rate=0.5, every=5),
            piecewise_constant(boundaries=[8, 15], values=[1, 2, 3]),
            repeat(period=4, schedule=linear(initial=1, final=0.5)),
        ),
        training={"steps": 10},
    ),
    golden(
        "facts/the-run-is-no-boundary-of-a-list",
        "A stage that crosses the end of the run is not cut.",
        "4.2",
        [linear(initial=0, final=1, length=8), cosine(final=0, length=8), constant(value=0.2)],
        training={"steps": 12},
    ),
]

OTHERS: list[Golden] = [
    golden(
        "facts/a-batch-size-comes-from-the-host",
        "Samples are converted by the host's batch size.",
        "4.1",
        linear(initial=0, final=1, length="40 samples"),
        facts={"batch_size": 8},
    ),
    golden(
        "facts/a-batch-schedule-comes-from-the-host",
        "Samples are converted by the host's batch schedule.",
        "4.1 2.3",
        linear(initial=0, final=1, length="40 samples"),
        facts={"batch_size": CHANGING},
    ),
    golden(
        "facts/a-batch-schedule-given-twice-is-compared-merged",
        "Neighbours with equal values are merged before they are compared.",
        "4.1",
        linear(initial=0, final=1, length="40 samples"),
        training={"batch_size": CHANGING},
        facts={
            "batch_size": [
                {"start": 0, "value": 2},
                {"start": 2, "value": 2},
                {"start": 4, "value": 4},
            ]
        },
    ),
    golden(
        "facts/a-batch-schedule-that-never-changes-equals-its-number",
        "8 throughout is 8.",
        "4.1",
        linear(initial=0, final=1, length="40 samples"),
        training={"batch_size": [{"start": 0, "value": 8}, {"start": 5, "value": 8}]},
        facts={"batch_size": 8},
    ),
    golden(
        "facts/a-batch-size-may-be-overridden",
        "The host's batch size replaces the document's schedule.",
        "4.1",
        linear(initial=0, final=1, length="40 samples"),
        training={"batch_size": CHANGING},
        facts={"batch_size": 8, "override": True},
    ),
    golden(
        "facts/a-sequence-length-comes-from-the-host",
        "Tokens are converted by the host's sequence length.",
        "4.1",
        linear(initial=0, final=1, length="400 tokens"),
        facts={"batch_size": 4, "sequence_length": 10},
    ),
    golden(
        "facts/steps-per-epoch-come-from-the-host",
        "Epochs are converted by the host's number, fractional or not.",
        "4.1 3.3",
        linear(initial=0, final=1, length="2 epochs"),
        facts={"steps_per_epoch": 4.5},
    ),
    golden(
        "facts/every-fact-may-be-given-twice-when-equal",
        "Numbers are compared as numbers.",
        "4.1",
        [linear(initial=0, final=1, length="64 tokens"), linear(final=0, until="2 epochs")],
        base=0.5,
        training={"steps": 30, "batch_size": 4, "sequence_length": 2, "steps_per_epoch": 10.0},
        facts={
            "steps": 30,
            "batch_size": 4,
            "sequence_length": 2,
            "steps_per_epoch": 10,
            "base": 0.5,
        },
    ),
    golden(
        "facts/a-fact-that-no-position-needs-changes-nothing",
        "Steps, batch size, sequence length and epochs are known and not needed.",
        "4.3",
        [linear(initial=0, final=1, length=4), inverse_sqrt(timescale=4)],
        facts={"steps": 10, "batch_size": CHANGING, "sequence_length": 7, "steps_per_epoch": 3.3},
    ),
    golden(
        "facts/no-fact-is-asked-for-that-no-conversion-needs",
        "Along tokens, tokens need no conversion but the clock's; epochs are not asked for.",
        "3.3",
        linear(initial=0, final=1, length="64 tokens"),
        axis="tokens",
        training={"batch_size": 4, "sequence_length": 2},
    ),
    golden(
        "facts/percent-of-a-period-needs-no-run",
        "A percentage in a repeat is of the period.",
        "3.3 3.4",
        repeat(period=10, schedule=linear(initial=1, final=0, length="50%")),
    ),
]

BASE: list[Golden] = [
    golden(
        "base/multiplies-every-value",
        "A base stands for 1.",
        "4.4 8.1",
        [linear(initial=0, final=1, length=4), cosine(final=0.1, length=6)],
        base=3e-4,
        read="0-12",
    ),
    golden(
        "base/multiplies-once-and-last",
        "Bounds and sums are multiples: the base is multiplied after them.",
        "4.4 8.1",
        {
            "clamp": {
                "minimum": 0.2,
                "maximum": 0.9,
                "schedule": sum_of(constant(value=0.1), linear(initial=1, final=0, length=8)),
            }
        },
        base=0.003,
        read="0-10",
    ),
    golden(
        "base/shrinks-toward-a-multiple",
        "`toward` is a multiple too.",
        "4.4 7.14",
        repeat(period=3, shrink=0.5, toward=0.1, schedule=linear(initial=1, final=0.2)),
        base=0.003,
        read="0-10",
    ),
    golden(
        "base/absolute-means-what-is-written",
        "Values are the rates.",
        "4.4",
        [linear(initial=1e-5, final=3e-4, length=4), cosine(final=3e-5, length=6)],
        base="absolute",
        read="0-12",
    ),
    golden(
        "base/absolute-needs-one-written-child-of-a-product",
        "The first of a product is written where one of its children is.",
        "4.4 6.4",
        product(linear(final=0.5, length=4), constant(value=3e-4)),
        base="absolute",
    ),
    golden(
        "base/absolute-is-content-with-piecewise-values",
        "piecewise kinds always write theirs.",
        "6.4",
        [
            piecewise_constant(boundaries=[2], values=[1e-3, 1e-4], length=4),
            linear(final=0, length=4),
        ],
        base="absolute",
    ),
    golden(
        "base/comes-from-the-host",
        "The document states multiples, the host what 1 stands for.",
        "4.1 4.4",
        linear(initial=0.1, final=1, length=7),
        facts={"base": 0.003},
    ),
    golden(
        "base/left-out-gives-multiples",
        "Without any base the curve gives multiples.",
        "4.4",
        linear(initial=0.1, final=1, length=7),
    ),
    golden(
        "base/may-be-overridden",
        "The host's base replaces the document's.",
        "4.1 4.4",
        linear(initial=0.1, final=1, length=7),
        base=0.1,
        facts={"base": 0.003, "override": True},
    ),
    golden(
        "base/may-be-a-whole-number",
        "A base of 2.",
        "4.4",
        linear(initial=0.1, final=1, length=7),
        base=2,
    ),
    golden(
        "base/saturates-at-the-largest-number",
        "Beyond the largest finite number that number stands, with its sign.",
        "7.19 4.4",
        piecewise_constant(boundaries=[2, 4], values=[1e300, -1e300, 1]),
        base=1e10,
    ),
    golden(
        "base/a-product-saturates-at-the-largest-number",
        "A product beyond the largest finite number.",
        "7.19 7.15",
        product(constant(value=1e200), piecewise_constant(boundaries=[2], values=[1e200, -1e200])),
    ),
    golden(
        "base/small-values-may-be-subnormal",
        "Values below 2^-1022 are float64 as well.",
        "8.1 8.7",
        piecewise_constant(boundaries=[2, 4], values=[1e-300, 3e-310, 1e-38]),
        base=1e-15,
    ),
]

_SEVERAL = {
    "lr": [linear(initial=0, final=1, length=4), cosine(final=0.1, length=6)],
    "weight_decay": constant(value=0.5),
    "momentum": [linear(initial=0.95, final=0.85, length=4), linear(final=0.95, length=6)],
    "beta_2": linear(initial=0.9, final=0.999, length="50%"),
}
_BASES = {"lr": 3e-4, "momentum": "absolute"}

SEVERAL: list[Golden] = [
    golden(
        f"schedules/{name.replace('_', '-')}-{what}",
        description,
        "1.8 4.5",
        schedules=_SEVERAL,
        base=_BASES,
        training={"steps": 12},
        bound=name,
        facts=facts,
        read="0-14",
    )
    for name, what, description, facts in (
        (
            "lr",
            "has-the-base-of-its-name",
            "The base of a name multiplies its schedule alone.",
            None,
        ),
        ("momentum", "may-be-absolute", "A name may have absolute values.", None),
        ("weight_decay", "has-no-base-where-none-is-named", "A name left out has no base.", None),
        (
            "weight_decay",
            "may-get-a-base-from-the-host",
            "The host gives one for a name.",
            {"base": 0.1},
        ),
        ("beta_2", "is-a-name-like-any-other", "Names have letters, digits and _.", None),
    )
]
NAMES: list[Golden] = [
    golden(
        "schedules/without-bases-all-are-multiples",
        "No base stands in the document.",
        "1.8 4.5",
        schedules={"lr": linear(initial=0, final=1, length=4)},
    ),
    golden(
        "schedules/a-base-of-every-name-may-be-absolute",
        "Both are absolute.",
        "4.5",
        schedules={
            "lr": linear(initial=1e-4, final=1e-3, length=4),
            "momentum": constant(value=0.9),
        },
        base={"lr": "absolute", "momentum": "absolute"},
        bound="momentum",
    ),
    golden(
        "schedules/one-name-needs-not-be-lr",
        "A document may schedule something else alone.",
        "1.8",
        schedules={"momentum": linear(initial=0.8, final=0.9, length=4)},
        base={"momentum": "absolute"},
        bound="momentum",
    ),
]

_IGNORED: dict[str, Any] = {
    "$schema": "https://lrspec.org/v1/schedule.schema.json",
    "name": "an example",
    "description": "A line.",
    "x-author": {"any": ["thing", 1, None]},
    "x-": 1,
}

ROOT: list[Golden] = [
    golden(
        "root/name-description-and-extensions-change-nothing",
        "$schema, name, description and what starts with x- are ignored.",
        "1.1",
        linear(initial=0, final=1, length=4),
        **_IGNORED,
    ),
    golden(
        "root/rounding-and-sample-defaults-may-be-written",
        "rounding: none, sample: start and axis: steps are what is meant without them.",
        "2.2 2.4 3.6",
        linear(initial=0, final=1, length="2.5 steps"),
        axis="steps",
        sample="start",
        rounding="none",
        training={},
    ),
]

CASES: list[Golden] = [*STEPS, *OTHERS, *BASE, *NAMES, *SEVERAL, *ROOT]
