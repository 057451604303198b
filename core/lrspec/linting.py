"""Warnings about a schedule that is valid and may still not be what was meant.

Each has a code (`lrspec.codes.LINTS`), and is switched off in the document by `x-allow: [code, …]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from lrspec.codes import LINTS, WARNINGS
from lrspec.curve import Curve
from lrspec.document import Document
from lrspec.hints import closest
from lrspec.lint_run import Run
from lrspec.lints import RULES
from lrspec.problems import Path, Problem
from lrspec.shorten import shown

ALLOW = "x-allow"


def lint(curve: Curve) -> tuple[Problem, ...]:
    """What may not be meant in one schedule; see `unallowed`."""
    run = Run(curve)
    return tuple(problem for rule in RULES for problem in rule(run))


def unallowed(document: Document, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems without the warnings that the document allows, and with one for every code in its
    list that no warning has."""
    data = document.source.data
    codes = data.get(ALLOW) if isinstance(data, dict) else None
    listed = codes if isinstance(codes, list) else []
    found = (*problems, *_unknown(document, codes))
    return tuple(p for p in found if p.severity == "error" or p.code not in listed)


def _unknown(document: Document, codes: object) -> Iterable[Problem]:
    if codes is None:
        return
    if not isinstance(codes, list):
        message = f"expected a list of the codes of warnings, found {shown(codes)}"
        yield _about_list(document, (ALLOW,), message, None)
        return
    known = (*LINTS, *WARNINGS)
    for index, code in enumerate(cast("list[object]", codes)):
        if code not in known:
            close = closest(code, known) if isinstance(code, str) else None
            hint = None if close is None else f"did you mean '{close}'?"
            yield _about_list(document, (ALLOW, index), f"no warning is {shown(code)}", hint)


def _about_list(document: Document, path: Path, message: str, hint: str | None) -> Problem:
    source = document.source
    return source.problem("unknown-warning", path, message, hint=hint, severity="warning")
