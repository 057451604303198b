"""Reads YAML text: the events of PyYAML, with the scalars of YAML 1.2 core."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from lrspec.building import Builder
from lrspec.scalars import NotFiniteError, Scalar, half_a_character, number, plain_scalar
from lrspec.shorten import quoted, short
from lrspec.source import Packed, Source, pack

_CORE = "tag:yaml.org,2002:"
_NEAR = 40
_WHOLE_AND_COMMA = re.compile(r"(?<![\w.,])(-?[0-9]+),$")
_OTHER_BREAKS = "\x85\u2028\u2029"
_PRIVATE = range(0xF0000, 0xFFFFE)

# What the two parsers say (a word of it), in other words, and what helps. The first one counts.
_SYNTAX = (
    ("a tab character", "a tab stands where only spaces may", "indent with spaces"),
    ("mapping values are not allowed", "no key can stand here", "put text with ': ' in quotes"),
    ("sequence entries are not allowed", "no list item can stand here", "start it on its own line"),
    ("Unicode character escape", "a \\u escape that is no character", None),
    ("found unexpected ':'", "a ':' needs a space after it", None),
    ("could not find expected ':'", "the key has no ':' after it", None),
    ("<document start>", "the document has ended before this", "check the indentation"),
    ("',' or '}'", "a ',' or '}' is missing", None),
    ("',' or ']'", "a ',' or ']' is missing", None),
    ("unexpected end of stream", "the quotes are not closed", None),
    ("node content", "a value is missing", None),
    ("expected key", "this fits nothing above it", "check the indentation"),
    ("'-' indicator", "this fits nothing above it", "check the indentation"),
    ("<block end>", "this fits nothing above it", "check the indentation"),
)


def _fastest_parser() -> Callable[[str], Any]:
    try:
        from yaml.cyaml import CBaseLoader
    except ImportError:
        from lrspec.yaml_pure import PureParser

        return PureParser
    return CBaseLoader


def read_yaml(
    text: str,
    file: str | None,
    parser: Callable[[str], Any] | None = None,
    *,
    any_key: bool = False,
) -> Source:
    """The one document in a YAML text; raises SpecError.

    `parser` makes PyYAML's parser of a text: the one of libyaml where there is one. With `any_key`
    a number, true or null may be a key, and is the text it is written as.
    """
    builder = Builder(file, any_key=any_key)
    given, back = _without_other_breaks(text)
    events = (parser or _fastest_parser())(given)
    documents = 0
    try:
        while True:
            event = events.get_event()
            kind = event.__class__
            if kind is ScalarEvent:
                if back:
                    event.value = event.value.translate(back)
                _scalar(builder, event, given)
            elif kind is MappingStartEvent:
                _check_tag(builder, event, "map")
                builder.begin_mapping(_mark(event.start_mark), event.anchor)
            elif kind is SequenceStartEvent:
                _check_tag(builder, event, "seq")
                builder.begin_list(_mark(event.start_mark), event.anchor)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                builder.end()
            elif kind is AliasEvent:
                builder.alias(event.anchor, _mark(event.start_mark))
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    mark = _mark(event.start_mark)
                    builder.stop("multiple-documents", "a second document starts", mark)
            elif kind is StreamEndEvent:
                break
    except yaml.MarkedYAMLError as error:
        _syntax(builder, error, text)
    finally:
        events.dispose()
    if builder.is_empty:
        builder.stop("empty-document", "the document is empty", pack(1, 1))
    return builder.source()


def _without_other_breaks(text: str) -> tuple[str, dict[int, str]]:
    """A text in which other characters stand for the line breaks of YAML 1.1 that are none in 1.2,
    and what they stand for."""
    breaks = [mark for mark in _OTHER_BREAKS if mark in text]
    if not breaks:
        return text, {}
    # For private use, and in no way in the text, not even as an escape.
    low = text.lower()
    free = (code for code in _PRIVATE if chr(code) not in text and f"{code:x}" not in low)
    stand_ins = dict(zip(breaks, free, strict=False))
    given = text.translate({ord(mark): code for mark, code in stand_ins.items()})
    return given, {code: mark for mark, code in stand_ins.items()}


def _mark(mark: Any) -> Packed:
    return pack(mark.line + 1, mark.column + 1)


def _scalar(builder: Builder, event: Any, text_of_all: str) -> None:
    text, mark = event.value, _mark(event.start_mark)
    plain = event.tag is None and event.implicit[0]
    if not plain and half_a_character(text):
        builder.stop("syntax", "not YAML: a \\u escape that is no character", mark)
    if builder.expects_key:
        _key(builder, event, text, text_of_all, plain=plain)
        return
    value: Scalar
    try:
        value = plain_scalar(text) if plain else _tagged(builder, event.tag, text, mark)
    except NotFiniteError:
        message = f"{short(text)} is not a finite number in the range of float64"
        builder.note("not-finite", message, mark, found=short(text), hint=None)
        value = None
    builder.scalar(value, mark, event.anchor)


def _key(builder: Builder, event: Any, text: str, text_of_all: str, *, plain: bool) -> None:
    mark = _mark(event.start_mark)
    if plain and text == "<<":
        builder.merge_key(mark)
        return
    try:
        value = plain_scalar(text) if plain else _tagged(builder, event.tag, text, mark)
    except NotFiniteError:
        value = None
    if builder.any_key and text:
        value = text
    if isinstance(value, str):
        builder.key(value, mark, event.anchor)
        return
    message = f"the key {short(text)} is not text" if text else "a key is missing"
    hint = "put it in quotes" if text else None
    decimal = _decimal_before(event.start_mark, text, text_of_all)
    if decimal is not None:
        hint = f"a decimal has a point: {decimal}"
    builder.note("key-not-string", message, mark, found=short(text), hint=hint)
    builder.no_key(mark)


def _decimal_before(mark: Any, digits: str, text: str) -> str | None:
    """The decimal of which a key is the digits after a comma, as in `{final: 0,1}`."""
    if not digits.isdecimal() or not text.startswith(digits, mark.index):
        return None
    whole = _WHOLE_AND_COMMA.search(text[max(mark.index - _NEAR, 0) : mark.index])
    return None if whole is None else f"{whole[1]}.{digits}"


def _tagged(builder: Builder, tag: str | None, text: str, mark: Packed) -> Scalar:
    """A scalar in quotes, or with a tag."""
    if tag is None or tag == f"{_CORE}str":
        return text
    value: Scalar = None
    fits = False
    if tag in (f"{_CORE}int", f"{_CORE}float"):
        value = number(text)
        if tag.endswith("float") and value is not None:
            value = float(value)
        fits = isinstance(value, float if tag.endswith("float") else int)
    elif tag in (f"{_CORE}null", f"{_CORE}bool"):
        value = plain_scalar(text)
        fits = isinstance(value, bool) if tag.endswith("bool") else value is None
    if fits:
        return value
    _unsupported(builder, tag, mark)
    return text


def _check_tag(builder: Builder, event: Any, name: str) -> None:
    if event.tag is not None and event.tag != _CORE + name:
        _unsupported(builder, event.tag, _mark(event.start_mark))


def _unsupported(builder: Builder, tag: str, mark: Packed) -> None:
    shown = f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag
    message = f"the tag {short(shown)} does not belong here"
    builder.note("unsupported-tag", message, mark, found=short(shown), hint="remove it")


def _syntax(builder: Builder, error: yaml.MarkedYAMLError, text: str) -> None:
    where: Any = error.problem_mark or error.context_mark
    # At the end of the text what was opened and not closed is the better place.
    if where.index >= len(text.rstrip()) and error.context_mark:
        where = error.context_mark
    problem = error.problem or "not well-formed"
    if "nesting depth" in problem:
        builder.too_deep(_mark(where))
    message, hint = problem, None
    if "cannot start any token" in problem:
        character = text[where.index : where.index + 1]
        message, hint = f"nothing can start with {quoted(character)} here", "put text in quotes"
        if character == "\t":
            problem = "a tab character"
    for words, plainer, help_ in _SYNTAX:
        if words in problem:
            message, hint = plainer, help_
            break
    builder.stop("syntax", f"not YAML: {message}", _mark(where), hint=hint)
