"""jax.numpy for the table's evaluator, with selection and gathering in their barest forms.

Those of jax.numpy come as compiled functions of their own and check what cannot happen here, which
would double the size of the traced program.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax


class Arrays:
    """A namespace with numpy's names."""

    where = staticmethod(lax.select)

    @staticmethod
    def take(array: Any, indices: Any, axis: int = 0) -> Any:
        """The entries at `indices`, which are within the array."""
        return jnp.take(array, indices, axis=axis, mode="clip")

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)


ARRAYS = Arrays()
