"""Documents that are wrong by their form: kinds, fields, types, values, ranges, names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generator.notation import (
    Invalid,
    clamp,
    constant,
    cosine,
    exponential,
    geometric,
    invalid,
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
    token_power,
)

FALL = linear(initial=1, final=0, length=10)


def version(name: str, description: str, number: Any, **root: Any) -> Invalid:
    """A document of another version."""
    case = invalid(name, description, "1.3 1.1", "unsupported-version", "/lrspec", FALL, **root)
    return replace(case, document={**case.document, "lrspec": number})


VERSION: list[Invalid] = [
    version("a-higher-version", "The document is written for version 2.", 2),
    version("version-zero", "There is no version 0.", 0),
    version("a-fractional-version", "There is no version 1.5.", 1.5),
    version("a-version-in-quotes", "The version is the number 1 and not a text.", "1"),
    version("a-boolean-version", "true is not 1.", True),
    version(
        "a-higher-version-with-other-faults",
        "Nothing else is reported about a document of another version.",
        2,
        unknown=1,
    ),
    Invalid(
        "no-version",
        "`lrspec` is required.",
        ["1.1"],
        {"schedule": FALL},
        {},
        "lr",
        {"code": "missing-field", "path": ""},
    ),
]

KINDS: list[Invalid] = [
    invalid(
        "an-unknown-kind",
        "A kind that is misspelled.",
        "1.6 9.4",
        "unknown-kind",
        "/schedule",
        {"cosin": {"final": 0}},
    ),
    invalid(
        "an-unknown-kind-in-a-list",
        "The pointer is that of the list item.",
        "1.6 9.4",
        "unknown-kind",
        "/schedule/1",
        [FALL, {"warmup": {"final": 0}}],
    ),
    invalid(
        "no-kind",
        "A schedule has exactly one kind.",
        "1.6",
        "one-kind",
        "/schedule",
        {},
    ),
    invalid(
        "two-kinds",
        "A schedule has exactly one kind.",
        "1.6",
        "one-kind",
        "/schedule",
        {"linear": {"final": 0, "length": 5}, "constant": {}},
    ),
    invalid(
        "a-kind-as-text",
        "A stage is an object, not the name of a kind.",
        "1.6",
        "wrong-type",
        "/schedule/1",
        [FALL, "constant"],
    ),
    invalid(
        "an-empty-list-of-stages",
        "A list has at least one stage.",
        "1.6",
        "too-few-items",
        "/schedule",
        [],
    ),
    invalid(
        "an-empty-nested-list",
        "A nested list has at least one stage.",
        "1.6",
        "too-few-items",
        "/schedule/1",
        [FALL, []],
    ),
    invalid(
        "a-kind-without-fields",
        "Only `constant` may have null.",
        "1.6",
        "wrong-type",
        "/schedule/inverse_sqrt",
        {"inverse_sqrt": None},
    ),
    invalid(
        "a-list-for-the-fields-of-a-kind",
        "The value of a kind is a mapping.",
        "1.6",
        "wrong-type",
        "/schedule/product",
        {"product": [FALL, FALL]},
    ),
    invalid(
        "a-number-as-a-schedule",
        "A schedule is an object or a list.",
        "1.6",
        "wrong-type",
        "/schedule",
        0.1,
    ),
]

_UNKNOWN: dict[str, dict[str, Any]] = {
    "constant": constant(value=1, final=1),
    "linear": linear(initial=1, final=0, length=5, power=2),
    "cosine": cosine(initial=1, final=0, length=5, power=2),
    "polynomial": polynomial(initial=1, final=0, length=5, power=2, exponent=2),
    "geometric": geometric(initial=1, final=0.1, length=5, rate=2),
    "inverse": inverse(initial=1, final=0.1, length=5, after="extend"),
    "exponential": exponential(initial=1, rate=0.5, every=5, final=0),
    "inverse_sqrt": inverse_sqrt(initial=1, timescale=5, exponent=0.5),
    "power_law": power_law(initial=1, timescale=5, exponent=1, power=1),
    "token_power": token_power(initial=1, amplitude=1, exponent=-0.5, batch_size=8),
    "piecewise_linear": piecewise_linear(boundaries=[1], values=[1], initial=1),
    "piecewise_constant": piecewise_constant(boundaries=[1], values=[1, 2], initial=1),
    "repeat": repeat(period=5, schedule=FALL, times=3),
    "product": product(FALL, schedule=FALL),
    "sum": {"sum": {"of": [FALL], "initial": 1}},
    "clamp": clamp(minimum=0, max=1, schedule=FALL),
    "quantize": quantize(every=5, schedule=FALL, period=1),
    "advance": {"advance": {"by": 5, "schedule": FALL, "of": [FALL]}},
}

FIELDS: list[Invalid] = [
    *[
        invalid(
            f"an-unknown-field-of-{kind.replace('_', '-')}",
            f"A key that {kind} does not have.",
            "1.2 9.4",
            "unknown-field",
            f"/schedule/{kind}",
            schedule,
            base="absolute",
        )
        for kind, schedule in _UNKNOWN.items()
    ],
    invalid(
        "an-unknown-root-key",
        "Only what starts with x- may be added to the root.",
        "1.1 1.2",
        "unknown-field",
        "",
        FALL,
        author="someone",
    ),
    invalid(
        "an-extension-inside",
        "Only the root takes keys that start with x-.",
        "1.1 1.2",
        "unknown-field",
        "/schedule/linear",
        linear(final=0, length=5, **{"x-note": "why"}),
    ),
    invalid(
        "an-unknown-fact",
        "training is closed.",
        "1.2",
        "unknown-field",
        "/training",
        FALL,
        training={"epochs": 3},
    ),
    invalid(
        "an-unknown-field-of-a-batch-size",
        "An entry of a batch schedule is closed.",
        "1.2 2.3",
        "unknown-field",
        "/training/batch_size/0",
        FALL,
        training={"batch_size": [{"start": 0, "value": 4, "until": 8}]},
    ),
    invalid(
        "no-schedule",
        "One of schedule and schedules is required.",
        "1.1",
        "missing-field",
        "",
    ),
    invalid(
        "schedule-beside-schedules",
        "Exactly one of the two.",
        "1.1",
        "conflicting-fields",
        "",
        FALL,
        schedules={"lr": FALL},
    ),
    invalid(
        "length-beside-until",
        "Not both.",
        "5.1",
        "conflicting-fields",
        "/schedule/linear",
        linear(final=0, length=5, until=5),
    ),
    invalid(
        "length-beside-until-in-a-combinator",
        "Not both, on every kind.",
        "5.1",
        "conflicting-fields",
        "/schedule/0/product",
        [product(FALL, length=5, until=5), FALL],
    ),
]

_MISSING: dict[str, tuple[str, dict[str, Any]]] = {
    "a-line-without-final": ("7.2", linear(initial=1, length=5)),
    "a-cosine-without-final": ("7.3", cosine(initial=1, length=5)),
    "a-polynomial-without-final": ("7.4", polynomial(power=2, length=5)),
    "a-polynomial-without-power": ("7.4", polynomial(final=0, length=5)),
    "a-geometric-without-final": ("7.6", geometric(initial=1, length=5)),
    "an-inverse-without-final": ("7.7", inverse(initial=1, length=5)),
    "an-exponential-without-rate": ("7.8", exponential(every=5)),
    "an-exponential-without-every": ("7.8", exponential(rate=0.5)),
    "an-inverse-square-root-without-timescale": ("7.9", inverse_sqrt(initial=1)),
    "a-power-law-without-timescale": ("7.10", power_law(exponent=1)),
    "a-power-law-without-exponent": ("7.10", power_law(timescale=5)),
    "a-token-power-without-amplitude": ("7.11", token_power(exponent=-0.5)),
    "a-token-power-without-exponent": ("7.11", token_power(amplitude=1)),
    "a-piecewise-linear-without-boundaries": ("7.12", piecewise_linear(values=[1])),
    "a-piecewise-linear-without-values": ("7.12", piecewise_linear(boundaries=[1])),
    "a-piecewise-constant-without-boundaries": ("7.13", piecewise_constant(values=[1, 2])),
    "a-piecewise-constant-without-values": ("7.13", piecewise_constant(boundaries=[1])),
    "a-repeat-without-schedule": ("7.14", repeat(period=5)),
    "a-repeat-without-period-and-count": ("7.14", repeat(schedule=FALL)),
    "a-product-without-of": ("7.15", {"product": {"length": 5}}),
    "a-sum-without-of": ("7.15", {"sum": {"length": 5}}),
    "a-clamp-without-schedule": ("7.16", clamp(minimum=0)),
    "a-clamp-without-bounds": ("7.16", clamp(schedule=FALL)),
    "a-quantize-without-schedule": ("7.17", quantize(every=5)),
    "a-quantize-without-every": ("7.17", quantize(schedule=FALL)),
    "an-advance-without-schedule": ("7.18", {"advance": {"by": 5}}),
}

MISSING: list[Invalid] = [
    invalid(
        name,
        f"{name.replace('-', ' ').capitalize()}: a required field is left out.",
        f"{clause} 9.4",
        "missing-field",
        f"/schedule/{next(iter(schedule))}",
        schedule,
    )
    for name, (clause, schedule) in _MISSING.items()
]
MISSING_IN_BATCHES: list[Invalid] = [
    invalid(
        f"a-batch-size-without-{field}",
        f"An entry of a batch schedule without {field}.",
        "2.3",
        "missing-field",
        "/training/batch_size/0",
        FALL,
        training={"batch_size": [{key: value for key, value in entry.items() if key != field}]},
    )
    for field, entry in (
        ("start", {"start": 0, "value": 4}),
        ("value", {"start": 0, "value": 4}),
    )
]

_POSITIONS: dict[str, Any] = {
    "a-fractional-number": 0.1,
    "a-number-without-a-unit": "10",
    "a-space-before-percent": "10 %",
    "no-space-before-the-unit": "10steps",
    "two-spaces-before-the-unit": "10  steps",
    "a-space-at-the-end": "10 steps ",
    "a-space-at-the-start": " 10 steps",
    "a-negative-amount": "-5 steps",
    "a-plus-sign": "+5 steps",
    "a-number-in-words": "ten steps",
    "an-upper-case-unit": "5 Epochs",
    "a-leading-zero": "05 steps",
    "no-digit-before-the-point": ".5 epochs",
    "no-digit-after-the-point": "5. epochs",
    "an-underscore": "1_000 steps",
    "a-comma": "1,000 steps",
    "a-prefix-alone": "10k",
    "an-upper-case-k": "10K steps",
    "a-lower-case-m": "10m tokens",
    "a-space-before-the-prefix": "10 k steps",
    "an-unknown-prefix": "10G tokens",
    "an-unknown-unit": "10 hours",
    "the-unit-percent-in-words": "10 percent",
    "an-exponent-without-digits": "1e steps",
    "an-exponent-of-four-digits": "1e0001 steps",
    "a-unit-alone": "steps",
    "an-empty-text": "",
    "a-prefix-with-percent": "10k%",
    "a-hexadecimal-number": "0x10 steps",
    "a-line-break-at-the-end": "10 steps\n",
}

POSITIONS: list[Invalid] = [
    invalid(
        f"a-length-with-{name}",
        f"A length of {value!r}.",
        "3.1",
        "bad-position",
        "/schedule/linear/length",
        linear(final=0, length=value),
        training={"steps": 100, "batch_size": 4, "sequence_length": 4, "steps_per_epoch": 4},
    )
    for name, value in _POSITIONS.items()
]
_FRACTION: dict[str, tuple[str, Any]] = {
    "until": ("/schedule/linear/until", linear(final=0, until=0.5)),
    "boundaries": (
        "/schedule/piecewise_linear/boundaries/0",
        piecewise_linear(boundaries=[0.5], values=[1]),
    ),
    "every": ("/schedule/exponential/every", exponential(rate=0.5, every=0.5)),
    "timescale": ("/schedule/inverse_sqrt/timescale", inverse_sqrt(timescale=0.5)),
    "period": ("/schedule/repeat/period", repeat(period=0.5, schedule=FALL)),
    "by": ("/schedule/advance/by", {"advance": {"by": 0.5, "schedule": FALL}}),
}
FRACTIONS: list[Invalid] = [
    invalid(
        f"a-fraction-as-{name}",
        f"{name}: 0.5 is neither a whole number of steps nor text with a unit.",
        "3.1 1.4",
        "bad-position",
        pointer,
        schedule,
    )
    for name, (pointer, schedule) in _FRACTION.items()
]
RUN_LENGTHS: list[Invalid] = [
    invalid(
        f"steps-with-{name}",
        f"training.steps of {value!r}.",
        "4.2",
        "bad-position",
        "/training/steps",
        FALL,
        training={"steps": value},
    )
    for name, value in (
        ("a-fraction", 10.5),
        ("quotes", "10"),
        ("percent", "50%"),
        ("an-unknown-unit", "10 hours"),
    )
]

_TYPES: list[tuple[str, str, str, Any, dict[str, Any]]] = [
    ("a-quoted-number", "1.4 1.5", "/schedule/linear/final", linear(final="0.1", length=5), {}),
    ("a-percentage-as-a-value", "1.5", "/schedule/linear/final", linear(final="10%", length=5), {}),
    ("null-as-a-value", "1.5", "/schedule/linear/final", linear(final=None, length=5), {}),
    ("a-boolean-as-a-value", "1.5", "/schedule/linear/final", linear(final=True, length=5), {}),
    (
        "a-list-as-a-value",
        "1.5",
        "/schedule/linear/initial",
        linear(initial=[1], final=0, length=5),
        {},
    ),
    (
        "a-quoted-value-in-values",
        "1.5",
        "/schedule/piecewise_linear/values/1",
        piecewise_linear(boundaries=[1, 2], values=[1, "2"]),
        {},
    ),
    (
        "a-number-as-boundaries",
        "7.12",
        "/schedule/piecewise_linear/boundaries",
        piecewise_linear(boundaries=5, values=[1]),
        {},
    ),
    (
        "a-number-as-values",
        "7.12",
        "/schedule/piecewise_linear/values",
        piecewise_linear(boundaries=[5], values=1),
        {},
    ),
    ("a-mapping-as-of", "7.15", "/schedule/product/of", {"product": {"of": FALL}}, {}),
    (
        "a-number-as-staircase",
        "7.8",
        "/schedule/exponential/staircase",
        exponential(rate=0.5, every=5, staircase=1),
        {},
    ),
    (
        "text-as-an-exponent",
        "7.3",
        "/schedule/cosine/exponent",
        cosine(final=0, exponent="2", length=5),
        {},
    ),
    (
        "text-as-a-count",
        "1.4 7.14",
        "/schedule/repeat/count",
        repeat(count="3", period=5, schedule=FALL),
        {},
    ),
    (
        "a-fraction-as-a-count",
        "1.4 7.14",
        "/schedule/repeat/count",
        repeat(count=2.5, period=5, schedule=FALL),
        {},
    ),
    (
        "a-boolean-as-a-count",
        "1.4 7.14",
        "/schedule/repeat/count",
        repeat(count=True, period=5, schedule=FALL),
        {},
    ),
    (
        "a-boolean-as-a-length",
        "3.1 1.4",
        "/schedule/linear/length",
        linear(final=0, length=True),
        {},
    ),
    ("null-as-a-length", "3.1", "/schedule/linear/length", linear(final=0, length=None), {}),
    ("a-boolean-as-steps", "4.2 1.4", "/training/steps", FALL, {"training": {"steps": True}}),
    ("a-list-as-training", "1.1", "/training", FALL, {"training": [10]}),
    ("null-as-training", "1.1", "/training", FALL, {"training": None}),
    (
        "a-fraction-as-a-batch-size",
        "2.3 1.4",
        "/training/batch_size",
        FALL,
        {"training": {"batch_size": 2.5}},
    ),
    (
        "text-as-a-batch-size",
        "2.3 1.4",
        "/training/batch_size",
        FALL,
        {"training": {"batch_size": "8"}},
    ),
    (
        "a-number-in-a-batch-schedule",
        "2.3",
        "/training/batch_size/0",
        FALL,
        {"training": {"batch_size": [8]}},
    ),
    (
        "a-fraction-as-a-batch-start",
        "2.3 1.4",
        "/training/batch_size/1/start",
        FALL,
        {"training": {"batch_size": [{"start": 0, "value": 2}, {"start": 2.5, "value": 4}]}},
    ),
    (
        "a-fraction-as-a-sequence-length",
        "1.4",
        "/training/sequence_length",
        FALL,
        {"training": {"sequence_length": 2.5}},
    ),
    (
        "text-as-steps-per-epoch",
        "1.4",
        "/training/steps_per_epoch",
        FALL,
        {"training": {"steps_per_epoch": "10"}},
    ),
    ("a-boolean-as-a-base", "4.4", "/base", FALL, {"base": True}),
    ("null-as-a-base", "4.4", "/base", FALL, {"base": None}),
    ("a-mapping-as-a-base-beside-schedule", "4.5", "/base", FALL, {"base": {"lr": 0.1}}),
    ("a-number-as-a-name", "1.1", "/name", FALL, {"name": 5}),
    ("a-list-as-a-description", "1.1", "/description", FALL, {"description": ["a", "b"]}),
    ("a-number-as-a-schema", "1.1", "/$schema", FALL, {"$schema": 1}),
]

TYPES: list[Invalid] = [
    invalid(
        name,
        f"{name.replace('-', ' ').capitalize()} has another type than the field takes.",
        clauses,
        "wrong-type",
        pointer,
        schedule,
        **root,
    )
    for name, clauses, pointer, schedule, root in _TYPES
]
TYPES_BY_NAME: list[Invalid] = [
    invalid(
        "a-number-as-the-base-of-schedules",
        "Beside schedules, base is a mapping by name.",
        "4.5",
        "wrong-type",
        "/base",
        schedules={"lr": FALL},
        base=0.1,
    ),
    invalid(
        "absolute-as-the-base-of-schedules",
        "Beside schedules, base is a mapping by name.",
        "4.5",
        "wrong-type",
        "/base",
        schedules={"lr": FALL},
        base="absolute",
    ),
    invalid(
        "a-list-as-schedules",
        "schedules is a mapping by name.",
        "1.8",
        "wrong-type",
        "/schedules",
        schedules=[FALL],
    ),
]

_VALUES: list[tuple[str, str, str, Any, dict[str, Any]]] = [
    ("an-unknown-axis", "2.2", "/axis", FALL, {"axis": "epochs"}),
    ("an-unknown-sample", "2.4", "/sample", FALL, {"sample": "left"}),
    ("an-unknown-rounding", "3.6", "/rounding", FALL, {"rounding": "up"}),
    ("an-unknown-base", "4.4", "/base", FALL, {"base": "relative"}),
    (
        "an-unknown-after",
        "6.7",
        "/schedule/linear/after",
        linear(final=0, length=5, after="stop"),
        {},
    ),
    (
        "an-unknown-origin",
        "7.4",
        "/schedule/polynomial/origin",
        polynomial(final=0, power=2, origin="start", length=5),
        {},
    ),
    (
        "an-unknown-count-from",
        "7.11",
        "/schedule/token_power/count_from",
        token_power(amplitude=1, exponent=1, count_from="start"),
        {},
    ),
]

VALUES: list[Invalid] = [
    invalid(
        name,
        f"{name.replace('-', ' ').capitalize()}: not one of the values of the field.",
        clauses,
        "wrong-value",
        pointer,
        schedule,
        **root,
    )
    for name, clauses, pointer, schedule, root in _VALUES
]

_RANGES: list[tuple[str, str, str, Any, dict[str, Any]]] = [
    ("a-value-beyond-1e300", "1.5", "/schedule/linear/final", linear(final=2e300, length=5), {}),
    (
        "a-value-below-minus-1e300",
        "1.5",
        "/schedule/linear/initial",
        linear(initial=-2e300, final=0, length=5),
        {},
    ),
    (
        "a-value-in-values-beyond-1e300",
        "1.5",
        "/schedule/piecewise_constant/values/0",
        piecewise_constant(boundaries=[1], values=[1e301, 1]),
        {},
    ),
    (
        "a-bound-beyond-1e300",
        "1.5",
        "/schedule/clamp/maximum",
        clamp(maximum=1e301, schedule=FALL),
        {},
    ),
    (
        "an-exponent-beyond-1e300",
        "1.5",
        "/schedule/cosine/exponent",
        cosine(final=0, exponent=1e301, length=5),
        {},
    ),
    (
        "an-exponent-below-minus-1e300",
        "1.5",
        "/schedule/token_power/exponent",
        token_power(amplitude=1, exponent=-1e301),
        {},
    ),
    (
        "a-length-beyond-1e300",
        "1.5",
        "/schedule/linear/length",
        linear(final=0, length=1e301),
        {},
    ),
    (
        "a-count-beyond-1e300",
        "1.5",
        "/schedule/repeat/count",
        repeat(period=5, count=1e301, schedule=FALL),
        {},
    ),
    ("steps-beyond-1e300", "1.5 4.2", "/training/steps", FALL, {"training": {"steps": 1e301}}),
    ("a-base-beyond-1e300", "1.5 4.4", "/base", FALL, {"base": 1e301}),
    (
        "an-exponent-of-zero",
        "7.3",
        "/schedule/cosine/exponent",
        cosine(final=0, exponent=0, length=5),
        {},
    ),
    (
        "a-power-of-zero",
        "7.4",
        "/schedule/polynomial/power",
        polynomial(final=0, power=0, length=5),
        {},
    ),
    (
        "a-negative-power",
        "7.4",
        "/schedule/polynomial/power",
        polynomial(final=0, power=-1, length=5),
        {},
    ),
    ("a-rate-of-zero", "7.8", "/schedule/exponential/rate", exponential(rate=0, every=5), {}),
    ("a-negative-rate", "7.8", "/schedule/exponential/rate", exponential(rate=-0.5, every=5), {}),
    (
        "a-power-law-exponent-of-zero",
        "7.10",
        "/schedule/power_law/exponent",
        power_law(timescale=5, exponent=0),
        {},
    ),
    (
        "an-amplitude-of-zero",
        "7.11",
        "/schedule/token_power/amplitude",
        token_power(amplitude=0, exponent=1),
        {},
    ),
    (
        "a-stretch-of-zero",
        "7.14",
        "/schedule/repeat/stretch",
        repeat(period=5, count=2, stretch=0, schedule=FALL),
        {},
    ),
    (
        "a-negative-shrink",
        "7.14",
        "/schedule/repeat/shrink",
        repeat(period=5, shrink=-0.5, schedule=FALL),
        {},
    ),
    (
        "a-shrink-of-zero",
        "7.14",
        "/schedule/repeat/shrink",
        repeat(period=5, shrink=0, schedule=FALL),
        {},
    ),
    (
        "a-count-of-zero",
        "7.14",
        "/schedule/repeat/count",
        repeat(period=5, count=0, schedule=FALL),
        {},
    ),
    ("a-period-of-zero", "3.8", "/schedule/repeat/period", repeat(period=0, schedule=FALL), {}),
    ("an-every-of-zero", "3.8", "/schedule/exponential/every", exponential(rate=0.5, every=0), {}),
    (
        "a-timescale-of-zero",
        "3.8",
        "/schedule/inverse_sqrt/timescale",
        inverse_sqrt(timescale=0),
        {},
    ),
    ("a-negative-length", "3.8", "/schedule/linear/length", linear(final=0, length=-1), {}),
    ("a-negative-until", "3.8", "/schedule/linear/until", linear(final=0, until=-1), {}),
    (
        "a-negative-boundary",
        "3.8",
        "/schedule/piecewise_linear/boundaries/0",
        piecewise_linear(boundaries=[-1], values=[1]),
        {},
    ),
    ("a-negative-by", "3.8", "/schedule/advance/by", {"advance": {"by": -1, "schedule": FALL}}, {}),
    ("steps-of-zero", "4.2", "/training/steps", FALL, {"training": {"steps": 0}}),
    ("negative-steps", "4.2", "/training/steps", FALL, {"training": {"steps": -5}}),
    ("a-batch-size-of-zero", "2.3", "/training/batch_size", FALL, {"training": {"batch_size": 0}}),
    (
        "a-batch-schedule-with-a-size-of-zero",
        "2.3",
        "/training/batch_size/0/value",
        FALL,
        {"training": {"batch_size": [{"start": 0, "value": 0}]}},
    ),
    (
        "a-negative-batch-start",
        "2.3",
        "/training/batch_size/0/start",
        FALL,
        {"training": {"batch_size": [{"start": -1, "value": 4}]}},
    ),
    (
        "a-sequence-length-of-zero",
        "4.1",
        "/training/sequence_length",
        FALL,
        {"training": {"sequence_length": 0}},
    ),
    (
        "steps-per-epoch-of-zero",
        "4.1",
        "/training/steps_per_epoch",
        FALL,
        {"training": {"steps_per_epoch": 0}},
    ),
    ("a-base-of-zero", "4.4", "/base", FALL, {"base": 0}),
    ("a-negative-base", "4.4", "/base", FALL, {"base": -0.1}),
]

RANGES: list[Invalid] = [
    invalid(
        name,
        f"{name.replace('-', ' ').capitalize()} is smaller or larger than the field takes.",
        clauses,
        "out-of-range",
        pointer,
        schedule,
        **root,
    )
    for name, clauses, pointer, schedule, root in _RANGES
]

ITEMS: list[Invalid] = [
    invalid(
        "no-boundaries",
        "There is at least one boundary.",
        "7.12",
        "too-few-items",
        "/schedule/piecewise_constant/boundaries",
        piecewise_constant(boundaries=[], values=[1, 2]),
    ),
    invalid(
        "no-values",
        "There is at least one value.",
        "7.12",
        "too-few-items",
        "/schedule/piecewise_linear/values",
        piecewise_linear(boundaries=[1], values=[]),
    ),
    invalid(
        "no-children",
        "A product has at least one child.",
        "7.15 1.6",
        "too-few-items",
        "/schedule/product/of",
        product(),
    ),
    invalid(
        "no-batch-sizes",
        "A batch schedule has at least one entry.",
        "2.3",
        "too-few-items",
        "/training/batch_size",
        FALL,
        training={"batch_size": []},
    ),
    invalid(
        "no-schedules",
        "schedules has at least one name.",
        "1.8",
        "missing-field",
        "/schedules",
        schedules={},
    ),
]

NAMES: list[Invalid] = [
    invalid(
        f"a-name-with-{what}",
        f"The name {name!r} does not match [a-z][a-z0-9_]*.",
        "1.8",
        "bad-name",
        "/schedules",
        schedules={name: FALL},
    )
    for what, name in (
        ("capitals", "LR"),
        ("a-hyphen", "weight-decay"),
        ("a-digit-at-its-start", "2nd"),
        ("an-underscore-at-its-start", "_lr"),
        ("a-line-break-at-its-end", "lr\n"),
        ("nothing-in-it", ""),
    )
]

CASES: list[Invalid] = [
    *VERSION,
    *KINDS,
    *FIELDS,
    *MISSING_IN_BATCHES,
    *MISSING,
    *FRACTIONS,
    *RUN_LENGTHS,
    *POSITIONS,
    *TYPES_BY_NAME,
    *TYPES,
    *VALUES,
    *RANGES,
    *ITEMS,
    *NAMES,
]
