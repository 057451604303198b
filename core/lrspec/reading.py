"""Reads a document: from a file, from text, or from a mapping that a host gives."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lrspec import limits
from lrspec.problems import Problem, SpecError
from lrspec.source import Mark, Source

_Syntax: TypeAlias = Literal["yaml", "json"]

# What YAML and JSON call printable; a text with other characters is some other kind of file.
_NO_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# JSON may also hold these inside of text; YAML may not.
_ONLY_JSON = re.compile("[\x7f-\x84\x86-\x9f\ufffe\uffff]")
_BREAK = re.compile(r"\r\n|\r|\n")
_SYNTAXES: Mapping[str, _Syntax] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
_LOOKS_LIKE_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_path(path: str | os.PathLike[str], *, any_key: bool = False) -> Source:
    """The document in a file, YAML or JSON by its suffix (see `read_text`).

    Problems carry the path as it is given. No more than the limit of 8 MiB is read.

    Raises:
        SpecError: The file cannot be read, or is no document; with everything found in it.
    """
    name = os.fspath(path)
    data = _bytes(name)
    return read_text(data, name, None, any_key=any_key)


def read_text(
    text: str | bytes,
    file: str | None = None,
    syntax: _Syntax | None = None,
    *,
    any_key: bool = False,
) -> Source:
    """The document in a text, or in the bytes of one (UTF-8, or UTF-16 with a byte order mark).

    `file` is the name that problems carry. `syntax` says which of the two it is; left out, the
    suffix of the name does, `.json`, `.yaml` or `.yml`; without one of these a text that can be
    JSON is. With `any_key` numbers, true and null may be keys in YAML, and are the text they are
    written as: other systems have them, the language does not.

    Raises:
        SpecError: The text is no document, with everything found in it.
    """
    size = len(text) if isinstance(text, bytes) or len(text) > limits.BYTES else _size(text)
    if size > limits.BYTES:
        mebibytes = limits.BYTES // 2**20
        raise _refused("too-large", f"the document is larger than {mebibytes} MiB", file)
    text = _decode(text, file) if isinstance(text, bytes) else text
    text = text.removeprefix("\ufeff")
    if syntax is None and file is not None:
        syntax = _SYNTAXES.get(Path(file).suffix.lower())
    if syntax is None and text.lstrip(" \t\r\n").startswith("{"):
        # Little of JSON is no YAML, such as a character beyond U+FFFF as two escapes.
        try:
            return _read_as("json", text, file, any_key=any_key)
        except SpecError as error:
            if not any(problem.code in ("syntax", "not-text") for problem in error.problems):
                raise
    return _read_as(syntax or "yaml", text, file, any_key=any_key)


def _read_as(syntax: _Syntax, text: str, file: str | None, *, any_key: bool) -> Source:
    _check_characters(text, file, is_json=syntax == "json")
    if syntax == "json":
        from lrspec.json_reader import read_json

        return read_json(text, file)
    from lrspec.yaml_reader import read_yaml

    return read_yaml(text, file, any_key=any_key)


def read_characters(path: str | os.PathLike[str]) -> str:
    """The characters of a file that is neither YAML nor JSON; SpecError as above."""
    name = os.fspath(path)
    return decoded(_bytes(name), name)


def decoded(data: bytes, file: str | None = None) -> str:
    """The characters that the bytes of a text stand for; SpecError as above."""
    if len(data) > limits.BYTES:
        raise _refused("too-large", f"the file is larger than {limits.BYTES // 2**20} MiB", file)
    text = _decode(data, file).removeprefix("\ufeff")
    _check_characters(text, file, is_json=False)
    return text


def read_mapping(mapping: Mapping[str, Any]) -> Source:
    """The document that a mapping of Python states, copied; it has no marks.

    Mappings with text as keys, lists and tuples, text, whole and floating-point numbers, booleans
    and None are taken; of numbers also those of array libraries that say they are whole
    (`operator.index`) or are floats.

    Raises:
        SpecError: Something in it is none of these, is not finite, contains itself, or is beyond
            the limits.
    """
    from lrspec.copying import copy_mapping

    return copy_mapping(mapping)


def _bytes(name: str) -> bytes:
    """What a file holds, and of one that is too large one byte more than is allowed."""
    try:
        with Path(name).open("rb") as file:
            return file.read(limits.BYTES + 1)
    except (OSError, ValueError) as error:
        raise _refused("unreadable-file", _why(name, error), name) from None


def _refused(code: str, message: str, file: str | None, mark: Mark | None = None) -> SpecError:
    line, column = mark or (None, None)
    return SpecError([Problem("error", code, file, "", line, column, message)])


def _why(name: str, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError) or Path(name).is_dir():
        return "this is a directory, not a file"
    if isinstance(error, PermissionError):
        return "the file may not be read"
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return f"the file cannot be read: {reason}"


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _decode(data: bytes, file: str | None) -> str:
    encoding = "utf-16" if data[:2] in _LOOKS_LIKE_UTF16 else "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
        message = f"the file is not text: byte 0x{data[error.start]:02x} is not {encoding.upper()}"
        raise _refused("not-text", message, file, _mark_after(before)) from None


def _check_characters(text: str, file: str | None, *, is_json: bool) -> None:
    for found in _NO_TEXT.finditer(text):
        if is_json and _ONLY_JSON.match(found.group()):
            continue
        message = f"the file is not text: it holds the character U+{ord(found.group()):04X}"
        raise _refused("not-text", message, file, _mark_after(text[: found.start()]))


def _mark_after(text: str) -> Mark:
    breaks = list(_BREAK.finditer(text))
    return Mark(len(breaks) + 1, len(text) - (breaks[-1].end() if breaks else 0) + 1)
