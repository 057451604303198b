"""Reads JSON text (RFC 8259) strictly, with the place of every value."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import NoReturn

from lrspec.building import Builder
from lrspec.scalars import (
    NotFiniteError,
    Scalar,
    half_a_character,
    names_no_finite_number,
    number,
)
from lrspec.shorten import quoted, short
from lrspec.source import Packed, Source, pack

# One token after blanks. The groups are the kinds of tokens; what is none of them is text with
# escapes in it, or a fault.
_TOKEN = re.compile(
    r"""[ \t\n]*
    (?: ([\[\]{},:])
      | "([^"\\\x00-\x1f]*)"
      | (-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) (?![^\s,:\[\]{}"])
      | ([^\s,:\[\]{}"]+)
      | \Z
    )""",
    re.VERBOSE,
)
_SIGN, _TEXT, _NUMBER, _WORD = 1, 2, 3, 4
_BLANK = re.compile(r"[ \t\n]*")

# What may come next.
_VALUE, _VALUE_OR_END, _KEY, _KEY_OR_END, _COLON, _MORE, _NOTHING = range(7)

_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_HINTS = {
    "'": "JSON text stands in double quotes",
    "#": "JSON has no comments",
    "/": "JSON has no comments",
}


def read_json(text: str, file: str | None) -> Source:
    """The one value in a JSON text; raises SpecError."""
    return _Reader(text, file).read()


class _Reader:
    """Goes through the text once, without recursion."""

    def __init__(self, text: str, file: str | None) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.builder = Builder(file)
        self.decoder = json.JSONDecoder()
        # The token that was read last: what it says, where it starts and where it ends.
        self.token = ""
        self.start = 0
        self.end = 0
        self.line = 1
        self.line_start = 0
        self.closers: list[str] = []

    def read(self) -> Source:
        builder, state = self.builder, _VALUE
        if not self.text.strip(" \t\n"):
            builder.stop("empty-document", "the document is empty", pack(1, 1))
        while True:
            kind = self.next()
            token = self.token
            if state <= _VALUE_OR_END:
                if token == "]" and kind == _SIGN and state == _VALUE_OR_END:
                    state = self.close()
                elif kind == _SIGN and token in "[{":
                    state = self.open(token)
                else:
                    builder.scalar(self.scalar(kind), self.mark())
                    state = self.after_value()
            elif state <= _KEY_OR_END:
                if kind == _TEXT:
                    builder.key(token, self.mark())
                    state = _COLON
                    if self.text.startswith(":", self.end):
                        self.end += 1
                        state = _VALUE
                elif token == "}" and kind == _SIGN and state == _KEY_OR_END:
                    state = self.close()
                else:
                    self.fail("a key in double quotes")
            elif state == _COLON:
                if kind != _SIGN or token != ":":
                    self.fail("':' after the key")
                state = _VALUE
            elif state == _MORE:
                closer = self.closers[-1]
                if kind == _SIGN and token == ",":
                    state = _KEY if closer == "}" else _VALUE
                elif kind == _SIGN and token == closer:
                    state = self.close()
                else:
                    self.fail(f"',' or '{closer}'")
            elif kind is None:
                break
            else:
                self.fail("the end of the document")
        if builder.is_empty:
            builder.stop("empty-document", "the document is empty", pack(1, 1))
        return builder.source()

    def open(self, token: str) -> int:
        is_list = token == "["
        self.closers.append("]" if is_list else "}")
        if is_list:
            self.builder.begin_list(self.mark())
        else:
            self.builder.begin_mapping(self.mark())
        return _VALUE_OR_END if is_list else _KEY_OR_END

    def close(self) -> int:
        self.closers.pop()
        self.builder.end()
        return self.after_value()

    def after_value(self) -> int:
        """What may come after a value; a comma right after it is passed over at once."""
        if not self.closers:
            return _NOTHING
        if not self.text.startswith(",", self.end):
            return _MORE
        self.end += 1
        return _KEY if self.closers[-1] == "}" else _VALUE

    def next(self) -> int | None:
        """The kind of the next token; None at the end of the text."""
        found = _TOKEN.match(self.text, self.end)
        if found is None:
            return self.text_with_escapes()
        kind = found.lastindex
        start = found.start(kind) if kind is not None else found.end()
        if kind == _TEXT:
            start -= 1
        if start != self.end:
            self.pass_blanks(start)
        self.start = start
        self.token = found.group(kind) if kind is not None else ""
        self.end = found.end()
        return kind

    def pass_blanks(self, start: int) -> None:
        lines = self.text.count("\n", self.end, start)
        if lines:
            self.line += lines
            self.line_start = self.text.rindex("\n", self.end, start) + 1

    def text_with_escapes(self) -> int:
        blank = _BLANK.match(self.text, self.end)
        start = blank.end() if blank else self.end
        self.pass_blanks(start)
        self.start = start
        try:
            value, self.end = self.decoder.raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            message, hint = "the quotes are not closed", None
            if "control" in error.msg:
                message, hint = "a line break or control character in the text", "write \\n"
            elif "escape" in error.msg:
                message, hint = "an escape that JSON does not know", "write \\\\ for a backslash"
            self.builder.stop("syntax", f"not JSON: {message}", self.mark(error.pos), hint=hint)
        self.token = str(value)
        if half_a_character(self.token):
            message = "not JSON: a \\u escape that is no character"
            self.builder.stop("syntax", message, self.mark())
        return _TEXT

    def scalar(self, kind: int | None) -> Scalar:
        token = self.token
        if kind == _TEXT:
            return token
        if kind == _WORD and token in _WORDS:
            return _WORDS[token]
        if kind == _NUMBER:
            with suppress(NotFiniteError):
                return number(token)
        elif kind != _WORD or not names_no_finite_number(token):
            digits = re.match(r"[-+.]*[0-9]", token)
            self.fail("a value", "JSON numbers look like -1, 0.5 and 1e-5" if digits else None)
        message = f"{short(token)} is not a finite number in the range of float64"
        self.builder.note("not-finite", message, self.mark(), found=short(token), hint=None)
        return None

    def mark(self, at: int | None = None) -> Packed:
        return pack(self.line, (self.start if at is None else at) - self.line_start + 1)

    def fail(self, expected: str, hint: str | None = None) -> NoReturn:
        found = quoted(self.token) if self.start < len(self.text) else "the end"
        hint = _HINTS.get(self.token[:1], hint)
        message = f"not JSON: expected {expected}, found {found}"
        self.builder.stop("syntax", message, self.mark(), hint=hint)
