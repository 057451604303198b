"""What the importer of scenic refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import pytest
from tests.importers.trainers import refused

from lrspec.importers.scenic import load


@pytest.mark.parametrize(
    ("config", "facts", "code", "message"),
    [
        (
            {"factors": "constant * cosine"},
            {},
            "wrong-value",
            "/factors: unknown factor 'cosine'; known are constant, polynomial, "
            "piecewise_constant, piecewise_linear, linear_warmup, rsqrt_decay, decay_every, "
            "exponential_decay, cosine_decay, linear_decay and linear_cooldown; "
            "did you mean 'cosine_decay'?",
        ),
        ({"factors": "constant"}, {}, "missing-field", "'base_learning_rate' is required"),
        ({}, {}, "missing-field", "'base_learning_rate' is required"),
        (
            {"lr_configs": {"factors": "constant", "base_learning_rate": 0.1}},
            {},
            "missing-field",
            "/lr_configs: without 'learning_rate_schedule' scenic takes base_learning_rate alone; "
            "it is 'compound' where factors count",
        ),
        (
            {"learning_rate_schedule": "cosine", "factors": "constant"},
            {},
            "unknown-schedule",
            "/learning_rate_schedule: unknown schedule 'cosine'; known is 'compound'",
        ),
        (
            {"factors": "constant", "base_learning_rate": 0.1, "warmup_step": 1},
            {},
            "unknown-field",
            "'warmup_step' is not known here; did you mean 'warmup_steps'?",
        ),
        (
            {"base_learning_rate": 0.1, "warmup_step": 1},
            {},
            "unknown-field",
            "'warmup_step' is not known here; did you mean 'warmup_steps'?",
        ),
        ({"factors": "linear_warmup"}, {}, "missing-field", "'warmup_steps' is required"),
        (
            {"factors": "linear_decay"},
            {},
            "missing-fact",
            "linear_decay ends with the run; give 'total_steps' in the configuration, or --steps "
            "(in Python steps=…)",
        ),
        (
            {"factors": "linear_decay", "total_steps": 10, "warmup_steps": 10},
            {},
            "does-not-fit",
            "the warmup of 10 steps is not shorter than the run of 10",
        ),
        (
            {"factors": "cosine_decay", "steps_per_cycle": 10, "warmup_steps": 10},
            {},
            "does-not-fit",
            "/steps_per_cycle: the warmup leaves nothing of the cycle of 10 steps",
        ),
        (
            {"factors": "piecewise_constant", "decay_events": [1], "decay_factors": []},
            {},
            "values-number",
            "/decay_factors: there are 1 decay_events and 0 decay_factors",
        ),
        (
            {"factors": "piecewise_constant", "decay_events": [2, 2], "decay_factors": [1, 1]},
            {},
            "boundaries-order",
            "/decay_events: decay_events increase strictly",
        ),
        (
            {"factors": "piecewise_linear", "decay_events": [0], "decay_factors": [1]},
            {},
            "boundaries-order",
            "/decay_events: decay_events increase strictly, from more than 0",
        ),
        (
            {"factors": "cosine_decay", "steps_per_cycle": 10, "t_mul": 0.5},
            {},
            "out-of-range",
            "/t_mul: expected at least 1, found 0.5",
        ),
        (
            {"factors": "constant", "base_learning_rate": 0.1, "total_steps": 5},
            {"steps": 6},
            "conflicting-fact",
            "/total_steps: steps is 5 in the configuration and 6 here",
        ),
    ],
)
def test_refused(config: dict[str, Any], facts: dict[str, Any], code: str, message: str) -> None:
    problem = refused(load, config, **facts)
    assert (problem.code, str(problem)) == (code, message)
