"""mmengine's Python configurations are read with the files that they go on from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, body, refused

from lrspec.importers.mmengine import load

BASE = """\
# training schedule for 1x
train_cfg = dict(type='EpochBasedTrainLoop', max_epochs=12, val_interval=1)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.001, by_epoch=False, begin=0, end=500),
    dict(type='MultiStepLR', begin=0, end=12, by_epoch=True, milestones=[8, 11], gamma=0.1)
]
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='SGD', lr=0.02, momentum=0.9, weight_decay=0.0001))
"""
LONGER = """\
max_epochs = 24
train_cfg = dict(max_epochs=max_epochs)
param_scheduler = [
    dict(type='MultiStepLR', end=max_epochs, milestones=[max_epochs // 3 * 2, 22])
]
"""
LAZY = """\
from mmengine.config import read_base
with read_base():
    from .._base_.schedule import *
train_cfg.update(dict(max_epochs=24))
param_scheduler = [dict(type=MultiStepLR, end=24, milestones=[16, 22], gamma=0.1)]
"""
DOCUMENT = """\
lrspec: 1
base: 0.02
training: {steps: 24000, steps_per_epoch: 1000}
schedule:
  piecewise_constant:
    boundaries: [16 epochs, 22 epochs]
    values: [1, 0.1, 0.01]
"""


def files(folder: Path, text: str, **others: str) -> Path:
    """A configuration beside `_base_/schedule.py` and others."""
    for name, content in {"schedule": BASE, **others}.items():
        path = folder / "_base_" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, "utf-8")
    path = folder / "net" / "config.py"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    return path


def test_a_file_with_its_bases(tmp_path: Path) -> None:
    above = "_base_ = ['../_base_/models/net.py', './schedule.py']\n"
    path = files(tmp_path, f"_base_ = '../_base_/above.py'\n{LONGER}", above=above)
    document = load(path, steps_per_epoch=1000)
    assert body(document) == DOCUMENT
    assert document.notes == (
        "It goes on from above.py and schedule.py.",
        "It would go on from more, which is left out: ../_base_/models/net.py.",
    )


def test_a_file_that_imports_its_bases(tmp_path: Path) -> None:
    document = load(files(tmp_path, LAZY), steps_per_epoch=1000)
    assert body(document) == DOCUMENT
    assert document.notes == ("It goes on from schedule.py.",)


def test_what_is_deleted_and_what_is_made_anew(tmp_path: Path) -> None:
    optimizer = "optimizer=dict(type='Adam')"
    text = f"_base_ = '../_base_/schedule.py'\n{LONGER}"
    path = files(tmp_path, f"{text}optim_wrapper = dict({optimizer})\n")
    assert load(path, steps_per_epoch=1000).bind().base == 0.02
    path.write_text(f"{text}optim_wrapper = dict(_delete_=True, {optimizer})\n", "utf-8")
    assert "lr is not given, so the document gives multiples of it." in load(path).notes
    path.write_text(f"{LAZY}optim_wrapper = dict({optimizer})\n", "utf-8")
    assert "lr is not given, so the document gives multiples of it." in load(path).notes


def test_bases_of_other_kinds(tmp_path: Path) -> None:
    path = files(tmp_path, "", broken="a = (", circle="_base_ = 'circle.py'\n")
    yaml = tmp_path / "_base_" / "x.yaml"
    yaml.write_text("optim_wrapper: {optimizer: {lr: 0.5}}\n", "utf-8")
    path.write_text(f"_base_ = ['../_base_/x.yaml', '../_base_/broken.py']\n{LONGER}", "utf-8")
    document = load(path, steps_per_epoch=1000)
    assert document.bind()(0) == 0.5
    assert document.notes[1] == (
        "It would go on from more, which is left out: ../_base_/broken.py, which is no"
        " configuration."
    )
    yaml.write_text("optim_wrapper: {optimizer: {lr: 1, lr: 2}}\n", "utf-8")
    assert str(refused(load, path).file).endswith("x.yaml")
    yaml.write_text("[1]\n", "utf-8")
    assert "x.yaml, which is no configuration" in load(path).notes[1]
    bases = ["../_base_/circle.py", 3, "a" * 9999]
    path.write_text(f"_base_ = {bases}\n{LONGER}", "utf-8")
    assert load(path).bind(steps_per_epoch=10, base=1)(0) == 1
    data: dict[str, Any] = {
        "_base_": "x.py",
        "param_scheduler": [{"type": "StepLR", "step_size": 9}],
    }
    assert "It would go on from more, which is left out: x.py." in load(data).notes


def test_a_value_that_is_not_known(tmp_path: Path) -> None:
    path = files(tmp_path, f"{LONGER}optim_wrapper = dict(optimizer=dict(lr=[x for x in y][0]))\n")
    problem = refused(load, path)
    assert (problem.code, problem.path) == ("wrong-type", "/optim_wrapper")
    path.write_text("param_scheduler = [\n", "utf-8")
    assert refused(load, path).message == "the file cannot be read: it is no Python"


def test_the_configuration_of_mmcv_is_refused() -> None:
    problem = refused(load, {"lr_config": {"policy": "step", "step": [8, 11]}})
    assert problem.message == "lr_config is of mmcv, which mmengine has replaced by param_scheduler"


@pytest.mark.parametrize("by_epoch", [False, True])
def test_the_warmup_of_mmdet(by_epoch: bool) -> None:
    warmup = {"type": "mmdet.QuadraticWarmupLR", "begin": 0, "end": 5, "by_epoch": by_epoch}
    cosine = {"type": "MultiStepLR", "begin": 5, "milestones": [3], "by_epoch": by_epoch}
    document = load([warmup, cosine, {"lr": 0.1}], steps_per_epoch=10)
    each = 10 if by_epoch else 1

    def rate(step: int) -> float:
        period = step // each
        return 0.1 * min((period + 1) / 5, 1) ** 2 * (0.1 if period >= 8 else 1)

    assert_curve(document, rate, range(120))


def test_a_warmup_of_mmdet_comes_to_an_end() -> None:
    problem = refused(load, {"type": "mmdet.QuadraticWarmupLR", "lr": 0.1})
    assert problem.message == "'end' is required, a warmup comes to one"
    document = load([{"type": "QuadraticWarmupLR", "end": 1, "by_epoch": False}, {"lr": 0.1}])
    assert document.bind()(3) == 0.1


def test_a_configuration_without_a_scheduler() -> None:
    config: dict[str, Any] = {
        "optim_wrapper": {"optimizer": {"type": "AdamW", "lr": 1e-4}},
        "train_cfg": {"max_epochs": 3},
    }
    document = load(config, steps_per_epoch=10)
    assert body(document) == (
        "lrspec: 1\nbase: 0.0001\ntraining: {steps: 30}\nschedule:\n  constant: {value: 1}\n"
    )
    assert document.notes == (
        "There is no param_scheduler: the rate is that of the optimizer at every step.",
    )
    assert load({**config, "param_scheduler": []}).bind()(5) == 1e-4
    problem = refused(load, {"optim_wrapper": {"optimizer": {"type": "AdamW"}}})
    assert problem.code == "missing-fact"
