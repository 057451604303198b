"""Whether a curve holds one value from some step on."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from lrspec import resolved
from lrspec.clock import position

if TYPE_CHECKING:
    from lrspec.curve import Curve
    from lrspec.evaluate import Position
    from lrspec.resolved import Node


def held(curve: Curve, start: float) -> float | None:
    """The value that the curve holds from `start`, in steps, on for ever; None where it goes on by
    a formula."""
    step = ceil(start)
    at = position(curve.resolution.clock)(step)
    return curve(step + 1) if holds(curve.resolution.root, at) else None


def holds(node: Node, at: Position) -> bool:
    """Whether a node holds one value from a position on, for ever."""
    match node:
        case resolved.Constant():
            return True
        case resolved.Linear() | resolved.Cosine() | resolved.Polynomial() | resolved.Geometric():
            return at >= node.stop and not node.extend
        case resolved.Inverse():
            return at >= node.stop
        case resolved.PiecewiseLinear() | resolved.PiecewiseConstant():
            return at >= node.boundaries[-1]
        case resolved.Timeline():
            return at >= node.edges[-1] and holds(node.rows[-1], at)
        case resolved.Product() | resolved.Sum():
            return all(holds(child, at) for child in node.children)
        case resolved.Clamp():
            return holds(node.child, at)
        case resolved.Quantize():
            return holds(node.child, at - node.every)
        case _:
            return False
