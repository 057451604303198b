"""`lrspec plot`: schedules as a picture, or as a page to look into."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lrspec.cli.documents import at_option
from lrspec.cli.facts import Facts, fact_options

if TYPE_CHECKING:
    from lrspec.curve import Curve
    from lrspec.document import Document
    from lrspec.plotting.picture import Drawn, Picture

_FORMATS = ("png", "svg", "html")
# The last step of a picture: what floats, and the numbers of a page, still tell apart.
_LATEST = 2**53 - 1
# A picture is some 1200 dots wide; a page can be looked into, and shares this out to its lines.
_PICTURE_POINTS, _PAGE_POINTS = 6_000, 36_000


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Where to, ending in .png, .svg or .html; beside it, the first FILE's name.",
)
@click.option("--html", is_flag=True, help="A page that works by itself, with read-out and zoom.")
@click.option(
    "--log/--linear",
    default=None,
    help="A log axis or not; one where stages end more than 3 decades apart when left out.",
)
@click.option(
    "--to",
    "last",
    type=click.IntRange(1, _LATEST),
    metavar="STEP",
    help="The last step; the end of the run, or of the last stage.",
)
@click.option("--names", is_flag=True, help="Call each by its document's name, not its file's.")
@at_option
@fact_options
def plot(
    files: Sequence[str],
    output: Path | None,
    html: bool,
    log: bool | None,
    last: int | None,
    names: bool,
    at: str | None,
    facts: Facts,
) -> int:
    """Draw the schedules of each FILE, several over each other.

    FILE may be - for standard input. Hyperparameters have a panel each. The stages of a single
    schedule are shaded and named. Epochs, tokens or samples are counted above the picture where
    they are known. The name of the file that is written is printed. PNG and SVG are drawn by
    matplotlib: pip install 'lrspec[plot]'.
    """
    from lrspec.cli.terminal import Terminal, printable
    from lrspec.plotting.picture import picture as pictured
    from lrspec.plotting.scales import NOTHING

    form = _format(output, html)
    target = output or Path(f"{_stem(files[0])}.{form}")
    drawn = _drawn(files, at, facts, last, names)
    if form == "html":
        from lrspec.plotting.page import page

        shown = pictured(drawn, _PAGE_POINTS // len(drawn), log=log)
        target.write_text(page(shown), "utf-8", newline="\n")
    else:
        shown = pictured(drawn, _PICTURE_POINTS, log=log)
        _figure(shown, target, form)
    for panel in shown.panels:
        for line in panel.missing:
            Terminal(sys.stderr).line(f"{line.label}: {panel.name}: {NOTHING}")
    Terminal(sys.stdout).line(printable(str(target)))
    return 0


def _figure(shown: Picture, target: Path, form: str) -> None:
    from lrspec.plotting.figure import draw

    try:
        draw(shown, target, form)
    except ImportError as error:
        raise click.ClickException(
            f"a {form.upper()} is drawn by matplotlib, which is not installed:"
            " pip install 'lrspec[plot]' (--html does without)"
        ) from error


def _format(output: Path | None, html: bool) -> str:
    form = "html" if html else "png"
    if output is None:
        return form
    ending = output.suffix.lower().removeprefix(".")
    if ending not in _FORMATS:
        raise click.UsageError(f"-o: {output} does not end in .png, .svg or .html.")
    if html and ending != "html":
        raise click.UsageError(f"--html: {output} does not end in .html.")
    return ending


def _stem(file: str) -> str:
    """The name of a file without its folder and ending."""
    from lrspec.cli.files import SUFFIXES

    name = Path(file).name
    ending = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), Path(name).suffix)
    return "schedule" if file == "-" else name.removesuffix(ending).lstrip(".") or "schedule"


def _drawn(
    files: Sequence[str], at: str | None, facts: Facts, last: int | None, names: bool
) -> list[Drawn]:
    """The curves of all files; SpecError with what is wrong in any of them."""
    from lrspec.cli.documents import curves_of, document_at, warnings_of
    from lrspec.cli.labels import labels
    from lrspec.cli.terminal import Terminal
    from lrspec.plotting.picture import Drawn
    from lrspec.problems import Problem, SpecError

    found: list[tuple[Document, tuple[Curve, ...]]] = []
    problems: list[Problem] = []
    for file in files:
        try:
            document = document_at(file, at)
            curves = curves_of(document, facts)
        except SpecError as error:
            problems += error.problems
            continue
        Terminal(sys.stderr).problems(warnings_of(document, curves))
        found.append((document, curves))
    if problems:
        raise SpecError(problems)
    called = labels(files, [_name(document) if names else "" for document, _ in found])
    return [
        Drawn(label, curve, last or _end(curve))
        for label, (_, curves) in zip(called, found, strict=True)
        for curve in curves
    ]


def _end(curve: Curve) -> int:
    from lrspec.cli.sampling import horizon
    from lrspec.plotting.scales import last_step

    return min(last_step(curve, horizon([curve])), _LATEST)


def picture(curves: Iterable[Curve]) -> str:
    """The curves of one document as the text of an SVG."""
    import io

    from lrspec.plotting.figure import draw
    from lrspec.plotting.picture import Drawn
    from lrspec.plotting.picture import picture as pictured

    drawn = [Drawn("schedule", curve, _end(curve)) for curve in curves]
    text = io.StringIO()
    draw(pictured(drawn, _PICTURE_POINTS), text, "svg")
    return text.getvalue()


def _name(document: Document) -> str:
    data = document.source.data
    return str(data.get("name", "")) if isinstance(data, dict) else ""
