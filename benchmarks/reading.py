"""Documents from text, read and validated, against the libraries that do it alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import jsonschema
import yaml

import lrspec_spec
from benchmarks.measuring import calls, race, ratios
from benchmarks.rows import Missing, Row
from lrspec.loading import load, loads

EXAMPLES = Path(__file__).parents[1] / "examples"


def measure() -> Iterator[Row | Missing]:
    """All examples, one after the other; a plain reader keeps no lines and finds no meaning."""
    data = [load(path).to_dict() for path in sorted(EXAMPLES.glob("*.lrspec.yaml"))]
    jsons = [json.dumps(each) for each in data]
    # Written so that PyYAML, to which 1e-5 is text, finds the same numbers in it.
    texts = [yaml.safe_dump(each) for each in data]
    validator = jsonschema.Draft7Validator(lrspec_spec.schema())
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def ours(documents: list[str]) -> None:
        for text in documents:
            loads(text)

    def plain_yaml() -> None:
        for text in texts:
            list(validator.iter_errors(yaml.load(text, Loader=loader)))

    def plain_json() -> None:
        for text in jsons:
            list(validator.iter_errors(json.loads(text)))

    for name, documents, plain in (("YAML", texts, plain_yaml), ("JSON", jsons, plain_json)):
        mine, theirs = race(calls(partial(ours, documents)), calls(plain))
        yield Row(f"loads() / plain {name} and jsonschema", ratios(mine, theirs))
        speed = tuple(len(documents) / seconds for seconds in mine)
        yield Row(f"documents in a second, from {name}", speed, unit="/s")
