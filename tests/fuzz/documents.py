"""Documents as the grammar draws them, what edits make of them, and facts that fit none of them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import yaml
from hypothesis import strategies as st
from tests.conformance.strategies import documents
from tests.fuzz import hostile
from tests.fuzz.cases import Case
from tests.fuzz.edits import edited

# Drawing a document takes longer than reading it, so that several cases come of one.
_CASES = 8
_RANDOM = st.randoms(use_true_random=True)


def valid() -> st.SearchStrategy[list[Case]]:
    """Documents that the grammar means to be valid, with numbers of any size."""
    return documents(depth=3, wild=True).map(lambda drawn: [Case(*drawn)])


@st.composite
def mutants(draw: st.DrawFn, *, extreme: bool) -> list[Case]:
    """Cases made from one document; `extreme` keeps to values that may still be right."""
    data, facts = draw(documents(depth=draw(st.integers(0, 3))))
    random = draw(_RANDOM)
    return [_mutant(random, data, facts, extreme) for _ in range(_CASES)]


def _mutant(random: Random, data: dict[str, Any], facts: dict[str, Any], extreme: bool) -> Case:
    for _ in range(random.choice((1, 1, 1, 1, 1, 2, 3))):
        if data:
            data = edited(random, data, extreme=extreme)
    if facts and random.random() < 0.2:
        facts = {**facts, random.choice(list(facts)): _fact(random)}
    form = random.randrange(6)
    try:
        if form == 0:
            return Case(json.dumps(data), facts, random.choice((None, "a.json")))
        if form == 1:
            return Case(yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False), facts)
    except (TypeError, ValueError, yaml.YAMLError):
        pass  # what no text can hold
    return Case(data, facts)


@st.composite
def facts(draw: st.DrawFn) -> list[Case]:
    """A document with facts that it was not meant for."""
    data, given = draw(documents(depth=draw(st.integers(0, 2)), wild=True))
    random = draw(_RANDOM)
    return [Case(data, {**given, **_facts(random)}) for _ in range(_CASES)]


def _facts(random: Random) -> dict[str, Any]:
    made = {name: _fact(random) for name in random.sample(_KNOWN, random.choice((1, 1, 2, 3)))}
    if random.random() < 0.1:
        made["name"] = random.choice(("momentum", "", "é", hostile.text(random), None, 5, [], {}))
    if random.random() < 0.5:
        made["override"] = True
    return made


_KNOWN = ("steps", "base", "batch_size", "sequence_length", "steps_per_epoch")
_TEXTS = ("90 epochs", "1e999 epochs", "10%", "0 steps", "1 step", "1e-999 samples", "5M tokens")


def _fact(random: Random) -> Any:
    """What a host may give as a fact."""
    match random.randrange(10):
        case 0 | 1:
            return random.choice((1, 2, 7, 100, 10.0, 4096))
        case 2 | 9:
            return hostile.number(random)
        case 3:
            return hostile.value(random)
        case 4 | 5:
            return random.choice(_TEXTS)
        case 6:
            return [_row(random) for _ in range(random.randrange(4))]
        case _:
            return _rows(random)


def _row(random: Random) -> Any:
    """A row of a batch schedule, right or not."""
    start = random.choice((0, 0, 0, 1, 5, 5.0, 1e300, -1, True, "1"))
    return {"start": start, "value": hostile.value(random)}


def _rows(random: Random) -> Any:
    """A batch schedule that is right, of up to hundreds of rows."""
    gap = random.choice((1, 7, 10**6, 10**290))
    size = random.choice((1, 64, 10**9, 10**299))
    rows = random.choice((1, 2, 3, 3, 5, 200))
    return [{"start": gap * i, "value": size + random.randrange(9)} for i in range(rows)]
