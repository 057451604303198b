"""Documents about as large, deep and many-parted as a reader takes, and beyond."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from tests.fuzz.cases import Case

from lrspec import limits

Draw = st.DrawFn


def _document(schedule: Any, **keys: Any) -> dict[str, Any]:
    return {"lrspec": 1, **keys, "schedule": schedule}


def _stages(size: int) -> Case:
    kinds = [
        {"linear": {"initial": 1, "final": 0.5, "length": "3.3 epochs"}},
        {"cosine": {"final": 0.1, "length": 7}},
        {"constant": {"length": "5 samples"}},
        {"exponential": {"rate": 0.9, "every": "2 steps", "length": "0.1 epochs"}},
    ]
    stages = [kinds[i % 4] for i in range(size // 2)]
    return Case(_document(stages, training={"steps_per_epoch": 33.3, "batch_size": 7}))


def _growing_stages(size: int) -> Case:
    stage = {"linear": {"initial": 1, "final": 0.5}}
    stages = [{"linear": {"initial": 1, "final": 0.5, "length": "0.01%"}}] * (size // 2 - 3)
    schedule = {"repeat": {"schedule": [*stages, stage], "period": 1000, "stretch": 1.5}}
    return Case(_document(schedule))


def _crossing(size: int) -> Case:
    """Lengths that lead from one batch size into the next, each a rational of its own."""
    lengths = ["1.5 steps", "3.1e290 samples"]
    stages = [{"constant": {"value": 1, "length": lengths[i % 2]}} for i in range(size // 4)]
    rows = [{"start": i, "value": 10**290 * (i + 2) + i} for i in range(size // 2)]
    return Case(_document(stages, training={"batch_size": rows}))


def _knots(size: int) -> Case:
    return Case(
        _document(
            {
                "piecewise_linear": {
                    "boundaries": list(range(size * 20)),
                    "values": [i * 0.1 for i in range(size * 20)],
                }
            }
        )
    )


def _deep(kind: Callable[[Any], Any]) -> Callable[[int], Case]:
    def make(size: int) -> Case:
        part: Any = {"linear": {"initial": 1, "final": 0.5}}
        for _ in range(size % 40):
            part = kind(part)
        return Case(_document(part, training={"steps": 1000}))

    return make


def _numbers(size: int) -> Case:
    return Case(
        "lrspec: 1\nx-a: [" + "1.5, " * (size * 50) + "1]\nschedule: {constant: {value: 1}}"
    )


def _json_numbers(size: int) -> Case:
    text = json.dumps(_document({"constant": {"value": 1}}, **{"x-a": [0.1] * (size * 50)}))
    return Case(text, file="a.json")


def _mappings(size: int) -> Case:
    return Case("lrspec: 1\nx-a: [" + "{}, " * size + "1]\nschedule: {constant: {value: 1}}")


def _unknown(size: int) -> Case:
    return Case("lrspec: 1\nschedule:\n" + "- constnat: {valeu: 1, lenght: 3}\n" * (size // 2))


def _texts(size: int) -> Case:
    return Case(
        "lrspec: 1\nschedule: {constant: {value: 1}}\ndescription: |\n  " + "é a" * (size * 100)
    )


def _long_line(size: int) -> Case:
    return Case(
        {
            "lrspec": 1,
            "description": "\t\n😀 '" * (size * 50),
            "schedule": {"constant": {"value": 1}},
        }
    )


def _keys(size: int) -> Case:
    keys = "".join(f"x-{i}: 1\n" for i in range(size * 20))
    return Case(f"lrspec: 1\n{keys}schedule: {{constant: {{value: 1}}}}\n")


def _blanks(size: int) -> Case:
    return Case(("# c\n" * (size * 100)) + "lrspec: 1\nschedule: {constant: {value: 1}}\n")


def _laughs(size: int) -> Case:
    lines = ["x-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    for i in range(1, max(size // 2000, 2)):
        lines.append(f"x-{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]")
    return Case("\n".join(["lrspec: 1", *lines, "schedule: {constant: {value: 1}}"]))


def _shared(size: int) -> Case:
    """One stage under an alias, many times."""
    line = "&a {linear: {initial: 1, final: 0, length: 3}}"
    stages = ", ".join([line, *["*a"] * (size // 2 - 1)])
    return Case(f"lrspec: 1\nschedule: [{stages}]\n")


def _digits(size: int) -> Case:
    return Case(
        _document({"linear": {"initial": 1, "final": 0, "length": f"1.{'7' * size * 100} steps"}})
    )


def _batches(size: int) -> Case:
    rows = [{"start": i * 3, "value": i % 7 + 1} for i in range(size)]
    stages = [{"linear": {"initial": 1, "final": 0.5, "length": "1000 samples"}}, {"constant": {}}]
    return Case(_document(stages, sample="middle"), {"batch_size": rows})


def _tight(size: int) -> Case:
    """A schedule around every part of which stands another."""
    part: Any = {"constant": {"value": 1}}
    return Case(_document([{"product": {"of": [part] * (size // 2 - 2)}}]))


MADE: tuple[Callable[[int], Case], ...] = (
    *(_stages, _growing_stages, _crossing, _knots, _numbers, _json_numbers, _mappings, _unknown),
    *(_texts, _long_line, _keys, _blanks, _laughs, _shared, _digits, _batches, _tight),
    _deep(lambda part: [part]),
    _deep(lambda part: {"repeat": {"schedule": part, "period": 10, "count": 3}}),
    _deep(lambda part: {"repeat": {"schedule": part, "count": 3}}),
    _deep(lambda part: {"repeat": {"schedule": part, "period": "50%", "stretch": 1.5}}),
    _deep(lambda part: {"repeat": {"schedule": part, "count": 3, "stretch": 1.5}}),
    _deep(lambda part: {"product": {"of": [part, {"constant": {"value": 0.5}}]}}),
    _deep(lambda part: {"clamp": {"schedule": part, "maximum": 0.9}}),
    _deep(lambda part: {"quantize": {"schedule": part, "every": "1.1 steps"}}),
    _deep(lambda part: {"advance": {"schedule": [part], "by": 1}}),
    _deep(lambda part: [part, {"constant": {"length": 1}}]),
)


@st.composite
def large(draw: Draw, *, most: int = limits.MAPPINGS) -> Case:
    """One of them; of `limits.MAPPINGS` parts or, more often, of fewer."""
    make = draw(st.sampled_from(MADE))
    few = st.integers(10, most // 20)
    return make(
        draw(
            st.one_of(few, few, few, st.integers(10, most), st.just(most - 10), st.just(most + 10))
        )
    )
