"""`python -m benchmarks [--json FILE] [TOPIC …]`: measures, prints the table, writes the report."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from benchmarks.machine import describe
from benchmarks.rows import Measure, Missing, Row
from benchmarks.table import heading, line


class Topic(NamedTuple):
    """A module that measures, and the packages that it cannot do without."""

    module: str
    needs: tuple[str, ...] = ()


TOPICS: Mapping[str, Topic] = MappingProxyType(
    {
        "evaluate": Topic("evaluating"),
        "values": Topic("ranges"),
        "read": Topic("reading"),
        "import": Topic("importing"),
        "memory": Topic("memory"),
        "torch": Topic("torch_step", ("torch",)),
        "optax": Topic("optax_size", ("jax", "optax")),
        "keras": Topic("keras_fit", ("keras",)),
    }
)


def main() -> None:
    """Measure the topics that are named, or all of them."""
    options = _options()
    unknown = [name for name in options.topics if name not in TOPICS]
    if unknown:
        raise SystemExit(f"no topic is named {', '.join(unknown)}; there are {', '.join(TOPICS)}")

    machine = describe()
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    print("Medians over rounds in which all took turns; the targets are for them.\n")
    print(heading())
    report = {"machine": machine, "topics": {name: _topic(name) for name in options.topics}}
    if options.json is not None:
        options.json.write_text(json.dumps(report, indent=2) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the figures here")
    parser.add_argument("topics", metavar="TOPIC", nargs="*", help=", ".join(TOPICS))
    options = parser.parse_args()
    options.topics = options.topics or list(TOPICS)
    return options


def _topic(name: str) -> list[dict[str, Any]]:
    """Measures one topic, and prints each row as soon as it is there."""
    print(name, flush=True)
    topic = TOPICS[name]
    missing = [package for package in topic.needs if find_spec(package) is None]
    found: list[Row | Missing] = []
    if missing:
        found.append(Missing(f"needs {' and '.join(missing)}"))
        print(line(found[0]))
    else:
        measure = cast("Measure", import_module(f"benchmarks.{topic.module}").measure)
        for row in measure():
            found.append(row)
            print(line(row), flush=True)
    return [row.as_json() if isinstance(row, Row) else {"missing": row.why} for row in found]


if __name__ == "__main__":
    main()
