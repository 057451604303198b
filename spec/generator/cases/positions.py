"""Positions and durations: units, prefixes, conversion, rulers, rounding, the way to float64."""

from __future__ import annotations

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
)

FACTS = {"batch_size": 8, "sequence_length": 16, "steps_per_epoch": 25}
CHANGING = {
    "batch_size": [{"start": 0, "value": 2}, {"start": 10, "value": 4}, {"start": 20, "value": 8}],
    "sequence_length": 10,
}

# Digits that no float64 has room for after a 5 or a 10.
HAIR = "00000000000000000001"


def _length(name: str, length: int | str, clauses: str, **training: object) -> Golden:
    return golden(
        f"units/{name}",
        f"A length of {length}.",
        clauses,
        linear(initial=0, final=1, length=length),
        training=training,
    )


def _rounded(mode: str, length: str, name: str) -> Golden:
    return golden(
        f"rounding/{mode}-{name}",
        f"{length} under rounding: {mode}.",
        "3.6",
        [linear(initial=0, final=1, length=length), constant(value=0.5, length=2)],
        rounding=mode,
        training={"steps_per_epoch": 10},
    )


UNITS: list[Golden] = [
    _length("a-bare-number-is-steps", 8, "3.1"),
    _length("one-step-is-a-step", "1 step", "3.1"),
    _length("steps-may-be-written-out", "8 steps", "3.1"),
    _length("steps-may-be-fractional", "7.25 steps", "3.1 3.6"),
    _length("k-is-a-thousand", "1.5k steps", "3.1"),
    _length("upper-m-is-a-million", "0.000012M steps", "3.1 3.2"),
    _length("upper-b-is-a-thousand-million", "0.000000012B steps", "3.1 3.2"),
    _length("upper-t-is-a-million-million", "0.000000000012T steps", "3.1 3.2"),
    _length("a-power-of-ten-may-be-written", "1.2e1 steps", "3.1"),
    _length("a-negative-power-of-ten-may-be-written", "1200E-2 steps", "3.1"),
    _length("a-power-of-ten-may-have-a-plus", "12e+0 steps", "3.1"),
    _length("one-epoch-is-its-steps", "1 epoch", "3.3", steps_per_epoch=12),
    _length("epochs-are-their-steps", "2.5 epochs", "3.3", steps_per_epoch=12),
    _length("epochs-take-a-prefix", "0.5k epochs", "3.3 3.1", steps_per_epoch=0.04),
    _length("an-epoch-may-be-a-fraction-of-steps", "3 epochs", "3.3", steps_per_epoch=3.7),
    _length("one-sample-is-a-part-of-a-batch", "1 sample", "3.3", batch_size=4),
    _length("samples-are-parts-of-batches", "50 samples", "3.3", batch_size=4),
    _length("samples-take-a-prefix", "2k samples", "3.3 3.1", batch_size=128),
    _length("one-token-is-a-part-of-a-sample", "1 token", "3.3", batch_size=1, sequence_length=4),
    _length("tokens-are-parts-of-samples", "1000 tokens", "3.3", batch_size=4, sequence_length=16),
    _length("tokens-take-a-prefix", "1M tokens", "3.3 3.1", batch_size=64, sequence_length=1000),
    golden(
        "units/percent-is-of-the-run",
        "A length of 30%.",
        "3.4",
        linear(initial=0, final=1, length="30%"),
        training={"steps": 40},
    ),
    golden(
        "units/percent-may-be-fractional",
        "A length of 12.5%.",
        "3.4 3.1",
        linear(initial=0, final=1, length="12.5%"),
        training={"steps": 40},
    ),
    golden(
        "units/percent-may-be-beyond-a-hundred",
        "150% is beyond the run.",
        "3.4 4.2",
        linear(initial=0, final=1, length="150%"),
        training={"steps": 10},
    ),
    golden(
        "units/percent-may-have-a-power-of-ten",
        "2e1% is a fifth.",
        "3.1 3.4",
        linear(initial=0, final=1, length="2e1%"),
        training={"steps": 50},
    ),
    golden(
        "units/zero-percent-is-zero",
        "A stage of 0% is empty.",
        "3.1 6.1",
        [constant(value=5, length="0%"), linear(initial=0, final=1, length=5)],
        training={"steps": 50},
    ),
    golden(
        "units/zero-with-a-fraction-is-written-with-its-zero",
        "0.5 epochs.",
        "3.1 3.3",
        linear(initial=0, final=1, length="0.5 epochs"),
        training={"steps_per_epoch": 21},
    ),
    golden(
        "units/whole-numbers-may-be-written-with-a-point",
        "10.0 and 1e1 are ten where a whole number is asked for.",
        "1.4",
        [linear(initial=0, final=1, length=10.0), linear(final=0, length=5)],
        training={"steps": 40.0},
    ),
    golden(
        "units/until-takes-every-unit",
        "Positions in steps, samples, tokens, epochs and percent on one ruler.",
        "3.1 3.3 3.4",
        [
            linear(initial=0, final=1, until=10),
            linear(final=0.9, until="160 samples"),
            linear(final=0.8, until="3840 tokens"),
            linear(final=0.7, until="2 epochs"),
            linear(final=0, until="80%"),
        ],
        training={**FACTS, "steps": 100},
    ),
    golden(
        "units/boundaries-take-every-unit",
        "Boundaries in steps, samples, tokens, epochs and percent on one ruler.",
        "3.1 3.3 3.4 7.12",
        piecewise_linear(
            boundaries=[10, "160 samples", "3840 tokens", "2 epochs", "80%"],
            values=[0, 1, 0.5, 0.25, 0.125],
        ),
        training={**FACTS, "steps": 100},
    ),
    golden(
        "units/timescales-periods-and-multiples-take-every-unit",
        "every, period, timescale and by in units of samples, epochs, tokens and percent.",
        "3.1 3.2 3.3",
        sum_of(
            exponential(initial=1, rate=0.5, every="40 samples"),
            inverse_sqrt(initial=1, timescale="1280 tokens"),
            power_law(initial=1, timescale="10%", exponent=2),
            repeat(period="0.2 epochs", schedule=linear(initial=1, final=0)),
            quantize(every="56 samples", schedule=linear(initial=1, final=0)),
            advance(by="2%", schedule=linear(initial=1, final=0)),
        ),
        training={**FACTS, "steps": 100},
        read="0-12 24-26 49-51 99-101",
    ),
    golden(
        "units/steps-per-epoch-is-its-shortest-decimal-text",
        "0.1 steps per epoch: 30 epochs are 3 steps exactly, where the second period starts.",
        "3.3",
        repeat(period="30 epochs", schedule=linear(initial=1, final=0)),
        training={"steps_per_epoch": 0.1},
        read="0-12 300000-300003",
    ),
    golden(
        "units/a-third-of-the-run-is-exact",
        "Percentages of a run that is not a multiple of 100.",
        "3.2 3.9",
        piecewise_constant(boundaries=["33.3%", "66.6%", "99.9%"], values=[1, 2, 3, 4]),
        training={"steps": 1000},
    ),
    golden(
        "units/decimal-text-is-not-a-float",
        "0.1 + 0.2 steps is 0.3 steps: ten such stages end at step 3 exactly.",
        "3.2",
        [
            *([constant(value=1, length="0.1 steps"), constant(value=2, length="0.2 steps")] * 10),
            linear(initial=3, final=4, length=3),
        ],
        read="0-8",
    ),
]

