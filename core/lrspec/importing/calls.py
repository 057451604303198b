"""Calls as people write them in Python, read without running anything."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.shorten import listed, quoted
from lrspec.source import Json

_LONGEST = 10_000


@dataclass(frozen=True)
class Name:
    """A name that stands where a value may stand, with its dots."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call with the values of its arguments. `of` is set where what is called is itself a call,
    whose name is then `name`: `inject_hyperparams(sgd)(0.1)`."""

    name: str
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]
    of: Call | None = None


Value: TypeAlias = (
    "None | bool | int | float | str | list[Value] | dict[Value, Value] | Name | Call"
)


def parse_call(text: str) -> Call:
    """The call that a text is: `optax.linear_schedule(0, 1e-3, transition_steps=10)`.

    Its arguments are calls, names, numbers with or without a minus, strings, True, False, None,
    lists, tuples (read as lists) and mappings of them.

    Raises ValueError, whose text says what else was found.
    """
    value = parse_value(text)
    if not isinstance(value, Call):
        raise ValueError(f"{quoted(text)} is no call")
    return value


def parse_value(text: str) -> Value:
    """What a text says, which is a call or anything that may be an argument of one.

    Raises ValueError, whose text says what else was found.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"an expression of {len(text)} characters is not read")
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{quoted(text)} is no expression of Python") from None


def arguments(call: Call, parameters: Sequence[str]) -> dict[str, Value]:
    """The arguments of a call by the names of the parameters.

    Raises ValueError where there are too many, or one is given twice. Names that are no parameter
    stay what they are.
    """
    if len(call.args) > len(parameters):
        taken = listed(list(parameters)) if parameters else "nothing"
        raise ValueError(f"{call.name} takes {taken}, found {len(call.args)} arguments")
    found = dict(zip(parameters, call.args, strict=False))
    for key, value in call.kwargs.items():
        if key in found:
            raise ValueError(f"{call.name} has the argument {quoted(key)} twice")
        found[key] = value
    return found


def plain(value: Value, signatures: Mapping[str, Sequence[str]]) -> Json:
    """A value as plain data: a call is the mapping of its arguments with its `name`, `dict(a=1)`
    is {"a": 1}, a name is its text, and Fiddle's `Config(f, a=1)` is `f(a=1)`.

    Raises ValueError as `arguments` does, and for a call of something that `signatures` lacks.
    """
    if isinstance(value, Name):
        return value.text
    if isinstance(value, list):
        return [plain(item, signatures) for item in value]
    if isinstance(value, dict):
        return {_key(key): plain(item, signatures) for key, item in value.items()}
    if not isinstance(value, Call):
        return value
    name = value.name.rpartition(".")[2]
    if name == "Config" and value.args and isinstance(value.args[0], Name):
        value = Call(value.args[0].text, value.args[1:], value.kwargs)
        name = value.name.rpartition(".")[2]
    if name == "HParams":
        # `Linear.HParams(…)` is what praxis had before Fiddle.
        value = Call(value.name.removesuffix(".HParams"), value.args, value.kwargs, value.of)
        name = value.name.rpartition(".")[2]
    if name == "dict" and not value.args:
        return {key: plain(item, signatures) for key, item in value.kwargs.items()}
    if name not in signatures or value.of is not None:
        raise ValueError(
            f"{quoted(value.name)} is not known; known are {listed(sorted(signatures))}"
        )
    found = arguments(value, signatures[name])
    return {"name": name, **{key: plain(item, signatures) for key, item in found.items()}}


def _key(key: Value) -> str:
    if isinstance(key, str | int | float) and not isinstance(key, bool):
        return str(key)
    raise ValueError("the keys of a mapping are numbers or strings")


def _value(node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)) if (
            not isinstance(value, bool)
        ):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            pairs = zip(keys, values, strict=True)
            return {_hashable(key): _value(value) for key, value in pairs if key is not None}
        case ast.Name() | ast.Attribute():
            return Name(_dotted(node))
        case ast.Call(func=ast.Call() as func):
            of = _call(func, _dotted(func.func))
            return _call(node, of.name, of)
        case ast.Call(func=func):
            return _call(node, _dotted(func))
        case _:
            raise ValueError(f"{quoted(ast.unparse(node))} is neither a call nor a plain value")


def _hashable(node: ast.expr) -> Value:
    value = _value(node)
    if isinstance(value, list | dict | Call):
        raise ValueError("the keys of a mapping are numbers or strings")
    return value


def _call(node: ast.Call, name: str, of: Call | None = None) -> Call:
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError(f"{quoted(ast.unparse(node))} has arguments that are not written out")
        if keyword.arg in kwargs:
            raise ValueError(f"{name} has the argument {quoted(keyword.arg)} twice")
        kwargs[keyword.arg] = _value(keyword.value)
    return Call(name, tuple(_value(item) for item in node.args), kwargs, of)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case _:
            raise ValueError(f"{quoted(ast.unparse(node))} is no name")
