"""`python -m precision [--json FILE] [--quick] [KIND …]`: measures and prints the table."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from precision import runs
from precision.evaluators import installed
from precision.leaves import LEAVES
from precision.measuring import measure
from precision.nested import NESTED
from precision.rows import Row
from precision.table import heading, line

KINDS = {**LEAVES, **NESTED}


def main() -> int:
    """Measure the kinds that are named, or all; 1 where a limit is exceeded or bits differ."""
    options = _options()
    unknown = [name for name in options.kinds if name not in KINDS]
    if unknown:
        raise SystemExit(f"no kind is named {', '.join(unknown)}; there are {', '.join(KINDS)}")

    begun = time.monotonic()
    read = runs.quick() if options.quick else runs.full()
    rows: list[Row] = []
    with installed() as (evaluators, missing):
        for each in missing:
            print(f"not measured: {each}")
        print(heading())
        for kind in options.kinds:
            print(kind, flush=True)
            documents = KINDS[kind][:1] if options.quick else KINDS[kind]
            for row in measure(kind, documents, read, evaluators):
                rows.append(row)
                print(line(row), flush=True)
    print(summary(rows, time.monotonic() - begun))
    if options.json is not None:
        options.json.write_text(json.dumps(report(rows, missing), indent=2) + "\n")
    return 0 if all(row.passed for row in rows) else 1


def summary(rows: list[Row], seconds: float) -> str:
    """How many values were compared, and how many were wrong."""
    ours = [row for row in rows if row.limit is not None]
    return (
        f"{sum(row.steps for row in ours):,} values, {sum(row.over for row in ours):,} over their"
        f" limits, {sum(row.differing for row in ours):,} that differ; {seconds:.0f} s"
    )


def report(rows: list[Row], missing: list[str]) -> Mapping[str, Any]:
    """All of it as JSON data."""
    return {"missing": missing, "rows": [row.as_json() for row in rows]}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m precision", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the rows here")
    parser.add_argument("--quick", action="store_true", help="few steps of one document each")
    parser.add_argument("kinds", metavar="KIND", nargs="*", help=", ".join(KINDS))
    options = parser.parse_args()
    options.kinds = options.kinds or list(KINDS)
    return options


if __name__ == "__main__":
    sys.exit(main())
