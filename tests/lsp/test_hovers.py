"""What a hover says, and which words and places a text has."""

from __future__ import annotations

from pathlib import Path

import pytest

from lrspec.loading import loads
from lrspec.lsp.hovers import hover, path_at
from lrspec.lsp.tokens import token_at
from lrspec.reading import read_text

EXAMPLES = Path(__file__).parents[2] / "examples"

PIECES: str = """\
lrspec: 1
base: {lr: absolute, momentum: absolute, decay: absolute}
training: {steps: 100, batch_size: 2}
axis: samples
schedules:
  lr:
    - constant: {value: 1, until: 10 samples}
    - piecewise_constant: {boundaries: [20 samples, 50%], values: [3, 2, 1]}
  momentum:
    piecewise_linear:
      boundaries: [0, 30.5 steps]
      values: [0.9, 0.95]
  decay: {quantize: {every: 1 step, schedule: {linear: {initial: 1, final: 0}}}}
"""


def said(text: str, *path: str | int) -> list[str]:
    """The paragraphs of a hover but for the picture."""
    found = hover(loads(text), path)
    return [] if found is None else found.split("\n\n")[:-1]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("schedules", "lr", 0, "constant", "until"), "`until`: 5 steps, to step 5"),
        (("schedules", "lr", 0, "constant", "value"), "`value`: 1, at step 0"),
        (
            ("schedules", "lr", 1, "piecewise_constant", "boundaries", 0),
            "`boundaries`: 2, from step 10",
        ),
        (
            ("schedules", "lr", 1, "piecewise_constant", "boundaries", 1),
            "`boundaries`: 1, from step 50",
        ),
        (
            ("schedules", "lr", 1, "piecewise_constant", "values", 0),
            "`values`: 3, before the first boundary",
        ),
        (("schedules", "lr", 1, "piecewise_constant", "values", 2), "`values`: 1, from step 50"),
        (
            ("schedules", "momentum", "piecewise_linear", "boundaries", 1),
            "`boundaries`: 0.95, at step 30.5",
        ),
        (
            ("schedules", "momentum", "piecewise_linear", "values", 0),
            "`values`: 0.9, at step 0",
        ),
    ],
)
def test_fields(path: tuple[str | int, ...], words: str) -> None:
    assert said(PIECES, *path)[1] == words


def test_stages_and_runs() -> None:
    assert said(PIECES, "schedules", "lr", 1) == [
        "**piecewise_constant**, stage 2 of 2: from step 5 to 100, from 3 to 1"
    ]
    assert said(PIECES, "schedules", "lr", 1, "piecewise_constant", "boundaries") == [
        "**piecewise_constant**, stage 2 of 2: from step 5 to 100, from 3 to 1"
    ]
    assert said(PIECES, "schedules", "decay", "quantize", "schedule", "linear", "final") == [
        "**quantize linear**, one stage: from step 0 to 100, from 1 to 0.01"
    ]
    saw = "lrspec: 1\nschedule:\n  - repeat: {period: 4, count: 3, schedule: [WAVE]}\n"
    saw = saw.replace("WAVE", "linear: {initial: 0, final: 1, length: 2}, linear: {final: 0}")
    assert said(saw, "schedule", 0, "repeat", "period") == [
        "**repeat**, one stage: from step 0 to 12, from 0 to 0, between 0 and 1"
    ]
    assert said(PIECES, "base") == ["**lr** over a run of 100 steps, in rates, 1 stands for 1.0"]
    assert said(PIECES, "schedules", "momentum") != said(PIECES, "schedules", "lr")
    open_end = "lrspec: 1\nschedule:\n  inverse_sqrt: {timescale: 10}\n"
    assert said(open_end, "training") == [
        "**lr** over a run of unknown length, in multiples of a base"
    ]
    assert said(open_end, "schedule", "inverse_sqrt", "timescale") == [
        "**inverse_sqrt**, one stage: from step 0, from 1"
    ]


def test_nothing_is_said_where_nothing_is_known() -> None:
    needs_steps = "lrspec: 1\nschedule: {linear: {final: 0}}\n"

    assert hover(loads(needs_steps), ("schedule",)) is None
    assert hover(loads(PIECES), ("lrspec",)) is None
    assert hover(loads(PIECES), ()) is None


def test_the_picture_marks_the_stage() -> None:
    found = hover(loads(PIECES), ("schedules", "lr", 0))

    assert found is not None
    bars, marks, scale = found.rsplit("```text\n", 1)[1].splitlines()[:3]
    assert len(bars) == 40
    assert bars[:2] == "▃▃"
    assert marks == "‾‾‾"
    assert scale == "step 0 to 100, at most 3"


def test_the_picture_of_a_falling_and_negative_curve() -> None:
    text = "lrspec: 1\nbase: 1\nschedule: {linear: {initial: 1, final: -1, length: 39}}\n"
    found = hover(loads(text), ("schedule",))

    assert found is not None
    bars = found.rsplit("```text\n", 1)[1].splitlines()[0]
    assert (bars[0], bars[19:21], bars[-1]) == ("█", "▅▄", "▁")


