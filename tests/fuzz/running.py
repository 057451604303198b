"""Inputs of one sort, run in batches, and what is learnt about them."""

from __future__ import annotations

import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.fuzz.cases import Case
from tests.fuzz.memory import peak
from tests.fuzz.properties import Check

# What hypothesis remembers of a run grows with it, so that a long one is many short ones.
BATCH = 1000
# After so many seconds an input is given up, and is a fault.
PATIENCE = 60
# Nothing that is smaller should take more than a second.
SMALL = 64 * 1024
_SHOWN = 1000


class GivenUp(BaseException):
    """An input took too long."""


@dataclass
class Extreme:
    """The input that took most of something."""

    amount: float = 0.0
    work: str = ""
    size: int = 0
    case: str = ""

    def take(self, amount: float, work: str, size: int, case: str) -> None:
        """Another input: it replaces the one that took less."""
        if amount > self.amount:
            self.amount, self.work, self.size, self.case = amount, work, size, case[:_SHOWN]


@dataclass
class Findings:
    """What was learnt about one sort of inputs.

    `faults` are by what was raised and where: the shortest input that did it, and how many did.
    """

    name: str
    inputs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    different: set[int] = field(default_factory=set[int])
    seconds: float = 0.0
    slowest: Extreme = field(default_factory=Extreme)
    slowest_small: Extreme = field(default_factory=Extreme)
    largest: Extreme = field(default_factory=Extreme)
    faults: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])


def run(
    name: str, cases: st.SearchStrategy[list[Case]], check: Check, inputs: int, first_seed: int
) -> Findings:
    """So many inputs of one sort."""
    findings = Findings(name)
    started = time.perf_counter()
    batch = first_seed
    while findings.inputs < inputs:
        _batch(findings, cases, check, inputs, batch)
        batch += 1
    findings.seconds = time.perf_counter() - started
    return findings


def _batch(
    findings: Findings,
    strategy: st.SearchStrategy[list[Case]],
    check: Check,
    inputs: int,
    number: int,
) -> None:
    @seed(number)
    @settings(
        max_examples=min(BATCH, inputs - findings.inputs),
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(strategy)
    def each(cases: list[Case]) -> None:
        for case in cases[: inputs - findings.inputs]:
            _input(findings, check, case)

    each()


def _input(findings: Findings, check: Check, case: Case) -> None:
    size, text = case.size(), repr(case)
    findings.inputs += 1
    findings.different.add(hash(text))
    before = peak()

    def timed(work: str, do: Callable[[], Any]) -> Any:
        started = time.process_time()
        try:
            return do()
        finally:
            seconds = time.process_time() - started
            findings.slowest.take(seconds, work, size, text)
            if size <= SMALL:
                findings.slowest_small.take(seconds, work, size, text)

    try:
        with _patience():
            findings.outcomes[check(case, timed)] += 1
    except (Exception, GivenUp) as error:
        findings.outcomes["fault"] += 1
        key = _described(error)
        shortest, times = findings.faults.get(key, (text, 0))
        findings.faults[key] = (min(shortest, text, key=len), times + 1)
    if (after := peak()) > before:
        findings.largest.take(after, "", size, text)


@contextmanager
def _patience() -> Generator[None]:
    """Raises `GivenUp` in what takes too long: of this process's time, whatever else runs. Where
    the exception is swallowed, as in a callback of the garbage collector, it is raised again."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _described(error: BaseException) -> str:
    """What was raised, and the innermost lines of ours that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f"{f.filename.rpartition('/')[2]}:{f.lineno}" for f in frames if "lrspec" in f.filename]
    where = " < ".join(dict.fromkeys(reversed(ours[-3:])))
    if isinstance(error, GivenUp):
        where = ours[0] if ours else ""
    return f"{type(error).__name__} at {where}: {str(error)[:80]}"


def _give_up(*_: object) -> None:
    raise GivenUp


signal.signal(signal.SIGPROF, _give_up)
