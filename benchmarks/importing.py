"""`import lrspec` in a fresh interpreter, against `import dataclasses`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measuring import ratios
from benchmarks.rows import Missing, Row, at_most

ROUNDS = 21


def measure() -> Iterator[Row | Missing]:
    """What `-X importtime` says, in turns."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours.append(_milliseconds("lrspec"))
        theirs.append(_milliseconds("dataclasses"))
    yield Row("import lrspec / import dataclasses", ratios(ours, theirs), at_most(0.25))
    yield Row("import lrspec, beyond a bare interpreter", tuple(ours), at_most(5), unit="ms")


def _milliseconds(module: str) -> float:
    """How long an import takes, with all that it brings in."""
    command = [sys.executable, "-I", "-X", "importtime", "-c", f"import {module}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.findall(rf"\|\s*(\d+) \|\s*{module}$", done.stderr, re.MULTILINE)
    return int(found[-1]) / 1000
