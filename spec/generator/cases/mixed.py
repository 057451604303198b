"""Units, facts, axes and rulers where two of them meet: what one of them alone does not show."""

from __future__ import annotations

from generator.notation import (
    Golden,
    clamp,
    constant,
    cosine,
    exponential,
    geometric,
    golden,
    inverse,
    inverse_sqrt,
    linear,
    piecewise_constant,
    piecewise_linear,
    polynomial,
    power_law,
    product,
    quantize,
    repeat,
    sum_of,
    token_power,
)

CHANGING = {
    "batch_size": [{"start": 0, "value": 2}, {"start": 10, "value": 4}, {"start": 20, "value": 8}],
    "sequence_length": 10,
}

BACKWARD: list[Golden] = [
    golden(
        "units/a-length-after-the-open-stage-takes-every-unit",
        "Epochs, samples, tokens and percent, back from the end.",
        "3.3 5.6",
        [
            constant(value=1),
            linear(final=0.8, length="2 epochs"),
            linear(final=0.6, length="24 samples"),
            linear(final=0.4, length="0.96k tokens"),
            linear(final=0, length="5%"),
        ],
        training={"steps": 100, "batch_size": 4, "sequence_length": 24, "steps_per_epoch": 9.5},
    ),
    golden(
        "axis/a-length-in-epochs-after-the-open-stage",
        "Along tokens, back from the end across a change of the batch size.",
        "3.3 3.7 5.6",
        [constant(value=1), linear(final=0.5, length="1 epoch"), linear(final=0, length=3)],
        axis="tokens",
        training={**CHANGING, "steps": 26, "steps_per_epoch": 8},
    ),
]

AXIS: list[Golden] = [
    golden(
        "axis/epochs-after-epochs-along-tokens",
        "The second epoch is converted from where the first one ends.",
        "3.3 3.7 2.2",
        [
            linear(initial=0, final=1, length="1 epoch"),
            linear(final=0.5, length="1 epoch"),
            linear(final=0, length="1.5 epochs"),
        ],
        axis="tokens",
        training={**CHANGING, "steps_per_epoch": 7},
    ),
    golden(
        "axis/the-run-in-samples-along-samples",
        "100 samples, where the batch size changes: 10 steps of 2, 10 of 4 and 5 of 8.",
        "4.2 2.2 2.3",
        linear(initial=0, final=1),
        axis="samples",
        training={**CHANGING, "steps": "100 samples"},
        read="0-2 9-11 19-21 23-26",
    ),
    golden(
        "axis/the-run-in-samples-along-tokens",
        "101 samples are 25.125 steps: 26, where the run has 1080 tokens.",
        "4.2 2.2 2.3",
        linear(initial=0, final=1),
        axis="tokens",
        training={**CHANGING, "steps": "101 samples"},
        read="0-2 9-11 19-21 23-27",
    ),
    golden(
        "axis/the-run-in-epochs-along-tokens",
        "2.5 epochs of 9 steps: 23 steps.",
        "4.2 2.2 3.3",
        linear(initial=0, final=1),
        axis="tokens",
        training={**CHANGING, "steps": "2.5 epochs", "steps_per_epoch": 9},
        read="0-2 9-11 19-24",
    ),
    golden(
        "axis/the-run-in-tokens-with-one-batch-size",
        "Along samples, 1000 tokens of 8 times 10 each step: 13 steps.",
        "4.2 2.2 3.3",
        linear(initial=0, final=1),
        axis="samples",
        training={"steps": "1k tokens", "batch_size": 8, "sequence_length": 10},
        read="0-2 11-14",
    ),
]

FACTS: list[Golden] = [
    golden(
        "facts/steps-from-the-host-may-be-written-in-epochs",
        "2.5 epochs of 7 steps: 18 steps.",
        "4.1 4.2",
        linear(initial=0, final=1),
        training={"steps_per_epoch": 7},
        facts={"steps": "2.5 epochs"},
    ),
    golden(
        "facts/steps-given-twice-may-both-be-text",
        "2 epochs of 10 are 80 samples of 4.",
        "4.1 4.2",
        linear(initial=0, final=1),
        training={"steps": "2 epochs", "steps_per_epoch": 10, "batch_size": 4},
        facts={"steps": "80 samples"},
    ),
]

