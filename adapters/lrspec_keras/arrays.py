"""Array functions of the backend that Keras runs on, under numpy's names, for the evaluator.

`keras.ops` will not do: several of its functions turn float64 into float32 on the way (floor and
maximum on torch, floor and sin on JAX, as of Keras 3.15).
"""

from __future__ import annotations

from typing import Any

import keras


def arrays() -> Any:
    """The namespace of the present backend; the numbers of a table come as arrays of numpy."""
    backend = keras.backend.backend()
    if backend == "jax":
        import jax.numpy

        return jax.numpy
    if backend == "torch":
        return _torch()
    if backend == "tensorflow":
        return _tensorflow()
    raise NotImplementedError(f"the Keras backend {backend} has no float64 arrays")


def _torch() -> Any:
    import torch

    class Torch:
        """torch with numpy's names; numbers of Python may stand beside tensors."""

        power = staticmethod(torch.pow)
        mod = staticmethod(torch.remainder)

        @staticmethod
        def maximum(x: Any, y: Any) -> Any:
            return torch.maximum(x, y) if torch.is_tensor(y) else torch.clamp(x, min=y)

        @staticmethod
        def minimum(x: Any, y: Any) -> Any:
            return torch.minimum(x, y) if torch.is_tensor(y) else torch.clamp(x, max=y)

        @staticmethod
        def take(array: Any, indices: Any, axis: int = 0) -> Any:
            return torch.index_select(_tensor(array, indices), axis, indices)

        @staticmethod
        def searchsorted(edges: Any, values: Any, side: str) -> Any:
            return torch.searchsorted(_tensor(edges, values), values, side=side)

        def __getattr__(self, name: str) -> Any:
            return getattr(torch, name)

    def _tensor(numbers: Any, beside: Any) -> Any:
        return torch.as_tensor(numbers, device=beside.device)

    return Torch()


def _tensorflow() -> Any:
    import tensorflow as tf

    class TensorFlow:
        """TensorFlow with numpy's names."""

        power = staticmethod(tf.pow)
        mod = staticmethod(tf.math.floormod)
        take = staticmethod(tf.gather)

        def __getattr__(self, name: str) -> Any:
            return getattr(tf if hasattr(tf, name) else tf.math, name)

    return TensorFlow()
