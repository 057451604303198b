"""`repeat`: which period a position lies in, found exactly, and what a period is worth at its
end."""

from __future__ import annotations

from generator.notation import (
    Golden,
    constant,
    exponential,
    golden,
    linear,
    piecewise_constant,
    quantize,
    repeat,
)

HALF = linear(initial=1, final=0.5)
# A stage that owns nothing, and from which a period closes all the same.
DROP = [HALF, linear(final=0.1, length=0)]

FOUND: list[Golden] = [
    *[
        golden(
            f"{category}/a-grown-period-{what}-exactly-where-it-{what}",
            f"Periods of 100, 110, 121 and 133.1 steps, {where}.",
            "7.14 3.9",
            repeat(period=100, stretch=1.1, shrink=0.5, schedule=linear(initial=1, final=0.3)),
            sample=sample,
            read=read,
        )
        for category, what, where, sample, read in (
            ("repeat", "starts", "where one starts", "start", "0 1 99-101 209-211 330-332 464 465"),
            ("sample", "ends", "read where one ends", "end", "98-100 209 330 463 464"),
        )
    ],
    golden(
        "repeat/stretch-of-three-without-end",
        "Periods of 2, 6, 18, ... steps, each half as high as the one before it.",
        "7.14",
        repeat(period=2, stretch=3, shrink=0.5, schedule=linear(initial=1, final=0.3)),
        read="0-9 25-27 79-81 241-243 59047-59049 43046720-43046722 2147483647",
    ),
    golden(
        "repeat/each-period-may-be-twice-as-high",
        "Shrink may be 2, with periods of one length and with periods that grow.",
        "7.14",
        [
            repeat(period=3, count=3, shrink=2, schedule=HALF),
            repeat(period=2, count=3, stretch=2, shrink=2, schedule=HALF),
        ],
        read="0-26",
    ),
    golden(
        "repeat/grown-periods-start-again-in-every-period-around-them",
        "Read at the end of a step; steps are left out, so that a period follows a later one.",
        "2.5 7.14 2.1",
        repeat(
            period=10,
            schedule=repeat(period=2, stretch=2, shrink=0.9, schedule=linear(initial=1, final=0.3)),
        ),
        sample="end",
        read="0-9 15 17 21 29 35",
    ),
    *[
        golden(
            f"rounding/periods-that-{name}-go-on-far",
            f"{description}, hundreds of millions of times.",
            "3.6 7.14",
            repeat(**fields, schedule=linear(initial=1, final=0.3)),
            rounding=rounding,
            read="0-29 2147483638-2147483647",
        )
        for name, description, rounding, fields in (
            (
                "never-grow",
                "3 steps, and 3.3 of which 3 are left",
                "floor",
                {"period": 3, "stretch": 1.1},
            ),
            (
                "shrink-no-more",
                "10 steps, then 9, and 8.1 of which 9 are made",
                "ceil",
                {"period": 10, "stretch": 0.9, "count": 10**9},
            ),
        )
    ],
    golden(
        "rounding/counted-periods-of-which-another-would-be-none",
        "4, 2 and 1 steps; half a step, which is rounded to nothing, would be the fourth.",
        "3.6 7.14",
        repeat(period=4, count=3, stretch=0.5, shrink=0.9, schedule=linear(initial=1, final=0.3)),
        rounding="floor",
        sample="end",
        read="0-9",
    ),
    golden(
        "repeat/periods-far-shorter-than-a-step",
        "More of them pass in a step than float64 can count: what is left is `toward`.",
        "7.14 7.19",
        repeat(period="1e-310 steps", shrink=0.5, toward=0.3, schedule=HALF),
        read="0-3 2147483647",
        double_only=True,
    ),
]

INSIDE: list[Golden] = [
    golden(
        "repeat/counted-periods-in-percent-after-the-open-stage",
        "The last three tenths of the run, laid back from its end, a period each.",
        "5.6 7.14 3.4",
        [
            linear(initial=0, final=1, length=5),
            constant(),
            repeat(period="10%", count=3, shrink=0.5, schedule=linear(initial=1, final=0.3)),
        ],
        training={"steps": 40},
        read="0-42",
    ),
    golden(
        "float64/a-piece-in-a-period-between-steps-is-found-by-rounded-numbers",
        "Epochs of 10.1 steps: at step 94 the position is 3.1, where the next piece starts.",
        "3.9 7.13 7.14",
        repeat(
            period="1 epoch",
            schedule=[
                constant(value=1, length=2),
                piecewise_constant(boundaries=["3.1 steps"], values=[0.5, 0.4], length=3),
                repeat(
                    period=2,
                    schedule=piecewise_constant(boundaries=["1.1 steps"], values=[0.3, 0.2]),
                ),
            ],
        ),
        training={"steps_per_epoch": 10.1},
        read="0-11 90-101",
    ),
    golden(
        "float64/a-stage-for-which-nothing-is-left-in-a-period-a-hair-too-long",
        "Step 4 lies in the first period, but as a float64 where an empty repeat starts.",
        "3.9 5.5 6.2 6.6",
        repeat(
            period="4.00000000000000001 steps",
            schedule=[
                linear(initial=0, final=1, length="4.00000000000000001 steps"),
                repeat(period=2, schedule=linear(initial=0.8, final=0.2)),
            ],
        ),
        read="0-13",
        double_only=True,
    ),
    golden(
        "float64/a-stage-in-a-period-that-starts-a-hair-after-a-step-is-at-the-step",
        "Nothing of it has passed there, wherever it counts from whole steps.",
        "3.9 7.8 7.14 7.17",
        repeat(
            period="20.00000000000000001 steps",
            schedule=[
                constant(value=2, length=3),
                exponential(initial=1, rate=0.5, every=2, staircase=True, length=5),
                quantize(every=2, schedule=exponential(initial=1, rate=0.7, every=1), length=5),
                repeat(period=3, shrink=0.9, schedule=HALF),
            ],
        ),
        read="0-4 19-44",
        double_only=True,
    ),
]

CLOSING: list[Golden] = [
    golden(
        "closing/of-a-period-that-leaves-nothing-for-its-last-stage",
        "The open repeat in it is empty, and is worth what its first period starts with.",
        "5.5 6.2 7.14",
        [
            repeat(
                period=4,
                count=2,
                schedule=[
                    linear(initial=0, final=1, length=4),
                    repeat(period=2, schedule=linear(initial=0.8, final=0.2)),
                ],
            ),
            constant(),
        ],
        read="0-11",
    ),
    golden(
        "closing/of-a-counted-repeat-whose-length-ends-with-a-period",
        "There would be a third period, but the second ends where the repeat does.",
        "6.2 7.14",
        [repeat(period=4, count=3, length=8, schedule=DROP), constant()],
        read="0-11",
    ),
    golden(
        "closing/of-periods-shorter-than-a-step-is-the-limit-where-they-are-cut",
        "A line of 0.8 steps, cut after 0.5.",
        "6.2 7.14 5.11",
        [
            repeat(
                period="0.5 steps",
                count=8,
                schedule=linear(initial=1, final=0, length="0.8 steps"),
            ),
            constant(),
        ],
        read="0-6",
    ),
    golden(
        "closing/of-many-growing-periods-that-divide-a-length",
        "A thousand periods, each a hundredth longer than the one before it, end exactly with it.",
        "6.2 7.14",
        [repeat(count=1000, stretch=1.01, length=1000, schedule=DROP), constant()],
        read="0-5 500 990-1003",
    ),
]

CASES: list[Golden] = [*FOUND, *INSIDE, *CLOSING]
