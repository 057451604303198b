"""What importers of trainers need beside a configuration, and what they say without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import refused

from lrspec.importers import (
    composer,
    darknet,
    deepspeed,
    fairseq,
    llm_foundry,
    megatron_lm,
    olmo_core,
)
from lrspec.importing.importer import Importer

LEGACY = {"name": "inverse_sqrt_with_warmup", "t_warmup": 5}
SEQUENCE = [{"name": "constant"}, {"name": "composable", "stages": []}]
STAGE = {"duration": 5, "end_lr": 0.1}
INVERSE = {"name": "inv_sqrt_with_warmup", "t_warmup": "1ba", "t_cooldown": "1ba"}
SAMPLES = {"lr": 1, "train_samples": 9, "rampup_batch_size": [1, 1, 9]}
GROWING = {"start_weight_decay": 0.1, "end_weight_decay": 0.2, "weight_decay_incr_style": "linear"}
CASES: list[tuple[Importer, dict[str, Any], dict[str, Any], str, str]] = [
    (
        composer.load,
        {"name": "cosine_annealing_warm_restarts", "t_0": "9ba", "t_mult": 1.5},
        {},
        "missing-fact",
        "are counted to the end of the run",
    ),
    (
        composer.load,
        {"name": "cosine_annealing_warm_restarts", "t_0": "0ba"},
        {},
        "out-of-range",
        "t_0 is no time",
    ),
    (
        composer.load,
        {"name": "cosine_annealing_warm_restarts", "t_0": "1ba", "t_mult": 1.1},
        {"steps": 5000},
        "not-importable",
        "there are more than 1000 cycles",
    ),
    (composer.load, {"name": "multistep", "milestones": "9ba"}, {}, "wrong-type", "a list"),
    (
        composer.load,
        {"name": "step", "step_size": "1ep"},
        {"steps_per_epoch": 1.5},
        "wrong-value",
        "an epoch is a whole number of batches, not 1.5",
    ),
    (
        composer.load,
        {"name": "constant", "max_duration": "9ba"},
        {"steps": 8},
        "conflicting-fact",
        "steps is 9 in the configuration and 8 here",
    ),
    (
        llm_foundry.load,
        {**INVERSE, "t_scale": "0ba", "max_duration": "9ba"},
        {},
        "out-of-range",
        "",
    ),
    (
        deepspeed.load,
        {"type": "WarmupLR", "params": {"warmup_min_lr": 0.1}},
        {},
        "missing-fact",
        "warmup_min_lr is a rate beside warmup_max_lr",
    ),
    (
        fairseq.load,
        {"_name": "triangular", "max_lr": 2},
        {},
        "missing-fact",
        "max_lr is a rate beside lr",
    ),
    (
        fairseq.load,
        {"_name": "manual", "update2lr": {"3": 0.1}},
        {},
        "missing-fact",
        "lr is the rate before the first",
    ),
    (
        fairseq.load,
        {"_name": "manual", "lr": 1, "update2lr": {"3": 0.1}, "epoch2lr": {"3": 0.1}},
        {},
        "not-importable",
        "overwrite each other",
    ),
    (fairseq.load, {"_name": "manual", "update2lr": 3}, {}, "wrong-type", "expected a mapping"),
    (
        megatron_lm.load,
        {"lr": 1, "lr_warmup_fraction": 0.1, "lr_decay_style": "constant"},
        {},
        "missing-fact",
        "lr_warmup_fraction is a share of the decay",
    ),
    (megatron_lm.load, SAMPLES, {}, "missing-fact", "the batch grows to global_batch_size"),
    (megatron_lm.load, SAMPLES, {"batch_size": 20_000}, "out-of-range", "more than 10000 sizes"),
    (
        megatron_lm.load,
        {"lr": 1, "lr_decay_style": "constant", **GROWING},
        {},
        "missing-fact",
        "the weight decay grows over the whole run",
    ),
    (
        megatron_lm.load,
        {"lr": 1, "lr_decay_style": "constant", **GROWING, "end_weight_decay": 0},
        {"steps": 9},
        "out-of-range",
        "the weight decay grows from its start to its end",
    ),
    (
        olmo_core.load,
        {"name": "sequential", "schedulers": SEQUENCE, "schedulers_max": [5]},
        {},
        "not-importable",
        "a composable scheduler in a sequence",
    ),
    (
        olmo_core.load,
        {"name": "sequential", "schedulers": SEQUENCE, "schedulers_max_steps": [5, 5]},
        {"steps": 4},
        "does-not-fit",
        "the schedulers are longer than the run",
    ),
    (olmo_core.load, {"name": "composable", "stages": [STAGE]}, {}, "missing-fact", "beside lr"),
    (
        olmo_core.load,
        {"name": "composable", "lr": 1, "stages": [{**STAGE, "end_lr_fraction": 1}]},
        {},
        "conflicting-fields",
        "exclude each other",
    ),
    (
        olmo_core.load,
        {"name": "composable", "lr": 1, "stages": [{"duration": 5}]},
        {},
        "missing-field",
        "'end_lr' or 'end_lr_fraction' is required",
    ),
    (olmo_core.load, {**LEGACY, "t_warmup": 0}, {}, "out-of-range", "has a warmup"),
    (olmo_core.load, {**LEGACY, "name": "cosine_with_warmup"}, {"steps": 5}, "does-not-fit", ""),
    (
        olmo_core.load,
        {"name": "max_scheduler", "t_warmup": 5, "t_max": 9, "units": "tokens"},
        {},
        "not-importable",
        "the larger of two curves, in tokens",
    ),
    (
        olmo_core.load,
        {"name": "cos_with_warmup", "units": "tokens", "lr": 1, "max_duration": "1.2.3T"},
        {},
        "wrong-value",
        "expected a length, found '1.2.3T'",
    ),
    (
        olmo_core.load,
        {"name": "wsd", "warmup": 1, "max_duration": {"value": 3, "unit": "epochs"}},
        {},
        "missing-fact",
        "the schedule ends with the run",
    ),
    (
        olmo_core.load,
        {
            "name": "sequential",
            "schedulers": [{"name": "cos_with_warmup", "warmup": 1, "t_max": 9}, SEQUENCE[0]],
            "schedulers_max": [5],
        },
        {},
        "not-importable",
        "ends before its own t_max",
    ),
    (
        olmo_core.load,
        {"name": "cos_with_warmup_and_linear_decay", "warmup": 95},
        {"steps": 100},
        "does-not-fit",
        "leave nothing of the cosine",
    ),
    (
        olmo_core.load,
        {"name": "exponential", "lr": 0},
        {"steps": 100},
        "out-of-range",
        "the rate is above 0",
    ),
    (darknet.load, {"learning_rate": ".inf"}, {}, "not-finite", "is not a finite number"),
]


@pytest.mark.parametrize(("load", "config", "facts", "code", "message"), CASES)
def test_what_is_missing_or_does_not_go_together(
    load: Importer, config: dict[str, Any], facts: dict[str, Any], code: str, message: str
) -> None:
    problem = refused(load, config, **facts)
    assert problem.code == code
    assert message in problem.message


def test_what_the_caller_gives() -> None:
    assert fairseq.load({"_name": "fixed"}, base=0.5).bind()(3) == 0.5
    decayed = fairseq.load({"_name": "polynomial_decay", "lr": 1}, steps=10)
    assert decayed.bind()(5) == 0.5
    assert composer.load({"name": "linear"}, steps=10, base=2).bind()(5) == 1
    assert (
        deepspeed.load({"type": "WarmupLR", "params": {"warmup_min_lr": 1}}, base=1).bind()(9) == 1
    )


@pytest.mark.parametrize(
    "trainer",
    [
        {"max_tokens": 900},
        {"max_duration": {"value": 900, "unit": "tokens"}},
        {"max_duration": "9e2T"},
    ],
)
def test_tokens_of_olmo(trainer: dict[str, Any]) -> None:
    scheduler = {"name": "linear_with_warmup", "warmup": 100, "units": "tokens", "alpha_f": 0}
    document = olmo_core.load({"scheduler": scheduler, "optimizer": {"lr": 1}, **trainer})
    curve = document.bind(batch_size=10, sequence_length=10)
    assert [curve(step) for step in (0, 4, 8)] == [1, 0.5, 0]


def test_what_a_document_does_not_have() -> None:
    document = megatron_lm.load({"lr": 1, "lr_decay_style": "constant", "decoupled_lr": 2})
    assert document.notes == (
        "decoupled_lr, for the embeddings and the output layer, is not imported.",
    )
    fairseq_default = fairseq.load({"_name": "step", "lr": 1})
    assert fairseq_default.notes == ("lr_deacy_period is left out: fairseq takes 25000.",)
    inverse = fairseq.load({"_name": "inverse_sqrt", "lr": 1})
    assert inverse.notes == ("warmup_updates is left out: fairseq takes 4000.",)


def test_a_period_that_begins_after_the_run_is_no_news() -> None:
    periods = {"_name": "cosine", "lr": 1, "lr_period_updates": 1, "t_mult": 3, "lr_shrink": 1}
    assert fairseq.load({**periods, "max_update": 121}).notes == ()
    assert len(fairseq.load({**periods, "max_update": 122}).notes) == 1


def test_a_cfg_of_one_section(tmp_path: Path) -> None:
    path = tmp_path / "x.cfg"
    path.write_text("[net]\nlearning_rate=.inf\n", "utf-8")
    assert "is not a finite number" in refused(darknet.load, path).message
    path.write_text("[network]\nlearning_rate=0.5\n", "utf-8")
    assert darknet.load(path).bind()(3) == 0.5


def test_a_length_that_hydra_fills_in() -> None:
    scheduler = {"_name": "polynomial_decay", "total_num_update": "${optimization.max_update}"}
    config = {"lr_scheduler": scheduler, "optimization": {"lr": [1], "max_update": 10}}
    assert fairseq.load(config).bind()(5) == 0.5
