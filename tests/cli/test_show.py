"""`lrspec show`: the heading and the phases."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.cli.conftest import PRODUCTION, Cli

Write = Callable[..., str]


def test_the_production_case(cli: Cli, write: Write) -> None:
    done = cli("show", write(PRODUCTION))

    assert (
        done.out
        == """\
a.lrspec.yaml: lr
base   absolute
steps  88004

   from       to  kind              from value  to value
      0  39601.8  piecewise_linear       1e-05     0.004
39601.8  79203.6  piecewise_linear       0.004     1e-05
79203.6    88004  piecewise_linear       1e-05     1e-06
  88004     open  held                   1e-06
"""
    )
    assert done.status == 0
    assert not done.err


WARMUP = """\
lrspec: 1
name: warmup-cosine
schedule:
  - linear: {initial: 0, final: 1, length: 2000}
  - constant:
  - cosine: {final: 0.1, length: 20%}
"""


@pytest.mark.parametrize(
    ("options", "heading", "peak"),
    [([], "values  multiples of base", "1"), (["--base", "3e-4"], "base   0.0003", "0.0003")],
)
def test_facts_are_options(
    cli: Cli, write: Write, options: list[str], heading: str, peak: str
) -> None:
    done = cli("show", write(WARMUP), "--steps", "10000", *options)
    rows = [line.split() for line in done.lines]

    assert rows[:2] == [["a.lrspec.yaml:", "lr"], ["name", "warmup-cosine"]]
    assert done.lines[2] == heading
    assert rows[3] == ["steps", "10000"]
    assert rows[6:9] == [
        ["0", "2000", "linear", "0", peak],
        ["2000", "8000", "constant", peak, peak],
        ["8000", "10000", "cosine", peak, rows[9][3]],
    ]
    assert rows[9][:3] == ["10000", "open", "held"]


def test_a_horizon_as_text(cli: Cli, write: Write) -> None:
    done = cli("show", write(WARMUP), "--steps", "4 epochs", "--steps-per-epoch", "2500.5")

    assert "steps            10002" in done.lines
    assert "steps_per_epoch  2500.5" in done.lines


def test_override(cli: Cli, write: Write) -> None:
    done = cli("show", write(PRODUCTION), "--steps", "1000", "--override")

    assert done.lines[-1].split()[0] == "1000"


def test_an_open_stage(cli: Cli, write: Write) -> None:
    text = (
        "lrspec: 1\nschedule:\n  - linear: {final: 2, length: 10}\n  - inverse_sqrt: {timescale: 5}"
    )
    done = cli("show", write(text))

    assert done.lines[3:] == [
        "from    to  kind          from value  to value",
        "   0    10  linear                 1         2",
        "  10  open  inverse_sqrt           2",
    ]


def test_a_formula_goes_on(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: {inverse_sqrt: {timescale: 5}}"
    done = cli("show", write(text), "--steps", "15")

    assert [line.split() for line in done.lines[4:]] == [
        ["from", "to", "kind", "from", "value", "to", "value"],
        ["0", "15", "inverse_sqrt", "1", "0.5"],
        ["15", "open", "goes", "on"],
    ]


@pytest.mark.parametrize(
    ("schedule", "tail"),
    [
        ("{constant: {value: 0.5}}", "held 0.5"),
        ("{linear: {final: 0.25}}", "held 0.25"),
        ("{linear: {final: 0.25, after: extend}}", "goes on"),
        ("{cosine: {final: 0.25}}", "held 0.25"),
        ("{polynomial: {final: 0.25, power: 2}}", "held 0.25"),
        ("{geometric: {final: 0.25}}", "held 0.25"),
        ("{inverse: {final: 0.25}}", "held 0.25"),
        ("{exponential: {rate: 0.5, every: 10}}", "goes on"),
        ("{exponential: {rate: 0.5, every: 10, length: 10}}", "held 0.5"),
        ("{piecewise_linear: {boundaries: [0, 100%], values: [1, 0.125]}}", "held 0.125"),
        ("{piecewise_linear: {boundaries: [0, 200], values: [1, 0]}}", "goes on"),
        ("{piecewise_constant: {boundaries: [50], values: [1, 0.125]}}", "held 0.125"),
        ("{repeat: {period: 10, schedule: {linear: {final: 0}}}}", "goes on"),
        ("{repeat: {count: 4, schedule: {linear: {final: 0.25}}}}", "held 0.25"),
        ("{product: {of: [{linear: {final: 0.5}}, {constant: {value: 3}}]}}", "held 1.5"),
        ("{product: {of: [{linear: {final: 0.5}}, {inverse_sqrt: {timescale: 5}}]}}", "goes on"),
        ("{sum: {of: [{constant: {value: 1}}, {constant: {value: 3}}]}}", "held 4"),
        ("{clamp: {minimum: 0.75, schedule: {linear: {final: 0.5}}}}", "held 0.75"),
        ("{quantize: {every: 10, schedule: {linear: {final: 0.5, length: 50}}}}", "held 0.5"),
        ("{quantize: {every: 30, schedule: {linear: {final: 0.5}}}}", "goes on"),
        ("[{linear: {final: 0.5, length: 10}}, {constant: {length: 5}}]", "held 0.5"),
    ],
)
def test_what_comes_after(cli: Cli, write: Write, schedule: str, tail: str) -> None:
    done = cli("show", write(f"lrspec: 1\nschedule: {schedule}\n"), "--steps", "100")

    assert done.status == 0
    assert " ".join(done.lines[-1].split()[1:]) == f"open {tail}"


def test_what_is_not_default_is_in_the_heading(cli: Cli, write: Write) -> None:
    text = """\
