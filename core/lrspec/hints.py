"""What people write in place of what the language reads, and what to write instead."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from decimal import Decimal

from lrspec.scalars import NotFiniteError, number

# Names of other systems for kinds and for fields. They only ever suggest what the schema knows.
KIND_WORDS = {
    "hold": "constant",
    "stable": "constant",
    "plateau": "constant",
    "poly": "polynomial",
    "exp": "exponential",
    "rsqrt": "inverse_sqrt",
    "power": "power_law",
    "step": "piecewise_constant",
    "multistep": "piecewise_constant",
    "multi_step": "piecewise_constant",
    "piecewise": "piecewise_linear",
    "cycle": "repeat",
    "cyclic": "repeat",
    "restarts": "repeat",
    "warm_restarts": "repeat",
    "multiply": "product",
    "scale": "product",
    "add": "sum",
    "min": "clamp",
    "max": "clamp",
    "minimum": "clamp",
    "maximum": "clamp",
    "clip": "clamp",
    "staircase": "quantize",
}
_WARMUP = "write linear: {initial: 0, final: 1, length: 5%}"
_ONE_MINUS_SQRT = "write polynomial: {final: 0, power: 0.5, origin: initial}"
_SEQUENCE = "a list is a sequence of stages: write one '- ' line for each"
KIND_TEXTS = {
    "warmup": _WARMUP,
    "warm_up": _WARMUP,
    "linear_warmup": _WARMUP,
    "1-sqrt": _ONE_MINUS_SQRT,
    "1_minus_sqrt": _ONE_MINUS_SQRT,
    "one_minus_sqrt": _ONE_MINUS_SQRT,
    "sqrt": _ONE_MINUS_SQRT,
    "sequence": _SEQUENCE,
    "sequential": _SEQUENCE,
    "stages": _SEQUENCE,
    "chain": _SEQUENCE,
}
FIELD_WORDS: dict[str, tuple[str, ...]] = {
    "start": ("initial",),
    "begin": ("initial",),
    "init": ("initial",),
    "from": ("initial",),
    "end": ("final", "until"),
    "stop": ("final", "until"),
    "to": ("final",),
    "target": ("final",),
    "eta_min": ("final",),
    "lr": ("value",),
    "steps": ("length", "period"),
    "duration": ("length",),
    "num_steps": ("steps", "length"),
    "max_steps": ("steps",),
    "total_steps": ("steps",),
    "gamma": ("rate",),
    "decay": ("rate",),
    "factor": ("rate",),
    "milestones": ("boundaries",),
    "points": ("boundaries",),
    "interval": ("every",),
    "min": ("minimum",),
    "max": ("maximum",),
    "cycles": ("count",),
    "times": ("count",),
    "schedules": ("of", "schedule"),
    "version": ("lrspec",),
    "run": ("training",),
    "facts": ("training",),
    "batch": ("batch_size",),
    "seq_len": ("sequence_length",),
}

_UNITS = ("steps", "epochs", "samples", "tokens")
_UNIT_WORDS = {
    "%": "%",
    "percent": "%",
    "pct": "%",
    "iter": "steps",
    "iters": "steps",
    "iteration": "steps",
    "iterations": "steps",
    "it": "steps",
    "update": "steps",
    "updates": "steps",
    "batch": "steps",
    "batches": "steps",
    "ep": "epochs",
    "tok": "tokens",
    "example": "samples",
    "examples": "samples",
    "sequence": "samples",
    "sequences": "samples",
}
_PREFIXES = {
    "k": "k",
    "K": "k",
    "m": "M",
    "M": "M",
    "t": "T",
    "T": "T",
    "g": "B",
    "G": "B",
    "b": "B",
    "B": "B",
}
_POWERS = {"k": 3, "M": 6, "B": 9, "T": 12}
# No run has billions of updates: a bare amount of this size counts tokens.
_OF_TOKENS = ("B", "T")
WITHOUT_UNIT = "values are numbers without a unit"
_DECIMAL = r"(?:[0-9][0-9_,]*(?:\.[0-9]*)?|\.[0-9]+)"
_AMOUNT = re.compile(
    rf"\s*\+?({_DECIMAL})([eE][-+]?[0-9]{{1,3}})?\s*([kKmMgGbBtT](?![a-zA-Z]))?\s*([a-zA-Z]+|%)?\s*"
)
_BINARY = re.compile(r"([-+]?)0[bB]([01]{1,64})")

# A word longer than any name is not worth comparing.
_LONGEST_WORD = 40


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that a misspelt word is most like, or None when none is close."""
    if len(word) > _LONGEST_WORD:
        return None
    words = list(words)
    plain = word.lower().replace("-", "_").replace(" ", "_")
    if plain in words:
        return plain
    close = difflib.get_close_matches(plain, words, 1, 0.6)
    if close:
        return close[0]
    longer = [known for known in words if plain.startswith(f"{known}_") or plain == f"{known}s"]
    return max(longer, key=len, default=None)


