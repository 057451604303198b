"""How the lines of one picture are told apart: by colour, dash and width."""

from __future__ import annotations

from dataclasses import dataclass

# Told apart with every sort of colour blindness (Okabe and Ito's, without the yellow that is lost
# on white).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00")
# Lengths of dash and gap in points, drawn and not in turn, of all lines but the lowest. Of lines
# that lie on each other those below show in the gaps.
DASHES = (
    (7.0, 4.0),
    (2.0, 3.0),
    (9.0, 3.0, 2.0, 3.0),
    (14.0, 4.0),
    (7.0, 2.5, 2.0, 2.5, 2.0, 2.5),
    (4.5, 2.5),
    (14.0, 3.0, 4.5, 3.0),
)
# In points: of few lines; of more the narrowest, by how much the one of the same dash below it is
# wider, and how much the widest may be.
_WIDTH, _NARROW, _WIDER, _MOST = 1.6, 1.2, 0.5, 1.5


@dataclass(frozen=True, slots=True)
class Style:
    """How a line is drawn: `dash` are lengths of dash and gap, and they and `width` are points."""

    colour: str
    dash: tuple[float, ...]
    width: float


def styles(count: int) -> list[Style]:
    """A style for each of so many lines, in the order in which they are drawn, the lowest first.

    Of up to 50 no two have the same colour and dash. Those of one dash become narrower, so that
    none is hidden by others that lie on it.
    """
    period = len(DASHES)
    rounds = max(-(-(count - 1) // period), 1)
    wider = min(_WIDER, _MOST / rounds)
    found = [Style(COLOURS[0], (), _WIDTH if rounds == 1 else _NARROW + wider * (rounds - 1))]
    for i in range(1, count):
        # As many dashes as colours: each time through them they meet others.
        time, dash = divmod(i - 1, period)
        width = _WIDTH if rounds == 1 else _NARROW + wider * (rounds - 1 - time)
        found.append(Style(COLOURS[(i + time) % len(COLOURS)], DASHES[dash], width))
    return found
