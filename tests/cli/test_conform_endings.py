"""`lrspec conform --command` with programs that close their ends of the pipes, or stay."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.suites import golden, write_suite

from lrspec.conformance import program, suite
from lrspec.conformance.answers import Answer, Broken, Values
from lrspec.conformance.program import Program

# Gives the first answer, and then does what stands in its place.
ONCE = """\
import json, os, sys, time
request = json.loads(sys.stdin.readline())
{before}
print(json.dumps({{"id": request["id"], "values": ["1", "0.7", "0"]}}), flush=True)
{after}
"""

# Answers all there is to answer, and stays.
STAY = """\
for line in sys.stdin:
    request["id"] = json.loads(line)["id"]
    print(json.dumps({"id": request["id"], "values": ["1", "0.7", "0"]}), flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program has less time to end by itself."""
    monkeypatch.setattr(program, "_END_S", 0.3)


@pytest.fixture
def cases(tmp_path: Path) -> suite.Suite:
    return suite.read(
        write_suite(
            tmp_path / "suite",
            {f"golden/linear/{name}": golden() for name in ("first", "second", "third")},
        )
    )


def answers(cases: suite.Suite, *, before: str = "pass", after: str = "pass") -> Iterator[Answer]:
    """What the program answers, one case after the other; it is closed after the last."""
    command = [sys.executable, "-c", ONCE.format(before=before, after=after)]
    with Program(command, "float64", timeout=60) as asked:
        yield from map(asked.answer, cases.cases)


def test_a_program_that_closes_its_output(cases: suite.Suite) -> None:
    first, second, third = answers(cases, after="os.close(1); time.sleep(60)")

    assert isinstance(first, Values)
    assert second == Broken("the program has ended, or closed its output")
    assert third == Broken("not asked: the program has ended, or closed its output")


def test_a_program_that_closes_its_input(cases: suite.Suite) -> None:
    """What is written to it is lost, and says so at once."""
    first, second, third = answers(cases, before="os.close(0)", after="time.sleep(60)")

    assert isinstance(first, Values)
    assert second == Broken("the program has ended, or closed its output")
    assert third == Broken("not asked: the program has ended, or closed its output")


def test_a_program_that_closes_its_input_and_ends(cases: suite.Suite) -> None:
    _, second, _ = answers(cases, before="os.close(0)", after="os._exit(7)")

    assert second == Broken("the program has ended, with status 7")


def test_a_program_that_stays_is_ended(cases: suite.Suite) -> None:
    """It reads all there is, and does not end when there is no more."""
    began = time.monotonic()

    first, second, third = answers(cases, after=STAY)

    assert [type(answer) for answer in (first, second, third)] == [Values] * 3
    assert time.monotonic() - began < 30
