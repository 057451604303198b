"""PyYAML's parser in Python, made to give the same events as the one of libyaml."""

from __future__ import annotations

from typing import Any

from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError

# A text has no other ones when it is parsed.
_BREAKS = "\r\n"


class PureParser(Reader, Scanner, Parser):
    """The parser of an installation without libyaml.

    Where its base refuses a tab between tokens or words, it takes it as a blank, and it refuses a
    colon right before a bracket, both as libyaml does.
    """

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skip blanks, breaks and comments.

        A tab may stand between tokens, such as after a colon, and not where indentation counts.
        """
        scanner: Any = self  # the base does not state its types
        while True:
            tabs = scanner.flow_level or not scanner.allow_simple_key
            while scanner.peek() == " " or (tabs and scanner.peek() == "\t"):
                scanner.forward()
            if scanner.peek() == "#":
                while scanner.peek() not in "\0" + _BREAKS:
                    scanner.forward()
            if not scanner.scan_line_break():
                return
            if not scanner.flow_level:
                scanner.allow_simple_key = True

    def scan_plain(self) -> Any:
        """A plain scalar; inside of brackets no colon may end it right before another bracket."""
        scanner: Any = self
        base: Any = super()
        start = scanner.get_mark()
        token = base.scan_plain()
        if scanner.flow_level and scanner.peek() == ":" and scanner.peek(1) in ",[]{}":
            context = "while scanning a plain scalar"
            raise ScannerError(context, start, "found unexpected ':'", scanner.get_mark())
        return token

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> list[str] | None:
        """What stands between two words of a plain scalar; None where the document ends."""
        scanner: Any = self
        length = 0
        while scanner.peek(length) in " \t":
            length += 1
        blanks = scanner.prefix(length)
        scanner.forward(length)
        if scanner.peek() not in _BREAKS:
            return [blanks] if blanks else []
        scanner.scan_line_break()
        scanner.allow_simple_key = True
        breaks: list[str] = []
        while not self._document_ends():
            if scanner.peek() not in " \t" + _BREAKS:
                return breaks or [" "]
            if scanner.peek() == "\t" and scanner.column < indent:
                problem = "found a tab character that violates indentation"
                context = "while scanning a plain scalar"
                raise ScannerError(context, start_mark, problem, scanner.get_mark())
            if scanner.peek() in " \t":
                scanner.forward()
            else:
                breaks.append(scanner.scan_line_break())
        return None

    def _document_ends(self) -> bool:
        scanner: Any = self
        ends = scanner.column == 0 and scanner.prefix(3) in ("---", "...")
        return ends and scanner.peek(3) in "\0 \t" + _BREAKS
