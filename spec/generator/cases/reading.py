"""Texts: how numbers are spelled, what a key and an alias may be, and what a reader refuses."""

from __future__ import annotations

import base64
from typing import Any

from generator.notation import Reading

HEAD = "lrspec: 1\n"
BODY = "schedule: {constant: {}}\n"
PLAIN = HEAD + BODY
MEANS_PLAIN = {"lrspec": 1, "schedule": {"constant": {}}}

Text = str | list[Any]


def _case(
    path: str, description: str, clauses: str, form: str, text: Text | bytes, result: dict[str, Any]
) -> Reading:
    source: dict[str, Any] = (
        {"base64": base64.b64encode(text).decode()} if isinstance(text, bytes) else {"text": text}
    )
    return Reading(path, description, clauses.split(), form, source, result)


def means(
    path: str, description: str, clauses: str, text: Text, document: Any, form: str = "yaml"
) -> Reading:
    """A text that is this document."""
    return _case(path, description, clauses, form, text, {"document": document})


def accepted(path: str, description: str, clauses: str, text: Text, form: str = "yaml") -> Reading:
    """A text that is read; what it means is too long to be written out."""
    return _case(path, description, clauses, form, text, {"accepted": True})


def refused(
    path: str, description: str, clauses: str, code: str, text: Text | bytes, form: str = "yaml"
) -> Reading:
    """A text that is refused."""
    return _case(path, description, clauses, form, text, {"error": {"code": code}})


def repeated(piece: str, times: int) -> dict[str, Any]:
    """A piece of a text, so many times."""
    return {"repeat": [piece, times]}


def with_final(spelling: str) -> str:
    """A document whose `final` is spelled so."""
    return f"lrspec: 1\nschedule: {{linear: {{final: {spelling}, length: 5}}}}\n"


def with_final_as_json(spelling: str) -> str:
    """The same in JSON."""
    return f'{{"lrspec": 1, "schedule": {{"linear": {{"final": {spelling}, "length": 5}}}}}}'


def _final(number: float) -> dict[str, Any]:
    return {"lrspec": 1, "schedule": {"linear": {"final": number, "length": 5}}}


_NUMBERS: dict[str, tuple[str, float]] = {
    "a-power-of-ten-without-a-point": ("1e-5", 1e-5),
    "a-power-of-ten-in-upper-case": ("1E-5", 1e-5),
    "a-power-of-ten-with-a-plus": ("1e+2", 100),
    "a-power-of-ten-without-a-sign": ("1e2", 100),
    "a-point-and-a-power-of-ten": ("2.5e-3", 2.5e-3),
    "no-digit-before-the-point": (".5", 0.5),
    "no-digit-after-the-point": ("5.", 5),
    "no-digit-after-the-point-and-a-power": ("5.e1", 50),
    "no-digit-before-the-point-and-a-power": (".5e1", 5),
    "a-minus": ("-0.5", -0.5),
    "a-plus": ("+0.5", 0.5),
    "a-minus-before-the-point": ("-.5", -0.5),
    "leading-zeros": ("017", 17),
    "leading-zeros-of-a-decimal": ("00.5", 0.5),
    "eights-after-a-leading-zero": ("089", 89),
    "a-hexadecimal-number": ("0x1F", 31),
    "a-lower-case-hexadecimal-number": ("0x1f", 31),
    "an-octal-number": ("0o17", 15),
    "more-digits-than-a-float64": ("0.1000000000000000055511151231257827", 0.1),
    "a-whole-number-beyond-2-53": ("9007199254740993", 9007199254740992),
    "a-number-below-every-float64": ("1e-400", 0),
    "the-smallest-float64": ("5e-324", 5e-324),
    "a-whole-number-of-many-digits": ("1" + "0" * 200, 1e200),
}

YAML_NUMBERS: list[Reading] = [
    means(
        f"{name}-is-a-number",
        f"{spelling if len(spelling) < 40 else 'A one and two hundred zeros'} in YAML.",
        "1.4",
        with_final(spelling),
        _final(number),
    )
    for name, (spelling, number) in _NUMBERS.items()
]

