"""`lrspec check`: what it finds, in which files, and how it says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import PRODUCTION, Cli

from lrspec.loading import load
from lrspec.problems import SpecError

Write = Callable[..., str]


def test_a_good_file_is_ok(cli: Cli, write: Write) -> None:
    done = cli("check", write(PRODUCTION))

    assert done == type(done)(0, "a.lrspec.yaml: OK\n", "")


def test_every_problem_of_every_file(cli: Cli, write: Write) -> None:
    bad = write("lrspec: 1\nschedule:\n  - linear: {finale: 0}\n  - cosin: {}\n", "bad.yaml")
    good = write(PRODUCTION, "good.yaml")
    worse = write("lrspec: [\n", "worse.yaml")
    done = cli("check", bad, good, worse)

    places = [line.partition(" ")[0] for line in done.lines]
    assert places[:2] == ["bad.yaml:3:14:", "bad.yaml:4:5:"]
    assert done.lines[2] == "good.yaml: OK"
    assert places[3].startswith("worse.yaml:")
    assert done.status == 1


def test_facts_may_be_left_to_the_host(cli: Cli, write: Write) -> None:
    text = """\
lrspec: 1
schedule:
  - linear: {final: 1, length: 1 epoch}
  - token_power: {amplitude: 4.6, exponent: -0.51}
  - cosine: {final: 0, length: 10%}
"""
    done = cli("check", write(text))

    unseen = "the curve was not looked at without training.steps_per_epoch (--steps-per-epoch)"
    assert done.out == f"a.lrspec.yaml: OK; {unseen}\n"
    assert done.status == 0
    two = "schedules:\n  lr: {linear: {final: 0, length: 1 epoch}}\n"
    two += "  momentum: {token_power: {amplitude: 1, exponent: -0.5}}\n"
    facts = "training.steps_per_epoch and training.batch_size (--steps-per-epoch --batch-size)"
    missed = cli("check", write(f"lrspec: 1\nx-allow: [no-base]\n{two}"))
    assert missed.out == f"a.lrspec.yaml: OK; the curve was not looked at without {facts}\n"


def test_what_only_binding_finds(cli: Cli, write: Write) -> None:
    text = """\
lrspec: 1
rounding: floor
training: {steps: 100}
schedules:
  lr:
    piecewise_linear: {boundaries: [1.2%, 1.4%], values: [1, 0]}
  momentum:
    - constant: {value: 0.9, length: 80}
    - constant: {length: 0}
    - linear: {final: 0.8}
    - constant: {length: 40}
"""
    done = cli("check", write(text))

    assert done.lines == [
        "a.lrspec.yaml:6:43: /schedules/lr/piecewise_linear/boundaries/1:"
        " boundaries must increase: 1.4% after 1.2% (1 after 1)",
        "a.lrspec.yaml:10:7: /schedules/momentum/2:"
        " nothing is left for the open stage: 80 + 0 + 40 = 120 > 100 steps",
    ]
    assert done.status == 1


def test_the_same_problem_of_two_schedules_is_one(cli: Cli, write: Write) -> None:
    text = """\
lrspec: 1
schedules:
  lr: &same
    - linear: {initial: 0.5, final: 1, length: 10}
    - constant: {length: 20}
  momentum: *same
