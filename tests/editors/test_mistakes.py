"""Everyday mistakes: one message, at the right place, wherever they are made."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.editors.marked import as_json, indented, underlined
from tests.editors.mistakes import EVERYDAY, KINDS, PLACES, Mistake
from tests.editors.session import Problem, Session

DOCUMENT = "lrspec: 1\ntraining:\n  steps: 100000\nschedule:\n  @\n"
SEVERAL = "lrspec: 1\nschedules:\n  momentum:\n    constant:\n  lr:\n    @\n"


def at_each_place(node: str, document: str = DOCUMENT) -> dict[str, str]:
    """Documents of YAML with a node, by the place at which it stands."""
    return {place: indented(document, indented(inner, node)) for place, inner in PLACES.items()}


def judged(server: Session, documents: Mapping[str, str]) -> dict[str, list[Problem]]:
    """What a server says of each of the documents."""
    return dict(zip(documents, server.problems_of_each(documents.values()), strict=True))


def assert_one_message(server: Session, marked: Mapping[str, str], message: str) -> None:
    """Of each document what is marked is underlined, and nothing else."""
    found = {place: underlined(text) for place, text in marked.items()}
    said = judged(server, {place: text for place, (text, _, _) in found.items()})

    assert said == {
        place: [Problem(start, end, message)] for place, (_, start, end) in found.items()
    }


def all_in_json(documents: Mapping[str, str]) -> dict[str, str]:
    return {place: as_json(text) for place, text in documents.items()}


EVERY = pytest.mark.parametrize("mistake", EVERYDAY.values(), ids=EVERYDAY)


@EVERY
def test_in_blocks(yaml_server: Session, mistake: Mistake) -> None:
    assert_one_message(yaml_server, at_each_place(mistake.node), mistake.message)


@EVERY
def test_in_braces(server: Session, mistake: Mistake) -> None:
    # JSON is YAML as well.
    assert_one_message(server, all_in_json(at_each_place(mistake.node)), mistake.message)


@EVERY
def test_in_schedules(server: Session, mistake: Mistake) -> None:
    marked = all_in_json(at_each_place(mistake.node, SEVERAL))

    assert_one_message(server, marked, mistake.message)


def test_without_a_mistake(server: Session) -> None:
    documents = at_each_place("cosine:\n  final: 0.1\n  length: 3000")

    assert not any(judged(server, all_in_json(documents)).values())


def fixes(server: Session, mistake: Mistake) -> list[str]:
    text, _, _ = underlined(at_each_place(mistake.node)["clamp in sum in list"])
    return [title for title in server.fixes(text) if not title.startswith("Jump to schema")]


def test_every_kind_is_offered_instead(yaml_server: Session) -> None:
    assert fixes(yaml_server, EVERYDAY["kind typo"]) == KINDS.split(", ")


def test_every_free_field_is_offered_instead(yaml_server: Session) -> None:
    free = ["initial", "exponent", "after", "length", "until"]

    assert fixes(yaml_server, EVERYDAY["field typo"]) == free