RULERS: list[Golden] = [
    golden(
        "rulers/percent-in-a-list-is-of-the-list",
        "In a nested list that takes what is left, percentages are of that.",
        "3.4",
        [
            linear(initial=0, final=1, length=20),
            [
                piecewise_constant(boundaries=["25%"], values=[0.8, 0.6], until="50%"),
                exponential(rate=0.5, every="10%"),
            ],
        ],
        training={"steps": 100},
    ),
    golden(
        "rulers/percent-in-a-list-of-its-own-length-is-of-that-length",
        "The nested list is 20 steps long; every 25% is every 5.",
        "3.4 5.3",
        [
            constant(value=1, length=10),
            [exponential(initial=1, rate=0.5, every="25%", staircase=True, length=20)],
            constant(length=5),
        ],
        training={"steps": 100},
        read="0 9-36",
    ),
    golden(
        "rulers/combinators-and-wrappers-are-no-rulers",
        "Percentages and positions inside a product with a length are on the list's ruler.",
        "3.4",
        [
            linear(initial=0, final=1, length=10),
            product(
                clamp(
                    minimum=0,
                    schedule=quantize(
                        every=1,
                        schedule=advance(
                            by=0,
                            schedule=piecewise_linear(boundaries=[20, "50%"], values=[1, 0.5]),
                        ),
                    ),
                ),
                sum_of(linear(initial=1, final=0, until="40%")),
                length=40,
            ),
            constant(),
        ],
        training={"steps": 100},
    ),
    golden(
        "rulers/percent-in-a-combinator-at-the-root-is-of-the-run",
        "The product has a length, but the ruler of its children is the run.",
        "3.4",
        product(linear(initial=1, final=0, length="50%"), constant(value=0.5), length=20),
        training={"steps": 60},
    ),
    golden(
        "rulers/percent-in-a-repeat-is-of-the-period",
        "The period is the ruler of its schedule.",
        "3.4 7.14",
        repeat(
            period=20,
            schedule=product(
                piecewise_linear(boundaries=["25%", "50%"], values=[1, 0.5]),
                linear(initial=1, final=0.5, length="75%"),
            ),
        ),
        training={"steps": 100},
        read="0-21 25 30 35 40 99-101",
    ),
    golden(
        "rulers/positions-in-a-repeat-count-from-the-start-of-the-period",
        "`until` in a list in a period.",
        "3.4 7.14",
        [
            constant(value=1, length=5),
            repeat(
                period=10,
                schedule=[linear(initial=0, final=1, until=4), linear(final=0, until="80%")],
            ),
        ],
        read="0-26",
    ),
    golden(
        "rulers/a-list-in-a-repeat-is-a-ruler-with-the-same-start",
        "A list that fills its period measures the same as the period.",
        "3.4",
        repeat(
            period=10,
            count=2,
            schedule=[
                constant(value=1, length=2),
                piecewise_constant(boundaries=[5, "70%"], values=[1, 2, 3]),
            ],
        ),
        read="0-21",
    ),
    golden(
        "rulers/a-list-in-a-wrapper-in-a-list-is-a-ruler",
        "A list inside a clamp inside a list starts where the clamp does.",
        "3.4 5.11",
        [
            linear(initial=0, final=1, length=10),
            clamp(
                minimum=0.1,
                schedule=[
                    constant(until="50%"),
                    piecewise_constant(boundaries=[15], values=[0.5, 0.25]),
                ],
                length=20,
            ),
            linear(final=0, length=10),
        ],
    ),
    golden(
        "rulers/advance-moves-the-span-and-not-the-ruler",
        "Boundaries under an advance stay on the list's ruler.",
        "3.4 7.18",
        [
            constant(value=1, length=10),
            advance(
                by=8,
                schedule=product(
                    piecewise_constant(boundaries=[12, 15], values=[1, 2, 3]),
                    exponential(initial=1, rate=0.5, every=8),
                ),
                length=10,
            ),
            constant(length=2),
        ],
        read="0 9-24",
    ),
    golden(
        "rulers/a-list-under-advance-starts-where-its-span-does",
        "The list starts `by` before the advance; its positions count from there.",
        "3.4 7.18",
        [
            constant(value=1, length=10),
            advance(
                by=4,
                schedule=[linear(initial=0, final=1, until=6), linear(final=0, length=6)],
            ),
        ],
        read="0 9-24",
    ),
    golden(
        "rulers/until-of-a-combinators-child-counts-on-the-lists-ruler",
        "A child's `until` is a position of the list, its `length` counts from the parent's start.",
        "5.11 5.1 3.4",
        [
            constant(value=1, length=10),
            sum_of(
                linear(initial=0, final=1, until=20),
                linear(initial=0, final=2, length=20),
                length=30,
            ),
            constant(length=5),
        ],
    ),
]