INSIDE: list[Golden] = [
    golden(
        "rulers/a-timescale-in-percent-is-of-the-ruler",
        "Of the run at the root, of the list in a list.",
        "3.4 7.9 7.10",
        [
            linear(initial=0, final=1, length=5),
            [inverse_sqrt(timescale="20%", length=15), power_law(timescale="10%", exponent=2)],
        ],
        training={"steps": 45},
    ),
    golden(
        "lists/a-repeat-with-a-length-after-the-open-stage",
        "Its length decides where it starts, and not its periods.",
        "5.6 7.14",
        [
            constant(value=1),
            repeat(period=4, schedule=linear(initial=1, final=0.5), length=10),
            repeat(period=4, count=2, schedule=linear(initial=0.5, final=0), length=6),
        ],
        training={"steps": 30},
        read="0 1 12-33",
    ),
    golden(
        "lists/a-list-in-a-wrapper-after-the-open-stage-is-laid-from-its-start",
        "The wrapper is laid from the end; the stages inside it follow each other from its start.",
        "5.6 5.9 5.11",
        [
            constant(value=1),
            clamp(
                maximum=0.9,
                schedule=[linear(final=0.5, length=4), linear(final=0.25, length=4)],
                length=12,
            ),
            constant(length=3),
        ],
        training={"steps": 30},
        read="0 14-31",
    ),
    golden(
        "lists/a-repeat-with-a-length-ends-without-percent",
        "Its period is half of the list, whose length its stages decide.",
        "5.3 3.4",
        [
            constant(value=1, length=2),
            [repeat(period="50%", length=10, schedule=linear(initial=1, final=0))],
            constant(),
        ],
        read="0-15",
    ),
]

# Digits that no float64 has room for after a 1.
MORE, LESS = "1.00000000000000000001 steps", "0.99999999999999999999 steps"
STAGES = [constant(value=1, length=1), constant(value=2, length=1), constant(value=3)]
PIECES = piecewise_constant(boundaries=[1, 2], values=[1, 2, 3])

