"""The documents of the README and of `examples/`, and every example in the schema."""

from __future__ import annotations

from typing import Any

from generator.notation import (
    Golden,
    advance,
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
    polynomial,
    power_law,
    product,
    quantize,
    repeat,
    token_power,
)

HOLD: dict[str, Any] = {"constant": None}
WARMUP = linear(initial=0, final=1, length=2000)
TOKENS = {"sequence_length": 2048, "batch_size": 256}
ONE_CYCLE = {
    "lr": [cosine(initial=0.04, final=1, length="30%"), cosine(final=4e-6)],
    "momentum": [cosine(initial=0.95, final=0.85, length="30%"), cosine(final=0.95)],
}
BASES = {"lr": 0.1, "momentum": "absolute"}


def _ramp(start: int, every: int, *values: int) -> list[dict[str, int]]:
    return [{"start": start + i * every, "value": value} for i, value in enumerate(values)]


SCHEMA_LINE: dict[str, Any] = {"$schema": "./schedule.schema.json"}

EXAMPLES: list[Golden] = [
    golden(
        "published/warmup-hold-cosine",
        "The first document of the README.",
        "5.4 6.3 7.3",
        [WARMUP, HOLD, cosine(final=0.1, length="20%")],
        base=3e-4,
        training={"steps": 100000},
    ),
    golden(
        "published/milestones-after-a-warmup",
        "Milestones at 30, 60 and 80 epochs are positions in the list, whatever the warmup.",
        "3.4 7.13",
        [
            linear(initial=0.03125, final=1, length="5 epochs"),
            piecewise_constant(
                boundaries=["30 epochs", "60 epochs", "80 epochs"], values=[1, 0.1, 0.01, 0.001]
            ),
        ],
        base=3.2,
        training={"steps": "90 epochs", "steps_per_epoch": 156},
    ),
    *[
        golden(
            f"published/one-cycle-of-{length.replace(' ', '-')}-for-{name}",
            f"Rate and momentum over one run of {length}: {name}.",
            "1.8 4.5 7.3",
            schedules=ONE_CYCLE,
            base=BASES,
            training=training,
            bound=name,
        )
        for length, training in (
            ("11730 steps", {"steps": 11730}),
            ("30 epochs", {"steps": "30 epochs", "steps_per_epoch": 391}),
        )
        for name in ONE_CYCLE
    ],
    golden(
        "published/a-cosine-that-changes-once-an-epoch",
        "As if it had begun with the run, under a warmup.",
        "7.17 7.18",
        quantize(
            every="1 epoch",
            schedule=[
                linear(initial=1e-6, final=1e-3, length="5 epochs"),
                advance(schedule=cosine(final=1e-5)),
            ],
        ),
        base="absolute",
        training={"steps": "300 epochs", "steps_per_epoch": 1251},
    ),
    golden(
        "published/a-cosine-over-tokens-while-the-batch-grows",
        "Warmup and decay in tokens, under six batch sizes.",
        "2.2 2.3 7.3",
        [
            linear(initial=0, final=1, length="375M tokens"),
            cosine(final=0.1, until="260B tokens"),
            HOLD,
        ],
        base=6e-5,
        axis="tokens",
        training={
            "steps": "300B tokens",
            "sequence_length": 2048,
            "batch_size": _ramp(0, 4000, 48, 96, 192, 384, 768, 1536),
        },
    ),
    golden(
        "published/a-linear-decay-for-a-run-of-the-host",
        "A document for runs of any length.",
        "4.1 3.4 7.2",
        [linear(initial=0, final=1, length="6%"), linear(final=0)],
        facts={"steps": 1234},
    ),
    golden(
        "published/infinite",
        "Cooldown to a constant that a last decay may end at any time.",
        "5.10 7.6",
        [
            linear(initial=0, final=3e-4, length=1000),
            cosine(final=1.65e-4, length=50000),
            HOLD,
            geometric(final=3e-5, length=20000),
        ],
        base="absolute",
        facts={"steps": 150000},
    ),
    golden(
        "published/inverse-square-root-after-a-warmup",
        "The decay goes on for ever.",
        "7.9 6.6",
        [linear(initial=1e-7, final=5e-4, length=4000), inverse_sqrt(timescale=4000)],
        base="absolute",
    ),
    golden(
        "published/noam",
        "Read at the end of a step, so that the first update has a rate.",
        "2.4 7.9",
        [linear(initial=0, final=1, length=4000), inverse_sqrt(timescale=4000)],
        base=0.0006987712429686843,
        sample="end",
        training={"steps": 100000},
    ),
    golden(
        "published/the-power-scheduler",
        "Warmup, a rate that follows batch size and tokens, and a decay of a tenth of the run.",
        "7.11 2.3 5.6",
        [
            linear(initial=0, final=0.02, length="2B tokens"),
            token_power(amplitude=4.6, exponent=-0.51),
            geometric(final=2e-5, length="10%"),
        ],
        base="absolute",
        axis="tokens",
        training={
            "steps": "400B tokens",
            "sequence_length": 4096,
            "batch_size": [
                {"start": 0, "value": 256},
                {"start": 20000, "value": 512},
                {"start": 60000, "value": 1024},
            ],
        },
    ),
    golden(
        "published/restarts-that-fall",
        "Four restarts, each half as high.",
        "7.14 7.3",
        [
            linear(initial=0, final=1, length=1000),
            repeat(count=4, shrink=0.5, toward=0.01, schedule=cosine(initial=1, final=0.01)),
        ],
        base=1e-4,
        training={"steps": 81000},
    ),
    golden(
        "published/restarts-that-stretch",
        "Each period is twice as long.",
        "7.14 7.3",
        repeat(period="10 epochs", stretch=2, schedule=cosine(initial=1, final=0)),
        base=0.05,
        training={"steps": "150 epochs", "steps_per_epoch": 391},
    ),
    golden(
        "published/stages-of-which-the-last-goes-on",
        "Stages that say where they end.",
        "5.1 7.10",
        [
            linear(initial=0, final=1e-4, until=1000),
            constant(until=100000),
            power_law(timescale=100000, exponent=1),
        ],
        base="absolute",
    ),
    golden(
        "published/warmup-cosine",
        "The plainest of them.",
        "5.4 6.3 7.3",
        [WARMUP, cosine(final=0.1)],
        base=3e-4,
        training={"steps": 100000},
    ),
    golden(
        "published/warmup-stable-decay",
        "Warmup, plateau, and a cooldown of 1 - sqrt.",
        "5.4 7.4",
        [
            linear(initial=0, final=1, length=300),
            HOLD,
            polynomial(final=0, power=0.5, origin="initial", length="20%"),
        ],
        base=1e-3,
        training={"steps": 50000},
    ),
]