ROUNDING: list[Golden] = [
    *[
        _rounded(mode, length, name)
        for mode in ("none", "floor", "ceil", "nearest")
        for length, name in (
            ("0.43 epochs", "of-below-a-half"),
            ("0.45 epochs", "of-a-half-above-an-even-number"),
            ("0.55 epochs", "of-a-half-above-an-odd-number"),
            ("0.57 epochs", "of-above-a-half"),
        )
    ],
    golden(
        "rounding/steps-stay-as-they-are-written",
        "2.5 steps is written in steps and stays.",
        "3.6",
        [linear(initial=0, final=1, length="2.5 steps"), linear(final=0, length="0.0025k steps")],
        rounding="floor",
        read="0-7",
    ),
    golden(
        "rounding/percent-is-rounded",
        "12.5% of 20 steps is 2.5 steps.",
        "3.6",
        [linear(initial=0, final=1, length="12.5%"), linear(final=0, length="12.5%")],
        rounding="ceil",
        training={"steps": 20},
    ),
    golden(
        "rounding/a-duration-is-rounded-before-it-is-added",
        "Two stages of 2.5 steps are of 2 each.",
        "3.6",
        [
            linear(initial=0, final=1, length="0.25 epochs"),
            linear(final=0.5, length="0.25 epochs"),
            linear(final=0, length=4),
        ],
        rounding="floor",
        training={"steps_per_epoch": 10},
    ),
    golden(
        "rounding/a-position-is-rounded-as-its-distance-from-the-ruler",
        "In a nested list that starts at 2.5 steps, 5.4 steps from there become 5: step 7.5.",
        "3.6",
        [
            constant(value=1, length="2.5 steps"),
            [linear(final=0, until="0.54 epochs"), linear(final=1, length="0.24 epochs")],
        ],
        rounding="nearest",
        training={"steps_per_epoch": 10},
        read="0-13",
    ),
    golden(
        "rounding/boundaries-are-rounded",
        "Boundaries at 2.5, 3.5 and 7.1 steps become 2, 4 and 7.",
        "3.6",
        piecewise_constant(
            boundaries=["0.25 epochs", "0.35 epochs", "0.71 epochs"], values=[1, 2, 3, 4]
        ),
        rounding="nearest",
        training={"steps_per_epoch": 10},
    ),
    golden(
        "rounding/every-timescale-and-by-are-rounded",
        "Durations that are not lengths are rounded as well.",
        "3.6",
        sum_of(
            exponential(initial=1, rate=0.5, every="0.24 epochs", staircase=True),
            inverse_sqrt(initial=1, timescale="0.24 epochs"),
            quantize(every="0.24 epochs", schedule=linear(initial=1, final=0, length=10)),
            advance(by="0.24 epochs", schedule=linear(initial=1, final=0, length=10)),
        ),
        rounding="ceil",
        training={"steps_per_epoch": 10},
        read="0-12",
    ),
    golden(
        "rounding/a-period-is-rounded",
        "A period of 2.4 steps becomes 3.",
        "3.6 7.14",
        repeat(period="0.24 epochs", schedule=linear(initial=1, final=0)),
        rounding="ceil",
        training={"steps_per_epoch": 10},
        read="0-10",
    ),
    golden(
        "rounding/periods-that-grow-are-rounded-from-the-rounded-one-before",
        "5, then 7.5 to 8, then 12, then 18 steps.",
        "3.6 7.14",
        repeat(period=5, stretch=1.5, schedule=linear(initial=1, final=0)),
        rounding="nearest",
        read="0-50",
    ),
    golden(
        "rounding/periods-that-grow-are-rounded-down",
        "3, then 4.5 to 4, then 6, then 9 steps.",
        "3.6 7.14",
        repeat(period="0.3 epochs", stretch=1.5, count=4, schedule=linear(initial=1, final=0)),
        rounding="floor",
        training={"steps_per_epoch": 10},
        read="0-25",
    ),
    golden(
        "rounding/periods-that-shrink-may-come-to-one-step",
        "4, 2 and 1 steps, then held.",
        "3.6 7.14",
        repeat(period=4, stretch=0.5, count=3, schedule=linear(initial=1, final=0.5)),
        rounding="floor",
        read="0-9",
    ),
    golden(
        "rounding/grown-periods-without-rounding-keep-their-fractions",
        "5, 7.5, 11.25 steps.",
        "3.6 7.14",
        repeat(period=5, stretch=1.5, schedule=linear(initial=1, final=0)),
        read="0-26",
    ),
    golden(
        "rounding/the-division-by-count-is-not-rounded",
        "Ten steps in four periods are 2.5 steps each.",
        "3.6 7.14",
        repeat(count=4, schedule=linear(initial=1, final=0), length="100%"),
        rounding="floor",
        training={"steps": 10},
        read="0-11",
    ),
    golden(
        "rounding/percent-inside-a-period-is-rounded",
        "30% of a period of 5 steps is 1.5 steps, rounded up.",
        "3.6 3.4",
        repeat(
            period=5,
            schedule=[linear(initial=0, final=1, length="30%"), linear(final=0, length="50%")],
        ),
        rounding="ceil",
        read="0-11",
    ),
    golden(
        "rounding/samples-and-tokens-are-rounded",
        "17 samples of batches of 4 are 4.25 steps, 70 tokens 1.75.",
        "3.6 3.3",
        [linear(initial=0, final=1, length="17 samples"), linear(final=0, length="70 tokens")],
        rounding="nearest",
        training={"batch_size": 4, "sequence_length": 10},
    ),
    golden(
        "rounding/the-steps-of-the-run-are-rounded-up-whatever-rounding-says",
        "2.1 epochs of 10.5 steps are 22.05: 23 steps.",
        "4.2 3.6",
        linear(initial=0, final=1),
        rounding="floor",
        training={"steps": "2.1 epochs", "steps_per_epoch": 10.5},
    ),
]

