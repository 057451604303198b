"""What only the facts of a run can show to be wrong, as people read it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.refused import lines, problems

from lrspec.curve import Curve
from lrspec.loading import loads

KNOWN = "which is not known; write it in the document or give"


def bound(text: str, **facts: Any) -> Curve:
    return loads("lrspec: 1\n" + text).bind(**facts)


# -- lists that do not fit ----------------------------------------------------------------------


def test_nothing_is_left_for_an_open_stage() -> None:
    text = """schedule:
    - linear: {final: 0, length: 2000}
    - constant:
    - linear: {final: 0, length: 110000}
    """

    assert lines(text, steps=100_000) == [
        "nothing-left 4:7: /schedule/1: nothing is left for the open stage:"
        " 2000 + 110000 = 112000 > 100000 steps"
    ]
    assert bound(text, steps=112_000)(2000) == 0


def test_nothing_is_left_for_a_last_stage_in_a_bounded_span() -> None:
    text = """schedule:
      clamp: {minimum: 0, length: 3, schedule: [linear: {final: 0, length: 4}, constant: ]}
    """

    assert lines(text) == [
        "nothing-left 3:80: /schedule/clamp/schedule/1: nothing is left for the open stage:"
        " 4 > 3 steps"
    ]
    assert bound(text.replace("4", "3"))(2) == pytest.approx(1 / 3)


def test_a_long_sum_is_shortened() -> None:
    text = "schedule:\n" + "- constant: {length: 2}\n" * 9 + "- constant:\n- constant: {length: 1}"

    (problem,) = problems(text, steps=5)
    assert problem.message.endswith("stage: 2 + 2 + 2 + … + 2 + 1 = 19 > 5 steps")
    assert problem.expected == "at most 5 for the other stages"


def test_stages_that_do_not_fit() -> None:
    text = """schedule:
    - linear: {final: 0, length: 7}
    - clamp:
        minimum: 0
        length: 3
        schedule:
        - linear: {final: 0, length: 2.5 steps}
        - constant: {length: 1}
    """

    assert lines(text) == [
        "does-not-fit 8:9: /schedule/1/clamp/schedule: the stages are longer than what holds them:"
        " 2.5 + 1 = 3.5 > 3 steps"
    ]
    (problem,) = problems(text)
    assert (problem.expected, problem.found) == ("at most 3", "3.5")


def test_stages_that_do_not_fit_a_period() -> None:
    text = "schedule: {repeat: {period: 3, schedule: [linear: {final: 0, length: 4}]}}"

    assert lines(text) == [
        "does-not-fit 2:42: /schedule/repeat/schedule: the stages are longer than what holds them:"
        " 4 > 3 steps"
    ]


@pytest.mark.parametrize(
    ("repeat", "facts"),
    [
        ("{period: 4, count: 3, stretch: 0.5, schedule: [constant: {length: 2}, constant: ]}", {}),
        ("{period: 4, stretch: 2, schedule: [constant: {length: 150%}, constant: ]}", {}),
        ("{count: 3, stretch: 2, schedule: [constant: {length: 150%}, constant: ]}", {"steps": 7}),
    ],
    ids=["the last", "any", "each share"],
)
def test_stages_that_do_not_fit_one_of_the_periods(repeat: str, facts: dict[str, Any]) -> None:
    assert [p.code for p in problems(f"schedule: {{repeat: {repeat}}}", **facts)] == [
        "nothing-left"
    ]


@pytest.mark.parametrize("count", ["", "count: 9, "])
def test_stages_that_do_not_fit_a_rounded_period(count: str) -> None:
    text = (
        "rounding: floor\n"
        f"schedule: {{repeat: {{period: 10, {count}stretch: 1.1,"
        " schedule: [constant: {length: 50%}, constant: {length: 5}, constant: ]}}"
    )

    assert bound(text)  # 10 = 5 + 5, 11 = 5 + 5 + 1, 12 = 6 + 5 + 1, …
    (problem,) = problems(
        text.replace("50%", "60%").replace("length: 5}", "length: 4}, constant: {length: 1 steps}")
    )
    assert problem.code == "nothing-left"


# -- spans without an end -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("- constant: {length: 4}\n- linear: {final: 0}", "2:3: /schedule/1: linear"),
        (
            "- constant: {length: 4}\n- repeat: {count: 3, schedule: {constant: }}",
            "2:3: /schedule/1: repeat with count alone",
        ),
        (
            "- constant:\n- constant: {length: 5}",
            "1:3: /schedule/0: a stage without a length, with stages after it,",
        ),
        ("- linear: {final: 0, length: 5%}\n- constant:", "1:30: /schedule/0/linear/length: 5%"),
        ("- exponential: {rate: 0.5, every: 5%}", "1:35: /schedule/0/exponential/every: 5%"),
    ],
)
def test_without_the_length_of_the_run(text: str, what: str) -> None:
    line, _, rest = what.partition(":")

    assert lines("schedule:\n" + text) == [
        f"missing-fact {int(line) + 2}:{rest} needs training.steps, {KNOWN} steps when binding"
        " (--steps)"
    ]


@pytest.mark.parametrize(
    ("stage", "what"),
    [
        ("linear: {final: 0}", "/schedule/1: linear"),
        ("repeat: {count: 2, schedule: {constant: }}", "/schedule/1: repeat with count alone"),
        (
            "clamp: {minimum: 0, schedule: [constant: {length: 5%}, constant: ]}",
            "/schedule/1/clamp/schedule/0/constant/length: 5%",
        ),
        (
            "clamp: {minimum: 0, schedule: [constant: , constant: {length: 5}]}",
            "/schedule/1/clamp/schedule/0: a stage without a length, with stages after it,",
        ),
    ],
)
def test_beyond_the_end_of_the_run_nothing_gives_a_length(stage: str, what: str) -> None:
    (line,) = lines(f"schedule:\n- constant: {{length: 30}}\n- {stage}", steps=20)

    assert line.startswith("length-needed ")
    assert line.endswith(
        f": {what} needs a length, and nothing ends its span; give it a length or until"
    )


# -- missing facts ------------------------------------------------------------------------------


def test_all_missing_facts_are_reported_together() -> None:
    text = """schedule:
    - linear: {final: 0, length: 3 epochs}
    - exponential: {rate: 0.5, every: 2 samples, until: 7 epochs}
    - [constant: {length: 1 token}]
    - advance:
        by: 1 epoch
        length: 1
        schedule: {repeat: {period: 1 epoch, schedule: {constant: }}}
    - product:
        of:
        - inverse_sqrt: {timescale: 1 epoch}
        - quantize: {every: 1 epoch, schedule: {constant: }}
        length: 1
    - piecewise_linear: {boundaries: [0, 1 epoch, 50%], values: [1, 2, 3], length: 1}
    """

    assert [(p.code, p.path, p.expected) for p in problems(text)] == [
        ("missing-fact", f"/schedule/{path}", f"training.{fact}")
        for path, fact in [
            ("0/linear/length", "steps_per_epoch"),
            ("1/exponential/every", "batch_size"),
            ("1/exponential/until", "steps_per_epoch"),
            ("2/0/constant/length", "sequence_length"),
            ("3/advance/by", "steps_per_epoch"),
            ("3/advance/schedule/repeat/period", "steps_per_epoch"),
            ("4/product/of/0/inverse_sqrt/timescale", "steps_per_epoch"),
            ("4/product/of/1/quantize/every", "steps_per_epoch"),
            ("5/piecewise_linear/boundaries/1", "steps_per_epoch"),
        ]
    ]


@pytest.mark.parametrize(
    ("axis", "facts", "missing"),
    [
        ("samples", {}, "batch_size"),
        ("tokens", {}, "sequence_length"),
        ("tokens", {"batch_size": 3}, "sequence_length"),
        ("tokens", {"sequence_length": 3}, "batch_size"),
    ],
)
def test_facts_that_the_axis_needs(axis: str, facts: dict[str, Any], missing: str) -> None:
    assert lines(f"axis: {axis}\nschedule: {{constant: }}", **facts) == [
        f"missing-fact 2:7: /axis: axis: {axis} needs training.{missing}, {KNOWN} {missing}"
        f" when binding (--{missing.replace('_', '-')})"
    ]


@pytest.mark.parametrize(
    ("facts", "code", "message"),
    [
        (
            {"base": 1, "sequence_length": 1},
            "missing-fact",
            "token_power needs training.batch_size",
        ),
        (
            {"base": 1, "batch_size": 1},
            "missing-fact",
            "token_power needs training.sequence_length",
        ),
        ({"batch_size": 1, "sequence_length": 1}, "base-required", "token_power gives a rate"),
    ],
)
def test_what_token_power_needs(facts: dict[str, Any], code: str, message: str) -> None:
    (problem,) = problems("schedule: {token_power: {amplitude: 1, exponent: -0.5}}", **facts)

    assert (problem.code, problem.path) == (code, "/schedule")
    assert problem.message.startswith(message)


# -- positions ----------------------------------------------------------------------------------


def test_until_before_the_start() -> None:
    assert lines("schedule:\n- constant: {length: 5}\n- constant: {until: 4}") == [
        "until-before-start 4:21: /schedule/1/constant/until: until 4 is before the start at 5"
    ]
    nested = (
        "schedule: [constant: {length: 9}, [constant: {length: 3.5 steps}, constant: {until: 3}]]"
    )
    (problem,) = problems(nested)
    assert problem.message == "until 3 is before the start at 3.5"
    assert (problem.expected, problem.found) == ("at least 3.5", "3")


def test_boundaries_that_come_out_of_order() -> None:
    text = "schedule: {piecewise_linear: {boundaries: [3, 10%], values: [1, 2]}}"

    assert lines(text, steps=20) == [
        "boundaries-order 2:47: /schedule/piecewise_linear/boundaries/1:"
        " boundaries must increase: 10% after 3 (2 after 3)"
    ]
    assert bound(text, steps=40)(4) == 2


def test_boundaries_that_are_rounded_to_one() -> None:
    body = "{boundaries: [1.2 epochs, 1.25 epochs], values: [1, 2]}"
    text = f"rounding: floor\nschedule: {{piecewise_linear: {body}}}"

    (problem,) = problems(text, steps_per_epoch=10)
    assert problem.message.endswith("1.25 epochs after 1.2 epochs (12 after 12)")
    assert bound(text, steps_per_epoch=100)(125) == 2


@pytest.mark.parametrize(
    ("text", "facts", "path", "message"),
    [
        (
            "rounding: floor\nschedule: {exponential: {rate: 0.5, every: 0.1 epochs}}",
            {"steps_per_epoch": 5},
            "/schedule/exponential/every",
            "every 0.1 epochs comes to 0 steps after rounding: floor",
        ),
        (
            "schedule: {quantize: {every: 0 steps, schedule: {constant: }}}",
            {},
            "/schedule/quantize/every",
            "every 0 steps comes to 0 steps",
        ),
        (
            "schedule: {power_law: {timescale: 0%, exponent: 1}}",
            {"steps": 10},
            "/schedule/power_law/timescale",
            "timescale 0% comes to 0 steps",
        ),
        (
            "schedule: {inverse_sqrt: {timescale: 1e-999 steps}}",
            {},
            "/schedule/inverse_sqrt/timescale",
            "timescale 1e-999 steps comes to 0 steps",
        ),
        (
            "schedule: {repeat: {period: 0 epochs, schedule: {constant: }}}",
            {"steps_per_epoch": 5},
            "/schedule/repeat/period",
            "period 0 epochs comes to 0 steps",
        ),
        (
            "rounding: floor\nschedule:\n"
            "  repeat: {period: 3, count: 5, stretch: 0.5, schedule: {constant: }}",
            {},
            "/schedule/repeat/period",
            "period 3 comes to 0 steps after rounding: floor",
        ),
    ],
)
def test_what_comes_to_zero(text: str, facts: dict[str, Any], path: str, message: str) -> None:
    (problem,) = problems(text, **facts)

    assert (problem.code, problem.path) == ("rounds-to-zero", path)
    assert problem.message == message


@pytest.mark.parametrize(
    "schedule",
    [
        "[constant: {length: 1e999 steps}, constant: ]",
        "{piecewise_linear: {boundaries: [1e400 steps], values: [1]}}",
        "{linear: {final: 0, length: 1T epochs}}",
        "{repeat: {period: 1e308 steps, count: 2, schedule: {constant: }}}",
        "{repeat: {period: 1e300 steps, count: 300, stretch: 1e10, schedule: {constant: }}}",
    ],
)
def test_positions_beyond_float64(schedule: str) -> None:
    (problem,) = problems(f"schedule: {schedule}", steps_per_epoch=1e300)

    assert problem.code == "out-of-range"


HUGE = {"batch_size": 1e300, "sequence_length": 1e300}
LARGE = {"batch_size": 1e290, "sequence_length": 1}


@pytest.mark.parametrize(
    ("text", "facts", "path"),
    [
        ("axis: samples\nschedule: {constant: }", HUGE, ""),
        ("axis: tokens\nschedule: {constant: }", HUGE, ""),
        ("base: 1\nschedule: {token_power: {amplitude: 1, exponent: -1}}", HUGE, ""),
        (
            "base: 1\nschedule: {token_power: {amplitude: 1e20, exponent: -1}}",
            LARGE,
            "/schedule/token_power/amplitude",
        ),
        ("schedule: {constant: }", {"steps": "1e999 steps"}, ""),
        ("schedule: [constant: {until: 1e999 steps}, constant: {until: 1}]", {}, ""),
    ],
)
def test_steps_beyond_float64(text: str, facts: dict[str, Any], path: str) -> None:
    (problem,) = problems(text, **facts)

    assert (problem.code, problem.path) == ("out-of-range", path)


@pytest.mark.parametrize("field", ["length: 8 samples", "until: 8 samples"])
def test_inside_a_repeat_units_must_be_proportional(field: str) -> None:
    rows = [{"start": 0, "value": 4}, {"start": 5, "value": 2}]
    text = f"schedule: {{repeat: {{period: 9, schedule: {{linear: {{final: 0, {field}}}}}}}}}"

    (problem,) = problems(text, batch_size=rows)
    assert problem.code == "unit-not-proportional"
    assert problem.hint == "use steps or epochs"
    assert bound(text, batch_size=4)(1) == 0.5


# -- values that are handed on ------------------------------------------------------------------


def test_an_inherited_value_on_the_other_side_of_the_asymptote() -> None:
    text = "schedule:\n- constant: {value: 0, length: 4}\n- geometric: {final: 1, length: 4}"

    assert lines(text) == [
        "asymptote-side 4:14: /schedule/1/geometric: geometric needs initial and final on one side"
        " of 0, found initial 0 and final 1 (initial is left out and comes from /schedule/0);"
        " a value of 0 is never reached"
    ]


def test_an_inherited_value_through_lists() -> None:
    text = "schedule: [[constant: {length: 4}], [inverse: {final: 3, asymptote: 2, length: 4}]]"

    (problem,) = problems(text)
    assert problem.path == "/schedule/1/0/inverse"
    assert problem.message.endswith("comes from /schedule/0)")


@pytest.mark.parametrize(
    ("schedule", "source"),
    [
        ("{inverse: {final: 3, asymptote: 2}}", "the start of the curve"),
        ("{product: {of: [inverse: {final: 3, asymptote: 2}]}}", "the product at /schedule"),
    ],
)
def test_where_the_first_value_comes_from(schedule: str, source: str) -> None:
    (problem,) = problems(f"schedule: {schedule}", steps=9)

    assert problem.message.endswith(f"(initial is left out and comes from {source})")


def test_a_stage_that_fails_is_not_blamed_on_the_next() -> None:
    text = """schedule:
    - linear: {final: 1, length: 5}
    - constant: {length: 1}
    - repeat: {period: 0 steps, count: 2, schedule: {constant: {value: -1}}}
    - geometric: {final: 1, length: 4}
    - clamp: {minimum: 0, length: 1, schedule: [constant: {length: 2}]}
    """

    assert [problem.code for problem in problems(text)] == ["rounds-to-zero"]
    assert [p.code for p in problems(text.replace("0 steps", "1 steps"))] == [
        "asymptote-side",
        "does-not-fit",
    ]


def test_problems_in_several_children_are_reported_together() -> None:
    stages = "[constant: {value: 1, length: 20%}]"
    text = f"schedule: {{sum: {{of: [linear: {{initial: 1, final: 0}}, {stages}]}}}}"

    assert [problem.path for problem in problems(text)] == [
        "/schedule/sum/of/0",
        "/schedule/sum/of/1/0/constant/length",
    ]


# -- names --------------------------------------------------------------------------------------


def test_a_name_that_is_not_scheduled() -> None:
    both = "schedules: {lr: {constant: }, momentum: {constant: }}"

    assert lines(both, name="weight_decay") == [
        "not-scheduled 2:12: /schedules: no schedule has the name 'weight_decay';"
        " the document schedules lr, momentum"
    ]
    assert lines("schedules: {momentum: {constant: }}") == [
        "not-scheduled 2:12: /schedules: no schedule has the name 'lr';"
        " the document schedules momentum"
    ]
    assert lines("schedule: {constant: }", name="momentum") == [
        "not-scheduled 2:11: /schedule: no schedule has the name 'momentum';"
        " the document schedules lr"
    ]
    nameless: Any
    for nameless in ([], {}, 5, 10**5000):
        assert lines("schedule: {constant: }", name=nameless)[0].startswith("not-scheduled")


# -- warnings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "facts", "want"),
    [
        (
            "[constant: {length: 30}, linear: {final: 0, length: 5}]",
            {"steps": 20},
            "/schedule/0: the stages reach step 35, the run ends at 20",
        ),
        (
            "[constant: {length: 30}, constant: ]",
            {"steps": 20},
            "/schedule/1: the stages reach step 30, the run ends at 20",
        ),
        (
            "[constant: {length: 20.5 steps}, constant: ]",
            {"steps": 20},
            "/schedule/1: the stages reach step 20.5, the run ends at 20",
        ),
    ],
)
def test_stages_beyond_the_run(schedule: str, facts: dict[str, Any], want: str) -> None:
    (warning,) = bound(f"schedule: {schedule}", **facts).warnings

    assert (warning.severity, warning.code) == ("warning", "beyond-the-run")
    assert str(warning).partition(": ")[2] == want


def test_a_run_that_ends_where_the_stages_do_is_no_reason_to_warn() -> None:
    assert bound("schedule: [constant: {length: 20}]", steps=20).warnings == ()
    assert bound("schedule: [constant: {length: 30}, constant: ]").warnings == ()


def test_a_warning_along_another_axis() -> None:
    text = "axis: samples\nschedule: [constant: {length: 30 steps}, constant: ]"
    rows = [{"start": 0, "value": 2}, {"start": 5, "value": 1}]

    (warning,) = bound(text, steps=20, batch_size=rows).warnings
    assert warning.message == "the stages reach sample 35, the run ends at 25"
