"""Files with a schedule of praxis in them, or an optimizer that has one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.importers.trainers import body, refused

from lrspec.importers.praxis import load


def test_the_text_of_a_call(tmp_path: Path) -> None:
    path = tmp_path / "schedule.txt"
    path.write_text("schedules.Transformer(warmup_steps=400, model_dim=1024)", "utf-8")
    document = load(path, base=2.0)
    assert (
        body(document)
        == """\
lrspec: 1
base: 2.0
sample: end
schedule:
- linear: {initial: 0, final: 0.0015625, length: 400}
- inverse_sqrt: {timescale: 400}
"""
    )


COSINE = "LinearRampupCosineDecay"
ARGUMENTS = "warmup_steps=5, decay_start=6, decay_end=50, min_ratio=0.1, max=1.0"


@pytest.mark.parametrize(
    "text",
    [
        f"schedules.{COSINE}.HParams({ARGUMENTS})",
        f"pax_fiddle.Config(\n    schedules.{COSINE}, # the rate\n    {ARGUMENTS},\n)",
    ],
)
def test_a_file_with_a_call(tmp_path: Path, text: str) -> None:
    path = tmp_path / "schedule.py"
    path.write_text(text, "utf-8")
    alone = load({"schedule": f"{COSINE}({ARGUMENTS})"})
    assert load(path) == alone
    call = f"optimizers.Sgd(clip_threshold=1.0, learning_rate=0.5, lr_schedule={text})"
    path.write_text(call, "utf-8")
    document = load(path)
    assert document.bind().base == 0.5
    assert document.bind()(5) == 0.5 * alone.bind()(5)
    path.write_text(call.replace("0.5", "LR"), "utf-8")
    assert refused(load, path).code == "wrong-type"


@pytest.mark.parametrize("text", ["Constant(value=1", "def f(): pass (", ""])
def test_a_file_that_is_no_expression(tmp_path: Path, text: str) -> None:
    path = tmp_path / "schedule.py"
    path.write_text(text, "utf-8")
    problem = refused(load, path)
    assert (problem.file, problem.path) == (str(path), "/lr_schedule")
    assert problem.message == f"'{text}' is no expression of Python"


def test_a_number_that_is_no_rate(tmp_path: Path) -> None:
    path = tmp_path / "schedule.py"
    path.write_text("warmup = 1\n", "utf-8")
    assert refused(load, path).message == "'warmup' is given a number, and nothing is called"


def test_values_that_a_script_gives(tmp_path: Path) -> None:
    path = tmp_path / "experiment.py"
    path.write_text(
        "from praxis import schedules\n"
        "lp.optimizer.learning_rate = 2.5e-4\n"
        "lp.optimizer.lr_schedule = pax_fiddle.Config(schedules.Cosine, total_steps=10)\n"
        "lp.optimizer.clip_gradient_norm_to_value = 1.0\n",
        "utf-8",
    )
    document = load(path)
    assert document.bind()(5) == pytest.approx(1.25e-4, rel=1e-12)