# Every example of the schema that stands in none of the other cases.
SCHEMA: list[Golden] = [
    golden(
        "root/the-examples-of-the-schema",
        "Names and descriptions, a decay in epochs of which there is half a one, and its bounds.",
        "1.1 3.3",
        clamp(
            maximum=1,
            schedule=product(
                exponential(initial=1, rate=0.97, every="3 epochs"),
                repeat(
                    period=2000,
                    count=10,
                    shrink=0.9,
                    schedule=[
                        linear(initial=0, final=1, until="20%"),
                        geometric(final=0.1, asymptote=0),
                    ],
                ),
            ),
        ),
        **SCHEMA_LINE,
        name="warmup-cosine",
        description="Warmup, plateau and cooldown.",
        training={"steps_per_epoch": 312.5},
        read="0-2 399-401 1999-2001 19999-20001 1000000",
    ),
    golden(
        "root/more-examples-of-the-schema",
        "The Power Scheduler with one batch size, until step 2000, and then a law of power.",
        "1.1 7.10 7.11",
        [
            token_power(initial=0.02, amplitude=4.6, exponent=-0.51, until=2000),
            inverse(final=0, asymptote=-0.1, length="20%"),
            constant(value=1, length="3 epochs"),
            power_law(exponent=0.33, timescale="20%"),
        ],
        name="production",
        description="The schedule of the 7B run.",
        base="absolute",
        training={"steps": 100000, **TOKENS, "steps_per_epoch": 1251},
    ),
    golden(
        "advance/the-examples-of-the-schema",
        "By 2000 steps, and by 3 epochs of 1251.",
        "7.18 3.3",
        product(
            advance(by=2000, schedule=linear(initial=1, final=0.5, length=8000)),
            advance(by="3 epochs", schedule=linear(initial=1, final=0.5, length=8000)),
        ),
        training={"steps_per_epoch": 1251},
    ),
    golden(
        "batches/the-examples-of-the-schema",
        "A batch of 256, and of 1024 from step 10000 on.",
        "2.3 4.1",
        linear(initial=0, final=1, length="10.24M samples"),
        training={"batch_size": _ramp(0, 10000, 256, 1024)},
    ),
    golden(
        "units/a-batch-of-1024",
        "20,000 samples are 19.53125 steps.",
        "3.3",
        linear(initial=0, final=1, length="20k samples"),
        training={"batch_size": 1024},
    ),
]

CASES: list[Golden] = [*EXAMPLES, *SCHEMA]
