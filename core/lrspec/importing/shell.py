"""The words of a shell script, as far as the arguments of a training script stand in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

# Text in quotes, arithmetic, a comment, the end of a line that goes on in the next one, where the
# output goes, and what ends a command.
_PIECE = re.compile(
    r""""(?:\\.|[^"\\])*"|'[^']*'|\$\(\([^()]*\)\)|(?<!\S)#[^\n]*|\\\r?\n"""
    r"""|(?<!\S)[0-9&]?>>?[ \t]*(?:&[0-9]|[^\s;|&<>()]+)|[;|&\n]""",
    re.DOTALL,
)
# The end of a line, and of a command, among the words.
_LINE, _END = "\x1e", "\x1d"
# What has a command as its next word.
_RUNS = ("-c", "-lc", "eval")
_CONTINUED = re.compile(r"\\\r?\n")
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=(.*)", re.DOTALL)
_OPTIONS = re.compile(r"(?:^|.*\s)--?[A-Za-z].*", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")

_CARRIED = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*|[@*])(?:\[[@*]\])?\}?")
# A longer value is no number and no name.
_LONGEST = 40
_OPENING = ("if", "for", "while", "case")
_CLOSING = ("fi", "done", "esac")


def words(text: str) -> Iterator[str]:
    """The words of a script: `ARGS="--lr 1 --amp"` and `ARGS=(--lr 1 --amp)` are those inside, and
    an empty word where an array or a command ends or `$ARGS` stands. `$LR` is what the script sets
    LR to, where it does so once.

    Raises ValueError where quotes do not match.
    """
    carriers: set[str] = set()
    whole = list(_commands(_split(text, carriers)))
    known = _variables(whole)
    for word in whole:
        carried = _CARRIED.fullmatch(word)
        if carried and (carried[1] in carriers or carried[1] in "@*"):
            # What it holds stands elsewhere, or is not known.
            yield ""
            continue
        yield _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), word)


def _split(text: str, carriers: set[str]) -> Iterator[str]:
    """The words, and as `carriers` the names of what holds arguments."""
    is_array = False
    before = ""
    for word in shlex.split(_PIECE.sub(_plain, text), comments=False):
        assigned = _ASSIGNED.fullmatch(word)
        runs, before = before in _RUNS, word
        if is_array and word in (_LINE, _END):
            continue
        if is_array:
            is_array = not _is_end(word)
            yield from _closed(word)
        elif assigned and assigned[2].startswith("("):
            is_array = not _is_end(word)
            carriers.add(assigned[1])
            yield ""
            yield from _closed(assigned[2][1:])
        elif assigned and _OPTIONS.fullmatch(assigned[2]):
            carriers.add(assigned[1])
            yield ""
            yield from _split(assigned[2], carriers)
            yield ""
        elif runs and _OPTIONS.fullmatch(word):
            yield ""
            yield from _split(word, carriers)
            yield ""
        else:
            yield word


def _commands(whole: Iterator[str]) -> Iterator[str]:
    """The words, with an empty one where a command ends: at its line as well, unless that is one
    word, as it is where each argument and each value has a line of its own."""
    length = 0
    for word in whole:
        if word == _END or (word == _LINE and length != 1):
            yield ""
        elif word != _LINE:
            yield word
        length = 0 if word == _LINE else length + 1


def _closed(word: str) -> Iterator[str]:
    """A word of an array, after which an empty one stands where that ends."""
    inside = word.removesuffix(")") if _is_end(word) else word
    if inside:
        yield inside
    if inside != word:
        yield ""


def _is_end(word: str) -> bool:
    """Whether an array ends with a word; `$((3 * 4))` is none of its ends."""
    return word.endswith(")") and word.count("(") < word.count(")")


def _plain(found: re.Match[str]) -> str:
    """Text in quotes on one line, arithmetic as one word, marks of what ends, and no comments."""
    piece = found[0]
    if piece[0] in "\"'\\":
        return _CONTINUED.sub(" ", piece)
    if piece.startswith("#"):
        return ""
    if piece.startswith("$"):
        return shlex.quote(piece)
    return f" {_LINE} " if piece == "\n" else f" {_END} "


def _variables(whole: list[str]) -> dict[str, str]:
    """What the script sets, once or always to the same, and under no condition."""
    found: dict[str, str] = {}
    several: set[str] = set()
    depth = 0
    for word in whole:
        depth += (word in _OPENING) - (word in _CLOSING)
        assigned = _ASSIGNED.fullmatch(word)
        if assigned is None:
            continue
        name, value = assigned[1], assigned[2]
        if (
            depth > 0
            or "$" in value
            or len(value) > _LONGEST
            or found.setdefault(name, value) != value
        ):
            several.add(name)
    return {name: value for name, value in found.items() if name not in several}
