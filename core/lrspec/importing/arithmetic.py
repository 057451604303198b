"""Arithmetic of numbers in Python text, as people write lengths and rates: `int(0.1 * 1000)`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

from lrspec.shorten import quoted

Number: TypeAlias = "int | float"


def _divided(one: Number, other: Number) -> Number:
    return one / other


def _floored(one: Number, other: Number) -> Number:
    return one // other


def _power(base: Number, exponent: Number) -> Number:
    # The power of whole numbers may have any number of digits, that of floats has not.
    found: Any = math.pow(base, exponent)
    return (
        int(found) if isinstance(base, int) and isinstance(exponent, int) and found >= 1 else found
    )


_OPERATORS: dict[type[ast.AST], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.FloorDiv: _floored,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS: dict[str, Any] = {
    "int": int,
    "float": float,
    "round": round,
    "abs": abs,
    "min": min,
    "max": max,
}


def computed(node: ast.expr, what: str | type[ast.AST], values: Sequence[object]) -> Number:
    """The number that an operator or a function makes of numbers; `node` is where it stands.

    Raises ValueError where there is none.
    """
    text = ast.unparse(node)
    make = FUNCTIONS.get(what) if isinstance(what, str) else _OPERATORS.get(what)
    if make is None:
        raise ValueError(f"{quoted(text)} is neither a call nor a plain value")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{quoted(text)} is to be computed, and is not made of numbers alone")
    try:
        found: Number = make(*values)
    except (ArithmeticError, TypeError, ValueError):
        raise ValueError(f"{quoted(text)} gives no number") from None
    return found
