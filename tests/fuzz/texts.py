"""Raw texts: random characters, the special ones of YAML and JSON, and files that were damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.fuzz.cases import Case
from tests.fuzz.hostile import number, quantity

from lrspec.loading import load
from lrspec.writing import to_yaml

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))

FILES = (None, None, None, "a.yaml", "a.json", "<stdin>", "a.JSON", "", "é\n.yml")

_PIECES = (
    *("a", "b: ", "c:", " ", "  ", "    ", "\t", "\n", "\n", "\n  ", "\n    - ", "- ", ": ", ", "),
    *(
        "[",
        "]",
        "{",
        "}",
        '"x"',
        "'y'",
        '"',
        "'",
        "# c",
        "&a ",
        "*a",
        "&b ",
        "*b",
        "<<: ",
        "<<: *a",
    ),
    *(
        "<<: [*a, *b]",
        "? ",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "%TAG ! tag:x,2000:\n",
        "!!str ",
        "!x ",
    ),
    *("!!int ", "!!map ", "!!binary ", "! ", "|\n", ">-\n", "|2+\n", "@", "`", "!", "%", "&", "*"),
    *("1", "-1", "1e-5", "1e400", ".nan", "-.inf", "0x1F", "0o17", "017", "1_0", "1:30", "on", "~"),
    *(
        "null",
        "true",
        "10%",
        "3 epochs",
        "1e999 steps",
        "2001-01-01",
        "=",
        "\\",
        "\\n",
        '"\\ud83d"',
    ),
    *('"\\ud83d\\ude00"', '"\\x00"', '"\\U0001F600"', '"\\uffff"', "/", "//", "\r", "\r\n", "\x85"),
    *(
        "\u2028",
        "\u2029",
        "\ufeff",
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\x9f",
        "\ud800",
        "\udc00",
        "é",
    ),
    *("😀", "\u200b", "\uffff", "\U0010ffff", "lrspec: 1\n", "schedule: ", "schedules: ", "base: "),
    *("linear: {initial: 0, final: 1, length: 5}", "constant: {value: 1}", "constant:", "x-a: "),
    *('{"lrspec": 1, "schedule": {"constant": {"value": 1}}}', "training: {steps: 9}", "repeat: "),
    *("final: 1", "length: ", "of: ", "$schema: ", "0" * 50, "a" * 1100, "[" * 70, "{a: " * 70),
    *("- " * 70, "&c [*c]", "\n" * 40, " " * 200),
)


def texts() -> st.SearchStrategy[Case]:
    """Special pieces in any order, and any characters."""
    pieces = st.lists(st.sampled_from(_PIECES), max_size=24).map("".join)
    anything = st.one_of(
        st.text(max_size=60),
        st.binary(max_size=60),
        st.text(st.characters(codec="utf-8"), max_size=30).map(lambda text: text.encode("utf-16")),
    )
    started = pieces.map(lambda text: f"lrspec: 1\nschedule:\n  {text}")
    return st.builds(
        Case, st.one_of(pieces, pieces, started, anything), file=st.sampled_from(FILES)
    )


def _undamaged() -> list[str]:
    """The examples as they are written, as plain YAML, and as JSON."""
    found = [path.read_text() for path in EXAMPLES]
    data = [load(path).to_dict() for path in EXAMPLES]
    return [*found, *map(to_yaml, data), *map(json.dumps, data)]


@st.composite
def damaged(draw: st.DrawFn) -> Case:
    """The file of an example, with up to four faults in it."""
    text = draw(st.sampled_from(_UNDAMAGED))
    for _ in range(draw(st.integers(1, 4))):
        text = draw(st.sampled_from(_DAMAGES))(draw, text)
    whole: str | bytes = text
    match draw(st.integers(0, 9)):
        case 0:
            whole = text.encode(draw(st.sampled_from(_ENCODINGS)), "surrogatepass")
        case 1:
            whole = _flipped(draw, text.encode("utf-8", "surrogatepass"))
        case 2:
            whole = text.replace("\n", draw(st.sampled_from(["\r\n", "\r", "\u2028", "\n\n"])))
        case _:
            pass
    file = draw(st.sampled_from(FILES))
    return Case(whole, draw(st.sampled_from(_FACTS)), file)


_RANDOM = st.randoms(use_true_random=True)
_UNDAMAGED = _undamaged()
_ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8")
_FACTS: list[dict[str, Any]] = [{}, {"base": 0.1}, {"steps": 1000, "base": 1e-3}, {"steps": 1}]


def _flipped(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with some that are others."""
    changed = bytearray(data)
    for _ in range(draw(st.integers(1, 3)) if data else 0):
        changed[draw(st.integers(0, len(changed) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


def _inserted(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(_PIECES)) + text[at:]


def _cut(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + text[at + draw(st.integers(0, 20)) :]


def _replaced(draw: st.DrawFn, text: str) -> str:
    """One word, number or name, as something else."""
    words = text.split(" ")
    at = draw(st.integers(0, len(words) - 1))
    random = draw(_RANDOM)
    other = random.choice((quantity(random), repr(number(random)), random.choice(_PIECES)))
    return " ".join([*words[:at], other, *words[at + 1 :]])


def _lines(draw: st.DrawFn, text: str) -> str:
    """A line doubled, lost, moved, or indented otherwise."""
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    line = lines.pop(at)
    match draw(st.integers(0, 4)):
        case 0:
            again = [line] * draw(st.sampled_from([2, 2, 3, 500]))
        case 1:
            again = []
        case 2:
            again = [" " * draw(st.integers(1, 4)) + line]
        case 3:
            again = [line.removeprefix(" " * draw(st.integers(1, 4)))]
        case _:
            again = []
            lines.insert(draw(st.integers(0, len(lines))), line)
    return "\n".join([*lines[:at], *again, *lines[at:]])


_DAMAGES = (_inserted, _cut, _replaced, _replaced, _lines)
