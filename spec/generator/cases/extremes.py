"""Large exponents, steep curves and far steps: where plain arithmetic leaves float64, or its
digits."""

from __future__ import annotations

from generator.notation import (
    Golden,
    advance,
    constant,
    cosine,
    exponential,
    geometric,
    golden,
    inverse,
    linear,
    piecewise_constant,
    piecewise_linear,
    polynomial,
    power_law,
    product,
    repeat,
    sum_of,
)

# Pieces of half a step, so that a position between whole steps shows.
HALVES = piecewise_constant(
    boundaries=["0.25 steps", "0.75 steps", "1.25 steps", "1.75 steps", "2.25 steps", "2.75 steps"],
    values=[1, 2, 3, 4, 5, 6, 7],
)

POWERS: list[Golden] = [
    golden(
        "power_law/a-large-exponent-falls-fast",
        "(1 + x/timescale)^-12, before its timescale, at it, and far beyond.",
        "7.10 8.5",
        power_law(initial=1, timescale=1000, exponent=12),
        read="0-3 7 10 500 999-1001 1999 2000 3001 10000 1000000 2147483647",
    ),
    golden(
        "power_law/an-exponent-of-eight-and-one-of-sixteen",
        "Both are as exact as smaller ones.",
        "7.10 8.6",
        product(
            power_law(initial=1, timescale=700, exponent=8),
            power_law(initial=1e10, timescale=90, exponent=16),
        ),
        read="0-3 89-91 699-701 1234 5000",
    ),
    *[
        golden(
            f"power_law/an-exponent-of-sixteen-over-{timescale}-steps",
            f"Around step {step}, where the plain form is more than 16 ULP off.",
            "7.10 8.6",
            power_law(initial=1, timescale=timescale, exponent=16),
            read=f"0 1 {step - 1}-{step + 1}",
        )
        for timescale, step in ((1256978, 2623888), (996, 2081), (274, 574), (319992, 320122))
    ],
    golden(
        "power_law/a-very-large-exponent-falls-to-zero",
        "(1 + x/timescale)^-300: below the smallest float64 it is 0.",
        "7.10 8.5",
        power_law(initial=1e200, timescale=1000, exponent=300),
        read="0-3 500 999-1001 3000 10000 30000 100000 1000000 2147483647",
    ),
    golden(
        "polynomial/a-power-of-four-is-no-cube",
        "Power 4, falling to its origin and away from it.",
        "7.4 8.3",
        product(
            polynomial(initial=1, final=0.1, power=4, length=9),
            polynomial(initial=1, final=0.1, power=4, origin="initial", length=7),
        ),
        read="0-10",
    ),
    golden(
        "polynomial/a-power-of-one-and-a-half-is-no-root",
        "Power 1.5, falling to its origin and away from it.",
        "7.4 8.3",
        product(
            polynomial(initial=1, final=0.1, power=1.5, length=9),
            polynomial(initial=1, final=0.1, power=1.5, origin="initial", length=7),
        ),
        read="0-10",
    ),
    golden(
        "polynomial/squares-and-cubes-are-products-at-its-origin",
        "Power 2 and 3 are ξ·ξ and ξ·ξ·ξ, bit for bit.",
        "7.4 8.3",
        product(
            polynomial(initial=1, final=0, power=3, length=1009),
            polynomial(initial=0, final=1, power=3, origin="initial", length=997),
            polynomial(initial=0, final=1, power=2, origin="initial", length=991),
        ),
        read="1-40 333 500 700-720 989-998",
    ),
    golden(
        "polynomial/squares-and-cubes-are-sums-of-products-away-from-its-origin",
        "Power 2 and 3 are ξ(1 + η) and ξ(1 + η + η²), bit for bit.",
        "7.4 8.3",
        product(
            polynomial(initial=0, final=1, power=3, length=1009),
            polynomial(initial=0, final=1, power=2, length=997),
            polynomial(initial=1, final=0, power=0.5, origin="initial", length=1013),
        ),
        read="1-40 333 500 700-720 990-998",
    ),
    golden(
        "polynomial/a-large-power-falls-to-final",
        "Power 16: flat long before the end.",
        "7.4 8.6",
        polynomial(initial=1, final=0, power=16, length=1000),
        read="0-3 100 500 900 990 998-1001",
    ),
    golden(
        "polynomial/a-very-large-power-falls-to-final",
        "Power 40: flat long before the end.",
        "7.4 8.5",
        polynomial(initial=1, final=0, power=40, length=1000),
        read="0-3 100 500 900 990 998-1001",
    ),
    golden(
        "polynomial/a-very-large-power-leaves-its-origin",
        "Power 40 with the origin at initial: steep before the end.",
        "7.4 8.5",
        polynomial(initial=0, final=1e5, power=40, origin="initial", length=1000),
        read="0-3 10 100 500 900 990 997-1001",
    ),
    golden(
        "polynomial/a-large-power-rises-to-final",
        "Power 16, rising: almost there long before the end.",
        "7.4 8.3",
        polynomial(initial=0, final=1, power=16, length=1000),
        read="0-3 100 499-501 900 990 998-1001",
    ),
]

