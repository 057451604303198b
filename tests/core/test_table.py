"""The table of a curve gives the values of the curve, in whatever namespace it is evaluated."""

from __future__ import annotations

import math
import pickle
import random
import struct
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.strategies import Bound, bindings, steps
from tests.core import scalars

from lrspec.conformance import suite
from lrspec.conformance.adapter import Adapter
from lrspec.conformance.cases import Golden
from lrspec.conformance.running import outcomes
from lrspec.curve import Curve
from lrspec.loading import from_dict
from lrspec.resolved import Clock, Linear, Resolution
from lrspec.table import TooManyPeriods, build, evaluate

LARGEST = 1.7976931348623157e308
SINGLE = 3.4028234663852886e38
SUITE = suite.installed()
GOLDEN = [case for case in SUITE.cases if isinstance(case, Golden)]


def bound(schedule: Any, **keys: Any) -> Curve:
    return from_dict({"lrspec": 1, "schedule": schedule, **keys}).bind()


def values(curve: Curve, at: Sequence[int]) -> list[float]:
    table = curve.table()
    return [evaluate(table, float(step), scalars) for step in at]


def scattered(below: int, number: int = 200) -> list[int]:
    """The first steps, the last one, and some between."""
    rng = random.Random(0)
    return [*range(150), below, *(rng.randrange(below) for _ in range(number))]


def assert_same(curve: Curve, at: Sequence[int], *, rel: float = 2e-15) -> None:
    """The values are those of the curve to `rel`, also of the largest where they cancel."""
    want = [curve(step) for step in at]
    scale = max(map(abs, want), default=0.0)
    for step, got, right in zip(at, values(curve, at), want, strict=True):
        assert got == pytest.approx(right, rel=rel, abs=rel * scale), f"step {step}"


@given(bindings(), st.data())
def test_every_document(example: Bound, data: st.DataObject) -> None:
    # Next to the end of float64, parts of a product may be beyond it and the product not.
    at = [step for step in data.draw(steps(example.curve)) if abs(example.curve(step)) < 1e290]
    assert_same(example.curve, at, rel=1e-10)


def single(curve: Curve, at: Sequence[int]) -> list[float]:
    """The values rounded to float32, as an adapter does it."""
    table = replace(curve.table(), largest=SINGLE)
    found = [evaluate(table, float(step), scalars) for step in at]
    return [struct.unpack("f", struct.pack("f", value))[0] for value in found]


single.profile = "float32"  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name.removeprefix("golden/"))
def test_golden_values(case: Golden) -> None:
    profile = SUITE.profiles["float32"]

    (outcome,) = outcomes(Adapter("table", single), [case], profile)  # type: ignore[arg-type]

    assert outcome.status == ("passed" if case.within(profile).steps else "left out"), outcome


ENDS = [(0, 1), (1, 0), (0.1, 0.7), (0.7, 0.1), (-0.5, 0.3), (-0.2, -0.9), (0.3, 0.3)]
INTERPOLATING: list[tuple[str, dict[str, Any]]] = [
    ("linear", {}),
    ("cosine", {}),
    ("cosine", {"exponent": 1.7}),
    ("cosine", {"exponent": 0.5}),
    ("polynomial", {"power": 1}),
    ("polynomial", {"power": 2}),
    ("polynomial", {"power": 0.5, "origin": "initial"}),
    ("polynomial", {"power": 3, "origin": "initial"}),
    ("polynomial", {"power": 2.3}),
    ("geometric", {"asymptote": -2}),
    ("geometric", {"asymptote": 2}),
    ("inverse", {"asymptote": -2}),
    ("inverse", {"asymptote": 2}),
]


@pytest.mark.parametrize(("kind", "fields"), INTERPOLATING, ids=str)
@pytest.mark.parametrize(("initial", "final"), ENDS)
def test_interpolating_kinds(
    kind: str, fields: dict[str, Any], initial: float, final: float
) -> None:
    body = {"initial": initial, "final": final, **fields, "length": 97}
    curve = bound([{"constant": {"value": 5, "length": 3}}, {kind: body}, {"constant": None}])

    assert_same(curve, range(110))
    # Ends and plateaus are exact.
    exact = [0, 2, 3, 100, 101, 10**6]
    assert values(curve, exact) == [curve(step) for step in exact]


