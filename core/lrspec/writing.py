"""Writing a document as YAML that reads back as the same data."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.representer import SafeRepresenter

from lrspec.scalars import NotFiniteError, plain_scalar


class _Representer(SafeRepresenter):
    """Quotes every text that YAML 1.1 or the 1.2 core would take for something else, and makes no
    anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        """A kind without fields stands as people write it: `constant:`."""
        if list(mapping.values()) != [None]:
            return super().represent_mapping(tag, mapping, flow_style)
        node: Any = super().represent_mapping(tag, mapping, False)
        node.value[0][1].value = ""
        return node


def _text(representer: SafeRepresenter, text: str) -> yaml.ScalarNode:
    try:
        plain = isinstance(plain_scalar(text), str)
    except NotFiniteError:
        plain = False
    style = None if plain else "'"
    represent: Any = representer.represent_scalar  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    node: yaml.ScalarNode = represent("tag:yaml.org,2002:str", text, style=style)
    return node


_Representer.add_representer(str, _text)


def _fastest_dumper() -> Any:
    try:
        from yaml.cyaml import CSafeDumper
    except ImportError:
        return yaml.SafeDumper
    return CSafeDumper


def to_yaml(data: dict[str, Any], dumper: Any = None) -> str:
    """`data` in the order given; a mapping or list without others inside stands in one line, and a
    key alone with null as `key:`.

    `dumper` is PyYAML's: that of libyaml where there is one.
    """
    representer: Any = _Representer(sort_keys=False, default_flow_style=None)  # type: ignore[arg-type]
    text: str = yaml.serialize(  # pyright: ignore[reportUnknownMemberType]
        representer.represent_data(data),
        Dumper=dumper or _fastest_dumper(),
        width=100,
        allow_unicode=True,
    )
    return text
