"""What a document gets that has not the form of the language: one calm line for each fault."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest
from jsonschema import Draft7Validator

import lrspec_spec
from lrspec import codes, embedded, hints, limits
from lrspec.form import Form, form
from lrspec.problems import Problem
from lrspec.reading import read_mapping, read_text
from lrspec.schema import schema_problems
from lrspec.source import Json


def lines(text: str) -> list[str]:
    """The problems of a text, each as `code line`."""
    return [f"{problem.code} {problem}" for problem in schema_problems(read_text(text))]


def of_schedule(schedule: str) -> list[str]:
    """The problems of a schedule in flow style, which starts in line 2, column 11."""
    return lines(f"lrspec: 1\nschedule: {schedule}\n")


def of_fields(body: str) -> list[str]:
    """The problems of the fields of a cosine that is complete."""
    return of_schedule(f"{{cosine: {{final: 0, {body}}}}}")


def of_root(entry: str) -> list[str]:
    """The problems of an entry at the top of a document that is complete."""
    return lines(f"lrspec: 1\nschedule: {{constant: }}\n{entry}\n")


KINDS = list(lrspec_spec.schema()["definitions"]["schedule"]["properties"])
ALL_KINDS = f"{', '.join(KINDS[:-1])} and {KINDS[-1]}"
A_SCHEDULE = (
    'a schedule is one kind with its fields, such as "cosine: {final: 0}", or a list of them'
)
UNITS = "units are %, steps, epochs, samples and tokens, as in 45% and 2.5M samples"
INTERPOLATION = "interpolations are not resolved here: resolve it first, or "
WHEN_BINDING = f"{INTERPOLATION}leave it out and give the value when binding"
BATCHES = "a batch schedule is a list: [{start: 0, value: …}, …]"
FACTS = "the fields are steps, batch_size, sequence_length and steps_per_epoch"
A_POSITION = "a whole number of steps or text with a unit"


@pytest.mark.parametrize(
    ("schedule", "problem"),
    [
        # kinds
        (
            "{cosin: {final: 0}}",
            "unknown-kind 2:12: /schedule: unknown kind 'cosin'; did you mean 'cosine'?",
        ),
        (
            "[[{Linear: {final: 0}}]]",
            "unknown-kind 2:14: /schedule/0/0: unknown kind 'Linear'; did you mean 'linear'?",
        ),
        (
            "{cosine_annealing: {}}",
            "unknown-kind 2:12: /schedule: unknown kind 'cosine_annealing'; did you mean 'cosine'?",
        ),
        (
            "{multistep: {}}",
            "unknown-kind 2:12: /schedule: unknown kind 'multistep';"
            " did you mean 'piecewise_constant'?",
        ),
        (
            "{frobnicate: {}}",
            f"unknown-kind 2:12: /schedule: unknown kind 'frobnicate'; the kinds are {ALL_KINDS}",
        ),
        (
            "{warmup: {steps: 5}}",
            "unknown-kind 2:12: /schedule: unknown kind 'warmup';"
            " write linear: {initial: 0, final: 1, length: 5%}",
        ),
        (
            "{1-sqrt: {}}",
            "unknown-kind 2:12: /schedule: unknown kind '1-sqrt';"
            " write polynomial: {final: 0, power: 0.5, origin: initial}",
        ),
        (
            "{sequence: []}",
            "unknown-kind 2:12: /schedule: unknown kind 'sequence';"
            " a list is a sequence of stages: write one '- ' line for each",
        ),
        (
            "{type: cosine, final: 0, length: 5}",
            "unknown-kind 2:12: /schedule: unknown kind 'type';"
            " the kind is the key: write cosine: {final: …, length: …}",
        ),
        (
            "{kind: cosine}",
            "unknown-kind 2:12: /schedule: unknown kind 'kind';"
            " the kind is the key: write cosine: {final: …}",
        ),
        (
            "{type: cosin}",
            f"unknown-kind 2:12: /schedule: unknown kind 'type'; the kinds are {ALL_KINDS}",
        ),
        (
            "{cosine: {final: 0}, length: 5}",
            "unknown-kind 2:32: /schedule: 'length' stands beside 'cosine', not in it;"
            " indent it below 'cosine:'",
        ),
        (
            "{cosine: , final: 0}",
            "unknown-kind 2:22: /schedule: 'final' stands beside 'cosine', not in it;"
            " indent it below 'cosine:'",
        ),
        (
            "{cosine: {final: 0}, linea: {final: 1}}",
            "unknown-kind 2:32: /schedule: unknown kind 'linea'; did you mean 'linear'?",
        ),
        (
            "{cosin: {final: 0}, length: 5}",
            "unknown-kind 2:12: /schedule: unknown kind 'cosin'; did you mean 'cosine'?",
        ),
        (
            "{cosine: {final: 0}, linear: {final: 1}}",
            "one-kind 2:32: /schedule: two kinds in one schedule: 'cosine' and 'linear';"
            " write a list, one '- ' line for each",
        ),
        (
            "{cosine: {final: 0}, linear: {final: 1}, constant: }",
            "one-kind 2:32: /schedule: 3 kinds in one schedule: 'cosine', 'linear' and 'constant';"
            " write a list, one '- ' line for each",
        ),
        (
            "{initial: 0, final: 1, length: 5}",
            "one-kind 2:12: /schedule: a schedule needs a kind, found only 'initial', 'final' and"
            " 'length'; write it around them, such as linear: {initial: …, final: …, length: …}",
        ),
        (
            "{boundaries: [1], final: 1}",
            "one-kind 2:12: /schedule: a schedule needs a kind, found only 'boundaries' and"
            " 'final'",
        ),
        ("{}", f"one-kind 2:11: /schedule: a schedule needs a kind; {A_SCHEDULE}"),
        ("[]", "too-few-items 2:11: /schedule: expected a list of at least 1 item, found none"),
        # what is no schedule
        (
            "[constant]",
            "wrong-type 2:12: /schedule/0: expected a schedule, found 'constant';"
            " write 'constant:'",
        ),
        (
            "cosine",
            "wrong-type 2:11: /schedule: expected a schedule, found 'cosine';"
            " write cosine: {final: …}",
        ),
        (
            "cosin",
            "wrong-type 2:11: /schedule: expected a schedule, found 'cosin';"
            " did you mean cosine: {final: …}?",
        ),
        (
            "warmup",
            "wrong-type 2:11: /schedule: expected a schedule, found 'warmup';"
            " write linear: {initial: 0, final: 1, length: 5%}",
        ),
        (
            "'cosine:{final: 0}'",
            "wrong-type 2:11: /schedule: expected a schedule, found 'cosine:{final: 0}';"
            " put a space after the colon",
        ),
        (
            "something",
            f"wrong-type 2:11: /schedule: expected a schedule, found 'something'; {A_SCHEDULE}",
        ),
        (
            "0.1",
            "wrong-type 2:11: /schedule: expected a schedule, found 0.1;"
            " write constant: {value: 0.1}",
        ),
        (
            "'${run.schedule}'",
            "wrong-type 2:11: /schedule: expected a schedule, found '${run.schedule}';"
            f" {INTERPOLATION}write the value",
        ),
        ("null", f"wrong-type 2:11: /schedule: expected a schedule, found nothing; {A_SCHEDULE}"),
        ("true", f"wrong-type 2:11: /schedule: expected a schedule, found true; {A_SCHEDULE}"),
        # what is no mapping of fields
        (
            "{product: [{constant: }, {constant: }]}",
            "wrong-type 2:21: /schedule/product: expected a mapping, found a list;"
            " write product: {of: […]}",
        ),
        (
            "{repeat: [{constant: }]}",
            "wrong-type 2:20: /schedule/repeat: expected a mapping, found a list;"
            " write repeat: {schedule: […]}",
        ),
        (
            "{piecewise_linear: [1]}",
            "wrong-type 2:30: /schedule/piecewise_linear: expected a mapping, found a list;"
            " write piecewise_linear: {boundaries: […], values: […]}",
        ),
        (
            "{cosine: [1]}",
            "wrong-type 2:20: /schedule/cosine: expected a mapping, found a list;"
            " write cosine: {final: …}",
        ),
        (
            "{cosine: null}",
            "wrong-type 2:20: /schedule/cosine: expected a mapping, found nothing;"
            " write cosine: {final: …}",
        ),
        (
            "{linear: 0.1}",
            "wrong-type 2:20: /schedule/linear: expected a mapping, found 0.1;"
            " write linear: {final: 0.1}",
        ),
        (
            "{constant: 0.5}",
            "wrong-type 2:22: /schedule/constant: expected a mapping or nothing, found 0.5;"
            " write constant: {value: 0.5}",
        ),
        (
            "{product: {of: {constant: }}}",
            "wrong-type 2:26: /schedule/product/of: expected a list, found a mapping;"
            ' a list of schedules: one "- " line for each',
        ),
        (
            "{product: {of: []}}",
            "too-few-items 2:26: /schedule/product/of: expected a list of at least 1 item,"
            " found none",
        ),
        (
            "{piecewise_linear: {boundaries: [0, 5, 45%, 1e1], values: [0, 0.5, true]}}",
            "wrong-type 2:78: /schedule/piecewise_linear/values/2: expected a number, found true",
        ),
        (
            "{piecewise_linear: {boundaries: [0, 1, 2, 0.5], values: [0, 0.5]}}",
            "bad-position 2:53: /schedule/piecewise_linear/boundaries/3: a bare number is a whole"
            " number of steps, not 0.5; did you mean '50%'?",
        ),
        (
            "{piecewise_linear: {boundaries: 50%, values: [0]}}",
            "wrong-type 2:43: /schedule/piecewise_linear/boundaries: expected a list,"
            " found '50%'; write a list: [50%]",
        ),
        # fields
        (
            "{cosine: {finl: 0}}",
            "unknown-field 2:21: /schedule/cosine: unknown field 'finl'; did you mean 'final'?",
        ),
        (
            "{cosine: {final: 0, power: 2}}",
            "unknown-field 2:31: /schedule/cosine: unknown field 'power'; it belongs to polynomial",
        ),
        (
            "{cosine: {final: 0, schedule: {constant: }}}",
            "unknown-field 2:31: /schedule/cosine: unknown field 'schedule';"
            " it belongs to repeat, clamp, quantize and advance",
        ),
        (
            "{constant: {final: 0}}",
            "unknown-field 2:23: /schedule/constant: unknown field 'final';"
            " it belongs to other kinds, such as linear",
        ),
        (
            "{cosine: {final: 0, axis: steps}}",
            "unknown-field 2:31: /schedule/cosine: unknown field 'axis';"
            " it stands at the top of the document",
        ),
        (
            "{cosine: {final: 0, xyz: 1}}",
            "unknown-field 2:31: /schedule/cosine: unknown field 'xyz';"
            " the fields are initial, final, exponent, after, length and until",
        ),
        (
            "{exponential: {gamma: 0.9, every: 5}}",
            "unknown-field 2:26: /schedule/exponential: unknown field 'gamma';"
            " did you mean 'rate'?",
        ),
        (
            "{cosine: {cosine: {final: 0}}}",
            "unknown-field 2:21: /schedule/cosine: unknown field 'cosine';"
            " it is a kind, not a field",
        ),
        (
            "{product: {constant: }}",
            "unknown-field 2:22: /schedule/product: unknown field 'constant';"
            " it is a kind: write it under 'of'",
        ),
        (
            "{quantize: {every: 5, cosine: {final: 0}}}",
            "unknown-field 2:33: /schedule/quantize: unknown field 'cosine';"
            " it is a kind: write it under 'schedule'",
        ),
        ("{cosine: {}}", "missing-field 2:12: /schedule/cosine: missing field 'final'"),
        (
            "{clamp: {schedule: {constant: }}}",
            "missing-field 2:12: /schedule/clamp: missing field 'minimum' or 'maximum'",
        ),
        (
            "{repeat: {schedule: {constant: }}}",
            "missing-field 2:12: /schedule/repeat: missing field 'period' or 'count'",
        ),
    ],
)
def test_a_schedule(schedule: str, problem: str) -> None:
    assert of_schedule(schedule) == [problem]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("'1e-5'", "wrong-type expected a number, found '1e-5'; remove the quotes"),
        ("10%", "wrong-type expected a number, found '10%'; values are numbers: 0.1"),
        ("-2.5 %", "wrong-type expected a number, found '-2.5 %'; values are numbers: -0.025"),
        ("1_000", "wrong-type expected a number, found '1_000'; write 1000"),
        ("'1,000'", "wrong-type expected a number, found '1,000'; write 1000"),
        ("'0,5'", "wrong-type expected a number, found '0,5'; write 0.5"),
        ("'0,001'", "wrong-type expected a number, found '0,001'; write 0.001"),
        ("'12,345'", "wrong-type expected a number, found '12,345'; write 12345"),
        ("0b11", "wrong-type expected a number, found '0b11'; write 3"),
        ("2k", "wrong-type expected a number, found '2k'; write 2000"),
        ("1:30", "wrong-type expected a number, found '1:30'; write one number without ':'"),
        ("1/3", "wrong-type expected a number, found '1/3'; write the result as a decimal number"),
        (
            "3 epochs",
            "wrong-type expected a number, found '3 epochs'; values are numbers without a unit",
        ),
        (
            "'${optim.final}'",
            "wrong-type expected a number, found '${optim.final}';"
            f" {INTERPOLATION}write the value",
        ),
        ("zero", "wrong-type expected a number, found 'zero'"),
        ("on", "wrong-type expected a number, found 'on'"),
        ("null", "wrong-type expected a number, found nothing"),
        ("true", "wrong-type expected a number, found true"),
        ("[1]", "wrong-type expected a number, found a list"),
        ("{a: 1}", "wrong-type expected a number, found a mapping"),
        ("nan", "not-finite 'nan' is not a finite number"),
        ("-Infinity", "not-finite '-Infinity' is not a finite number"),
        (".inf", "not-finite .inf is not a finite number in the range of float64"),
        ("1e301", "out-of-range expected a number of at most 1e300, found 1e+301"),
        ("-1e301", "out-of-range expected a number of at least -1e300, found -1e+301"),
        (
            f"'{'x' * 100}'",
            "wrong-type expected a number, found 'xxxxxxxxxxxxxxxxxxxx…xxxxxxxxxx'",
        ),
        ("'1e400'", "wrong-type expected a number, found '1e400'"),
    ],
)
def test_a_value(value: str, problem: str) -> None:
    code, _, message = problem.partition(" ")
    schedule = f"[{{linear: {{initial: 0.25, final: {value}}}}}]"
    assert of_schedule(schedule) == [f"{code} 2:44: /schedule/0/linear/final: {message}"]


@pytest.mark.parametrize(
    ("length", "problem"),
    [
        (
            "0.1",
            "a bare number is a whole number of steps, not 0.1; did you mean '10%'?",
        ),
        (
            "1e-7",
            "a bare number is a whole number of steps, not 1e-07; did you mean '0.00001%'?",
        ),
        (
            "7.25",
            "a bare number is a whole number of steps, not 7.25; did you mean '7.25 steps'?",
        ),
        ("-0.5", "a bare number is a whole number of steps, not -0.5"),
        *(
            (text, f"expected {A_POSITION}, found '{text}'; {hint}")
            for text, hint in {
                "45 %": "did you mean '45%'?",
                "+5%": "did you mean '5%'?",
                "05%": "did you mean '5%'?",
                ".5%": "did you mean '0.5%'?",
                "50 percent": "did you mean '50%'?",
                "3 epoches": "did you mean '3 epochs'?",
                "3epochs": "did you mean '3 epochs'?",
                "3 Epochs": "did you mean '3 epochs'?",
                "10B tokns": "did you mean '10B tokens'?",
                "1 M steps": "did you mean '1M steps'?",
                "1Msteps": "did you mean '1M steps'?",
                "1_000 steps": "did you mean '1000 steps'?",
                "10 iterations": "did you mean '10 steps'?",
                "100k": "add a unit: '100k steps'",
                "2m": "add a unit: '2M steps'",
                "500B": "add a unit: '500B tokens', or '500B steps' if updates are meant",
                "1e5000B": UNITS,
                "1.5t": "add a unit: '1.5T tokens', or '1.5T steps' if updates are meant",
                "1_000": "add a unit: '1000 steps'",
                "-5%": "positions and durations are not negative",
                "half": UNITS,
                "10 hours": UNITS,
                "3 kg tokens": UNITS,
                "3 Mtok": "did you mean '3M tokens'?",
                "3 xtok": UNITS,
            }.items()
        ),
    ],
)
def test_a_position(length: str, problem: str) -> None:
    assert of_fields(f"length: {length}") == [
        f"bad-position 2:39: /schedule/cosine/length: {problem}"
    ]


@pytest.mark.parametrize(
    ("length", "problem"),
    [
        (
            "'100'",
            f"bad-position expected {A_POSITION}, found '100';"
            " remove the quotes, or add a unit: '100 steps'",
        ),
        ("'0.1'", f"bad-position expected {A_POSITION}, found '0.1'; did you mean '10%'?"),
        (
            "'${run.warmup}'",
            f"bad-position expected {A_POSITION}, found '${{run.warmup}}';"
            f" {INTERPOLATION}write the value",
        ),
        ("-5", "out-of-range expected a whole number of at least 0, found -5"),
        ("true", f"wrong-type expected {A_POSITION}, found true"),
        ("null", f"wrong-type expected {A_POSITION}, found nothing"),
        ("[5]", f"wrong-type expected {A_POSITION}, found a list"),
        ("{a: 1}", f"wrong-type expected {A_POSITION}, found a mapping"),
        ("inf", "not-finite 'inf' is not a finite number"),
        ('"45%\\n"', f"bad-position expected {A_POSITION}, found '45%\\n'; did you mean '45%'?"),
    ],
)
def test_other_values_of_a_position(length: str, problem: str) -> None:
    code, _, message = problem.partition(" ")
    (found,) = of_fields(f"length: {length}")
    assert re.sub(r" 2:\d\d: /schedule/cosine/length:", "", found).startswith(f"{code} {message}")


@pytest.mark.parametrize(
    "length",
    [
        "10.0",
        "1e5",
        "0",
        "0.0",
        "45%",
        "12.5%",
        "1 step",
        "0.5 epochs",
        "1e9 tokens",
        "2.5M samples",
    ],
)
def test_positions_that_are_right(length: str) -> None:
    assert of_fields(f"length: {length}") == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            "length: 5, until: 6",
            "conflicting-fields 2:42: /schedule/cosine: 'length' and 'until' are both given;"
            " give one of them",
        ),
        (
            "until: 6, length: 5",
            "conflicting-fields 2:41: /schedule/cosine: 'until' and 'length' are both given;"
            " give one of them",
        ),
        (
            "exponent: 0",
            "out-of-range 2:41: /schedule/cosine/exponent: expected a number above 0, found 0",
        ),
        (
            "after: hode",
            "wrong-value 2:38: /schedule/cosine/after: expected 'hold' or 'extend', found 'hode';"
            " did you mean 'hold'?",
        ),
        (
            "after: 1",
            "wrong-value 2:38: /schedule/cosine/after: expected 'hold' or 'extend', found 1",
        ),
        (
            "after: {extend: }",
            "wrong-value 2:38: /schedule/cosine/after: expected 'hold' or 'extend',"
            " found a mapping",
        ),
    ],
)
def test_fields_of_a_kind(body: str, problem: str) -> None:
    assert of_fields(body) == [problem]


@pytest.mark.parametrize(
    ("staircase", "problem"),
    [
        ("on", "found 'on'; write true"),
        ("'false'", "found 'false'; write false"),
        ("1", "found 1; write true"),
        ("maybe", "found 'maybe'"),
    ],
)
def test_true_or_false(staircase: str, problem: str) -> None:
    schedule = f"{{exponential: {{rate: 2, every: 5, staircase: {staircase}}}}}"
    assert of_schedule(schedule) == [
        f"wrong-type 2:56: /schedule/exponential/staircase: expected true or false, {problem}"
    ]


ROOT = (
    "the fields are lrspec, $schema, name, description, base, axis, sample, rounding, training,"
    " schedule and schedules"
)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("base: 0", "out-of-range 3:7: /base: expected a number above 0, found 0"),
        (
            "base: '3e-4'",
            "wrong-type 3:7: /base: expected a number, 'absolute' or a mapping, found '3e-4';"
            " remove the quotes",
        ),
        (
            "base: absolut",
            "wrong-value 3:7: /base: expected a number, 'absolute' or a mapping, found 'absolut';"
            " did you mean 'absolute'?",
        ),
        ("base: NaN", "not-finite 3:7: /base: 'NaN' is not a finite number"),
        (
            "base: true",
            "wrong-type 3:7: /base: expected a number, 'absolute' or a mapping, found true",
        ),
        (
            "base: {lr: 1}",
            "wrong-type 3:7: /base: expected a number or 'absolute', found a mapping; a mapping"
            " stands only beside schedules. Beside schedule, base is a number or the word absolute",
        ),
        (
            "axis: step",
            "wrong-value 3:7: /axis: expected 'steps', 'samples' or 'tokens', found 'step';"
            " did you mean 'steps'?",
        ),
        (
            "axis: {}",
            "wrong-value 3:7: /axis: expected 'steps', 'samples' or 'tokens',"
            " found an empty mapping",
        ),
        (
            "sample: {end: 1}",
            "wrong-value 3:9: /sample: expected 'start', 'middle' or 'end', found a mapping",
        ),
        ("name: 5", "wrong-type 3:7: /name: expected text, found 5; put it in quotes"),
        ("name: [5]", "wrong-type 3:7: /name: expected text, found a list"),
        ("foo: 1", f"unknown-field 3:1: unknown field 'foo'; {ROOT}"),
        ("steps: 5", "unknown-field 3:1: unknown field 'steps'; it stands under 'training'"),
        ("rouding: floor", "unknown-field 3:1: unknown field 'rouding'; did you mean 'rounding'?"),
        (
            "cosine: {final: 0}",
            "unknown-field 3:1: unknown field 'cosine'; it is a kind, not a field",
        ),
        (
            "schedules: {lr: {constant: }}",
            "conflicting-fields 3:1: 'schedule' and 'schedules' are both given; give one of them",
        ),
        (
            "training: 100",
            "wrong-type 3:11: /training: expected a mapping, found 100;"
            " write training: {steps: 100}",
        ),
        ("training: ~", "wrong-type 3:11: /training: expected a mapping, found nothing"),
        (
            "training: {steps: 0}",
            "out-of-range 3:19: /training/steps: expected a whole number above 0, found 0",
        ),
        (
            "training: {steps: -5}",
            "out-of-range 3:19: /training/steps: expected a whole number above 0, found -5",
        ),
        (
            "training: {steps: 10.5}",
            "bad-position 3:19: /training/steps: a bare number is a whole number of steps,"
            " not 10.5; did you mean '10.5 steps'?",
        ),
        (
            "training: {steps: 0.5}",
            "bad-position 3:19: /training/steps: a bare number is a whole number of steps, not 0.5",
        ),
        (
            "training: {steps: true}",
            f"wrong-type 3:19: /training/steps: expected {A_POSITION}, found true",
        ),
        (
            "training: {steps: '10'}",
            f"bad-position 3:19: /training/steps: expected {A_POSITION}, found '10';"
            " remove the quotes, or add a unit: '10 steps'",
        ),
        (
            "training: {steps: 50%}",
            f"bad-position 3:19: /training/steps: expected {A_POSITION}, found '50%';"
            " % cannot stand here",
        ),
        (
            "training: {batch_size: '5'}",
            "wrong-type 3:24: /training/batch_size: expected a whole number or a list, found '5';"
            " remove the quotes",
        ),
        (
            "training: {batch_size: 1.5}",
            "wrong-type 3:24: /training/batch_size: expected a whole number or a list, found 1.5",
        ),
        (
            "training: {batch_size: {0: 1024}}",
            f"key-not-string 3:25: /training/batch_size: the key 0 is not text; {BATCHES}",
        ),
        (
            "training: {batch_size: {'0': 1024}}",
            "wrong-type 3:24: /training/batch_size: expected a whole number or a list,"
            f" found a mapping; {BATCHES}",
        ),
        (
            "training: {batch_size: [{start: 0 tokens, value: 4}]}",
            "wrong-type 3:33: /training/batch_size/0/start: expected a whole number,"
            " found '0 tokens'; 'start' is a whole number of steps, without quotes or unit",
        ),
        (
            "training: {steps_per_epoch: 5 steps}",
            "wrong-type 3:29: /training/steps_per_epoch: expected a number, found '5 steps';"
            " values are numbers without a unit",
        ),
        (
            "training: {tokens: 500B}",
            "unknown-field 3:12: /training: unknown field 'tokens'; write steps: 500B tokens",
        ),
        (
            "training: {max_epochs: 90}",
            "unknown-field 3:12: /training: unknown field 'max_epochs'; write steps: 90 epochs",
        ),
        (
            "training: {samples: 1.5e6 sample}",
            "unknown-field 3:12: /training: unknown field 'samples'; write steps: 1.5e6 samples",
        ),
        *(
            (
                f"training: {{tokens: {value}}}",
                f"unknown-field 3:12: /training: unknown field 'tokens'; {FACTS}",
            )
            for value in ("true", "[1]", "many", "50%", "5 epochs", "-1", f"'{'5' * 90}'")
        ),
        (
            "training: {steps: 5, epochs: 90}",
            f"unknown-field 3:22: /training: unknown field 'epochs'; {FACTS}",
        ),
        (
            "training: {sequence_length: '${data.length}'}",
            "wrong-type 3:29: /training/sequence_length: expected a whole number,"
            f" found '${{data.length}}'; {WHEN_BINDING} (--sequence-length)",
        ),
        (
            "training: {steps: '${trainer.steps}'}",
            f"bad-position 3:19: /training/steps: expected {A_POSITION},"
            f" found '${{trainer.steps}}'; {WHEN_BINDING} (--steps)",
        ),
        (
            "base: ${optim.lr}",
            "wrong-value 3:7: /base: expected a number, 'absolute' or a mapping,"
            f" found '${{optim.lr}}'; {WHEN_BINDING} (--base)",
        ),
        (
            "training: {batch_size: [5]}",
            "wrong-type 3:25: /training/batch_size/0: expected a mapping, found 5;"
            " write {start: …, value: …}",
        ),
        (
            "training: {batch_size: [{start: 0}]}",
            "missing-field 3:25: /training/batch_size/0: missing field 'value'",
        ),
        (
            "training: {batch_size: [{start: 0, value: 1, stop: 3}]}",
            "unknown-field 3:46: /training/batch_size/0: unknown field 'stop';"
            " the fields are start and value",
        ),
        (
            "training: {seq_len: 5}",
            "unknown-field 3:12: /training: unknown field 'seq_len';"
            " did you mean 'sequence_length'?",
        ),
    ],
)
def test_the_top_of_a_document(entry: str, problem: str) -> None:
    assert of_root(entry) == [problem]


DOCUMENT = "{lrspec: 1, schedule: {constant: }}"
SCHEDULES = "{lrspec: 1, schedules: {lr: {constant: }}}"
OF_OTHERS = "lrspec import SYSTEM FILE reads the configurations of other systems"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (f"optim: {{lr: 0.1, schedule: {DOCUMENT}}}\ntraining: 5\n1: 2", "optim.schedule"),
        (f"schedule: {DOCUMENT}", "schedule"),
        (f"runs: [5, {SCHEDULES}]", "runs.1"),
        (f"deep: {{in: {{it: {DOCUMENT}}}}}\nnot: {SCHEDULES}", "not"),
        (f"a.b/c: [{DOCUMENT}]", "/a.b~1c/0"),
        (f"/a: {DOCUMENT}", "/~1a"),
        (f"'': {DOCUMENT}", "/"),
        (f"a: &a {{b: 1}}\nc: [*a, *a, {DOCUMENT}]", "c.2"),
    ],
)
def test_a_document_that_stands_further_down(text: str, keys: str) -> None:
    assert lines(text) == [
        "missing-field 1:1: no document of lrspec stands at the root;"
        f" one stands at {keys}: add --at {keys}, or at='{keys}' in Python"
    ]
    assert schema_problems(embedded.part(read_text(text, any_key=True), keys)) == []


def test_a_document_below_the_place_that_is_asked_for() -> None:
    source = embedded.part(read_text(f"optim: {{lr: 0.1, schedule: {DOCUMENT}}}"), "optim")

    assert list(map(str, schema_problems(source))) == [
        "1:8: /optim: no document of lrspec stands here; one stands at optim.schedule:"
        " add --at optim.schedule, or at='optim.schedule' in Python"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "name: resnet50\nsched: cosine\nlr: 0.1\nepochs: 300",
        "scheduler: {name: cosine_with_warmup}",
        "Schedule: cosine",
        "linear: 5",
        "optim: {lrspec: 1}",
        "optim: {schedule: {constant: }}",
    ],
)
def test_a_configuration_of_something_else(text: str) -> None:
    assert lines(text) == [f"missing-field 1:1: this is no document of lrspec; {OF_OTHERS}"]


@pytest.mark.parametrize(
    "text",
    ["{}", "x-note: 1", "training: {steps: 4}\nfoo: 1", "shedule: [constant: ]", "linear: {a: 1}"],
)
def test_a_document_that_was_meant_gets_the_problems_of_its_fields(text: str) -> None:
    assert "missing-field 1:1: missing field 'lrspec'; write lrspec: 1" in lines(text)


def test_extensions_may_hold_anything() -> None:
    assert of_root("x-note: {cosin: [1, ~, {a: {}}]}") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("lrspec: 1", "missing-field 1:1: missing field 'schedule' or 'schedules'"),
        ("schedule: {constant: }", "missing-field 1:1: missing field 'lrspec'; write lrspec: 1"),
        (
            "lrspec: 1\nschedul: {constant: }",
            "unknown-field 2:1: unknown field 'schedul'; did you mean 'schedule'?",
        ),
        (
            "lrspec: 1\ncosine: {final: 0}",
            "unknown-field 2:1: unknown field 'cosine'; it is a kind: write it under 'schedule'",
        ),
        (
            "version: 1\nschedule: {constant: }",
            "unknown-field 1:1: unknown field 'version'; did you mean 'lrspec'?",
        ),
        (
            "[1]",
            "wrong-type 1:1: expected a mapping, found a list; a document starts with lrspec: 1",
        ),
        (
            "hello",
            "wrong-type 1:1: expected a mapping, found 'hello'; a document starts with lrspec: 1",
        ),
        (
            "lrspec: 1\nschedules: {}",
            "missing-field 2:1: /schedules: expected at least one name, found none;"
            ' schedules by name, such as "lr: {cosine: {final: 0}}"',
        ),
        (
            "lrspec: 1\nschedules: {LR: {constant: }}",
            "bad-name 2:13: /schedules: 'LR' is not a name; did you mean 'lr'?",
        ),
        (
            "lrspec: 1\nschedules: {2x: {constant: }}",
            "bad-name 2:13: /schedules: '2x' is not a name; a name is made of a to z, 0 to 9"
            " and _, and starts with a letter",
        ),
        (
            "lrspec: 1\nschedules: {lr: {constant: }}\nbase: 0.1",
            "wrong-type 3:7: /base: expected a mapping, found 0.1; write base: {lr: 0.1}",
        ),
        (
            "lrspec: 1\nschedules: {lr: {constant: }}\nbase: {lr: absolut}",
            "wrong-value 3:12: /base/lr: expected a number or 'absolute', found 'absolut';"
            " did you mean 'absolute'?",
        ),
        # the two forms of a base are no further fault beside both kinds of schedules
        (
            "lrspec: 1\nschedules: {lr: {constant: }}\nschedule: {constant: }\nbase: {lr: 1}",
            "conflicting-fields 3:1: 'schedules' and 'schedule' are both given; give one of them",
        ),
        (
            "lrspec: 1\nschedules: {lr: {constant: }}\nschedule: {constant: }\nbase: 1",
            "conflicting-fields 3:1: 'schedules' and 'schedule' are both given; give one of them",
        ),
    ],
)
def test_whole_documents(text: str, problem: str) -> None:
    assert lines(text) == [problem]


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        (
            "2",
            "the document is written for version 2 of the language; this reader knows version 1",
        ),
        (
            "1.5",
            "the document is written for version 1.5 of the language; this reader knows version 1",
        ),
        ("0", "there is no version 0 of the language; write lrspec: 1"),
        ("'1'", "expected version 1 of the language, found '1'; write lrspec: 1"),
        ("true", "expected version 1 of the language, found true; write lrspec: 1"),
        ("null", "expected version 1 of the language, found nothing; write lrspec: 1"),
    ],
)
def test_another_version_is_reported_alone(version: str, problem: str) -> None:
    assert lines(f"lrspec: {version}\nfoo: .nan\nfoo: 2\n") == [
        f"unsupported-version 1:9: /lrspec: {problem}"
    ]


def test_version_1_may_be_written_with_a_point() -> None:
    assert lines("lrspec: 1.0\nschedule: {constant: }") == []


def test_all_problems_come_together_in_order_of_position() -> None:
    text = """\
