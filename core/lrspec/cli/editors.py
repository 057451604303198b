"""What an editor is told, in its own words, so that it finds the schema of a document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

# The suffixes of `lrspec.cli.files`.
YAML_FILES = ["*.lrspec.yaml", "*.lrspec.yml"]
JSON_FILES = ["*.lrspec.json"]
# From yaml-language-server 2.0 on, no `*` stands for a folder such as .github.
YAML_PATTERNS = [*YAML_FILES, *(f".*/**/{files}" for files in YAML_FILES)]


class Editor(NamedTuple):
    """How an editor is set up: where the text goes, and the text for a schema at a path."""

    place: str
    text: Callable[[Path], str]


def line(schema: Path) -> str:
    """The first line of a YAML file that names its schema, whatever the editor knows."""
    return f"# yaml-language-server: $schema={schema.as_uri()}\n"


def _vscode(schema: Path) -> str:
    """A `settings.json` with two entries; VS Code reads JSON itself, the extension YAML."""
    url = schema.as_uri()
    settings = {
        "yaml.schemas": {url: YAML_PATTERNS},
        "json.schemas": [{"fileMatch": JSON_FILES, "url": url}],
    }
    return json.dumps(settings, indent=2) + "\n"


def _neovim(schema: Path) -> str:
    """The configuration of two servers. A URL has no character that Lua would read otherwise."""
    url = f'"{schema.as_uri()}"'
    return f"""\
vim.lsp.config("yamlls", {{
  settings = {{
    yaml = {{ schemas = {{ [{url}] = {{ {_listed(YAML_PATTERNS)} }} }} }},
  }},
}})
vim.lsp.config("jsonls", {{
  settings = {{
    json = {{
      schemas = {{ {{ fileMatch = {{ {_listed(JSON_FILES)} }}, url = {url} }} }},
      validate = {{ enable = true }},
    }},
  }},
}})
vim.lsp.enable({{ "yamlls", "jsonls" }})
"""


def _listed(texts: list[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _jetbrains(schema: Path) -> str:
    """The project's file of JSON Schema mappings, which are for YAML too."""
    items = "".join(
        f"""
                  <Item>
                    <option name="pattern" value="true" />
                    <option name="path" value="{files}" />
                    <option name="mappingKind" value="Pattern" />
                  </Item>"""
        for files in YAML_FILES + JSON_FILES
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="JsonSchemaMappingsProjectConfiguration">
    <state>
      <map>
        <entry key="lrspec">
          <value>
            <SchemaInfo>
              <option name="name" value="lrspec" />
              <option name="relativePathToSchema" value={quoteattr(schema.as_posix())} />
              <option name="schemaVersion" value="JSON Schema version 7" />
              <option name="patterns">
                <list>{items}
                </list>
              </option>
            </SchemaInfo>
          </value>
        </entry>
      </map>
    </state>
  </component>
</project>
"""


EDITORS = {
    "vscode": Editor(
        "Add this to .vscode/settings.json, or to the user settings. YAML needs the extension"
        " redhat.vscode-yaml.",
        _vscode,
    ),
    "neovim": Editor(
        "Add this to init.lua. It needs Neovim 0.11 with nvim-lspconfig, yaml-language-server and"
        " vscode-json-language-server.",
        _neovim,
    ),
    "jetbrains": Editor(
        "Save this as .idea/jsonSchemas.xml, or, where there is one, add the entry to its map. By"
        " hand: Settings > Languages & Frameworks > Schemas and DTDs > JSON Schema Mappings.",
        _jetbrains,
    ),
}
