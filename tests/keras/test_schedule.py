"""The schedule as a function: what it takes, what it gives, and what it refuses."""

from __future__ import annotations

import pickle
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops
from tests.keras.documents import PRODUCTION, RESTARTS, WARMUP

import lrspec
from lrspec import SpecError
from lrspec_keras import LearningRateSchedule
from lrspec_keras.conformance import evaluate

LARGEST = np.finfo(np.float32).max


def rounded(document: dict[str, Any], steps: Any) -> Any:
    """The reference rounded to float32."""
    curve = lrspec.from_dict(document).bind()
    return np.array([curve(int(step)) for step in steps], np.float32)


def test_it_is_a_schedule_of_keras() -> None:
    schedule = LearningRateSchedule(WARMUP)

    assert isinstance(schedule, keras.optimizers.schedules.LearningRateSchedule)


@pytest.mark.parametrize("step", [0, 1, 9, 10, 55, 99, 100, 2**31 - 1, np.int32(7), np.int64(7)])
def test_a_number_gives_the_reference_rounded(step: int) -> None:
    rate = LearningRateSchedule(WARMUP)(step)

    assert keras.backend.standardize_dtype(rate.dtype) == "float32"
    assert tuple(rate.shape) == ()
    assert float(rate) == rounded(WARMUP, [step])[0]


@pytest.mark.parametrize(
    "document", [WARMUP, RESTARTS, PRODUCTION], ids=["list", "repeat", "knots"]
)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_a_tensor_gives_a_tensor_of_its_shape(document: dict[str, Any], dtype: str) -> None:
    steps = np.arange(0, 120, dtype=dtype).reshape(3, 40)
    rates: Any = ops.convert_to_numpy(LearningRateSchedule(document)(ops.convert_to_tensor(steps)))

    assert rates.dtype == np.float32
    assert rates.shape == (3, 40)
    assert (rates == rounded(document, steps.ravel()).reshape(3, 40)).all()


def test_a_mapped_schedule_gives_the_same() -> None:
    steps = np.arange(120, dtype="int32")
    rates = ops.vectorized_map(LearningRateSchedule(WARMUP), ops.convert_to_tensor(steps))

    found: Any = ops.convert_to_numpy(rates)
    assert (found == rounded(WARMUP, steps)).all()


# Numbers of a table that are those of every other row are left out, and come as Python's own.
UNITS: list[dict[str, Any]] = [
    {"constant": {}},
    {"linear": {"final": 0, "length": 1}},
    {"cosine": {"final": 0, "length": 1}},
    {"cosine": {"final": 0, "length": 1, "exponent": 2}},
    {"polynomial": {"final": 0, "power": 1, "length": 1}},
    {"polynomial": {"final": 0, "power": 0.5, "length": 1}},
    {"geometric": {"final": 0.5, "length": 1}},
    {"exponential": {"rate": 0.5, "every": 1}},
    {"exponential": {"rate": 0.5, "every": 1, "staircase": True}},
    {"inverse": {"final": 0.5, "length": 1}},
    {"inverse_sqrt": {"timescale": 1}},
    {"power_law": {"timescale": 1, "exponent": 1}},
    {"product": {"of": [{"constant": {}}, {"constant": {}}, {"constant": {}}]}},
    {"sum": {"of": [{"constant": {"value": 0}}, {"constant": {"value": 1}}]}},
    {"clamp": {"minimum": 1, "schedule": {"linear": {"final": 0, "length": 1}}}},
    {"quantize": {"every": 1, "schedule": {"linear": {"final": 0, "length": 1}}}},
    {"advance": {"by": 1, "schedule": {"inverse_sqrt": {"timescale": 1}}}},
    {"repeat": {"period": 1, "schedule": {"linear": {"final": 0}}}},
    {"repeat": {"period": 1, "shrink": 1, "stretch": 1, "schedule": {"linear": {"final": 0}}}},
]


@pytest.mark.parametrize("schedule", UNITS, ids=lambda schedule: str(*schedule))
def test_numbers_that_are_all_alike(schedule: dict[str, Any]) -> None:
    document = {"lrspec": 1, "base": 1, "schedule": schedule}

    curve = lrspec.from_dict(document).bind()

    assert evaluate(curve, range(4)) == pytest.approx([curve(step) for step in range(4)], rel=3e-7)


def test_a_variable_is_read() -> None:
    iterations = keras.Variable(5, dtype="int64", trainable=False)

    assert float(LearningRateSchedule(WARMUP)(iterations)) == rounded(WARMUP, [5])[0]


def test_compiled_and_not_are_equal() -> None:
    steps = [*range(130), 2**24 - 1, 2**24 + 1, 2**31 - 1]
    schedule = LearningRateSchedule(RESTARTS)

    one_by_one = [float(schedule(ops.convert_to_tensor(step, "int32"))) for step in steps]
    assert evaluate(schedule.curve, steps) == one_by_one


def test_steps_beyond_int32() -> None:
    curve = LearningRateSchedule(WARMUP).curve

    assert evaluate(curve, [3, 2**40]) == [float(np.float32(curve(3))), float(np.float32(0.05))]


def test_a_rate_beyond_float32_is_the_largest() -> None:
    document = {"lrspec": 1, "base": "absolute", "schedule": {"constant": {"value": -1e200}}}
    schedule = LearningRateSchedule(document)

    assert float(schedule(0)) == -LARGEST
    assert evaluate(schedule.curve, [0, 1]) == [-LARGEST, -LARGEST]


def test_a_negative_number_is_refused_and_a_tensor_reads_step_0() -> None:
    schedule = LearningRateSchedule(WARMUP)

    with pytest.raises(ValueError, match="-1"):
        schedule(-1)
    rates: Any = ops.convert_to_numpy(schedule(ops.convert_to_tensor([-1, 0], "int32")))
    assert rates[0] == rates[1]


@pytest.mark.parametrize("step", [0.0, 1.5, True, "3"])
def test_what_is_no_whole_number_is_refused(step: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        LearningRateSchedule(WARMUP)(step)


def test_multiples_need_a_base() -> None:
    document = {"lrspec": 1, "schedule": {"linear": {"final": 0, "length": 10}}}

    with pytest.raises(SpecError) as caught:
        LearningRateSchedule(document)
    assert [problem.code for problem in caught.value.problems] == ["base-required"]
    assert float(LearningRateSchedule(document, base=0.5)(5)) == 0.25


def test_a_curve_is_taken_as_it_is_and_facts_beside_it_are_refused() -> None:
    curve = lrspec.from_dict(WARMUP).bind()

    assert LearningRateSchedule(curve).curve is curve
    with pytest.raises(TypeError, match="bound already"):
        LearningRateSchedule(curve, steps=3)


def test_one_of_several_names() -> None:
    document = {
        "lrspec": 1,
        "base": {"lr": 0.5, "momentum": "absolute"},
        "schedules": {"lr": {"constant": {"value": 1}}, "momentum": {"constant": {"value": 0.9}}},
    }

    assert float(LearningRateSchedule(document)(0)) == 0.5
    assert float(LearningRateSchedule(document, name="momentum")(0)) == np.float32(0.9)


def test_it_can_be_pickled_and_shown() -> None:
    schedule = LearningRateSchedule(WARMUP)
    schedule(ops.convert_to_tensor([1, 2], "int32"))
    again = pickle.loads(pickle.dumps(schedule))

    assert again.curve == schedule.curve
    assert repr(again) == f"lrspec_keras.LearningRateSchedule({schedule.curve!r})"
