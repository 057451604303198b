"""Steps that the host knows: for them the reference is quicker than a chain of small operations."""

from __future__ import annotations

from typing import Any

import keras


def known(step: Any) -> int | None:
    """The whole number in a tensor of no dimensions, or None where reading it is not possible or
    would make the host wait: while a program is traced, and for torch on another device."""
    if len(step.shape):
        return None
    backend = keras.backend.backend()
    if backend == "jax":
        from jax.core import Tracer

        return None if isinstance(step, Tracer) else int(step)
    if backend == "torch":
        from torch.compiler import is_compiling

        if is_compiling() or step.device.type != "cpu":
            return None
        try:
            return int(step)
        except RuntimeError:  # within torch.vmap it stands for many numbers
            return None
    import tensorflow as tf

    return int(step) if tf.executing_eagerly() else None
