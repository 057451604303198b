"""NeMo's configurations become documents with the rates of its scheduler classes."""

from __future__ import annotations

from math import ceil, cos, pi
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.nemo import load

FAST_CONFORMER = """\
name: "FastConformer-Transducer-BPE"
model:
  sample_rate: 16000
  encoder: {_target_: nemo.collections.asr.modules.ConformerEncoder, n_layers: 17}
  optim:
    name: adamw
    lr: 5e-3
    betas: [0.9, 0.98]
    weight_decay: 1e-3
    sched:
      name: CosineAnnealing
      warmup_steps: 15000
      warmup_ratio: null
      min_lr: 5e-4
trainer:
  devices: -1
  max_epochs: 500
  max_steps: 100000
exp_manager: {exp_dir: null}
"""


def rate(name: str, lr: float, step: int, total: int | None, given: dict[str, Any]) -> float:
    """The rate of update `step` in the class `name`."""

    def length(of: str) -> int | None:
        if f"{of}_ratio" in given:
            assert total is not None
            return int(given[f"{of}_ratio"] * total)
        found: int | None = given.get(f"{of}_steps")
        return found

    low = given.get("min_lr", 1e-5 if name == "SquareAnnealing" else 0)
    warmup = length("warmup") or 0
    if name == "T5InverseSquareRootAnnealing":
        assert total is not None
        stop = given["constant_steps"]
        return float(stop**-0.5 if step <= stop else low if step > total else step**-0.5)
    if name == "NoamAnnealing":
        at = max(1, step)
        scale = min(at**-0.5, at * warmup**-1.5) if warmup else at**-0.5
        out = lr * given["d_model"] ** -0.5 * scale
        return float(max(out, low) if at > warmup else out)
    constant = length("constant") or 0
    if step <= warmup and warmup:
        return lr * (step / warmup if constant else (step + 1) / (warmup + 1))
    hold = length("hold")
    held = 0 if hold is None else warmup + hold
    if warmup <= step < held:
        return lr
    if total is None:
        return lr
    if step > total or (constant and step > total - constant):
        return float(low)
    match name:
        case "SquareAnnealing":
            return float(max(low, lr * ((total - step) / (total - warmup)) ** 2))
        case "SquareRootAnnealing":
            return float(max(low, lr * ((total - step) / total) ** 0.5))
        case "CosineAnnealing":
            progress = (step - warmup) / (total - warmup - constant)
            return float(low + (lr - low) * (1 + cos(pi * progress)) / 2)
        case "WarmupAnnealing":
            return float(low + (lr - low) * (1 - (step - warmup) / (total - warmup)))
        case "InverseSquareRootAnnealing":
            return float(lr / ((step + 1) / (warmup + 1)) ** 0.5)
        case "NoamHoldAnnealing":
            power = given.get("decay_rate", 0.5)
            falling = max(1, warmup**power) / max(1, (step - (hold or 0)) ** power)
            return float(max(low, lr * falling))
        case "PolynomialDecayAnnealing" | "PolynomialHoldDecayAnnealing":
            is_held = name == "PolynomialHoldDecayAnnealing"
            at, end = step - (held if is_held else warmup), total - max(warmup, held)
            if given.get("cycle"):
                end *= ceil(at / end) if at else 1
            progress = min(at, end) / end
            return float(low + (lr - low) * (1 - progress) ** given.get("power", 1))
        case "WarmupHoldAnnealOneMinusSquareRoot":
            return float(max(low, lr * (1 - ((step - held) / (total - held)) ** 0.5)))
        case "WarmupHoldAnnealLinear":
            return float(lr - (lr - low) * (step - held) / (total - held))
        case _:
            return lr


