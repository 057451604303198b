"""Positions and durations as they are written: an exact number and a unit (clauses 3.1, 3.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_05UP, Context
from fractions import Fraction
from typing import Literal, TypeAlias

from lrspec.resolved import Exact
from lrspec.shorten import short

Unit: TypeAlias = Literal["steps", "epochs", "samples", "tokens", "%"]

_TEXT = re.compile(
    r"(?P<number>(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)"
    r"(?:(?P<percent>%)|(?P<prefix>[kMBT]?) (?P<unit>step|epoch|sample|token)s?)"
)
# Numbers as they are written; of more than a thousand digits the first ones, the last of which
# tells whether more follow. The others change no float64, and take a time beyond all bounds.
_NUMBERS = Context(prec=1000, rounding=ROUND_05UP, Emin=-5000, Emax=5000, traps=[])
_PREFIXES = {"": 1, "k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_UNITS: dict[str, Unit] = {
    "step": "steps",
    "epoch": "epochs",
    "sample": "samples",
    "token": "tokens",
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """`number` of `unit`, as `written` in the document.

    For "%" the number is a fraction of the ruler: 45% is 9/20.
    """

    number: Exact
    unit: Unit
    written: int | float | str

    @property
    def text(self) -> str:
        """What the document says, its middle left out where it is long."""
        return short(self.written) if isinstance(self.written, str) else str(self.number)

    def __str__(self) -> str:
        return self.text


def quantity(written: int | float | str) -> Quantity:
    """The quantity of a validated field.

    2000 is steps, "2.5M samples" is 2500000 samples, "45%" is 9/20 of the ruler. Raises ValueError
    for what the schema would not have let through.
    """
    if not isinstance(written, str):
        return Quantity(int(written), "steps", written)
    match = _TEXT.fullmatch(written)
    if match is None:
        raise ValueError(f"not a position or duration: {written!r}")
    number = Fraction(_NUMBERS.create_decimal(match["number"]))
    if match["percent"]:
        return Quantity(number / 100, "%", written)
    number *= _PREFIXES[match["prefix"]]
    whole = number.numerator if number.denominator == 1 else number
    return Quantity(whole, _UNITS[match["unit"]], written)
