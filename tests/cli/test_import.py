"""`lrspec import`: what it prints, what it writes, and that bad input leaves nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Cli

from lrspec.importing.registry import names
from lrspec.loading import load, loads

Write = Callable[..., str]

DEBUG = """\
[optimizer]
name = "AdamW"
lr = 8e-4

[lr_scheduler]
warmup_steps = 2
decay_ratio = 0.8
decay_type = "linear"

[training]
steps = 10
"""
REPORT = """\
Imported from torchtitan lr_scheduler.
- decay_ratio 0.8 of 10 steps is 8, rounded half to even.
- The first update is at 1/2 of the rate, the warmup ends at step 1.
- Beyond step 10 the formula goes on, as it does in torchtitan.

from    to  kind      from value  to value
   0     1  linear        0.0004    0.0008
   1     2  constant      0.0008    0.0008
   2    10  linear        0.0008         0
  10  open  goes on
"""
BODY = """\
lrspec: 1
base: 0.0008
training: {steps: 10}
schedule:
- linear: {initial: 0.5, final: 1, length: 1}
- constant:
- linear: {final: 0, after: extend, length: 8}
"""
DOCUMENT = "".join(f"# {line}".rstrip() + "\n" for line in REPORT.splitlines()) + "\n" + BODY


def test_the_document_stands_under_what_was_assumed(cli: Cli, write: Write) -> None:
    done = cli("import", "torchtitan", write(DEBUG, "debug.toml"))

    assert (done.status, done.out, done.err) == (0, DOCUMENT, "")


def test_with_output_the_document_is_written_and_the_rest_printed(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    done = cli("import", "torchtitan", write(DEBUG, "debug.toml"), "-o", "a.lrspec.yaml")

    assert (done.status, done.out, done.err) == (0, REPORT, "")
    assert (tmp_path / "a.lrspec.yaml").read_text("utf-8") == DOCUMENT
    assert load(tmp_path / "a.lrspec.yaml") == loads(BODY)


FLAT = {"lr": 8e-4, "warmup_steps": 2, "decay_ratio": 0.8, "decay_type": "linear", "steps": 10}


@pytest.mark.parametrize("system", ["torchtitan", "TorchTitan"])
def test_standard_input(cli: Cli, system: str) -> None:
    assert cli("import", system, "-", stdin=json.dumps(FLAT)).out == DOCUMENT


@pytest.mark.parametrize("at", ["run.0", "/run/0"])
def test_a_part_of_a_file(cli: Cli, write: Write, at: str) -> None:
    file = write(json.dumps({"run": [FLAT], "other": {"a/b": 1}}), "all.json")

    assert cli("import", "torchtitan", file, "--at", at).out == DOCUMENT


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("run.1", "all.json:1:9: /run: there is no '1' here, but a list of 1, counted from 0"),
        ("runs", "all.json:1:1: there is no 'runs' here, but run and other"),
        (
            "/other/a~1b",
            "all.json:1:43: /other/a~1b: a configuration of torchtitan is a mapping, found 1",
        ),
        ("other.c", "all.json:1:35: /other: there is no 'c' here, but a/b"),
    ],
)
def test_a_part_that_is_not_there(cli: Cli, write: Write, at: str, message: str) -> None:
    file = write('{"run": [{"steps": 10}], "other": {"a/b": 1}}', "all.json")
    done = cli("import", "torchtitan", file, "--at", at)

    assert (done.status, done.out, done.err) == (1, "", f"{message}\n")


def test_facts_that_the_configuration_leaves_to_the_run(cli: Cli, write: Write) -> None:
    file = write("[lr_scheduler]\nwarmup_steps = 2\ndecay_ratio = 0.8\n", "a.toml")
    done = cli("import", "torchtitan", file, "--steps", "10", "--base", "8e-4")

    assert loads(done.out) == loads(BODY)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.toml: there is no lr_scheduler here, and no field of one"),
        ("[lr_scheduler]\nwarmup_steps = 1\n", "the decay of torchtitan ends with the run; give"),
        ("[lr_scheduler]\nwarmup_stps = 2\n", "did you mean 'warmup_steps'?"),
        ("[lr_scheduler]\nwarmup_steps = 2.5\n", "expected a whole number, found 2.5"),
        ("[lr_scheduler]\nwarmup_steps = inf\n", "inf is not a finite number"),
        ("[lr_scheduler]\nwarmup_steps = 1979-05-27\n", "found datetime.date"),
        ("[lr_scheduler\n", "a.toml: the file cannot be read: "),
        ("\0", "the file is not text"),
    ],
)
def test_bad_configurations(
    cli: Cli, write: Write, tmp_path: Path, text: str, message: str
) -> None:
    steps = () if text.endswith("= 1\n") else ("--steps", "10")
    done = cli("import", "torchtitan", write(text, "a.toml"), "-o", "out.yaml", *steps)

    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.toml"]


def test_a_file_that_is_not_there(cli: Cli) -> None:
    done = cli("import", "torchtitan", "none.toml")

    assert (done.status, done.err) == (1, "none.toml: there is no such file\n")


@pytest.mark.parametrize(
    ("flag", "value"), [("--steps", "0"), ("--steps", "2.5"), ("--base", "-1")]
)
def test_facts_that_are_none(cli: Cli, write: Write, flag: str, value: str) -> None:
    done = cli("import", "torchtitan", write("[lr_scheduler]\n", "a.toml"), flag, value)

    assert (done.status, done.out) == (1, "")
    assert f"number above 0, found {value}" in done.err


def test_a_fact_that_contradicts_the_configuration(cli: Cli, write: Write) -> None:
    done = cli("import", "torchtitan", write(DEBUG, "debug.toml"), "--steps", "20")

    assert done.status == 1
    assert "/training/steps: steps is 10 in the configuration and 20 here" in done.err


def test_the_configuration_is_not_overwritten(cli: Cli, write: Write, tmp_path: Path) -> None:
    file = write(DEBUG, "debug.toml")
    done = cli("import", "torchtitan", file, "-o", f"./{file}")

    assert done.status == 2
    assert "is the configuration itself" in done.err
    assert (tmp_path / file).read_text() == DEBUG


def test_a_system_without_an_importer(cli: Cli) -> None:
    done = cli("import", "torchtian", "a.toml")

    assert done.status == 2
    assert "no importer is named 'torchtian'; did you mean 'torchtitan'?" in done.err


def test_without_a_file_the_schedule_says_it_all(cli: Cli) -> None:
    done = cli("import", "praxis")

    assert (done.status, done.out) == (2, "")
    assert "Missing argument 'FILE'." in done.err
    assert "constant: {value: 2}" in cli("import", "praxis", "--schedule", "Constant(2)").out


def test_help_names_the_systems(cli: Cli) -> None:
    words = cli("import", "--help").out.replace(",", " ").split()

    assert set(names()) <= set(words)


def test_standard_input_over_a_file_that_is_there(cli: Cli, write: Write, tmp_path: Path) -> None:
    there = write("lrspec: 1\n", "a.lrspec.yaml")

    done = cli("import", "torchtitan", "-", "-o", there, stdin=json.dumps(FLAT))

    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "a.lrspec.yaml").read_text("utf-8") == DOCUMENT


def test_code_is_not_overwritten(cli: Cli, write: Write, tmp_path: Path) -> None:
    code = "def rate(step):\n    return 1\n"
    file = write(code, "rates.py")
    arguments = ("import", "callable", f"{file}:rate", "--steps", "3", "--sample", "-o")
    refused = cli(*arguments, file)

    assert refused.status == 2
    assert "is the configuration itself" in refused.err
    assert (tmp_path / file).read_text("utf-8") == code
    assert cli(*arguments, "rate.lrspec.yaml").status == 0