_TEXTS: dict[str, str] = {
    "an-underscore-in-a-number": "1_000",
    "a-binary-number": "0b11",
    "a-sexagesimal-number": "1:30",
    "on": "on",
    "yes": "yes",
    "a-quoted-number": "'0.1'",
    "a-double-quoted-number": '"0.1"',
    "a-power-without-digits": "1e",
    "a-power-alone": "e5",
    "a-point-alone": ".",
    "two-points": "1.2.3",
    "a-signed-hexadecimal-number": "-0x1F",
    "an-octal-number-with-an-eight": "0o18",
    "an-upper-case-octal-prefix": "0O17",
    "an-upper-case-hexadecimal-prefix": "0X1F",
    "a-date": "2001-01-01",
    "a-fraction": "1/2",
    "a-hexadecimal-float": "0x1p3",
    "digits-of-another-script": "١",
    "two-signs": "--1",
}

YAML_TEXTS: list[Reading] = [
    refused(
        f"{name}-is-no-number",
        f"{spelling} in YAML is text, where a number is asked for.",
        "1.4",
        "wrong-type",
        with_final(spelling),
    )
    for name, spelling in _TEXTS.items()
]
WORDS: list[Reading] = [
    means(
        f"{name}-is-text",
        f"{spelling} is text, where text is asked for.",
        "1.4",
        f"{HEAD}name: {spelling}\n{BODY}",
        {"lrspec": 1, "name": text, "schedule": {"constant": {}}},
    )
    for name, spelling, text in (
        ("an-underscored-number", "1_000", "1_000"),
        ("a-binary-number", "0b11", "0b11"),
        ("a-sexagesimal-number", "1:30", "1:30"),
        ("the-word-on", "on", "on"),
        ("the-word-no", "no", "no"),
        ("a-date", "2001-01-01", "2001-01-01"),
        ("a-quoted-number", "'1'", "1"),
        ("a-quoted-null", "'null'", "null"),
        ("the-word-inf", "inf", "inf"),
        ("the-word-nan", "NaN", "NaN"),
        ("a-tagged-number", "!!str 1", "1"),
    )
]
NO_WORDS: list[Reading] = [
    refused(
        f"{name}-is-not-text",
        f"{spelling} is no text, where text is asked for.",
        "1.4",
        "wrong-type",
        f"{HEAD}name: {spelling}\n{BODY}",
    )
    for name, spelling in (
        ("true", "true"),
        ("upper-case-true", "TRUE"),
        ("capitalized-false", "False"),
        ("null", "null"),
        ("a-tilde", "~"),
        ("nothing", ""),
        ("a-plain-number", "1e5"),
    )
]

NOT_FINITE: list[Reading] = [
    refused(
        f"{name}-in-yaml",
        f"{spelling} is no finite float64.",
        "1.4",
        "not-finite",
        with_final(spelling),
    )
    for name, spelling in (
        ("not-a-number", ".nan"),
        ("not-a-number-in-mixed-case", ".NaN"),
        ("not-a-number-in-upper-case", ".NAN"),
        ("infinity", ".inf"),
        ("infinity-in-mixed-case", ".Inf"),
        ("infinity-in-upper-case", ".INF"),
        ("infinity-with-a-minus", "-.inf"),
        ("infinity-with-a-plus", "+.inf"),
        ("a-number-beyond-float64", "1e309"),
        ("a-negative-number-beyond-float64", "-1e309"),
        ("a-number-with-a-huge-power", "1e999999999"),
        ("a-whole-number-beyond-float64", "1" + "0" * 309),
        ("a-hexadecimal-number-beyond-float64", "0x1" + "0" * 300),
    )
]
NOT_FINITE_ELSEWHERE: list[Reading] = [
    refused(
        "a-number-that-is-ignored-beyond-float64",
        "A number is a float64 wherever it stands.",
        "1.4",
        "not-finite",
        f"{PLAIN}x-note: [1, 1e309]\n",
    ),
    refused(
        "a-number-beyond-float64-in-json",
        "1e309 is no finite float64.",
        "1.4",
        "not-finite",
        with_final_as_json("1e309"),
        "json",
    ),
    refused(
        "a-whole-number-beyond-float64-in-json",
        "A whole number of 400 digits.",
        "1.4",
        "not-finite",
        with_final_as_json("9" * 400),
        "json",
    ),
]