lrspec: 1
axis: tokens
sample: middle
training:
  steps: 100
  sequence_length: 128
  batch_size: [{start: 0, value: 32}, {start: 50, value: 64}]
schedule: {linear: {final: 0}}
"""
    done = cli("show", write(text))

    assert done.lines[:8] == [
        "a.lrspec.yaml: lr",
        "values           multiples of base",
        "axis             tokens",
        "sample           middle",
        "steps            100",
        "batch_size       32 from 0, 64 from 50",
        "sequence_length  128",
        "",
    ]
    assert done.lines[9].split() == ["0", "100", "linear", "1", "0"]


def test_a_long_batch_schedule_is_cut_and_rounding_is_named(cli: Cli, write: Write) -> None:
    text = """\
lrspec: 1
rounding: nearest
schedule: {linear: {final: 0, length: 1000 samples}}
"""
    sizes = ",".join(f"{10 * i}:{i + 1}" for i in range(8))
    done = cli("show", write(text), "--batch-size", sizes)

    assert done.lines[2:4] == [
        "rounding    nearest",
        "batch_size  1 from 0, 2 from 10, …, 8 from 70",
    ]


def test_one_batch_size(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: {linear: {final: 0, length: 1000 samples}}\n"
    done = cli("show", write(text), "--batch-size", "8")

    assert done.lines[2] == "batch_size  8"
    assert done.lines[-2].split()[:2] == ["0", "125"]


def test_every_digit_of_a_position(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: {linear: {final: 0, length: 1000000.25 steps}}\n"
    text = text.replace("1000000.25 steps", "'1000000.25 steps'")

    assert cli("show", write(text)).lines[4].split()[1] == "1000000.25"


SEVERAL = """\
lrspec: 1
base: {weight_decay: 0.1}
schedules:
  lr: {linear: {final: 0, length: 10}}
  weight_decay: {constant: }
"""


def test_several_schedules(cli: Cli, write: Write) -> None:
    file = write(SEVERAL)
    both = cli("show", file, "--base", "0.5")
    one = cli("show", file, "--name", "weight_decay")

    assert [line for line in both.lines if line.startswith(file)] == [
        f"{file}: lr",
        f"{file}: weight_decay",
    ]
    assert [line for line in both.lines if line.startswith("base")] == ["base  0.5", "base  0.1"]
    assert one.lines[0] == f"{file}: weight_decay"
    assert "".join(both.out).endswith(one.out)


def test_whose_base(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedules: {beta1: {constant: }, beta2: {constant: }}\n"
    unclear = cli("show", write(text), "--base", "0.9")
    clear = cli("show", write(text), "--base", "0.9", "--name", "beta2")

    assert unclear.status == 2
    assert "--base: which of beta1, beta2 is it? Say so with --name." in unclear.err
    assert clear.lines[1] == "base  0.9"


def test_problems_of_several_schedules(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedules: {lr: {linear: {final: 0}}, beta: {cosine: {final: 0}}}\n"
    done = cli("show", write(text))

    assert [line.split()[1] for line in done.err.splitlines()] == [
        "/schedules/lr:",
        "/schedules/beta:",
    ]
    assert (done.status, done.out) == (1, "")


def test_warnings_do_not_stop_it(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: [{linear: {final: 0, length: 30}}, {constant: }]\n"
    done = cli("show", write(text), "--steps", "20")

    assert done.status == 0
    assert "warning: the stages reach step 30, the run ends at 20" in done.err
    assert done.lines[-1].split() == ["30", "open", "constant", "0"]


def test_an_empty_schedule(cli: Cli, write: Write) -> None:
    done = cli("show", write("lrspec: 1\nschedule: {constant: {value: 3, length: 0}}\n"))

    assert done.lines[-1].split() == ["0", "open", "held", "3"]


def test_a_name_sends_nothing_to_the_terminal(cli: Cli, write: Write) -> None:
    text = 'lrspec: 1\nname: "red\\e[31m\\nline"\nschedule: {constant: }\n'

    assert cli("show", write(text)).lines[1] == "name    red\\x1b[31m\\nline"


def test_standard_input(cli: Cli) -> None:
    assert cli("show", "-", stdin=PRODUCTION).lines[0] == "<stdin>: lr"


@pytest.mark.parametrize("text", ["0:1,5", "0:"])
def test_a_batch_schedule_that_is_none(cli: Cli, write: Write, text: str) -> None:
    done = cli("show", write(PRODUCTION), "--batch-size", text)

    assert done.status in (1, 2)
    assert not done.out
    assert "Traceback" not in done.err


def test_a_document_that_is_not_at_the_root(cli: Cli, write: Write) -> None:
    file = write("optim:\n  lr: 0.1\n  schedule: {lrspec: 1, schedule: {constant: }}\n")
    without, there = cli("show", file), cli("show", file, "--at", "optim.schedule")

    assert without.err.splitlines() == [
        f"{file}:1:1: no document of lrspec stands at the root; one stands at optim.schedule:"
        " add --at optim.schedule, or at='optim.schedule' in Python"
    ]
    assert (without.status, there.status) == (1, 0)