lrspec: 1
base: .nan
axis: step
schedule:
  - linear: {initial: "0", final: 1, length: 0.1, lenght: 5}
  - constant
  - cosine: {final: 0, final: 1}
  - clamp:
      schedule: {cosin: {final: 0}}
      maximum: 1
name: 5
"""
    assert lines(text) == [
        "not-finite 2:7: /base: .nan is not a finite number in the range of float64",
        "wrong-value 3:7: /axis: expected 'steps', 'samples' or 'tokens', found 'step';"
        " did you mean 'steps'?",
        "wrong-type 5:23: /schedule/0/linear/initial: expected a number, found '0';"
        " remove the quotes",
        "bad-position 5:46: /schedule/0/linear/length: a bare number is a whole number of steps,"
        " not 0.1; did you mean '10%'?",
        "unknown-field 5:51: /schedule/0/linear: unknown field 'lenght';"
        " the fields are initial, final, after, length and until",
        "wrong-type 6:5: /schedule/1: expected a schedule, found 'constant'; write 'constant:'",
        "duplicate-key 7:24: /schedule/2/cosine/final: the key 'final' stands twice in line 7,"
        " first in column 14",
        "unknown-kind 9:18: /schedule/3/clamp/schedule: unknown kind 'cosin';"
        " did you mean 'cosine'?",
        "wrong-type 11:7: /name: expected text, found 5; put it in quotes",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "lrspec: .nan\nschedule: {constant: }",
        "lrspec: 1\nschedule: {cosine: {final: 0, exponent: .inf}}",
        "lrspec: 1\nschedule: {cosine: !x [1]}",
        "lrspec: 1\nschedule: {1: {final: 0}}",
        "lrspec: 1\n2: {constant: }",
        "lrspec: 1\nschedule: {cosine: {~: 0}}",
    ],
)
def test_a_stand_in_for_what_could_not_be_read_is_no_further_problem(text: str) -> None:
    source = read_text(text)
    assert schedule_problems_of(source.problems) == schema_problems(source)


def schedule_problems_of(problems: tuple[Problem, ...]) -> list[Problem]:
    assert len(problems) == 1
    return list(problems)


def test_a_mapping_with_what_it_may_not_hold() -> None:
    found = schema_problems(read_mapping({"lrspec": 1, "schedule": {"linear": {"final": {1}}}}))
    assert [problem.code for problem in found] == ["wrong-type"]
    found = schema_problems(read_mapping({"lrspec": 1, "schedule": {"cosin": {"final": 1}}}))
    assert list(map(str, found)) == ["/schedule: unknown kind 'cosin'; did you mean 'cosine'?"]


def test_a_fault_behind_an_alias_is_one_fault() -> None:
    text = "lrspec: 1\nx-a: &a {cosine: {finl: 0}}\nschedule: [*a, *a, {sum: {of: [*a]}}]\n"
    assert lines(text) == [
        "unknown-field 2:19: /schedule/0/cosine: unknown field 'finl'; did you mean 'final'?"
    ]


def test_expected_and_found_are_given_apart() -> None:
    (problem,) = schema_problems(
        read_text("lrspec: 1\nschedule: {cosine: {final: 0, length: 45 %}}")
    )
    assert (problem.expected, problem.found) == (A_POSITION, "'45 %'")
    assert problem.hint == "did you mean '45%'?"


# Size


def test_the_deepest_document_needs_no_deep_stack() -> None:
    script = """
    import sys
    from lrspec.reading import read_mapping
    from lrspec.schema import schema_problems
    node = {"cosine": {"finl": 0}}
    for _ in range(30):
        node = {"clamp": {"minimum": 0, "schedule": node}}
    source = read_mapping({"lrspec": 1, "schedule": [node]})
    schema_problems(read_mapping({"lrspec": 1}))
    sys.setrecursionlimit(100)
    (problem,) = schema_problems(source)
    sys.setrecursionlimit(1000)
    assert problem.hint == "did you mean 'final'?", problem
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)


