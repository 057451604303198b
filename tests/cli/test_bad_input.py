"""Bad input: one line that says where and what, exit status 1, no traceback, nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import PRODUCTION, Cli

HEAD = "lrspec: 1\n"
F = "a.lrspec.yaml"


def linear(body: str) -> str:
    return f"{HEAD}schedule:\n  linear: {body}\n"


def steps(written: str) -> str:
    return f"{HEAD}training: {{steps: {written}}}\nschedule: {{linear: {{final: 0}}}}\n"


def not_finite(spelled: str, message: str) -> object:
    first = f"{F}:3:19: /schedule/linear/final: {message}"
    return pytest.param(linear(f"{{final: {spelled}}}"), first, id=spelled)


BOMB = (
    HEAD
    + "x-a: &a [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n"
    + "".join(
        f"x-{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "schedule: {linear: {final: 0}}\n"
)

DOCUMENTS = [
    pytest.param(
        f"{HEAD}schedule:\n  cosin: {{final: 0}}\n",
        f"{F}:3:3: /schedule: unknown kind 'cosin'; did you mean 'cosine'?",
        id="unknown kind",
    ),
    pytest.param(
        linear("{finale: 0}"),
        f"{F}:3:12: /schedule/linear: unknown field 'finale'; did you mean 'final'?",
        id="unknown field",
    ),
    pytest.param(
        linear("{initial: 0}"),
        f"{F}:3:3: /schedule/linear: missing field 'final'",
        id="missing field",
    ),
    pytest.param(
        linear("{final: [1]}"),
        f"{F}:3:19: /schedule/linear/final: expected a number, found a list",
        id="wrong type",
    ),
    pytest.param(
        linear('{final: "0.1"}'),
        f"{F}:3:19: /schedule/linear/final: expected a number, found '0.1'; remove the quotes",
        id="quoted number",
    ),
    not_finite(".nan", ".nan is not a finite number in the range of float64"),
    not_finite(".inf", ".inf is not a finite number in the range of float64"),
    not_finite("-.inf", "-.inf is not a finite number in the range of float64"),
    not_finite("1e999", "1e999 is not a finite number in the range of float64"),
    not_finite("NaN", "'NaN' is not a finite number"),
    not_finite("inf", "'inf' is not a finite number"),
    not_finite("-Infinity", "'-Infinity' is not a finite number"),
    pytest.param(
        linear("{final: 0, final: 1}"),
        f"{F}:3:22: /schedule/linear/final: the key 'final' stands twice in line 3,"
        " first in column 12",
        id="duplicate key",
    ),
    pytest.param(
        f"{HEAD}schedule:\n  piecewise_linear: {{boundaries: [0, 10, 10], values: [1, 2, 3]}}\n",
        f"{F}:3:42: /schedule/piecewise_linear/boundaries/2: boundaries must increase: 10 after 10",
        id="boundaries that do not increase",
    ),
    pytest.param(
        f"{HEAD}schedule:\n  piecewise_linear: {{boundaries: [0, 10], values: [1, 2, 3]}}\n",
        f"{F}:3:51: /schedule/piecewise_linear/values: 2 boundaries need 2 values, found 3;"
        " one value a boundary",
        id="boundaries of the wrong number",
    ),
    pytest.param(
        f"{HEAD}training: {{steps: 100}}\nschedule:\n  - linear: {{final: 1, length: 70}}\n"
        "  - constant:\n  - linear: {final: 0, length: 40}\n",
        f"{F}:5:5: /schedule/1: nothing is left for the open stage: 70 + 40 = 110 > 100 steps",
        id="nothing left",
    ),
    pytest.param(
        f"{HEAD}schedule:\n  product:\n    length: 100\n    of:\n"
        "      - - linear: {final: 1, length: 70}\n        - linear: {final: 0, length: 40}\n",
        f"{F}:6:9: /schedule/product/of/0: the stages are longer than what holds them:"
        " 70 + 40 = 110 > 100 steps",
        id="lengths beyond their span",
    ),
    pytest.param(
        linear("{final: 0, length: 0.1}"),
        f"{F}:3:30: /schedule/linear/length: a bare number is a whole number of steps, not 0.1;"
        " did you mean '10%'?",
        id="a length of 0.1",
    ),
    pytest.param(
        f"{HEAD}schedule:\n  - linear: {{final: 1}}\n  - constant:\n",
        f"{F}:4:5: /schedule/1: a second stage without a length; only one can take what is left;"
        " give this stage or stage 0 a length",
        id="two open stages",
    ),
    pytest.param(
        steps("0"),
        f"{F}:2:19: /training/steps: expected a whole number above 0, found 0",
        id="0 steps",
    ),
    pytest.param(
        steps("-5"),
        f"{F}:2:19: /training/steps: expected a whole number above 0, found -5",
        id="-5 steps",
    ),
    pytest.param(
        steps("10.5"),
        f"{F}:2:19: /training/steps: a bare number is a whole number of steps, not 10.5;"
        " did you mean '10.5 steps'?",
        id="10.5 steps",
    ),
    pytest.param(
        steps("true"),
        f"{F}:2:19: /training/steps: expected a whole number of steps or text with a unit,"
        " found true",
        id="true steps",
    ),
    pytest.param(
        steps('"10"'),
        f"{F}:2:19: /training/steps: expected a whole number of steps or text with a unit,"
        " found '10'; remove the quotes, or add a unit: '10 steps'",
        id="quoted steps",
    ),
    pytest.param(
        "lrspec: 2\nschedule: {linear: {final: 0}}\n",
        f"{F}:1:9: /lrspec: the document is written for version 2 of the language;"
        " this reader knows version 1",
        id="a higher version",
    ),
    pytest.param(
        BOMB,
        f"{F}:7:38: the document has more than 1,000,000 nodes, aliases written out",
        id="alias bomb",
    ),
    pytest.param(
        "[" * 200_000,
        f"{F}:1:65: lists and mappings are nested deeper than 64",
        id="200,000 brackets",
    ),
    pytest.param(
        f"{HEAD}# {'x' * (11 * 2**20)}\n", f"{F}: the document is larger than 8 MiB", id="11 MB"
    ),
    pytest.param("", f"{F}:1:1: the document is empty", id="empty"),
    pytest.param(
        bytes(range(256)), f"{F}:3:115: the file is not text: byte 0x80 is not UTF-8", id="binary"
    ),
]


def counted(line: str) -> str:
    """The line, with the place where libyaml gives up by itself (at 1,000 levels, from PyYAML
    6.0.4 on) as the one where the reader does."""
    return line.replace(":1:1001:", ":1:65:")


@pytest.mark.parametrize(("text", "first"), DOCUMENTS)
def test_check_says_what_is_wrong(
    cli: Cli, write: Callable[..., str], text: str | bytes, first: str
) -> None:
    done = cli("check", write(text))

    assert counted(done.lines[0]) == first
    assert done.status == 1
    assert not done.err


@pytest.mark.parametrize("command", ["show", "values"])
@pytest.mark.parametrize(("text", "first"), DOCUMENTS)
def test_nothing_is_shown_of_it(
    cli: Cli, write: Callable[..., str], text: str | bytes, first: str, command: str
) -> None:
    done = cli(command, write(text))

    assert counted(done.err.splitlines()[0]) == first
    assert done.status == 1
    assert not done.out


@pytest.mark.parametrize("command", ["show", "values"])
@pytest.mark.parametrize(
    ("text", "options", "first"),
    [
        pytest.param(
            linear("{final: 0, length: 10%}"),
            [],
            f"{F}:3:30: /schedule/linear/length: 10% needs training.steps, which is not known;"
            " write it in the document or give steps when binding (--steps)",
            id="percent without steps",
        ),
        pytest.param(
            linear("{final: 0, length: 10 tokens}"),
            ["--sequence-length", "8"],
            f"{F}:3:30: /schedule/linear/length: 10 tokens needs training.batch_size, which is not"
            " known; write it in the document or give batch_size when binding (--batch-size)",
            id="tokens without batch size",
        ),
        pytest.param(
            linear("{final: 0}"),
            [],
            f"{F}:3:3: /schedule: linear needs training.steps, which is not known;"
            " write it in the document or give steps when binding (--steps)",
            id="an open stage without steps",
        ),
        pytest.param(
            PRODUCTION,
            ["--steps", "1000"],
            f"{F}:3:19: /training/steps: steps is 88004 in the document and 1000 where it is bound;"
            " give it in one place, or bind with override=True (--override)",
            id="a fact twice",
        ),
        pytest.param(
            PRODUCTION,
            ["--name", "momentum"],
            f"{F}:5:3: /schedule: no schedule has the name 'momentum'; the document schedules lr",
            id="a name that is not scheduled",
        ),
        pytest.param(
            linear("{final: 0}"),
            ["--steps", "0"],
            "/training/steps: given when binding: expected a whole number above 0, found 0",
            id="0 steps given",
        ),
        pytest.param(
            linear("{final: 0}"),
            ["--steps", "-5"],
            "/training/steps: given when binding: expected a whole number above 0, found -5",
            id="-5 steps given",
        ),
        pytest.param(
            linear("{final: 0}"),
            ["--steps", "10.5"],
            "/training/steps: given when binding: a bare number is a whole number of steps,"
            " not 10.5; did you mean '10.5 steps'?",
            id="10.5 steps given",
        ),
        pytest.param(
            linear("{final: 0}"),
            ["--steps", "true"],
            "/training/steps: given when binding: expected a whole number of steps or text with a"
            " unit, found true",
            id="true steps given",
        ),
    ],
)
def test_facts_that_do_not_fit(
    cli: Cli,
    write: Callable[..., str],
    text: str,
    options: list[str],
    first: str,
    command: str,
) -> None:
    done = cli(command, write(text), *options)

    assert done.err.splitlines()[0] == first
    assert done.status == 1
    assert not done.out


@pytest.mark.parametrize("text", [".nan", "inf", "1e999", "x", "", "true", "-1", "absolute"])
def test_a_base_that_is_none(cli: Cli, write: Callable[..., str], text: str) -> None:
    done = cli("show", write(linear("{final: 0, length: 5}")), "--base", text)

    assert done.err.startswith("/base: given when binding: ") or text == "absolute"
    assert len(done.err.splitlines()) == 1
    assert (done.status, done.out) == (1, "")


@pytest.mark.parametrize("command", ["check", "show", "values"])
def test_a_file_that_is_not_there(cli: Cli, command: str) -> None:
    done = cli(command, "none.yaml")

    assert done.out + done.err == "none.yaml: there is no such file\n"
    assert done.status == 1


def test_a_directory(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    done = cli("show", "folder")

    assert done.err == "folder: this is a directory, not a file\n"
    assert done.status == 1
