"""Writes the pages that come from elsewhere: the clauses, the schema, the command line, the
examples. Each has one source, and that is not here."""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import mkdocs_gen_files

from lrspec import codes
from lrspec.cli.main import command, main
from lrspec_spec import schema_text

ROOT = Path(__file__).parents[1]
SPEC = ROOT / "spec"
_CLAUSE = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.MULTILINE)
# A link to a file that is not on the site.
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)")


def write(path: str, text: str) -> None:
    """Write one page."""
    with mkdocs_gen_files.open(path, "w") as file:
        file.write(text)


def language() -> str:
    """The clauses, each with an anchor of its number."""
    text = (SPEC / "README.md").read_text("utf-8")
    text = _LINK.sub(r"\1", text)
    return _CLAUSE.sub(r'<span id="\1"></span>**\1**', text)


def kinds() -> Iterator[str]:
    """Every kind and its fields, as the schema explains them to editors."""
    schema = json.loads(schema_text())
    definitions: dict[str, Any] = schema["definitions"]
    yield "# Kinds and fields\n"
    yield "What an editor shows, from the [JSON Schema](language.md) of a document.\n"
    for name in definitions["kind"]["enum"]:
        kind = definitions[name]
        yield f"## {name}\n"
        yield _explained(kind) + "\n"
        for field, body in kind.get("properties", {}).items():
            reference = body.get("$ref", "").rpartition("/")[2]
            body = {**definitions.get(reference, {}), **body}
            yield f"- **`{body.get('title', field)}`** — {_in_one_line(_explained(body))}\n"
    yield "## The root of a document\n"
    for field, body in schema["properties"].items():
        yield f"- **`{body.get('title', field)}`** — {_in_one_line(_explained(body))}\n"


def _explained(body: dict[str, Any]) -> str:
    """The text of a definition, without links to the page that it is on."""
    text = body.get("markdownDescription", body.get("description", ""))
    return re.sub(r"\n*\[[^\]]*\]\(https://lrspec\.org[^)]*\)\s*", "", text)


def _in_one_line(text: str) -> str:
    return " ".join(part for part in re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())


def warnings() -> Iterator[str]:
    """The codes of problems and warnings."""
    yield "# Codes\n"
    yield "What `lrspec check` reports. Warnings are switched off by `x-allow: [code]` in a file.\n"
    for title, table in (
        ("Warnings", {**codes.WARNINGS, **codes.LINTS}),
        ("Errors of reading", codes.READING),
        ("Errors of form", codes.SCHEMA),
        ("Errors of meaning", codes.MEANING),
        ("Errors of binding", codes.BINDING),
        ("Errors of importing", codes.IMPORTING),
    ):
        yield f"## {title}\n\n| code | meaning |\n|---|---|"
        yield "\n".join(f"| `{code}` | {meaning} |" for code, meaning in table.items()) + "\n"


def command_line() -> Iterator[str]:
    """What every command says of itself."""
    yield "# Command line\n"
    for name, part in command.commands.items():
        context = click.Context(part, info_name=f"lrspec {name}", max_content_width=100)
        yield f"## lrspec {name}\n\n```text\n{part.get_help(context)}\n```\n"


def imports() -> Iterator[str]:
    """What becomes of every curve that the tests have from another library."""
    sys.path.insert(0, str(ROOT))
    from tests.importers.goldens import goldens, outcomes

    told = outcomes()
    counts: dict[str, Counter[str]] = {}
    rows: list[str] = []
    for golden in goldens():
        outcome = told.get(golden.id, {})
        kind = next((kind for kind in ("refused", "deviation") if kind in outcome), "exact")
        counts.setdefault(golden.system, Counter())[kind] += 1
        if kind != "exact":
            at = f" (at step {', '.join(map(str, outcome['steps']))})" if "steps" in outcome else ""
            sampled = "; reproduced with `--sample`" if outcome.get("sampled") else ""
            rows.append(f"| {golden.id} | {kind} | {outcome[kind]}{at}{sampled} |")
    yield "# What becomes of 213 curves\n"
    yield "They were computed by the libraries themselves; the tests hold every document to them.\n"
    yield "| system | exact | deviation | refused |\n|---|---|---|---|"
    for system, count in sorted(counts.items(), key=lambda item: item[0].lower()):
        yield f"| {system} | {count['exact']} | {count['deviation']} | {count['refused']} |"
    total = sum(counts.values(), Counter[str]())
    yield f"| **all** | {total['exact']} | {total['deviation']} | {total['refused']} |\n"
    yield "## Those that are not exact\n"
    yield "| curve | what | why |\n|---|---|---|"
    yield from rows


def gallery() -> Iterator[str]:
    """The examples with their pictures."""
    yield "# Gallery\n"
    yield "Schedules that are in use somewhere; each is a file in the folder `examples`.\n"
    for path in sorted((ROOT / "examples").glob("*.lrspec.yaml")):
        name = path.name.removesuffix(".lrspec.yaml")
        with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
            target = Path(folder) / f"{name}.svg"
            main(["plot", str(path), "-o", str(target), *FACTS.get(name, ())])
            with mkdocs_gen_files.open(f"figures/{name}.svg", "w") as file:
                file.write(target.read_text("utf-8"))
        yield f"## {name}\n"
        yield f"![{name}](figures/{name}.svg)\n"
        # The first line names the schema by its path from that folder.
        text = path.read_text("utf-8").partition("\n")[2]
        yield f"```yaml\n{text.strip()}\n```\n"


# What examples leave to the run.
FACTS: dict[str, tuple[str, ...]] = {
    "finetune-linear": ("--steps", "1000"),
    "infinite": ("--steps", "100000"),
}

write("reference/language.md", language())
write("reference/kinds.md", "\n".join(kinds()))
write("reference/warnings.md", "\n".join(warnings()))
write("reference/command-line.md", "\n".join(command_line()))
write("import/table.md", "\n".join(imports()) + "\n")
write("gallery.md", "\n".join(gallery()))
