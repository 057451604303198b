"""A picture as one HTML page that works by itself: with read-out, zoom, a log axis at a button, and
the phases as tables."""

from __future__ import annotations

import json
import re
import sys
from array import array
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from lrspec.phase_lines import phase_table
from lrspec.plotting.picture import Line, Panel, Picture
from lrspec.plotting.scales import NOTHING

_PLACE = re.compile("@([a-z.]+)@")


def page(picture: Picture) -> str:
    """The text of the page; it loads nothing."""
    lines = [line for panel in picture.panels for line in panel.lines]
    library = _file("uPlot.iife.min.js")
    version = re.search(r"\(v([0-9.]+)\)", library)
    assert version is not None
    parts = {
        "title": escape(", ".join(dict.fromkeys(line.label for line in lines))),
        "chart.css": _file("uPlot.min.css"),
        "chart.js": library,
        "css": _file("page.css"),
        "js": _file("page.js"),
        "version": version[1],
        "licence": _file("uPlot.LICENSE"),
        "notes": "\n".join([*_missing(picture), *_notes(lines)]),
        "tables": "\n".join(map(_table, lines)),
        # Text that ends a script would end this one.
        "data": json.dumps(_data(picture), allow_nan=False).replace("<", "\\u003c"),
    }
    return _PLACE.sub(lambda place: parts[place[1]], _file("page.html"))


def _file(name: str) -> str:
    return (files("lrspec.plotting") / "web" / name).read_text("utf-8").rstrip("\n")


def _data(picture: Picture) -> dict[str, Any]:
    known = picture.consumed
    return {
        "last": picture.last,
        "panels": list(map(_panel, picture.panels)),
        "consumed": None
        if known is None
        else {"unit": known.unit, "steps": list(known.steps), "amounts": list(known.amounts)},
    }


def _panel(panel: Panel) -> dict[str, Any]:
    return {
        "name": panel.name,
        "unit": panel.unit,
        "log": panel.log and panel.floor is not None,
        "floor": panel.floor,
        "power": panel.power,
        "stages": [[stage.start, stage.stop, stage.kind] for stage in panel.stages],
        "lines": list(map(_line, panel.lines)),
    }


def _line(line: Line) -> dict[str, Any]:
    samples = line.samples
    return {
        "label": line.label,
        "steps": None if samples.within == 0 else _floats(samples.steps),
        "values": _floats(samples.values),
        "within": samples.within,
        "colour": line.style.colour,
        "dash": list(line.style.dash),
        "width": line.style.width,
    }


def _floats(numbers: Sequence[float]) -> str:
    """Little-endian float64 in base64."""
    packed = array("d", numbers)
    if sys.byteorder == "big":  # pragma: no cover
        packed.byteswap()
    return b64encode(packed.tobytes()).decode()


def _missing(picture: Picture) -> Iterable[str]:
    """What a log axis that was asked for does not show."""
    for panel in picture.panels:
        for line in panel.missing:
            yield f'<p class="note">{escape(f"{line.label}: {panel.name}: {NOTHING}")}.</p>'


def _notes(lines: Iterable[Line]) -> Iterable[str]:
    """What is drawn between stored steps, of lines for which that is not every one."""
    for line in lines:
        within, name = line.samples.within, escape(f"{line.label}: {line.curve.name}")
        many = f"{len(line.samples.steps):,} steps of {name} are stored, each exact"
        if within is None:
            yield f'<p class="note">{many}; what lies between them is drawn by its extremes.</p>'
        elif within:
            close = f"{100 * within:.1g}&nbsp;% of the range"
            yield f'<p class="note">{many}; a line between them is off by at most {close}.</p>'


def _table(line: Line) -> str:
    headings, *rows = phase_table(line.curve)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in headings)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    caption = escape(f"{line.label}: {line.curve.name}")
    return (
        f"<table>\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )
