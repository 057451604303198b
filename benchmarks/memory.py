"""What a bound curve with many knots holds, against two lists of its numbers."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator

from benchmarks import schedules
from benchmarks.rows import Missing, Row
from lrspec.loading import from_dict

KNOTS = 100_000


def measure() -> Iterator[Row | Missing]:
    """Allocations that are still alive when the curve has been asked for a value."""
    document = from_dict(schedules.knots(KNOTS))
    curve = _held(lambda: _asked(document.bind()))
    whole = _held(lambda: _asked(from_dict(schedules.knots(KNOTS)).bind()))
    lists = _held(lambda: [[float(index + of) for index in range(KNOTS)] for of in range(2)])
    yield Row(f"curve of {KNOTS:,} knots, beside its document / two lists", (curve / lists,))
    yield Row(f"curve of {KNOTS:,} knots, beside its document", (curve / 2**20,), unit="MiB")
    yield Row("the same with its document", (whole / 2**20,), unit="MiB")


def _asked(curve: Callable[[int], float]) -> object:
    curve(0)
    return curve


def _held(make: Callable[[], object]) -> int:
    """Bytes that what is made keeps alive."""
    make()  # whatever is loaded on the way is loaded now
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    made = make()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del made
    return after - before