def closest(word: str, names: Iterable[str]) -> str | None:
    """As `nearest`, of names with capitals and hyphens."""
    by_word = {name.lower().replace("-", "_"): name for name in names}
    found = nearest(word, by_word)
    return None if found is None else by_word[found]


def did_you_mean(word: str | None) -> str | None:
    """The hint for a word that is like a known one."""
    return None if word is None else f"did you mean '{word}'?"


def kind_hint(word: str, kinds: Iterable[str]) -> str | None:
    """What to write for a kind that is not known: a text, a known kind, or nothing."""
    kinds = list(kinds)
    plain = word.lower()[:_LONGEST_WORD].replace("-", "_").replace(" ", "_")
    text = KIND_TEXTS.get(plain) or KIND_TEXTS.get(word.lower()[:_LONGEST_WORD])
    if text is not None:
        return text
    known = KIND_WORDS.get(plain)
    return did_you_mean(known if known in kinds else nearest(word, kinds))


def field_for(word: str, fields: Iterable[str]) -> str | None:
    """The field that a name of another system, or a misspelt one, stands for."""
    fields = list(fields)
    for field in FIELD_WORDS.get(word, ()):
        if field in fields:
            return field
    return nearest(word, fields)


def number_hint(text: str) -> str | None:
    """What to write for text that stands where a number is expected."""
    text = text.strip()
    if len(text) > 2 * _LONGEST_WORD:
        return None
    if _number(text) is not None:
        return "remove the quotes"
    binary = _BINARY.fullmatch(text)
    if binary:
        return f"write {binary[1]}{int(binary[2], 2)}"
    sign = text[0] if text[:1] in ("-", "+") else ""
    amount = _AMOUNT.fullmatch(text.removeprefix(sign))
    if amount:
        value = _decimal(amount[1], amount[2])
        if amount[4] == "%":
            return f"values are numbers: {sign.strip('+')}{plain_decimal(value / 100)}"
        if amount[4] is not None:
            return WITHOUT_UNIT
        value = value.scaleb(_POWERS[_PREFIXES[amount[3]]]) if amount[3] else value
        text = f"{sign.strip('+')}{plain_decimal(value)}"
        return f"write {text}" if _number(text) is not None else None
    if re.fullmatch(r"[0-9]+(:[0-9]+)+", text):
        return "write one number without ':'"
    if re.fullmatch(r"[-+0-9.eE]+(/|\^|\*\*)[-+0-9.eE]+", text):
        return "write the result as a decimal number"
    return None


