"""`lrspec diff`: equal, different or an error, and what it prints of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.cli.conftest import PRODUCTION, Cli

Write = Callable[..., str]

LINEAR = """\
lrspec: 1
base: 0.5
training: {steps: 100}
schedule:
  - linear: {initial: 0.25, final: 1, length: 8}
  - linear: {final: 0}
"""
COSINE = LINEAR.replace("linear: {final", "cosine: {final")
STAGES = """\
lrspec: 1
base: absolute
schedule:
  - linear: {initial: 0.125, final: 0.5, length: 8}
  - - constant: {length: 0}
    - linear: {final: 0, length: 92}
"""


@pytest.fixture
def compare(cli: Cli, write: Write) -> Callable[..., tuple[int, list[str], str]]:
    """`lrspec diff` of two texts: status, lines, errors."""

    def run(one: str, two: str, *options: str) -> tuple[int, list[str], str]:
        done = cli("diff", write(one, "a.yaml"), write(two, "b.yaml"), *options)
        return done.status, done.lines, done.err

    return run


Compare = Callable[..., tuple[int, list[str], str]]


def test_the_same_values_in_other_words_are_equal(compare: Compare) -> None:
    equal = (0, ["lr: equal at every step"], "")

    assert compare(LINEAR, LINEAR) == equal
    assert compare(LINEAR, STAGES) == equal
    assert compare(STAGES, LINEAR, "--to", "7") == (0, ["lr: equal at every step to 7"], "")


def test_the_first_and_the_largest_difference_and_the_phases(compare: Compare) -> None:
    status, lines, err = compare(LINEAR, COSINE)

    assert (status, err) == (1, "")
    assert lines[0] == "lr: different at 91 of 201 steps"
    assert lines[1].startswith("  first    step 9: 0.494")
    assert lines[2].startswith("  largest  step 28: 0.391304347826087 and 0.4")
    assert lines[3:] == [
        "",
        "from    to  kind    from value  to value     from    to  kind    from value  to value",
        "   0     8  linear       0.125       0.5  =     0     8  linear       0.125       0.5",
        "   8   100  linear         0.5         0  ≠     8   100  cosine         0.5         0",
        " 100  open  held             0            =   100  open  held             0",
    ]


def test_a_stage_more_stands_alone(compare: Compare) -> None:
    longer = LINEAR.replace("  - linear: {final", "  - constant: {length: 2}\n  - linear: {final")
    _, lines, _ = compare(longer, LINEAR)

    assert lines[1] == ("  first    step 9: 0.5 and 0.4945652173913043, 0.00543 (1.087%) apart")
    assert ["≠" in line for line in lines[5:]] == [False, True, True, False]
    assert lines[7].split() == ["10", "100", "linear", "0.5", "0", "≠"]


def test_what_is_beyond_the_run_counts(compare: Compare) -> None:
    goes_on = LINEAR.replace("final: 0}", "final: 0, after: extend}")
    status, lines, _ = compare(LINEAR, goes_on)

    assert (status, lines[0]) == (1, "lr: different at 100 of 201 steps")
    assert compare(LINEAR, goes_on, "--to", "100")[0] == 0


ENDLESS = {
    "scales": ("inverse_sqrt: {timescale: 10}", "power_law: {timescale: 1000, exponent: 2}"),
    "periods": (
        "repeat: {schedule: {linear: {final: 0, length: 10}}, period: 100}",
        "repeat: {schedule: {linear: {final: 0, length: 10}}, period: 200}",
    ),
    "growth": (
        "repeat: {schedule: {linear: {final: 0, length: 10}}, period: 100, stretch: 2}",
        "repeat: {schedule: {linear: {final: 0, length: 10}}, period: 100, stretch: 3}",
    ),
    "stairs": (
        "exponential: {rate: 0.1, every: 30, staircase: true}",
        "exponential: {rate: 0.1, every: 60, staircase: true}",
    ),
    "knots in a clamp": (
        "clamp: {schedule: {piecewise_constant: {boundaries: [1000], values: [1, 0]}}, maximum: 1}",
        "clamp: {schedule: {piecewise_constant: {boundaries: [5000], values: [1, 0]}}, maximum: 1}",
    ),
    "knots in a sum": (
        "sum: {of: [{piecewise_linear: {boundaries: [0, 700, 900], values: [1, 1, 0]}}]}",
        "sum: {of: [{piecewise_linear: {boundaries: [0, 800, 900], values: [1, 1, 0]}}]}",
    ),
    "multiples": (
        "quantize: {schedule: {linear: {final: 0, length: 10, after: extend}}, every: 500}",
        "quantize: {schedule: {linear: {final: 0, length: 10, after: extend}}, every: 501}",
    ),
    "a last knot": (
        "piecewise_constant: {boundaries: [50, 500], values: [1, 0.1, 0.01]}",
        "piecewise_constant: {boundaries: [50, 500], values: [1, 0.1, 0.02]}",
    ),
}


@pytest.mark.parametrize("before", ["", "  - constant: {length: 10}\n"])
@pytest.mark.parametrize(("one", "two"), ENDLESS.values(), ids=ENDLESS)
def test_what_has_no_end_is_followed_until_it_shows(
    compare: Compare, one: str, two: str, before: str
) -> None:
    texts = [f"lrspec: 1\nschedule:\n{before}  - {node}\n" for node in (one, two)]

    assert compare(*texts)[0] == 1
    assert compare(texts[0], texts[0])[:2] == (0, ["lr: equal at every step"])


def test_the_tokens_at_which_a_power_begins_to_fall(compare: Compare) -> None:
    text = "lrspec: 1\nbase: absolute\ntraining: {batch_size: [{start: 0, value: 2},"
    text += " {start: 9, value: 4}], sequence_length: 100}\naxis: AXIS\nschedule:"
    text += " {token_power: {initial: 0.01, amplitude: 1, exponent: POWER}}\n"

    for axis in ("steps", "samples", "tokens"):
        steep, flat = (
            text.replace("AXIS", axis).replace("POWER", power) for power in ("-0.5", "-0.51")
        )
        assert compare(steep, flat)[0] == 1
        assert compare(steep, flat, "--to", "300")[0] == 0
    never = text.replace("AXIS", "steps").replace("POWER", "-0.001")
    assert compare(never, never.replace("0.001", "0.002"))[1] == ["lr: equal at every step to 200"]


def test_what_goes_on_is_equal_as_far_as_one_looked(compare: Compare) -> None:
    """The same values by two formulas: no comparison of steps knows that they stay the same."""
    stairs = "lrspec: 1\nschedule: {exponential: {rate: 0.5, every: 10, staircase: true}}\n"
    held = "{constant: {value: 1}}"
    restarts = f"lrspec: 1\nschedule: {{repeat: {{schedule: {held}, period: 10, shrink: 0.5}}}}\n"

    assert compare(stairs, restarts) == (0, ["lr: equal at every step to 20"], "")


def test_a_tolerance(compare: Compare) -> None:
    near = LINEAR.replace("0.25", "0.2500001")

    status, lines, _ = compare(LINEAR, near)
    assert status == 1
    assert lines[1].endswith(" 5e-08 (4e-05%) apart")
    assert compare(LINEAR, near, "--tolerance", "1e-6") == (
        0,
        ["lr: equal at every step"],
        "",
    )


def test_multiples_and_rates(compare: Compare) -> None:
    multiples = LINEAR.replace("base: 0.5\n", "")
    status, lines, _ = compare(multiples, LINEAR)

    assert status == 1
    assert "  A gives multiples of a base that it does not state: see --base" in lines
    assert compare(multiples, LINEAR, "--base", "0.5")[0] == 0
    assert any(line.startswith("  B gives") for line in compare(LINEAR, multiples)[1])


TWO = """\
lrspec: 1
base: {lr: 0.5, momentum: absolute}
schedules:
  lr: {constant: {value: 1}}
  momentum: {constant: {value: 0.9}}
