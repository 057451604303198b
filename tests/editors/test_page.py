"""The tables of `docs/editors.md` are what was measured."""

from __future__ import annotations

import re
from pathlib import Path

from tests.editors.mistakes import EVERYDAY, NOT_A_KIND
from tests.editors.test_messages import MEASURED

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"


def everyday() -> str:
    """The table of everyday mistakes, made in `test_mistakes.py`."""
    rows: list[str] = []
    for name, mistake in EVERYDAY.items():
        marked = re.search("⟦(.*)⟧", mistake.node)
        assert marked is not None
        message = mistake.message.replace(
            NOT_A_KIND, "Not a kind. The kinds are constant, linear, …"
        )
        rows.append(f"| {name} | `{marked[1]}` | {message} |\n")
    return "".join(rows)


def others() -> str:
    """The table of `messages.toml`: each message of the current server once."""
    rows: dict[str, str] = {}
    for name, entry in MEASURED.items():
        if len(entry["yaml"]) == 1:
            underlined, message = parts(entry["yaml"][0])
            older = "".join(
                f" (1.19.2 and JSON: {parts(each)[1]})" for each in entry.get("yaml-1.19", ())
            )
            rows.setdefault(message, f"| {name} | {underlined} | {message}{older} |\n")
    return "".join(rows.values())


def parts(said: str) -> tuple[str, str]:
    """Of `LINE: underlined | message` what is underlined, as code, and the message."""
    place, _, message = said.partition(" | ")
    underlined = place.partition(": ")[2]
    return f"`{underlined}`" if underlined else "", message


def test_everyday_mistakes() -> None:
    assert f"|---|---|---|\n{everyday()}\n" in PAGE.read_text("utf-8")


def test_other_faults() -> None:
    assert f"|---|---|---|\n{others()}\n" in PAGE.read_text("utf-8")
