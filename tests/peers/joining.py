"""Random joins of schedules, as optax and MLX have them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st


@st.composite
def joined(draw: Any, of: Any) -> dict[str, Any]:
    """The arguments of `join_schedules`, of up to four schedules that `of` draws."""
    count = draw(st.integers(1, 4))
    schedules = draw(st.lists(of, min_size=count, max_size=count))
    boundaries = draw(st.lists(st.integers(0, 80), min_size=count - 1, max_size=count - 1))
    if draw(st.booleans()):
        boundaries.sort()
    return {"name": "join_schedules", "schedules": schedules, "boundaries": boundaries}
