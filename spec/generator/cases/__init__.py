"""The cases of the suite, one module a subject."""

from __future__ import annotations

from generator.cases import (
    clock,
    combinators,
    extremes,
    facts,
    inheritance,
    invalid_form,
    invalid_meaning,
    invalid_places,
    kinds,
    lists,
    mixed,
    positions,
    precise,
    published,
    reading,
    recipes,
    repeats,
    turns,
)
from generator.notation import Golden, Invalid, Reading

GOLDEN: list[Golden] = [
    *kinds.CASES,
    *combinators.CASES,
    *repeats.CASES,
    *lists.CASES,
    *inheritance.CASES,
    *positions.CASES,
    *clock.CASES,
    *facts.CASES,
    *recipes.CASES,
    *extremes.CASES,
    *mixed.CASES,
    *turns.CASES,
    *precise.CASES,
    *published.CASES,
]
INVALID: list[Invalid] = [*invalid_form.CASES, *invalid_meaning.CASES, *invalid_places.CASES]
READING: list[Reading] = [*reading.CASES]
