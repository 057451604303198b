"""What a schedule takes, gives and refuses when it is called."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.optax.documents import LARGEST, WARMUP, rounded, x64

from lrspec.binding import as_curve
from lrspec.loading import from_dict
from lrspec.problems import SpecError
from lrspec_optax import Schedule, schedule

CURVE = as_curve(WARMUP, {})


def document(node: Any, **keys: Any) -> dict[str, Any]:
    return {"lrspec": 1, "base": 1, "schedule": node, **keys}


def assert_strong(rates: jax.Array, shape: tuple[int, ...] = ()) -> None:
    assert isinstance(rates, jax.Array)
    assert rates.dtype == jnp.float32
    assert not rates.weak_type
    assert rates.shape == shape


NUMBERS = {
    "python": 7,
    "int8": np.int8(7),
    "uint64": np.uint64(7),
    "0-dimensional": np.array(7),
    "jax": jnp.int32(7),
    "jax uint8": jnp.uint8(7),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_one_number(name: str) -> None:
    rate = schedule(WARMUP)(NUMBERS[name])

    assert_strong(rate)
    assert rate == np.float32(CURVE(7))


@pytest.mark.parametrize("kind", ["int8", "int32", "int64", "uint16", "uint64"])
@pytest.mark.parametrize("array", [np.array, jnp.array])
def test_an_array_of_any_integers(kind: str, array: Any) -> None:
    with x64(True):
        count = array([[0, 1, 2], [4, 39, 100]], kind)

    rates = schedule(WARMUP)(count)

    assert_strong(rates, (2, 3))
    want = rounded(CURVE, [0, 1, 2, 4, 39, 100]).reshape(2, 3)
    assert np.array_equal(np.asarray(rates), want)


def test_an_empty_array() -> None:
    assert_strong(schedule(WARMUP)(np.zeros((0, 3), int)), (0, 3))


def test_steps_beyond_int32() -> None:
    steps = [2**31 - 1, 2**31, 2**40]
    curve = as_curve(document({"inverse_sqrt": {"timescale": 1000}}), {})
    rates = schedule(curve)

    assert np.array_equal(np.asarray(rates(np.array(steps))), rounded(curve, steps))
    assert [float(rates(step)) for step in steps] == rounded(curve, steps).tolist()


@pytest.mark.parametrize("count", [1.0, True, None, "1", [1], np.float32(1), np.True_])
def test_what_is_no_integer_is_refused(count: Any) -> None:
    with pytest.raises(TypeError):
        schedule(WARMUP)(count)


@pytest.mark.parametrize("count", [jnp.float32(1), jnp.ones(3), np.ones(2), jnp.array([True])])
def test_arrays_of_what_is_no_integer_are_refused(count: Any) -> None:
    with pytest.raises(TypeError, match=r"not (float|bool)"):
        schedule(WARMUP)(count)
    with pytest.raises(TypeError, match=r"not (float|bool)"):
        jax.jit(schedule(WARMUP))(count)


@pytest.mark.parametrize("count", [-1, np.int64(-1), jnp.int32(-1), np.array([3, -1])])
def test_a_negative_count_is_refused(count: Any) -> None:
    with pytest.raises(ValueError, match="-1"):
        schedule(WARMUP)(count)


def test_it_takes_whatever_binds(tmp_path: Path) -> None:
    path = tmp_path / "warmup.lrspec.yaml"
    loaded = from_dict(WARMUP)
    path.write_text(loaded.to_yaml())

    for each in (str(path), path, loaded, WARMUP, CURVE):
        assert schedule(each) == schedule(CURVE)


def test_it_takes_facts() -> None:
    open_ended = {"lrspec": 1, "schedule": {"linear": {"initial": 1, "final": 0}}}

    assert schedule(open_ended, steps=10, base=0.5)(5) == 0.25


def test_it_takes_one_of_several_by_name() -> None:
    several = {
        "lrspec": 1,
        "base": {"lr": 0.5, "momentum": "absolute"},
        "schedules": {"lr": {"constant": None}, "momentum": {"constant": {"value": 0.75}}},
    }

    assert schedule(several)(0) == 0.5
    assert schedule(several, name="momentum")(0) == 0.75


def test_facts_beside_a_curve_are_refused() -> None:
    with pytest.raises(TypeError, match="steps"):
        schedule(CURVE, steps=3)


def test_a_base_is_needed() -> None:
    multiples = {"lrspec": 1, "schedule": {"constant": None}}

    with pytest.raises(SpecError) as caught:
        schedule(multiples)

    (problem,) = caught.value.problems
    assert problem.code == "base-required"
    assert "optax" in problem.message
    assert "document" in (problem.hint or "") and "base=" in (problem.hint or "")


def test_a_repeat_that_hardly_grows_is_refused() -> None:
    slow = {"repeat": {"schedule": {"constant": None}, "period": 100, "stretch": 1.0000001}}

    with pytest.raises(ValueError, match="stretch"):
        schedule(document(slow))


EXTREMES: dict[str, tuple[Any, float]] = {
    "overflow": ({"exponential": {"initial": 3, "rate": 10, "every": 1}}, LARGEST),
    "negative": ({"exponential": {"initial": -3, "rate": 10, "every": 1}}, -LARGEST),
    "underflow": ({"exponential": {"initial": 3, "rate": 0.1, "every": 1}}, 0.0),
    "large": ({"constant": {"value": 3.5e38}}, LARGEST),
    "subnormal": ({"constant": {"value": 1e-39}}, 0.0),
    "zero": ({"exponential": {"initial": 0, "rate": 0.1, "every": 1}}, 0.0),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_rates_are_finite(name: str) -> None:
    node, want = EXTREMES[name]
    rates = schedule(document(node))

    assert rates(5000) == want
    assert jax.jit(rates)(5000) == want


def test_it_is_equal_hashable_and_picklable() -> None:
    one, other = schedule(WARMUP), schedule(WARMUP, base=1, override=True)
    again = pickle.loads(pickle.dumps(one))

    assert one == schedule(WARMUP) == again
    assert len({one, again, other}) == 2
    assert one != other
    assert one != 3
    assert again(7) == one(7)
    assert isinstance(again, Schedule)


def test_its_text_names_the_curve() -> None:
    assert repr(CURVE) in repr(schedule(CURVE))
