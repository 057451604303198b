"""`initial` left out, closing values, and what is held beyond an end."""

from __future__ import annotations

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
    piecewise_linear,
    polynomial,
    power_law,
    product,
    quantize,
    repeat,
    sum_of,
    token_power,
)

RUN = {"steps": 100}
ENDS_EMPTY = [linear(initial=1, final=0.5, length=9), constant(value=7, length=0)]
START = linear(initial=0, final=0.8, length=4)

CASES: list[Golden] = [
    golden(
        "initial/every-kind-starts-from-the-value-before-it",
        "One kind after another, each without `initial`.",
        "6.3 6.2",
        [
            START,
            constant(length=2),
            cosine(final=0.5, length=4),
            polynomial(final=0.4, power=2, length=4),
            geometric(final=0.2, length=4),
            inverse(final=0.1, length=4),
            exponential(rate=2, every=2, length=4),
            inverse_sqrt(timescale=2, length=4),
            power_law(timescale=2, exponent=0.3, length=4),
            linear(final=0, length=4),
        ],
        read="0-42",
    ),
    golden(
        "initial/a-written-initial-wins-over-the-value-before",
        "A jump is written.",
        "6.3",
        [START, linear(initial=0.1, final=0.2, length=4), constant(value=0.9, length=2)],
    ),
    golden(
        "initial/a-cut-exponential-hands-on-the-limit-from-the-left",
        "Staircase: just before 6 steps two whole powers have passed, at 6 it would be three.",
        "6.2 2.5",
        [
            exponential(initial=1, rate=0.5, every=2, staircase=True, length=6),
            constant(length=4),
        ],
    ),
    golden(
        "initial/a-piecewise-constant-hands-on-the-value-before-its-end",
        "A boundary at the very end of the stage is not reached.",
        "6.2 2.5",
        [
            piecewise_constant(boundaries=[3, 6], values=[1, 0.5, 0.25], length=6),
            constant(length=4),
        ],
    ),
    golden(
        "initial/a-piecewise-linear-hands-on-where-it-was-cut",
        "The line between two boundaries is cut half-way.",
        "6.2",
        [
            piecewise_linear(boundaries=[0, 10], values=[0, 1], length=5),
            linear(final=0, length=4),
        ],
    ),
    golden(
        "initial/an-inverse-square-root-hands-on-where-it-was-cut",
        "An infinite schedule: decay, then a linear cooldown from where it is.",
        "6.2 6.3",
        [
            linear(initial=0, final=1, length=10),
            inverse_sqrt(timescale=10),
            linear(final=0, length="10%"),
        ],
        training=RUN,
    ),
    golden(
        "initial/a-repeat-hands-on-the-limit-at-its-last-period",
        "Restarts from 1 to 0.2; what follows starts from 0.2.",
        "6.2 7.14",
        [
            repeat(period=5, count=3, schedule=cosine(initial=1, final=0.2)),
            linear(final=0, length=5),
        ],
    ),
    golden(
        "initial/a-repeat-cut-in-mid-period-hands-on-where-it-was-cut",
        "Its length ends in the third period.",
        "6.2 7.14",
        [
            repeat(period=4, length=10, schedule=linear(initial=1, final=0)),
            constant(length=5),
        ],
    ),
    golden(
        "initial/a-repeat-cut-at-the-end-of-a-period-hands-on-that-periods-end",
        "The period that would start there has not started.",
        "6.2 2.5",
        [
            repeat(period=5, length=10, schedule=linear(initial=1, final=0.25)),
            constant(length=5),
        ],
    ),
    golden(
        "initial/every-period-of-a-repeat-starts-from-the-value-before-the-repeat",
        "Each period takes the value before the repeat, not that of the period before.",
        "6.3",
        [
            linear(initial=0, final=0.8, length=4),
            repeat(period=4, count=2, schedule=linear(final=0.2)),
            constant(length=2),
        ],
    ),
    golden(
        "initial/a-repeat-at-the-start-takes-one",
        "The first of a curve is 1, in every period.",
        "6.3",
        repeat(period=4, schedule=[linear(final=0.5, length=2), linear(final=0.2, length=2)]),
        read="0-9",
    ),
    golden(
        "initial/passes-through-nested-lists",
        "The first stage of a nested list takes what stands before the list.",
        "6.3",
        [
            linear(initial=0, final=0.8, length=4),
            [[linear(final=0.4, length=4)], [constant(length=2), linear(final=0.6, length=2)]],
            linear(final=0, length=4),
        ],
    ),
    golden(
        "initial/passes-through-wrappers",
        "clamp, quantize and advance hand the value before them to their child.",
        "6.3",
        [
            linear(initial=0, final=0.8, length=4),
            clamp(minimum=0.5, schedule=linear(final=0.4), length=4),
            quantize(every=2, schedule=linear(final=0.9), length=6),
            advance(by=2, schedule=linear(final=0.1), length=4),
            constant(length=2),
        ],
        read="0-22",
    ),
    golden(
        "initial/of-a-product-child-is-one",
        "A product after a stage starts its children from 1, not from that stage.",
        "6.3 7.15",
        [
            linear(initial=0, final=0.5, length=4),
            product(linear(final=0.2), constant(value=0.5), length=6),
            constant(length=2),
        ],
    ),
    golden(
        "initial/in-a-product-in-a-sum-is-one",
        "What stands in a product inside a sum starts from 1.",
        "6.3",
        sum_of(constant(value=0.1), product(linear(final=0.5), constant(value=0.4))),
        training={"steps": 8},
    ),
    golden(
        "initial/of-a-later-stage-in-a-sum-is-the-stage-before",
        "Only the first of a list in a sum must be written.",
        "6.3",
        sum_of(
            [
                linear(initial=0, final=0.5, length=4),
                constant(length=2),
                linear(final=0.1, length=4),
            ],
            constant(value=0.25),
        ),
        read="0-12",
    ),
    golden(
        "initial/of-stages-inside-a-product-is-the-stage-before",
        "Inside a list in a product the stage before counts.",
        "6.3 7.15",
        product([linear(final=0.5, length=4), linear(final=0.1, length=4)], constant(value=0.5)),
        read="0-10",
    ),
    # Closing values of combinators and wrappers.
    golden(
        "closing/a-product-hands-on-its-operator-over-its-children",
        "The product of the children's closing values.",
        "6.2",
        [
            product(
                linear(initial=1, final=0.5), exponential(initial=1, rate=0.5, every=10), length=10
            ),
            constant(length=5),
        ],
    ),
    golden(
        "closing/a-sum-hands-on-its-operator-over-its-children",
        "The sum of the children's closing values.",
        "6.2",
        [
            sum_of(linear(initial=1, final=0.5), cosine(initial=0.2, final=0.1), length=10),
            linear(final=0, length=5),
        ],
    ),
    golden(
        "closing/a-child-that-is-cut-hands-on-the-limit-from-the-left",
        "A child longer than the combinator is cut at its end.",
        "6.2 5.11",
        [
            product(linear(initial=1, final=0, length=20), constant(value=0.5), length=10),
            constant(length=5),
        ],
    ),
    golden(
        "closing/a-child-that-ended-before-hands-on-what-it-gives-there",
        "One child holds its final, the other has been extended.",
        "6.2 6.7 5.11",
        [
            product(
                linear(initial=1, final=0.5, length=5),
                linear(initial=1, final=0.8, length=5, after="extend"),
                length=10,
            ),
            constant(length=5),
        ],
    ),
    golden(
        "closing/a-clamp-hands-on-its-clamped-value",
        "The bound holds for the closing value too.",
        "6.2 7.16",
        [
            clamp(minimum=0.3, maximum=0.7, schedule=linear(initial=1, final=0), length=10),
            linear(final=1, length=5),
        ],
    ),
    golden(
        "closing/a-quantize-hands-on-its-last-reading",
        "Just before the end the last multiple read is 9, where the line is at 0.1.",
        "6.2 7.17 2.5",
        [
            quantize(every=3, schedule=linear(initial=1, final=0), length=10),
            constant(length=5),
        ],
    ),
    golden(
        "closing/a-quantize-that-ends-on-a-multiple-hands-on-the-one-before",
        "The multiple at the very end has not been reached.",
        "6.2 7.17 2.5",
        [
            quantize(every=5, schedule=linear(initial=1, final=0), length=10),
            constant(length=5),
        ],
    ),
    golden(
        "closing/an-advance-hands-on-its-childs-end",
        "The child ends where the advance does.",
        "6.2 7.18",
        [
            advance(by=5, schedule=linear(initial=1, final=0.3), length=10),
            constant(length=5),
        ],
    ),
    golden(
        "closing/an-advanced-child-that-is-cut-hands-on-the-limit-from-the-left",
        "The child is longer than the advance.",
        "6.2 7.18",
        [
            advance(by=5, schedule=linear(initial=1, final=0, length=20), length=10),
            constant(length=5),
        ],
    ),
    golden(
        "closing/a-list-in-a-product-hands-on-its-last-stage",
        "A list that is shorter than the product holds its last closing value to its end.",
        "6.2 5.9",
        [
            product(
                [linear(initial=1, final=0.5, length=3), linear(final=0.25, length=3)],
                constant(value=0.5),
                length=10,
            ),
            constant(length=5),
        ],
    ),
    golden(
        "closing/a-list-whose-last-stage-is-extended-hands-on-the-extended-value",
        "What encloses an extended stage reads the extended value, at its end too.",
        "6.2 6.7",
        [
            product([linear(initial=1, final=0.8, length=5, after="extend")], length=10),
            constant(length=5),
        ],
    ),
    *[
        golden(
            f"closing/{article}-{kind}-over-a-list-that-ends-with-an-empty-stage-hands-that-on",
            f"The list in the {kind} ends with an empty stage, whose closing value counts.",
            "6.2 5.9",
            [schedule, constant(length=4)],
            read="0-15",
        )
        for article, kind, schedule in (
            ("a", "product", product(ENDS_EMPTY, constant(value=0.5), length=9)),
            ("a", "sum", sum_of(ENDS_EMPTY, constant(value=0.5), length=9)),
            ("a", "clamp", clamp(maximum=6, schedule=ENDS_EMPTY, length=9)),
            ("an", "advance", advance(by=0, schedule=ENDS_EMPTY, length=9)),
        )
    ],
    *[
        golden(
            f"closing/an-empty-{kind}-hands-on-what-its-child-ends-with",
            f"The child of an empty {kind} is empty, and its final counts.",
            "6.2",
            [constant(value=1, length=4), schedule, constant(length=4)],
            read="0-9",
        )
        for kind, schedule in (
            ("sum", sum_of(linear(initial=0.2, final=0.5), constant(value=0.25), length=0)),
            ("clamp", clamp(minimum=0.1, schedule=linear(initial=0.2, final=0.5), length=0)),
            ("quantize", quantize(every=2, schedule=linear(initial=0.2, final=0.5), length=0)),
            ("advance", advance(by=3, schedule=linear(initial=0.2, final=0.5), length=0)),
        )
    ],
    golden(
        "closing/a-child-that-is-cut-at-a-boundary-hands-on-what-holds-before-it",
        "The boundary lies where the product ends.",
        "6.2 2.5",
        [
            product(
                piecewise_constant(boundaries=[3, 6], values=[1, 0.5, 0.25], length=10),
                constant(value=0.5),
                length=6,
            ),
            constant(length=4),
        ],
    ),
    golden(
        "closing/a-token-power-hands-on-the-batch-size-before-its-end",
        "The batch size that changes at the very end has not changed yet.",
        "6.2 2.5 7.11",
        [
            token_power(initial=10, amplitude=1, exponent=-0.5, length=10),
            constant(length=5),
        ],
        base="absolute",
        training={
            "batch_size": [{"start": 0, "value": 4}, {"start": 10, "value": 8}],
            "sequence_length": 2,
        },
    ),
    # Beyond the end.
    golden(
        "beyond/a-node-with-a-length-holds-its-closing-value",
        "Every kind that would go on holds with a written length.",
        "6.6",
        product(
            exponential(initial=1, rate=0.9, every=2, length=4),
            inverse_sqrt(initial=1, timescale=3, length=6),
            power_law(initial=1, timescale=3, exponent=2, length=8),
            piecewise_constant(boundaries=[3, 12], values=[1, 2, 3], length=10),
        ),
        read="0-14",
    ),
    golden(
        "beyond/until-is-a-written-length-too",
        "With `until` the closing value is held.",
        "6.6 5.1",
        exponential(initial=1, rate=0.5, every=4, until=10),
    ),
    *[
        golden(
            f"beyond/{next(iter(kind)).replace('_', '-')}-takes-{end}",
            f"A stage of the kind {next(iter(kind))} ends by `{end}`.",
            "5.1 5.2 6.2",
            [
                constant(value=0.5, length=3),
                {name: {**fields, end: at} for name, fields in kind.items()},
                constant(length=2),
            ],
            base="absolute",
            training={"batch_size": 2, "sequence_length": 3},
        )
        for kind in (
            constant(value=0.25),
            linear(final=0.25),
            cosine(final=0.25),
            polynomial(final=0.25, power=2),
            geometric(final=0.25),
            inverse(final=0.25),
            exponential(rate=0.5, every=4),
            inverse_sqrt(timescale=4),
            power_law(timescale=4, exponent=2),
            token_power(amplitude=0.3, exponent=-0.5),
            piecewise_linear(boundaries=[0, 20], values=[1, 0]),
            piecewise_constant(boundaries=[5, 20], values=[1, 0.5, 0]),
            repeat(period=4, schedule=linear(initial=1, final=0)),
            product(linear(final=0.5), constant(value=0.5)),
            sum_of(linear(initial=1, final=0.5), constant(value=0.5)),
            clamp(minimum=0.3, schedule=linear(final=0.25)),
            quantize(every=2, schedule=linear(final=0.25)),
            advance(by=2, schedule=linear(final=0.25)),
        )
        for end, at in (("length", 6), ("until", 9))
    ],
    golden(
        "beyond/a-piecewise-without-a-length-goes-on-beyond-its-parent",
        "Children without a length do what their formula says beyond the run.",
        "6.6 4.2",
        product(
            piecewise_linear(boundaries=[0, 20], values=[0, 1]),
            piecewise_constant(boundaries=[5, 15], values=[1, 2, 4]),
        ),
        training={"steps": 10},
    ),
    golden(
        "beyond/a-combinator-with-a-length-holds-its-closing-value",
        "The product is held, though its children would go on.",
        "6.6",
        product(exponential(initial=1, rate=0.5, every=4), constant(value=0.5), length=6),
    ),
    golden(
        "beyond/a-combinator-without-a-length-does-what-its-children-do",
        "One child holds, the other goes on.",
        "6.6",
        product(linear(initial=0, final=1), exponential(initial=1, rate=0.5, every=4)),
        training={"steps": 6},
        read="0-12",
    ),
    golden(
        "beyond/a-wrapper-with-a-length-holds-its-closing-value",
        "clamp, quantize and advance with lengths, inside a sum.",
        "6.6",
        sum_of(
            clamp(minimum=0.2, schedule=exponential(initial=1, rate=0.5, every=2), length=3),
            quantize(every=2, schedule=exponential(initial=1, rate=0.5, every=2), length=5),
            advance(by=2, schedule=exponential(initial=1, rate=0.5, every=2), length=7),
        ),
        read="0-10",
    ),
    golden(
        "beyond/a-wrapper-shorter-than-its-child-cuts-it",
        "The clamp ends at 5 and holds what its child of 10 steps has there.",
        "5.11 6.6",
        clamp(minimum=0.1, schedule=linear(initial=1, final=0, length=10), length=5),
        read="0-12",
    ),
    golden(
        "beyond/a-wrapper-longer-than-its-child-sees-it-hold",
        "The child of 5 steps holds its final to the wrapper's end and beyond.",
        "5.11 6.6",
        clamp(minimum=0.1, schedule=linear(initial=1, final=0.4, length=5), length=10),
        read="0-12",
    ),
    golden(
        "beyond/an-extended-child-is-held-where-its-parent-ends",
        "The product has a length: beyond it the extended value is held.",
        "6.6 6.7",
        product(linear(initial=1, final=0.9, length=4, after="extend"), length=10),
        read="0-13",
    ),
    golden(
        "beyond/an-extended-child-of-a-clamp-is-clamped",
        "What encloses it reads the extended value.",
        "6.7 7.16",
        clamp(minimum=0.2, schedule=linear(initial=1, final=0.5, length=10, after="extend")),
        read="0 5 9-20 1000000",
    ),
    golden(
        "beyond/an-extended-child-of-a-repeat-goes-on-in-its-period",
        "A schedule shorter than the period may be extended in it.",
        "6.7 7.14",
        repeat(period=10, schedule=linear(initial=1, final=0.5, length=5, after="extend")),
        read="0-21",
    ),
    golden(
        "beyond/an-extended-child-of-a-sum-goes-on",
        "A child of a combinator may be extended.",
        "6.7 7.15",
        sum_of(
            linear(initial=1, final=0.5, length=5, after="extend"),
            geometric(initial=1, final=0.5, length=5, after="extend"),
        ),
        read="0-12 100",
    ),
    golden(
        "beyond/an-extended-child-of-advance-and-quantize-goes-on",
        "Wrappers read the extended value.",
        "6.7 7.17 7.18",
        quantize(
            every=2,
            schedule=advance(by=3, schedule=linear(initial=1, final=0.5, length=5, after="extend")),
        ),
        read="0-12",
    ),
    golden(
        "beyond/a-list-in-a-product-does-what-its-last-stage-does",
        "The list's last stage is open and goes on beyond the run.",
        "6.6 5.8",
        product(
            [linear(initial=0, final=1, length=4), exponential(rate=0.5, every=4)],
            constant(value=0.5),
        ),
        training={"steps": 8},
        read="0-20",
    ),
]
