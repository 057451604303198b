"""The documents of every kind that holds no other schedule."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from precision.documents import Document, interpolating, shares

PEAK, LOW = 4e-3, 1e-6

TO_ZERO = (PEAK, 0.0)
FALL = (PEAK, LOW)
RISE = (1e-8, 1e-2)
NEAR = (1e-3, 1e-3 * (1 + 1e-12))
OPPOSITE = (-1e-3, 2e-3)

EXTENDED = {"length": "40%", "after": "extend"}

linear, cosine = interpolating("linear"), interpolating("cosine")
polynomial, geometric = interpolating("polynomial"), interpolating("geometric")
inverse = interpolating("inverse")


def halving(horizon: int) -> float:
    """The factor of each step under which ten halvings take the run."""
    return float(0.5 ** (10 / horizon))


def hundredth(horizon: int) -> int:
    """About a hundredth of the run; 1000 steps of 88,004."""
    return max(horizon // 88, 1)


LEAVES: Mapping[str, tuple[Document, ...]] = MappingProxyType(
    {
        "constant": (shares("constant", {"constant": {"value": PEAK}}, base=0.3),),
        "linear": (
            linear("to 0", TO_ZERO),
            linear("falling", FALL),
            linear("from 1e-8 to 1e-2", RISE),
            linear("of near-equal ends", NEAR),
        ),
        "cosine": (
            cosine("to 0", TO_ZERO),
            cosine("falling", FALL),
            cosine("from 1e-8 to 1e-2", RISE),
            cosine("of near-equal ends", NEAR),
        ),
        "cosine with an exponent": (
            cosine("of exponent 2.5 to 0", TO_ZERO, exponent=2.5),
            cosine("of exponent 0.7 from 1e-8 to 1e-2", RISE, exponent=0.7),
            cosine("of exponent 4 from 0", (0.0, PEAK), exponent=4),
        ),
        "polynomial": (
            polynomial("of power 0.9 to 0", TO_ZERO, power=0.9),
            polynomial("of power 2 to 0", TO_ZERO, power=2),
            polynomial("of power 1.7 from 1e-8 to 1e-2", RISE, power=1.7),
            polynomial("of power 0.9 and near-equal ends", NEAR, power=0.9),
            polynomial("1 − √u", FALL, power=0.5, origin="initial"),
            polynomial(
                "of power 2.5 from 0 by its initial end", (0.0, PEAK), power=2.5, origin="initial"
            ),
        ),
        "geometric": (
            geometric("falling", FALL),
            geometric("from 1e-8 to 1e-2", RISE),
            geometric("of near-equal ends", NEAR),
            geometric("toward an asymptote", FALL, asymptote=5e-7),
            geometric("away from an asymptote", RISE, asymptote=-1e-5),
        ),
        "inverse": (
            inverse("falling", FALL),
            inverse("from 1e-8 to 1e-2", RISE),
            inverse("toward an asymptote", TO_ZERO, asymptote=-1e-4),
        ),
        "opposite signs": (
            linear("of opposite signs", OPPOSITE),
            cosine("of opposite signs", OPPOSITE),
        ),
        "extended": (
            linear("extended", FALL, **EXTENDED),
            cosine("extended", FALL, **EXTENDED),
            polynomial("extended", FALL, power=3, **EXTENDED),
        ),
        "exponential": (
            Document(
                "exponential of 0.96",
                lambda horizon: {
                    "exponential": {"initial": PEAK, "rate": 0.96, "every": hundredth(horizon)}
                },
            ),
            Document(
                "exponential of 0.96 in stairs",
                lambda horizon: {
                    "exponential": {
                        "initial": PEAK,
                        "rate": 0.96,
                        "every": hundredth(horizon),
                        "staircase": True,
                    }
                },
            ),
            Document(
                "exponential at each step",
                lambda horizon: {
                    "exponential": {"initial": PEAK, "rate": halving(horizon), "every": 1}
                },
            ),
        ),
        "inverse_sqrt": (
            shares("inverse_sqrt", {"inverse_sqrt": {"initial": PEAK, "timescale": "5%"}}),
        ),
        "power_law": (
            shares(
                "power_law of exponent 1",
                {"power_law": {"initial": PEAK, "timescale": "5%", "exponent": 1}},
            ),
            shares(
                "power_law of exponent 0.3",
                {"power_law": {"initial": PEAK, "timescale": "0.01%", "exponent": 0.3}},
            ),
        ),
        "token_power": (
            shares(
                "token_power",
                {"token_power": {"initial": PEAK, "amplitude": 1.0, "exponent": -0.51}},
                training={"batch_size": 256, "sequence_length": 1024},
            ),
        ),
        "piecewise_linear": (
            shares(
                "production",
                {
                    "piecewise_linear": {
                        "boundaries": [0, "45%", "90%", "100%"],
                        "values": [1e-5, PEAK, 1e-5, LOW],
                    }
                },
            ),
        ),
        "piecewise_constant": (
            shares(
                "piecewise_constant",
                {
                    "piecewise_constant": {
                        "boundaries": ["30%", "60%", "90%"],
                        "values": [PEAK, PEAK / 10, PEAK / 100, LOW],
                    }
                },
                sample="end",
            ),
        ),
    }
)
