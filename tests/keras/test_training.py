"""The schedule in a model: trained, saved, loaded, trained on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from tests.keras.documents import PRODUCTION, RESTARTS, WARMUP

from lrspec_keras import LearningRateSchedule

FACTS: dict[str, Any] = {"base": 0.25, "steps": 40}
MULTIPLES: dict[str, Any] = {
    "lrspec": 1,
    "schedule": [
        {"linear": {"initial": 0, "final": 1, "length": "25%"}},
        {"geometric": {"final": 0.01}},
    ],
}


def model_of(schedule: LearningRateSchedule, *, jit: bool | str = "auto") -> Any:
    """One weight that starts at 1, without anything random."""
    model: Any = keras.Sequential(
        [keras.layers.Input((1,)), keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")]
    )
    optimizers: Any = keras.optimizers
    model.compile(optimizers.SGD(schedule), loss=_output, jit_compile=jit)
    return model


@keras.saving.register_keras_serializable(package="lrspec_tests")  # type: ignore[untyped-decorator]
def _output(_: Any, predicted: Any) -> Any:
    """The gradient of the weight is 1: every update subtracts the rate."""
    return keras.ops.mean(predicted)


def trained(model: Any, updates: int) -> float:
    """The weight after so many more updates."""
    ones = np.ones((updates, 1), np.float32)
    model.fit(ones, ones, batch_size=1, shuffle=False, verbose=0)
    return float(model.get_weights()[0][0, 0])


@pytest.mark.parametrize("jit", ["auto", False])
def test_every_update_uses_the_rate_of_its_step(jit: bool | str) -> None:
    schedule = LearningRateSchedule(WARMUP)
    model = model_of(schedule, jit=jit)

    weight = np.float32(1)
    assert trained(model, 30) == pytest.approx(1 - sum(map(schedule.curve, range(30))), rel=1e-5)
    for step in range(30):
        weight -= np.float32(schedule.curve(step))
    assert float(model.get_weights()[0][0, 0]) == pytest.approx(float(weight), rel=1e-6)
    assert int(model.optimizer.iterations) == 30
    assert float(model.optimizer.learning_rate) == np.float32(schedule.curve(30))


@pytest.mark.parametrize("facts", [FACTS, {**FACTS, "steps": 80}])
def test_the_configuration_is_the_document_and_the_facts(facts: dict[str, Any]) -> None:
    schedule = LearningRateSchedule(MULTIPLES, **facts)
    config = schedule.get_config()

    assert config == {"document": MULTIPLES, "facts": facts}
    again = LearningRateSchedule.from_config(json.loads(json.dumps(config)))
    assert again.curve == schedule.curve
    assert [float(again(k)) for k in (0, 1, 7, 10**6)] == [
        float(schedule(k)) for k in (0, 1, 7, 10**6)
    ]


@pytest.mark.parametrize("document", [PRODUCTION, WARMUP, RESTARTS])
def test_keras_serializes_it_by_its_registered_name(document: dict[str, Any]) -> None:
    schedule = LearningRateSchedule(document)
    serialized: Any = keras.saving.serialize_keras_object(schedule)

    assert serialized["registered_name"] == "lrspec>LearningRateSchedule"
    again: Any = keras.saving.deserialize_keras_object(json.loads(json.dumps(serialized)))
    assert again.curve == schedule.curve


def test_a_saved_model_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = model_of(LearningRateSchedule(MULTIPLES, **FACTS))
    expected = trained(whole, 20)

    first = model_of(LearningRateSchedule(MULTIPLES, **FACTS))
    trained(first, 12)
    first.save(tmp_path / "model.keras")
    loaded: Any = keras.models.load_model(tmp_path / "model.keras")
    assert int(loaded.optimizer.iterations) == 12
    assert float(loaded.optimizer.learning_rate) == float(first.optimizer.learning_rate)
    assert trained(loaded, 8) == pytest.approx(expected, rel=1e-6)
