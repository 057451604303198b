"""The plain values that a gin file binds to the parameters of one function."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import Any

# A macro that stands for another one, and so on.
_DEEPEST = 50


def bindings(text: str, function: str) -> tuple[dict[str, Any], list[str]]:
    """The parameters bound to `function`, by name, and the files that the text includes.

    Both forms of a binding are read, `module.function.name = value` and a block `module.function:`
    of indented lines; the later one of a name counts. A value is a Python literal, or `%NAME`, a
    macro that the text defines as one. Imports, and what is bound to other functions, are passed
    over.

    Raises ValueError where the text is no gin, a value is neither, or the binding is in a scope.
    """
    macros: dict[str, str] = {}
    found: dict[str, str] = {}
    includes: list[str] = []
    for name, value in _statements(text):
        owner, _, parameter = name.rpartition(".")
        if name == "include":
            includes.append(str(_value(value, {})))
        elif not owner and "/" not in parameter:
            macros[parameter] = value
        elif owner.rpartition("/")[2].rpartition(".")[2] == function:
            if "/" in owner:
                raise ValueError(f"{owner!r} is bound in a scope, and the scope decides the curve")
            found[parameter] = value
    return {name: _value(value, macros) for name, value in found.items()}, includes


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """The bindings in their order, those of a block with the name before the colon."""
    block = ""
    for words, is_inside in _lines(text):
        if words[0] in ("import", "from"):
            continue
        if words[0] == "include":
            yield "include", " ".join(words[1:])
        elif words[-1] == ":" and "=" not in words:
            block = "".join(words[:-1])
        elif "=" in words:
            at = words.index("=")
            name = "".join(words[:at])
            yield (f"{block}.{name}" if is_inside else name), " ".join(words[at + 1 :])
        else:
            raise ValueError(f"{' '.join(words)!r} is no binding of gin")


def _lines(text: str) -> Iterator[tuple[list[str], bool]]:
    """The words of each logical line, and whether it is indented."""
    words: list[str] = []
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.INDENT:
                depth += 1
            elif token.type == tokenize.DEDENT:
                depth -= 1
            elif token.type == tokenize.NEWLINE and words:
                yield words, depth > 0
                words = []
            elif token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER):
                words += [token.string] if token.string.strip() else []
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError(f"it is no gin: {error.args[0]}") from None


def _value(text: str, macros: dict[str, str], depth: int = 0) -> Any:
    """The value of a text; words are divided by single spaces in it."""
    macro = text.removeprefix("% ")
    if macro != text and macro in macros and depth < _DEEPEST:
        return _value(macros[macro], macros, depth + 1)
    if macro != text:
        why = "stands for itself" if macro in macros else "is not defined in this file"
        raise ValueError(f"the macro %{macro.replace(' ', '')} {why}")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ValueError(f"{text!r} is no plain value") from None
