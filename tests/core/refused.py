"""What a document is refused for, as the lines that people read."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.loading import loads
from lrspec.problems import Problem, SpecError


def problems(text: str, **facts: Any) -> tuple[Problem, ...]:
    """The problems of a document in YAML, read or bound to facts."""
    with pytest.raises(SpecError) as caught:
        loads("lrspec: 1\n" + text).bind(**facts)
    return caught.value.problems


def lines(text: str, **facts: Any) -> list[str]:
    """One line a problem: code, then place, pointer, message and hint."""
    return [f"{problem.code} {problem}" for problem in problems(text, **facts)]
