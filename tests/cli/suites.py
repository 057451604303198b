"""A small conformance suite on disk, and adapters that packages of this moment register."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROFILES = {
    "float64": {"greatest_step": "9007199254740992"},
    "float32": {
        "greatest_step": "2147483647",
        "ulp": "0.501",
        "may_be_zero_below": "1.1754943508222875e-38",
        "largest": "3.4028234663852886e+38",
    },
}
LINE = {"lrspec": 1, "schedule": {"linear": {"initial": 1, "final": 0, "length": 10}}}


def golden(**changes: Any) -> dict[str, Any]:
    """A golden case: a line from 1 to 0 in 10 steps."""
    case: dict[str, Any] = {
        "description": "A line.",
        "clauses": ["7.2"],
        "document": LINE,
        "steps": ["0", "3", "10"],
        "values": ["1", "0.69999999999999996", "0"],
        "exact": [0, 2],
        "tolerance": {"ulp": 3},
    }
    return {**case, **changes}


def invalid(**changes: Any) -> dict[str, Any]:
    """An invalid case: a line without its end."""
    case: dict[str, Any] = {
        "description": "No final.",
        "clauses": ["7.2"],
        "document": {"lrspec": 1, "schedule": {"linear": {"length": 10}}},
        "error": {"code": "missing-field", "path": "/schedule/linear"},
    }
    return {**case, **changes}


def reading(**changes: Any) -> dict[str, Any]:
    """A reading case: a line, as YAML."""
    case: dict[str, Any] = {
        "description": "A line.",
        "clauses": ["1.4"],
        "format": "yaml",
        "text": "lrspec: 1\nschedule: {linear: {initial: 1, final: 0, length: 1e1}}\n",
    }
    result = {} if changes.keys() & {"accepted", "error"} else {"document": LINE}
    return {**case, **result, **changes}


def write_suite(folder: Path, cases: Mapping[str, Mapping[str, Any]]) -> Path:
    """A suite of these cases, by their paths without the suffix."""
    files = {f"{path}.json": case for path, case in cases.items()}
    manifest = {"suite": "1.0.0", "profiles": PROFILES, "files": dict.fromkeys(files, "")}
    for path, content in {"manifest.json": manifest, **files}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content))
    return folder


def register(folder: Path, points: Mapping[str, str], modules: Mapping[str, str]) -> None:
    """Make a folder on the path look like an installed package with entry points."""
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    metadata = folder / "toy_adapters-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-adapters\nVersion: 1.0\n")
    lines = "".join(f"{name} = {target}\n" for name, target in points.items())
    (metadata / "entry_points.txt").write_text(f"[lrspec.adapters]\n{lines}")