NAMES = (
    "WarmupPolicy",
    "WarmupHoldPolicy",
    "SquareAnnealing",
    "SquareRootAnnealing",
    "CosineAnnealing",
    "NoamAnnealing",
    "NoamHoldAnnealing",
    "WarmupAnnealing",
    "InverseSquareRootAnnealing",
    "T5InverseSquareRootAnnealing",
    "PolynomialDecayAnnealing",
    "PolynomialHoldDecayAnnealing",
    "WarmupHoldAnnealOneMinusSquareRoot",
    "WarmupHoldAnnealLinear",
)
HELD = [name for name in NAMES if "Hold" in name]
NEEDED: dict[str, dict[str, Any]] = {
    "NoamAnnealing": {"d_model": 16},
    "T5InverseSquareRootAnnealing": {"constant_steps": 9},
}


def assert_rates(name: str, lr: float, total: int | None, given: dict[str, Any]) -> None:
    optim = {"lr": lr, "sched": {"name": name, "max_steps": total, **given}}
    for length in (total, 2 * (total or 50)):
        whole = {"optim": optim, "trainer": {"max_steps": length}}
        document = load(whole, sample=given.get("cycle", False))
        assert document.bind().steps == length
        held = ("warmup_steps", "hold_steps", "constant_steps")
        if sum(given.get(key, 0) for key in held) < (total or 50):
            assert not document.bind().warnings
        steps = range((length or 50) + 1)
        assert_curve(document, lambda step: rate(name, lr, step, total, given), steps)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"min_lr": 0.004},
        {"warmup_steps": 10, "min_lr": 0.004},
        {"warmup_ratio": 0.29},
        {"warmup_steps": 1},
        {"warmup_steps": 40, "min_lr": 0.001},
        {"warmup_steps": 55},
    ],
)
def test_every_schedule_has_its_rates(name: str, given: dict[str, Any]) -> None:
    if name.startswith("T5"):
        given = {key: value for key, value in given.items() if key == "min_lr"}
    if name == "NoamHoldAnnealing" and not {"warmup_steps", "warmup_ratio"} & given.keys():
        given = {**given, "warmup_steps": 4}
    assert_rates(name, 0.3, 40, {**given, **NEEDED.get(name, {})})


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize(
    "given",
    [
        {"hold_steps": 12, "min_lr": 0.01},
        {"hold_ratio": 0.57, "min_lr": 0.01},
        {"hold_steps": 0},
        {"hold_steps": 50, "min_lr": 0.01},
    ],
)
def test_schedules_with_a_hold_have_their_rates(name: str, given: dict[str, Any]) -> None:
    assert_rates(name, 0.3, 40, {"warmup_steps": 8, **given})


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("CosineAnnealing", {"warmup_steps": 5, "constant_steps": 10, "min_lr": 0.01}),
        ("CosineAnnealing", {"warmup_ratio": 0.1, "constant_ratio": 0.29}),
        ("CosineAnnealing", {"constant_steps": 10}),
        ("CosineAnnealing", {"warmup_steps": 30, "constant_steps": 15, "min_lr": 0.01}),
        ("NoamAnnealing", {"d_model": 256, "warmup_steps": 7, "min_lr": 0.2}),
        ("NoamAnnealing", {"d_model": 256, "min_lr": 0.01}),
        ("NoamHoldAnnealing", {"warmup_steps": 7, "decay_rate": 1.0, "hold_steps": 3}),
        ("NoamHoldAnnealing", {"warmup_steps": 7, "decay_rate": 0.0}),
        ("NoamHoldAnnealing", {"warmup_steps": 7, "decay_rate": 0.8, "min_lr": 0.1}),
        ("T5InverseSquareRootAnnealing", {"constant_steps": 50, "min_lr": 0.1}),
        ("PolynomialDecayAnnealing", {"warmup_steps": 5, "power": 2, "cycle": True}),
        ("PolynomialDecayAnnealing", {"warmup_steps": 5, "power": 0, "min_lr": 0.1}),
        ("PolynomialDecayAnnealing", {"power": 0.5, "min_lr": 0.4}),
        ("PolynomialHoldDecayAnnealing", {"warmup_steps": 25, "power": 2, "cycle": True}),
        ("PolynomialHoldDecayAnnealing", {"hold_steps": 5, "power": 3, "cycle": True}),
    ],
)
def test_what_only_some_schedules_take(name: str, given: dict[str, Any]) -> None:
    assert_rates(name, 0.3, 40, given)


