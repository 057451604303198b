"""Extreme documents on every backend: finite values, or SpecError."""

from __future__ import annotations

from hypothesis import given
from tests.backends import Backend
from tests.fuzz.cases import Case
from tests.fuzz.checks import check_on
from tests.fuzz.documents import mutants
from tests.fuzz.properties import untimed
from tests.fuzz.shares import always_the_same

# Array code compiles every curve.
EXAMPLES = {"core": 20, "torch": 10, "optax": 3, "keras": 3}


def test_extreme_values_are_finite(backend: Backend) -> None:
    on_backend = check_on(backend.name)

    @always_the_same(max_examples=EXAMPLES[backend.name])
    @given(mutants(extreme=True))
    def each(cases: list[Case]) -> None:
        for case in cases:
            on_backend(case, untimed)

    each()
