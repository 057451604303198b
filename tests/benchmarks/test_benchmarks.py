"""The benchmarks count and print rightly; what they find is not judged here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import schedules
from benchmarks.measuring import calls, race, ratios
from benchmarks.rows import Missing, Row, at_least, at_most
from benchmarks.table import heading, line

from lrspec.loading import from_dict

ROOT = Path(__file__).parents[2]
STEPS = 88_004


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def words(row: Row) -> str:
    return " ".join(line(row).split())


def test_all_take_their_turns() -> None:
    counts = [0, 0]

    def count(which: int) -> None:
        counts[which] += 1

    first, second = race(calls(lambda: count(0)), calls(lambda: count(1)), rounds=3, seconds=0.0001)

    assert len(first) == len(second) == len(ratios(first, second)) == 3
    assert all(seconds > 0 for seconds in first + second)
    assert min(counts) > 3


def test_a_row_says_what_was_missed() -> None:
    row = Row("slow / quick", (4, 3, 2, 1, 5), at_most(2.5))

    assert row.median == 3
    assert row.quartiles == (2.0, 4.0)
    assert words(row) == "slow / quick 3 × 2 – 4 ≤ 2.5 missed"
    assert row.as_json()["met"] is False


def test_a_row_of_one_figure_has_no_spread() -> None:
    row = Row("equations", (1234.0,), at_least(4), unit="")

    assert row.quartiles is None
    assert words(row) == "equations 1,234 ≥ 4"
    assert row.as_json() == {
        "what": "equations",
        "median": 1234,
        "quartiles": None,
        "rounds": 1,
        "unit": "",
        "target": "≥ 4",
        "met": True,
    }


def test_columns_stand_below_their_headings() -> None:
    shown = line(Row("slow / quick", (1.25, 1.25), at_most(2)))

    assert shown.index("≤ 2") + 3 == len(heading())
    assert line(Missing("no torch")) == "  not measured: no torch"


@pytest.mark.parametrize(
    ("document", "closure"),
    [
        (schedules.production(STEPS), schedules.production_by_hand(STEPS)),
        (schedules.warmup_cosine(STEPS), schedules.warmup_cosine_by_hand(STEPS)),
        (schedules.inverse_sqrt(), schedules.inverse_sqrt_by_hand()),
    ],
    ids=["production", "warmup-cosine", "inverse-sqrt"],
)
def test_closures_by_hand_do_the_same_arithmetic(
    document: dict[str, object], closure: schedules.Closure
) -> None:
    values = from_dict(document).bind().values(0, STEPS + 10)

    assert list(values) == [closure(step) for step in range(STEPS + 10)]


def test_the_command_prints_a_table_and_writes_a_report(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = command("memory", "--json", str(report))

    assert done.returncode == 0, done.stderr
    found = json.loads(report.read_text())
    assert set(found) == {"machine", "topics"}
    assert found["machine"]["Python"] in done.stdout
    assert list(found["topics"]) == ["memory"]
    for row in found["topics"]["memory"]:
        assert f"\n  {row['what']} " in done.stdout


def test_the_command_knows_its_topics() -> None:
    done = command("speed")

    assert done.returncode == 1
    assert done.stderr.startswith("no topic is named speed; there are evaluate, values, ")
