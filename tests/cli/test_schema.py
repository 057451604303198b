"""`lrspec schema`: the schema itself, a copy of it, and what editors are told."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from tests.cli.conftest import Cli

import lrspec_spec
from lrspec.cli import schema
from lrspec.cli.files import SUFFIXES


def test_it_is_printed(cli: Cli) -> None:
    done = cli("schema")

    assert done.out == lrspec_spec.schema_text()
    assert done.status == 0


def test_it_is_written(cli: Cli, tmp_path: Path) -> None:
    done = cli("schema", "--output", "schema.json")

    assert (done.status, done.out) == (0, "")
    assert (tmp_path / "schema.json").read_bytes() == lrspec_spec.schema_text().encode()


def linked(line: str) -> Path:
    """The file that the line of a document in the present folder leads to."""
    start = "# yaml-language-server: $schema="
    assert line.startswith(start)
    return addressed(line.removeprefix(start))


def addressed(address: str) -> Path:
    """The file at an address, or at a path relative to the present folder."""
    url = urlparse(address)
    return Path(url2pathname(url.path)) if url.scheme == "file" else Path.cwd() / address


def test_the_line_leads_to_the_installed_schema(cli: Cli) -> None:
    (line,) = cli("schema", "--editor-line").lines

    assert linked(line).read_text(encoding="utf-8") == lrspec_spec.schema_text()


def named(editor: str, text: str) -> list[Path]:
    """The files that an editor's settings lead to (`tests/editors` gives them to servers)."""
    match editor:
        case "vscode":
            settings = json.loads(text)
            (yaml,) = settings["yaml.schemas"]
            addresses = [yaml, *(entry["url"] for entry in settings["json.schemas"])]
        case "neovim":
            addresses = re.findall(r'"(file:[^"]+)"', text)
        case _:
            (option,) = ET.fromstring(text.encode()).iterfind(
                ".//option[@name='relativePathToSchema']"
            )
            return [Path.cwd() / option.attrib["value"]]
    return [addressed(address) for address in addresses]


EDITORS = pytest.mark.parametrize(
    ("editor", "place"),
    [
        ("vscode", ".vscode/settings.json"),
        ("neovim", "init.lua"),
        ("jetbrains", ".idea/jsonSchemas.xml"),
    ],
)


@EDITORS
def test_settings_lead_to_the_installed_schema(cli: Cli, editor: str, place: str) -> None:
    done = cli("schema", "--editor", editor)

    assert {path.read_text("utf-8") for path in named(editor, done.out)} == {
        lrspec_spec.schema_text()
    }
    assert place in done.err
    assert all(f'"*{suffix}"' in done.out for suffix in SUFFIXES)
    assert done.status == 0


@EDITORS
@pytest.mark.parametrize("name", ["lrspec.schema.json", "mine & yours é.json"])
def test_settings_lead_to_the_copy(
    cli: Cli, tmp_path: Path, editor: str, place: str, name: str
) -> None:
    done = cli("schema", "--editor", editor, "--output", name)

    assert {path.resolve() for path in named(editor, done.out)} == {(tmp_path / name).resolve()}
    assert (tmp_path / name).read_text("utf-8") == lrspec_spec.schema_text()
    assert place in done.err


@pytest.mark.parametrize(
    "output", ["lrspec.schema.json", "./lrspec.schema.json", "tools@2/lrspec.schema.json"]
)
def test_what_is_committed_names_no_folder_of_this_machine(
    cli: Cli, tmp_path: Path, output: str
) -> None:
    (tmp_path / output).parent.mkdir(exist_ok=True)
    relative = output.removeprefix("./")

    settings = json.loads(cli("schema", "-o", output, "--editor", "vscode").out)
    (line,) = cli("schema", "-o", output, "--editor-line").lines
    mappings = cli("schema", "-o", output, "--editor", "jetbrains").out

    assert list(settings["yaml.schemas"]) == [f"./{relative}"]
    assert [entry["url"] for entry in settings["json.schemas"]] == [f"./{relative}"]
    assert line == f"# yaml-language-server: $schema=./{relative}"
    assert f'name="relativePathToSchema" value="{relative}"' in mappings


@EDITORS
def test_an_absolute_path_stays_one(cli: Cli, tmp_path: Path, editor: str, place: str) -> None:
    path = tmp_path / "lrspec.schema.json"
    done = cli("schema", "--editor", editor, "--output", str(path))
    shown = path.as_posix() if editor == "jetbrains" else path.as_uri()

    assert done.out.count(shown) == len(named(editor, done.out))
    assert place in done.err


def test_an_editor_that_is_not_known(cli: Cli) -> None:
    done = cli("schema", "--editor", "ed")

    assert (done.status, done.out) == (2, "")
    assert "'ed' is not one of 'vscode', 'neovim', 'jetbrains'" in done.err


def test_one_thing_at_a_time(cli: Cli) -> None:
    done = cli("schema", "--editor", "vscode", "--editor-line", "--output", "schema.json")

    assert (done.status, done.out) == (2, "")
    assert "--editor-line and --editor print one thing each" in done.err
    assert not Path("schema.json").exists()


def test_the_line_leads_to_the_copy(cli: Cli, tmp_path: Path) -> None:
    (line,) = cli("schema", "--editor-line", "-o", "my schema.json").lines

    assert " " not in line.partition("=")[2]
    assert linked(line) == (tmp_path / "my schema.json").resolve()
    assert linked(line).exists()


@pytest.mark.parametrize("options", [["--editor-line"], ["--editor", "vscode"]])
def test_a_schema_inside_of_an_archive_has_no_address(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    class Archived:
        def joinpath(self, *_parts: str) -> Archived:
            return self

    def files(_package: object) -> Archived:
        return Archived()

    monkeypatch.setattr("importlib.resources.files", files)
    done = cli("schema", *options)

    assert (
        done.err == "Error: the installed schema is no file of its own: write one with --output\n"
    )
    assert (done.status, done.out) == (1, "")


@pytest.mark.parametrize("target", ["none/schema.json", "."])
def test_where_nothing_can_be_written(cli: Cli, target: str) -> None:
    done = cli("schema", "--output", target)

    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"lrspec: {target}: ")
    assert len(done.err.splitlines()) == 1


def test_the_installed_one_is_a_file() -> None:
    assert schema.installed().is_file()
