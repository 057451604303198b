"""Lists: spans, ownership, open and empty stages, nesting, what is left."""

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
    product,
    quantize,
    repeat,
)

RUN = {"steps": 100}

CASES: list[Golden] = [
    golden(
        "lists/the-later-stage-owns-the-boundary",
        "At the boundary the later stage's value holds, not the earlier one's.",
        "6.1 5.2",
        [constant(value=1, length=10), constant(value=2, length=10)],
    ),
    golden(
        "lists/each-stage-starts-where-the-one-before-it-ends",
        "Three stages with lengths; a curve counts from the start of its own stage.",
        "5.2 7.2 7.3 7.8",
        [
            linear(initial=0, final=1, length=4),
            cosine(initial=0.8, final=0.4, length=6),
            exponential(initial=0.3, rate=0.5, every=2),
        ],
        read="0-20",
    ),
    golden(
        "lists/a-fractional-edge-lies-between-two-steps",
        "A stage that ends at 2.5 steps owns steps 0 to 2; the next is half a step old at 3.",
        "6.1 3.6 5.2",
        [linear(initial=0, final=1, length="2.5 steps"), linear(initial=1, final=0, length=4)],
    ),
    golden(
        "lists/a-single-schedule-is-the-list-of-it",
        "A list of one stage without a length has the span of the run.",
        "3.5 5.1",
        [cosine(initial=1, final=0.1)],
        training={"steps": 10},
        read="0-11",
    ),
    golden(
        "lists/a-list-shorter-than-the-run-holds-its-last-value",
        "After the last stage its closing value is held, to the end of the run and beyond it.",
        "5.9 6.6",
        [linear(initial=0, final=1, length=10), exponential(rate=0.5, every=5, length=10)],
        training=RUN,
    ),
    golden(
        "lists/a-list-without-a-run-holds-its-last-value",
        "Without training.steps the list ends where its stages end.",
        "5.9 6.6 5.1",
        [
            constant(value=0.3, length=3),
            piecewise_constant(boundaries=[5], values=[1, 2], length=4),
        ],
    ),
    golden(
        "lists/stages-may-go-beyond-the-run",
        "The run is not a boundary: stages that end after it keep their lengths.",
        "4.2 5.8",
        [linear(initial=0, final=1, length=60), linear(final=0, length=80)],
        training=RUN,
    ),
    golden(
        "lists/a-last-stage-without-a-length-goes-on",
        "An open last stage goes on by its formula, beyond the run too.",
        "5.3 6.6 4.2",
        [linear(initial=0, final=1, length=10), inverse_sqrt(timescale=10)],
        training=RUN,
    ),
    golden(
        "lists/a-last-stage-needs-no-run-where-its-kind-needs-no-length",
        "An open last stage on a run of unknown length has no end.",
        "5.1 5.10",
        [linear(initial=0, final=1, length=10), exponential(rate=0.5, every=10)],
    ),
    # The open stage.
    golden(
        "lists/the-open-stage-in-the-middle-takes-what-is-left",
        "Warmup, plateau, cooldown: the plateau ends where the cooldown must start.",
        "5.4 5.6 6.3",
        [
            linear(initial=0, final=1, length=10),
            constant(),
            cosine(final=0.1, length="20%"),
        ],
        training=RUN,
        read="0 1 5 9-11 50 79-82 90 98-101 1000000",
    ),
    golden(
        "lists/the-open-stage-at-the-start-takes-what-is-left",
        "Stages after the open one are laid backward from the end.",
        "5.4 5.6",
        [
            cosine(initial=1, final=0.5),
            linear(final=0.2, length=30),
            linear(final=0, length=10),
        ],
        training=RUN,
    ),
    golden(
        "lists/the-open-stage-at-the-end-takes-what-is-left",
        "An open last stage that needs a length ends with the run.",
        "5.4 5.7",
        [linear(initial=0, final=1, length=10), cosine(final=0)],
        training=RUN,
    ),
    golden(
        "lists/the-open-stage-may-be-left-nothing",
        "Exactly nothing is left: the open stage is empty and owns nothing.",
        "5.5 6.1",
        [
            linear(initial=0, final=1, length=60),
            linear(final=0.3),
            linear(final=0, length=40),
        ],
        training=RUN,
    ),
    golden(
        "lists/an-open-last-stage-with-nothing-left-has-no-end",
        "The stages before it fill the run; it goes on beyond without an end.",
        "5.8 6.6",
        [linear(initial=0, final=1, length=100), exponential(rate=0.5, every=10)],
        training=RUN,
    ),
    golden(
        "lists/a-nested-open-last-list-may-go-beyond-the-run",
        "The span of a last open list is as little bounded as that of the list it stands in.",
        "5.7 5.8",
        [
            linear(initial=0, final=1, length=60),
            [constant(length=60), exponential(rate=0.5, every=10)],
        ],
        training=RUN,
    ),
    golden(
        "lists/a-list-in-an-open-last-combinator-may-go-beyond-the-run",
        "The product's span is not bounded, and so the list's is not.",
        "5.7 5.8 5.11",
        [
            linear(initial=0, final=1, length=60),
            product([linear(initial=1, final=0.5, length=60), linear(final=0.2, length=20)]),
        ],
        training=RUN,
    ),
    golden(
        "lists/an-open-last-stage-may-start-beyond-the-run",
        "The stages before it are longer than the run.",
        "5.8 4.2",
        [linear(initial=0, final=1, length=130), exponential(rate=0.5, every=10)],
        training=RUN,
    ),
    golden(
        "lists/until-ends-a-stage-at-a-position",
        "`until` is where a stage ends on the list's ruler, whatever stands before it.",
        "5.1 3.4",
        [
            linear(initial=0, final=1, until=10),
            constant(until=40),
            linear(final=0.5, until="70%"),
            linear(final=0, until="100%"),
        ],
        training=RUN,
    ),
    golden(
        "lists/until-may-be-the-start-of-its-stage",
        "A stage that ends where it starts is empty.",
        "3.8 6.1",
        [
            linear(initial=0, final=1, length=10),
            constant(value=5, until=10),
            linear(final=0, length=4),
        ],
    ),
    golden(
        "lists/length-and-until-may-stand-in-one-list",
        "Each stage has one of the two.",
        "5.1 5.3",
        [
            linear(initial=0, final=1, length=5),
            constant(until=20),
            linear(final=0, length=5),
        ],
    ),
    # Empty stages.
    golden(
        "lists/an-empty-first-stage-owns-nothing-and-hands-on-its-final",
        "The second stage owns step 0 and starts from the closing value of the empty one.",
        "6.1 6.2 6.3",
        [linear(initial=0.2, final=0.6, length=0), cosine(final=0, length=6)],
        read="0-7",
    ),
    golden(
        "lists/an-empty-middle-stage-owns-nothing-and-hands-on-its-final",
        "The stage after an empty one starts from the empty one's final.",
        "6.1 6.2 6.3",
        [
            constant(value=1, length=5),
            cosine(final=0.4, length=0),
            linear(final=0, length=5),
        ],
    ),
    golden(
        "lists/several-empty-stages-follow-each-other",
        "The last of them hands on its closing value.",
        "6.1 6.2",
        [
            constant(value=1, length=5),
            linear(final=0.4, length=0),
            constant(length=0),
            exponential(rate=0.5, every=1, length=0),
            linear(final=0.8, length=0),
            linear(final=0, length=5),
        ],
    ),
    golden(
        "lists/an-empty-last-stage-gives-what-is-held",
        "After the list the closing value of the last stage is held, though that stage is empty.",
        "5.9 6.2",
        [linear(initial=0, final=1, length=5), linear(initial=0.2, final=0.7, length=0)],
    ),
    golden(
        "lists/an-empty-last-constant-gives-what-is-held",
        "The closing value of an empty constant is its value.",
        "5.9 6.2",
        [linear(initial=0, final=1, length=5), constant(value=0.3, length=0)],
    ),
    golden(
        "lists/an-empty-stage-without-a-final-hands-on-its-value-at-its-start",
        "An empty exponential has its initial value.",
        "6.2 6.3",
        [
            linear(initial=0, final=1, length=5),
            exponential(initial=0.7, rate=0.5, every=1, length=0),
            constant(length=5),
        ],
    ),
    golden(
        "lists/an-empty-piecewise-stage-hands-on-its-value-at-its-start",
        "Boundaries count on the list's ruler: at 5 the second value holds.",
        "6.2 3.4",
        [
            linear(initial=0, final=1, length=5),
            piecewise_constant(boundaries=[5, 9], values=[0.1, 0.2, 0.3], length=0),
            constant(length=5),
        ],
    ),
    golden(
        "lists/an-empty-combinator-hands-on-the-finals-of-its-children",
        "The closing value of an empty product is the product of its children's.",
        "6.2",
        [
            constant(value=1, length=5),
            product(linear(initial=1, final=0.5, length=0), constant(value=0.5), length=0),
            constant(length=5),
        ],
    ),
    golden(
        "lists/an-empty-list-hands-on-its-last-closing-value",
        "A nested list of empty stages is empty.",
        "6.2 6.1",
        [
            constant(value=1, length=5),
            [linear(final=0.5, length=0), linear(final=0.25, length=0)],
            linear(final=0, length=5),
        ],
    ),
    golden(
        "lists/an-empty-constant-between-two-stages-changes-nothing",
        "`constant: {length: 0}` after a first stage and before the last one.",
        "5.12",
        [
            linear(initial=0, final=1, length=4),
            constant(length=0),
            cosine(final=0, length=5),
        ],
    ),
    golden(
        "lists/a-single-empty-line-has-its-final",
        "A line of length 0 is over at step 0.",
        "6.1 6.2 6.6",
        linear(initial=0.2, final=0.7, length=0),
    ),
    # Nesting.
    golden(
        "lists/a-nested-list-has-its-own-length",
        "A list whose stages all end is as long as they are; the open stage takes the rest.",
        "5.3 5.4",
        [
            [linear(initial=0, final=1, length=5), linear(final=0.5, length=5)],
            constant(),
            [linear(final=0.2, length=10), linear(final=0, length=20)],
        ],
        training=RUN,
    ),
    golden(
        "lists/a-nested-list-with-an-open-stage-is-open",
        "It takes what is left, and its own open stage what is left of that.",
        "5.3 5.4",
        [
            linear(initial=0, final=1, length=10),
            [constant(), linear(final=0.5, length=20)],
            linear(final=0, length=30),
        ],
        training=RUN,
    ),
    golden(
        "lists/a-nested-list-that-ends-by-percent-is-open",
        "Its percentages are of what it is left.",
        "5.3 3.4",
        [
            linear(initial=0, final=1, length=20),
            [linear(final=0.5, length="25%"), cosine(final=0.1, length="75%")],
        ],
        training=RUN,
    ),
    golden(
        "lists/a-nested-list-is-a-ruler-of-its-own",
        "`until` and boundaries inside count from the nested list's start.",
        "3.4 5.12",
        [
            linear(initial=0, final=1, length=10),
            [
                constant(until=5),
                piecewise_constant(boundaries=[10, 20], values=[1, 0.5, 0.25], until=30),
            ],
            linear(final=0, length=10),
        ],
    ),
    golden(
        "lists/a-nested-list-laid-from-its-end-may-have-until",
        "The position counts from the start that the nested list gets.",
        "5.6",
        [
            constant(value=1),
            [linear(final=0.5, length=5), linear(final=0.3, until=15), linear(final=0, length=10)],
        ],
        training=RUN,
    ),
    golden(
        "lists/a-nested-list-laid-from-its-end-may-have-until-twice",
        "The last of them gives the start of the list, the first counts from there.",
        "5.6",
        [
            constant(value=1),
            [
                linear(final=0.5, until=5),
                linear(final=0.3, until=15),
                linear(final=0.2, length=5),
                linear(final=0, length=10),
            ],
        ],
        training=RUN,
    ),
    golden(
        "lists/a-nested-list-whose-until-is-a-percentage-is-open",
        "It ends by percent of what it is left.",
        "5.3 3.4",
        [
            linear(initial=0, final=1, length=20),
            [linear(final=0.5, until="25%"), cosine(final=0.1, until="100%")],
        ],
        training=RUN,
    ),
    golden(
        "lists/lists-nest-deeply",
        "A nested unsized list changes nothing but the ruler.",
        "5.12 5.3",
        [
            [[linear(initial=0, final=1, length=5)]],
            [[[constant(length=5)], linear(final=0, length=5)]],
        ],
    ),
    golden(
        "lists/splitting-a-constant-in-two-changes-nothing",
        "Two constants of 3 and 4 steps are one of 7.",
        "5.12",
        [
            linear(initial=0, final=0.3, length=3),
            constant(length=3),
            constant(length=4),
            linear(final=0, length=3),
        ],
    ),
    golden(
        "lists/a-repeat-with-period-and-count-has-its-own-length",
        "The sum of its periods; the stage after it follows there.",
        "5.3 7.14",
        [
            repeat(period=4, count=3, stretch=2, schedule=linear(initial=1, final=0)),
            constant(value=0.5, length=5),
            linear(final=0, length=5),
        ],
    ),
    golden(
        "lists/a-repeat-with-period-and-count-may-be-laid-from-the-end",
        "After the open stage it ends with the list.",
        "5.3 5.6",
        [
            constant(value=1),
            repeat(period=5, count=4, schedule=linear(initial=1, final=0)),
            linear(final=2, length=10),
        ],
        training=RUN,
    ),
    golden(
        "lists/a-repeat-with-a-percentage-as-period-may-be-followed",
        "A period in percent is of the list's span.",
        "5.3 3.4",
        [
            repeat(period="10%", count=3, schedule=linear(initial=1, final=0)),
            linear(initial=0.5, final=0),
        ],
        training=RUN,
    ),
    golden(
        "lists/a-repeat-with-a-percentage-as-period-makes-its-list-open",
        "A list that ends by percent takes what is left.",
        "5.3",
        [
            [
                constant(value=1, length=10),
                repeat(period="10%", count=3, schedule=linear(initial=1, final=0)),
            ],
            linear(final=0.5, length=20),
        ],
        training=RUN,
    ),
    golden(
        "lists/an-open-wrapper-takes-what-is-left-whatever-stands-in-it",
        "A combinator or wrapper without a length is open although its child has one.",
        "5.3 5.11",
        [
            clamp(minimum=0.5, schedule=linear(initial=0, final=1, length=10)),
            linear(final=0, length=20),
        ],
        training={"steps": 50},
    ),
    golden(
        "lists/an-open-list-in-a-wrapper-takes-the-wrappers-span",
        "A list in a combinator has its span; its open stage takes what is left of that.",
        "5.11 5.4",
        [
            product(
                [linear(initial=0, final=1, length=5), constant(), linear(final=0, length=5)],
                constant(value=0.5),
                length=30,
            ),
            linear(final=1, length=10),
        ],
    ),
    golden(
        "lists/an-open-last-stage-in-a-bounded-span-may-be-left-nothing",
        "In a span that is bounded the open last stage is empty and gives what is held.",
        "5.8 5.5 6.2",
        [
            product([linear(initial=0, final=1, length=20), linear(final=0.3)], length=20),
            constant(length=10),
        ],
    ),
    golden(
        "lists/many-stages-are-found",
        "Two hundred and fifty-six stages of two steps each.",
        "5.2 6.1",
        [linear(final=1 / (1 + index % 7), length=2) for index in range(256)],
        read="0-12 254-262 508-513 1000000",
    ),
    # after: extend on a last stage.
    golden(
        "lists/a-last-stage-may-be-extended",
        "With after: extend the last stage goes on instead of holding.",
        "6.7 5.9",
        [
            linear(initial=0, final=1, length=10),
            linear(final=0.5, length=10, after="extend"),
        ],
        training=RUN,
        read="0 1 9-11 15 19-21 30 99-101",
    ),
    golden(
        "lists/a-last-stage-of-a-last-nested-list-may-be-extended",
        "Nothing follows at any depth.",
        "6.7",
        [
            linear(initial=0, final=1, length=4),
            [constant(length=2), cosine(final=0, length=6, after="extend")],
        ],
        read="0-20",
    ),
    # What stands in a list counts from its own stage.
    golden(
        "lists/quantize-counts-from-the-start-of-its-stage",
        "Multiples of `every` count from the stage's start.",
        "7.17 5.2",
        [
            constant(value=1, length=3),
            quantize(every=4, schedule=linear(final=0)),
        ],
        training={"steps": 19},
        read="0-24",
    ),
    golden(
        "lists/advance-covers-a-warmup",
        "`by` left out: the decay counts from the start of the list while a warmup covers it.",
        "7.18",
        [
            linear(initial=0, final=1, length=10),
            advance(schedule=cosine(initial=1, final=0)),
        ],
        training={"steps": 40},
        read="0 5 9-12 20 30 38-41",
    ),
    golden(
        "lists/milestones-after-a-warmup-count-from-the-start-of-the-list",
        "One ruler for a list: milestones at 30, 60 and 80 epochs after a warmup of 5 epochs.",
        "3.4 7.13",
        [
            linear(initial=0, final=1, length="5 epochs"),
            piecewise_constant(
                boundaries=["30 epochs", "60 epochs", "80 epochs"], values=[1, 0.1, 0.01, 0.001]
            ),
        ],
        training={"steps": "90 epochs", "steps_per_epoch": 10},
        read="0 1 25 49-51 299-301 599-601 799-801 899-901",
    ),
    golden(
        "lists/a-piece-that-ended-before-its-stage-began-is-over",
        "Boundaries before the stage's start have been passed.",
        "3.4 7.12",
        [
            linear(initial=0, final=1, length=10),
            piecewise_linear(boundaries=[0, 5, 12, 20], values=[1, 2, 0.4, 0.1]),
        ],
    ),
]