ROUNDED: list[Golden] = [
    golden(
        "float64/stages-in-a-period-are-found-by-rounded-edges",
        "A period of a hair more than 3 steps: a hair before its step 1 is step 1 as a float64.",
        "3.9 7.14",
        repeat(period="3.00000000000000000001 steps", schedule=STAGES),
        read="0-14",
    ),
    golden(
        "float64/pieces-in-a-period-are-found-by-rounded-boundaries",
        "In combinators and wrappers too.",
        "3.9 7.14",
        repeat(
            period="3.00000000000000000001 steps",
            schedule=product(PIECES, clamp(minimum=2, schedule=sum_of(PIECES, STAGES))),
        ),
        read="0-14",
    ),
    golden(
        "float64/stages-in-a-grown-period-are-found-by-rounded-edges",
        "Periods of a hair more than 3, 6 and 12 steps.",
        "3.9 7.14",
        repeat(
            period="3.00000000000000000001 steps",
            stretch=2,
            schedule=product(PIECES, STAGES),
        ),
        read="0-26",
    ),
    golden(
        "float64/many-stages-in-a-period-are-found-by-rounded-edges",
        "A list of twenty stages.",
        "3.9 7.14",
        repeat(
            period="20.00000000000000000001 steps",
            schedule=[*[constant(value=i, length=1) for i in range(1, 20)], constant(value=20)],
        ),
        read="0-65",
    ),
    golden(
        "float64/multiples-find-stages-by-rounded-edges",
        "A multiple a hair before step 1 is step 1 as a float64, in a list and in its pieces.",
        "3.9 7.17",
        sum_of(
            quantize(every=LESS, schedule=[constant(value=1, length=1), constant(value=2)]),
            quantize(every=LESS, schedule=PIECES),
            quantize(every=MORE, schedule=PIECES),
        ),
        read="0-5",
    ),
    golden(
        "float64/a-repeat-in-a-period-counts-exactly",
        "In periods of a hair more than 6 steps, periods of 2: a hair before 2 is in the first.",
        "3.9 7.14",
        repeat(
            period="6.00000000000000000001 steps",
            schedule=repeat(period=2, schedule=linear(initial=1, final=0.5)),
        ),
        read="0-26",
        double_only=True,
    ),
    golden(
        "float64/multiples-and-powers-in-a-period-count-exactly",
        "A hair before a multiple the one before it holds, and a hair before a whole power too.",
        "3.9 7.8 7.17",
        repeat(
            period="6.00000000000000000001 steps",
            schedule=product(
                quantize(every=2, schedule=linear(initial=1, final=0.5)),
                exponential(initial=1, rate=0.5, every=2, staircase=True),
            ),
        ),
        read="0-26",
        double_only=True,
    ),
    golden(
        "closing/of-a-repeat-cut-where-a-stage-begins-is-of-the-stage-before",
        "The second period is cut at the end of its first stage, and at a boundary.",
        "6.2 2.5 7.14",
        [
            repeat(
                period=4,
                length=6,
                schedule=[constant(value=0.25, length=2), constant(value=0.5)],
            ),
            constant(length=2),
            repeat(
                period=3,
                stretch=2,
                length=7,
                schedule=piecewise_constant(boundaries=[4], values=[0.75, 2]),
            ),
            constant(),
        ],
        read="0-17",
    ),
    golden(
        "closing/of-an-empty-repeat-is-what-its-first-period-starts-with",
        "From the boundary at its start on, and of its first stage.",
        "6.2 7.13",
        [
            constant(value=1, length=2),
            repeat(
                period=5,
                length=0,
                schedule=piecewise_constant(boundaries=[0], values=[9, 0.5]),
            ),
            constant(length=2),
            repeat(
                period=5,
                length=0,
                schedule=[constant(value=0.25, length=1), constant(value=0.75)],
            ),
            constant(),
        ],
        read="0-6",
    ),
    golden(
        "closing/of-what-is-cut-at-its-start-is-the-limit-there",
        "A combinator is empty, and its children are not: the limit from the left is before them.",
        "6.2 2.5",
        [
            constant(value=0.5, length=4),
            product(
                piecewise_constant(boundaries=[4], values=[0.9, 2], length=3),
                repeat(period=2, length=3, schedule=linear(initial=0.9, final=0.5)),
                repeat(period=2, stretch=2, length=3, schedule=linear(initial=0.8, final=0.5)),
                exponential(initial=0.9, rate=0.5, every=2, staircase=True, length=3),
                quantize(every=2, length=3, schedule=exponential(initial=0.9, rate=0.5, every=2)),
                length=0,
            ),
            constant(length=2),
        ],
        read="3-7",
    ),
    golden(
        "rulers/a-repeat-in-a-nested-list-measures-its-periods-alone",
        "Positions in a period count from its start, wherever the list of the repeat starts.",
        "3.4 7.14",
        [
            constant(value=1, length=5),
            [
                repeat(
                    period=10,
                    schedule=product(
                        piecewise_constant(boundaries=[4, "70%"], values=[1, 2, 3]),
                        linear(initial=1, final=0.5, until="80%"),
                    ),
                )
            ],
        ],
        read="0-27",
    ),
    golden(
        "rulers/a-grown-repeat-in-a-nested-list-measures-its-periods-alone",
        "The same in periods of 10, 20 and 40 steps, each of which begins with a stage of a step.",
        "3.4 7.14",
        [
            constant(value=1, length=5),
            [
                repeat(
                    period=10,
                    stretch=2,
                    schedule=[
                        constant(value=9, length=1),
                        piecewise_constant(boundaries=[4, "70%"], values=[1, 2, 3]),
                    ],
                )
            ],
        ],
        read="0-50 74-76",
    ),
    golden(
        "float64/a-start-a-hair-beyond-a-step-is-at-the-step",
        "Step 1 belongs to what starts at 1 as a float64, and nothing has passed of it there.",
        "3.9 7.8 7.14 7.17",
        [
            constant(value=2, length=MORE),
            product(
                exponential(initial=1, rate=0.5, every=2, staircase=True),
                quantize(every=2, schedule=exponential(initial=1, rate=0.7, every=1)),
                repeat(period=3, shrink=0.9, schedule=linear(initial=1, final=0.5)),
                repeat(period=3, stretch=2, shrink=0.9, schedule=linear(initial=1, final=0.5)),
            ),
        ],
        read="0-12",
    ),
    golden(
        "closing/of-what-ends-between-float64s-is-found-by-rounded-edges",
        "An end a hair after 1 is 1 as a float64: just before it the first stage and piece hold.",
        "6.2 3.9",
        [
            piecewise_constant(boundaries=[1], values=[0.5, 2], length=MORE),
            constant(length=1),
            product(
                constant(value=0.75),
                [constant(value=1, length=1), constant(value=2)],
                repeat(period=1, schedule=linear(initial=1, final=0.5)),
                length=MORE,
            ),
            constant(length=2),
            clamp(
                maximum=0.9,
                schedule=[constant(value=0.25, length=1), constant(value=0.5)],
                length=MORE,
            ),
            constant(),
        ],
        read="0-10",
    ),
    golden(
        "sample/the-end-of-a-shrunk-period-is-in-it",
        "Read at the end of a step, the last step of a period is of its own height.",
        "2.5 7.14",
        product(
            repeat(period=4, shrink=0.5, schedule=linear(initial=1, final=0.3)),
            repeat(period=3, stretch=2, shrink=0.5, schedule=linear(initial=1, final=0.3)),
        ),
        sample="end",
        read="0-24",
    ),
    *[
        golden(
            f"rounding/{name}{'-read-at-the-end' if sample == 'end' else ''}",
            f"{description} Read at the {sample} of a step.",
            "3.6 7.14 2.4",
            repeat(**fields, shrink=0.9, schedule=linear(initial=1, final=0.5)),
            rounding=rounding,
            sample=sample,
            read="0-70",
        )
        for name, description, rounding, fields in (
            (
                "periods-that-never-grow",
                "3 steps, and 3.3 of which 3 are left, again and again.",
                "nearest",
                {"period": 3, "stretch": 1.1},
            ),
            (
                "periods-that-grow-for-ever",
                "4, 5, 6, 7, 8, 10, 12 steps, and so on.",
                "nearest",
                {"period": 4, "stretch": 1.2},
            ),
            (
                "periods-that-shrink-no-more",
                "10 steps, then 9, and 8.1 of which 9 are made.",
                "ceil",
                {"period": 10, "stretch": 0.9, "count": 6},
            ),
            (
                "periods-that-shrink-to-the-last",
                "10, 9, 8, 7 and 6 steps, then held.",
                "floor",
                {"period": 10, "stretch": 0.9, "count": 5},
            ),
        )
        for sample in ("start", "end")
    ],
    *[
        golden(
            f"sample/the-ends-of-rounded-periods-that-{name}",
            f"Periods that {name.replace('-', ' ')}: read at its end, the last step is of its own.",
            "2.5 3.6 7.14",
            repeat(**fields, shrink=0.5, schedule=linear(initial=1, final=0.3)),
            rounding=rounding,
            sample="end",
            read=read,
        )
        for name, rounding, fields, read in (
            ("never-grow", "nearest", {"period": 3, "stretch": 1.1}, "2 5 11 20"),
            ("grow-for-ever", "nearest", {"period": 4, "stretch": 1.2}, "3 8 21 39"),
            ("shrink-no-more", "ceil", {"period": 10, "stretch": 0.9, "count": 6}, "9 27 54 60"),
        )
    ],
    golden(
        "repeat/a-stretch-of-many-digits-is-exact-many-periods-in",
        "A hundred periods in, the exact numbers have thousands of digits.",
        "7.14 3.9",
        repeat(period=10, stretch=1.0123456789012345, schedule=linear(initial=1, final=0)),
        read="0-12 1200-1215 1340-1355 3000 2000000 2000001",
    ),
    golden(
        "rounding/equal-periods-of-a-count-are-not-rounded",
        "Four periods of 7.5 steps end at step 30.",
        "7.14 3.6",
        [
            repeat(period="7.5 steps", count=4, schedule=linear(initial=1, final=0.5)),
            constant(value=0.25),
        ],
        rounding="floor",
        read="0-32",
    ),
    golden(
        "sample/the-end-of-a-grown-period-is-in-it",
        "Periods of 3, 6, 12 and 24 steps, read only where one ends.",
        "2.5 7.14",
        repeat(period=3, stretch=2, shrink=0.5, schedule=linear(initial=1, final=0.3)),
        sample="end",
        read="2 8 20 44",
    ),
]

