"""Configurations that are Python files, read without running anything.

What counts are the names that a file gives values to, with their dots: those of the file, or of
what its `get_config` returns. Values are what `lrspec.importing.calls` understands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, cast

from lrspec.importing.calls import Call, Name, Value, limited, value_of
from lrspec.source import Json

_LONGEST = 200_000
# A value of more parts is none of a schedule.
_MOST = 2_000
# Calls whose arguments are the items of a mapping.
_MAPPINGS = ("dict", "ConfigDict", "Config", "FrozenConfigDict")
# Set only for a short run on the machine of a developer.
_LOCAL = "runlocal"
# What stands for a value that is not known, with the line that gives it.
_UNKNOWN = "what line {} makes of it"


def read_config(text: str) -> dict[str, Json]:
    """What a Python file says, as a mapping; `_base_` has the files that it goes on from.

    A value that is not understood is a text that names its line, so that it is no number.

    Raises ValueError where the text is no Python.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"a file of {len(text)} characters is not read")
    try:
        statements = ast.parse(text).body
        script = _Script()
        script.read(statements)
        function = next((f for f in statements if _is_get_config(f)), None)
        if isinstance(function, ast.FunctionDef):
            script.read(function.body)
            returned = _returned(function)
            found: Any = script.tree().get(returned, {})
            return cast("dict[str, Json]", found) if isinstance(found, dict) else {}
        return script.whole()
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError("it is no Python") from None


def read_ml_config(text: str) -> dict[str, Json]:
    """As `read_config`, where a file without a `get_config` may make a `config`."""
    found = read_config(text)
    config = found.get("config")
    return config if isinstance(config, dict) else found


def _is_get_config(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name == "get_config"


def _returned(function: ast.FunctionDef) -> str:
    for statement in reversed(function.body):
        if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name):
            return statement.value.id
    return ""


class _Script:
    def __init__(self) -> None:
        self.names: dict[str, Value] = {}
        # Names that have others below them.
        self.parents: set[str] = set()
        self.bases: list[Json] = []
        # Names of mappings that are changed, and not made anew.
        self.updated: set[str] = set()

    def read(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._read(statement)

    def _read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[target], value=value):
                self._give(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._give(target, value)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=target, attr="update"), args=[value])
            ):
                self._update(target, value)
            case ast.With(body=body) if any(isinstance(each, ast.ImportFrom) for each in body):
                for each in body:
                    if isinstance(each, ast.ImportFrom):
                        self.bases.append(_file_of(each))
            case ast.If(test=test, orelse=[]) if _name_of(test).rpartition(".")[2] == _LOCAL:
                pass
            case ast.AnnAssign():
                pass
            case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
                self._forget(statement.name)
            case _:
                for name in _stored(statement):
                    self._set(name, Name(_UNKNOWN.format(statement.lineno)))

    def _give(self, target: ast.expr, value: ast.expr) -> None:
        for name in [_name_of(target)] if _name_of(target) else _stored(target):
            self._set(name, self._value(value) if name == _name_of(target) else _unknown(value))
            self.updated.discard(name)

    def _update(self, target: ast.expr, value: ast.expr) -> None:
        name, added = _name_of(target), self._value(value)
        if not name:
            return
        before = self.names.get(name, {})
        if isinstance(before, dict) and isinstance(added, dict):
            if name not in self.names:
                self.updated.add(name)
            self._set(name, {**before, **added})
        else:
            self._set(name, _unknown(value))

    def _value(self, node: ast.expr) -> Value:
        try:
            return limited(_mapped(value_of(node, self.names)), _MOST)
        except ValueError:
            return _unknown(node)

    def _set(self, name: str, value: Value) -> None:
        self._forget(name)
        self.names[name] = value
        while name := name.rpartition(".")[0]:
            self.parents.add(name)

    def _forget(self, name: str) -> None:
        self.names.pop(name, None)
        if name in self.parents:
            self.parents.discard(name)
            for key in [key for key in self.names if key.startswith(f"{name}.")]:
                del self.names[key]

    def tree(self) -> dict[str, Any]:
        """The values as mappings in mappings."""
        found: dict[str, Any] = {}
        for name, value in self.names.items():
            *path, last = name.split(".")
            inner = found
            for part in path:
                if not isinstance(inner.get(part), dict):
                    inner[part] = {}
                inner = inner[part]
            inner[last] = _json(value)
        return found

    def whole(self) -> dict[str, Any]:
        """The values of the file, over the files that it goes on from."""
        found = self.tree()
        if self.bases:
            # Python makes a name anew, where mmengine's older files change the mapping.
            for name, value in found.items():
                if isinstance(value, dict) and name not in self.updated:
                    value["_delete_"] = True
            found["_base_"] = self.bases
        return found


def _unknown(node: ast.expr) -> Name:
    return Name(_UNKNOWN.format(node.lineno))


def _mapped(value: Value) -> Value:
    """A value in which mappings are mappings, whatever makes them."""
    match value:
        case list():
            return [_mapped(item) for item in value]
        case dict():
            return {key: _mapped(item) for key, item in value.items()}
        case Call(name=name, args=args, of=None) if name.rpartition(".")[2] in _MAPPINGS:
            if args and isinstance(args[0], Name):
                return value
            first = _mapped(args[0]) if args else {}
            if not isinstance(first, dict):
                return value
            return {**first, **{key: _mapped(item) for key, item in value.kwargs.items()}}
        case _:
            return value


def _json(value: Value) -> Json:
    match value:
        case list():
            return [_json(item) for item in value]
        case dict():
            return {str(key): _json(item) for key, item in value.items()}
        case Name(text=text):
            return text
        case Call(name=name):
            return f"{name}(…)"
        case _:
            return value


def _name_of(node: ast.expr) -> str:
    """The dotted name that an expression is, `config["lr"]` too; nothing where it is none."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{before}.{name}" if (before := _name_of(value)) else ""
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as name)):
            return f"{before}.{name}" if (before := _name_of(value)) else ""
        case _:
            return ""


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that are given a value somewhere inside."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name | ast.Attribute | ast.Subscript) and (
            isinstance(each.ctx, ast.Store) and (name := _name_of(each))
        ):
            yield name


def _file_of(statement: ast.ImportFrom) -> str:
    """Where the file stands that `from ..schedules.one import *` reads, from the one it is in."""
    module = (statement.module or "").replace(".", "/")
    return "../" * (statement.level - 1) + f"{module}.py"
