"""Where a command writes: a stream, with styles where it is a terminal that wants them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

    from lrspec.problems import Problem, Severity

_COLOURS: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow"}


class Terminal:
    """One of the standard streams.

    Styles are for terminals only; `NO_COLOR` switches them off, `FORCE_COLOR` on. Lines are
    never broken or cut: they are meant for other programs too.
    """

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console

        plain = bool(os.environ.get("NO_COLOR"))
        self.stream = stream
        self.console: Console = Console(
            file=stream,
            color_system=None if plain else "auto",
            soft_wrap=True,
            highlight=False,
            markup=False,
            emoji=False,
        )

    def line(self, text: str = "", style: str | None = None) -> None:
        """One line in one style."""
        self.console.print(text, style=style)

    def rows(self, rows: Iterable[str]) -> None:
        """Lines without styles, as quick as the stream is."""
        self.stream.writelines(f"{row}\n" for row in rows)

    def problems(self, problems: Iterable[Problem]) -> None:
        """One line a problem, `file:line:col: /pointer: message; hint`, warnings marked."""
        from rich.text import Text

        for problem in problems:
            text = Text(str(marked(problem)))
            place = str(replace(problem, path="", message="", hint=None))
            text.stylize(_COLOURS[problem.severity], 0, len(place))
            self.console.print(text)


def marked(problem: Problem) -> Problem:
    """The problem; a warning says in its message that it is one, and the code to switch it off."""
    if problem.severity == "error":
        return problem
    return replace(problem, message=f"warning: {problem.message} [{problem.code}]")


def printable(text: str) -> str:
    """The text in one line, with escapes for what no terminal should be sent."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
