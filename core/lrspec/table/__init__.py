"""The resolved form of a curve for array code: `Curve.table()` builds it, `evaluate` reads it.

Third-party adapters use these two and nothing else: a `Table` is numbers only, and `evaluate` takes
the namespace of their arrays.
"""

from __future__ import annotations

from lrspec.table.build import TooManyPeriods, build
from lrspec.table.evaluate import evaluate
from lrspec.table.form import Child, Clock, Rows, Table

__all__ = ["Child", "Clock", "Rows", "Table", "TooManyPeriods", "build", "evaluate"]
