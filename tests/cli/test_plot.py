"""`lrspec plot`: pictures and pages in files."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import subprocess
import sys
from array import array
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import PRODUCTION, Cli

from lrspec.cli.plot import picture
from lrspec.loading import loads

Write = Callable[..., str]

WARMUP = """\
lrspec: 1
name: warmup
base: 3e-4
training:
  steps: 100000
  batch_size: [{start: 0, value: 8}, {start: 5000, value: 16}]
  sequence_length: 2048
schedule:
  - linear: {initial: 0, final: 1, length: 2000}
  - constant:
  - cosine: {final: 0.1, length: 30%}
"""
SEVERAL = """\
lrspec: 1
training: {steps: 30, steps_per_epoch: 10}
base: {lr: 0.1}
schedules:
  lr: {cosine: {final: 0}}
  momentum: {linear: {initial: 0.95, final: 0.85}}
"""


def size(path: str) -> tuple[int, ...]:
    """Width and height of a PNG."""
    data = Path(path).read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def said(path: str) -> list[str]:
    """The texts of an SVG, each once, which matplotlib leaves in comments."""
    return list(dict.fromkeys(re.findall(r"<!-- (.*?) -->", Path(path).read_text("utf-8"))))


def data_of(path: str) -> dict[str, Any]:
    """What a page's charts are made of."""
    found = re.search(
        '<script id="data" type="application/json">(.*?)</script>', Path(path).read_text("utf-8")
    )
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def floats(text: str) -> list[float]:
    return list(array("d", base64.b64decode(text)))


def test_png_and_svg(cli: Cli, write: Write) -> None:
    file = write(WARMUP)

    assert cli("plot", file).out == "a.png\n"
    assert size("a.png") == (1200, 540)
    assert cli("plot", file, "-o", "b.SVG").out == "b.SVG\n"
    assert Path("b.SVG").read_text("utf-8").rstrip().endswith("</svg>")


def test_the_same_picture_gives_the_same_file(cli: Cli, write: Write) -> None:
    file = write(WARMUP)
    for form in ("svg", "png", "html"):
        cli("plot", file, "-o", f"1.{form}")
        cli("plot", file, "-o", f"2.{form}")
        assert Path(f"1.{form}").read_bytes() == Path(f"2.{form}").read_bytes()
    assert "<dc:date>" not in Path("1.svg").read_text("utf-8")


def test_what_an_svg_says(cli: Cli, write: Write) -> None:
    cli("plot", write(WARMUP), "-o", "a.svg")
    texts = said("a.svg")

    assert {"step", "lr", "tokens", "constant", "cosine"} <= set(texts)
    assert {"0", "20k", "100k", "1B", "2B", "3B"} <= set(texts)
    assert "a.lrspec.yaml" not in texts  # one schedule needs no legend


def test_the_same_picture_for_other_programs(cli: Cli, write: Write) -> None:
    cli("plot", write(WARMUP), "-o", "a.svg")

    assert picture([loads(WARMUP).bind()]) == Path("a.svg").read_text("utf-8")


def test_several_documents_have_a_legend(cli: Cli, write: Write) -> None:
    names = [write(WARMUP), write(WARMUP.replace("warmup", "_$x^2$"), "_b.yaml")]
    cli("plot", *names, "-o", "a.svg")
    texts = said("a.svg")
    assert {" a.lrspec.yaml", " _b.yaml"} <= set(texts)
    assert "cosine" not in texts

    cli("plot", *names, "-o", "a.svg", "--names")
    assert {" warmup", " _$x^2$"} <= set(said("a.svg"))


def test_hyperparameters_have_panels(cli: Cli, write: Write) -> None:
    file = write(SEVERAL)
    cli("plot", file, "-o", "a.svg")
    assert {"lr", "momentum (multiple of base)", "epochs", "linear", "cosine"} <= set(said("a.svg"))

    cli("plot", file, "--name", "lr", "-o", "a.svg")
    assert "momentum (multiple of base)" not in said("a.svg")


