"""Documents that are refused for what stands somewhere deep: faults whose place decides."""

from __future__ import annotations

from typing import Any

from generator.notation import (
    Invalid,
    advance,
    clamp,
    constant,
    exponential,
    geometric,
    invalid,
    linear,
    piecewise_linear,
    power_law,
    product,
    quantize,
    repeat,
    sum_of,
)

FALL = linear(initial=1, final=0, length=10)
EPOCHS = linear(initial=1, final=0, length="2 epochs")

# Every kind with the fields that it needs.
_FIELDS: dict[str, dict[str, Any]] = {
    "constant": {},
    "linear": {"final": 1},
    "cosine": {"final": 1},
    "polynomial": {"final": 1, "power": 2},
    "geometric": {"initial": 1, "final": 2},
    "inverse": {"initial": 1, "final": 2},
    "exponential": {"rate": 0.5, "every": 5},
    "inverse_sqrt": {"timescale": 5},
    "power_law": {"timescale": 5, "exponent": 1},
    "token_power": {"amplitude": 1, "exponent": -0.5},
    "piecewise_linear": {"boundaries": [15], "values": [1]},
    "piecewise_constant": {"boundaries": [15], "values": [1, 2]},
    "repeat": {"period": 5, "schedule": constant()},
    "product": {"of": [constant()]},
    "sum": {"of": [constant(value=1)]},
    "clamp": {"minimum": 0, "schedule": constant()},
    "quantize": {"every": 5, "schedule": constant()},
    "advance": {"by": 5, "schedule": constant()},
}

ABSOLUTE: list[Invalid] = [
    invalid(
        "no-initial-in-any-child-of-an-absolute-product",
        "One of the children must write its first value.",
        "6.4",
        "initial-required",
        "/schedule/product",
        product(linear(final=0.5, length=5), constant()),
        base="absolute",
    ),
    invalid(
        "no-initial-in-the-only-child-of-an-absolute-product",
        "The product lacks it, whether it has one child or several.",
        "6.4 9.4",
        "initial-required",
        "/schedule/product",
        product(linear(final=0.5, length=5)),
        base="absolute",
    ),
    invalid(
        "no-initial-in-a-product-in-an-absolute-sum",
        "The product starts its children from 1, which no absolute curve starts from.",
        "6.4 6.3",
        "initial-required",
        "/schedule/sum/of/1/product",
        sum_of(FALL, product(linear(final=0.5, length=5), constant())),
        base="absolute",
    ),
]

SPANS: list[Invalid] = [
    invalid(
        "stages-longer-than-their-wrapper-after-the-open-stage",
        "A stage that is laid from the end has a bounded span too.",
        "5.7 5.8",
        "does-not-fit",
        "/schedule/1/clamp/schedule",
        [constant(value=1), clamp(minimum=0, schedule=[FALL, FALL], length=15)],
        training={"steps": 100},
    ),
    *[
        invalid(
            f"stages-longer-than-the-length-of-their-{kind}",
            "What a wrapper holds has its span, which a length bounds.",
            "5.7 5.8 5.11",
            "does-not-fit",
            f"/schedule/{kind}/schedule",
            {kind: {**fields, "schedule": [FALL, FALL], "length": 15}},
        )
        for kind, fields in (
            ("clamp", {"minimum": 0}),
            ("quantize", {"every": 5}),
            ("advance", {"by": 2}),
        )
    ],
    invalid(
        "stages-longer-than-the-open-last-stage-of-a-bounded-list",
        "It ends where its list does, and that is bounded.",
        "5.7 5.8",
        "does-not-fit",
        "/schedule/product/of/0/1/clamp/schedule",
        product([constant(value=1, length=5), clamp(minimum=0, schedule=[FALL, FALL])], length=20),
    ),
    invalid(
        "less-than-nothing-in-a-stage-for-which-exactly-nothing-is-left",
        "Exactly nothing makes the last stage empty; the list in it has a stage of 2 steps.",
        "5.5 5.7",
        "nothing-left",
        "/schedule/product/of/0/1/1",
        product([FALL, [constant(length=2), constant()]], length=10),
    ),
    invalid(
        "less-than-nothing-for-the-third-stage-of-a-bounded-list",
        "The stage at fault is the open one.",
        "5.5 9.4",
        "nothing-left",
        "/schedule/product/of/0/2",
        product([constant(value=1, length=3), FALL, constant()], length=5),
    ),
]

