"""Documents in which ⟦ and ⟧ enclose what is to be underlined, and ‸ stands where the cursor is."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from tests.editors.session import Place


def underlined(text: str) -> tuple[str, Place, Place]:
    """Return the text without ⟦ and ⟧, and where they stood."""
    before, _, rest = text.partition("⟦")
    inside, found, after = rest.partition("⟧")
    assert found, text
    return before + inside + after, _end(before), _end(before + inside)


def cursor(text: str) -> tuple[str, Place]:
    """Return the text without ‸, and where it stood."""
    before, found, after = text.partition("‸")
    assert found, text
    return before + after, _end(before)


def published(text: str) -> str:
    """A document as if its schema could be had from where it says: it lies beside the document."""
    return re.sub(r"[^\s=\"]+/schedule\.schema\.json", "./schedule.schema.json", text)


def _end(text: str) -> Place:
    """The place after a text. Columns are those of UTF-16, as editors count."""
    last = text.rpartition("\n")[2]
    return text.count("\n"), len(last.encode("utf-16-le")) // 2


def as_json(text: str) -> str:
    """Write a marked document of YAML as one of JSON, with the marks around the same."""
    written = json.dumps(yaml.safe_load(text), indent=2, ensure_ascii=False)
    return re.sub(r'"⟦(.*?)⟧"', lambda found: f"⟦{_scalar(found[1])}⟧", written)


def _scalar(escaped: str) -> str:
    value: Any = yaml.safe_load(json.loads(f'"{escaped}"'))
    return json.dumps(value, ensure_ascii=False)


def indented(template: str, node: str) -> str:
    """Put the lines of a node where @ stands, each as far from the left."""
    before, _, after = template.partition("@")
    column = len(before.rpartition("\n")[2])
    return before + node.replace("\n", "\n" + " " * column) + after