@pytest.mark.parametrize(
    ("facts", "unit"),
    [
        (["--batch-size", "4"], "samples"),
        (["--batch-size", "4", "--sequence-length", "8"], "tokens"),
        (["--batch-size", "4", "--steps-per-epoch", "5", "--sequence-length", "8"], "epochs"),
        (["--sequence-length", "8"], None),
    ],
)
def test_what_is_counted_above(cli: Cli, write: Write, facts: list[str], unit: str | None) -> None:
    file = write("lrspec: 1\nschedule: {linear: {final: 0}}\n")
    cli("plot", file, "--steps", "100", *facts, "-o", "a.svg")

    assert set(said("a.svg")) & {"samples", "tokens", "epochs"} == ({unit} if unit else set())


def test_the_axis_of_the_document_is_counted_above(cli: Cli, write: Write) -> None:
    facts = "training: {steps: 100, batch_size: 4, steps_per_epoch: 5}"
    file = write(f"lrspec: 1\naxis: samples\n{facts}\nschedule: {{linear: {{final: 0}}}}\n")
    cli("plot", file, "-o", "a.svg")
    assert "samples" in said("a.svg")

    other = write("lrspec: 1\ntraining: {steps: 100}\nschedule: {constant: }\n", "b.yaml")
    cli("plot", file, other, "-o", "a.svg")  # nothing is known of both
    assert not {"samples", "epochs"} & set(said("a.svg"))


def test_the_axis(cli: Cli, write: Write) -> None:
    file = write(PRODUCTION)
    ticks = {}
    for option in ([], ["--log"], ["--linear"]):
        cli("plot", file, "-o", "a.svg", *option)
        ticks["".join(option)] = {text for text in said("a.svg") if text.startswith("0.00")}

    assert ticks[""] == ticks["--log"] == {"0.001", "0.0001"}
    assert ticks["--linear"] == {"0.001", "0.002", "0.003", "0.004"}


NOTHING = "no value is above 0: there is nothing to draw on a log axis"


def test_a_log_axis_that_shows_nothing(cli: Cli, write: Write) -> None:
    file = write("lrspec: 1\nschedule: {constant: {value: 0}}\n")
    done = cli("plot", file, "--log", "-o", "a.svg")

    assert (done.status, done.err) == (0, f"a.lrspec.yaml: lr: {NOTHING}\n")
    assert NOTHING in said("a.svg") and "0.04" not in said("a.svg")
    assert cli("plot", file, "--log", "-o", "a.html").err == done.err
    page = Path("a.html").read_text("utf-8")
    assert f'<p class="note">a.lrspec.yaml: lr: {NOTHING}.</p>' in page
    assert not data_of("a.html")["panels"][0]["log"]
    assert cli("plot", file, "-o", "a.svg").err == ""
    assert NOTHING not in said("a.svg")


def test_a_line_that_a_log_axis_does_not_show(cli: Cli, write: Write) -> None:
    names = [write(WARMUP), write("lrspec: 1\nschedule: {constant: {value: -1}}\n", "b.yaml")]
    done = cli("plot", *names, "--log", "-o", "a.svg")

    assert done.err == f"b.yaml: lr: {NOTHING}\n"
    assert NOTHING not in said("a.svg")


def test_a_short_log_axis_has_numbers(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nschedule: {linear: {initial: 0.5, final: 0.9}}\n"
    cli("plot", write(text), "--log", "--steps", "9", "-o", "a.svg")

    assert {"0.5", "0.6", "0.7", "0.8", "0.9"} <= set(said("a.svg"))
    assert not [text for text in said("a.svg") if "math" in text]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ("initial: 1e300, final: 0", {"0", "2e+299", "1e+300"}),
        ("initial: -1e300, final: 1e300", {"-1e+300", "0", "1e+300"}),
        ("initial: 2e-300, final: 1e-300", {"1e-300", "1.4e-300", "2e-300"}),
    ],
)
def test_an_axis_of_any_size(cli: Cli, write: Write, values: str, ticks: set[str]) -> None:
    text = f"lrspec: 1\nbase: absolute\nschedule: {{linear: {{{values}}}}}\n"
    cli("plot", write(text), "--linear", "--steps", "50", "-o", "a.svg")

    assert ticks <= set(said("a.svg"))


