"""The figures of the documentation are what the commands on its page draw."""

from __future__ import annotations

import re
from pathlib import Path

from docs.figures.make import FIGURES, PAGE, make


def maker(svg: bytes) -> bytes:
    """Who drew a picture, with its version."""
    found = re.search(rb"<dc:title>(.*?)</dc:title>", svg)
    assert found is not None
    return found[1]


def texts(svg: bytes) -> list[bytes]:
    """The texts of a picture, which matplotlib leaves in comments."""
    return re.findall(rb"<!-- (.*?) -->", svg)


def test_figures_are_current(tmp_path: Path) -> None:
    make(tmp_path)
    kept, made = (
        {path.name: path.read_bytes() for path in each.glob("*.svg")}
        for each in (FIGURES, tmp_path)
    )

    assert kept.keys() == made.keys()
    for name, svg in kept.items():
        if maker(svg) == maker(made[name]):
            assert svg == made[name], f"{name}: python -m docs.figures.make"
        # Another matplotlib draws the same things a little elsewhere.
        assert texts(svg) == texts(made[name]), f"{name}: python -m docs.figures.make"


def test_figures_are_on_the_page() -> None:
    shown = set(re.findall(r"\]\(figures/(.*?)\)", PAGE.read_text("utf-8")))

    assert shown == {path.name for path in FIGURES.glob("*.svg")}
