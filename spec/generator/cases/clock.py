"""The clock: where a step is read, along what progress is measured, batch schedules."""

from __future__ import annotations

from typing import Any

from generator.nodes import Schedule
from generator.notation import (
    Golden,
    advance,
    clamp,
    constant,
    cosine,
    exponential,
    golden,
    inverse_sqrt,
    linear,
    piecewise_constant,
    piecewise_linear,
    power_law,
    product,
    quantize,
    repeat,
    sum_of,
    token_power,
)

SAMPLES = ("start", "middle", "end")
STEPWISE = [{"start": 0, "value": 2}, {"start": 4, "value": 4}, {"start": 8, "value": 8}]


def _each_sample(
    name: str, description: str, clauses: str, schedule: Schedule, **rest: Any
) -> list[Golden]:
    """The same document under each `sample`."""
    return [
        golden(
            f"sample/{name}-{sample}",
            f"{description} Read at the {sample}.",
            clauses,
            schedule,
            sample=sample,
            **rest,
        )
        for sample in SAMPLES
    ]


SAMPLE: list[Golden] = [
    *_each_sample(
        "a-warmup-and-decay-at-the",
        "Every step reads one point of its interval.",
        "2.4",
        [linear(initial=0, final=1, length=4), cosine(final=0.1, length=6)],
        read="0-12",
    ),
    *_each_sample(
        "a-stage-owns-as-many-steps-at-the",
        "A stage of n steps owns n steps.",
        "2.4 2.5",
        [constant(value=1, length=3), constant(value=2, length=2), constant(value=3, length=4)],
        read="0-10",
    ),
    *_each_sample(
        "restarts-at-the",
        "At the end of its last step a period reaches its minimum.",
        "2.5 7.14",
        repeat(period=4, schedule=linear(initial=1, final=0), shrink=0.5),
        read="0-13",
    ),
    *_each_sample(
        "restarts-with-a-count-at-the",
        "After the last period the closing value is held.",
        "2.5 7.14 6.6",
        repeat(period=3, count=2, schedule=linear(initial=1, final=0.25)),
        read="0-9",
    ),
    *_each_sample(
        "growing-restarts-at-the",
        "Periods of 2, 4 and 8 steps.",
        "2.5 7.14",
        repeat(period=2, stretch=2, schedule=linear(initial=1, final=0)),
        read="0-16",
    ),
    *_each_sample(
        "a-piecewise-constant-at-the",
        "A piece of n steps owns n steps.",
        "2.5 7.13",
        piecewise_constant(boundaries=[3, 5], values=[1, 2, 3]),
        read="0-8",
    ),
    *_each_sample(
        "a-piecewise-linear-at-the",
        "Lines have no side.",
        "2.4 7.12",
        piecewise_linear(boundaries=[2, 5], values=[1, 3]),
        read="0-8",
    ),
    *_each_sample(
        "a-staircase-at-the",
        "A whole power holds for as many steps as it is long.",
        "2.5 7.8",
        exponential(initial=1, rate=0.5, every=3, staircase=True),
        read="0-10",
    ),
    *_each_sample(
        "a-quantize-at-the",
        "The schedule is read at a multiple, which holds for as many steps as it is long.",
        "2.5 7.17",
        quantize(every=3, schedule=linear(initial=1, final=0, length=9)),
        read="0-12",
    ),
    *_each_sample(
        "stages-inside-quantize-at-the",
        "Inside quantize a multiple is read, not a limit: at 4 the later stage has begun.",
        "2.5 7.17 6.1",
        quantize(every=4, schedule=[constant(value=1, length=4), constant(value=2, length=4)]),
        read="0-10",
    ),
    *_each_sample(
        "every-smooth-kind-at-the",
        "Curves are read where the step reads them.",
        "2.4",
        product(
            exponential(initial=1, rate=0.5, every=8),
            inverse_sqrt(initial=1, timescale=5),
            power_law(initial=1, timescale=5, exponent=2),
            clamp(
                maximum=0.9, schedule=advance(by=2, schedule=linear(initial=1, final=0, length=10))
            ),
        ),
        read="0-14",
    ),
    *_each_sample(
        "a-fractional-edge-at-the",
        "A boundary at 2.5 steps lies exactly where the middle of step 2 is read.",
        "2.4 2.5",
        [
            constant(value=1, length="2.5 steps"),
            constant(value=2, length="2.5 steps"),
            constant(value=3),
        ],
        read="0-7",
    ),
    *_each_sample(
        "fractional-periods-at-the",
        "Periods of 1.5 steps.",
        "2.4 2.5 7.14",
        repeat(period="1.5 steps", schedule=linear(initial=1, final=0)),
        read="0-7",
    ),
    *_each_sample(
        "an-empty-last-stage-at-the",
        "The empty stage owns no step under any sample; after the list it is what is held.",
        "2.5 5.9",
        [linear(initial=0, final=1, length=3), constant(value=5, length=0)],
        read="0-5",
    ),
    *_each_sample(
        "a-length-at-the",
        "The last step of a written length is its own.",
        "2.4 2.5 6.6",
        sum_of(
            exponential(initial=1, rate=0.5, every=2, staircase=True, length=4),
            linear(initial=0, final=1, length=4),
        ),
        read="0-7",
    ),
    *_each_sample(
        "a-batch-size-at-the",
        "A batch size holds for the whole of its steps.",
        "2.5 7.11",
        token_power(initial=100, amplitude=1, exponent=-0.5),
        base="absolute",
        training={"batch_size": STEPWISE, "sequence_length": 2},
        read="0-11",
    ),
    *_each_sample(
        "samples-as-the-axis-at-the",
        "Along samples the middle of a step is half-way between its samples.",
        "2.4 2.2",
        linear(initial=0, final=1, length="40 samples"),
        axis="samples",
        training={"batch_size": STEPWISE},
        read="0-12",
    ),
    *_each_sample(
        "the-run-at-the",
        "A decay that fills the run is at its final value at the end of the last step.",
        "2.4 4.2",
        cosine(initial=1, final=0.1),
        training={"steps": 5},
        read="0-7",
    ),
    golden(
        "sample/an-extended-line-at-the-end",
        "Beyond its end an extended line is read a step later.",
        "2.4 6.7",
        linear(initial=1, final=0.5, length=5, after="extend"),
        sample="end",
        read="0-9",
    ),
    golden(
        "sample/quantize-and-staircase-in-restarts-at-the-end",
        "The last multiple, the last whole power and the last period before the position.",
        "2.5 7.14 7.17 7.8",
        repeat(
            period=6,
            schedule=sum_of(
                quantize(every=4, schedule=linear(initial=1, final=0)),
                exponential(initial=1, rate=0.5, every=2, staircase=True),
            ),
        ),
        sample="end",
        read="0-13",
    ),
    golden(
        "sample/a-stretched-repeat-with-a-count-and-a-length-at-the-end",
        "Periods of 2, 4 and 8 steps, cut in the third.",
        "2.5 7.14 6.6",
        repeat(period=2, stretch=2, count=3, length=9, schedule=linear(initial=1, final=0)),
        sample="end",
        read="0-12",
    ),
    golden(
        "sample/restarts-along-samples-at-the-end",
        "A period of 16 samples ends with a step.",
        "2.5 2.2 7.14",
        repeat(period="16 samples", schedule=linear(initial=1, final=0)),
        axis="samples",
        sample="end",
        training={"batch_size": STEPWISE},
        read="0-17",
    ),
    golden(
        "sample/an-advance-at-the-end",
        "The limit is taken under an advance too.",
        "2.5 7.18",
        advance(by=3, schedule=repeat(period=4, schedule=linear(initial=1, final=0))),
        sample="end",
        read="0-10",
    ),
    golden(
        "sample/a-batch-schedule-along-tokens-at-the-end",
        "The batch size of a step holds to its end, and the tokens of the step are counted.",
        "2.5 2.2 7.11",
        token_power(initial=100, amplitude=1, exponent=-0.5),
        base="absolute",
        axis="tokens",
        sample="end",
        training={"batch_size": STEPWISE, "sequence_length": 2},
        read="0-11",
    ),
    golden(
        "sample/nested-restarts-at-the-end",
        "The limit from the left is taken in both repeats at once.",
        "2.5 7.14",
        repeat(
            period=6, schedule=repeat(period=3, schedule=linear(initial=1, final=0), shrink=0.5)
        ),
        sample="end",
        read="0-13",
    ),
]

AXIS: list[Golden] = [
    golden(
        "axis/steps-is-the-default",
        "axis: steps says what is meant without it.",
        "2.2",
        linear(initial=0, final=1, length=4),
        axis="steps",
    ),
    golden(
        "axis/samples-with-one-batch-size-have-the-shape-of-steps",
        "With one batch size the values are those along steps.",
        "2.2 3.3",
        [linear(initial=0, final=1, length=4), cosine(final=0, length="80 samples")],
        axis="samples",
        training={"batch_size": 8},
    ),
    golden(
        "axis/tokens-with-one-batch-size-have-the-shape-of-steps",
        "With one batch size the values along tokens are those along steps.",
        "2.2 3.3",
        [linear(initial=0, final=1, length=4), cosine(final=0, length="160 tokens")],
        axis="tokens",
        training={"batch_size": 8, "sequence_length": 2},
    ),
    golden(
        "axis/samples-bend-where-the-batch-size-changes",
        "A line along samples is no line along steps.",
        "2.2 2.3",
        linear(initial=0, final=1),
        axis="samples",
        training={"batch_size": STEPWISE, "steps": 12},
        read="0-13",
    ),
    golden(
        "axis/tokens-bend-where-the-batch-size-changes",
        "A cosine along tokens.",
        "2.2 2.3",
        cosine(initial=1, final=0.1),
        axis="tokens",
        training={"batch_size": STEPWISE, "sequence_length": 16, "steps": 12},
        read="0-13",
    ),
    golden(
        "axis/half-of-the-tokens-is-half-of-the-axis",
        "Along tokens 50% is half of the tokens, not half of the steps.",
        "3.4 2.2",
        [constant(value=1, length="50%"), linear(final=0)],
        axis="tokens",
        training={"batch_size": STEPWISE, "sequence_length": 16, "steps": 12},
    ),
    golden(
        "axis/timescales-count-along-the-axis",
        "every and timescale in samples along tokens.",
        "2.2 3.3",
        product(
            exponential(initial=1, rate=0.5, every="16 samples"),
            inverse_sqrt(initial=1, timescale="8 samples"),
        ),
        axis="tokens",
        training={"batch_size": STEPWISE, "sequence_length": 4},
        read="0-13 1000000",
    ),
    golden(
        "axis/restarts-count-along-the-axis",
        "A period of 16 samples is 8 steps of 2, 4 steps of 4 or 2 steps of 8.",
        "2.2 7.14",
        repeat(period="16 samples", schedule=linear(initial=1, final=0)),
        axis="samples",
        training={"batch_size": STEPWISE},
        read="0-17",
    ),
    golden(
        "axis/steps-under-a-batch-schedule-stay-steps",
        "Along steps the batch size changes nothing.",
        "2.2 4.3",
        [linear(initial=0, final=1, length=4), linear(final=0)],
        training={"batch_size": STEPWISE, "steps": 12},
    ),
    golden(
        "axis/advance-counts-along-the-axis",
        "By 16 samples along samples.",
        "2.2 7.18",
        advance(by="16 samples", schedule=linear(initial=1, final=0, length="64 samples")),
        axis="samples",
        training={"batch_size": STEPWISE},
        read="0-13",
    ),
    golden(
        "axis/quantize-counts-along-the-axis",
        "A new value every 16 samples.",
        "2.2 7.17",
        quantize(every="16 samples", schedule=linear(initial=1, final=0, length="64 samples")),
        axis="samples",
        training={"batch_size": STEPWISE},
        read="0-13",
    ),
    golden(
        "axis/boundaries-in-steps-are-converted-to-samples",
        "Milestones at steps 4 and 8 along samples.",
        "3.3 3.7",
        piecewise_constant(boundaries=[4, 8], values=[1, 0.5, 0.25]),
        axis="samples",
        training={"batch_size": STEPWISE},
    ),
    golden(
        "axis/samples-far-away-are-exact-integers",
        "Samples at steps near 2^31 of a batch of 4,096.",
        "2.2",
        piecewise_constant(
            boundaries=["8796093018112 samples", "8796093018113 samples"], values=[1, 2, 3]
        ),
        axis="samples",
        training={"batch_size": 4096},
        read="0 2147483645-2147483647",
    ),
    golden(
        "axis/two-pieces-in-one-step-are-read-where-the-step-is-read",
        "A step that jumps over a piece does not see it.",
        "2.4",
        piecewise_constant(boundaries=["9 samples", "11 samples"], values=[1, 2, 3]),
        axis="samples",
        training={"batch_size": 4},
        read="0-5",
    ),
]

CASES: list[Golden] = [*SAMPLE, *AXIS]
