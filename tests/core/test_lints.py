"""Warnings about valid schedules: when each comes, what it says, and how it is switched off."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from lrspec.codes import CODES, IMPORTING, LINTS
from lrspec.importing.nodes import (
    clamp,
    constant,
    cosine,
    exponential,
    geometric,
    linear,
    piecewise_constant,
    piecewise_linear,
    product,
    repeat,
)
from lrspec.linting import lint, unallowed
from lrspec.loading import from_dict, loads
from lrspec.problems import Problem


def found(
    schedule: Any, *, steps: int | None = 100, name: str = "lr", base: Any = 0.1, **root: Any
) -> dict[str, Problem]:
    """The warnings about a schedule by code."""
    document: dict[str, Any] = {"lrspec": 1, **deepcopy(root)}
    if name != "lr":
        document["schedules"] = {name: schedule}
    else:
        document["schedule"] = schedule
    if base is not None:
        document["base"] = base if name == "lr" else {name: base}
    if steps is not None:
        document.setdefault("training", {})["steps"] = steps
    problems = lint(from_dict(document).bind(name=name))
    assert all(problem.severity == "warning" for problem in problems)
    by_code = {problem.code: problem for problem in problems}
    assert len(by_code) == len(problems)
    assert by_code.keys() <= LINTS.keys()
    return by_code


GOOD = [linear(0.1, 1, 10), constant(), cosine(None, 0, "20%")]


def test_a_usual_schedule_has_none() -> None:
    assert found(GOOD, steps=100_000) == {}


CASES: dict[str, tuple[Any, dict[str, Any], str, str]] = {
    "first-update-at-zero": (
        [linear(0, 1, 10), constant()],
        {},
        "/schedule/0/linear/initial",
        "the first update is at rate 0 and changes nothing",
    ),
    "final-not-applied": (
        [constant(1, 90), linear(None, 0)],
        {},
        "/schedule/1/linear/final",
        "the last update, 99, is at 0.01: 0 would be that of update 100, after the run",
    ),
    "no-change": (
        [linear(None, 1, 10), constant()],
        {},
        "/schedule/0/linear/final",
        "this linear goes from 0.1 to 0.1",
    ),
    "no-base": (
        constant(0.9),
        {"name": "momentum", "base": None},
        "/schedules/momentum",
        "momentum has no base: its values are multiples of the optimizer's momentum",
    ),
    "rates-under-a-base": (
        [linear(0.0001, 0.003, 10), constant()],
        {"base": 0.003},
        "/base",
        "no value is more than 0.003, and each is multiplied by the base 0.003",
    ),
    "jump": (
        [constant(1, 30), constant(0.5)],
        {},
        "/schedule/1/constant/value",
        "the value jumps from 0.1 to 0.05 at step 30",
    ),
    "long-warmup": (
        [linear(0.1, 1, 51), constant()],
        {},
        "/schedule/0",
        "the rate rises up to step 51 of 100, more than half of the run",
    ),
    "empty-stage": (
        [constant(1, "0.4%"), constant()],
        {"rounding": "floor"},
        "/schedule/0/constant/length",
        "this stage is 0 steps long and no update falls into it",
    ),
    "late-rise": (
        [constant(0.1, 10), cosine(None, 1, 30), constant()],
        {},
        "/schedule/1/cosine/final",
        "this cosine rises, from 0.01 to 0.1",
    ),
    "never-reached": (
        [constant(1, 100), linear(None, 0, 10)],
        {},
        "/schedule/1",
        "this stage starts at step 100, the run ends at 100",
    ),
    "run-goes-on": (
        [constant(1, 50), linear(None, 0.5, 30)],
        {},
        "/schedule/1",
        "the schedule ends at step 80 and the run at 100: it is held at 0.05",
    ),
    "negative-rate": (
        linear(1, 0, 90, extend=True),
        {},
        "/schedule",
        "the rate is -0.00111111 at step 91, negative",
    ),
    "large-rate": (
        exponential(1, 2, 10),
        {"base": 1},
        "/schedule",
        "the rate is 10.5561 at step 34, more than 10",
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_each(code: str) -> None:
    schedule, root, path, message = CASES[code]
    problem = found(schedule, **root)[code]

    assert (problem.path, problem.message) == (path, message)


def test_every_code_has_a_case() -> None:
    assert {*CASES, "unknown-warning"} == LINTS.keys()
    assert not LINTS.keys() & (CODES.keys() | IMPORTING.keys())


NEARLY: dict[str, list[tuple[Any, dict[str, Any]]]] = {
    "first-update-at-zero": [
        ([linear(0, 1, 10), constant()], {"sample": "end"}),
        ([linear(0, 1, 10), constant()], {"name": "momentum"}),
    ],
    "final-not-applied": [
        ([constant(1, 90), linear(None, 0)], {"sample": "end"}),
        # Update 100 would be in the stage that follows, or further down the line.
        ([linear(1, 0, 100), constant(0.5)], {}),
        ([linear(1, 0, "0.9 steps"), constant(0.5)], {"steps": 1}),
        ([constant(1, 90), linear(None, 0, "9.5 steps", extend=True)], {}),
        (piecewise_linear([0, 50, 200], [0.1, 1, 0]), {}),
        (piecewise_linear([0, 50], [0.1, 1]), {}),
        ([constant(1, "99.5 steps"), linear(None, 0)], {}),
        ([constant(1, 90), linear(None, 0, 9)], {}),
        ([constant(1, 90), linear(None, 0, 10)], {"steps": None}),
        ([constant(1, 10), cosine(None, 0)], {}),
        (linear(1, 0), {"steps": 100_000}),
        (constant(1), {}),
    ],
    "no-change": [
        ([linear(1, 1, 10), constant()], {}),
        ([linear(0.1, 1, 10), linear(None, 0.5)], {}),
        (constant(), {}),
    ],
    "no-base": [
        (constant(0.9), {"name": "momentum"}),
        (constant(0.9), {"base": None}),
    ],
    "rates-under-a-base": [
        ([linear(0.0001, 0.003, 10), constant()], {"base": "absolute"}),
        ([linear(0.0001, 0.2, 10), constant()], {"base": None}),
        ([linear(0.0001, 0.003, 10), constant()], {"base": 1}),
        ([linear(0.0001, 0.003, 10), constant()], {"base": 0.003, "name": "momentum"}),
        ([linear(0.01, 1, 10), constant()], {"base": 0.003}),
        (product(constant(0.01), constant(100)), {"base": 0.003}),
        (constant(0), {"base": 0.003}),
    ],
    "jump": [
        ([linear(1, 0.5, 30), constant(0.5)], {}),
        (piecewise_constant([30], [1, 0.5]), {}),
        (repeat(linear(1, 0), period=10), {}),
        # Beside the 1 of the curve, 0.1 + 0.2 - 0.3 is 0.
        ([linear(1, 0, 10), {"sum": {"of": list(map(constant, (0.1, 0.2, -0.3)))}}], {}),
        ([linear(1, 0.5, 100), constant(0.2)], {}),
    ],
    "long-warmup": [
        ([linear(0.1, 1, 50), constant()], {}),
        ([linear(0.1, 1, 51), constant()], {"steps": None}),
        ([linear(0.1, 1, 51), constant()], {"name": "momentum"}),
        ([linear(1, 0.5, 10), linear(None, 1, 80)], {}),
        (product(linear(0.1, 1)), {}),
        (constant(1), {}),
        # It falls between two stages that rise, or at a knot.
        ([linear(0.1, 1, 25), linear(0.1, 0.5, 55), linear(None, 0)], {}),
        ([piecewise_constant([10, 20], [1, 0.1, 0.01], 30), linear(None, 0.02, 60)], {}),
        (piecewise_linear([0, 10, 20, 90], [0, 1, 0.1, 0.2]), {}),
        ([piecewise_constant([10, 40], [0.1, 0.5, 1], 60), linear(None, 0)], {}),
        ([constant(0.5, 60), linear(1, 0)], {}),
    ],
    "empty-stage": [
        ([constant(1, 0), constant()], {}),
        ([constant(1, "0%"), constant()], {}),
        ([constant(1, "0.0 steps"), constant()], {}),
        ([constant(1, "0e3 samples"), constant()], {"training": {"batch_size": 2}}),
        ([constant(1, "0.4%"), constant()], {}),
    ],
    "late-rise": [
        (cosine(0.1, 1), {}),
        ([constant(0.1, 10), linear(None, 1)], {}),
        ([constant(0.1, 10), cosine(None, 1, 30), constant()], {"name": "momentum"}),
        ([constant(0.1, 10), cosine(0.3, 0.1 + 0.2, 30), constant()], {}),
    ],
    "never-reached": [
        ([constant(1, 99), linear(None, 0, 10)], {}),
        ([constant(1, 100), linear(None, 0, 10)], {"steps": None}),
        ([constant(1, "99.2 steps"), linear(None, 0, 10)], {"sample": "middle"}),
        (piecewise_constant([30, 99], [1, 0.5, 0.1]), {}),
        (piecewise_constant([30, "99.5 steps"], [1, 0.5, 0.1]), {"sample": "end"}),
        (piecewise_constant([30, 120], [1, 0.5, 0.1]), {"steps": None}),
        (piecewise_linear([0, 100], [1, 0]), {}),
        (piecewise_linear([0, "33.3%"], [1, 0], "33.3%"), {"steps": 1001}),
        ([piecewise_constant([10, "29.5 steps"], [1, 0.5, 0.1], 30), constant()], {}),
        ([piecewise_constant([10, 30], [1, 0.5, 0.1], 0), constant(1)], {}),
        (repeat(piecewise_linear([0, 10], [1, 0]), period=10), {}),
        (repeat(piecewise_constant([5, 12], [1, 0.5, 0.1]), period=10, stretch=2), {}),
    ],
    "run-goes-on": [
        ([constant(1, 50), linear(None, 0.5, 50)], {}),
        ([constant(1, 50), linear(None, 0.5, 60)], {}),
        ([constant(1, 50), linear(None, 0.5, 30)], {"steps": None}),
        ([constant(1, 50), exponential(None, 0.5, 30)], {}),
        ([constant(1, "99.5 steps")], {}),
        (linear(1, 0.5, 10, extend=True), {}),
        (product(linear(1, 0.5, 10, extend=True), constant(1, 20)), {}),
        (product(linear(1, 0.5, 10), constant(1)), {}),
        (repeat(constant(1, 5), period=10), {}),
        (repeat(constant(1, 5), count=3), {}),
        (repeat(linear(1, 0.1), period=10, count=10), {}),
        (clamp([linear(0.1, 1, 10), constant()], minimum=0.2), {}),
    ],
    "negative-rate": [
        (linear(1, 0, 90), {}),
        (linear(1, 0, 90, extend=True), {"name": "momentum"}),
        ([constant(1, 100), linear(None, -1, 50)], {}),
        ([constant(1, 99), linear(None, -1, 50)], {}),
    ],
    "large-rate": [
        (constant(100), {}),
        (constant(100), {"base": 1, "name": "momentum"}),
        (linear(0.1, 10), {"base": 1}),
    ],
}


@pytest.mark.parametrize("code", NEARLY)
def test_none_where_it_is_meant(code: str) -> None:
    for schedule, root in NEARLY[code]:
        assert code not in found(schedule, **root), (schedule, root)


def test_a_stage_that_starts_after_the_last_look_is_never_reached() -> None:
    stages = [constant(1, "99.2 steps"), linear(None, 0, 10)]

    assert "never-reached" in found(stages)
    assert "final-not-applied" in found([constant(1, 90), linear(None, 0, "9.5 steps")])


@pytest.mark.parametrize(
    ("schedule", "steps", "path", "message"),
    [
        (
            piecewise_linear([0, 500, 2000], [0.1, 1, 0]),
            1000,
            "",
            "2: the value at boundary 2000 is never used: the run ends at step 1000",
        ),
        (
            piecewise_constant([30, 60, 120, 130], [1, 0.5, 0.2, 0.1, 0]),
            100,
            "",
            "2: the value from boundary 120 on is never used: the run ends at step 100",
        ),
        (
            piecewise_constant([30, 100], [1, 0.5, 0.2]),
            100,
            "",
            "1: the value from boundary 100 on is never used: the run ends at step 100",
        ),
        (
            piecewise_constant([30, "99.5 steps"], [1, 0.5, 0.2]),
            100,
            "",
            "1: the value from boundary 99.5 on is never used: the run ends at step 100",
        ),
        (
            [constant(1, 10), piecewise_constant([30, 150], [1, 0.5, 0.2])],
            100,
            "/1",
            "1: the value from boundary 150 on is never used: the run ends at step 100",
        ),
        (
            product(clamp([constant(1, 9), piecewise_constant([150], [1, 0.1])], minimum=0)),
            100,
            "/product/of/0/clamp/schedule/1",
            "0: the value from boundary 150 on is never used: the run ends at step 100",
        ),
        (
            [piecewise_linear([0, 50], [1, 0.5], 40), constant()],
            None,
            "/0",
            "1: the value at boundary 50 is never used: its stage ends at step 40",
        ),
        (
            [piecewise_constant([30], [1, 0.5]), constant(0.1, 80)],
            100,
            "/0",
            "0: the value from boundary 30 on is never used: its stage ends at step 20",
        ),
        (
            repeat(piecewise_constant([5, 12], [1, 0.5, 0.1]), period=10),
            100,
            "/repeat/schedule",
            "1: the value from boundary 12 on is never used: its stage ends at step 10 of the"
            " period",
        ),
        (
            repeat(piecewise_linear([5, 12], [1, 0.5]), period=10, count=10),
            100,
            "/repeat/schedule",
            "1: the value at boundary 12 is never used: its stage ends at step 10 of the period",
        ),
    ],
)
def test_a_boundary_that_is_never_reached(
    schedule: Any, steps: int | None, path: str, message: str
) -> None:
    problem = found(schedule, steps=steps)["never-reached"]

    place, _, number = problem.path.rpartition("/boundaries/")
    at, _, kind = place.rpartition("/")
    assert kind.startswith("piecewise_")
    assert (at, f"{number}: {problem.message}") == (f"/schedule{path}", message)


def test_a_boundary_in_a_period_counts_along_the_axis() -> None:
    schedule = repeat(piecewise_constant(["6 samples"], [1, 0.5]), period="5 samples")
    training = {"batch_size": [{"start": 0, "value": 2}, {"start": 1, "value": 4}]}
    problem = found(schedule, axis="samples", training=training)["never-reached"]

    assert problem.message == (
        "the value from boundary 6 on is never used: its stage ends at sample 5 of the period"
    )


def test_a_boundary_on_another_axis_is_a_step() -> None:
    schedule = piecewise_constant(["300 samples"], [1, 0.5])
    problem = found(schedule, axis="samples", training={"batch_size": 2})["never-reached"]

    assert problem.message == (
        "the value from boundary 150 on is never used: the run ends at step 100"
    )


def test_a_line_that_is_cut_has_no_other_warning() -> None:
    line = piecewise_linear([0, 500, 2000], [0.1, 1, 0])

    assert found(line, steps=1000, base="absolute").keys() == {"never-reached"}


def test_a_stage_that_is_never_reached_is_one_warning() -> None:
    problem = found([constant(1, 100), piecewise_constant([120], [1, 0])])["never-reached"]

    assert problem.path == "/schedule/1"


@pytest.mark.parametrize("sample", ["start", "middle"])
def test_the_final_of_a_last_line_is_that_of_the_update_after_the_run(sample: str) -> None:
    stages = [constant(1, 90), linear(None, 0, 10), constant()]

    assert "final-not-applied" in found(stages, sample=sample)
    line = piecewise_linear([0, 50, "99.5 steps"], [0.1, 1, 0])
    assert "final-not-applied" in found(line)


@pytest.mark.parametrize(
    ("schedule", "end"),
    [
        (repeat(linear(1, 0.5), period=10, count=3), 30),
        ([repeat(linear(1, 0.5), period=10, count=3)], 30),
        (linear(1, 0.5, 30), 30),
        (linear(1, 0.5, until=30), 30),
        (clamp(repeat(linear(1, 0.5), period=10, count=3), minimum=0.01), 30),
        (clamp([constant(1, 10), linear(1, 0.5, 30)], minimum=0.01), 40),
        (product(linear(1, 0.5, 30), product(constant(1, 40))), 40),
    ],
)
def test_what_ends_of_its_own_ends_alone_as_in_a_list(schedule: Any, end: int) -> None:
    problem = found(schedule)["run-goes-on"]

    text = f"the schedule ends at step {end} and the run at 100: it is held at 0.05"
    assert problem.message == text
    assert "run-goes-on" not in found(schedule, steps=end + 1)


def test_what_rises_again_and_again_is_no_warmup() -> None:
    stages = [linear(0.1, 1, 25), linear(0.1, 0.5, 25), linear(0.1, 0.2, 30), linear(None, 0.01)]

    for schedule in (stages, [linear(0.1, 1, 10)] * 10):
        document = {"lrspec": 1, "schedule": deepcopy(schedule), "training": {"steps": 100}}
        codes = [problem.code for problem in lint(from_dict(document).bind())]
        assert "jump" in codes
        assert "long-warmup" not in codes


def test_what_a_long_warmup_is() -> None:
    def top(schedule: Any) -> str | None:
        problem = found(schedule).get("long-warmup")
        return None if problem is None else problem.message.split(",")[0]

    # With a jump up between them, at knots, and cut where the run ends.
    assert top([linear(0.1, 0.5, 30), linear(0.7, 1, 30), constant()]) == (
        "the rate rises up to step 60 of 100"
    )
    assert top(piecewise_constant([10, 70], [0.1, 0.5, 1])) == "the rate rises up to step 70 of 100"
    assert top(linear(0.1, 1, 1500)) == "the rate rises up to step 100 of 100"


@pytest.mark.parametrize("sample", ["start", "middle", "end"])
@pytest.mark.parametrize(
    ("schedule", "path"),
    [
        (linear(1, -0.001, 1000), ""),
        (linear(1, -0.001, 1000, extend=True), ""),
        (linear(1, -0.001, "7.5 steps"), ""),
        (linear(1, -0.001, 0), ""),
        ([constant(1, 10), linear(None, -0.001, 0)], "/1"),
        (repeat(linear(1, -0.001), period=10, count=2), ""),
    ],
)
def test_what_is_held_after_the_last_stage_is_looked_at_without_a_run(
    schedule: Any, path: str, sample: str
) -> None:
    problem = found(schedule, steps=None, sample=sample)["negative-rate"]
    curve = from_dict({"lrspec": 1, "sample": sample, "schedule": schedule}).bind()

    step = next(step for step in range(1010) if curve(step) < 0)
    assert problem.path == f"/schedule{path}"
    assert problem.message.endswith(f"at step {step}, negative")


def test_a_rate_that_is_held_may_be_large() -> None:
    problem = found(linear(1, 10.001, 3), base=1, steps=None)["large-rate"]

    assert problem.message == "the rate is 10.001 at step 3, more than 10"


def test_a_length_far_beyond_any_step_is_looked_at_before() -> None:
    assert found(constant(1, "1e300 steps"), steps=None) == {}


def test_a_long_stage_is_wrong_from_about_where_it_becomes_so() -> None:
    problem = found(linear(1, 20, 10_000), steps=10_000, base=1)["large-rate"]

    assert problem.message == "the rate is 10.0231 at step 4749, more than 10"


@pytest.mark.parametrize(
    ("first", "path"),
    [
        (constant(0), "/schedule/constant/value"),
        (piecewise_constant([3], [0, 1]), "/schedule/piecewise_constant/values"),
        (piecewise_linear([0, 3], [0, 1]), "/schedule/piecewise_linear/values"),
        (linear(0, 1), "/schedule/linear/initial"),
        (product(constant(0)), "/schedule"),
    ],
)
def test_a_first_update_at_zero_points_at_the_zero(first: Any, path: str) -> None:
    assert found(first)["first-update-at-zero"].path == path


def test_a_curve_without_stages_has_values_too() -> None:
    assert found([constant(0, 0)]).keys() == {"first-update-at-zero", "run-goes-on"}
    assert found(linear(1, -1, "0 epochs"), base=20, training={"steps_per_epoch": 4}).keys() == {
        "negative-rate",
        "run-goes-on",
    }


def test_hints_name_what_helps() -> None:
    to_repeat = [constant(1, 10), repeat(linear(0.5, 0), period=10)]
    to_value = [constant(1, 10), constant(0.5)]
    frozen = [constant(0, 10), linear(None, 1, 10), constant()]

    assert found(to_repeat)["jump"].hint is None
    assert found(to_value)["jump"].hint == "left out, it starts where the stage before it ends"
    warmup = found([linear(0, 1, 10), constant()])["first-update-at-zero"].hint
    assert warmup == "start above 0, or read the curve at the end of a step with 'sample: end'"
    assert found(frozen)["first-update-at-zero"].hint == "start above 0"


def test_multiples_are_not_large() -> None:
    document = from_dict({"lrspec": 1, "schedule": constant(100.0)})

    assert lint(document.bind()) == ()
    assert [problem.code for problem in lint(document.bind(base=1))] == ["large-rate"]


def test_no_update_falls_between_two_steps() -> None:
    def stages(start: str) -> list[Any]:
        return [constant(1, start), constant(None, "0.4 steps"), constant()]

    assert "empty-stage" in found(stages("10.2 steps"))
    assert "empty-stage" not in found(stages("9.8 steps"))
    assert "empty-stage" not in found(stages("10.2 steps"), sample="middle")
    assert "empty-stage" in found(stages("9.8 steps"), sample="middle")
    assert "empty-stage" in found(stages("10.2 steps"), sample="end")
    assert "empty-stage" not in found(stages("9.8 steps"), sample="end")


def test_the_last_piece_of_a_line_is_not_applied_either() -> None:
    (problem,) = found(piecewise_linear([0, 90, 100], [1, 0.5, 0.1])).values()

    assert problem.code == "final-not-applied"
    assert problem.message.startswith("the last update, 99, is at 0.014: 0.01 would be")


def test_what_a_schedule_without_a_length_does_after_the_run_is_of_no_matter() -> None:
    assert found([constant(1, 50), geometric(None, 0.1, 30), exponential(None, 0.9, 10)]) == {}


@pytest.mark.parametrize(
    ("base", "word"), [("absolute", "11"), (0.001, None), (None, None)], ids=str
)
def test_a_large_rate_in_the_unit_of_rates(base: Any, word: str | None) -> None:
    root = {} if base is None else {"base": base}
    curve = from_dict({"lrspec": 1, "schedule": constant(11.0), **root}).bind()

    assert [problem.message.split()[3] for problem in lint(curve)] == ([word] if word else [])


TEXT = """\
lrspec: 1
x-allow: [jump, jmp, 3]
schedule:
  - constant: {value: 1, length: 30}
  - constant: {value: 0.5}