def lines_of(path: str, colour: str) -> list[list[float]]:
    """The heights of the lines of a colour in an SVG, from below."""
    svg = Path(path).read_text("utf-8")
    paths = re.findall(r'<path d="([^"]*)" clip-path[^>]*stroke: ' + colour, svg)
    return [[-float(y) for y in re.findall(r"[ML] \S+ (\S+)", path)] for path in paths]


def test_no_value_is_cut_off(cli: Cli, write: Write) -> None:
    text = "lrspec: 1\nbase: absolute\nschedule: {linear: {initial: 1e300, final: 0}}\n"
    cli("plot", write(text), "--steps", "50", "-o", "a.svg")
    (heights,) = lines_of("a.svg", "#0072b2")

    # Points on a straight line may be left out; a plateau would be one.
    assert heights == sorted(heights, reverse=True) and len(set(heights)) == len(heights)


@pytest.mark.parametrize(("many", "below"), [(4, False), (5, True), (24, True)])
def test_a_legend_of_many_stands_below(cli: Cli, write: Write, many: int, below: bool) -> None:
    names = [write(WARMUP, f"{number}.yaml") for number in range(many)]
    cli("plot", *names, "-o", "a.svg")
    cli("plot", *names, "-o", "a.png")
    cli("plot", *names, "-o", "a.html")

    assert {f" {name}" for name in names} <= set(said("a.svg"))
    assert (size("a.png")[1] > 540) == below
    lines = data_of("a.html")["panels"][0]["lines"]
    assert [line["label"] for line in lines] == names
    assert len({(line["colour"], *line["dash"]) for line in lines}) == many


def test_a_legend_of_long_names(cli: Cli, write: Write) -> None:
    long = "n" * 150 + ".yaml"
    cli("plot", write(WARMUP), write(WARMUP, long), "-o", "a.svg")

    assert f" …{'n' * 94}.yaml" in said("a.svg")


def test_a_legend_of_too_many(cli: Cli, write: Write) -> None:
    names = [write(SEVERAL, f"{number}.yaml") for number in range(86)]
    cli("plot", *names, "--name", "lr", "-o", "a.svg")
    texts = said("a.svg")

    assert "and 2 more" in texts
    assert " 83.yaml" in texts and " 84.yaml" not in texts


def test_a_document_looks_alike_in_all_panels(cli: Cli, write: Write) -> None:
    alone = SEVERAL.replace("  lr: {cosine: {final: 0}}\n", "").replace("base: {lr: 0.1}\n", "")
    rate = "lrspec: 1\ntraining: {steps: 30}\nschedule: {constant: }\n"
    cli("plot", write(rate), write(alone, "b.yaml"), "-o", "a.svg")
    cli("plot", "a.lrspec.yaml", "b.yaml", "-o", "a.html")
    one, two = (panel["lines"][0] for panel in data_of("a.html")["panels"])

    assert {" a.lrspec.yaml", " b.yaml"} <= set(said("a.svg"))
    assert (one["colour"], one["dash"]) != (two["colour"], two["dash"])


