"""Every diagnostic code of the language, with what it means in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

READING: Mapping[str, str] = MappingProxyType(
    {
        "unreadable-file": "The file is missing, is a directory, or may not be read.",
        "not-text": "The bytes are not text: no known encoding, or control characters in them.",
        "empty-document": "There is nothing in the document, or nothing but comments.",
        "syntax": "The text is not well-formed YAML, or JSON where JSON is announced.",
        "too-large": "The document is larger than 8 MiB.",
        "too-deep": "Lists and mappings are nested too deep, or repeats with stretch.",
        "too-many-nodes": "Written out, with every alias or period, there are too many nodes.",
        "too-many-mappings": "Written out, with every alias, there are more than 20,000 mappings.",
        "duplicate-key": "A key stands twice in one mapping.",
        "key-not-string": "A key of a mapping is not text.",
        "not-finite": "A number is NaN, infinite, or beyond the range of float64.",
        "unsupported-tag": "A value carries a YAML tag that the language does not know.",
        "cyclic-alias": "A value contains itself.",
        "multiple-documents": "More than one YAML document stands in the text.",
    }
)

SCHEMA: Mapping[str, str] = MappingProxyType(
    {
        "unknown-kind": "A schedule has a kind that the language does not know.",
        "unknown-field": "A field is not known where it stands.",
        "missing-field": "A field that is required is left out.",
        "wrong-type": "A value has another type than the field takes.",
        "wrong-value": "A value is not one of those that the field takes.",
        "out-of-range": "A number is smaller or larger than the field takes.",
        "bad-position": "A position or duration is neither whole steps nor text with a known unit.",
        "conflicting-fields": "Two fields that exclude each other are both given.",
        "one-kind": "A schedule has no kind, or more than one.",
        "too-few-items": "A list has fewer items than it needs.",
        "bad-name": "The name of a hyperparameter has other characters than a to z, 0 to 9 and _.",
        "unsupported-version": "The document is written for a newer version of the language.",
    }
)

MEANING: Mapping[str, str] = MappingProxyType(
    {
        "boundaries-order": "Boundaries do not increase strictly.",
        "values-number": "The number of values does not fit the number of boundaries.",
        "batch-order": "A batch schedule does not start at step 0, or its steps do not increase.",
        "base-name": "A base is given for a hyperparameter that the document does not schedule.",
        "bounds-order": "A minimum is larger than the maximum beside it.",
        "initial-required": "A first value must be written here: there is nothing to inherit.",
        "two-open-stages": "More than one stage of a list has no length.",
        "until-after-open": "A stage after the open one is given an end where only a length helps.",
        "after-misplaced": "A stage is extended although something follows it.",
        "after-needs-whole-power": "A formula has no continuation beyond its end for this power.",
        "asymptote-side": "The two ends of a curve are not on the same side of its asymptote.",
        "stretch-needs-count": "Periods that become shorter need a count.",
        "rounding-axis": "Rounding to whole steps is asked for along an axis other than steps.",
        "token-power-in-repeat": "A token_power stands inside a repeat.",
    }
)

BINDING: Mapping[str, str] = MappingProxyType(
    {
        "missing-fact": "A field needs a fact about the run that is not known.",
        "conflicting-fact": "A fact is given in the document and by the host, and they differ.",
        "invalid-fact": "A fact that the host gives has a type or value it cannot have.",
        "not-scheduled": "The document has no schedule of the name that is bound.",
        "does-not-fit": "Stages are longer than the span that holds them.",
        "nothing-left": "Nothing is left for the open stage.",
        "length-needed": "A kind needs a length where its span has no end.",
        "until-before-start": "A stage ends before it starts.",
        "unit-not-proportional": "A duration is in a unit that is not proportional to the axis.",
        "rounds-to-zero": "A duration that must be above 0 comes to 0 once it is rounded.",
        "base-required": "Something needs to know what 1 stands for, and no base is given.",
    }
)

WARNINGS: Mapping[str, str] = MappingProxyType(
    {
        "beyond-the-run": "A stage goes on after the last step of the run.",
    }
)

# Warnings of `lrspec check` about valid schedules, which clause 11 leaves to implementations.
LINTS: Mapping[str, str] = MappingProxyType(
    {
        "first-update-at-zero": "The first update is at rate 0 and changes nothing.",
        "final-not-applied": "The run ends an update before the final value that is declared.",
        "no-change": "A stage goes from a value to the same one, its first value left out.",
        "no-base": "A hyperparameter beside lr has no base: its values are multiples.",
        "rates-under-a-base": "Every value is far below 1, and a multiple of a base.",
        "jump": "A stage starts at another value than the one before it ends with.",
        "long-warmup": "The rate still rises when half of the run is over.",
        "empty-stage": "A stage has no update of its own, though it is not written as empty.",
        "late-rise": "A decay after the first stage goes up.",
        "never-reached": "The run is over before a stage begins, or a value at a boundary.",
        "run-goes-on": "The run is longer than the stages that are written.",
        "negative-rate": "A rate is negative.",
        "large-rate": "A rate is more than 10.",
        "unknown-warning": "A code that the document allows is that of no warning.",
    }
)

CODES: Mapping[str, str] = MappingProxyType({**READING, **SCHEMA, **MEANING, **BINDING, **WARNINGS})

# What an importer says of another system's configuration; no codes of the language (clause 9.3).
IMPORTING: Mapping[str, str] = MappingProxyType(
    {
        "no-such-part": "Nothing stands in the file at the keys that are given.",
        "not-a-config": "The file is no configuration of the system that it is read as.",
        "unknown-schedule": "The configuration names a schedule that the system does not have.",
        "not-importable": "The schedule is one that no document states.",
    }
)
