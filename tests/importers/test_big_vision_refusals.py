"""What the importer of big_vision refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import pytest
from tests.importers.trainers import refused

from lrspec.importers.big_vision import load


@pytest.mark.parametrize(
    ("config", "facts", "code", "message"),
    [
        (
            {"decay_type": "linear"},
            {},
            "missing-fact",
            "the schedules of big_vision end with the run; give 'total_steps' in the "
            "configuration, or --steps (in Python steps=…)",
        ),
        (
            {"total_steps": 7},
            {"steps": 8},
            "conflicting-fact",
            "/total_steps: steps is 7 in the configuration and 8 here",
        ),
        (
            {"total_examples": 70, "batch_size": 10},
            {"steps": 8},
            "conflicting-fact",
            "steps is 7 in the configuration and 8 here",
        ),
        (
            {"total_epochs": 0},
            {"steps_per_epoch": 8},
            "out-of-range",
            "the run has no steps",
        ),
        (
            {"total_epochs": 1e300},
            {"steps_per_epoch": 1e300},
            "out-of-range",
            "/total_epochs: 1e+300 is too long",
        ),
        (
            {"total_percent": 1, "total_steps": 9},
            {},
            "unknown-field",
            "'total_percent' is not known here; did you mean 'cooldown_percent'?",
        ),
        (
            {"total_steps": 10, "warmup_steps": 10},
            {},
            "does-not-fit",
            "the warmup of 10 steps is not shorter than the run of 10",
        ),
        (
            {"total_steps": 10, "warmup_percent": 1.5},
            {},
            "out-of-range",
            "/warmup_percent: expected at most 1, found 1.5",
        ),
        (
            {"total_steps": 10, "warmup_steps": 1, "warmup_epochs": 1},
            {},
            "conflicting-fields",
            "/warmup_epochs: 'warmup_steps' and 'warmup_epochs' exclude each other",
        ),
        (
            {"total_steps": 10, "warmup_examples": 1},
            {},
            "missing-fact",
            "warmup_examples is counted in examples; give 'batch_size' in the configuration, or "
            "--batch-size (in Python batch_size=…)",
        ),
        (
            {"total_steps": 10, "warmup_examples": 1},
            {"batch_size": [{"start": 0, "value": 1}, {"start": 5, "value": 2}]},
            "not-importable",
            "in big_vision the batch size does not change",
        ),
        (
            {"total_steps": 10, "warmup_epochs": 1},
            {},
            "missing-fact",
            "warmup_epochs is counted in epochs; give --steps-per-epoch (in Python "
            "steps_per_epoch=…)",
        ),
        (
            {"total_steps": 10, "decay_type": "rsqr"},
            {},
            "wrong-value",
            "/decay_type: unknown decay_type 'rsqr'; known are linear, polynomial, cosine, rsqrt "
            "and stair; did you mean 'rsqrt'?",
        ),
        (
            {"total_steps": 10, "decay_type": "linear", "end": 0, "linear_end": 0.1},
            {},
            "conflicting-fields",
            "/linear_end: 'end' and 'linear_end' exclude each other",
        ),
        (
            {"total_steps": 9, "decay_type": "rsqrt", "timescale": 5, "timescale_examples": 1},
            {},
            "conflicting-fields",
            "/timescale_examples: 'timescale' and 'timescale_examples' exclude each other",
        ),
        (
            {"total_steps": 10, "decay_type": "rsqrt", "timescale": 5, "shift": -5},
            {},
            "out-of-range",
            "/shift: shift -5 leaves nothing of the timescale 5",
        ),
        (
            {"total_steps": 10, "steps": [5], "mults": [0.1, 0.2]},
            {},
            "values-number",
            "/mults: there are 1 steps and 2 mults",
        ),
        (
            {"total_steps": 10, "steps": [5]},
            {},
            "values-number",
            "/steps: there are 1 steps and 0 mults",
        ),
        (
            {"total_steps": 10, "steps": [5, 5], "mults": [0.1, 0.2]},
            {},
            "boundaries-order",
            "/steps: steps increase strictly",
        ),
        (
            {"total_steps": 10, "warmup_step": 5},
            {},
            "unknown-field",
            "'warmup_step' is not known here; did you mean 'warmup_steps'?",
        ),
        (
            {"total_steps": 10, "lr": 1, "schedule": {"decay_tipe": "cosine"}},
            {},
            "unknown-field",
            "/schedule: 'decay_tipe' is not known here; did you mean 'decay_type'?",
        ),
        (
            {"total_steps": 10, "lr": -1},
            {},
            "out-of-range",
            "/lr: expected at least 0, found -1",
        ),
        (
            {"total_steps": 10, "lr": 1, "schedule": [[".*", None]]},
            {},
            "not-importable",
            "/schedule: every parameter is frozen, no schedule is left",
        ),
        (
            {"total_steps": 10, "lr": 1, "schedule": [[".*", "cosine"]]},
            {},
            "wrong-type",
            "/schedule/0: expected a pattern and a mapping or null, found a list",
        ),
        (
            {"total_steps": 10, "lr": 1, "schedule": "cosine"},
            {},
            "wrong-type",
            "/schedule: expected a mapping, found 'cosine'",
        ),
    ],
)
def test_refused(config: dict[str, Any], facts: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config, **facts)
    assert (problem.code, str(problem)) == (code, message)