@pytest.mark.parametrize(("initial", "final"), [(0.1, 0.7), (0.7, 0.1), (-0.7, -0.1), (1, 1)])
def test_geometric_without_an_asymptote(initial: float, final: float) -> None:
    body = {"initial": initial, "final": final, "length": 97}

    assert_same(bound({"geometric": body}), range(110))
    assert_same(bound({"geometric": {**body, "after": "extend"}}), range(500), rel=1e-13)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("linear", {}),
        ("cosine", {}),
        ("cosine", {"exponent": 3}),
        ("polynomial", {"power": 1}),
        ("polynomial", {"power": 2}),
        ("polynomial", {"power": 3}),
        ("polynomial", {"power": 5}),
        ("polynomial", {"power": 0.7, "origin": "initial"}),
        ("geometric", {"asymptote": -2}),
        ("geometric", {"asymptote": 2}),
    ],
    ids=str,
)
@pytest.mark.parametrize(("initial", "final"), [(0.1, 0.7), (0.7, 0.1), (0.3, -0.5)])
def test_extended_kinds(kind: str, fields: dict[str, Any], initial: float, final: float) -> None:
    body = {"initial": initial, "final": final, **fields, "length": 13, "after": "extend"}
    curve = bound([{"constant": {"value": 5, "length": 3}}, {kind: body}])

    assert_same(curve, range(200), rel=1e-14)
    assert values(curve, [3, 16]) == [curve(3), curve(16)] == [initial, final]


def test_next_to_its_limits_geometric_is_a_line_or_a_step() -> None:
    line = {"initial": 1, "final": 1 + 2**-40, "asymptote": -1e15, "length": 10}
    step = {"initial": 1e-309, "final": 1e5, "asymptote": -1e-310, "length": 10}
    back = {**step, "initial": 1e5, "final": 1e-309}

    assert_same(bound({"geometric": line}), range(12))
    for each in (step, back):
        curve = bound({"geometric": {**each, "after": "extend"}})
        for at in [*range(14), 10**6]:
            assert_same(curve, [at], rel=1e-12)


def test_an_interpolation_without_length() -> None:
    leaf = Linear(start=3.0, stop=3.0, initial=1.0, final=2.0)
    clock = Clock("steps", "start", None, None)
    table = build(Resolution(clock, leaf, None))

    assert [evaluate(table, float(step), scalars) for step in (2, 3, 4)] == [1, 2, 2]