def test_without_max_steps() -> None:
    for name in ("WarmupPolicy", "NoamAnnealing"):
        assert_rates(name, 0.3, None, {"warmup_steps": 7, **NEEDED.get(name, {})})


def test_a_whole_configuration_as_text(tmp_path: Path) -> None:
    path = tmp_path / "fast_conformer.yaml"
    path.write_text(FAST_CONFORMER, "utf-8")
    document = load(path)
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "training: {steps: 100000}\n"
        "schedule:\n"
        "- linear: {initial: 3.3331111259249385e-07, final: 0.005, length: 15000}\n"
        "- cosine: {final: 0.0005}\n"
    )
    assert document.origin == "NeMo CosineAnnealing"
    assert "The first update is at 1/15001 of the rate, as NeMo warms up." in document.notes
    assert_curve(
        document,
        lambda s: rate("CosineAnnealing", 5e-3, s, 100000, {"warmup_steps": 15000, "min_lr": 5e-4}),
        range(0, 110000, 97),
    )


def test_the_written_documents() -> None:
    sched = {"name": "WarmupHoldAnnealOneMinusSquareRoot", "warmup_steps": 9, "hold_ratio": 0.6}
    assert body(load({"lr": 2e-3, "sched": {**sched, "max_steps": 100}})) == (
        "lrspec: 1\n"
        "base: 0.002\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0.1, final: 1, length: 9}\n"
        "- constant: {length: 60}\n"
        "- polynomial: {final: 0, power: 0.5, origin: initial}\n"
    )
    assert body(load({"name": "SquareAnnealing", "lr": 2e-3, "warmup_steps": 9}, steps=100)) == (
        "lrspec: 1\n"
        "base: 0.002\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0.1, final: 1, length: 9}\n"
        "- clamp:\n"
        "    minimum: 0.005\n"
        "    schedule:\n"
        "      polynomial: {final: 0, power: 2}\n"
    )

    constant = {"name": "CosineAnnealing", "warmup_steps": 10, "constant_steps": 20}
    assert body(load({"lr": 2e-3, "sched": {**constant, "min_lr": 2e-4, "max_steps": 100}})) == (
        "lrspec: 1\n"
        "base: 0.002\n"
        "training: {steps: 100}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 10}\n"
        "- cosine: {final: 0.1, length: 70}\n"
        "- constant:\n"
    )


def test_the_length_of_the_run() -> None:
    sched = {"name": "WarmupAnnealing"}
    assert load({"lr": 1, "sched": sched}, steps=9).bind().steps == 9
    trainer = {"max_steps": -1, "max_epochs": 4}
    whole = {"model": {"optim": {"lr": 1, "sched": sched}}, "trainer": trainer}
    document = load(whole, steps_per_epoch=12.5)
    assert document.bind().steps == 52
    assert "4 epochs of 13 steps are 52 steps." in document.notes
    assert (
        load({"lr": 1, "sched": {**sched, "t_max_epochs": 2}}, steps_per_epoch=5).bind().steps == 10
    )
    both = {"model": {"optim": {"lr": 1, "sched": {**sched, "max_steps": 30}}}}
    document = load({**both, "trainer": {"max_steps": 40}})
    assert document.bind().steps == 40
    assert document.bind()(30) == 0
    assert document.notes == ("The schedule ends at sched.max_steps, 30, and the run at 40.",)
    problem = refused(
        load, {"lr": 1, "sched": {**sched, "t_max_epochs": 2}}, steps=9, steps_per_epoch=5
    )
    assert problem.message == "steps is 9 here, and 2 epochs of 5 steps are 10 steps"
    assert refused(load, {"lr": 1, "sched": {**sched, "max_steps": 8}}, steps=9).code == (
        "conflicting-fact"
    )
    problem = refused(load, whole)
    assert problem.code == "missing-fact"
    assert problem.message == "WarmupAnnealing ends at max_steps"