TO_FLOAT64: list[Golden] = [
    golden(
        "float64/an-edge-is-rounded-once",
        "The line starts at the float64 nearest to 1/10 of the run of 33 steps.",
        "3.9",
        [
            constant(value=0, length="10%"),
            linear(initial=0, final=1, length="0.3 steps"),
            constant(),
        ],
        training={"steps": 33},
        read="0-6",
    ),
    golden(
        "float64/a-sum-of-lengths-is-rounded-once",
        "Ten stages of 0.7 steps end at 7 exactly.",
        "3.9 6.1",
        [
            *[constant(value=1, length="0.7 steps") for _ in range(10)],
            linear(initial=2, final=3, length=3),
        ],
        read="0-11",
    ),
    golden(
        "float64/stages-are-found-by-rounded-edges",
        "An edge a hair after step 10 is step 10 as a float64: the later stage owns it.",
        "3.9 6.1",
        [
            linear(initial=0, final=1, length=f"10.{HAIR} steps"),
            linear(initial=0.5, final=0, length=10),
        ],
        read="0 1 9-12 19-22",
    ),
    golden(
        "float64/pieces-are-found-by-rounded-boundaries",
        "A boundary a hair after step 10 is step 10 as a float64.",
        "3.9 7.13",
        piecewise_constant(boundaries=[f"10.{HAIR} steps", 12], values=[1, 2, 3]),
        read="0 9-13",
    ),
    golden(
        "float64/an-end-is-a-rounded-edge",
        "A length a hair longer than 10 steps is over at step 10.",
        "3.9 6.6",
        exponential(initial=1, rate=0.5, every=5, staircase=True, length=f"10.{HAIR} steps"),
        read="0 4-6 9-12",
    ),
    golden(
        "float64/periods-are-found-by-exact-starts",
        "Periods a hair longer than 10 steps: step 10 is still in the first.",
        "3.9 7.14",
        repeat(period=f"10.{HAIR} steps", schedule=linear(initial=1, final=0.25)),
        read="0 1 9-12 19-21",
    ),
    golden(
        "float64/multiples-are-found-by-exact-arithmetic",
        "Multiples of a hair more than 5 steps: at step 5 the first is not reached.",
        "3.9 7.17 7.8",
        product(
            quantize(every=f"5.{HAIR} steps", schedule=linear(initial=1, final=0, length=20)),
            exponential(initial=1, rate=0.5, every=f"5.{HAIR} steps", staircase=True),
        ),
        read="0 1 4-6 9-11",
    ),
    golden(
        "float64/a-period-is-found-by-exact-arithmetic",
        "Every 1.1 steps: ten periods are 11 steps exactly, at any distance.",
        "3.9 7.14",
        repeat(period="1.1 steps", schedule=linear(initial=1, final=0)),
        read="0-12 21-23 109-111 1099999-1100001 2147483636-2147483647",
    ),
    golden(
        "float64/a-multiple-is-found-by-exact-arithmetic",
        "Every 1.1 steps: ten multiples are 11 steps exactly, at any distance.",
        "3.9 7.17",
        quantize(every="1.1 steps", schedule=linear(initial=1, final=0, length=2200)),
        read="0-12 21-23 109-111 1099-1101 2199-2201",
    ),
    golden(
        "float64/steps-beyond-the-range-of-32-bits-are-exact",
        "Up to 2^53 every step is a float64.",
        "3.9 2.1",
        [
            linear(initial=0, final=1, length="9007199254740991 steps"),
            exponential(rate=0.5, every=1),
        ],
        read="0 1 2147483648 4503599627370496 9007199254740989 9007199254740990 9007199254740991 "
        "9007199254740992",
        double_only=True,
    ),
    golden(
        "float64/steps-beyond-the-range-of-float32-are-exact",
        "Stages of one step each beyond 2^24 and at the end of a run of 2^31 - 1.",
        "3.9 8.7",
        [
            linear(initial=0, final=1, length=16777217),
            linear(final=0.5, length=1),
            constant(value=0.25, length=1),
            linear(final=0, until=2147483646),
            constant(value=0.75, length=1),
        ],
        read="0 1 16777214-16777221 1073741824 2147483643-2147483647",
    ),
    golden(
        "float64/a-cosine-over-the-longest-run",
        "Over 2^31 - 1 steps, read beyond 2^24 and at both ends.",
        "3.9 7.3 8.7",
        cosine(initial=1, final=0, length=2147483647),
        read="0-2 16777215-16777218 1073741823 1073741824 2147483644-2147483647",
    ),
    golden(
        "float64/pieces-beyond-the-range-of-float32-are-exact",
        "Boundaries at neighbouring steps beyond 2^24.",
        "3.9 7.13 8.7",
        piecewise_constant(boundaries=[16777216, 16777217, 16777218], values=[1, 2, 3, 4]),
        read="16777214-16777220",
    ),
    golden(
        "float64/restarts-beyond-the-range-of-float32-are-exact",
        "Periods of three steps beyond 2^24.",
        "3.9 7.14 8.7",
        repeat(period=3, schedule=piecewise_constant(boundaries=[1, 2], values=[1, 2, 3])),
        read="16777214-16777220 2147483640-2147483647",
    ),
    golden(
        "float64/restarts-beyond-the-range-of-32-bits-are-exact",
        "Periods of 3 steps near 2^53.",
        "3.9 7.14",
        repeat(period=3, schedule=linear(initial=1, final=0)),
        read="9007199254740985-9007199254740992",
        double_only=True,
    ),
]

