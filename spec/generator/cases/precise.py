"""Arithmetic that loses its digits where it is done in the obvious way: long stages, steep powers,
values next to their end."""

from __future__ import annotations

from generator.notation import (
    Golden,
    cosine,
    exponential,
    geometric,
    golden,
    inverse,
    linear,
    piecewise_linear,
    polynomial,
    product,
)

# A run of 10 trillion tokens.
LONG = {"steps": "10T tokens", "batch_size": 2, "sequence_length": 4096}

NEXT_TO_AN_END: list[Golden] = [
    *[
        golden(
            f"cosine/{name}-over-a-run-of-a-thousand-million-steps",
            f"Next to its ends it is what they are, and never beyond them, {name}.",
            "7.3 7.5 8.3",
            cosine(initial=initial, final=final),
            axis="tokens",
            training=LONG,
            read="0-3 610351561-610351564 1220703122-1220703126",
        )
        for name, initial, final in (("falling", 0.3, 0.03), ("rising", 0.03, 0.3))
    ],
    golden(
        "linear/next-to-its-start-over-a-length-beyond-all-runs",
        "What is added to its first value is less than its last digit, below zero and above.",
        "7.2 7.4 7.5 7.12 8.3",
        product(
            linear(initial=-0.1, final=-1, length=10**18),
            linear(initial=0.1, final=1, length=10**18),
            polynomial(initial=1, final=0.1, power=20, length=10**18),
            piecewise_linear(boundaries=[0, 10**18], values=[-0.1, -1]),
            piecewise_linear(boundaries=[0, 10**18], values=[0.1, 1]),
        ),
        read="0-3 1000",
    ),
    golden(
        "polynomial/a-large-power-is-flat-before-its-final",
        "Power 16: long before its end nothing is left over `final`.",
        "7.4 7.5 8.3",
        polynomial(initial=1, final=0.1, power=16, length=1000),
        read="0-3 500 900-910 990-1001",
    ),
    golden(
        "cosine/a-large-exponent-keeps-its-digits-next-to-a-final-of-zero",
        "What is left in the last steps is less than a millionth.",
        "7.3 8.3 8.6",
        cosine(initial=1, final=0, exponent=2, length=10000),
        read="0-3 4999-5001 9000 9900 9990-10001",
    ),
    golden(
        "cosine/a-small-exponent-keeps-its-digits-next-to-its-final",
        "Exponent 0.5, rising: steep in the last steps.",
        "7.3 8.3 8.6",
        cosine(initial=0, final=1, exponent=0.5, length=10000),
        read="0-3 4999-5001 9000 9900 9990-10001",
    ),
    golden(
        "geometric/rises-to-just-below-its-asymptote",
        "The height below the asymptote falls to a millionth.",
        "7.6 8.3 8.6",
        geometric(initial=0.1, final=0.999999, asymptote=1, length=1000),
        read="0-10 70-75 500 990-1001",
    ),
]

STEEP: list[Golden] = [
    golden(
        "exponential/keeps-its-digits-over-hundreds-of-billions-of-tokens",
        "A rate of 1e-11 every 300000000003 tokens, where the rounding of x/every is worth most.",
        "7.8 8.5 8.6",
        exponential(initial=1, rate=1e-11, every="300000000003 tokens"),
        axis="tokens",
        training={"batch_size": 16, "sequence_length": 4096},
        read="0-2 4577636 4577637 4637289 4761277 4761783 4798740",
    ),
    golden(
        "inverse/over-a-hundred-and-eighty-orders",
        "The product of its ends is as far from 1 as their ratio.",
        "7.7 8.3",
        [
            inverse(initial=1e-20, final=1e160, length=9),
            inverse(final=1e-20, length=9),
        ],
        read="0-19",
    ),
]

CASES: list[Golden] = [*NEXT_TO_AN_END, *STEEP]