WHOLE: list[Reading] = [
    means(
        f"{name}-is-ten",
        f"{spelling} where a whole number is asked for.",
        "1.4",
        f"{HEAD}training: {{steps: {spelling}}}\n{BODY}",
        {"lrspec": 1, "training": {"steps": 10}, "schedule": {"constant": {}}},
    )
    for name, spelling in (
        ("ten-point-zero", "10.0"),
        ("one-with-a-power", "1e1"),
        ("a-hundred-with-a-negative-power", "100e-1"),
        ("ten-with-a-point", "10."),
        ("ten-with-leading-zeros", "0010"),
        ("ten-in-hexadecimal", "0xA"),
        ("ten-in-octal", "0o12"),
        ("ten-with-a-plus", "+10"),
    )
]

_JSON_NUMBERS: dict[str, tuple[str, float]] = {
    "a-power-of-ten": ("1e-5", 1e-5),
    "a-power-of-ten-in-upper-case": ("1E+2", 100),
    "a-decimal": ("0.25", 0.25),
    "a-negative-number": ("-0.5", -0.5),
    "a-whole-number": ("3", 3),
    "a-number-of-many-digits": ("0.1000000000000000055511151231257827", 0.1),
    "a-number-below-every-float64": ("1e-400", 0),
}

JSON: list[Reading] = [
    means(
        "json-after-a-byte-order-mark",
        "The mark is no part of the text.",
        "1.4",
        '\ufeff{"lrspec": 1, "schedule": {"constant": {}}}',
        MEANS_PLAIN,
        "json",
    ),
    means(
        "json-with-an-escaped-surrogate-pair",
        "The pair is one character.",
        "1.4",
        '{"lrspec": 1, "name": "\\ud83d\\ude00", "schedule": {"constant": {}}}',
        {"lrspec": 1, "name": "\U0001f600", "schedule": {"constant": {}}},
        "json",
    ),
    refused(
        "json-with-a-lone-surrogate",
        "Half a pair is no character.",
        "1.4",
        "syntax",
        '{"lrspec": 1, "name": "\\ud83d", "schedule": {"constant": {}}}',
        "json",
    ),
    refused(
        "json-twice",
        "A second value after the document.",
        "1.4",
        "syntax",
        '{"lrspec": 1, "schedule": {"constant": {}}} {}',
        "json",
    ),
    *[
        means(
            f"{name}-in-json-is-a-number",
            f"{spelling} in JSON.",
            "1.4",
            with_final_as_json(spelling),
            _final(number),
            "json",
        )
        for name, (spelling, number) in _JSON_NUMBERS.items()
    ],
    *[
        refused(
            f"{name}-is-not-json",
            f"{spelling} is a number in YAML only.",
            "1.4",
            "syntax",
            with_final_as_json(spelling),
            "json",
        )
        for name, spelling in (
            ("no-digit-before-the-point", ".5"),
            ("no-digit-after-the-point", "5."),
            ("a-leading-zero", "017"),
            ("a-plus", "+1"),
            ("a-hexadecimal-number", "0x1F"),
            ("an-octal-number", "0o17"),
        )
    ],
    refused(
        "a-trailing-comma-is-not-json",
        "A comma before a closing brace.",
        "1.4",
        "syntax",
        '{"lrspec": 1, "schedule": {"constant": {}},}',
        "json",
    ),
    refused(
        "a-comment-is-not-json",
        "JSON has no comments.",
        "1.4",
        "syntax",
        '{"lrspec": 1, "schedule": {"constant": {}}} // why',
        "json",
    ),
    refused(
        "a-single-quoted-text-is-not-json",
        "JSON has double quotes.",
        "1.4",
        "syntax",
        "{'lrspec': 1}",
        "json",
    ),
    refused(
        "a-bare-key-is-not-json",
        "JSON has quoted keys.",
        "1.4",
        "syntax",
        "{lrspec: 1}",
        "json",
    ),
    refused(
        "a-line-break-in-a-text-is-not-json",
        "Control characters in JSON texts are escaped.",
        "1.4",
        "syntax",
        '{"lrspec": 1, "name": "a\nb", "schedule": {"constant": {}}}',
        "json",
    ),
    refused(
        "json-that-ends-early",
        "A brace is missing.",
        "1.4",
        "syntax",
        '{"lrspec": 1, "schedule": {"constant": {}}',
        "json",
    ),
    refused(
        "a-quoted-number-in-json-is-no-number",
        "Anything in quotes is text.",
        "1.4",
        "wrong-type",
        with_final_as_json('"0.1"'),
        "json",
    ),
    means(
        "an-escaped-text-in-json-is-its-characters",
        "Escapes in JSON texts.",
        "1.4",
        '{"lrspec": 1, "name": "a\\n\\u00e9\\/\\"", "schedule": {"constant": {}}}',
        {"lrspec": 1, "name": 'a\né/"', "schedule": {"constant": {}}},
        "json",
    ),
    means(
        "json-is-yaml",
        "A document in JSON is one in YAML.",
        "1.4",
        '{"lrspec": 1, "schedule": [{"linear": {"initial": 0, "final": 1.0, "length": "5 steps"}}]'
        "}",
        {
            "lrspec": 1,
            "schedule": [{"linear": {"initial": 0, "final": 1, "length": "5 steps"}}],
        },
    ),
]

