"""The rules of order, place and sign that no schema can say and no fact of a run is needed for."""

from __future__ import annotations

import pytest
from tests.core.refused import lines, problems

from lrspec.loading import loads

NOTHING_BEFORE = "must be written; there is nothing before it to start from"
NO_SUM = "must be written in a sum; a sum has no value to start its children from"


@pytest.mark.parametrize(
    ("schedule", "pointer", "message"),
    [
        ("linear: {final: 0}", "/schedule/linear", "initial"),
        ("constant: ", "/schedule/constant", "value"),
        ("[constant: ]", "/schedule/0/constant", "value"),
        ("[[inverse_sqrt: {timescale: 3}]]", "/schedule/0/0/inverse_sqrt", "initial"),
        (
            "clamp: {minimum: 0, schedule: [cosine: {final: 0}]}",
            "/schedule/clamp/schedule/0/cosine",
            "initial",
        ),
        (
            "repeat: {period: 3, schedule: {constant: }}",
            "/schedule/repeat/schedule/constant",
            "value",
        ),
        ("product: {of: [linear: {final: 0}]}", "/schedule/product", "initial of one child"),
        (
            "product: {of: [linear: {final: 0}, constant: ]}",
            "/schedule/product",
            "initial of one child",
        ),
        (
            "sum: {of: [constant: {value: 1}, product: {of: [constant: , constant: ]}]}",
            "/schedule/sum/of/1/product",
            "initial of one child",
        ),
    ],
)
def test_with_absolute_values_the_first_is_written(
    schedule: str, pointer: str, message: str
) -> None:
    schedule = schedule if schedule.startswith("[") else f"{{{schedule}}}"
    (line,) = lines(f"base: absolute\nschedule: {schedule}")

    assert line.startswith("initial-required 3:")
    assert line.endswith(f": {pointer}: with base: absolute the first {message} {NOTHING_BEFORE}")


@pytest.mark.parametrize(
    "schedule",
    [
        "{piecewise_constant: {boundaries: [3], values: [1, 0]}}",
        "[constant: {value: 1, length: 3}, constant: ]",
        "{product: {of: [constant: , constant: {value: 2}]}}",
        "{quantize: {every: 2, schedule: {constant: {value: 2}}}}",
    ],
)
def test_a_first_value_that_is_written(schedule: str) -> None:
    assert loads(f"lrspec: 1\nbase: absolute\nschedule: {schedule}").bind().base == 1.0


def test_absolute_is_said_of_one_name() -> None:
    text = "base: {lr: absolute}\nschedules: {lr: {constant: }, momentum: {constant: }}"

    assert [problem.path for problem in problems(text)] == ["/schedules/lr/constant"]


def test_in_a_sum_nothing_is_inherited() -> None:
    text = """schedule:
      sum:
        of:
        - product: {of: [constant: , sum: {of: [constant: ]}]}
        - [clamp: {minimum: 0, length: 3, schedule: {linear: {final: 0}}}, constant: ]
        - piecewise_linear: {boundaries: [0], values: [1]}
    """

    assert lines(text) == [
        f"initial-required 5:59: /schedule/sum/of/0/product/of/1/sum/of/0/constant: value {NO_SUM}",
        "initial-required 6:62: /schedule/sum/of/1/0/clamp/schedule/linear: initial " + NO_SUM,
    ]


def test_a_sum_of_absolute_values() -> None:
    text = "base: absolute\nschedule: {sum: {of: [constant: , constant: {value: 1}]}}"

    assert {(problem.code, problem.path) for problem in problems(text)} == {
        ("initial-required", "/schedule/sum/of/0/constant")
    }


def test_one_open_stage() -> None:
    text = """schedule:
    - constant:
    - linear: {final: 0, length: 3}
    - [constant: {length: 10%}, linear: {final: 0, length: 1}]
    - cosine: {final: 0}
    - repeat: {period: 10%, count: 2, schedule: {constant: }}
    """
    hint = "give this stage or stage 0 a length"

    assert lines(text) == [
        f"two-open-stages {place}: /schedule/{i}: a second stage without a length;"
        f" only one can take what is left; {hint}"
        for place, i in (("5:7", 2), ("6:7", 3))
    ]


