"""The curves that other libraries gave, and what becomes of each: a document, or a refusal."""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Golden:
    """One curve: the configuration in its system's terms, and the values it gave."""

    id: str
    system: str
    schedule: str | None
    config: Any
    steps: list[int]
    values: list[float]
    dtype: str

    @property
    def relative(self) -> float:
        """How far a value may be off, as a share of it."""
        return 2e-6 if self.is_float32 else 1e-9

    @property
    def absolute(self) -> float:
        """How far it may be off besides, in the unit of the values."""
        peak = max(abs(value) for value in self.values if math.isfinite(value))
        return (2.5e-7 if self.is_float32 else 1e-12) * peak

    @property
    def is_float32(self) -> bool:
        """Whether the library computed in float32."""
        return self.dtype.startswith("float32")


def goldens() -> list[Golden]:
    """All of them, in the order of the file."""
    with (HERE / "goldens" / "peers.json").open(encoding="utf-8") as file:
        entries = json.load(file)
    return [
        Golden(
            entry["id"],
            entry["system"],
            entry.get("schedule"),
            entry["config"],
            entry["steps"],
            [float(value) for value in entry["values"]],
            entry.get("dtype") or "float64",
        )
        for entry in entries
    ]


def outcomes() -> dict[str, dict[str, Any]]:
    """What `outcomes/*.toml` say of the curves that are not reproduced plainly, by id.

    - `refused`: a regular expression found in the message that a user sees; of a curve whose system
      has no importer, why it has no document either.
    - `sampled = true` beside it: the importer reproduces it when the caller allows sampling.
    - `deviation`: why the document differs at `steps`, which are all the steps where it does.
    - `facts`: what the caller adds; for sampling that is `steps`, if nothing is said here the last
      step of the curve.

    An id stands in one file only.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((HERE / "outcomes").glob("*.toml")):
        entries = tomllib.loads(path.read_text("utf-8"))
        assert not found.keys() & entries.keys(), path
        found |= entries
    return found


def importer_name(system: str) -> str:
    """The name under which the importer of a golden's system is registered."""
    return {
        "levanter (marin monorepo)": "levanter",
        "tensorflow/models": "tf-models",
    }.get(system, system.lower().replace("_", "-"))


def document_path(name: str) -> Path:
    """Where the document of a curve lies whose system has no importer; `name` is the curve's id."""
    return HERE / "documents" / f"{name.replace('/', '--')}.lrspec.yaml"
