"""Double precision for a part of a program, whether JAX's x64 mode is on or off."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import jax
import jax.experimental

# Its home since JAX 0.8, and before that.
_HOME: Any = jax if hasattr(jax, "enable_x64") else jax.experimental


def double_precision() -> AbstractContextManager[Any]:
    """A context in which float64 and int64 are what they say.

    It is local to the thread and to what is traced within it: the program around it keeps its mode.
    """
    context: AbstractContextManager[Any] = _HOME.enable_x64(True)
    return context
