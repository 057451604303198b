"""`lrspec show` on a terminal: the curve below its stages."""

from __future__ import annotations

import io
import os
import pty
import re
import sys
from collections.abc import Callable

import pytest
from tests.cli.conftest import PRODUCTION, Cli

from lrspec.cli.chart import Scale, chart
from lrspec.cli.terminal import Terminal
from lrspec.loading import loads

Write = Callable[..., str]

WARMUP = """\
lrspec: 1
base: 3e-4
training: {steps: 1000}
schedule:
  - linear: {initial: 0, final: 1, length: 200}
  - constant:
  - cosine: {final: 0, length: 30%}
"""


@pytest.fixture(autouse=True)
def _of_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "25")


def test_a_straight_axis(cli: Cli, write: Write) -> None:
    done = cli("show", write(WARMUP), "--plot")

    assert done.lines[9:] == [
        "",
        " 0.0003 ┤             ⢰⠋⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠙⠲⢄",
        "        │            ⣰⠃                                       ⠱⣄",
        "0.00025 ┤           ⣰⠃                                         ⠈⢧",
        "        │          ⣰⠃                                            ⢳⡀",
        " 0.0002 ┤         ⣰⠃                                              ⢳⡀",
        "        │        ⣰⠃                                                ⢳⡀",
        "0.00015 ┤       ⣰⠃                                                  ⢳⡀",
        "        │      ⣰⠃                                                    ⢳⡀",
        "        │     ⡰⠁                                                      ⢳⡀",
        " 0.0001 ┤    ⡰⠁                                                        ⢳⡀",
        "        │   ⡼⠁                                                          ⠱⡄",
        "  5e-05 ┤  ⡼⠁                                                            ⠙⣄",
        "        │ ⡼⠁                                                              ⠈⢦⡀",
        "      0 ┤⡼⠁                                                                 ⠙⠢⣄⣀",
        "        └┴─────────────┴──────────────────────────────────┴────────────────────┴",
        "         0            200                                700                1000",
        "             linear                 constant                     cosine",
    ]


def test_a_log_axis_where_values_lie_far_apart(cli: Cli, write: Write) -> None:
    file = write(PRODUCTION)
    plain, log, linear = (
        cli("show", file, "--plot", *more).lines for more in ([], ["--log"], ["--linear"])
    )

    assert plain == log != linear
    assert [line.split()[0] for line in log if "┤" in line] == [
        "0.004",
        "0.001",
        "0.0001",
        "1e-05",
        "1e-06",
    ]
    assert [line.split()[0] for line in linear if "┤" in line] == [
        "0.004",
        "0.003",
        "0.002",
        "0.001",
        "0",
    ]
    assert log[-2].split() == ["0", "39601.8", "88004"]


def test_zero_has_no_place_on_a_log_axis(cli: Cli, write: Write) -> None:
    lines = cli("show", write(WARMUP), "--plot", "--log").lines

    assert [line.split()[0] for line in lines if "┤" in line] == [
        "0.0003",
        "0.0001",
        "1e-05",
        "1e-06",
        "3e-07",
    ]
    nothing = cli("show", write("lrspec: 1\nschedule: {constant: {value: 0}}\n"), "--plot", "--log")
    assert nothing.lines[-1] == "no value is above 0: there is nothing to draw on a log axis"


@pytest.mark.parametrize(
    ("schedule", "labels"),
    [
        ("{constant: {value: 0.25}}", ["0.25"]),
        ("{linear: {initial: -1, final: 3}}", ["3", "2", "1", "0", "-1"]),
        ("{linear: {initial: 0.85, final: 0.95}}", ["0.95", "0.925", "0.9", "0.875", "0.85"]),
        (
            "{linear: {initial: -1e300, final: 1e300}}",
            ["1e+300", "5e+299", "0", "-5e+299", "-1e+300"],
        ),
        ("{linear: {initial: 1, final: 1e-3}}", ["1", "0.75", "0.5", "0.25", "0"]),
    ],
)
def test_labels(cli: Cli, write: Write, schedule: str, labels: list[str]) -> None:
    done = cli("show", write(f"lrspec: 1\nschedule: {schedule}\n"), "--plot", "--steps", "100")

    assert [line.split()[0] for line in done.lines if "┤" in line] == labels


def test_labels_of_what_lies_farther_apart_than_float64_goes(cli: Cli, write: Write) -> None:
    file = write("lrspec: 1\nbase: 1e300\nschedule: {linear: {initial: 1e8, final: -1e8}}\n")
    done = cli("show", file, "--plot", "--steps", "100")

    assert [line.split()[0] for line in done.lines if "┤" in line] == [
        "1e+308",
        "5e+307",
        "0",
        "-5e+307",
        "-1e+308",
    ]


def test_a_period_that_begins_at_the_end_is_left_out(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: {repeat: {period: 50, schedule: {linear: {final: 0}}}}\n"
    lines = cli("show", write(text), "--plot", "--steps", "100").lines

    assert lines[-2].split() == ["0", "99"]
    assert len([line for line in lines if line.rstrip().endswith("⢸")]) == 0


def test_one_step(cli: Cli, write: Write) -> None:
    done = cli(
        "show", write("lrspec: 1\nschedule: {constant: {value: 3}}\n"), "--plot", "--steps", "1"
    )

    assert [line.split()[0] for line in done.lines if "┤" in line] == ["3"]


@pytest.mark.parametrize(("columns", "width"), [("10", 40), ("60", 60), ("300", 120)])
def test_width(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    assert max(map(len, cli("show", write(WARMUP), "--plot").lines[9:])) == width


def test_an_output_without_dots() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii", errors="backslashreplace", write_through=True)
    curve = loads(WARMUP).bind()
    chart(Terminal(stream), curve, 1000, log=False)
    text = stream.buffer.getvalue().decode()

    assert "\\" not in text
    assert text.splitlines()[0].startswith(" 0.0003 +             ****")


def test_scale_of_one_value() -> None:
    assert Scale(2.0, 2.0, False).height(2.0) == 0.5


def terminal(*arguments: str) -> str:
    """What the command writes to a real terminal."""
    leader, follower = pty.openpty()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "lrspec", *arguments],
        {**os.environ, "TERM": "xterm-256color"},
        file_actions=[(os.POSIX_SPAWN_DUP2, follower, 1)],
    )
    os.close(follower)
    parts: list[bytes] = []
    try:
        while part := os.read(leader, 4096):
            parts.append(part)
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert os.waitpid(pid, 0)[1] == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_a_terminal_is_drawn_on(cli: Cli, write: Write) -> None:
    file = write(WARMUP)
    drawn, plain = terminal("show", file), cli("show", file, "--plot").out

    assert "\x1b[36m" in drawn
    assert re.sub(r"\x1b\[[0-9;]*m", "", drawn) == plain
    assert "┤" not in terminal("show", file, "--no-plot")
    assert "┤" not in cli("show", file).out


def test_a_terminal_without_colour(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    file = write(WARMUP)
    drawn = terminal("show", file)

    assert "\x1b" not in drawn
    assert drawn == cli("show", file, "--plot").out