def test_targets() -> None:
    by_name = load({"lr": 0.1, "name": "CosineAnnealing", "warmup_steps": 2, "max_steps": 9})
    for target in (
        "nemo.core.optim.lr_scheduler.CosineAnnealing",
        "nemo.core.config.schedulers.CosineAnnealingParams",
    ):
        given = {"_target_": target, "warmup_steps": 2, "max_steps": 9}
        assert load({"lr": 0.1, "sched": given}) == by_name
    problem = refused(load, {"lr": 0.1, "sched": {"_target_": "my.Own", "max_steps": 9}})
    assert problem.code == "not-importable"
    assert problem.message.startswith("my.Own is a class of your own or of another library")
    wrong = {"_target_": "nemo.core.optim.lr_scheduler.CosineAnealing", "max_steps": 9}
    problem = refused(load, {"lr": 0.1, "sched": wrong})
    assert problem.hint == "did you mean 'CosineAnnealing'?"


def test_arguments_of_their_own() -> None:
    params = {"warmup_steps": 2, "min_lr": 0.01, "last_epoch": -1}
    sched = {
        "name": "CosineAnnealing",
        "max_steps": 9,
        "monitor": "val_loss",
        "reduce_on_plateau": False,
        "args": {"name": "auto", "params": params},
    }
    beside = {"name": "CosineAnnealing", "max_steps": 9, **params}
    assert load({"lr": 0.1, "sched": sched}) == load({"lr": 0.1, "sched": beside})
    problem = refused(load, {"lr": 0.1, "sched": {**sched, "min_lr": 0.1}})
    assert (problem.code, problem.path) == ("unknown-field", "/sched")


def test_the_class_may_be_given_apart() -> None:
    config = {"lr": 0.1, "sched": {"warmup_steps": 2, "max_steps": 9}}
    assert load(config, schedule="WarmupAnnealing").origin == "NeMo WarmupAnnealing"
    problem = refused(load, config, schedule="WarmupAnealing")
    assert problem.hint == "did you mean 'WarmupAnnealing'?"


def test_t5_has_rates_of_its_own() -> None:
    document = load(
        {"lr": 0.1, "name": "T5InverseSquareRootAnnealing", "constant_steps": 100}, steps=1000
    )
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- constant: {value: 0.1, length: 100}\n"
        "- inverse_sqrt: {timescale: 100}\n"
    )
    assert document.notes == (
        "The rates of T5InverseSquareRootAnnealing are its own; lr changes nothing.",
        "After step 1000 NeMo gives min_lr, 0; this goes on.",
    )
    for config in ({"constant_ratio": 0.1}, {"constant_steps": 3, "constant_ratio": 0.1}, {}):
        assert refused(load, {"name": "T5InverseSquareRootAnnealing", **config}, steps=9)


PIECEWISE: dict[str, Any] = {
    "name": "PiecewiseLinear",
    "boundaries": [0, 4, 8],
    "values": [0.1, 1, 0.5],
}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (PIECEWISE, [0.1, 0.325, 0.55, 0.775, 1, 0.875, 0.75, 0.625, 0.5, 0.5, 0.5]),
        ({**PIECEWISE, "boundaries": [2, 4], "values": [0.5, 1]}, [0.5, 0.5, 0.5, 0.75, 1, 1, 1]),
        (
            {
                "name": "PiecewiseLinear",
                "relative": True,
                "max_steps": 4,
                "lr": 0.5,
                "boundaries": [0, 0.5, 1],
                "values": [0, 1, 0],
            },
            [0, 0.25, 0.5, 0.25, 0, 0],
        ),
    ],
)
def test_piecewise_linear(config: dict[str, Any], expected: list[float]) -> None:
    assert_curve(load(config), lambda step: expected[step], range(len(expected)))


