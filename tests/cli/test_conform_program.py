"""`lrspec conform --command`: the protocol, and what becomes of programs that break it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.suites import golden, invalid, reading, write_suite

from lrspec.conformance import suite

# Answers what it is told for the id, and writes down what it was asked.
SCRIPTED = """\
import json, sys, time
answers = json.load(open("answers.json"))
with open("asked.jsonl", "w", buffering=1, encoding="utf-8") as asked:
    for line in sys.stdin:
        asked.write(line)
        request = json.loads(line)
        answer = answers.get(request["id"]) or {"values": ["1", "0.7", "0"]}
        if answer == "exit":
            sys.exit(3)
        if answer == "sleep":
            time.sleep(60)
        if isinstance(answer, dict):
            answer = json.dumps({"id": request["id"], **answer})
        print(answer, flush=True)
    asked.write("end")
"""

RIGHT = {
    "invalid/no-final": {"error": {"code": "missing-field", "path": "/schedule/linear"}},
    "reading/accepted": {"accepted": True},
    "reading/binary": {"error": {"code": "not-text", "path": ""}},
    "reading/line": {
        "document": {
            "lrspec": 1,
            "schedule": {"linear": {"initial": 1.0, "final": 0, "length": 10}},
        }
    },
}


class Program:
    """A program that answers as it is told, in the directory that commands run in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "program.py").write_text(SCRIPTED)
        self.says({})

    def says(self, answers: dict[str, object]) -> None:
        """What it answers beside what is right."""
        (self.folder / "answers.json").write_text(json.dumps({**RIGHT, **answers}))

    def asked(self) -> list[str]:
        """The lines that it read, and "end" where its input was closed."""
        return (self.folder / "asked.jsonl").read_text(encoding="utf-8").splitlines()


COMMAND = f"{shlex.quote(Path(sys.executable).as_posix())} program.py"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    folder = write_suite(
        tmp_path / "suite",
        {
            "golden/linear/falls": golden(),
            "golden/linear/momentum": golden(
                name="momentum", facts={"steps": 10, "base": 1}, profiles=["float64"]
            ),
            "invalid/no-final": invalid(),
            "reading/accepted": reading(text=["a", {"repeat": ["#é", 2]}], accepted=True),
            "reading/binary": reading(base64="/w==", text=None, error={"code": "not-text"}),
            "reading/line": reading(),
        },
    )
    # Numbers as somebody may write them.
    case = folder / "golden/linear/falls.json"
    case.write_text(case.read_text().replace('"initial": 1,', '"initial": 1.00e0,'))
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))
    return Program(tmp_path)


def test_what_is_asked(cli: Cli, program: Program) -> None:
    done = cli("conform", "--command", COMMAND)

    assert done.lines[-1] == f"{sys.executable} program.py: 6 passed, 0 failed"
    assert done.status == 0
    asked = program.asked()
    assert asked.pop() == "end"
    assert '"linear": {"initial": 1.00e0, "final": 0, "length": 10}' in asked[0]
    line: object = {"lrspec": 1, "schedule": {"linear": {"initial": 1, "final": 0, "length": 10}}}
    momentum: dict[str, object] = {"steps": 10, "base": 1, "name": "momentum"}
    requests: list[dict[str, object]] = [
        {"id": "golden/linear/falls", "document": line, "facts": {}, "steps": ["0", "3", "10"]},
        {
            "id": "golden/linear/momentum",
            "document": line,
            "facts": momentum,
            "steps": ["0", "3", "10"],
        },
        {
            "id": "invalid/no-final",
            "document": {"lrspec": 1, "schedule": {"linear": {"length": 10}}},
            "facts": {},
            "steps": ["0"],
        },
        {"id": "reading/accepted", "format": "yaml", "text": "a#é#é"},
        {"id": "reading/binary", "format": "yaml", "base64": "/w=="},
        {"id": "reading/line", "format": "yaml", "text": reading()["text"]},
    ]
    assert [json.loads(line) for line in asked] == [
        {"profile": "float64", **request} for request in requests
    ]