def test_the_same_name_twice(cli: Cli, write: Write, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(WARMUP, f"{folder}/x.yaml")
    files = ["a/x.yaml", "b/x.yaml", "b/x.yaml"]
    cli("plot", *files, "-o", "a.svg")
    assert {" a/x.yaml", " b/x.yaml", " b/x.yaml (2)"} <= set(said("a.svg"))

    cli("plot", *files, "--names", "-o", "a.svg")
    expected = {" warmup (a/x.yaml)", " warmup (b/x.yaml)", " warmup (b/x.yaml) (2)"}
    assert expected <= set(said("a.svg"))


@pytest.mark.parametrize(
    ("file", "written"),
    [
        ("run-0.1.lrspec.yaml", "run-0.1.html"),
        ("run-0.2.lrspec.json", "run-0.2.html"),
        ("run-0.3.yml", "run-0.3.html"),
        ("run", "run.html"),
        (".lrspec.yaml", "schedule.html"),
    ],
)
def test_what_the_file_is_called(cli: Cli, write: Write, file: str, written: str) -> None:
    text = '{"lrspec": 1, "training": {"steps": 9}, "schedule": {"linear": {"final": 0}}}'

    assert cli("plot", write(text, file), "--html").out == f"{written}\n"
    assert Path(written).exists()


@pytest.mark.parametrize("axis", ["--log", "--linear"])
@pytest.mark.parametrize(
    "schedule",
    [
        "{linear: {initial: -1e300, final: 1e300}}",
        "{exponential: {initial: 1e300, rate: 10, every: 1}}",
        "{geometric: {initial: 1e-300, final: 1e-299}}",
    ],
)
def test_values_of_any_size(cli: Cli, write: Write, schedule: str, axis: str) -> None:
    file = write(f"lrspec: 1\nschedule: {schedule}\n")

    for end in ("svg", "html"):
        assert cli("plot", file, "--steps", "50", axis, "-o", f"a.{end}").status == 0
    assert cli("show", file, "--steps", "50", axis, "--plot").status == 0


def test_many_stages_are_not_shaded(cli: Cli, write: Write) -> None:
    stages = ", ".join(f"{{linear: {{final: {i % 2}, length: 10}}}}" for i in range(40))
    cli("plot", write(f"lrspec: 1\nschedule: [{stages}]\n"), "-o", "a.svg")

    assert "linear" not in said("a.svg")


def test_where_it_ends(cli: Cli, write: Write) -> None:
    file = write(WARMUP)
    cli("plot", file, "--to", "500", "--html")
    assert data_of("a.html")["last"] == 500

    again = write("lrspec: 1\nschedule: {repeat: {period: 50, schedule: {linear: {final: 0}}}}\n")
    cli("plot", again, "--steps", "200", "--html")
    assert data_of("a.html")["last"] == 199

    short = write("lrspec: 1\nschedule: {constant: }\n")
    cli("plot", short, "--steps", "1", "--html")
    assert data_of("a.html")["last"] == 1
    cli("plot", short, "-o", "a.svg", "--to", "1")
    assert "constant" in said("a.svg")


def test_a_page(cli: Cli, write: Write) -> None:
    assert cli("plot", write(WARMUP), "--html").out == "a.html\n"
    data = data_of("a.html")
    (panel,) = data["panels"]
    (line,) = panel["lines"]
    curve = loads(WARMUP).bind()
    steps = [int(step) for step in floats(line["steps"])]

    assert (line["label"], line["within"], steps[-1]) == ("a.lrspec.yaml", 1e-6, 100_000)
    assert floats(line["values"]) == [curve(step) for step in steps]
    assert {0, 1999, 2000, 69_999, 70_000} <= set(steps)
    assert panel["stages"] == [
        [0, 2000, "linear"],
        [2000, 70_000, "constant"],
        [70_000, 100_000, "cosine"],
    ]
    assert (panel["log"], panel["floor"]) == (False, pytest.approx(1.5e-7))
    assert data["consumed"]["unit"] == "tokens"
    assert data["consumed"]["steps"] == [0, 5000, 100_000]
    assert data["consumed"]["amounts"] == [0, 8 * 5000 * 2048, (8 * 5000 + 16 * 95_000) * 2048]
    text = Path("a.html").read_text("utf-8")
    assert "<td>70000</td><td>100000</td><td>cosine</td><td>0.0003</td><td>3e-05</td>" in text
    assert "Leon Sorokin" in text and "a line between them is off by at most 0.0001&nbsp;%" in text


def test_a_page_of_a_short_run_has_every_step(cli: Cli, write: Write) -> None:
    cli("plot", write(SEVERAL), "--html")
    data = data_of("a.html")

    for panel in data["panels"]:
        (line,) = panel["lines"]
        assert (line["steps"], line["within"], len(floats(line["values"]))) == (None, 0.0, 31)
    assert 'class="note"' not in Path("a.html").read_text("utf-8")


def test_a_page_of_what_is_too_much(cli: Cli, write: Write) -> None:
    saw = "lrspec: 1\nschedule: {repeat: {period: 3, schedule: {linear: {final: 0.5}}}}\n"
    cli("plot", write(saw), "--steps", "100000", "--html")

    assert data_of("a.html")["panels"][0]["lines"][0]["within"] is None
    assert "drawn by its extremes" in Path("a.html").read_text("utf-8")


def test_three_long_runs_fit_in_a_megabyte(cli: Cli, write: Write) -> None:
    waves = "lrspec: 1\nschedule: {repeat: {period: %d, schedule: {cosine: {final: 0.1}}}}\n"
    names = [write(waves % period, f"{period}.yaml") for period in (2, 7000, 50_000)]
    cli("plot", *names, "--steps", "1000000", "--html", "-o", "a.html")

    assert Path("a.html").stat().st_size < 1_000_000


def test_names_are_text(cli: Cli, write: Write) -> None:
    text = SEVERAL.replace("lrspec: 1", "lrspec: 1\nname: '</script><b>@data@&amp;\\e'")
    cli("plot", write(text), "--html", "--names")
    page = Path("a.html").read_text("utf-8")

    assert data_of("a.html")["panels"][0]["lines"][0]["label"] == "</script><b>@data@&amp;\\e"
    assert "<h1>&lt;/script&gt;&lt;b&gt;@data@&amp;amp;\\e</h1>" in page
    assert page.count("</script>") == 3


def test_standard_input(cli: Cli) -> None:
    assert cli("plot", "-", "--html", stdin=SEVERAL).out == "schedule.html\n"
    assert data_of("schedule.html")["panels"][0]["lines"][0]["label"] == "<stdin>"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "a.pdf"], "-o: a.pdf does not end in .png, .svg or .html."),
        (["-o", "a.png", "--html"], "--html: a.png does not end in .html."),
        (["--to", "0"], "0 is not in the range"),
    ],
)
def test_a_wrong_command_line(cli: Cli, write: Write, arguments: list[str], message: str) -> None:
    done = cli("plot", write(WARMUP), *arguments)

    assert done.status == 2
    assert message in done.err


