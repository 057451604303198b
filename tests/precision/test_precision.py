"""The measurement works with what is installed, on few steps; its limits hold there too."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from precision.__main__ import KINDS
from precision.documents import Document
from precision.errors import Values
from precision.evaluators import Core, Evaluator, installed
from precision.exact import compute
from precision.framework import Answer
from precision.measuring import measure
from precision.runs import Run, Steps, full, quick

import lrspec_spec
from lrspec.loading import from_dict

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Skewed:
    """The reference, one ULP of float32 too high; another way differs at one step."""

    name: str = "skewed"
    single: bool = True

    def ours(self, document: dict[str, Any], steps: Steps) -> Answer:
        values = Core().ours(document, steps).values.astype(np.float32)
        return Answer(np.nextafter(values, np.float32(1)), steps == 3)

    def peers(self, document: str, run: Run, steps: Steps) -> Mapping[str, Values]:
        return {"peer": np.full(len(steps), np.nan, np.float32)}


@pytest.fixture(scope="module")
def evaluators() -> Iterator[list[Evaluator]]:
    with installed() as (found, _):
        yield found


def test_the_full_runs_read_what_is_promised() -> None:
    every, samples, far, farther = full()

    assert set(range(88_005)) <= set(every.steps.tolist())
    assert len(samples.steps) >= 100_000
    assert {2**24, 2**31 - 1} <= set(far.steps.tolist())
    assert {2**24, 2**31 - 1, 2**53} <= set(farther.steps.tolist())
    assert every.narrow and samples.narrow and far.narrow and not farther.narrow
    assert max(far.steps) == 2**31 - 1


def test_every_kind_is_measured() -> None:
    named = set(lrspec_spec.schema()["definitions"]["kind"]["enum"])
    used = {
        kind
        for documents in KINDS.values()
        for document in documents
        for kind in _kinds(document.on(1_100)["schedule"])
    }

    assert used == named


def _kinds(schedule: Any) -> Iterator[str]:
    if isinstance(schedule, list):
        for stage in schedule:
            yield from _kinds(stage)
        return
    ((kind, fields),) = schedule.items()
    yield kind
    for child in (*fields.get("of", ()), *filter(None, [fields.get("schedule")])):
        yield from _kinds(child)


@pytest.mark.parametrize(
    "document", [each for documents in KINDS.values() for each in documents], ids=lambda d: d.name
)
def test_documents_are_valid_on_every_run(document: Document) -> None:
    for run in (*full(), *quick()):
        assert from_dict(document.on(run.horizon)).bind().steps == run.horizon


def test_what_is_wrong_is_found() -> None:
    rows = list(measure("linear", KINDS["linear"][:1], quick()[:1], [Core(), Skewed()]))

    assert [row.name for row in rows] == ["core", "skewed", "peer"]
    core, skewed, peer = rows
    assert core.passed and not skewed.passed
    assert skewed.over > 1_000 and skewed.differing > 1_000
    assert 1 < skewed.error <= 1.5 or skewed.error > 1e30  # 0 has neighbours of its own
    assert peer.limit is None and peer.passed and peer.as_json()["error"] is None


def test_peers_mean_the_curve_of_the_document(evaluators: list[Evaluator]) -> None:
    run, *_ = quick()
    steps = run.steps[run.steps < run.horizon]
    found = 0
    for document in (each for documents in KINDS.values() for each in documents):
        peers = [evaluator.peers(document.name, run, steps) for evaluator in evaluators]
        if any(peers):
            wanted = compute(document.on(run.horizon), steps).high
            for name, values in ((n, v) for each in peers for n, v in each.items()):
                there = np.isfinite(values)
                # One step more or less would be a thousandth of the peak somewhere.
                apart = np.abs(values - wanted)[there].max()
                assert apart < 1e-4 * wanted.max(), f"{document.name}: {name}"
                found += 1
    assert found >= 9


def test_the_command_prints_a_table_and_writes_a_report(
    evaluators: list[Evaluator], tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "-m", "precision", "--quick", "--json", str(report), "polynomial"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(report.read_text())["rows"]
    ours = [row["name"] for row in rows if "limit" in row]
    assert ours == [evaluator.name for evaluator in evaluators]
    assert all(f"  {row['name']} " in done.stdout for row in rows)
    assert ", 0 over their limits, 0 that differ; " in done.stdout


def test_the_command_knows_its_kinds() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "precision", "straight"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("no kind is named straight; there are constant, linear, ")