def test_float32(cli: Cli, program: Program) -> None:
    program.says({"golden/linear/falls": {"values": ["1", "0.69999998807907104", "0"]}})

    done = cli("conform", "--command", COMMAND, "--profile", "float32")

    assert done.lines[-1].endswith(": 5 passed, 0 failed, 3 values not for float32 left out")
    assert {json.loads(line)["profile"] for line in program.asked()[:-1]} == {"float32"}


def test_reading_can_be_declined(cli: Cli, program: Program) -> None:
    program.says({name: {"declined": "no YAML"} for name in RIGHT if name.startswith("reading/")})

    done = cli("conform", "--command", COMMAND)

    assert done.lines[-1].endswith(": 3 passed, 0 failed, 3 declined")
    assert done.status == 0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"values": ["1", "0.5", "0"]}, "step 3: got 0.5, want 0.7"),
        ({"values": ["1", "0.7"]}, "2 values for 3 steps"),
        ({"values": [1, 0.7, 0]}, "a value is not the text of a decimal number: 1"),
        ({"values": ["1", "NaN", "0"]}, "a value is not the text of a decimal number: 'NaN'"),
        ({"values": ["1", "1e999", "0"]}, "a value is beyond float64: 1e999"),
        ({"error": {"code": "syntax", "path": "", "message": "no"}}, "refused: [syntax] no"),
        ({"declined": "why not"}, "only reading cases can be declined: why not"),
        ({"accepted": True}, "no values"),
        ({"value": []}, "no answer, neither values, error, document, accepted nor declined: {"),
        ({"values": [], "error": {}}, "no answer, neither values, error,"),
        ("loading…", "no answer, not JSON: loading…"),
        (" ", "no answer, not JSON: "),
        ("[" * 100_000, "no answer, not JSON: [["),
        ("[]", "no answer, not a JSON object: []"),
        ('{"id": "another", "values": []}', "no answer, its id is not 'golden/linear/falls': {"),
    ],
)
def test_answers_that_are_not_right(
    cli: Cli, program: Program, answer: object, reason: str
) -> None:
    program.says({"golden/linear/falls": answer})

    done = cli("conform", "--command", COMMAND)

    (failure,) = (line for line in done.lines if line.startswith("golden/"))
    assert failure.startswith(f"golden/linear/falls: {reason}")
    assert len(failure) < 400
    assert done.lines[-1].endswith(": 5 passed, 1 failed")
    assert done.status == 1


@pytest.mark.parametrize(
    ("name", "answer", "reason"),
    [
        ("invalid/no-final", {"values": ["1"]}, "accepted, want missing-field at /schedule/linear"),
        ("invalid/no-final", {"declined": "x"}, "only reading cases can be declined: x"),
        ("reading/line", {"document": {"lrspec": 2}}, "read as {'lrspec': 2}, want {"),
        ("reading/binary", {"accepted": True}, "accepted, want not-text"),
    ],
)
def test_answers_of_other_cases_that_are_not_right(
    cli: Cli, program: Program, name: str, answer: object, reason: str
) -> None:
    program.says({name: answer})

    done = cli("conform", "--command", COMMAND)

    assert [line for line in done.lines if line.startswith(f"{name}: {reason}")]
    assert done.status == 1


@pytest.mark.parametrize(
    ("answer", "timeout", "reason"),
    [
        ("exit", "60", "the program has ended, with status 3"),
        ("sleep", "0.5", "the program gave no answer in 0.5 s and was ended"),
    ],
)
def test_a_program_that_is_gone(
    cli: Cli, program: Program, answer: str, timeout: str, reason: str
) -> None:
    program.says({"golden/linear/momentum": answer})

    done = cli("conform", "--command", COMMAND, "--timeout", timeout)

    assert done.lines[-6:-1] == [
        f"golden/linear/momentum: {reason}",
        *(
            f"{name}: not asked: {reason}"
            for name in ("invalid/no-final", "reading/accepted", "reading/binary")
        ),
        "… and 1 more for the same reason",
    ]
    assert done.lines[-1].endswith(": 1 passed, 5 failed")
    assert done.status == 1


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        ((), 2, "give the name of a backend, or --command with a program."),
        (("core", "--command", "x"), 2, "give the name of a backend, or --command"),
        (("core", "--profile", "float64"), 2, "--profile is for --command; a backend has its own."),
        (("--command", ""), 2, "--command is empty."),
        (("--command", "'"), 2, "No closing quotation"),
        (("--command", "no-such-program"), 1, "lrspec: cannot start no-such-program: "),
        (("--command", "x", "--timeout", "0"), 2, "Invalid value for '--timeout'"),
        (("core", "--skip", "none.txt"), 1, "lrspec: none.txt: No such file or directory"),
    ],
)
def test_command_lines_that_are_wrong(
    cli: Cli, program: Program, arguments: tuple[str, ...], status: int, complaint: str
) -> None:
    done = cli("conform", *arguments)

    assert complaint in done.err
    assert done.status == status