@pytest.mark.parametrize(
    "stage",
    [
        "[constant: {until: 10%}]",
        "[repeat: {period: 10%, count: 2, schedule: {constant: }}]",
        "[[constant: ]]",
        "clamp: {minimum: 0, schedule: {constant: {length: 3}}}",
        "repeat: {period: 3, schedule: {constant: }}",
    ],
)
def test_stages_that_are_open(stage: str) -> None:
    assert [p.code for p in problems(f"schedule:\n- constant:\n- {stage}")] == ["two-open-stages"]


@pytest.mark.parametrize(
    "stage",
    [
        "[constant: {length: 3}, [constant: {length: 3}]]",
        "repeat: {period: 10%, count: 2, length: 3, schedule: {constant: }}",
        "[repeat: {period: 3, count: 2, schedule: [constant: {length: 10%}, constant: ]}]",
    ],
)
def test_stages_that_have_a_length(stage: str) -> None:
    assert loads(f"lrspec: 1\nschedule:\n- constant:\n- {stage}").bind(steps=20)


def test_until_after_the_open_stage() -> None:
    assert lines("schedule:\n- constant:\n- constant: {until: 5}\n- [constant: {until: 5}]") == [
        "until-after-open 4:14: /schedule/1/constant/until: a stage after the open one is laid from"
        " the list's end: it needs a length"
    ]


@pytest.mark.parametrize(
    ("schedule", "path"),
    [
        ("[linear: {final: 0, after: extend, length: 3}, constant: ]", "/0"),
        ("[[linear: {final: 0, after: extend, length: 3}], constant: ]", "/0/0"),
        (
            "{clamp: {minimum: 0, schedule: [linear: {final: 0, after: extend},"
            " constant: {length: 1}]}}",
            "/clamp/schedule/0",
        ),
    ],
)
def test_extended_stages_that_something_follows(schedule: str, path: str) -> None:
    (problem,) = problems(f"schedule: {schedule}", steps=9)

    assert (problem.code, problem.path) == ("after-misplaced", f"/schedule{path}/linear/after")
    assert problem.message == "after: extend stands only where nothing follows"


@pytest.mark.parametrize(
    "schedule",
    [
        "{linear: {final: 0, after: extend, length: 3}}",
        "[constant: {length: 3}, [linear: {final: 0, after: extend, length: 3}]]",
        "[clamp: {minimum: 0, length: 9, schedule: {linear: {final: 0, after: extend, length: 3}}},"
        " constant: ]",
        "[product: {of: [[linear: {final: 0, after: extend, length: 3}]], length: 9}, constant: ]",
        "{repeat: {period: 3, schedule: {linear: {final: 0, after: extend, length: 2}}}}",
        "{cosine: {final: 0, exponent: 2, after: extend, length: 3}}",
        "{polynomial: {final: 0, power: 0.5, origin: initial, after: extend, length: 3}}",
    ],
)
def test_extended_where_nothing_follows(schedule: str) -> None:
    assert loads(f"lrspec: 1\nschedule: {schedule}").bind()


@pytest.mark.parametrize(("kind", "field"), [("cosine", "exponent"), ("polynomial", "power")])
def test_extended_powers_are_whole(kind: str, field: str) -> None:
    text = f"schedule: {{{kind}: {{final: 0, {field}: 1.5, after: extend, length: 3}}}}"

    (problem,) = problems(text)
    assert (problem.code, problem.path) == ("after-needs-whole-power", f"/schedule/{kind}/{field}")
    assert problem.message == (
        f"after: extend needs a whole {field}, since beyond the end the base is negative"
    )
    assert (problem.expected, problem.found) == ("a whole number", "1.5")


@pytest.mark.parametrize(
    ("body", "found", "column"),
    [
        ("geometric: {initial: 1, final: 0, length: 3}", "0, found initial 1 and final 0", 33),
        ("geometric: {initial: -1, final: 1, length: 3}", "0, found initial -1 and final 1", 33),
        (
            "inverse: {initial: 2, final: 3, asymptote: 2.5, length: 3}",
            "2.5, found initial 2 and final 3",
            31,
        ),
        ("inverse: {final: 3, asymptote: 3, length: 3}", "3, found final 3", 21),
    ],
)
def test_ends_on_one_side_of_the_asymptote(body: str, found: str, column: int) -> None:
    kind = body.partition(":")[0]
    hint = "; a value of 0 is never reached" if found.startswith("0,") else ""

    assert lines(f"schedule: {{{body}}}") == [
        f"asymptote-side 2:{column}: /schedule/{kind}: {kind} needs initial and final on one side"
        f" of {found}{hint}"
    ]


