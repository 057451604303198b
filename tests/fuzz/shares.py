"""The sorts of inputs, and which part of a run each is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from tests.fuzz.cases import Case
from tests.fuzz.checks import COMMAND, TABLE
from tests.fuzz.documents import facts, mutants, valid
from tests.fuzz.large import large
from tests.fuzz.texts import damaged, texts


@dataclass(frozen=True)
class Sort:
    """Inputs of one sort: how they are drawn, on which backend they are evaluated, and of a million
    inputs how many are of this sort."""

    cases: st.SearchStrategy[list[Case]]
    of_a_million: int
    backend: str = "core"


def _one(cases: st.SearchStrategy[Case]) -> st.SearchStrategy[list[Case]]:
    return st.tuples(cases).map(list)


_DAMAGED = _one(damaged())
_EXTREME = mutants(extreme=True)

# By what an input costs, and what it may find. Array code compiles every curve.
SORTS: Mapping[str, Sort] = MappingProxyType(
    {
        "texts": Sort(_one(texts()), 210_000),
        "damaged": Sort(_DAMAGED, 200_000),
        "mutants": Sort(mutants(extreme=False), 200_000),
        "extreme": Sort(_EXTREME, 200_000),
        "facts": Sort(facts(), 100_000),
        "valid": Sort(valid(), 20_000),
        "large": Sort(_one(large()), 500),
        COMMAND: Sort(_DAMAGED, 4_000, COMMAND),
        TABLE: Sort(_EXTREME, 60_000, TABLE),
        "torch": Sort(_EXTREME, 4_500, "torch"),
        "optax": Sort(_EXTREME, 500, "optax"),
        "keras": Sort(_EXTREME, 500, "keras"),
    }
)

# How the tests run a few of them.
always_the_same = partial(
    settings,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
