"""The mutants that mutmut made, each with what it changes and what came of it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path
from typing import Any

from mutation.judged import judged

# How mutmut ends the worker of a mutant; every other end is a fault of the run.
_KILLED = {1, 3, 24, -24, 36, 152, 255}  # a case failed, or took too long
_SURVIVED = {0, 5, 33}  # all cases passed, or none reaches the function
SKIPPED = 34


@dataclass(frozen=True)
class Mutant:
    """One change of one function: the lines that it takes away and those that it puts there."""

    name: str
    module: str
    function: str
    was: str
    now: str
    judged: bool
    ended: int | None

    @property
    def killed(self) -> bool:
        """Whether some case failed."""
        return self.ended in _KILLED

    @property
    def survived(self) -> bool:
        """Whether no case did."""
        return self.ended in _SURVIVED


def mutants(folder: Path) -> Iterator[Mutant]:
    """All mutants below a folder that mutmut worked in."""
    for path in sorted(folder.rglob("*.meta")):
        source = path.with_suffix("")
        module = ".".join(source.relative_to(folder).with_suffix("").parts)
        functions = _functions(ast.parse(source.read_text("utf-8")))
        for name, ended in _meta(path)["exit_code_by_key"].items():
            mutated = name.rpartition(".")[2]
            stem = mutated.rpartition("__mutmut_")[0]
            before, after = functions[f"{stem}__mutmut_orig"], functions[mutated]
            was, now = _difference(before, after)
            told_apart = judged(before) != judged(after)
            yield Mutant(name, module, _readable(stem), was, now, told_apart, ended)


def skip(folder: Path, names: set[str]) -> None:
    """Says to mutmut that these mutants need not run."""
    for path in folder.rglob("*.meta"):
        meta = _meta(path)
        ends = meta["exit_code_by_key"]
        ends.update({name: SKIPPED if name in names else None for name in ends})
        path.write_text(json.dumps(meta), "utf-8")


def _meta(path: Path) -> dict[str, Any]:
    meta: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return meta


def _functions(tree: ast.Module) -> Mapping[str, str]:
    """The source of every function and method, under one name whichever mutant it is."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and "__mutmut_" in node.name:
            name, node.name = node.name, "f"
            found[name] = ast.unparse(node)
    return found


def _difference(before: str, after: str) -> tuple[str, str]:
    lines = list(ndiff(before.splitlines(), after.splitlines()))
    was, now = ([line[2:].strip() for line in lines if line[:2] == sign] for sign in ("- ", "+ "))
    return "\n".join(was), "\n".join(now)


def _readable(stem: str) -> str:
    """`x_growth` is growth, `xǁCurveǁvalues` is Curve.values."""
    return stem.removeprefix("x_") if stem.startswith("x_") else ".".join(stem.split("ǁ")[1:])