def test_a_curve_that_is_0() -> None:
    found = hover(loads("lrspec: 1\nschedule: {constant: {value: 0}}\n"), ("schedule",))

    assert found is not None
    assert "▁" * 40 in found


def test_values_as_far_apart_as_float64_reaches() -> None:
    text = "lrspec: 1\nbase: 1.7e8\nschedule: {linear: {initial: 1e300, final: -1e300, length: 39}}"
    found = hover(loads(text), ("schedule",))

    assert found is not None
    bars = found.rsplit("```text\n", 1)[1].splitlines()[0]
    assert (bars[0], bars[-1]) == ("█", "▁")


@pytest.mark.parametrize(
    ("schedule", "last"),
    [
        ("{piecewise_linear: {boundaries: [0, 300], values: [1, 0]}}", 600),
        ("[constant: {value: 1, length: 50}, constant: ]", 100),
        ("[constant: {value: 1, length: 9e307 samples}, constant: {value: 2}]", 9 * 10**307),
    ],
    ids=["knots", "stages", "far"],
)
def test_the_picture_goes_beyond_the_last_knot(schedule: str, last: int) -> None:
    text = f"lrspec: 1\naxis: samples\ntraining: {{batch_size: 1}}\nschedule: {schedule}\n"
    found = hover(loads(text), ("schedule",))

    assert found is not None
    assert f"step 0 to {last}, at most" in found


LINES = [
    "a: {b: 'it''s', c: \"x\\\"y\", d: 1 step }",
    "e: http://f  # g",
    "- h i",
    "j: k, l",
    'm: &n "o", p: {q: !r &s t u}',
    "v: [",
    "",
    "w x, y,  # z",
    "k, l",
    "]",
    "k, l",
]


@pytest.mark.parametrize(
    ("line", "column", "word"),
    [
        (1, 1, "a"),
        (1, 5, "b"),
        (1, 8, "'it''s'"),
        (1, 20, '"x\\"y"'),
        (1, 31, "1 step"),
        (1, 4, "{"),
        (2, 4, "http://f"),
        (3, 3, "h i"),
        (4, 4, "k, l"),
        (4, 9, ""),
        (5, 4, '"o"'),
        (5, 19, "t u"),
        (8, 1, "w x"),
        (9, 1, "k"),
        (11, 1, "k, l"),
        (19, 1, ""),
    ],
)
def test_words(line: int, column: int, word: str) -> None:
    token = token_at(LINES, line, column)

    assert token.text == word
    assert (token.line, token.stop - token.start) == (line - 1, len(word))


def test_the_innermost_place_counts() -> None:
    document = loads(PIECES)
    lines = PIECES.splitlines()

    def at(line: int, column: int) -> tuple[str | int, ...] | None:
        found = path_at(document.source, lines, line, column)
        return None if found is None else found[0]

    assert at(0, 0) == ("lrspec",)
    assert at(6, 8) == ("schedules", "lr", 0, "constant")
    assert at(6, 22) == ("schedules", "lr", 0, "constant", "value")
    assert at(7, 40) == ("schedules", "lr", 1, "piecewise_constant", "boundaries", 0)
    assert at(7, 4) is None
    assert at(99, 0) is None
    assert at(1, 6) == ("base",)
    assert at(1, 7) == ("base", "lr")


def test_places_of_mappings_side_by_side_in_a_line() -> None:
    text = "{a: {b: [1, 2], c: 3}, d: {e: 4}, f: 5}"
    source = read_text(text)

    def at(word: str) -> tuple[str | int, ...] | None:
        found = path_at(source, [text], 0, text.index(word))
        return None if found is None else found[0]

    assert [at(word) for word in "abcdef"] == [
        ("a",),
        ("a", "b"),
        ("a", "c"),
        ("d",),
        ("d", "e"),
        ("f",),
    ]
    assert [at(word) for word in "12345"] == [
        ("a", "b", 0),
        ("a", "b", 1),
        ("a", "c"),
        ("d", "e"),
        ("f",),
    ]


def test_places_in_one_long_line() -> None:
    values = ", ".join(map(str, range(20_000)))
    text = f"{{lrspec: 1, schedule: {{piecewise_linear: {{values: [{values}]}}}}}}"
    source = read_text(text)
    found = path_at(source, [text], 0, text.index("12345"))

    assert found is not None
    assert found[0] == ("schedule", "piecewise_linear", "values", 12_345)
    assert found[1].text == "12345"


def test_every_place_of_every_example() -> None:
    hovers = 0
    for path in EXAMPLES.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        document, lines = loads(text), text.splitlines()
        for row, line in enumerate(lines):
            for column in range(len(line) + 2):
                found = path_at(document.source, lines, row, column)
                assert found is None or found[1].line == row
        hovers += sum(hover(document, path) is not None for path in document.source.marks)

    assert hovers > 100