def test_relative_to_a_schedule_shorter_than_the_run() -> None:
    sched = {"name": "PiecewiseLinear", "relative": True, "max_steps": 15}
    points = {"boundaries": [0.1, 0.5], "values": [0, 1]}
    document = load({"lr": 0.5, "sched": {**sched, **points}, "trainer": {"max_steps": 30}})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.5\n"
        "training: {steps: 30}\n"
        "schedule:\n"
        "  piecewise_linear:\n"
        "    boundaries: [1.5 steps, 7.5 steps]\n"
        "    values: [0, 1]\n"
    )


def test_a_training_of_88004_updates() -> None:
    config = {
        "optim": {
            "lr": 1.0,
            "sched": {
                "_target_": "nemo.core.optim.lr_scheduler.PiecewiseLinear",
                "relative": True,
                "boundaries": [0.0, 0.45, 0.9, 1.0],
                "values": [1e-5, 4e-3, 1e-5, 1e-6],
            },
        },
        "trainer": {"max_steps": 88004},
    }
    document = load(config)
    assert body(document) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "training: {steps: 88004}\n"
        "schedule:\n"
        "  piecewise_linear:\n"
        "    boundaries: [0, 45%, 90%, 100%]\n"
        "    values: [1.0e-05, 0.004, 1.0e-05, 1.0e-06]\n"
    )
    curve = document.bind()
    assert curve(0) == 1e-5 and curve(88004) == 1e-6
    assert max(range(39590, 39610), key=curve) in (39601, 39602)
    assert curve(39602) == pytest.approx(4e-3, rel=1e-4)
    assert curve(79204) == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"boundaries": None}, "missing-field", "'boundaries' is required"),
        ({"values": None}, "missing-field", "'values' is required"),
        ({"boundaries": [0, 4]}, "values-number", "there are 2 boundaries and 3 values"),
        ({"boundaries": [], "values": []}, "too-few-items", "boundaries is empty"),
        ({"boundaries": [0, 4, 4]}, "boundaries-order", "4 does not come after 4"),
        ({"boundaries": [0, 8, 4]}, "boundaries-order", "4 does not come after 8"),
        ({"boundaries": [0, 4, float("inf")]}, "not-finite", "is not a finite number"),
        ({"values": [0, float("nan"), 1]}, "not-finite", "is not a finite number"),
        ({"boundaries": [-1, 4, 8]}, "out-of-range", "a boundary lies before step 0"),
        ({"boundaries": 4, "values": 1}, "wrong-type", "boundaries is a list of numbers"),
        ({"relative": True, "max_steps": None}, "missing-fact", "shares of max_steps"),
        ({"relative": True, "max_steps": 0}, "out-of-range", "at least 1"),
        ({"relative": True, "max_steps": -5}, "out-of-range", "at least 1"),
        ({"relative": True, "max_steps": 10.5}, "wrong-type", "expected a whole number"),
        ({"relative": True, "max_steps": "10"}, "wrong-type", "found the text '10'"),
        ({"relative": 1}, "wrong-type", "expected true or false"),
    ],
)
def test_what_piecewise_linear_refuses(change: dict[str, Any], code: str, says: str) -> None:
    problem = refused(load, {**PIECEWISE, **change})
    assert problem.code == code
    assert says in problem.message


