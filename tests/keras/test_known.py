"""A step that the host knows is read; one that a program is traced with, or that it would wait for,
is not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import keras

from lrspec_keras.known import known


def _in_jax() -> list[int | None]:
    jax: Any = import_module("jax")
    found: list[int | None] = []

    def traced(step: Any) -> Any:
        found.append(known(step))
        return step

    jax.jit(traced)(3)
    jax.vmap(traced)(jax.numpy.arange(2))
    return found


def _in_torch() -> list[int | None]:
    torch: Any = import_module("torch")
    found: list[int | None] = []

    def mapped(step: Any) -> Any:
        found.append(known(step))
        return step

    torch.vmap(mapped)(torch.arange(2))
    # Every device but the CPU makes the host wait; this one has no value at all.
    return [*found, known(torch.tensor(3, device="meta"))]


def _in_tensorflow() -> list[int | None]:
    tensorflow: Any = import_module("tensorflow")
    found: list[int | None] = []

    def traced(step: Any) -> Any:
        found.append(known(step))
        return step

    tensorflow.function(traced)(tensorflow.constant(3))
    tensorflow.map_fn(tensorflow.function(traced), tensorflow.range(2))
    return found


UNKNOWN = {"jax": _in_jax, "torch": _in_torch, "tensorflow": _in_tensorflow}


def test_a_number_is_read() -> None:
    assert known(keras.ops.convert_to_tensor(7, dtype="int32")) == 7


def test_several_numbers_are_not() -> None:
    assert known(keras.ops.convert_to_tensor([7, 8])) is None


def test_what_the_host_does_not_know_is_not_read() -> None:
    assert UNKNOWN[keras.backend.backend()]() == [None, None]
