"""Prints what came of a run, and says whether it is good enough."""

from __future__ import annotations

from collections.abc import Sequence

from mutation.mutants import Mutant
from mutation.survivors import Listed

WANTED = 0.95


def report(found: Sequence[Mutant], left_out: int, listed: Listed) -> int:
    """The table of modules and whatever is wrong; 0 where nothing is."""
    survivors = listed.sorted(mutant for mutant in found if mutant.survived)
    modules = list(dict.fromkeys(mutant.module for mutant in found))
    print(f"{'module':<22}{'mutants':>8}{'killed':>8}{'of all':>8}{'equivalent':>12}{'score':>8}")
    for module in modules:
        of_it = [mutant for mutant in found if mutant.module == module]
        print(_row(module, of_it, [m for m in survivors.equivalent if m.module == module])[0])
    line, score = _row("all", found, survivors.equivalent)
    print(line)
    print(f"{left_out} more change nothing that a case could tell, or were not asked for")
    print(f"{len(survivors.equivalent)} survivors are equivalent, {len(survivors.others)} are not")
    faults = [mutant for mutant in found if not mutant.killed and not mutant.survived]
    for mutant in faults:
        print(f"ended with {mutant.ended}: {mutant.name}")
    for mutant in survivors.new:
        print(f"survived, and is not listed: {mutant.name}\n  - {mutant.was}\n  + {mutant.now}")
    short = {module.removeprefix("lrspec.") for module in modules}
    stale = [change for change in survivors.stale if change[0].partition(".")[0] in short]
    for function, was, now in stale:
        print(f"listed, and did not survive: {function}\n  - {was}\n  + {now}")
    good = score >= WANTED and not (faults or survivors.new or stale)
    print(f"{'good' if good else 'not good'}: {score:.1%} killed, {WANTED:.0%} wanted")
    return 0 if good else 1


def _row(name: str, found: Sequence[Mutant], equivalent: Sequence[Mutant]) -> tuple[str, float]:
    """Killed of all, and of those that are not equivalent."""
    killed, judged = sum(mutant.killed for mutant in found), len(found) - len(equivalent)
    of_all, score = killed / max(len(found), 1), killed / max(judged, 1)
    numbers = f"{len(found):>8}{killed:>8}{of_all:>8.1%}{len(equivalent):>12}{score:>8.1%}"
    return f"{name:<22}{numbers}", score
