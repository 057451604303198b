"""What an adapter asks of a curve whose host has no rate of its own: a base."""

from __future__ import annotations

from lrspec.curve import Curve
from lrspec.problems import SpecError


def require_base(curve: Curve, host: str) -> Curve:
    """The curve, if it has a base; `host` is what the message calls the other side.

    Raises:
        SpecError: `base-required`: the curve gives multiples, and nothing says of what.
    """
    if curve.base is not None:
        return curve
    source = curve.document.source
    raise SpecError(
        [
            source.problem(
                "base-required",
                (),
                f"{host} needs the rates themselves, and {curve.name} is given in multiples",
                expected="base",
                hint="write base in the document (absolute, if values are rates) or give base=…",
            )
        ]
    )
