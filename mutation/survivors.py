"""The mutants that no case kills, as they are listed: the change, and why no case could tell."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from mutation.mutants import Mutant

Change: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True)
class Listed:
    """What `survivors.toml` says: functions that no case is about, mutants that give the same for
    every document, and others that no case can tell."""

    functions: frozenset[str]
    equivalent: Counter[Change]
    others: Counter[Change]

    def outside(self, mutant: Mutant) -> bool:
        """Whether no case is about the function."""
        return change(mutant)[0] in self.functions

    def sorted(self, survivors: Iterable[Mutant]) -> Sorted:
        """The survivors by what is said of them."""
        equivalent, others = Counter(self.equivalent), Counter(self.others)
        found = Sorted([], [], [], [])
        for mutant in survivors:
            key = change(mutant)
            if equivalent[key] > 0:
                equivalent[key] -= 1
                found.equivalent.append(mutant)
            elif others[key] > 0:
                others[key] -= 1
                found.others.append(mutant)
            else:
                found.new.append(mutant)
        found.stale.extend([*equivalent.elements(), *others.elements()])
        return found


@dataclass(frozen=True)
class Sorted:
    """Survivors that are equivalent, others that are listed, those that are not, and what is listed
    and did not survive."""

    equivalent: list[Mutant]
    others: list[Mutant]
    new: list[Mutant]
    stale: list[Change]


def change(mutant: Mutant) -> Change:
    """What a mutant is known by, whatever number it has."""
    function = f"{mutant.module.removeprefix('lrspec.')}.{mutant.function}"
    return function, mutant.was, mutant.now


def read(path: Path) -> Listed:
    """The lists of a file."""
    data = tomllib.loads(path.read_text("utf-8"))
    functions = (name for reason in data["outside"] for name in reason["functions"])
    return Listed(
        frozenset(functions),
        _changes(data.get("equivalent", ())),
        _changes(data.get("survivor", ())),
    )


def _changes(reasons: Sequence[Mapping[str, Any]]) -> Counter[Change]:
    """All that are listed for some reason, which must be given."""
    changes: Counter[Change] = Counter()
    for reason in reasons:
        assert reason["why"]
        for function, was, now in reason["mutants"]:
            changes[function, was, now] += 1
    return changes