training: {steps: 15}
x-allow: [no-base, long-warmup]
"""
    done = cli("check", write(text))
    warning = "warning: the stages reach step 30, the run ends at 15 [beyond-the-run]"

    assert done.lines == [
        f"a.lrspec.yaml:5:7: /schedules/lr/1: {warning}",
        f"a.lrspec.yaml:5:7: /schedules/momentum/1: {warning}",
        "a.lrspec.yaml: OK",
    ]
    assert done.status == 0


def test_standard_input(cli: Cli) -> None:
    assert cli("check", "-", stdin=PRODUCTION).out == "<stdin>: OK\n"
    assert cli("check", "-", stdin="").out == "<stdin>:1:1: the document is empty\n"
    large = cli("check", "-", stdin=b"#" * (8 * 2**20 + 1))
    assert large.out == "<stdin>: the document is larger than 8 MiB\n"


@pytest.mark.parametrize("name", ["a b.yaml", "ä.yaml"])
def test_a_name_is_printed_as_it_is(cli: Cli, write: Write, name: str) -> None:
    assert cli("check", write(PRODUCTION, name)).out == f"{name}: OK\n"


def test_a_name_stays_in_its_line(cli: Cli, write: Write) -> None:
    assert cli("check", write(PRODUCTION, "a\nb.yaml")).out == "a\\nb.yaml: OK\n"


def test_without_files(cli: Cli) -> None:
    done = cli("check")

    assert done.status == 2
    assert not done.out
    assert "Missing argument 'FILE…'" in done.err


def test_warnings_are_no_errors_and_name_their_code(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule:\n  - constant: {value: 1, length: 3}\n  - constant: {value: 2}\n"
    message = "warning: the value jumps from 1 to 2 at step 3 [jump]"
    hint = "left out, it starts where the stage before it ends"
    done = cli("check", write(text))

    assert done.lines == [
        f"a.lrspec.yaml:4:23: /schedule/1/constant/value: {message}; {hint}",
        "a.lrspec.yaml: OK",
    ]
    assert done.status == 0
    assert cli("check", write(f"x-allow: [jump]\n{text}")).out == "a.lrspec.yaml: OK\n"


def test_strict(cli: Cli, write: Write) -> None:
    file = write("lrspec: 1\nschedule: [constant: {value: 1, length: 3}, constant: {value: 2}]\n")

    assert cli("check", file).status == 0
    strict = cli("check", file, "--strict")
    assert strict.status == 1
    assert "[jump]" in strict.out and "OK" not in strict.out
    assert cli("check", write(PRODUCTION), "--strict").status == 0


def test_facts_make_more_warnings(cli: Cli, write: Write) -> None:
    file = write("lrspec: 1\nschedule:\n  - linear: {initial: 0.1, final: 1, length: 30}\n")

    assert cli("check", file).lines == ["a.lrspec.yaml: OK"]
    assert "[long-warmup]" in cli("check", file, "--steps", "50").out
    assert "[large-rate]" in cli("check", file, "--base", "20").out


def test_facts_of_the_file_may_be_replaced(cli: Cli, write: Write) -> None:
    file = write(PRODUCTION)
    done = cli("check", file, "--steps", "1000")

    assert done.status == 1
    assert "steps is 88004 in the document and 1000 where it is bound" in done.out
    assert cli("check", file, "--steps", "1000", "--override").status == 0


def test_what_a_file_allows_is_allowed_everywhere(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\ntraining: {steps: 10}\nschedule: [{linear: {final: 0.5, length: 20}}]\n"
    allowed = "x-allow: [beyond-the-run, no-base, no-change, final-not-applied]\n"

    for command in ("show", "values"):
        assert "beyond-the-run" in cli(command, write(text)).err
        assert cli(command, write(allowed + text)).err == ""


EMBEDDED = """\
model: {1: a, layers: 12}
optim:
  lr: .inf
  schedules:
    - lrspec: 1
      schedule: {cosin: {final: 0}}
    - lrspec: 1
      schedule: {cosine: {initial: 1, final: 0}}
"""


def test_a_document_in_a_larger_file(cli: Cli, write: Write) -> None:
    file = write(EMBEDDED, "train.yaml")

    part, steps = ("--at", "optim.schedules.1"), ("--steps", "10")
    assert cli("check", file, *part, *steps).out.endswith("train.yaml: OK\n")
    assert "training.steps (--steps)" in cli("check", file, *part).out
    assert cli("check", "-", *part, *steps, stdin=EMBEDDED).out.endswith("<stdin>: OK\n")
    done = cli("check", file, "--at", "optim.schedules.0")
    assert done.lines == [
        "train.yaml:6:18: /optim/schedules/0/schedule: unknown kind 'cosin'; did you mean 'cosine'?"
    ]
    assert cli("check", file, "--at", "optim.schedule").lines == [
        "train.yaml:3:3: /optim: there is no 'schedule' here, but lr and schedules"
    ]
    assert cli("check", file, "--at", "optim").lines == [
        "train.yaml:3:3: /optim: no document of lrspec stands here; one stands at"
        " optim.schedules.0: add --at optim.schedules.0, or at='optim.schedules.0' in Python"
    ]
    infinite = write("optim:\n  lrspec: 1\n  base: .inf\n  schedule: {constant: }\nlr: .nan\n")
    assert "not a finite number" in cli("check", infinite, "--at", "optim").out


@pytest.mark.parametrize("number", ["00", "-1", "2", "\u0661", "9" * 5000])
def test_no_other_number_than_that_of_an_item(cli: Cli, write: Write, number: str) -> None:
    done = cli("check", write(EMBEDDED, "train.yaml"), "--at", f"optim.schedules.{number}")

    assert done.status == 1
    assert done.out.startswith("train.yaml:5:5: /optim/schedules: there is no '")


def test_every_command_looks_into_a_larger_file(cli: Cli, write: Write, tmp_path: Path) -> None:
    file = write(EMBEDDED, "train.yaml")
    alone = write("lrspec: 1\nschedule: {cosine: {initial: 1, final: 0}}\n")
    at = ("--at", "optim.schedules.1", "--steps", "10")

    assert cli("show", file, *at).lines[1:] == cli("show", alone, "--steps", "10").lines[1:]
    assert cli("plot", file, *at, "-o", "a.html").status == 0
    twice = cli("diff", file, file, *at)
    assert (twice.status, twice.out) == (0, "lr: equal at every step\n")
    document = load(tmp_path / file, at="optim.schedules.1")
    assert document == load(tmp_path / alone)
    with pytest.raises(SpecError, match="there is no 'schedule' here"):
        load(tmp_path / file, at="optim.schedule")


BROKEN = """\
lrspec: 1
schedule:
  - constant: {value: 1, length: 3}
  - constant: {value: "é, 50%:"}