STEEP: list[Golden] = [
    golden(
        "geometric/from-the-smallest-to-the-largest",
        "The ratio of the ends, 1e600, is no float64.",
        "7.6 8.3",
        geometric(initial=1e-300, final=1e300, length=12),
        read="0-13",
    ),
    golden(
        "geometric/from-the-largest-to-the-smallest",
        "The ratio of the ends, 1e-600, is no float64.",
        "7.6 8.3",
        geometric(initial=-1e300, final=-1e-300, length=12),
        read="0-13",
    ),
    golden(
        "exponential/a-steep-rate-is-taken-to-small-parts",
        "A rate of 1e-300 every 10,000 steps.",
        "7.8 8.5",
        exponential(initial=1e290, rate=1e-300, every=10000),
        read="0-3 5000 9999-10001 15000 19000 20001 21000 30000 1000000 2147483647",
    ),
    golden(
        "exponential/a-steep-rate-grows-in-small-parts",
        "A rate of 1e300 every 10,000 steps, from a negative value.",
        "7.8 7.19",
        exponential(initial=-1e-290, rate=1e300, every=10000),
        read="0-3 5000 9999-10001 15000 19900 20000 20001 1000000 2147483647",
    ),
    golden(
        "exponential/a-rate-below-every-normal-float64-falls",
        "A rate of 1e-310, a subnormal number, every 1000 steps.",
        "7.8 8.5",
        exponential(initial=1e300, rate=1e-310, every=1000),
        read="0-2 100 500 999-1001 1500 1900 2000 2147483647",
    ),
    golden(
        "exponential/staircase-grows-up-to-the-largest-number",
        "A rate above 1, taken to whole powers, saturates.",
        "7.8 7.19",
        exponential(initial=0.7, rate=3, every=2, staircase=True),
        read="0-5 1290-1296 100000 2147483647",
    ),
    golden(
        "base/one-just-above-one-saturates-too",
        "The product is beyond float64 by itself, and negative.",
        "7.19 4.4",
        product(constant(value=-1e200), constant(value=1e200)),
        base=1.5,
    ),
    golden(
        "base/from-the-host-may-be-the-largest-number-there-is",
        "1e300 is a number that a document may have.",
        "1.5 4.1",
        linear(initial=1e-300, final=1e-299, length=7),
        facts={"base": 1e300},
    ),
    golden(
        "base/from-the-host-may-be-a-whole-number",
        "A base of 3.",
        "4.1 4.4",
        linear(initial=0.1, final=1, length=7),
        facts={"base": 3},
    ),
]

FAR: list[Golden] = [
    golden(
        "sample/the-middle-of-a-far-step-is-exact",
        "Half a step is less than a float64 can show there; the position is exact all the same.",
        "2.4 3.9",
        repeat(period=3, schedule=HALVES),
        sample="middle",
        read="0-3 2251799813685247-2251799813685250 4503599627370495-4503599627370498 "
        "9007199254740988-9007199254740991",
        double_only=True,
    ),
    golden(
        "sample/the-middle-of-a-far-step-on-a-line",
        "The exact position is rounded once.",
        "2.4 3.9",
        linear(initial=0, final=1, length="9007199254740992 steps"),
        sample="middle",
        read="0 1 2251799813685247-2251799813685249 4503599627370495-4503599627370498",
        double_only=True,
    ),
    golden(
        "cosine/a-large-exponent-falls-early-and-rises-late",
        "The exponent weighs the wave in both halves.",
        "7.3 8.3",
        product(
            cosine(initial=1, final=1e-3, exponent=4, length=40),
            cosine(initial=0.5, final=1, exponent=2.5, length=36),
        ),
        read="0-42",
    ),
]

