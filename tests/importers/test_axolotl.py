"""axolotl's configurations become documents with the rates of its schedulers."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import assert_curve, assert_survives, body, refused

from lrspec.importers.axolotl import load

FILE = """\
base_model: NousResearch/Llama-3.2-1B
load_in_8bit: false
datasets:
  - path: teknium/GPT4-LLM-Cleaned
    type: alpaca
val_set_size: 0.1
output_dir: ./outputs/lora-out
adapter: lora
lora_r: 16
sequence_len: 2048
sample_packing: true
eval_sample_packing: true
gradient_accumulation_steps: 2
micro_batch_size: 2
num_epochs: 1
optimizer: adamw_8bit
lr_scheduler: cosine
learning_rate: 2e-4
cosine_min_lr_ratio: 0.1
bf16: auto
logging_steps: 1
warmup_ratio: 0.1
evals_per_epoch: 4
saves_per_epoch: 1
save_steps: 100
weight_decay: 0.0
special_tokens:
  pad_token: "<|end_of_text|>"
"""


def cosine(low: float, quadratic: bool = False) -> Callable[[int, int, int], float]:
    def factor(step: int, warmup: int, total: int) -> float:
        if step < warmup:
            return float((step / warmup) ** (2 if quadratic else 1))
        progress = (step - warmup) / max(1, total - warmup)
        return low + (1 - low) * (1 + cos(pi * progress)) / 2

    return factor


def until(low: float, share: float) -> Callable[[int, int, int], float]:
    def factor(step: int, warmup: int, total: int) -> float:
        if step < warmup:
            return step / warmup
        end = int(total * share)
        progress = (min(step, end) - warmup) / max(1, end - warmup)
        return (1 - low) * (1 + cos(pi * progress)) / 2 + low

    return factor


def rex(low: float) -> Callable[[int, int, int], float]:
    def factor(step: int, warmup: int, total: int) -> float:
        at = step + 1
        if at <= warmup:
            return at / warmup
        if at >= total:
            return low
        left = (total - at) / (total - warmup)
        return low + (1 - low) * left / (0.1 + 0.9 * left)

    return factor


def linear(step: int, warmup: int, total: int) -> float:
    return step / warmup if step < warmup else max(0, (total - step) / max(1, total - warmup))


KINDS: list[tuple[dict[str, Any], Callable[[int, int, int], float]]] = [
    ({}, cosine(0)),
    ({"lr_scheduler": "cosine", "cosine_min_lr_ratio": 0.1}, cosine(0.1)),
    ({"lr_quadratic_warmup": True, "cosine_min_lr_ratio": 0.1}, cosine(0, quadratic=True)),
    ({"cosine_min_lr_ratio": 0.1, "cosine_constant_lr_ratio": 0.57}, until(0.1, 0.57)),
    ({"cosine_min_lr_ratio": 0.1, "cosine_constant_lr_ratio": 0.01}, until(0.1, 0.01)),
    ({"cosine_constant_lr_ratio": 0.5}, cosine(0)),
    ({"lr_scheduler": "rex"}, rex(0)),
    ({"lr_scheduler": "rex", "cosine_min_lr_ratio": 0.1}, rex(0.1)),
    ({"lr_scheduler": "rex", "cosine_min_lr_ratio": 1}, rex(1)),
    ({"lr_scheduler": "linear", "lr_quadratic_warmup": True}, linear),
]


@pytest.mark.parametrize(("config", "factor"), KINDS)
@pytest.mark.parametrize("warmup", [0, 2, 7, 8, 40])
def test_every_kind_has_its_rates(
    config: dict[str, Any], factor: Callable[[int, int, int], float], warmup: int
) -> None:
    document = load({**config, "learning_rate": 0.3, "max_steps": 40, "warmup_steps": warmup})
    assert_curve(document, lambda step: 0.3 * factor(step, warmup, 40), range(70))


def envelope(at: int, period: int, warm: int, anneal: int, low: float) -> float:
    """The factor of jagged restarts at position `at`."""
    if at < period - anneal:
        return 1
    inside = at % period
    part = 1.0
    if inside < warm:
        part = inside / warm
    elif inside > period - anneal:
        part = (period - inside) / anneal
    return low + (1 - low) * part


@pytest.mark.parametrize(("config", "factor"), [kind for kind in KINDS if "rex" not in str(kind)])
@pytest.mark.parametrize(("warm", "anneal"), [(None, None), (3, 1), (5, 4), (11, 5)])
@pytest.mark.parametrize("warmup", [0, 7, 90])
def test_jagged_restarts(
    config: dict[str, Any],
    factor: Callable[[int, int, int], float],
    warm: int | None,
    anneal: int | None,
    warmup: int,
) -> None:
    given = {
        "learning_rate": 0.3,
        "max_steps": 60,
        "warmup_steps": warmup,
        "jagged_restart_steps": 16,
        "jagged_restart_warmup_steps": warm,
        "jagged_restart_anneal_steps": anneal,
    }
    low = config.get("cosine_min_lr_ratio", 0.001)

    def rate(step: int) -> float:
        at = step + 1
        return 0.3 * factor(at, warmup, 60) * envelope(at, 16, warm or 10, anneal or 1, low)

    # Without sampling, unless the schedule jumps.
    jumps = warmup == 90 or (config.get("cosine_constant_lr_ratio") == 0.01 and warmup)
    assert_curve(load({**config, **given}, sample=bool(jumps)), rate, range(60))


def test_jagged_restarts_of_what_jumps() -> None:
    config = {
        "lr_scheduler": "cosine_with_restarts",
        "lr_scheduler_kwargs": {"num_cycles": 3},
        "learning_rate": 0.3,
        "max_steps": 60,
        "warmup_steps": 0,
        "jagged_restart_steps": 16,
    }
    problem = refused(load, config)
    assert "cosine_with_restarts jumps, and axolotl reads it one step later" in problem.message

    def rate(step: int) -> float:
        at = step + 1
        again = 0 if at >= 60 else (1 + cos(pi * (at / 20 % 1))) / 2
        return 0.3 * again * envelope(at, 16, 10, 1, 0.001)

    assert_curve(load(config, sample=True), rate, range(61))


def test_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "lora-1b.yml"
    path.write_text(FILE, "utf-8")
    document = load(path, steps_per_epoch=1234)
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0002\n"
        "training: {steps: 1234}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 123}\n"
        "- cosine: {final: 0.1, after: extend}\n"
    )
    assert document.notes == (
        "1 epoch of 1234 steps is 1234 steps.",
        "warmup_ratio 0.1 of 1234 steps is 123, rounded down.",
        "After its end the cosine climbs again, as it does in axolotl.",
    )


def test_the_written_documents() -> None:
    common = {"learning_rate": 1e-4, "max_steps": 1000, "warmup_steps": 100}
    assert body(load({**common, "lr_scheduler": "rex"})) == (
        "lrspec: 1\n"
        "base: absolute\n"
        "sample: end\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 0.0001, length: 100}\n"
        "- inverse: {final: 0, asymptote: 0.00011111111111111112}\n"
    )
    restarts = {"jagged_restart_steps": 150, "cosine_min_lr_ratio": 0.1}
    assert body(load({**common, **restarts})) == (
        "lrspec: 1\n"
        "base: 0.0001\n"
        "sample: end\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "  product:\n"
        "    of:\n"
        "    - - linear: {initial: 0, final: 1, length: 100}\n"
        "      - cosine: {final: 0.1, after: extend}\n"
        "    - - constant: {value: 1, length: 149}\n"
        "      - linear: {final: 0.1, length: 1}\n"
        "      - repeat:\n"
        "          period: 150\n"
        "          schedule:\n"
        "          - linear: {initial: 0.1, final: 1, length: 10}\n"
        "          - constant:\n"
        "          - linear: {final: 0.1, length: 1}\n"
    )


def test_a_cosine_that_ends_early() -> None:
    ratios = {"cosine_min_lr_ratio": 0.1, "cosine_constant_lr_ratio": 0.8}
    document = load({**ratios, "learning_rate": 1e-4, "max_steps": 1000, "warmup_steps": 100})
    assert body(document) == (
        "lrspec: 1\n"
        "base: 0.0001\n"
        "training: {steps: 1000}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 100}\n"
        "- cosine: {final: 0.1, length: 700}\n"
        "- constant:\n"
    )


def test_one_cycle() -> None:
    config = {
        "lr_scheduler": "one_cycle",
        "learning_rate": 0.3,
        "max_steps": 100,
        "warmup_steps": 11,
        "lr_scheduler_kwargs": {"div_factor": 10, "final_div_factor": 100, "cycle_momentum": False},
    }
    document = load(config)

    def rate(step: int) -> float:
        if step <= 10:
            return 0.3 + (0.03 - 0.3) * (1 + cos(pi * step / 10)) / 2
        return 0.0003 + (0.3 - 0.0003) * (1 + cos(pi * (step - 10) / 89)) / 2

    assert_curve(document, rate, range(100))
    assert "pct_start is the warmup of 11 steps by 100: 0.11." in document.notes
    half = {"pct_start": 0.5, "cycle_momentum": False}
    assert max(range(100), key=load({**config, "lr_scheduler_kwargs": half}).bind()) == 49
    taken = {**config, "lr_scheduler_kwargs": {"max_lr": 1}}
    assert refused(load, taken).message == "max_lr is given by axolotl"
    problem = refused(load, {**config, "jagged_restart_steps": 20})
    assert problem.message == "no document states jagged restarts around one_cycle"


def test_the_warmup() -> None:
    common = {"learning_rate": 1, "lr_scheduler": "constant_with_warmup"}
    for given, total, expected in (
        ({}, 1000, 30),
        ({}, 100_000, 100),
        ({}, 50, 2),
        ({}, 30, 0),
        ({"warmup_steps": 1}, 1000, 2),
        ({"warmup_steps": 0}, 1000, 0),
        ({"warmup_ratio": 0.29}, 100, 28),
    ):
        curve = load({**common, **given, "max_steps": total}).bind()
        assert next(step for step in range(200) if curve(step) == 1) == expected
    document = load({**common, "max_steps": 50})
    assert document.notes == (
        "No warmup is given; it is 3% of 50 steps and at most 100, that is 1.",
        "A warmup of 1 step is one of 2 in axolotl.",
    )


def test_the_notes() -> None:
    common = {"learning_rate": 1, "max_steps": 100, "warmup_steps": 5}
    document = load({**common, "loraplus_lr_ratio": 16, "cosine_constant_lr_ratio": 0.5})
    assert document.notes[:3] == (
        "lr_scheduler is not given; it is cosine, the default.",
        "loraplus_lr_ratio gives some parameters another rate; this is that of the others.",
        "cosine_constant_lr_ratio is not used with cosine.",
    )
    document = load({**common, "lr_scheduler": "linear", "cosine_min_lr_ratio": 0.5})
    assert document.notes == ("cosine_min_lr_ratio is not used with linear.",)
    document = load({**common, "lr_quadratic_warmup": True, "cosine_min_lr_ratio": 0.5})
    assert "cosine_min_lr_ratio is not used with lr_quadratic_warmup." in document.notes


def test_max_steps_before_epochs() -> None:
    common = {"learning_rate": 1, "lr_scheduler": "linear", "warmup_steps": 0}
    assert load({**common, "num_epochs": 3, "max_steps": 40}).bind().steps == 40


def test_a_warmup_of_no_steps_excludes_no_ratio() -> None:
    common = {"learning_rate": 1, "lr_scheduler": "linear", "max_steps": 100}
    assert load({**common, "warmup_steps": 0, "warmup_ratio": 0.1}).bind()(0) == 1
    assert load({**common, "warmup_steps": 10, "warmup_ratio": 0}).bind()(5) == 0.5


def test_restarts_that_are_switched_off() -> None:
    common = {"learning_rate": 1, "lr_scheduler": "linear", "max_steps": 100, "warmup_steps": 0}
    restarts = {**common, "jagged_restart_steps": 30, "jagged_restart_warmup_steps": 5}
    assert load({**restarts, "jagged_restart_anneal_steps": False}) == load(
        {**restarts, "jagged_restart_anneal_steps": 1}
    )
    assert load({**common, "jagged_restart_steps": False}) == load(common)
    problem = refused(load, {**restarts, "jagged_restart_anneal_steps": True})
    assert problem.code == "wrong-type"


def test_what_needs_no_length() -> None:
    common = {"learning_rate": 0.5, "num_epochs": 3}
    document = load({**common, "lr_scheduler": "constant"})
    assert body(document) == "lrspec: 1\nbase: 0.5\nschedule:\n  constant: {value: 1}\n"
    assert document.notes == ()
    warm = {**common, "lr_scheduler": "constant_with_warmup"}
    assert_curve(load({**warm, "warmup_steps": 4}), lambda s: 0.5 * min(s / 4, 1), range(50))
    assert refused(load, warm).message == "the default of the warmup is a share of the run's steps"
    rex = {**common, "lr_scheduler": "rex", "warmup_steps": 4}
    assert refused(load, rex).message == "the schedule ends with the run"
    problem = refused(load, {**warm, "warmup_ratio": 0.1})
    assert problem.message == "warmup_ratio 0.1 is a share of the run's steps"
    assert str(problem.hint).endswith("or --steps-per-epoch, for its epochs")


def test_a_configuration_of_deepspeed_is_named() -> None:
    common = {"learning_rate": 0.5, "max_steps": 100, "lr_scheduler": "constant"}
    document = load({**common, "deepspeed": "deepspeed_configs/zero2.json"})
    assert document.notes == (
        "Where deepspeed_configs/zero2.json has a scheduler, DeepSpeed takes that in place of this"
        " one.",
    )
    assert refused(load, {**common, "deepspeed": {"scheduler": {}}}).path == "/deepspeed"


def test_a_minimum_that_is_the_rate() -> None:
    config = {"learning_rate": 0.5, "max_steps": 9, "warmup_steps": 2, "cosine_min_lr_ratio": 1}
    document = load({**config, "lr_scheduler": "cosine"})
    assert body(document).endswith("- linear: {initial: 0, final: 1, length: 2}\n- constant:\n")
    assert document.notes == ()


def test_the_length_of_the_run() -> None:
    common = {"learning_rate": 1, "lr_scheduler": "linear", "warmup_steps": 2}
    assert load({**common, "num_epochs": 2.5}, steps_per_epoch=9.5).bind().steps == 25
    assert load(common, steps=40).bind().steps == 40
    assert refused(load, common).message == "the schedule ends with the run"
    problem = refused(load, {**common, "num_epochs": 2}, steps=30, steps_per_epoch=10)
    assert problem.message == "steps is 30 here, and 2 epochs of 10 steps are 20 steps"
    assert refused(load, {**common, "num_epochs": 1e20}, steps_per_epoch=10).code == "out-of-range"
    assert load({"learning_rate": 1, "max_steps": 9}, schedule="rex").origin == "axolotl rex"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"lr_sheduler": "cosine"}, "unknown-field", "'lr_sheduler' is not known here"),
        ({"warmup_step": 3}, "unknown-field", "'warmup_step' is not known here"),
        ({"cosine_min_lr": 3}, "unknown-field", "'cosine_min_lr' is not known here"),
        ({"relora_steps": 150}, "not-importable", "relora_steps is of an older axolotl"),
        ({"lr_scheduler": "rexx"}, "unknown-schedule", "unknown schedule 'rexx'"),
        ({"lr_scheduler": "reduce_lr_on_plateau"}, "not-importable", "follows a metric"),
        (
            {"warmup_steps": 3, "warmup_ratio": 0.1},
            "conflicting-fields",
            "'warmup_steps' and 'warmup_ratio' exclude each other",
        ),
        ({"warmup_steps": 0.1}, "wrong-type", "expected a whole number, found 0.1"),
        ({"cosine_min_lr_ratio": 1.5}, "out-of-range", "at most 1"),
        ({"learning_rate": None}, "missing-fact", "axolotl has no default for learning_rate"),
        (
            {"lr_scheduler": "rex", "warmup_steps": 200},
            "out-of-range",
            "the warmup of 200 steps is longer than the run",
        ),
        (
            {"lr_scheduler": "rex", "jagged_restart_steps": 20},
            "not-importable",
            "counts the steps of rex twice",
        ),
        (
            {"jagged_restart_steps": 12, "jagged_restart_anneal_steps": 3},
            "out-of-range",
            "the warmup of 10 steps and the annealing of 3 are more than 12",
        ),
        (
            {"jagged_restart_steps": 50, "jagged_restart_anneal_steps": 11},
            "not-importable",
            "anneals longer than it warms up",
        ),
        ({"lr_scheduler_kwargs": {"num_cycle": 1}}, "unknown-field", "'num_cycle' is not known"),
    ],
)
def test_what_is_refused(change: dict[str, Any], code: str, says: str) -> None:
    problem = refused(load, {"learning_rate": 0.3, "max_steps": 100, "base_model": "x", **change})
    assert problem.code == code
    assert says in problem.message


def test_what_is_no_configuration() -> None:
    assert refused(load, {"base_model": "x"}).code == "not-a-config"


@pytest.mark.parametrize(
    "config",
    [
        {"cosine_min_lr_ratio": 0.1, "cosine_constant_lr_ratio": 0.5, "warmup_ratio": 0.1},
        {"lr_quadratic_warmup": True, "warmup_steps": 3, "num_epochs": 2},
        {"lr_scheduler": "rex", "cosine_min_lr_ratio": 0.1, "warmup_steps": 3},
        {"lr_scheduler": "one_cycle", "lr_scheduler_kwargs": {"div_factor": 10}},
        {
            "jagged_restart_steps": 20,
            "jagged_restart_warmup_steps": 5,
            "jagged_restart_anneal_steps": 3,
        },
    ],
)
def test_whatever_is_written(config: dict[str, Any]) -> None:
    assert_survives(load, {**config, "learning_rate": 0.1, "max_steps": 40}, steps_per_epoch=5)