def test_both_ends_may_lie_below_the_asymptote() -> None:
    text = "lrspec: 1\nschedule: {geometric: {initial: -1, final: -2, length: 3}}"

    assert loads(text).bind()(3) == -2


def test_numbers_of_values() -> None:
    assert lines("schedule: {piecewise_linear: {boundaries: [0, 4], values: [1, 2, 3]}}") == [
        "values-number 2:59: /schedule/piecewise_linear/values: 2 boundaries need 2 values,"
        " found 3; one value a boundary"
    ]
    assert lines("schedule: {piecewise_constant: {boundaries: [0, 4], values: [1, 2]}}") == [
        "values-number 2:61: /schedule/piecewise_constant/values: 2 boundaries need 3 values,"
        " found 2; one value more than boundaries"
    ]


def test_boundaries_increase() -> None:
    body = "{boundaries: [0, 4, 4 steps, 30%, 20%], values: [1, 2, 3, 4, 5, 6]}"
    text = f"schedule: {{piecewise_constant: {body}}}"

    assert [(p.code, p.path, p.message) for p in problems(text)] == [
        (
            "boundaries-order",
            f"/schedule/piecewise_constant/boundaries/{i}",
            f"boundaries must increase: {here} after {before}",
        )
        for i, here, before in ((2, "4 steps", "4"), (4, "20%", "30%"))
    ]


def test_bounds() -> None:
    assert lines("schedule: {clamp: {minimum: 3, maximum: 1, schedule: {constant: }}}") == [
        "bounds-order 2:29: /schedule/clamp: minimum 3 is above maximum 1"
    ]
    text = "lrspec: 1\nschedule: {clamp: {minimum: 2, maximum: 2, schedule: {constant: }}}"
    assert loads(text).bind()(0) == 2


def test_shrinking_periods_need_a_number() -> None:
    text = "schedule: {repeat: {period: 3, stretch: 0.5, schedule: {constant: }}}"

    assert lines(text) == [
        "stretch-needs-count 2:41: /schedule/repeat: periods that shrink for ever come to an end:"
        " stretch below 1 needs a count"
    ]


@pytest.mark.parametrize(
    "inside", ["%s", "[%s]", "{clamp: {minimum: 0, schedule: %s}}", "{sum: {of: [%s]}}"]
)
def test_token_power_in_a_repeat(inside: str) -> None:
    leaf = "{token_power: {initial: 1, amplitude: 1, exponent: -1}}"

    (problem,) = problems(f"schedule: {{repeat: {{period: 3, schedule: {inside % leaf}}}}}")
    assert problem.code == "token-power-in-repeat"
    assert problem.path.startswith("/schedule/repeat/schedule")


def test_bases_of_names_that_are_not_scheduled() -> None:
    assert lines("base: {lr: 1, rho: 2}\nschedules: {lr: {constant: }, a: {constant: }}") == [
        "base-name 2:15: /base/rho: no schedule has the name 'rho'; the document schedules a, lr"
    ]


def test_rounding_is_for_steps() -> None:
    assert lines("axis: samples\nrounding: floor\nschedule: {constant: }") == [
        "rounding-axis 3:11: /rounding: rounding to whole steps is for axis: steps, and the axis is"
        " samples"
    ]
    assert loads("lrspec: 1\naxis: samples\nrounding: none\nschedule: {constant: }")


def test_the_steps_of_a_batch_schedule() -> None:
    rows = "[{start: 1, value: 2}, {start: 1, value: 3}, {start: 9, value: 3}]"

    assert lines(f"training: {{batch_size: {rows}}}\nschedule: {{constant: }}") == [
        "batch-order 2:33: /training/batch_size/0/start: a batch schedule starts at step 0, not 1",
        "batch-order 2:55: /training/batch_size/1/start: the steps of a batch schedule must"
        " increase: 1 after 1",
    ]


def test_everything_is_reported_together() -> None:
    text = """axis: tokens
    rounding: ceil
    schedules:
      lr: [linear: {final: 0, after: extend}, constant: ]
      momentum: {clamp: {minimum: 3, maximum: 1, schedule: {sum: {of: [constant: ]}}}}
    """.replace("\n    ", "\n")

    assert [problem.code for problem in problems(text)] == [
        "rounding-axis",
        "after-misplaced",
        "two-open-stages",
        "bounds-order",
        "initial-required",
    ]