KEYS: list[Reading] = [
    refused(
        "a-key-twice-at-the-root",
        "Every key stands once.",
        "1.2",
        "duplicate-key",
        f"{PLAIN}{BODY}",
    ),
    refused(
        "a-key-twice-with-the-same-value",
        "Every key stands once, whatever its value.",
        "1.2",
        "duplicate-key",
        "lrspec: 1\nlrspec: 1\nschedule: {constant: {}}\n",
    ),
    refused(
        "a-key-twice-inside",
        "Every key stands once at any depth.",
        "1.2",
        "duplicate-key",
        "lrspec: 1\nschedule:\n  - linear:\n      final: 0\n      length: 5\n      final: 1\n",
    ),
    refused(
        "a-key-twice-in-different-quotes",
        "The key is what the text means.",
        "1.2",
        "duplicate-key",
        f"{PLAIN}name: a\n'name': b\n",
    ),
    refused(
        "a-key-twice-in-what-is-ignored",
        "What is ignored is read all the same.",
        "1.2",
        "duplicate-key",
        f"{PLAIN}x-note: {{a: 1, a: 2}}\n",
    ),
    refused(
        "a-key-twice-in-json",
        "Every key stands once.",
        "1.2",
        "duplicate-key",
        '{"lrspec": 1, "schedule": {"constant": {}}, "name": "a", "name": "b"}',
        "json",
    ),
    refused(
        "a-key-twice-in-json-once-escaped",
        "The key is what the text means.",
        "1.2",
        "duplicate-key",
        '{"lrspec": 1, "schedule": {"constant": {}}, "name": "a", "n\\u0061me": "b"}',
        "json",
    ),
    refused(
        "a-number-as-a-key",
        "Keys are text.",
        "1.2",
        "key-not-string",
        f"{PLAIN}x-note: {{1: 2}}\n",
    ),
    refused(
        "a-boolean-as-a-key",
        "Keys are text.",
        "1.2",
        "key-not-string",
        f"{PLAIN}x-note: {{true: 2}}\n",
    ),
    refused(
        "null-as-a-key",
        "Keys are text.",
        "1.2",
        "key-not-string",
        f"{PLAIN}x-note: {{null: 2}}\n",
    ),
    refused(
        "a-list-as-a-key",
        "Keys are text.",
        "1.2",
        "key-not-string",
        f"{PLAIN}x-note: {{? [a, b] : c}}\n",
    ),
    refused(
        "a-quoted-number-as-a-key-is-text",
        "It is a key that is not known.",
        "1.2",
        "unknown-field",
        f"{PLAIN}'1': 2\n",
    ),
]