def test_problems_of_all_files(cli: Cli, write: Write) -> None:
    names = [write("lrspec: 1\nschedule: {linear: {final: 0}}\n"), write("lrspec: 2\n", "b.yaml")]
    done = cli("plot", *names, "-o", "a.png")

    assert [line.split(":")[0] for line in done.err.splitlines()] == ["a.lrspec.yaml", "b.yaml"]
    assert done.status == 1 and not Path("a.png").exists()


def test_a_name_that_no_document_has(cli: Cli, write: Write) -> None:
    assert cli("plot", write(SEVERAL), "-o", "a.html", "--names").status == 0
    assert data_of("a.html")["panels"][0]["lines"][0]["label"] == "a.lrspec.yaml"


def test_a_folder_that_is_not_there(cli: Cli, write: Write) -> None:
    done = cli("plot", write(WARMUP), "-o", "nowhere/a.svg")

    assert done.status == 1
    assert done.err == "lrspec: nowhere/a.svg: No such file or directory\n"


def test_without_matplotlib(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    file = write(WARMUP)
    done = cli("plot", file)

    assert done.status == 1
    assert done.err == (
        "Error: a PNG is drawn by matplotlib, which is not installed:"
        " pip install 'lrspec[plot]' (--html does without)\n"
    )
    assert cli("plot", file, "--html").status == 0


def test_a_page_needs_neither_matplotlib_nor_plotille(write: Write, tmp_path: Path) -> None:
    write(WARMUP)
    code = (
        "import sys; sys.modules |= dict.fromkeys(['matplotlib', 'plotille', 'numpy'])\n"
        "from lrspec.cli.main import main; sys.exit(main(['plot', 'a.lrspec.yaml', '--html']))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)

    assert (tmp_path / "a.html").exists()


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("uPlot.LICENSE", "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd"),
        ("uPlot.iife.min.js", "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f"),
        ("uPlot.min.css", "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04"),
    ],
)
def test_the_library_is_as_it_was_published(name: str, digest: str) -> None:
    data = (files("lrspec.plotting") / "web" / name).read_bytes()

    assert hashlib.sha256(data).hexdigest() == digest