UNITS: list[Invalid] = [
    invalid(
        "a-power-law-whose-timescale-rounds-to-zero",
        "Less than half a step, to the nearest.",
        "3.8 3.6",
        "rounds-to-zero",
        "/schedule/power_law/timescale",
        power_law(timescale="0.04 epochs", exponent=1),
        rounding="nearest",
        training={"steps_per_epoch": 10},
    ),
    *[
        invalid(
            f"a-length-in-epochs-of-{kind.replace('_', '-')}",
            "An epoch of unknown length; the pointer is that of the field.",
            "3.3 9.4",
            "missing-fact",
            f"/schedule/1/{kind}/length",
            [FALL, {kind: {**fields, "length": "2 epochs"}}],
            base="absolute",
            training={"batch_size": 4, "sequence_length": 4},
        )
        for kind, fields in _FIELDS.items()
    ],
    *[
        invalid(
            f"a-length-in-epochs-inside-{kind.replace('_', '-')}",
            "An epoch of unknown length; the pointer leads through what encloses the field.",
            "3.3 9.4",
            "missing-fact",
            f"/schedule/{kind}/{inside}/linear/length",
            {kind: fields},
        )
        for kind, inside, fields in (
            ("clamp", "schedule", {"minimum": 0, "schedule": EPOCHS}),
            ("quantize", "schedule", {"every": 5, "schedule": EPOCHS}),
            ("advance", "schedule", {"by": 5, "schedule": EPOCHS}),
            ("repeat", "schedule", {"period": 50, "schedule": EPOCHS}),
            ("product", "of/1", {"of": [FALL, EPOCHS]}),
            ("sum", "of/1", {"of": [FALL, EPOCHS]}),
        )
    ],
    *[
        invalid(
            f"{what}-in-percent-without-steps",
            "A percentage of a run of unknown length.",
            "3.4",
            "missing-fact",
            pointer,
            schedule,
        )
        for what, pointer, schedule in (
            ("until", "/schedule/constant/until", constant(until="50%")),
            ("every", "/schedule/exponential/every", exponential(rate=0.5, every="10%")),
            ("by", "/schedule/advance/by", advance(by="10%", schedule=FALL)),
            ("a-multiple", "/schedule/quantize/every", quantize(every="10%", schedule=FALL)),
            ("a-timescale", "/schedule/power_law/timescale", power_law(timescale="9%", exponent=1)),
            ("a-period", "/schedule/repeat/period", repeat(period="10%", schedule=FALL)),
        )
    ],
    invalid(
        "an-asymptote-that-the-stage-before-ends-on",
        "Inherited through a nested list and a repeat that has ended.",
        "6.5 6.3",
        "asymptote-side",
        "/schedule/1/0/geometric",
        [
            repeat(period=4, count=2, schedule=linear(initial=1, final=0.25)),
            [geometric(final=0.1, asymptote=0.25, length=5)],
        ],
    ),
]

TOKENS: list[Invalid] = [
    invalid(
        f"tokens-without-sequence-length-and-{what}",
        f"Every position lacks it; it is missing once, at the axis, with {what.replace('-', ' ')}.",
        "2.2 3.3 9.4",
        "missing-fact",
        "/axis",
        [linear(initial=0, final=1, length="4 samples"), linear(final=0, length=8)],
        axis="tokens",
        training={"batch_size": batch_size, "steps": steps, "steps_per_epoch": 10},
    )
    for what, batch_size, steps in (
        ("one-batch-size", 2, 20),
        ("a-batch-schedule", [{"start": 0, "value": 2}, {"start": 10, "value": 4}], 20),
        ("a-run-in-epochs", [{"start": 0, "value": 2}, {"start": 10, "value": 4}], "2 epochs"),
    )
]

PERIODS: list[Invalid] = [
    invalid(
        "a-rounded-period-that-its-stages-do-not-fit",
        "Periods of 4, 6, 9 and more steps: half of 9 is rounded up twice, to 10.",
        "5.8 7.14 3.6",
        "does-not-fit",
        "/schedule/repeat/schedule",
        repeat(
            period=4,
            stretch=1.5,
            schedule=[linear(initial=1, final=0.5, length="50%"), linear(final=0, length="50%")],
        ),
        rounding="ceil",
    ),
    invalid(
        "a-period-beyond-float64",
        "The second period is longer than float64 can tell.",
        "3.9 7.14",
        "out-of-range",
        "",
        repeat(period=10**9, stretch=1e300, schedule=linear(initial=1, final=0)),
    ),
]

UNBOUND: list[Invalid] = [
    invalid(
        "equal-boundaries-in-a-schedule-that-is-not-bound",
        "A document is refused whichever of its schedules is asked for.",
        "3.8 1.8",
        "boundaries-order",
        "/schedules/momentum/piecewise_linear/boundaries/1",
        schedules={
            "lr": constant(),
            "momentum": piecewise_linear(boundaries=[5, 5], values=[0.9, 0.95]),
        },
    ),
]

CASES: list[Invalid] = [*ABSOLUTE, *SPANS, *UNITS, *TOKENS, *PERIODS, *UNBOUND]