YAML: list[Reading] = [
    means(
        "an-alias-is-what-it-stands-for",
        "The same stage twice.",
        "1.4 1.7",
        "lrspec: 1\nschedule:\n  - &fall {linear: {initial: 1, final: 0, length: 5}}\n  - *fall\n",
        {
            "lrspec": 1,
            "schedule": [
                {"linear": {"initial": 1, "final": 0, "length": 5}},
                {"linear": {"initial": 1, "final": 0, "length": 5}},
            ],
        },
    ),
    means(
        "an-alias-may-be-a-number",
        "The same number twice.",
        "1.4",
        "lrspec: 1\nschedule: {linear: {initial: &n 5e-1, final: *n, length: 5}}\n",
        {"lrspec": 1, "schedule": {"linear": {"initial": 0.5, "final": 0.5, "length": 5}}},
    ),
    means(
        "block-and-flow-style-mean-the-same",
        "Mappings and lists in block style, with comments.",
        "1.4 1.6",
        "# a comment\n---\nlrspec: 1   # another\nschedule:\n- linear:\n    initial: 0\n"
        "    final: 1\n    length: 10%\n- constant:\n- cosine: {final: 0.1, length: 20%}\n"
        "training: {steps: 100}\n...\n",
        {
            "lrspec": 1,
            "schedule": [
                {"linear": {"initial": 0, "final": 1, "length": "10%"}},
                {"constant": None},
                {"cosine": {"final": 0.1, "length": "20%"}},
            ],
            "training": {"steps": 100},
        },
    ),
    means(
        "lines-may-end-with-carriage-returns",
        "Line breaks of every kind.",
        "1.4",
        "lrspec: 1\r\nschedule:\r\n  constant: {}\r\n",
        MEANS_PLAIN,
    ),
    means(
        "extensions-may-be-anything",
        "What starts with x- is ignored, whatever stands in it.",
        "1.1",
        f"{PLAIN}x-note: {{a: [1, null, true, {{b: text}}]}}\nx-: 1\n",
        {**MEANS_PLAIN, "x-note": {"a": [1, None, True, {"b": "text"}]}, "x-": 1},
    ),
    means(
        "the-first-example-of-the-language",
        "Warmup, plateau, cooldown.",
        "1.1 1.4 1.6",
        "# yaml-language-server: $schema=https://lrspec.org/v1/schedule.schema.json\n"
        "lrspec: 1\n"
        "base: 3e-4                          # values below are multiples of it\n"
        "training: {steps: 100000}\n"
        "schedule:\n"
        "  - linear: {initial: 0, final: 1, length: 2000}    # warmup\n"
        "  - constant:                                       # takes what is left\n"
        "  - cosine: {final: 0.1, length: 20%}               # starts where that ended\n",
        {
            "lrspec": 1,
            "base": 3e-4,
            "training": {"steps": 100000},
            "schedule": [
                {"linear": {"initial": 0, "final": 1, "length": 2000}},
                {"constant": None},
                {"cosine": {"final": 0.1, "length": "20%"}},
            ],
        },
    ),
    means(
        "the-production-case-as-it-is-written",
        "Values of 1e-5 are numbers.",
        "1.4",
        "lrspec: 1\n"
        "base: absolute                      # values below are learning rates\n"
        "training: {steps: 88004}\n"
        "schedule:\n"
        "  piecewise_linear:\n"
        "    boundaries: [0, 45%, 90%, 100%]\n"
        "    values: [1e-5, 4e-3, 1e-5, 1e-6]\n",
        {
            "lrspec": 1,
            "base": "absolute",
            "training": {"steps": 88004},
            "schedule": {
                "piecewise_linear": {
                    "boundaries": [0, "45%", "90%", "100%"],
                    "values": [1e-5, 4e-3, 1e-5, 1e-6],
                }
            },
        },
    ),
    refused(
        "an-alias-that-encloses-itself",
        "A value cannot contain itself.",
        "1.7",
        "cyclic-alias",
        f"{PLAIN}x-note: &a [1, *a]\n",
    ),
    refused(
        "an-alias-that-encloses-itself-further-out",
        "A value cannot contain itself at any depth.",
        "1.7",
        "cyclic-alias",
        f"{PLAIN}x-note: &a {{b: [1, {{c: *a}}]}}\n",
    ),
    refused(
        "an-alias-without-its-anchor",
        "There is nothing that it stands for.",
        "1.4",
        "syntax",
        f"{PLAIN}x-note: *a\n",
    ),
    refused(
        "an-unclosed-bracket",
        "The text is not well-formed.",
        "1.4",
        "syntax",
        "lrspec: 1\nschedule: [{constant: {}}\n",
    ),
    refused(
        "a-tab-as-indentation",
        "YAML is indented with spaces.",
        "1.4",
        "syntax",
        "lrspec: 1\nschedule:\n\tconstant: {}\n",
    ),
    refused(
        "an-unclosed-quote",
        "The text is not well-formed.",
        "1.4",
        "syntax",
        "lrspec: 1\nname: 'a\nschedule: {constant: {}}\n",
    ),
    refused(
        "two-documents",
        "One document in a text.",
        "1.4 9.3",
        "multiple-documents",
        f"{PLAIN}---\n{PLAIN}",
    ),
    refused("an-empty-text", "There is nothing.", "9.3", "empty-document", ""),
    refused(
        "a-text-of-white-space",
        "There is nothing but white space.",
        "9.3",
        "empty-document",
        " \n\n",
    ),
    refused(
        "a-text-of-comments",
        "There is nothing but a comment.",
        "9.3",
        "empty-document",
        "# later\n",
    ),
    refused("an-empty-json-text", "There is nothing.", "9.3", "empty-document", "", "json"),
    refused(
        "a-list-at-the-root",
        "A document is a mapping.",
        "1.1",
        "wrong-type",
        "- lrspec: 1\n",
    ),
    refused(
        "a-text-at-the-root",
        "A document is a mapping.",
        "1.1",
        "wrong-type",
        "lrspec\n",
    ),
    refused(
        "a-tag-of-a-language",
        "A tag that constructs an object of a programming language.",
        "1.4",
        "unsupported-tag",
        f"{PLAIN}x-note: !!python/object:os.system {{}}\n",
    ),
    refused(
        "a-local-tag",
        "A tag that only an application knows.",
        "1.4",
        "unsupported-tag",
        f"{PLAIN}x-note: !secret 1\n",
    ),
    refused(
        "bytes-that-are-no-text",
        "A binary file.",
        "1.4 9.3",
        "not-text",
        bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF, 0xFE, 0x00]),
    ),
    refused(
        "bytes-that-are-no-utf-8",
        "A letter in another encoding.",
        "1.4 9.3",
        "not-text",
        b"lrspec: 1\nname: \xe9\nschedule: {constant: {}}\n",
    ),
    refused(
        "a-control-character",
        "A bell in the text.",
        "1.4 9.3",
        "not-text",
        b"lrspec: 1\nname: \x07\nschedule: {constant: {}}\n",
    ),
    refused(
        "json-bytes-that-are-no-utf-8",
        "A letter in another encoding.",
        "1.4 9.3",
        "not-text",
        b'{"lrspec": 1, "name": "\xe9", "schedule": {"constant": {}}}',
        "json",
    ),
]

