"""Problems as diagnostics of the Language Server Protocol, and their hints as quick fixes."""

from __future__ import annotations

import re

from lsprotocol import types

from lrspec.lsp.tokens import Token, token_at
from lrspec.problems import Problem

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}
_MEANT = re.compile(r"(?:did you mean|^add a unit:) '(.+?)'\??")
_NUMBER = re.compile(r"(?:write|values are numbers:) (-?[0-9.]+(?:e[-+]?[0-9]+)?|true|false)")
_UNQUOTE, _QUOTE = "remove the quotes", "put it in quotes"
# The forms of `x-allow` that one more code can be written into.
_LIST = re.compile(r"(x-allow:\s*\[)([^\]#]*)\]")
_NO_VALUE = re.compile(r"x-allow:\s*(?:#.*)?")
_HAS_VALUE = re.compile(r"lrspec:\s*[^\s#]")
_ITEM = re.compile(r"\s*- ")


def diagnostic(problem: Problem, lines: list[str]) -> types.Diagnostic:
    """A problem where it stands; one of the whole text stands at its start."""
    token = _token(problem, lines)
    hint = "" if problem.hint is None else f"; {problem.hint}"
    return types.Diagnostic(
        range=_range(token),
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source="lrspec",
        message=f"{problem.message}{hint}",
    )


def fix(problem: Problem, lines: list[str]) -> tuple[str, types.TextEdit] | None:
    """What a problem's hint proposes, as a title and an edit; None where it proposes no word."""
    token = _token(problem, lines)
    quote = token.text[:1] if token.text[:1] in ("'", '"') else ""
    if quote and not token.text.endswith(quote, 1):  # the text goes on in the next line
        return None
    hint = problem.hint or ""
    meant = _MEANT.search(hint)
    if meant is not None:
        quote = quote or ('"' if _in_brackets(lines) else "")
        return f"Change to {meant[1]}", _edit(token, f"{quote}{meant[1]}{quote}")
    number = _NUMBER.fullmatch(hint)
    if number is not None:
        return f"Change to {number[1]}", _edit(token, number[1])
    if hint.startswith(_UNQUOTE) and quote:
        return "Remove the quotes", _edit(token, token.text[1:-1].strip())
    if hint == _QUOTE and not quote:
        return "Put it in quotes", _edit(token, f'"{token.text}"')
    return None


def allowing(problem: Problem, lines: list[str]) -> tuple[str, types.TextEdit] | None:
    """Switching a warning off in a YAML file: one more code in `x-allow`, or a first one."""
    if problem.severity != "warning" or problem.code == "unknown-warning":
        return None
    title = f"Allow {problem.code} in this file"
    for row, line in enumerate(lines):
        if line.startswith("x-allow:"):
            edit = _one_more(problem.code, row, lines)
            return None if edit is None else (title, edit)
    for row, line in enumerate(lines):
        if line.startswith("lrspec:"):
            # The last line may have no end after which another one could begin, and the number may
            # stand in the next one.
            below = row + 1 < len(lines) and _HAS_VALUE.match(line)
            return title, _insert(row + bool(below), 0, f"x-allow: [{problem.code}]\n")
    return None


def _one_more(code: str, row: int, lines: list[str]) -> types.TextEdit | None:
    """One more code in the list that begins in a row; None where it is written in another way."""
    listed = _LIST.match(lines[row])
    if listed:
        codes = listed[2].rstrip()
        separator = "" if not codes else " " if codes.endswith(",") else ", "
        return _insert(row, listed.start(2) + len(codes), f"{separator}{code}")
    item = _ITEM.match(lines[row + 1]) if row + 1 < len(lines) else None
    if _NO_VALUE.fullmatch(lines[row]) and item:
        return _insert(row + 1, 0, f"{item[0]}{code}\n")
    return None


def _in_brackets(lines: list[str]) -> bool:
    """Whether a text is JSON, or YAML like it, in which every word may stand in quotes."""
    return "".join(lines).lstrip().startswith("{")


def _insert(row: int, column: int, text: str) -> types.TextEdit:
    at = types.Position(row, column)
    return types.TextEdit(types.Range(at, at), text)


def _token(problem: Problem, lines: list[str]) -> Token:
    return token_at(lines, problem.line or 1, problem.column or 1)


def _range(token: Token) -> types.Range:
    return types.Range(
        types.Position(token.line, token.start), types.Position(token.line, token.stop)
    )


def _edit(token: Token, text: str) -> types.TextEdit:
    return types.TextEdit(_range(token), text)
