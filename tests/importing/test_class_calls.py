"""Calls of schedulers become a class with its arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.importers.trainers import body, refused

from lrspec.importers import fvcore, ignite, paddle
from lrspec.importing.class_calls import reader
from lrspec.importing.importer import Importer

SIGNATURES = {"Step": ("rate", "size"), "Warm": ("inner", "steps")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Step(0.1, 3)", {"name": "Step", "rate": 0.1, "size": 3}),
        (
            "lr.Warm(Step(1, size=2 * 3), steps=4)",
            {"name": "Warm", "inner": {"name": "Step", "rate": 1, "size": 6}, "steps": 4},
        ),
        (
            "import x\nrate = Step(1, 2)\nSGD(learning_rate=rate, parameters=p())",
            {"name": "Step", "rate": 1, "size": 2},
        ),
    ],
)
def test_calls(text: str, found: object) -> None:
    assert reader(SIGNATURES)(text) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SGD(learning_rate=0.1)", "it is no call of a scheduler"),
        ("0.1", "it is no call of a scheduler"),
        ("SGD()", "'SGD' is not known; known are Step and Warm"),
        ("Step(1, 2, 3)", "Step takes rate and size, found 3 arguments"),
        ("lambda s: s", "'lambda s: s' is neither a call nor a plain value"),
    ],
)
def test_what_is_no_call_of_a_scheduler(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        reader(SIGNATURES)(text)


PADDLE = (
    "optimizer.lr.LinearWarmup(optimizer.lr.PolynomialDecay(0.5, 20, 0.0), 5 * 2, 0.0, end_lr=0.5)"
)
IGNITE = "PiecewiseLinear(optimizer, 'lr', milestones_values=[(0, 0.0), (10, 0.1)])"
TORCH = "create_lr_scheduler_with_warmup(ExponentialLR(optimizer, gamma=0.5), 0.0, 3, 0.1)"
FVCORE = (
    "CompositeParamScheduler([LinearParamScheduler(0.5, 1), CosineParamScheduler(1, 0)],"
    " [0.1, 0.9], ['rescaled', 'rescaled'])"
)


@pytest.mark.parametrize(
    ("load", "text", "base", "written"),
    [
        (
            paddle.load,
            PADDLE,
            None,
            "lrspec: 1\nbase: 0.5\nschedule:\n"
            "- linear: {initial: 0, final: 1, length: 10}\n"
            "- linear: {final: 0, length: 20}\n",
        ),
        (
            ignite.load,
            IGNITE,
            None,
            "lrspec: 1\nbase: absolute\nschedule:\n"
            "  piecewise_linear:\n    boundaries: [0, 10]\n    values: [0, 0.1]\n",
        ),
        (
            ignite.load,
            TORCH,
            0.1,
            "lrspec: 1\nbase: 0.1\nschedule:\n"
            "- linear: {initial: 0, final: 1, length: 2}\n"
            "- exponential: {rate: 0.5, every: 1}\n",
        ),
        (
            fvcore.load,
            FVCORE,
            0.3,
            "lrspec: 1\nbase: 0.3\nschedule:\n"
            "- linear: {initial: 0.5, final: 1, length: 10%}\n"
            "- cosine: {final: 0}\n",
        ),
    ],
)
def test_importers_of_classes(
    load: Importer, text: str, base: float | None, written: str, tmp_path: Path
) -> None:
    assert body(load({}, schedule=text, base=base)) == written
    path = tmp_path / "train.py"
    path.write_text(f"import it\nscheduler = {text}\n", "utf-8")
    assert body(load(path, base=base)) == written


def test_a_misspelt_class_is_suggested() -> None:
    problem = refused(paddle.load, {}, schedule="paddle.optimizer.lr.StepDeca(0.5, 3)")
    assert (problem.code, problem.hint) == ("unknown-schedule", "did you mean 'StepDecay'?")
    problem = refused(ignite.load, {}, schedule="LRScheduler(x")
    assert problem.message == "'LRScheduler(x' is no expression of Python"
