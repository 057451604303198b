"""Products of any factors, in any order, have the rates of t5x, scenic and big_vision."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.importers import test_big_vision, test_scenic, test_t5x
from tests.importers.trainers import assert_curve

from lrspec.importers import big_vision, scenic, t5x

LENGTHS = st.integers(1, 40)
SHARES = st.sampled_from([0.1, 0.25, 0.5, 0.9])


def factors(*names: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(names), min_size=1, max_size=4).map(" * ".join)


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "factors": factors(
                *("constant", "linear_warmup", "linear_decay", "rsqrt_decay"),
                *("rsqrt_normalized_decay", "decay_every", "cosine_decay"),
            ),
            "base_learning_rate": st.sampled_from([1.0, 0.01]),
            "warmup_steps": LENGTHS,
            "decay_factor": SHARES,
            "steps_per_decay": LENGTHS,
            "steps_per_cycle": LENGTHS,
            "step_offset": st.integers(-20, 20),
            "min_learning_rate": st.sampled_from([1e-8, 0.0, 1e-3, -1.0]),
        }
    )
)
def test_t5x_at_every_step(arguments: dict[str, Any]) -> None:
    assert_curve(t5x.load(arguments), lambda step: test_t5x.rate(step, **arguments), range(90))


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "factors": factors(
                *("constant", "polynomial", "piecewise_constant", "linear_warmup"),
                *("rsqrt_decay", "decay_every", "exponential_decay", "cosine_decay"),
                *("linear_decay", "linear_cooldown"),
            ),
            "base_learning_rate": st.sampled_from([1.0, 0.01]),
            "warmup_steps": st.integers(0, 20),
            "warmup_alpha": st.sampled_from([0, 0.1]),
            "total_steps": st.integers(21, 60),
            "decay_steps": LENGTHS,
            "end_factor": st.sampled_from([0, 0.1]),
            "power": st.sampled_from([1, 0.5, 2]),
            "decay_events": st.just([10, 30]),
            "decay_factors": st.just([0.5, 0.1]),
            "timescale": LENGTHS,
            "steps_per_decay": LENGTHS,
            "decay_factor": SHARES,
            "decay_rate": SHARES,
            "staircase": st.booleans(),
            "steps_per_cycle": st.integers(21, 60),
            "m_mul": st.sampled_from([1, 0.5]),
            "alpha": st.sampled_from([0, 0.1]),
            "start_decay_step": st.integers(0, 9),
            "end_learning_rate": st.sampled_from([0, 0.001]),
            "cooldown_steps": LENGTHS,
        }
    ),
)
def test_scenic_at_every_step(config: dict[str, Any]) -> None:
    assert_curve(scenic.load(config), lambda step: test_scenic.rate(step, config), range(90))


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "total_steps": st.integers(21, 60),
            "decay_type": st.sampled_from(["linear", "polynomial", "cosine", "rsqrt", "stair"]),
            "warmup_steps": st.integers(0, 20),
            "cooldown_steps": st.integers(0, 70),
            "base": st.sampled_from([1, 0.5]),
            "scale_with_batchsize": st.booleans(),
            "batch_size": st.sampled_from([128, 1024]),
            "end": st.sampled_from([0, 0.01]),
            "power": st.sampled_from([1, 2, 0.5]),
            "timescale": LENGTHS,
            "shift": st.integers(0, 9),
            "steps": st.just([15, 30]),
            "mults": st.just([0.3, 0.1]),
        }
    )
)
def test_big_vision_at_every_step(arguments: dict[str, Any]) -> None:
    assert_curve(
        big_vision.load(arguments),
        lambda step: test_big_vision.multiplier(step, arguments),
        range(90),
    )
