"""From validated data to the model: one small function a kind, no rule that needs a fact of the
run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

from lrspec import model
from lrspec.problems import Path
from lrspec.quantity import Quantity, quantity

Fields = Mapping[str, Any]


def parse(data: Fields) -> model.Model:
    """The model of a document that the schema has accepted."""
    written: Fields = data.get("schedules") or {"lr": data["schedule"]}
    paths: dict[str, Path] = {
        name: ("schedules", name) if "schedules" in data else ("schedule",) for name in written
    }
    base: Any = data.get("base")
    bases: Fields = base if base.__class__ is dict else dict.fromkeys(written, base)
    return model.Model(
        axis=data.get("axis", "steps"),
        sample=data.get("sample", "start"),
        rounding=data.get("rounding", "none"),
        training=training(data.get("training") or {}),
        schedules={name: _schedule(value, paths[name]) for name, value in written.items()},
        bases={name: _base(value) for name, value in bases.items()},
    )


def training(fields: Fields) -> model.Training:
    """The facts of `training`, from a document or from a host."""
    size: Any = fields.get("batch_size")
    listed = size.__class__ in (list, tuple)
    batches: Any = size if listed or size is None else [{"start": 0, "value": size}]
    return model.Training(
        steps=_optional(fields.get("steps")),
        batch_size=None
        if batches is None
        else tuple((int(b["start"]), int(b["value"])) for b in batches),
        sequence_length=_whole(fields.get("sequence_length")),
        steps_per_epoch=decimal(fields.get("steps_per_epoch")),
    )


def decimal(number: int | float | None) -> Fraction | None:
    """The rational of a number's shortest decimal text: 333.3 is 3333/10."""
    return None if number is None else Fraction(repr(number))


def _whole(number: int | float | None) -> int | None:
    return None if number is None else int(number)


def _base(written: Any) -> model.Base:
    if written is None or written == "absolute":
        return cast("model.Base", written)
    return float(written)


def _optional(written: Any) -> Quantity | None:
    return None if written is None else quantity(written)


def _number(fields: Fields, name: str) -> float | None:
    """A value that may be left out."""
    return None if fields.get(name) is None else float(fields[name])


def _schedule(data: Any, path: Path) -> model.Schedule:
    if data.__class__ is list:
        stages = tuple(_schedule(item, (*path, i)) for i, item in enumerate(data))
        return model.Stages(path, stages)
    ((kind, fields),) = data.items()
    body: Fields = fields or {}
    return _KINDS[kind](kind, body, path)


def _placed(kind: str, fields: Fields, path: Path) -> dict[str, Any]:
    return {
        "kind": kind,
        "path": path,
        "length": _optional(fields.get("length")),
        "until": _optional(fields.get("until")),
    }


def _ends(kind: str, fields: Fields, path: Path) -> dict[str, Any]:
    """What interpolating kinds share."""
    return {
        **_placed(kind, fields, path),
        "initial": _number(fields, "initial"),
        "final": float(fields["final"]),
        "extend": fields.get("after") == "extend",
    }


def _constant(kind: str, fields: Fields, path: Path) -> model.Constant:
    return model.Constant(**_placed(kind, fields, path), value=_number(fields, "value"))


def _linear(kind: str, fields: Fields, path: Path) -> model.Linear:
    return model.Linear(**_ends(kind, fields, path))


def _cosine(kind: str, fields: Fields, path: Path) -> model.Cosine:
    return model.Cosine(**_ends(kind, fields, path), exponent=float(fields.get("exponent", 1)))


def _polynomial(kind: str, fields: Fields, path: Path) -> model.Polynomial:
    return model.Polynomial(
        **_ends(kind, fields, path),
        power=float(fields["power"]),
        origin=fields.get("origin", "final"),
    )


def _geometric(kind: str, fields: Fields, path: Path) -> model.Geometric:
    return model.Geometric(**_ends(kind, fields, path), asymptote=float(fields.get("asymptote", 0)))