@pytest.mark.parametrize(
    ("sched", "code", "says"),
    [
        ({"name": "ReduceLROnPlateau"}, "not-importable", "follows a metric of the training"),
        ({"name": "CosineAnealing"}, "unknown-schedule", "unknown scheduler 'CosineAnealing'"),
        ({"name": "WarmupPolicy", "warmup_step": 3}, "unknown-field", "'warmup_step' is not known"),
        (
            {"name": "WarmupPolicy", "warmup_steps": 3, "warmup_ratio": 0.1},
            "conflicting-fields",
            "'warmup_steps' and 'warmup_ratio' exclude each other",
        ),
        ({"name": "WarmupPolicy", "last_epoch": 5}, "not-importable", "resumes in the middle"),
        ({"name": "NoamHoldAnnealing"}, "missing-field", "needs a warmup of at least 1 step"),
        ({"name": "CosineAnnealing", "min_lr": 0.2}, "out-of-range", "is not below lr 0.1"),
        (
            {"name": "CosineAnnealing", "constant_steps": 9},
            "out-of-range",
            "nothing is left of 9 steps after 9 constant ones",
        ),
        (
            {"name": "NoamAnnealing", "d_model": 4, "min_lr": 0.2},
            "out-of-range",
            "is more than lr 0.1",
        ),
        (
            {"name": "PolynomialHoldDecayAnnealing", "warmup_steps": 2, "cycle": True},
            "not-importable",
            "periods that grow while they go on",
        ),
        (
            {"name": "WarmupPolicy", "max_steps": "${trainer.max_steps}"},
            "wrong-value",
            "to nothing",
        ),
    ],
)
def test_what_is_refused(sched: dict[str, Any], code: str, says: str) -> None:
    problem = refused(load, {"optim": {"lr": 0.1, "sched": {"max_steps": 9, **sched}}})
    assert problem.code == code
    assert says in problem.message


LIGHTNING = "nemo.lightning.pytorch.optim.lr_scheduler"


def test_the_modules_of_nemo_2() -> None:
    sched = {"warmup_steps": 4, "constant_steps": 0, "min_lr": 0.05, "interval": "step"}
    cosine = {"_target_": f"{LIGHTNING}.CosineAnnealingScheduler", **sched}
    recipe = {
        "optim": {"config": {"lr": 0.5}, "lr_scheduler": cosine},
        "trainer": {"max_steps": 24},
    }

    def rate(step: int) -> float:
        if step <= 4:
            return 0.5 * (step + 1) / 5
        return 0.05 + 0.45 * (1 + cos(pi * min((step - 4) / 20, 1))) / 2

    document = load(recipe)
    assert_curve(document, rate, range(60))
    says = "max_steps is not given: it is that of the trainer, as NeMo has it since 2.0."
    assert says in document.notes
    assert says not in load({**cosine, "max_steps": 24, "lr": 0.5}).notes
    problem = refused(load, {"lr": 1, "_target_": cosine["_target_"], "min_lr": 0})
    assert problem.message.startswith("constant_steps is required: its default differs")
    problem = refused(load, {"lr": 1, **cosine, "interval": "epoch"})
    assert problem.message == "interval and frequency say that not every update has its own rate"
    assert refused(load, {"lr": 1, **cosine, "frequency": 2}).code == "not-importable"


def test_the_warmup_of_the_modules_of_nemo_2() -> None:
    policy = {"_target_": f"{LIGHTNING}.WarmupPolicyScheduler", "interval": "step"}
    document = load({**policy, "lr": 1, "max_steps": 800})
    assert_curve(document, lambda s: min((s + 1) / 751, 1), range(800))
    assert "warmup_steps is not given; it is 750, the default of NeMo 2." in document.notes
    assert load({**policy, "lr": 1, "max_steps": 800, "warmup_ratio": 0.5}).bind()(400) == 1
    square = {"_target_": "nemo.lightning.pytorch.optim.SquareAnnealingScheduler"}
    assert load({**square, "lr": 1, "max_steps": 10}).bind()(0) == 1


def test_a_schedule_beside_its_optimizer() -> None:
    sched = {"name": "CosineAnnealing", "min_lr": 1e-5, "warmup_ratio": 0.02}
    trainer = {"max_steps": 100}
    beside = {"model": {"optim": {"lr": 1e-3}, "sched": sched}, "trainer": trainer}
    inside = {"model": {"optim": {"lr": 1e-3, "sched": sched}}, "trainer": trainer}
    assert load(beside) == load(inside)
    problem = refused(load, {"optim": {"lr": 1e-3, "sched": None}})
    assert problem.hint == "without one the rate is that of the optimizer"
    problem = refused(load, {"model": {"optim_g": {"sched": sched}}, "trainer": trainer})
    assert problem.message == "'sched' is required"
    assert problem.hint == "some stand in model.optim_g: give --at model.optim_g"


