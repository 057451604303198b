"""detectron2's SOLVER becomes a document: the warmup, and the schedule that goes on after it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.detectron2 import load

WHOLE = """\
VERSION: 2
MODEL: {DEVICE: cuda}
SOLVER:
  BASE_LR: 0.02
  STEPS: (210000, 250000)
  MAX_ITER: 270000
  IMS_PER_BATCH: 16
"""
SOLVER: dict[str, Any] = {"BASE_LR": 0.3, "MAX_ITER": 100, "WARMUP_ITERS": 10, "STEPS": [60, 80]}


def test_a_whole_configuration(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(WHOLE, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.02\n"
        "training: {steps: 270000}\n"
        "schedule:\n"
        "- linear: {initial: 0.001, final: 1, length: 1000}\n"
        "- piecewise_constant:\n"
        "    boundaries: [210000, 250000]\n"
        "    values: [1, 0.1, 0.01]\n"
    )
    assert "GAMMA 0.1" in document.notes[1]


def test_no_steps() -> None:
    assert load({**SOLVER, "STEPS": "()"}).bind()(99) == 0.3


def test_a_lazy_configuration() -> None:
    fvcore = "fvcore.common.param_scheduler"
    scheduler = {"_target_": f"{fvcore}.CosineParamScheduler", "start_value": 1, "end_value": 0.1}
    document = load(
        {
            "lr_multiplier": {
                "_target_": "detectron2.solver.WarmupParamScheduler",
                "scheduler": scheduler,
                "warmup_length": 0.1,
                "warmup_factor": 0.001,
                "rescale_interval": True,
            },
            "optimizer": {"lr": 0.01},
            "train": {"max_iter": 1000},
        }
    )
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.01\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0.001, final: 1, length: 10%}\n"
        "- cosine: {final: 0.1}\n"
    )


def warmed(after: Callable[[float], float], *, rescale: bool = False) -> Callable[[int], float]:
    """The rates of a warmup of 10 steps of 100 with the factor 0.001."""
    end = after(0.0 if rescale else 0.1)

    def rate(s: int) -> float:
        if s < 10:
            return 0.3 * (0.001 * after(0.0) * (1 - s / 10) + end * s / 10)
        return 0.3 * after((s - 10) / 90 if rescale else s / 100)

    return rate


def cosine(where: float) -> float:
    return 0.1 + 0.45 * (1 + math.cos(math.pi * where))


def steps(where: float) -> float:
    return math.pow(0.1, (where >= 0.6) + (where >= 0.8))


COSINE = {"LR_SCHEDULER_NAME": "WarmupCosineLR", "BASE_LR_END": 0.03}
FIXED = {"LR_SCHEDULER_NAME": "WarmupStepWithFixedGammaLR", "NUM_DECAYS": 3}
POLY = {"LR_SCHEDULER_NAME": "WarmupPolyLR"}


def poly(*, ending: float = 0.0, power: float = 0.9) -> Callable[[int], float]:
    """A polynomial of 100 steps times a warmup of 10 with the factor 0.001."""

    def rate(s: int) -> float:
        fall = math.pow(1 - s / 100, power)
        if s < 10:
            return 0.3 * (0.001 * (1 - s / 10) + s / 10) * fall
        return 0.3 * max(fall, ending)

    return rate


FORMULAS: list[tuple[dict[str, Any], Callable[[int], float]]] = [
    ({}, warmed(steps)),
    (COSINE, warmed(cosine)),
    ({**COSINE, "RESCALE_INTERVAL": True}, warmed(cosine, rescale=True)),
    (FIXED, warmed(lambda where: math.pow(0.1, int((where + 1e-6) * 4)))),
    ({"WARMUP_METHOD": "constant"}, lambda s: 0.3 * (0.001 if s < 10 else steps(s / 100))),
    ({"WARMUP_ITERS": 0}, lambda s: 0.3 * steps(s / 100)),
    (POLY, poly()),
    ({**POLY, "POLY_LR_CONSTANT_ENDING": 0.2}, poly(ending=0.2)),
    ({**POLY, "POLY_LR_POWER": 2}, poly(power=2)),
    (
        {**POLY, "WARMUP_METHOD": "constant"},
        lambda s: 0.3 * (0.001 if s < 10 else 1) * math.pow(1 - s / 100, 0.9),
    ),
    ({"WARMUP_ITERS": 100}, lambda s: 0.3 * (0.001 * (1 - s / 100) + 0.01 * s / 100)),
]


@pytest.mark.parametrize(("config", "formula"), FORMULAS)
def test_formula(config: dict[str, Any], formula: Callable[[int], float]) -> None:
    assert_curve(load({"SOLVER": {**SOLVER, **config}}), formula, range(100))


def test_the_written_polynomials() -> None:
    plain = {"BASE_LR": 0.5, "MAX_ITER": 100, **POLY, "WARMUP_ITERS": 0}
    document = load({**plain, "POLY_LR_CONSTANT_ENDING": 0.0})
    assert body(document) == (
        "lrspec: 1\nbase: 0.5\ntraining: {steps: 100}\n"
        "schedule:\n  polynomial: {initial: 1, final: 0, power: 0.9}\n"
    )
    assert "POLY_LR_POWER is not given; it is 0.9, the default of DeepLab." in document.notes
    assert load({**plain, "WARMUP_ITERS": 50, "WARMUP_FACTOR": 1}) == document
    assert body(load({**plain, "WARMUP_ITERS": 50, "POLY_LR_POWER": 1})) == (
        "lrspec: 1\nbase: 0.5\ntraining: {steps: 100}\n"
        "schedule:\n  product:\n    of:\n    - linear: {initial: 1, final: 0}\n"
        "    - linear: {initial: 0.001, final: 1, length: 50}\n"
    )


def test_a_share_that_was_computed_from_steps() -> None:
    multi_step = {"cls": "MultiStepParamScheduler", "values": [1, 0.1], "milestones": [150000]}
    warmup = {"cls": "WarmupParamScheduler", "scheduler": {**multi_step, "num_updates": 184375}}
    lazy = {**warmup, "warmup_factor": 0.001, "warmup_length": 250 / 184375}
    whole = {"lr_multiplier": lazy, "optimizer": {"lr": 0.1}, "train": {"max_iter": 184375}}
    assert "- linear: {initial: 0.001, final: 1, length: 250}\n" in body(load(whole))


PROBLEMS: list[tuple[dict[str, Any], str, str]] = [
    (
        {**POLY, "POLY_LR_CONSTANT_ENDING": 0.95, "WARMUP_ITERS": 50},
        "not-importable",
        "the constant ending begins inside the warmup",
    ),
    ({"LR_SCHEDULER_NAME": "WarmupCosinLR"}, "unknown-schedule", "WarmupCosinLR"),
    ({"WARMUP_ITER": 3}, "unknown-field", "'WARMUP_ITER'"),
    ({"STEPS": [60, 100]}, "boundaries-order", "below the 100"),
    ({"BASE_LR": 0}, "out-of-range", "more than 0"),
    ({"LR_SCHEDULER_NAME": "WarmupCosineLR", "BASE_LR_END": 1}, "out-of-range", "at most 0.3"),
]


@pytest.mark.parametrize(("config", "code", "message"), PROBLEMS)
def test_problem(config: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, {"SOLVER": {**SOLVER, **config}})
    assert (problem.code, message in problem.message) == (code, True), problem


def files(folder: Path, **texts: str) -> Path:
    """Files of a folder, with one below it that is given back."""
    (folder / "below").mkdir()
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder / "below" / "own.yaml"


def test_a_configuration_that_stands_on_others(tmp_path: Path) -> None:
    solver = "SOLVER:\n  BASE_LR: 0.3\n  MAX_ITER: 100\n  WARMUP_ITERS: 10\n  STEPS: (60, 80)\n"
    path = files(tmp_path, first=f"MODEL: {{X: 1}}\n{solver}", second="_BASE_: first.yaml\n")
    path.write_text("_BASE_: ../second.yaml\nSOLVER:\n  STEPS: (50,)\n", "utf-8")
    document = load(path)
    assert document == load({**SOLVER, "STEPS": [50]})
    assert document.notes[0] == "It goes on from second.yaml, first.yaml."
    path.write_text("_BASE_: [../first.yaml]\nMODEL: {X: 2}\n", "utf-8")
    assert load(path) == load(SOLVER)


@pytest.mark.parametrize(
    "base", ["../x.yaml", "https://x/y.yaml", "[[../first.yaml]]", "3", "x" * 999]
)
def test_a_configuration_that_stands_on_what_is_not_there(tmp_path: Path, base: str) -> None:
    path = files(tmp_path, first="SOLVER: {BASE_LR: 0.3}\n")
    path.write_text(f"_BASE_: {base}\nSOLVER: {{MAX_ITER: 100}}\n", "utf-8")
    problem = refused(load, path)
    assert problem.code == "not-importable"
    assert problem.message.startswith("a part of this configuration stands in ")


def test_a_configuration_that_stands_on_itself(tmp_path: Path) -> None:
    path = files(tmp_path)
    path.write_text("_BASE_: own.yaml\nSOLVER: {MAX_ITER: 100}\n", "utf-8")
    assert refused(load, path).code == "not-importable"
    problem = refused(load, {"_BASE_": "own.yaml", "SOLVER": SOLVER})
    assert problem.message == "a part of this configuration stands in own.yaml"


def test_a_base_with_a_fault(tmp_path: Path) -> None:
    path = files(tmp_path, first="SOLVER: {BASE_LR: .nan}\nMODEL: {X: .nan}\n", second="3")
    path.write_text("_BASE_: ../first.yaml\n", "utf-8")
    problem = refused(load, path)
    assert (problem.code, problem.path) == ("not-finite", "/SOLVER/BASE_LR")
    path.write_text("_BASE_: ../second.yaml\nSOLVER: {MAX_ITER: 100, STEPS: []}\n", "utf-8")
    assert load(path).bind().steps == 100


def test_what_projects_add_to_the_solver() -> None:
    added = {"BACKBONE_MULTIPLIER": 0.1, "CLIP_MODE": "x", "IMS_PER_BATCH": 2}
    document = load({**SOLVER, **added})
    assert document == load(SOLVER)
    assert document.notes[0].startswith("BACKBONE_MULTIPLIER gives some parameters another rate")
    for key in ("POLY_POWER", "WARMUP_STEP", "GAMA", "base_lr", "LR_DECAY"):
        assert refused(load, {**SOLVER, key: 1}).code == "unknown-field"


def test_steps_after_the_run_are_left_out() -> None:
    document = load({**SOLVER, "STEPS": [60, 200]})
    assert "STEPS after the 100 of MAX_ITER are left out." in document.notes
    assert document.bind()(99) == pytest.approx(0.03)


def test_bad_values_are_problems() -> None:
    assert_survives(load, SOLVER, steps=50)
