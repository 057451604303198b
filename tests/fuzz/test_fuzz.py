"""A small part of the fuzz run (`python -m tests.fuzz`), always with the same inputs."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.fuzz.cases import Case
from tests.fuzz.checks import COMMAND, TABLE, check_on
from tests.fuzz.large import MADE
from tests.fuzz.properties import check, untimed
from tests.fuzz.shares import SORTS, always_the_same

EXAMPLES = {
    "texts": 250,
    "damaged": 150,
    "mutants": 25,
    "extreme": 40,
    "facts": 25,
    COMMAND: 25,
    TABLE: 20,
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_hostile_input_is_refused_or_survives(name: str) -> None:
    on_backend = check_on(SORTS[name].backend)

    @always_the_same(max_examples=EXAMPLES[name])
    @given(SORTS[name].cases)
    def each(cases: list[Case]) -> None:
        for case in cases:
            on_backend(case, untimed)

    each()


@pytest.mark.parametrize("number", range(len(MADE)))
@pytest.mark.parametrize("size", [12, 63, 700])
def test_large_documents_are_refused_or_survive(number: int, size: int) -> None:
    check(MADE[number](size))