def test_what_is_no_configuration() -> None:
    problem = refused(load, {"lr": 0.1, "epochs": 3})
    assert problem.code == "not-a-config"
    assert refused(load, {}).code == "missing-field"
    assert refused(load, {"model": {"encoder": {}}}).message == "'sched' is required"


def test_without_a_rate() -> None:
    document = load({"sched": {"name": "WarmupAnnealing", "max_steps": 9}})
    assert document.bind().base is None
    problem = refused(load, {"sched": {"name": "SquareAnnealing", "max_steps": 9}})
    assert problem.message == "min_lr 1e-05 is a rate, and lr is not known"
    assert load({"sched": {"name": "SquareAnnealing"}}, base=0.1, steps=9).bind().base == 0.1


def test_classes_of_torch() -> None:
    config: dict[str, Any] = {
        "lr": 0.5,
        "sched": {"name": "StepLR", "step_size": 4, "max_steps": 12},
    }
    document = load(config)
    assert document.origin == "NeMo StepLR"
    assert document.bind().steps == 12
    assert_curve(document, lambda step: 0.5 * 0.1 ** (step // 4), range(20))
    cyclic = {"name": "CyclicLR", "base_lr": 0.1, "max_lr": 0.5, "step_size_up": 4}
    curve = load({"lr": 1, "sched": {**cyclic, "cycle_momentum": False}}).bind()
    assert [curve(step) for step in range(9)] == pytest.approx(
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0.3, 0.2, 0.1]
    )
    target = {"_target_": "torch.optim.lr_scheduler.ExponentialLR", "gamma": 0.5}
    document = load({"lr": 0.5, "sched": target})
    assert_curve(document, lambda step: 0.5 * 0.5**step, range(20))
    problem = refused(load, {"lr": 0.5, "sched": {**target, "warmup_steps": 3}})
    assert problem.message == "'warmup_steps' is not known here"


def test_exponential_is_stepped_once_an_epoch() -> None:
    config = {"optim": {"lr": 0.5, "sched": {"name": "ExponentialLR", "gamma": 0.5}}}
    document = load(config, steps_per_epoch=4)
    assert_curve(document, lambda step: 0.5 * 0.5 ** (step // 4), range(20))
    assert document.notes == (
        "NeMo steps ExponentialLR once an epoch: the rate changes every 4 steps.",
    )
    assert refused(load, config).message == "NeMo steps ExponentialLR once an epoch"


@pytest.mark.parametrize("name", [*NAMES, "ExponentialLR"])
def test_whatever_is_written(name: str) -> None:
    sched = {"name": name, "min_lr": 0.01, "warmup_steps": 2, "hold_ratio": 0.1, "max_steps": 12}
    keep = {
        "T5InverseSquareRootAnnealing": ("name", "min_lr", "max_steps"),
        "ExponentialLR": ("name", "max_steps"),
    }.get(name, ("name", "min_lr", "warmup_steps", "max_steps"))
    given = {key: value for key, value in sched.items() if key in keep or name in HELD}
    extra = {**NEEDED, "ExponentialLR": {"gamma": 0.5}}.get(name, {})
    whole = {"optim": {"lr": 0.1, "sched": {**given, **extra}}, "trainer": {"max_epochs": 3}}
    assert_survives(load, whole, steps_per_epoch=5)


def test_whatever_is_written_of_lines() -> None:
    sched = {**PIECEWISE, "relative": True, "max_steps": 10}
    assert_survives(load, sched)
    assert_survives(load, {"sched": sched, "trainer": {"max_steps": 20}})