def position_hint(value: float | str, pattern: str) -> str | None:
    """What to write for a number or text that is no position; `pattern` is what positions match."""
    if not isinstance(value, str):
        exact = Decimal(repr(value))
        small = 0 < value < 1
        return _if_matches(
            f"{plain_decimal(exact * 100)}%" if small else f"{plain_decimal(exact)} steps", pattern
        )
    text = value.strip()
    if len(text) > 2 * _LONGEST_WORD:
        return None
    plain = _number(text)
    if plain is not None and plain == int(plain) and plain >= 0:
        return f"remove the quotes, or add a unit: '{plain_decimal(Decimal(int(plain)))} steps'"
    if plain is not None:
        return position_hint(float(plain), pattern)
    if text.startswith("-"):
        return "positions and durations are not negative"
    amount = _AMOUNT.fullmatch(text)
    if amount is None:
        return None
    digits = _digits(amount[1]) + (amount[2] or "")
    prefix, word = amount[3] or "", amount[4] or ""
    unit = _unit(word)
    if not prefix and len(word) > 2 and unit is None:
        unit = _unit(word[1:])
        prefix = word[0] if unit is not None else ""
    elif not prefix and word[:1] in _PREFIXES and word[1:] in _UNITS:
        prefix, unit = word[0], word[1:]
    if prefix and prefix not in _PREFIXES:
        return None
    prefix = _PREFIXES.get(prefix, "")
    if not word:
        candidate = f"{digits}{prefix} steps"
        if prefix in _OF_TOKENS:
            meant = f"'{digits}{prefix} tokens'"
            return f"add a unit: {meant}, or '{candidate}' if updates are meant"
        return f"add a unit: '{candidate}'"
    if unit is None:
        return None
    written = f"{digits}{prefix}"
    return _if_matches(f"{written}%" if unit == "%" else f"{written} {unit}", pattern)


def run_length_hint(field: str, value: object, pattern: str) -> str | None:
    """What to write for a field that gives the length of a run in another unit than steps:
    `tokens: 500B` and `max_epochs: 90`; `pattern` is what `steps` matches."""
    unit = field.rpartition("_")[2]
    if unit not in _UNITS[1:] or isinstance(value, bool):
        return None
    text = plain_decimal(Decimal(str(value))) if isinstance(value, int | float) else value
    if not isinstance(text, str) or len(text) > 2 * _LONGEST_WORD:
        return None
    amount = _AMOUNT.fullmatch(text)
    if amount is None or amount[4] not in (None, unit, unit.removesuffix("s")):
        return None
    prefix = _PREFIXES[amount[3]] if amount[3] else ""
    candidate = f"{_digits(amount[1])}{amount[2] or ''}{prefix} {unit}"
    return f"write steps: {candidate}" if re.search(pattern, candidate) else None


def interpolation_hint(value: object, option: str | None = None) -> str | None:
    """What to do about `${optim.lr}`, which OmegaConf and Hydra resolve; `option` is how the host
    gives the value, where it may."""
    if not isinstance(value, str) or "${" not in value:
        return None
    text = "interpolations are not resolved here: resolve it first, or "
    if option is None:
        return f"{text}write the value"
    return f"{text}leave it out and give the value when binding ({option})"


def boolean_hint(value: object) -> str | None:
    """What to write for something that stands where true or false is expected."""
    word = str(value).lower()
    if word in ("on", "yes", "y", "true", "1"):
        return "write true"
    return "write false" if word in ("off", "no", "n", "false", "0") else None


def plain_decimal(value: Decimal) -> str:
    """A decimal as people write it: without an exponent where that is short."""
    text = f"{value.normalize():f}"
    return text if len(text) <= 15 else str(value.normalize()).replace("E+", "e").replace("E", "e")


def _if_matches(candidate: str, pattern: str) -> str | None:
    return did_you_mean(candidate) if re.search(pattern, candidate) else None


def _number(text: str) -> int | float | None:
    try:
        return number(text)
    except NotFiniteError:
        return None


def _digits(text: str) -> str:
    """The number without separators, padding and bare points."""
    text = text.replace("_", "")
    thousands = re.fullmatch(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?", text)
    text = text.replace(",", "" if thousands else ".", -1 if thousands else 1).replace(",", "")
    whole, _, rest = text.partition(".")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{rest}" if rest else whole


def _decimal(digits: str, exponent: str | None) -> Decimal:
    return Decimal(_digits(digits) + (exponent or ""))


def _unit(word: str) -> str | None:
    """The unit that a word stands for; in the form it has after a number, singular kept."""
    word = word.lower()
    if word in _UNITS or f"{word}s" in _UNITS:
        return word
    if word in _UNIT_WORDS:
        return _UNIT_WORDS[word]
    close = difflib.get_close_matches(word, _UNITS, 1, 0.7)
    return close[0] if close else None