"""


def test_what_a_document_allows_is_left_out() -> None:
    document = loads(TEXT)
    problems = lint(document.bind())
    left = unallowed(document, problems)

    assert [problem.code for problem in problems] == ["jump"]
    assert [str(problem) for problem in left] == [
        "2:17: /x-allow/1: no warning is 'jmp'; did you mean 'jump'?",
        "2:22: /x-allow/2: no warning is 3",
    ]
    assert {problem.code for problem in left} == {"unknown-warning"}


def test_a_list_may_allow_what_it_does_not_know() -> None:
    document = loads(TEXT.replace("3]", "unknown-warning]"))

    assert unallowed(document, lint(document.bind())) == ()


def test_rates_without_a_base() -> None:
    rates = [linear(0, 0.0003, 10), constant()]
    message = (
        "no value is more than 0.0003, and each is a multiple of the rate that the optimizer has"
    )

    alone = found(rates, base=None)["rates-under-a-base"]
    assert (alone.path, alone.message) == ("/schedule", message)
    document = from_dict({"lrspec": 1, "schedules": {"lr": rates}})
    beside = [
        p for p in lint(document.bind(name="lr", steps=100)) if p.code == "rates-under-a-base"
    ]
    assert [(p.path, p.message) for p in beside] == [("/schedules/lr", message)]


def test_the_list_is_a_list() -> None:
    document = loads("lrspec: 1\nx-allow: jump\nschedule: {constant: {value: 1}}\n")
    (problem,) = unallowed(document, ())

    assert str(problem) == (
        "2:10: /x-allow: expected a list of the codes of warnings, found 'jump'"
    )
    assert unallowed(loads("lrspec: 1\nschedule: {constant: }\n"), ()) == ()