def _inverse(kind: str, fields: Fields, path: Path) -> model.Inverse:
    return model.Inverse(**_ends(kind, fields, path), asymptote=float(fields.get("asymptote", 0)))


def _exponential(kind: str, fields: Fields, path: Path) -> model.Exponential:
    return model.Exponential(
        **_placed(kind, fields, path),
        initial=_number(fields, "initial"),
        rate=float(fields["rate"]),
        every=quantity(fields["every"]),
        staircase=fields.get("staircase", False),
    )


def _inverse_sqrt(kind: str, fields: Fields, path: Path) -> model.InverseSqrt:
    return model.InverseSqrt(
        **_placed(kind, fields, path),
        initial=_number(fields, "initial"),
        timescale=quantity(fields["timescale"]),
    )


def _power_law(kind: str, fields: Fields, path: Path) -> model.PowerLaw:
    return model.PowerLaw(
        **_placed(kind, fields, path),
        initial=_number(fields, "initial"),
        timescale=quantity(fields["timescale"]),
        exponent=float(fields["exponent"]),
    )


def _token_power(kind: str, fields: Fields, path: Path) -> model.TokenPower:
    return model.TokenPower(
        **_placed(kind, fields, path),
        initial=_number(fields, "initial"),
        amplitude=float(fields["amplitude"]),
        exponent=float(fields["exponent"]),
        count_from=fields.get("count_from", "run"),
    )


def _piecewise(kind: str, fields: Fields, path: Path) -> model.Piecewise:
    return model.Piecewise(
        **_placed(kind, fields, path),
        linear=kind == "piecewise_linear",
        boundaries=tuple(map(quantity, fields["boundaries"])),
        values=tuple(map(float, fields["values"])),
    )


def _child(fields: Fields, kind: str, path: Path) -> model.Schedule:
    return _schedule(fields["schedule"], (*path, kind, "schedule"))


def _repeat(kind: str, fields: Fields, path: Path) -> model.Repeat:
    stretch = decimal(fields.get("stretch", 1))
    assert stretch is not None
    return model.Repeat(
        **_placed(kind, fields, path),
        schedule=_child(fields, kind, path),
        period=_optional(fields.get("period")),
        count=_whole(fields.get("count")),
        stretch=stretch,
        shrink=float(fields.get("shrink", 1)),
        toward=float(fields.get("toward", 0)),
    )


def _combination(kind: str, fields: Fields, path: Path) -> model.Combination:
    of = (_schedule(item, (*path, kind, "of", i)) for i, item in enumerate(fields["of"]))
    return model.Combination(
        **_placed(kind, fields, path),
        operator="product" if kind == "product" else "sum",
        of=tuple(of),
    )


def _clamp(kind: str, fields: Fields, path: Path) -> model.Clamp:
    return model.Clamp(
        **_placed(kind, fields, path),
        schedule=_child(fields, kind, path),
        minimum=_number(fields, "minimum"),
        maximum=_number(fields, "maximum"),
    )


def _quantize(kind: str, fields: Fields, path: Path) -> model.Quantize:
    return model.Quantize(
        **_placed(kind, fields, path),
        schedule=_child(fields, kind, path),
        every=quantity(fields["every"]),
    )


def _advance(kind: str, fields: Fields, path: Path) -> model.Advance:
    return model.Advance(
        **_placed(kind, fields, path),
        schedule=_child(fields, kind, path),
        by=_optional(fields.get("by")),
    )


_KINDS: Mapping[str, Callable[[str, Fields, Path], model.Kind]] = {
    "constant": _constant,
    "linear": _linear,
    "cosine": _cosine,
    "polynomial": _polynomial,
    "geometric": _geometric,
    "inverse": _inverse,
    "exponential": _exponential,
    "inverse_sqrt": _inverse_sqrt,
    "power_law": _power_law,
    "token_power": _token_power,
    "piecewise_linear": _piecewise,
    "piecewise_constant": _piecewise,
    "repeat": _repeat,
    "product": _combination,
    "sum": _combination,
    "clamp": _clamp,
    "quantize": _quantize,
    "advance": _advance,
}
