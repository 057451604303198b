"""`python -m tests.fuzz [--inputs N] [--seed N] [SORT …]`: hostile inputs by the million.

Prints a table: of each sort the inputs that were really run, what became of them, the slowest part
of the work on one in seconds of the processor, and the most memory that the process held so far.
The exit status is 1 when any input did what none may do.
"""

from __future__ import annotations

import argparse

from tests.backends import NEEDS, unusable
from tests.fuzz import running
from tests.fuzz.checks import check_on
from tests.fuzz.running import Extreme, Findings
from tests.fuzz.shares import SORTS

_MILLION = 1_000_000
# Seeds are far enough apart for the batches of a run.
_APART = 1_000_000


def main() -> int:
    """Run every sort that is asked for, and print what was found."""
    options = _options()
    print(_row("sort", "inputs", "different", "bound", "accepted", "refused", "faults", "ms each"))
    found: list[Findings] = []
    for name in options.sorts:
        sort = SORTS[name]
        reason = unusable(sort.backend) if sort.backend in NEEDS else None
        if reason is not None:
            print(f"{name:10}{reason}")
            continue
        inputs = -(-options.inputs * sort.of_a_million // _MILLION)
        first_seed = options.seed * _APART
        findings = running.run(name, sort.cases, check_on(sort.backend), inputs, first_seed)
        found.append(findings)
        print(_line(findings), flush=True)
    print(f"\n{sum(findings.inputs for findings in found):,} inputs\n")
    for findings in found:
        print(_extremes(findings))
    faults = [(findings.name, *fault) for findings in found for fault in findings.faults.items()]
    for name, what, (case, times) in faults:
        print(f"\n{name}: {what}, {times} times, as with\n{case[:4000]}")
    return 1 if faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", metavar="N", type=int, default=_MILLION)
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another run for another")
    parser.add_argument("sorts", metavar="SORT", nargs="*", help=", ".join(SORTS))
    options = parser.parse_args()
    unknown = [name for name in options.sorts if name not in SORTS]
    if unknown:
        parser.error(f"no sort is named {', '.join(unknown)}; there are {', '.join(SORTS)}")
    options.sorts = options.sorts or list(SORTS)
    return options


def _row(first: str, *columns: object) -> str:
    return f"{first:10}" + "".join(f"{column!s:>11}" for column in columns)


def _line(findings: Findings) -> str:
    counts = [findings.outcomes[outcome] for outcome in ("bound", "accepted", "refused", "fault")]
    each = f"{1000 * findings.seconds / findings.inputs:.2f}"
    return _row(findings.name, findings.inputs, len(findings.different), *counts, each)


def _extremes(findings: Findings) -> str:
    """The slowest inputs, and the one at which the process last held more memory than before."""
    return "\n".join(
        [
            _slowest(findings.name, "slowest", findings.slowest),
            _slowest("", "of 64 kB at most", findings.slowest_small),
            f"{'':10}{'memory':18}{findings.largest.amount / 2**20:8.0f} MiB"
            f"  {findings.largest.size:,} bytes",
        ]
    )


def _slowest(name: str, what: str, extreme: Extreme) -> str:
    shown = f"\n{'':10}{extreme.case[:200]!r}" if extreme.amount > 1 else ""
    work = f"{extreme.amount:8.2f} s    {extreme.size:,} bytes, {extreme.work}"
    return f"{name:10}{what:18}{work}{shown}"


if __name__ == "__main__":
    raise SystemExit(main())
