"""What is done with the inputs of a sort: they are evaluated on a backend, or given to the command
line."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.backends import Backend
from tests.core import scalars
from tests.fuzz.cases import Case
from tests.fuzz.properties import Check, Evaluate, Timed, check

from lrspec.curve import Curve
from lrspec.loading import loads
from lrspec.table import evaluate

COMMAND = "command"
TABLE = "table"


def check_on(backend: str) -> Check:
    """The properties, with the values of a backend."""
    if backend == COMMAND:
        return checked_file
    if backend == TABLE:
        return partial(_checked, values_of_table)
    on_backend = Backend(backend)

    def few(curve: Curve, steps: Iterable[int]) -> list[float]:
        """Array code compiles for each number of steps: always for 16 of them at a time."""
        steps = list(steps)
        rows = [steps[i : i + _ROW] for i in range(0, len(steps), _ROW)]
        filled = [row + row[-1:] * (_ROW - len(row)) for row in rows]
        return [value for row in filled for value in on_backend(curve, row)][: len(steps)]

    # What is imported and compiled once is no input's time.
    few(loads("{lrspec: 1, schedule: {linear: {final: 0, length: 5}}}").bind(), range(9))

    return partial(_checked, on_backend if backend == "core" else few)


def _checked(evaluate: Evaluate, case: Case, timed: Timed) -> str:
    return check(case, evaluate, timed)


def values_of_table(curve: Curve, steps: Iterable[int]) -> list[float]:
    """What every adapter computes, one step at a time and without compiling it: the table, rounded
    to float32."""
    table = replace(curve.table(), largest=_SINGLE)
    found = [evaluate(table, float(step), scalars) for step in steps]
    return [struct.unpack("f", struct.pack("f", value))[0] for value in found]


_ROW = 16
_SINGLE = 3.4028234663852886e38


def checked_file(case: Case, timed: Timed) -> str:
    """`lrspec check` of a file: its status is 0 or 1, and what it says is text."""
    from lrspec.cli.main import main

    assert isinstance(case.document, str | bytes)
    text = case.document
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    with TemporaryDirectory() as folder, io.StringIO() as out, io.StringIO() as err:
        path = Path(folder) / ("a.json" if case.file and case.file.endswith("json") else "a.yaml")
        path.write_bytes(data)
        with redirect_stdout(out), redirect_stderr(err):
            status: int = timed("check", lambda: main(["check", str(path)]))
        said = out.getvalue()
        assert status in (0, 1)
        assert not err.getvalue()
        assert said.endswith(": OK\n") if status == 0 else str(path) in said
        assert "Traceback" not in said
    return "bound" if status == 0 else "refused"