CONVERSION: list[Golden] = [
    golden(
        "batches/a-length-is-converted-where-it-stands",
        "Batch sizes 2, 4 and 8: twenty samples are 10 steps, the next forty 10, then eighty 10.",
        "3.7 2.3",
        [
            linear(initial=0, final=1, length="20 samples"),
            linear(final=0.5, length="40 samples"),
            linear(final=0.25, length="80 samples"),
            linear(final=0, length="80 samples"),
        ],
        training=CHANGING,
    ),
    golden(
        "batches/a-length-may-cross-a-change",
        "30 samples: 10 steps of 2 and 2.5 steps of 4.",
        "3.7",
        [linear(initial=0, final=1, length="30 samples"), linear(final=0, length="1k tokens")],
        training=CHANGING,
    ),
    golden(
        "batches/a-length-after-the-open-stage-is-converted-from-its-end",
        "From step 30 backward 100 samples are 10 steps of 8 and 5 of 4.",
        "3.7 5.6",
        [
            linear(initial=0, final=1, length=5),
            constant(),
            linear(final=0, length="100 samples"),
        ],
        training={**CHANGING, "steps": 30},
    ),
    golden(
        "batches/several-lengths-after-the-open-stage-are-converted-from-their-ends",
        "Each one ends where the one after it starts.",
        "3.7 5.6",
        [
            constant(value=1),
            linear(final=0.5, length="400 tokens"),
            [linear(final=0.25, length="200 tokens"), linear(final=0, length="1k tokens")],
        ],
        training={**CHANGING, "steps": 36},
    ),
    golden(
        "batches/until-after-the-open-stage-is-converted-to-the-start-of-its-list",
        "90 samples before its end is where the nested list starts.",
        "3.7 5.6",
        [
            constant(value=1),
            [
                linear(final=0.5, length="30 samples"),
                linear(final=0.3, until="90 samples"),
                linear(final=0, length="50 samples"),
            ],
        ],
        training={
            "steps": 40,
            "batch_size": [
                {"start": 0, "value": 2},
                {"start": 20, "value": 4},
                {"start": 30, "value": 8},
            ],
        },
    ),
    golden(
        "batches/lengths-after-the-open-stage-are-rounded-from-their-ends",
        "From step 34 backward 29 samples are 6.625 steps, 6; from there forward they would be 8.",
        "3.6 3.7 5.6",
        [
            constant(value=1),
            [[linear(final=0.5, length="29 samples"), linear(final=0, length="10 samples")]],
        ],
        rounding="floor",
        training={
            "steps": 39,
            "batch_size": [{"start": 0, "value": 8}, {"start": 30, "value": 2}],
        },
    ),
    golden(
        "batches/a-position-is-converted-from-the-ruler",
        "`until` 60 samples is step 20, 100 samples step 25.",
        "3.7 3.4",
        [
            linear(initial=0, final=1, until="60 samples"),
            linear(final=0, until="100 samples"),
        ],
        training=CHANGING,
    ),
    golden(
        "batches/boundaries-are-converted-from-the-ruler",
        "In a nested list that starts at step 10, 40 samples later is step 20.",
        "3.7 3.4",
        [
            constant(value=1, length=10),
            [
                piecewise_linear(
                    boundaries=["20 samples", "40 samples", "120 samples"], values=[1, 0.5, 0.1]
                )
            ],
        ],
        training=CHANGING,
    ),
    golden(
        "batches/a-length-is-rounded-after-conversion",
        "30 samples are 12.5 steps, rounded up to 13.",
        "3.6 3.7",
        [linear(initial=0, final=1, length="30 samples"), linear(final=0, length=5)],
        rounding="ceil",
        training=CHANGING,
    ),
    golden(
        "batches/steps-are-converted-to-samples-where-they-stand",
        "Along samples a stage of 5 steps across a change is 10 and 20 samples.",
        "3.7 2.2",
        [
            linear(initial=0, final=1, length=5),
            linear(final=0, length=10),
            linear(final=1, until=30),
        ],
        axis="samples",
        training=CHANGING,
    ),
    golden(
        "batches/epochs-are-steps-whatever-the-batch-size",
        "An epoch of 7 steps, along tokens.",
        "3.3 3.7",
        [linear(initial=0, final=1, length="1 epoch"), linear(final=0, until="3 epochs")],
        axis="tokens",
        training={**CHANGING, "steps_per_epoch": 7},
    ),
    golden(
        "batches/samples-are-proportional-to-tokens",
        "Along tokens every 100 samples is every 1000 tokens, whatever the batch size.",
        "3.7",
        exponential(initial=1, rate=0.5, every="100 samples", staircase=True),
        axis="tokens",
        training=CHANGING,
    ),
    golden(
        "batches/epochs-are-proportional-to-steps",
        "Along steps a period in epochs needs no batch size.",
        "3.7",
        repeat(period="0.5 epochs", schedule=linear(initial=1, final=0, length="40%")),
        training={**CHANGING, "steps_per_epoch": 7},
        read="0-16",
    ),
    golden(
        "batches/percent-is-proportional-always",
        "Along samples a period of 25% is a quarter of the samples.",
        "3.7 3.4",
        repeat(period="25%", schedule=linear(initial=1, final=0)),
        axis="samples",
        training={**CHANGING, "steps": 30},
        read="0-32",
    ),
    golden(
        "batches/a-batch-schedule-that-never-changes-is-one-batch-size",
        "Neighbours with equal values are merged: a period in samples is proportional.",
        "4.1 3.7",
        repeat(period="12 samples", schedule=linear(initial=1, final=0)),
        training={"batch_size": [{"start": 0, "value": 4}, {"start": 5, "value": 4}]},
        read="0-10",
    ),
    golden(
        "batches/a-batch-schedule-may-have-one-entry",
        "It is the same as its number.",
        "2.3",
        linear(initial=0, final=1, length="20 samples"),
        training={"batch_size": [{"start": 0, "value": 4}]},
    ),
]

CASES: list[Golden] = [*UNITS, *RULERS, *ROUNDING, *TO_FLOAT64, *CONVERSION]
