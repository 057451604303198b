"""Calls as people write them in Python, read without running anything."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lrspec.hints import closest, did_you_mean
from lrspec.importing.arithmetic import FUNCTIONS, computed
from lrspec.shorten import listed, quoted
from lrspec.source import Json

_LONGEST = 10_000
# A number alone is a rate where its name has one of these in it.
_RATES = ("lr", "rate", "schedule")


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


class NotKnownError(ValueError):
    """A call of something that is not known; `hint` is what may be meant."""

    def __init__(self, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.hint = hint


def parse_value(text: str) -> Value:
    """What a text says, which is a call or anything that may be an argument of one.

    Of several statements, as they stand in a file, it is what the last one says: an expression, or
    the value that is given to a name. Names that were given a value before stand for that.

    Raises ValueError, whose text says what else was found, and where a number is given to a name
    that is not one of a rate.
    """
    name, value = list(assigned(text).items())[-1]
    is_number = isinstance(value, int | float)
    if name and is_number and not any(word in name.lower() for word in _RATES):
        raise ValueError(f"{quoted(name)} is given a number, and nothing is called")
    return value


def assigned(text: str) -> dict[str, Value]:
    """The values that a text gives to names, with their dots, in the order of its statements; ""
    is its last expression. Imports are passed over, and so are values that are not understood,
    unless in the last statement.

    Raises ValueError, whose text says what else was found.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"an expression of {len(text)} characters is not read")
    try:
        return _assigned(ast.parse(text.strip()).body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{quoted(text)} is no expression of Python") from None


def _assigned(statements: list[ast.stmt]) -> dict[str, Value]:
    names: dict[str, Value] = {}
    found = [each for each in statements if not isinstance(each, ast.Import | ast.ImportFrom)]
    if not found:
        raise SyntaxError
    for statement in found:
        name, node = _parts(statement)
        # What is assigned anew is the last one.
        before = dict(names)
        names.pop(name, None)
        try:
            names[name] = limited(value_of(node, before))
        except ValueError:
            if statement is found[-1]:
                raise
    return names


def limited(value: Value, most: int = _LONGEST) -> Value:
    """The value, where it has no more than `most` parts: names that stand for names that stand for
    others make many of few characters."""
    waiting = [value]
    for _ in range(most):
        if not waiting:
            return value
        part = waiting.pop()
        match part:
            case list():
                waiting += part
            case dict():
                waiting += part.values()
            case Call():
                waiting += [*part.args, *part.kwargs.values(), *([part.of] if part.of else [])]
            case _:
                pass
    raise ValueError(f"a value of more than {most} parts is not read")


def _parts(statement: ast.stmt) -> tuple[str, ast.expr]:
    """The name that is given a value, and the value."""
    match statement:
        case ast.Expr(value=value):
            return "", value
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
            return _dotted(target), value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return name, value
        case _:
            text = ast.unparse(statement).partition("\n")[0]
            raise ValueError(f"{quoted(text)} is neither an expression nor a name with its value")


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
        message = f"{quoted(value.name)} is not known; known are {listed(sorted(signatures))}"
        raise NotKnownError(message, did_you_mean(closest(name, signatures)))
    found = arguments(value, signatures[name])
    return {"name": name, **{key: plain(item, signatures) for key, item in found.items()}}


def _key(key: Value) -> str:
    if isinstance(key, str | int | float) and not isinstance(key, bool):
        return str(key)
    raise ValueError("the keys of a mapping are numbers or strings")


def value_of(node: ast.expr, names: Mapping[str, Value]) -> Value:
    """The value of an expression; `names` are those that have one."""
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [value_of(item, names) for item in items]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            pairs = zip(keys, values, strict=True)
            return {
                _hashable(key, names): value_of(value, names)
                for key, value in pairs
                if key is not None
            }
        case ast.Name() | ast.Attribute():
            name = _dotted(node)
            return names.get(name, Name(name))
        case ast.Call(func=ast.Name(id=function), args=args, keywords=[]) if function in FUNCTIONS:
            return computed(node, function, [value_of(item, names) for item in args])
        case ast.BinOp(left=left, op=op, right=right):
            return computed(node, type(op), [value_of(left, names), value_of(right, names)])
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
            return computed(node, type(op), [value_of(operand, names)])
        case ast.Call(func=ast.Call() as func):
            of = _call(func, _dotted(func.func), names)
            return _call(node, of.name, names, of)
        case ast.Call(func=func):
            return _call(node, _dotted(func), names)
        case _:
            raise ValueError(f"{quoted(ast.unparse(node))} is neither a call nor a plain value")


def _hashable(node: ast.expr, names: Mapping[str, Value]) -> Value:
    value = value_of(node, names)
    if isinstance(value, list | dict | Call):
        raise ValueError("the keys of a mapping are numbers or strings")
    return value


def _call(node: ast.Call, name: str, names: Mapping[str, Value], of: Call | None = None) -> Call:
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError(f"{quoted(ast.unparse(node))} has arguments that are not written out")
        if keyword.arg in kwargs:
            raise ValueError(f"{name} has the argument {quoted(keyword.arg)} twice")
        kwargs[keyword.arg] = value_of(keyword.value, names)
    return Call(name, tuple(value_of(item, names) for item in node.args), kwargs, of)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case _:
            raise ValueError(f"{quoted(ast.unparse(node))} is no name")