_OPENING = 64 - 1  # the root is a collection as well

LIMITS: list[Reading] = [
    refused(
        "two-hundred-thousand-brackets",
        "Nested far too deep.",
        "1.7",
        "too-deep",
        [repeated("[", 200_000)],
    ),
    refused(
        "two-hundred-thousand-brackets-in-json",
        "Nested far too deep.",
        "1.7",
        "too-deep",
        [repeated("[", 200_000)],
        "json",
    ),
    accepted(
        "sixty-four-collections-deep-is-read",
        "The root and 63 lists in it.",
        "1.7",
        [f"{PLAIN}x-note: ", repeated("[", _OPENING), repeated("]", _OPENING), "\n"],
    ),
    refused(
        "sixty-five-collections-deep",
        "The root and 64 lists in it.",
        "1.7",
        "too-deep",
        [f"{PLAIN}x-note: ", repeated("[", _OPENING + 1), repeated("]", _OPENING + 1), "\n"],
    ),
    refused(
        "sixty-five-collections-deep-in-json",
        "The root and 64 lists in it.",
        "1.7",
        "too-deep",
        [
            '{"lrspec": 1, "schedule": {"constant": {}}, "x-note": ',
            repeated("[", _OPENING + 1),
            repeated("]", _OPENING + 1),
            "}",
        ],
        "json",
    ),
    refused(
        "an-alias-that-is-too-deep-where-it-stands",
        "Forty lists, and an alias to them under thirty.",
        "1.7",
        "too-deep",
        [
            f"{PLAIN}x-a: &a ",
            repeated("[", 40),
            repeated("]", 40),
            "\nx-b: ",
            repeated("[", 30),
            "*a",
            repeated("]", 30),
            "\n",
        ],
    ),
    means(
        "eight-mebibytes-are-read",
        "A text of 8 MiB exactly, most of it comments.",
        "1.7",
        [PLAIN, repeated("#\n", (8 * 2**20 - len(PLAIN) - 2) // 2), "#" * (len(PLAIN) % 2) + "#\n"],
        MEANS_PLAIN,
    ),
    refused(
        "more-than-eight-mebibytes",
        "A text of 8 MiB and one byte.",
        "1.7",
        "too-large",
        [
            PLAIN,
            repeated("#\n", (8 * 2**20 - len(PLAIN) - 2) // 2),
            "#" * (len(PLAIN) % 2) + "##\n",
        ],
    ),
    refused(
        "an-alias-bomb",
        "Nine lists of nine aliases each: 9^9 nodes.",
        "1.7",
        "too-many-nodes",
        PLAIN
        + "x-0: &x0 [a, a, a, a, a, a, a, a, a]\n"
        + "".join(f"x-{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 9)}]\n" for i in range(1, 9)),
    ),
    refused(
        "more-than-a-million-nodes",
        "A list of a million and one items.",
        "1.7",
        "too-many-nodes",
        [f"{PLAIN}x-note: [", repeated("1,", 1_000_000), "1]\n"],
    ),
    refused(
        "more-than-a-million-nodes-in-json",
        "A list of a million and one items.",
        "1.7",
        "too-many-nodes",
        [
            '{"lrspec": 1, "schedule": {"constant": {}}, "x-note": [',
            repeated("1,", 1_000_000),
            "1]}",
        ],
        "json",
    ),
    accepted(
        "twenty-thousand-mappings-are-read",
        "The root, the schedule, its fields, and 19,997 more.",
        "1.7",
        [f"{PLAIN}x-note: [", repeated("{},", 19_996), "{}]\n"],
    ),
    refused(
        "more-than-twenty-thousand-mappings",
        "The root, the schedule, its fields, and 19,998 more.",
        "1.7",
        "too-many-mappings",
        [f"{PLAIN}x-note: [", repeated("{},", 19_997), "{}]\n"],
    ),
    refused(
        "more-than-twenty-thousand-mappings-after-aliases",
        "Two hundred times a list of a hundred and one mappings.",
        "1.7",
        "too-many-mappings",
        [
            f"{PLAIN}x-a: &a [",
            repeated("{},", 100),
            "{}]\nx-b: [",
            repeated("*a,", 199),
            "*a]\n",
        ],
    ),
]

CASES: list[Reading] = [
    *YAML_NUMBERS,
    *WORDS,
    *NO_WORDS,
    *YAML_TEXTS,
    *NOT_FINITE_ELSEWHERE,
    *NOT_FINITE,
    *WHOLE,
    *JSON,
    *KEYS,
    *YAML,
    *LIMITS,
]