def test_lists(cli: Cli, program: Program, tmp_path: Path) -> None:
    program.says({"golden/linear/falls": {"values": ["0", "0", "0"]}})
    (tmp_path / "skip.txt").write_text("# No YAML here.\n\nreading/* # not read\n")
    (tmp_path / "fail.txt").write_text("golden/linear/falls  # one off\n")

    done = cli("conform", "--command", COMMAND, "--skip", "skip.txt", "--xfail", "fail.txt")

    assert done.out.splitlines()[2:-2] == [
        "category  passed  failed  skipped  xfailed  left out  values",
        "linear         1       0        0        1         0       6",
        "invalid        1       0        0        0         0       0",
        "reading        0       0        3        0         0       0",
        "total          2       0        3        1         0       6",
    ]
    assert done.lines[-1].endswith(": 2 passed, 0 failed, 3 skipped, 1 xfailed")
    assert done.status == 0
    assert len(program.asked()) == 4


def test_a_pass_that_was_not_expected_fails(cli: Cli, program: Program, tmp_path: Path) -> None:
    (tmp_path / "fail.txt").write_text("golden/*/momentum")

    done = cli("conform", "--command", COMMAND, "--xfail", "fail.txt")

    assert "golden/linear/momentum: expected to fail, and passed" in done.lines
    assert done.status == 1


def test_a_line_that_matches_nothing(cli: Cli, program: Program, tmp_path: Path) -> None:
    (tmp_path / "skip.txt").write_bytes(b"reading/line\n\xffgolden/cosine/*\n")

    done = cli("conform", "--command", COMMAND, "--skip", "skip.txt")

    assert done.err == (
        "lrspec: skip.txt:2: no case that is asked matches"
        " '\N{REPLACEMENT CHARACTER}golden/cosine/*'\n"
    )
    assert (done.status, done.out) == (1, "")


def test_the_report(cli: Cli, program: Program, tmp_path: Path) -> None:
    program.says(
        {
            "golden/linear/falls": {"values": ["0", "0.7", "0"]},
            "reading/line": {"declined": "no YAML"},
        }
    )

    cli("conform", "--command", COMMAND, "--json", "report.json")

    (report,) = json.loads((tmp_path / "report.json").read_text())["reports"]
    cases = {case.pop("case"): case for case in report.pop("cases")}
    assert report == {
        "backend": COMMAND.replace("'", ""),
        "suite": "1.0.0",
        "profile": "float64",
        "good": False,
        "total": numbers(passed=4, failed=1, left_out=1, steps=6),
        "categories": {
            "linear": numbers(passed=1, failed=1, steps=6),
            "invalid": numbers(passed=1),
            "reading": numbers(passed=2, left_out=1),
        },
    }
    assert cases["golden/linear/falls"] == {
        "category": "linear",
        "status": "failed",
        "steps": 3,
        "steps_left_out": 0,
        "differences": [
            {"step": "0", "got": 0.0, "want": 1.0, "error": 2.0**52, "allowed": 0.0},
        ],
    }
    assert cases["reading/line"]["status"] == "left out"
    assert cases["reading/line"]["reason"] == "declined: no YAML"


def numbers(**some: int) -> dict[str, int]:
    """The numbers of a count, 0 where none is given."""
    names = ("passed", "failed", "skipped", "xfailed", "left_out", "steps", "steps_left_out")
    return {name: some.get(name, 0) for name in names}
