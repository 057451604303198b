"""Double precision for a part of a program, on whichever backend Keras runs."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import keras


def double_precision() -> AbstractContextManager[None]:
    """A context in which float64 is what it says.

    JAX needs one: local to the thread and to what is traced within it, in `jax.experimental` before
    0.8. The other backends have float64 at any time.
    """
    if keras.backend.backend() != "jax":
        return nullcontext()
    import jax.experimental

    home: Any = jax if hasattr(jax, "enable_x64") else jax.experimental
    context: AbstractContextManager[None] = home.enable_x64(True)
    return context
