"""Every curve of the other libraries is reproduced, or refused for a reason that a table states."""

from __future__ import annotations

from typing import Any

import pytest
from tests.importers.goldens import Golden, document_path, goldens, importer_name, outcomes

from lrspec.curve import Curve
from lrspec.document import Document
from lrspec.importing.imported import Imported
from lrspec.importing.registry import find, names
from lrspec.loading import load, loads
from lrspec.problems import SpecError

GOLDENS = {golden.id: golden for golden in goldens()}
OUTCOMES = outcomes()
KEYS = {"refused", "sampled", "deviation", "steps", "facts"}
BY_IMPORTER = {g.id: g for g in GOLDENS.values() if importer_name(g.system) in names()}
BY_HAND = GOLDENS.keys() - BY_IMPORTER.keys()
DOCUMENTS = {id_: GOLDENS[id_] for id_ in sorted(BY_HAND) if "refused" not in OUTCOMES.get(id_, {})}


def imported(golden: Golden, *, sample: bool = False) -> Imported:
    """The document that the importer of its system makes of a curve's configuration."""
    facts: dict[str, Any] = {"steps": golden.steps[-1]} if sample else {}
    facts = OUTCOMES.get(golden.id, {}).get("facts", facts)
    load_ = find(importer_name(golden.system))
    return load_(golden.config, schedule=golden.schedule, sample=sample, **facts)


def off(curve: Curve, golden: Golden) -> list[int]:
    """The steps at which the curve is not the golden's."""
    return [
        step
        for step, value in zip(golden.steps, golden.values, strict=True)
        if not abs(curve(step) - value) <= golden.relative * abs(value) + golden.absolute
    ]


def check(document: Document, golden: Golden) -> None:
    curve = document.bind()
    assert off(curve, golden) == OUTCOMES.get(golden.id, {}).get("steps", [])
    # What is written is what was imported.
    written = loads(document.to_yaml())
    assert written == document
    assert written.bind().fingerprint == curve.fingerprint


@pytest.mark.parametrize("golden", BY_IMPORTER.values(), ids=BY_IMPORTER)
def test_curve(golden: Golden) -> None:
    outcome = OUTCOMES.get(golden.id, {})
    if "refused" not in outcome:
        check(imported(golden), golden)
        return
    with pytest.raises(SpecError, match=outcome["refused"]):
        imported(golden)
    if outcome.get("sampled"):
        document = imported(golden, sample=True)
        assert any(note.startswith("Sampled: ") for note in document.notes)
        check(document, golden)


@pytest.mark.parametrize("golden", DOCUMENTS.values(), ids=DOCUMENTS)
def test_document(golden: Golden) -> None:
    check(load(document_path(golden.id)), golden)


def test_every_document_is_of_a_curve_without_an_importer() -> None:
    here = document_path("x").parent.glob("*")
    assert {path.name for path in here} == {document_path(id_).name for id_ in DOCUMENTS}


def test_outcomes_are_of_curves_that_exist() -> None:
    assert OUTCOMES.keys() <= GOLDENS.keys()


@pytest.mark.parametrize("id_", OUTCOMES)
def test_outcome_says_why(id_: str) -> None:
    outcome = OUTCOMES[id_]
    assert outcome.keys() <= KEYS
    assert ("deviation" in outcome) == ("steps" in outcome)
    assert outcome.get("sampled", True) is True
    assert "refused" in outcome or "sampled" not in outcome
    if "refused" in outcome and "sampled" not in outcome:
        assert "deviation" not in outcome
    if id_ in BY_HAND:
        assert outcome.keys() in ({"refused"}, {"deviation", "steps"})


def test_every_deviation_is_at_steps_of_its_curve() -> None:
    for id_, outcome in OUTCOMES.items():
        assert set(outcome.get("steps", [])) <= set(GOLDENS[id_].steps), id_