"""


def test_several_hyperparameters(compare: Compare) -> None:
    other = TWO.replace("momentum", "weight_decay")

    assert compare(TWO, TWO)[1] == [
        "lr: equal at every step",
        "momentum: equal at every step",
    ]
    assert compare(TWO, other) == (
        1,
        [
            "lr: equal at every step",
            "momentum: only A has it",
            "weight_decay: only B has it",
        ],
        "",
    )
    assert compare(TWO, TWO, "--name", "momentum")[1] == ["momentum: equal at every step"]


def test_the_production_case_is_compared_at_every_step(compare: Compare) -> None:
    nearly = PRODUCTION.replace("4e-3", "4.0000000000000010e-3")
    status, lines, _ = compare(PRODUCTION, nearly)

    assert status == 1
    assert lines[0] == "lr: different at 78,837 of 176,009 steps"


@pytest.mark.parametrize(
    ("two", "options", "message"),
    [
        ("lrspec: 1\nschedule: {cosin: {final: 0}}\n", (), "b.yaml:2:12: /schedule: unknown kind"),
        ("", (), "b.yaml:1:1: the document is empty"),
        (LINEAR, ("--steps", "3"), "steps"),
    ],
)
def test_an_error_is_neither_equal_nor_different(
    compare: Compare, two: str, options: tuple[str, ...], message: str
) -> None:
    status, lines, err = compare(LINEAR, two, *options)

    assert (status, lines) == (2, [])
    assert message in err


def test_a_file_that_is_not_there(cli: Cli, write: Write) -> None:
    done = cli("diff", write(LINEAR), "none.yaml")

    assert (done.status, done.out) == (2, "")
    assert done.err == "none.yaml: there is no such file\n"


def test_of_many_phases_the_first_are_shown(compare: Compare) -> None:
    def steps(value: float) -> str:
        stages = "".join(f"  - constant: {{value: {i}, length: 1}}\n" for i in range(100))
        return f"lrspec: 1\nschedule:\n{stages}  - constant: {{value: {value}}}\n"

    _, lines, _ = compare(steps(0), steps(1))

    assert len(lines) == 4 + 60 + 1
    assert lines[-1] == "…"


GOES_ON = """\
lrspec: 1
base: 1
training: {steps: 100}
schedule: {inverse_sqrt: {timescale: 10}}
"""


def test_a_tolerance_is_a_number(compare: Compare) -> None:
    status, lines, err = compare(LINEAR, COSINE, "--tolerance", "nan")

    assert (status, lines) == (2, [])
    assert "a share is a number" in err


def test_too_many_steps_are_refused_and_how_far_it_is_is_said(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = GOES_ON.replace("timescale: 10", "timescale: 11")
    status, lines, err = compare(GOES_ON.replace("100", "1e300"), longer)

    assert (status, lines) == (2, [])
    assert "lr: more than 10,000,000,000 steps; say how far with --to." in err
    assert compare(GOES_ON, longer, "--to", "1" + "0" * 400)[0] == 2
    assert compare(GOES_ON, longer, "--to", "150")[2] == ""
    monkeypatch.setattr("lrspec.cli.diff._PATIENCE", 0)
    assert compare(GOES_ON, longer, "--to", "150")[2] == (
        "lr: 0 of 151 steps compared in 0 s; --to compares fewer\n"
    )
    assert compare(GOES_ON, GOES_ON, "--to", "10000000000000000")[0] == 0


def test_the_length_of_what_is_held_costs_nothing(compare: Compare) -> None:
    status, lines, err = compare(LINEAR, COSINE, "--to", "1000000000000")

    assert (status, lines[0], err) == (1, "lr: different at 91 of 1,000,000,000,001 steps", "")


def test_both_are_drawn_over_the_same_steps(compare: Compare) -> None:
    shorter = LINEAR.replace("steps: 100", "steps: 50")
    status, lines, _ = compare(LINEAR, shorter, "--plot")

    assert status == 1
    assert [line for line in lines if line in ("A", "B")] == ["A", "B"]
    numbers = [line.split() for line in lines if line.split()[:2] == ["0", "8"]]
    assert [row[-1] for row in numbers[-2:]] == ["100", "100"]


def test_both_are_drawn_along_the_same_values(compare: Compare) -> None:
    texts = [
        f"lrspec: 1\nbase: absolute\ntraining: {{steps: 100}}\nschedule: {schedule}\n"
        for schedule in (
            "{cosine: {initial: 0.1, final: 0}}",
            "{linear: {initial: 0.1, final: 0.05}}",
        )
    ]
    _, lines, _ = compare(*texts, "--plot")
    drawn = [lines.index(title) for title in "AB"]
    one, two = (lines[start + 1 : start + 15] for start in drawn)
    left = one[0].index("┤")

    assert [line[: left + 1] for line in one] == [line[: left + 1] for line in two]
    # The cosine comes down to the lowest row, the line to half of the height.
    assert [line[left + 1 :] != "" for line in one] == [True] * 14
    assert [line[left + 1 :] != "" for line in two] == [True] * 7 + [False] * 7


def test_one_of_which_a_log_axis_shows_nothing(compare: Compare) -> None:
    texts = [
        f"lrspec: 1\nbase: absolute\ntraining: {{steps: 100}}\nschedule: {schedule}\n"
        for schedule in ("{geometric: {initial: 1, final: 1e-6}}", "{constant: {value: 0}}")
    ]
    _, lines, _ = compare(*texts, "--plot")

    assert lines[-2:] == ["B", "no value is above 0: there is nothing to draw on a log axis"]


def test_one_that_stands_alone_is_drawn_alone(compare: Compare) -> None:
    _, lines, _ = compare(TWO, TWO.replace("momentum", "weight_decay"), "--plot")

    assert [line for line in lines if line in ("A", "B")] == ["A", "B", "A", "B"]


def test_standard_input_is_one_file(cli: Cli, write: Write) -> None:
    assert cli("diff", "-", write(LINEAR), stdin=STAGES).status == 0
    done = cli("diff", "-", "-", stdin=LINEAR)
    assert (done.status, done.out) == (2, "")
    assert "A and B cannot both be standard input." in done.err