# Ends whose difference float64 rounds, so that lo + (hi - lo) is below hi, or above it.
ROUNDED: list[Golden] = [
    golden(
        "linear/its-ends-are-exact-where-their-difference-is-rounded",
        "At u = 0 exactly initial, at u = 1 exactly final, rising and falling.",
        "7.5 8.2",
        [
            linear(initial=-0.43, final=-0.93, length=3),
            linear(final=0.13, length=4),
            linear(initial=-1, final=0.15, length=5),
            linear(initial=0.15, final=-1, length=5),
        ],
        read="0-18",
    ),
    golden(
        "linear/its-ends-are-exact-in-a-product",
        "A child that starts inside a stage before, and one that ends before its parent.",
        "7.5 8.2",
        product(
            advance(by=2, schedule=linear(initial=-0.43, final=-0.93, length=4)),
            linear(initial=-1, final=0.13, length=6),
        ),
        read="0-8",
    ),
    golden(
        "cosine/its-ends-are-exact-where-their-difference-is-rounded",
        "At u = 0 exactly initial, at u = 1 exactly final, rising and falling.",
        "7.5 8.2",
        [
            cosine(initial=-0.43, final=-0.93, length=3),
            cosine(final=0.13, length=4),
            cosine(initial=-1, final=0.15, length=5),
            cosine(initial=0.15, final=-1, length=5),
        ],
        read="0-18",
    ),
    golden(
        "linear/ends-with-its-final-where-the-run-does",
        "Nothing holds it there but its own formula.",
        "7.5 8.2 4.2",
        linear(initial=0.13, final=-1),
        training={"steps": 7},
        read="0-9",
    ),
    golden(
        "cosine/ends-with-its-final-where-the-run-does",
        "Nothing holds it there but its own formula.",
        "7.5 8.2 4.2",
        cosine(initial=0.13, final=-1),
        training={"steps": 7},
        read="0-9",
    ),
    golden(
        "linear/of-two-ends-of-one-magnitude-the-final-is-the-anchor",
        "Where |a| = |b| the line is anchored at b, rising and falling.",
        "8.3",
        product(
            linear(initial=-0.3, final=0.3, length=7),
            linear(initial=0.7, final=-0.7, length=9),
        ),
        read="0-10",
    ),
    golden(
        "piecewise_linear/of-two-values-of-one-magnitude-the-later-is-the-anchor",
        "Where |a| = |b| the line is anchored at b, rising and falling.",
        "8.3 8.5",
        piecewise_linear(boundaries=[0, 7, 16], values=[-0.3, 0.3, -0.3]),
        read="0-17",
    ),
    golden(
        "piecewise_linear/never-leaves-its-interval",
        "Just after a knot lo + (hi - lo)·w would be above both values.",
        "7.12 8.3",
        piecewise_linear(boundaries=[0, 18014398509481984], values=[0.74, -0.63]),
        read="0-3",
    ),
    golden(
        "inverse/from-next-to-nothing-to-less-than-one",
        "The ratio of the ends is beyond 1e150.",
        "7.7 8.3",
        inverse(initial=1e-200, final=0.3, length=9),
        read="0-10",
    ),
    golden(
        "product/of-one-and-of-what-is-next-to-nothing",
        "A factor of 1 changes nothing, also where the product is below every normal float64.",
        "7.15 8.1",
        product(constant(value=1), constant(value=1e-155), constant(value=1.7e-155)),
    ),
    golden(
        "polynomial/never-leaves-its-interval-above",
        "Just after the start of a very long stage lo + (hi - lo)·w would be above both ends.",
        "7.5 8.3",
        polynomial(initial=0.74, final=-0.63, power=2, length=18014398509481984),
        read="0-3",
    ),
    golden(
        "polynomial/never-leaves-its-interval-below",
        "Just after the start of a very long stage lo + (hi - lo)·w would be below both ends.",
        "7.5 8.3",
        polynomial(initial=-0.74, final=0.63, power=3, length=18014398509481984),
        read="0-3",
    ),
    golden(
        "polynomial/a-small-power-keeps-its-digits-next-to-its-origin",
        "Power 0.3 rising to final: 1 - η^0.3 for η of a hundred-thousandth.",
        "7.4 8.3 8.6",
        polynomial(initial=0, final=1, power=0.3, length=100000),
        read="0-3 49999-50001 99000 99900 99990-100001",
    ),
    golden(
        "inverse/from-next-to-nothing",
        "The ratio of the ends is beyond 1e150, rising and falling.",
        "7.7 8.3",
        [
            inverse(initial=1e-200, final=1, length=7),
            inverse(final=1e-250, length=9),
            inverse(final=-2, asymptote=-3, length=5),
        ],
        read="0-22",
    ),
    golden(
        "sum/takes-the-largest-number-away-again",
        "Two of the largest numbers less one are one, though the sum of the two is beyond float64.",
        "7.19 7.15",
        sum_of(
            exponential(initial=1, rate=1e300, every=1),
            exponential(initial=1, rate=1e300, every=1),
            exponential(initial=-1, rate=1e300, every=1),
        ),
        read="0-8",
    ),
    golden(
        "sum/of-two-largest-numbers-is-the-largest",
        "The sum is beyond float64, positive and negative.",
        "7.19 7.15",
        sum_of(
            exponential(initial=1, rate=1e300, every=1),
            exponential(initial=1, rate=1e300, every=1),
            piecewise_constant(boundaries=[6], values=[-1e300, 1e300]),
        ),
        read="0-8",
    ),
    golden(
        "sum/below-the-smallest-number-there-is",
        "The sum is beyond float64 and negative.",
        "7.19 7.15",
        sum_of(
            exponential(initial=-1, rate=1e300, every=1),
            exponential(initial=-2, rate=1e300, every=1),
        ),
        read="0-8",
    ),
]

CASES: list[Golden] = [*ROUNDED, *POWERS, *STEEP, *FAR]