FORMULAS: dict[str, dict[str, Any]] = {
    "falls": {"exponential": {"initial": 0.7, "rate": 0.9, "every": 13}},
    "rises": {"exponential": {"initial": 0.7, "rate": 1.1, "every": 13}},
    "falls from far above": {"exponential": {"initial": 1e200, "rate": 0.1, "every": 1}},
    "rises from far below": {"exponential": {"initial": 1e-200, "rate": 10, "every": 1}},
    "no stairs": {"exponential": {"initial": 0, "rate": 0.5, "every": 1, "staircase": True}},
    "nothing": {"exponential": {"initial": 0, "rate": 0.5, "every": 1}},
    "staircase": {
        "exponential": {"initial": 2, "rate": 0.9, "every": "7.3 steps", "staircase": True}
    },
    "inverse square root": {"inverse_sqrt": {"initial": -0.3, "timescale": "12.5 steps"}},
    "power law": {"power_law": {"initial": 3, "timescale": 12, "exponent": 0.7}},
    "steep power law": {"power_law": {"initial": 1e100, "timescale": 12, "exponent": 60}},
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(name: str) -> None:
    assert_same(
        bound([{"constant": {"value": 5, "length": 3}}, FORMULAS[name]]), range(150), rel=1e-13
    )


def test_every_shape_in_one_table() -> None:
    ends = {"initial": 0.1, "final": 0.7, "length": 23}
    falls = {"initial": 0.7, "final": 0.1, "length": 23}
    stages = [
        {kind: {**body, **fields}}
        for kind, fields in INTERPOLATING
        for body in (ends, falls)
        if kind != "inverse" or fields["asymptote"] < 0
    ]
    formulas = [
        {kind: {**body, "length": 40}}
        for formula in FORMULAS.values()
        for kind, body in formula.items()
    ]

    assert_same(bound([*stages, *formulas]), range(1000), rel=1e-12)


BATCHES = [1, 7, [{"start": 0, "value": 3}, {"start": 10, "value": 8}, {"start": 40, "value": 5}]]
CLOCKS = list(product(["steps", "samples", "tokens"], ["start", "middle", "end"], BATCHES))


@pytest.mark.parametrize(("axis", "sample", "batch"), CLOCKS, ids=str)
def test_clocks(axis: str, sample: str, batch: Any) -> None:
    stages = [
        {"linear": {"initial": 0, "final": 1, "length": "10%"}},
        {
            "piecewise_constant": {
                "boundaries": ["15%", "20.5%"],
                "values": [1, 2, 3],
                "length": "15%",
            }
        },
        {"exponential": {"rate": 0.9, "every": "0.7%", "staircase": True, "length": "15%"}},
        {"token_power": {"initial": 1, "amplitude": 0.01, "exponent": -0.3, "length": "15%"}},
        {
            "token_power": {
                "initial": 1,
                "amplitude": 0.001,
                "exponent": 0.2,
                "count_from": "stage",
                "length": "15%",
            }
        },
        {
            "quantize": {
                "schedule": {
                    "repeat": {"schedule": {"cosine": {"initial": 1, "final": 0}}, "period": "3.1%"}
                },
                "every": "1.3%",
            }
        },
    ]
    curve = bound(
        stages,
        axis=axis,
        sample=sample,
        base=0.1,
        training={"steps": 100, "batch_size": batch, "sequence_length": 4},
    )

    assert_same(curve, [*range(130), 10**5, 2**31 - 1], rel=1e-13)


@pytest.mark.parametrize("sample", ["start", "middle", "end"])
@pytest.mark.parametrize("period", [7, "7.5 steps", "7.3 steps", "3.0625 steps", "11.1%"])
@pytest.mark.parametrize("shrink", [1, 0.5, 1.1])
def test_periods(sample: str, period: Any, shrink: float) -> None:
    saw = {"linear": {"initial": 1, "final": 0}}
    inner = {"repeat": {"schedule": saw, "period": "33.3%"}}
    repeat = {
        "schedule": [{"constant": {"value": 2, "length": "10%"}}, inner],
        "period": period,
        "shrink": shrink,
        "toward": 0.1,
    }
    curve = bound({"repeat": repeat}, sample=sample, training={"steps": 100})

    assert_same(curve, scattered(10**6), rel=1e-10)


@pytest.mark.parametrize("stretch", [2, 1.5, 1.1, 3])
@pytest.mark.parametrize("sample", ["start", "end"])
def test_periods_that_grow(stretch: float, sample: str) -> None:
    inside = [
        {"linear": {"initial": 0, "final": 1, "length": "10%"}},
        {"repeat": {"schedule": {"cosine": {"final": 0.1}}, "count": 3, "length": "60%"}},
        {
            "product": {
                "of": [
                    {"exponential": {"rate": 0.5, "every": "7.7%", "staircase": True}},
                    {
                        "quantize": {
                            "schedule": {"linear": {"initial": 2, "final": 1}},
                            "every": "3%",
                        }
                    },
                    {"clamp": {"schedule": {"inverse_sqrt": {"timescale": 3}}, "minimum": 0.5}},
                ]
            }
        },
    ]
    repeat = {"schedule": inside, "period": 10, "stretch": stretch, "shrink": 0.7, "toward": 0.05}
    clamped = {"clamp": {"schedule": {"repeat": repeat}, "minimum": 0.06}}
    curve = bound(clamped, sample=sample)

    assert_same(curve, scattered(2**31 - 1, 50), rel=1e-9)


def test_periods_that_shorten() -> None:
    saw = {"linear": {"initial": 1, "final": 0}}
    repeat = {"schedule": saw, "period": 100, "stretch": 0.9, "count": 200}

    assert_same(bound({"repeat": repeat}), [*range(1010), 10**6])


@pytest.mark.parametrize("rounding", ["floor", "ceil", "nearest"])
def test_periods_that_stop_growing(rounding: str) -> None:
    saw = {"linear": {"initial": 1, "final": 0}}
    repeat = {"schedule": saw, "period": 10, "stretch": 1.01, "shrink": 0.999, "toward": 0.5}
    curve = bound({"repeat": repeat}, rounding=rounding)

    assert_same(curve, scattered(2**20), rel=1e-12)


def test_equal_periods_in_periods_that_grow() -> None:
    equal = {"schedule": {"linear": {"initial": 1, "final": 0}}, "period": "3.3 steps"}
    repeat = {"schedule": {"repeat": equal}, "period": 50, "stretch": 2}
    curve = bound({"repeat": repeat})

    assert_same(curve, scattered(10**5), rel=1e-10)
    assert len(curve.table().rows.children) == 1  # one for all of them


def test_heights_beyond_float64() -> None:
    repeat = {"schedule": {"constant": {"value": 2}}, "period": 10, "stretch": 1.1, "shrink": 1e30}
    at = [0, 10, 25, 10**4, 10**6]
    curve = bound({"repeat": repeat})

    assert values(curve, at) == pytest.approx([curve(step) for step in at])
    assert values(curve, [10**6]) == [LARGEST]


def test_growth_in_periods() -> None:
    grows = {"schedule": {"linear": {"initial": 1, "final": 0}}, "period": 3, "stretch": 1.5}
    curve = bound({"repeat": {"schedule": {"repeat": grows}, "period": "100.1 steps"}})

    assert_same(curve, scattered(10**6), rel=1e-11)


@pytest.mark.parametrize("stretch", [1.0000001, 0.9999999])
def test_too_many_periods(stretch: float) -> None:
    saw = {"linear": {"initial": 1, "final": 0}}
    repeat = {"schedule": saw, "period": 1000, "stretch": stretch, "count": 10**9}

    with pytest.raises(TooManyPeriods, match=f"stretch {stretch}.*50,000 periods"):
        bound({"repeat": repeat}).table()


def test_periods_with_too_many_rows() -> None:
    inside = {"repeat": {"schedule": {"linear": {"final": 0}}, "period": 1, "stretch": 1.01}}
    repeat = {"schedule": inside, "period": 1, "stretch": 1.01}

    with pytest.raises(TooManyPeriods, match=r"stretch 1\.01 have more than 50,000 rows"):
        bound({"repeat": repeat}).table()


def test_combinations_of_different_sizes() -> None:
    stages = [
        {
            "sum": {
                "of": [{"constant": {"value": 1}}, {"linear": {"initial": 0, "final": 1}}],
                "length": 7,
            }
        },
        {
            "product": {
                "of": [
                    {"linear": {"initial": 2, "final": 1, "after": "extend", "length": 3}},
                    {"cosine": {"final": 0.2}},
                    {"sum": {"of": [{"constant": {"value": 3}}, {"constant": {"value": 2}}]}},
                ],
                "length": 9,
            }
        },
        {"product": {"of": [{"constant": {"value": 0.5}}], "length": 2}},
        {
            "sum": {
                "of": [
                    {"constant": {"value": 0.25}},
                    {"inverse_sqrt": {"initial": 1, "timescale": 5}},
                ]
            }
        },
    ]

    assert_same(bound(stages), range(60))


def test_values_beyond_float64() -> None:
    grows = {"exponential": {"initial": 1, "rate": 10, "every": 1}}
    repeat = {"schedule": {"constant": {"value": -2}}, "period": 1, "shrink": 10, "toward": -1}
    product_ = {"product": {"of": [grows, grows, {"constant": {"value": 0}}]}}

    assert values(bound(grows, base=2), [0, 400]) == [2, LARGEST]
    assert values(bound({"repeat": repeat}), [0, 1000]) == [-2, -LARGEST]
    assert values(bound({"repeat": {**repeat, "toward": -2}}), [0, 1000]) == [-2, -2]
    assert values(bound(product_), [0, 200]) == [0, 0]
    assert single(bound(grows), [0, 38, 39, 5000]) == [1, pytest.approx(1e38), SINGLE, SINGLE]


PRODUCTS = [
    [1e200, 1e200, 1e-300],
    [1e-200, -1e-200, 1e300],
    [1e-160, 1e-160, 1e300, 2],
    [1e300, 1e300, 1e300],
    [-1e300, 1e300, 1e10],
    [1e-300, 1e-300, 1e10],
    [1e300, 1e300, 0],
    [0, 1e-300, 1e-300, 1e300],
    [1.5, 0.1, 3],
]


@pytest.mark.parametrize("factors", PRODUCTS, ids=str)
def test_products_that_leave_float64_on_their_way(factors: list[float]) -> None:
    # A second stage, so that the factors are columns.
    of = [{"constant": {"value": value}} for value in factors]
    curve = bound([{"constant": {"value": 1, "length": 2}}, {"product": {"of": of}}])
    exact = math.prod(map(Fraction, factors))
    want = float(max(min(exact, Fraction(LARGEST)), -Fraction(LARGEST)))

    assert values(curve, [0, 1, 2]) == [1, 1, pytest.approx(want, rel=1e-12, abs=1e-300)]


def test_lines_and_constants_are_equal_bit_for_bit() -> None:
    rng = random.Random(1)
    knots = {
        "boundaries": [f"{i}.{rng.randrange(1000):03} steps" for i in range(0, 3000, 3)],
        "values": [rng.choice([0, rng.random(), -rng.random()]) for _ in range(1000)],
    }
    curve = bound({"piecewise_linear": knots}, base=3e-4)
    at = range(3100)

    assert values(curve, at) == [curve(step) for step in at]


def test_a_hundred_thousand_knots() -> None:
    number = 100_000
    knots = {
        "boundaries": [3 * i for i in range(number)],
        "values": [(7 * i % 100) / 100 for i in range(number)],
    }
    curve = bound({"piecewise_linear": knots})
    at = scattered(3 * number)

    assert values(curve, at) == [curve(step) for step in at]


def test_a_table_is_a_value() -> None:
    stages = [{"repeat": {"schedule": {"cosine": {"final": 0}}, "period": 7, "count": 3}}]
    table = bound(stages).table()
    other = bound(stages, base=2).table()

    assert table == bound(stages).table() == pickle.loads(pickle.dumps(table))
    assert len({table, bound(stages).table(), other}) == 2
    with pytest.raises(AttributeError):
        table.base = 1.0  # type: ignore[misc]


def test_a_table_takes_arrays_in_place_of_numbers() -> None:
    class Seen(list[Any]):
        pass

    curve = bound(
        {
            "product": {
                "of": [
                    {
                        "quantize": {
                            "schedule": {"inverse_sqrt": {"timescale": "3 samples"}},
                            "every": "2 samples",
                        }
                    }
                ]
            }
        },
        axis="samples",
        training={"batch_size": [{"start": 0, "value": 1}, {"start": 4, "value": 2}]},
    )
    table: Any = curve.table().map(Seen)
    assert [type(each) for each in (table.clock.starts, table.rows.matrix)] == [Seen, Seen]
    single_row = bound({"constant": {"value": 2}}).table()
    assert single_row.map(Seen).clock == single_row.clock

    def no_array(*_: Any, **__: Any) -> Any:
        raise AssertionError("converted again")

    kept, scalars.array = scalars.array, no_array
    try:
        found = [evaluate(table, float(step), scalars) for step in range(20)]
    finally:
        scalars.array = kept
    assert found == [curve(step) for step in range(20)]


def test_a_row_that_is_not_asked_may_be_infinite() -> None:
    halving = {"period": 3, "count": 2**31 - 1, "stretch": 0.5}
    first = {"repeat": {**halving, "schedule": {"inverse": {"initial": 2, "final": 1}}}}
    then = {"token_power": {"amplitude": 1, "exponent": -0.51, "count_from": "stage"}}
    document = {"lrspec": 1, "base": "absolute", "schedule": [first, then]}
    curve = from_dict(document).bind(steps=100, batch_size=1, sequence_length=7)
    table = curve.table()

    assert [evaluate(table, float(step), scalars) for step in range(8)] == pytest.approx(
        [curve(step) for step in range(8)], rel=1e-15
    )
