"""What `lrspec schema --editor` prints is what editors understand."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import lupa
import pytest
from tests.editors.conftest import DEFAULTS, Servers, nested, printed
from tests.editors.mistakes import NOT_A_KIND
from tests.editors.session import Session
from tests.editors.test_valid import EXAMPLES

import lrspec_spec
from lrspec.cli import schema
from lrspec.cli.editors import line
from lrspec.cli.files import SUFFIXES

WRONG = '{"lrspec": 1, "schedule": {"cosin": {"final": 0}}}'


def says(server: Session) -> list[str]:
    return [problem.message for problem in server.problems(WRONG)]


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0", "json"])
def test_without_settings_nothing_is_found(servers: Servers, name: str) -> None:
    """So that it is the settings that the other tests test."""
    with servers.started(name, nested(DEFAULTS)) as server:
        server.wait("{")  # what is no text of the language is found by any settings
        assert says(server) == []


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0", "json"])
def test_vscode(servers: Servers, name: str) -> None:
    settings = json.loads(printed("vscode"))

    assert set(settings) == {"yaml.schemas", "json.schemas"}
    assert says(servers[name]) == [NOT_A_KIND]


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0", "json"])
@pytest.mark.parametrize("copy", ["lrspec.schema.json", "tools@2/lrspec.schema.json"])
@pytest.mark.parametrize("folder", [".", "runs/small"])
def test_a_copy_in_the_workspace(servers: Servers, name: str, copy: str, folder: str) -> None:
    root = servers.folder
    (root / copy).parent.mkdir(exist_ok=True)
    settings = json.loads(printed("vscode", "--output", copy, folder=root))
    (mapping,) = settings["json.schemas"]
    assert mapping["url"] == f"./{copy}"
    # VS Code joins the root and this path before it tells the server for JSON.
    mapping["url"] = (root / mapping["url"]).as_uri()
    with servers.started(name, nested({**DEFAULTS, **settings}), folder) as server:
        server.wait(WRONG)
        assert says(server) == [NOT_A_KIND]


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0", "json"])
@pytest.mark.parametrize("folder", [".github", ".config/runs/small"])
def test_in_a_hidden_folder(servers: Servers, name: str, folder: str) -> None:
    settings = nested({**DEFAULTS, **json.loads(printed("vscode"))})
    with servers.started(name, settings, folder) as server:
        server.wait(WRONG)
        assert says(server) == [NOT_A_KIND]


def lua(text: str) -> tuple[dict[str, Any], list[str]]:
    """What a text configures and enables, as Neovim runs it."""
    runtime: Any = lupa.LuaRuntime(unpack_returned_tuples=True)
    configured, enabled = runtime.execute(f"""
        local configured, enabled = {{}}, {{}}
        vim = {{ lsp = {{
          config = function(name, value) configured[name] = value end,
          enable = function(names) enabled = names end,
        }} }}
        {text}
        return configured, enabled
    """)
    return python(configured), python(enabled)


def python(value: Any) -> Any:
    """A Lua table as a list or a mapping."""
    if lupa.lua_type(value) != "table":
        return value
    keys = list(value.keys())
    if keys == list(range(1, len(keys) + 1)):
        return [python(each) for each in value.values()]
    return {key: python(each) for key, each in value.items()}


@pytest.mark.parametrize(
    ("name", "server"), [("yaml-1.19", "yamlls"), ("yaml-2.0", "yamlls"), ("json", "jsonls")]
)
def test_neovim(servers: Servers, name: str, server: str) -> None:
    configured, enabled = lua(printed("neovim"))

    assert enabled == ["yamlls", "jsonls"]
    settings = configured[server]["settings"]
    if server == "yamlls":
        settings["yaml"]["schemaStore"] = {"enable": False, "url": ""}
    with servers.started(name, settings) as session:
        session.wait(WRONG)
        assert says(session) == [NOT_A_KIND]


def test_jetbrains() -> None:
    """The state of the component as `JsonSchemaMappingsProjectConfiguration` stores it."""
    root = ET.fromstring(printed("jetbrains").encode())
    component = root.find("component[@name='JsonSchemaMappingsProjectConfiguration']")
    assert root.tag == "project" and root.attrib == {"version": "4"}
    assert component is not None
    (entry,) = component.findall("state/map/entry")
    info = entry.find("value/SchemaInfo")
    assert info is not None
    options = {option.attrib["name"]: option for option in info.findall("option")}
    values = {name: option.attrib.get("value") for name, option in options.items()}
    items = [
        {option.attrib["name"]: option.attrib["value"] for option in item}
        for item in options["patterns"].findall("list/Item")
    ]

    assert entry.attrib["key"] == values["name"] == "lrspec"
    assert values["schemaVersion"] == "JSON Schema version 7"
    path = Path(str(values["relativePathToSchema"]))
    assert path == schema.installed().resolve()
    assert path.read_text("utf-8") == lrspec_spec.schema_text()
    assert items == [
        {"pattern": "true", "path": f"*{suffix}", "mappingKind": "Pattern"} for suffix in SUFFIXES
    ]


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0"])
def test_the_line_for_a_file(servers: Servers, tmp_path: Path, name: str) -> None:
    """A file that names its schema needs no settings."""
    address = schema.installed().resolve().as_uri()
    with servers.started(name, nested(DEFAULTS)) as server:
        (found,) = server.problems(f"# yaml-language-server: $schema={address}\n{WRONG}\n")

    assert found.message == NOT_A_KIND


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0"])
def test_the_line_for_a_file_beside_a_copy(servers: Servers, name: str) -> None:
    first = line(Path("schedule.schema.json"))  # `servers` puts it there
    with servers.started(name, nested(DEFAULTS)) as server:
        (found,) = server.problems(f"{first}{WRONG}\n")

    assert first == "# yaml-language-server: $schema=./schedule.schema.json\n"
    assert found.message == NOT_A_KIND


@pytest.mark.parametrize("name", ["yaml-1.19", "yaml-2.0"])
def test_the_line_of_the_examples(servers: Servers, name: str) -> None:
    """They name the schema of the checkout, so that they can be tried without settings."""
    first = EXAMPLES[0].read_text("utf-8").partition("\n")[0]
    with servers.started(name, nested(DEFAULTS), str(EXAMPLES[0].parent)) as server:
        (found,) = server.problems(f"{first}\n{WRONG}\n")

    assert found.message == NOT_A_KIND
