"""Pictures of every sort of values at both ends of float64, and of runs of any length."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.strategies import bound

from lrspec.cli.chart import Scale, charts
from lrspec.cli.terminal import Terminal
from lrspec.curve import Curve
from lrspec.loading import from_dict
from lrspec.plotting.figure import draw
from lrspec.plotting.page import page
from lrspec.plotting.picture import Drawn, picture

LARGEST = 1.7976931348623157e308
POSITIVE = st.sampled_from([5e-324, 1e-323, 2e-310, 1e-300, 1e-10, 0.1, 1.0, 1 + 2**-52, 1e300])
VALUE = st.one_of(st.just(0.0), POSITIVE, POSITIVE.map(lambda value: -value))
BASE = st.sampled_from(["absolute", 5e-324, 1e-300, 1, 1e8, 1e300])


@st.composite
def stage(draw: st.DrawFn) -> dict[str, Any]:
    ends = {"initial": draw(VALUE), "final": draw(VALUE)}
    positive = {"initial": draw(POSITIVE), "final": draw(POSITIVE)}
    rate = draw(st.sampled_from([5e-324, 0.9, 1.1, 1e300]))
    return draw(
        st.sampled_from(
            [
                {"linear": ends},
                {"cosine": ends},
                {"constant": {"value": ends["final"]}},
                {"exponential": {"initial": ends["initial"], "rate": rate, "every": 10}},
                {"geometric": positive},
                {"inverse": positive},
                {"piecewise_constant": {"boundaries": ["40%"], "values": list(ends.values())}},
                {"repeat": {"period": 7, "stretch": 2, "schedule": {"linear": ends}}},
                {"sum": {"of": [{"linear": ends}, {"cosine": positive}]}},
            ]
        )
    )


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    training: dict[str, float] = {
        "steps": draw(st.sampled_from([1, 2, 100, 20_000, 2**31 - 1, 2**53 - 1]))
    }
    if draw(st.booleans()):
        training["batch_size"] = draw(st.sampled_from([1, 10**18, 10**300]))
        training["sequence_length"] = draw(st.sampled_from([1, 10**18, 10**300]))
    if draw(st.booleans()):
        training["steps_per_epoch"] = draw(st.sampled_from([1e-300, 1, 1e300]))
    first = draw(stage())
    next(iter(first.values()))["length"] = draw(st.sampled_from([1, "33.3%", 1000]))
    schedule = [first, draw(stage())] if draw(st.booleans()) else draw(stage())
    data = {"lrspec": 1, "training": training, "base": draw(BASE), "schedule": schedule}
    return bound(data, {}).curve


@given(curves(), st.sampled_from([None, True, False]))
def test_pictures_of_anything(curve: Curve, log: bool | None) -> None:
    assert curve.steps is not None
    shown = picture([Drawn("a", curve, curve.steps)], 6000, log=log)
    svg, text = io.StringIO(), io.StringIO()
    draw(shown, svg, "svg")
    charts(Terminal(text), [(None, curve)], curve.steps, log=shown.panels[0].log)
    document = page(shown)

    assert "<!-- inf" not in svg.getvalue() and "nan" not in svg.getvalue().lower()
    assert document.endswith("</html>")
    assert len(text.getvalue().splitlines()) in (1, 17)


@pytest.mark.parametrize(
    "document",
    [
        {
            "base": "absolute",
            "training": {"steps": 200_000},
            "schedule": [
                {"linear": {"initial": 0, "final": 3e-4, "length": 2000}},
                {"exponential": {"rate": 1.1, "every": 10}},
            ],
        },
        {
            "base": 2,
            "training": {"steps": 100_000},
            "schedule": {"exponential": {"rate": 1.01, "every": 1}},
        },
    ],
)
def test_what_grows_to_the_largest_float(document: dict[str, Any]) -> None:
    curve = from_dict({"lrspec": 1, **document}).bind()
    assert curve.steps is not None
    (panel,) = picture([Drawn("a", curve, curve.steps)], 6000).panels
    (line,) = panel.lines

    assert (panel.log, panel.ends[1]) == (True, LARGEST)
    assert line.samples.within is not None and len(line.samples.steps) < 3000


def test_counts_that_are_too_large_are_left_out() -> None:
    """Tokens are beyond float64, and the samples of the last steps beneath its digits."""
    sizes = [{"start": 0, "value": 10**300}, {"start": 5, "value": 1}]
    training = {"steps": 10, "batch_size": sizes, "sequence_length": 10**300}
    curve = from_dict(
        {"lrspec": 1, "training": training, "schedule": {"linear": {"final": 0}}}
    ).bind()
    known = picture([Drawn("a", curve, 10)], 100).consumed

    assert known is not None and known.unit == "samples"
    assert known.amounts[-1] == known.amounts[-2]
    assert known.step(known.amounts[-1]) == 10


@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize(
    ("low", "high"), [(-LARGEST, LARGEST), (0.0, 5e-324), (1e300, 1.0000000000000002e300)]
)
def test_a_scale_between_any_values(low: float, high: float, log: bool) -> None:
    scale = Scale(5e-324 if log and low <= 0 else low, high, log)
    heights = [scale.height(tick) for tick in scale.ticks()]

    assert heights[:2] in ([0.0, 1.0], [0.5, 0.5], [0.5])
    assert 0 <= min(heights) <= max(heights) <= 1