def test_twenty_thousand_mappings() -> None:
    started = time.process_time()
    stage = {"cosine": {"initial": 1, "final": 0, "length": 10}}
    source = read_mapping({"lrspec": 1, "schedule": [stage] * (limits.MAPPINGS // 2 - 1)})
    assert schema_problems(source) == []
    assert time.process_time() - started < 20


def test_long_lists_of_values() -> None:
    started = time.process_time()
    values = ["x" if i == 9 else 0.5 for i in range(200_000)]
    body = {"boundaries": list(range(200_000)), "values": values}
    (problem,) = schema_problems(
        read_mapping({"lrspec": 1, "schedule": {"piecewise_linear": body}})
    )
    assert problem.path == "/schedule/piecewise_linear/values/9"
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "document",
    [
        {"lrspec": 1, "schedule": [[]] * 200_000},
        {"lrspec": 1, "schedule": {"sum": {"of": [1] * 200_000}}},
        {"lrspec": 1, "schedule": {"piecewise_linear": {"boundaries": ["x"] * 200_000}}},
        {"lrspec": 1, "schedules": {f"a{i}": [] for i in range(100_000)}},
        {"lrspec": 1, "schedule": {f"a{i}": 1 for i in range(100_000)}},
        {"lrspec": 1, "schedule": {"cosine": {f"a{i}": 1 for i in range(100_000)}}},
        {"lrspec": 1, **{f"a{i}": 1 for i in range(100_000)}},
    ],
)
def test_after_a_thousand_problems_no_more_are_looked_for(document: dict[str, Any]) -> None:
    source = read_mapping(document)
    started = time.process_time()
    assert len(schema_problems(source)) == limits.PROBLEMS
    assert time.process_time() - started < 20


# The schema is what decides


def documents() -> list[dict[str, Any]]:
    """Every document of the conformance suite that is written as a mapping."""
    found = []
    for file in lrspec_spec.conformance_files():
        if "/golden/" in str(file) or "/invalid/" in str(file):
            case = json.loads(file.read_text(encoding="utf-8"))
            if isinstance(case.get("document"), dict):
                found.append(case["document"])
    return found


def test_problems_are_found_where_a_plain_validator_finds_some() -> None:
    # `$` is the end of the text, where Python also takes the line break before it
    strict = lrspec_spec.schema_text().replace('$"', '\\\\Z"')
    plain = Draft7Validator(json.loads(strict))
    cases = documents()
    assert len(cases) > 300
    for document in cases:
        problems = schema_problems(read_mapping(document))
        assert plain.is_valid(document) == (not problems), document
        assert all(problem.code in codes.SCHEMA for problem in problems)


def test_kinds_and_fields_come_from_the_schema() -> None:
    schema = lrspec_spec.schema()
    definitions = schema["definitions"]
    body = json.loads(json.dumps(definitions["cosine"]))
    body["properties"]["wobble"] = {"type": "number", "minimum": 0, "maximum": 1}
    definitions["wiggle"] = body
    definitions["schedule"]["properties"]["wiggle"] = {"$ref": "#/definitions/wiggle"}
    definitions["kind"]["enum"].append("wiggle")
    extended = Form(schema)
    assert "wiggle" in extended.kinds
    assert extended.owners("wobble") == ["wiggle"]
    assert extended.example("wiggle") == "wiggle: {final: …}"
    known: dict[str, Json] = {"lrspec": 1, "schedule": {"wiggle": {"final": 0, "wobble": 1}}}
    faults = [fault for fault in extended.faults(None, known) if fault.keyword != "deferred"]
    assert faults == []
    assert [fault.keyword for fault in extended.faults("schedule", known["schedule"])] == []


def test_references_are_only_deferred_where_that_is_sound() -> None:
    def conditions(node: object, below: bool) -> list[str]:
        found = []
        if isinstance(node, dict):
            if below and "deferred" in node:
                found.append(str(node))
            for key, value in node.items():
                found += conditions(value, below or key in ("if", "not", "anyOf", "oneOf"))
        if isinstance(node, list):
            for value in node:
                found += conditions(value, below)
        return found

    language = form()
    assert set(language.parts) == {"schedule"}
    for part in (language.root, *language.parts.values()):
        assert conditions(part, False) == []


# Hints only suggest what there is


def test_hints_for_kinds() -> None:
    assert set(hints.KIND_WORDS.values()) <= set(form().kinds)
    for text in hints.KIND_TEXTS.values():
        if text.startswith("write "):
            assert of_schedule(f"{{{text.removeprefix('write ')}}}") == []


def test_hints_for_fields() -> None:
    language = form()
    known = {field for body in language.kinds.values() for field in body["properties"]}
    known |= set(language.root["properties"])
    known |= set(language.root["properties"]["training"]["properties"])
    for fields in hints.FIELD_WORDS.values():
        assert set(fields) <= known


@pytest.mark.parametrize("text", ["", " ", "x" * 10_000, "1" * 10_000, "😀", "\n", "9" * 75 + "%"])
def test_hints_take_any_text(text: str) -> None:
    pattern = form().kinds["cosine"]["properties"]["length"]["pattern"]
    for hint in (
        hints.number_hint(text),
        hints.position_hint(text, pattern),
        hints.kind_hint(text, form().kinds),
        hints.field_for(text, ["final"]),
        hints.boolean_hint(text),
    ):
        assert hint is None or len(hint) < 120


@pytest.mark.parametrize("module", ["reading", "schema", "problems", "codes", "source"])
def test_what_reads_is_loaded_when_something_is_read(module: str) -> None:
    script = f"""
    import sys
    before = set(sys.modules)  # where coverage is measured, what it imports itself
    import lrspec.{module}
    assert not {{"yaml", "jsonschema", "json", "lrspec_spec"}} & (set(sys.modules) - before)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
