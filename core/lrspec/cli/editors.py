"""What an editor is told, in its own words, so that it finds the schema of a document."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

# The suffixes of `lrspec.cli.files`.
YAML_FILES = ["*.lrspec.yaml", "*.lrspec.yml"]
JSON_FILES = ["*.lrspec.json"]
# From yaml-language-server 2.0 on, no `*` stands for a folder such as .github.
YAML_PATTERNS = [*YAML_FILES, *(f".*/**/{files}" for files in YAML_FILES)]


# Relative paths that the YAML server knows as such: it takes all others for addresses. Without
# spaces, because the line of a document ends at the first.
_RELATIVE = re.compile(r"(?:[\w.@-]+/)*[\w.-]*\.[\w-]+", re.ASCII)


class Editor(NamedTuple):
    """How an editor is set up: where the text goes, and the text for a schema at a path, which may
    be relative."""

    place: str
    text: Callable[[Path], str]


def address(schema: Path) -> str:
    """A relative path as it is, so that it can be committed, where every reader understands it;
    otherwise the address of the file on this machine."""
    path = schema.as_posix()
    if schema.is_absolute() or not _RELATIVE.fullmatch(path):
        return schema.resolve().as_uri()
    return f"./{path}"


def line(schema: Path) -> str:
    """The first line of a YAML file that names its schema, whatever the editor knows. A relative
    path counts from the folder of that file."""
    return f"# yaml-language-server: $schema={address(schema)}\n"


def _vscode(schema: Path) -> str:
    """A `settings.json` with two entries; VS Code reads JSON itself, the extension YAML. Both count
    a relative path from the root of the workspace."""
    url = address(schema)
    settings = {
        "yaml.schemas": {url: YAML_PATTERNS},
        "json.schemas": [{"fileMatch": JSON_FILES, "url": url}],
    }
    return json.dumps(settings, indent=2) + "\n"


def _neovim(schema: Path) -> str:
    """The configuration of two servers. It belongs to the user and not to a repository, and the
    server for JSON takes no relative path. A URL has no character that Lua would read otherwise."""
    url = f'"{schema.resolve().as_uri()}"'
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
    """The project's file of JSON Schema mappings, which are for YAML too. A relative path counts
    from the root of the project."""
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