"""
FOUND = {
    "severity": "error",
    "code": "wrong-type",
    "file": "a.lrspec.yaml",
    "path": "/schedule/1/constant/value",
    "line": 4,
    "column": 23,
    "message": "expected a number, found 'é, 50%:'",
    "expected": "a number",
    "found": "'é, 50%:'",
    "hint": None,
}


def test_json(cli: Cli, write: Write) -> None:
    done = cli("check", write(BROKEN), write(PRODUCTION, "b.yaml"), "--format", "json")
    report = json.loads(done.out)

    assert done.status == 1
    assert (report["files"], report["errors"], report["warnings"]) == (2, 1, 0)
    assert report["problems"] == [FOUND]


@pytest.mark.parametrize("form", ["json", "sarif"])
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_json_in_any_encoding(write: Write, tmp_path: Path, form: str, encoding: str) -> None:
    command = [sys.executable, "-m", "lrspec", "check", write(BROKEN, "é.yaml"), "--format", form]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)

    assert "found 'é, 50%:'" in json.dumps(json.loads(done.stdout), ensure_ascii=False)


def test_github(cli: Cli, write: Write) -> None:
    done = cli("check", write(BROKEN, "a,b.yaml"), "--format", "github")

    assert done.status == 1
    assert done.lines == [
        "::error file=a%2Cb.yaml,line=4,col=23,title=lrspec wrong-type::"
        "/schedule/1/constant/value: expected a number, found 'é, 50%25:'"
    ]
    missing = cli("check", "none.yaml", "--format", "github")
    assert missing.lines == [
        "::error file=none.yaml,title=lrspec unreadable-file::there is no such file"
    ]
    jump = BROKEN.replace('"é, 50%:"', "2")
    assert cli("check", write(jump), "--format", "github").out.startswith("::warning file=a.lr")


def test_sarif(cli: Cli, write: Write, tmp_path: Path) -> None:
    jump = BROKEN.replace('"é, 50%:"', "2")
    absolute = str(tmp_path / write(jump, "j.yaml"))
    names = (write(BROKEN, "a b.yaml"), absolute, "none.yaml")
    done = cli("check", *names, "--format", "sarif")
    log = json.loads(done.out)
    (run,) = log["runs"]
    driver = run["tool"]["driver"]

    assert done.status == 1
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in driver["rules"]] == ["jump", "unreadable-file", "wrong-type"]
    results = run["results"]
    assert [(r["ruleId"], r["ruleIndex"], r["level"]) for r in results] == [
        ("wrong-type", 2, "error"),
        ("jump", 0, "warning"),
        ("unreadable-file", 1, "error"),
    ]
    assert results[0]["message"]["text"] == f"{FOUND['path']}: {FOUND['message']}"
    assert results[1]["message"]["text"].endswith(
        "; left out, it starts where the stage before it ends"
    )
    assert results[0]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20b.yaml"},
                "region": {"startLine": 4, "startColumn": 23},
            },
            "logicalLocations": [{"fullyQualifiedName": FOUND["path"]}],
        }
    ]
    (place,) = results[1]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == (tmp_path / "j.yaml").as_uri()
    assert results[2]["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "none.yaml"}}}
    ]


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_name_that_is_no_text(cli: Cli, tmp_path: Path, form: str) -> None:
    name = os.fsdecode(b"a\xff.yaml")
    (tmp_path / name).write_text(BROKEN)
    done = cli("check", name, "--format", form)

    assert done.status == 1
    assert ("a%FF.yaml" if form == "sarif" else "a\\udcff.yaml") in done.out


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_nothing_wrong(cli: Cli, write: Write, form: str) -> None:
    done = cli("check", write(PRODUCTION), "--format", form)

    assert done.status == 0
    report = json.loads(done.out or "{}")
    assert report.get("problems", []) == []
    assert [run["results"] for run in report.get("runs", [])] == [[]] * (form == "sarif")