STARTS: list[Golden] = [
    golden(
        "lists/kinds-that-rise-from-the-middle",
        "Every kind with an end, rising, in a stage that does not start at 0.",
        "5.2 8.3",
        [
            constant(value=0.1, length=3),
            polynomial(final=0.9, power=1.7, length=7),
            polynomial(initial=0.1, final=0.9, power=2.5, origin="initial", length=7),
            cosine(initial=0.1, final=0.9, exponent=2, length=7),
            inverse(initial=0.1, final=0.9, length=7),
            geometric(initial=0.1, final=0.9, asymptote=-1, length=7),
        ],
        read="0-40",
    ),
    golden(
        "lists/kinds-that-are-shorter-than-a-step",
        "Stages of 0.8 steps, each read in one place inside of it.",
        "5.2 8.3",
        [
            stage
            for kind in (
                polynomial(initial=0.1, final=0.9, power=1.7, length="0.8 steps"),
                inverse(initial=0.1, final=0.9, length="0.8 steps"),
                cosine(initial=0.1, final=0.9, exponent=1.3, length="0.8 steps"),
                linear(initial=0.1, final=0.9, length="0.8 steps"),
                cosine(initial=0.1, final=0.9, length="0.8 steps"),
                polynomial(initial=0.9, final=0.1, power=1.7, length="0.8 steps"),
                inverse(initial=0.9, final=0.1, length="0.8 steps"),
                cosine(initial=0.9, final=0.1, exponent=1.3, length="0.8 steps"),
            )
            for stage in (constant(value=0, length="0.7 steps"), kind, constant(length="0.5 steps"))
        ],
        read="0-17",
    ),
    golden(
        "lists/a-cosine-that-is-extended-from-the-middle",
        "The wave folds at its own start and end.",
        "6.7 8.4",
        [constant(value=0.1, length=3), cosine(final=0.9, length=7, after="extend")],
        read="0-40 1000000",
    ),
    golden(
        "lists/a-polynomial-that-is-extended-from-the-middle",
        "From its own start.",
        "6.7 8.4",
        [
            constant(value=0.1, length=3),
            polynomial(final=0.9, power=1.5, origin="initial", length=7, after="extend"),
        ],
        read="0-20 1000000",
    ),
    golden(
        "piecewise_linear/with-a-hundred-knots",
        "Up and down a hundred times.",
        "7.12 8.5",
        piecewise_linear(
            boundaries=[3 * i for i in range(100)], values=[(7 * i % 10) / 10 for i in range(100)]
        ),
        read="0-20 149-160 290-300 1000000",
    ),
    golden(
        "token_power/in-a-quantize-is-read-at-multiples",
        "Batch size and tokens are those at the multiple.",
        "7.11 7.17",
        quantize(every=4, schedule=token_power(initial=1, amplitude=0.5, exponent=-0.5)),
        base="absolute",
        training=CHANGING,
        read="0-25 1000000",
    ),
    golden(
        "token_power/one-token-is-enough",
        "T is 1 at step 1: amplitude·B·1.",
        "7.11",
        token_power(initial=1, amplitude=0.5, exponent=-0.5),
        base="absolute",
        training={"batch_size": 1, "sequence_length": 1},
        read="0-5",
    ),
    golden(
        "quantize/every-in-percent-is-of-the-ruler",
        "A tenth of the run.",
        "7.17 3.4",
        quantize(every="10%", schedule=linear(initial=1, final=0)),
        training={"steps": 45},
        read="0-14 40-47",
    ),
]

CASES: list[Golden] = [*STARTS, *ROUNDED, *INSIDE, *BACKWARD, *AXIS, *FACTS]
