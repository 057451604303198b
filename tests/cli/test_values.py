"""`lrspec values`: which steps, in which form, to the last digit."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable

import pytest
from tests.cli.conftest import PRODUCTION, Cli

import lrspec

Write = Callable[..., str]

SEVERAL = """\
lrspec: 1
training: {steps: 10}
schedules:
  lr: {linear: {initial: 0.3, final: 0}}
  momentum: {constant: {value: 0.9}}
"""


def pairs(text: str) -> list[tuple[int, float]]:
    """Step and value of each row of a table, without its heading."""
    rows = (line.split() for line in text.splitlines()[1:])
    return [(int(step), float(value)) for step, value in rows]


def test_the_steps_that_are_asked_for(cli: Cli, write: Write) -> None:
    done = cli("values", write(PRODUCTION), "--at", "39602, 0,88004")

    assert done.out == (" step  lr\n39602  0.003999979849400785\n    0  1e-05\n88004  1e-06\n")
    assert done.status == 0


def test_every_digit(cli: Cli, write: Write) -> None:
    curve = lrspec.loads(PRODUCTION).bind()
    done = cli("values", write(PRODUCTION), "--from", "0", "--to", "88004", "--stride", "44")

    assert pairs(done.out) == [(step, curve(step)) for step in range(0, 88005, 44)]


def test_more_rows_than_are_made_at_a_time(cli: Cli, write: Write) -> None:
    curve = lrspec.loads(PRODUCTION).bind()
    done = cli("values", write(PRODUCTION), "--stride", "1", "--format", "csv")

    rows = list(csv.reader(done.lines[1:]))
    assert [int(step) for step, _ in rows] == list(range(88005))
    assert [float(value) for _, value in rows] == list(curve.values(0, 88005))


def test_a_document_inside_a_larger_file(cli: Cli, write: Write) -> None:
    file = write('{"optim": [{"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 4}}}]}')

    done = cli("values", file, "--document", "optim.0", "--at", "1")
    assert (done.status, done.out) == (0, "step  lr\n   1  0.75\n")
    done = cli("values", file, "--document", "optim.1", "--at", "1")
    assert (done.status, done.out) == (1, "")
    assert "/optim: there is no '1' here, but a list of 1, counted from 0" in done.err


@pytest.mark.parametrize(
    ("text", "given"),
    [('{"a": {}}', "nothing"), ('{"a": []}', "an empty list"), ('{"a": 1}', "1")],
)
def test_a_document_that_is_not_there(cli: Cli, write: Write, text: str, given: str) -> None:
    done = cli("values", write(text), "--document", "a.0")

    assert (done.status, done.out) == (1, "")
    assert done.err.endswith(f": /a: there is no '0' here, but {given}\n")


def test_chosen_steps_have_every_knot(cli: Cli, write: Write) -> None:
    steps = [step for step, _ in pairs(cli("values", write(PRODUCTION)).out)]

    assert {0, 39601, 39602, 79203, 79204, 88004} <= set(steps)
    assert 18 <= len(steps) <= 22
    assert steps == sorted(set(steps))


def test_all_of_many_knots(cli: Cli, write: Write) -> None:
    boundaries = list(range(0, 600, 6))
    document = {
        "lrspec": 1,
        "schedule": {"piecewise_linear": {"boundaries": boundaries, "values": boundaries}},
    }
    done = cli("values", write(json.dumps(document), "a.json"))

    assert set(boundaries[1:-1]) <= {step for step, _ in pairs(done.out)}


@pytest.mark.parametrize(
    ("schedule", "last"),
    [
        ("{inverse_sqrt: {timescale: 10}}", 100),
        ("[{linear: {final: 2, length: 30}}, {inverse_sqrt: {timescale: 10}}]", 80),
        ("{repeat: {schedule: {linear: {final: 0}}, period: 300}}", 600),
        ("{sum: {of: [{piecewise_constant: {boundaries: [1000], values: [1, 0]}}]}}", 2000),
        ("{linear: {final: 2, length: 30}}", 30),
        ("{linear: {final: 2, length: 5}}", 5),
        ("{constant: {length: 0}}", 100),
    ],
)
def test_where_chosen_steps_end(cli: Cli, write: Write, schedule: str, last: int) -> None:
    file = write(f"lrspec: 1\nschedule: {schedule}\n")

    assert pairs(cli("values", file).out)[-1][0] == last
    assert pairs(cli("values", file, "--stride", "1").out)[-1][0] == last


def test_csv(cli: Cli, write: Write) -> None:
    done = cli("values", write(SEVERAL), "--to", "2", "--format", "csv")

    assert done.out == "step,lr,momentum\n0,0.3,0.9\n1,0.27,0.9\n2,0.24,0.9\n"


def test_json(cli: Cli, write: Write) -> None:
    done = cli("values", write(SEVERAL), "--from", "9", "--format", "json")

    assert json.loads(done.out) == {
        "steps": [9, 10],
        "values": {"lr": [0.03, 0.0], "momentum": [0.9, 0.9]},
    }


def test_json_of_many_steps(cli: Cli, write: Write) -> None:
    done = cli("values", write(SEVERAL), "--to", "20000", "--format", "json", "--name", "momentum")

    found = json.loads(done.out)
    assert found["steps"] == list(range(20001))
    assert found["values"] == {"momentum": [0.9] * 20001}


def test_a_table_of_several(cli: Cli, write: Write) -> None:
    done = cli("values", write(SEVERAL), "--at", "0,10")

    assert [line.split() for line in done.lines] == [
        ["step", "lr", "momentum"],
        ["0", "0.3", "0.9"],
        ["10", "0.0", "0.9"],
    ]
    column = done.lines[0].index("momentum")
    assert all(line[column:] == "0.9" for line in done.lines[1:])


def test_nothing_between(cli: Cli, write: Write) -> None:
    assert cli("values", write(PRODUCTION), "--from", "5", "--to", "4").out == "step  lr\n"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--at", "-1"], "a step is from 0 to 9223372036854775806, not -1."),
        (["--at", "9223372036854775807"], "a step is from 0 to 9223372036854775806"),
        (["--at", "1.5"], "a step is a whole number, not '1.5'."),
        (["--at", "0,true"], "a step is a whole number, not 'true'."),
        (["--at", "optim.lr"], "for the document at 'optim.lr' say --document optim.lr."),
        (["--at", ""], "a step is a whole number, not ''."),
        (["--from", "-1"], "a step is from 0 to 9223372036854775806, not -1."),
        (["--to", "x"], "a step is a whole number, not 'x'."),
        (["--stride", "0"], "0 is not in the range x>=1."),
        (["--at", "1", "--to", "2"], "--at names the steps"),
    ],
)
def test_steps_that_are_none(cli: Cli, write: Write, options: list[str], complaint: str) -> None:
    done = cli("values", write(PRODUCTION), *options)

    assert complaint in " ".join(done.err.split())
    assert (done.status, done.out) == (2, "")


def test_far_beyond_every_run(cli: Cli, write: Write) -> None:
    file = write("lrspec: 1\nschedule: {linear: {final: 0.5, length: 1e300 steps}}\n")
    far = str(2**63 - 2)

    assert pairs(cli("values", file, "--at", far).out) == [(2**63 - 2, 1.0)]
    assert len(pairs(cli("values", file, "--from", far).out)) == 1
    assert pairs(cli("values", file).out)[-1] == (10**300, 0.5)


def test_warnings_are_apart(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: [{linear: {final: 0, length: 30}}, {constant: }]\n"
    done = cli("values", write(text), "--steps", "20", "--at", "0")

    assert done.out == "step  lr\n   0  1.0\n"
    assert "warning: the stages reach step 30" in done.err
