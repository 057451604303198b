"""SequentialLR and ChainedScheduler of torch, and the choice between the classes."""

from __future__ import annotations

from typing import TypeAlias

from lrspec.importers.torch_classes import CLASSES, REFUSED, Curves, Own, swa_rates
from lrspec.importing.classes import class_of
from lrspec.importing.config import Config
from lrspec.importing.cutting import cut, moved
from lrspec.importing.nodes import Schedule, constant, product
from lrspec.importing.run import Run
from lrspec.importing.scale import tidy
from lrspec.importing.sequence import stages
from lrspec.loading import from_dict

COMPOSED = ("SequentialLR", "ChainedScheduler")
KNOWN = (*CLASSES, *COMPOSED, *REFUSED)
PACKAGE = ("torch", "optim", "lr_scheduler", "swa_utils")
# These give the optimizer a rate of their own, whatever it had.
_ABSOLUTE = ("CyclicLR", "OneCycleLR")

Member: TypeAlias = tuple[str, Config]


def read(config: Config, run: Run, base: float | None) -> tuple[str, Curves]:
    """The class that is named here, and its curves."""
    name, arguments = class_of(config, run, KNOWN, package=PACKAGE, schedule=run.schedule)
    curves = curves_of(name, arguments, run, base)
    config.done()
    return name, curves


def curves_of(name: str, config: Config, run: Run, base: float | None) -> Curves:
    """The curves of a class; every argument is read."""
    config.ignore("last_epoch", "verbose", "optimizer")
    if name in REFUSED:
        hint = "a live scheduler can be sampled: lrspec_torch.from_scheduler(…, sample=True)"
        config.refuse(REFUSED[name], hint=hint if "user" in REFUSED[name] else None)
    if name == "SequentialLR":
        curves = _sequential(config, run, base)
    elif name == "ChainedScheduler":
        curves = _chained(config, run, base)
    else:
        curves = CLASSES[name](config, run, Own(base, run))
    config.done()
    return curves


def _members(config: Config, run: Run) -> list[Member]:
    """The members of a list, those of chains inside a chain among them."""
    given = config.sections("schedulers")
    if not given:
        config.fail("too-few-items", "there is no scheduler in the list", "schedulers")
    return [class_of(member, run, KNOWN, package=PACKAGE) for member in given]


def _built(
    members: list[Member], run: Run, base: float | None
) -> tuple[list[Curves], float | None]:
    """The curves in the order in which the schedulers are built, and the rate of the optimizer
    afterwards: CyclicLR and OneCycleLR change it for those that are built after them."""
    names = [name for name, _ in members]
    own = [name for name in names if name in _ABSOLUTE]
    if base is None and own and len(own) < len(names):
        Own(None, run).needed(f"{own[0]} is beside schedulers that go by lr")
    if len(own) > 1 and "OneCycleLR" in own:
        own.remove("OneCycleLR")
        members[names.index("OneCycleLR")][1].refuse(
            f"in torch OneCycleLR shares its rates and momenta with the {own[0]} beside it"
        )
    if names.count("SWALR") > 1:
        why = "in torch every SWALR goes to the swa_lr of the one that is built last"
        members[names.index("SWALR")][1].refuse(why)
    found: list[Curves] = []
    rate = base
    for index, (name, member) in enumerate(members):
        # What a live scheduler has taken for the rate of the optimizer.
        taken = member.optional_number("lr", least=0)
        curves = curves_of(name, member, run, rate if taken is None else taken)
        found.append(curves)
        if curves.initial is not None and (name == "OneCycleLR" or index == 0):
            rate = curves.initial
    return found, rate


def _sequential(config: Config, run: Run, base: float | None) -> Curves:
    """SequentialLR: f₀(s) before the first milestone, then fᵢ(s − mᵢ); each has its own B."""
    members = _members(config, run)
    milestones = config.wholes("milestones", [])
    if len(milestones) != len(members) - 1:
        message = f"{len(members)} schedulers take {len(members) - 1} milestones"
        config.fail("values-number", f"{message}, found {len(milestones)}", "milestones")
    if milestones != sorted(milestones):
        config.fail("boundaries-order", "milestones do not decrease", "milestones")
    for name, member in members:
        if name in COMPOSED:
            member.refuse(f"torch cannot step a {name} inside a SequentialLR")
    found, rate = _built(members, run, base)
    starts = [0, *milestones]
    first = max(index for index, start in enumerate(starts) if start == 0)
    found[first] = _first(members[first], found[first], run, base, rate)
    parts: list[Schedule] = []
    momenta: list[Schedule] = []
    for index in range(first, len(members)):
        length = None if index == len(members) - 1 else starts[index + 1] - starts[index]
        if length == 0:
            continue
        curves, (name, member) = found[index], members[index]
        if length is not None and curves.steps is not None and length > curves.steps + 1:
            member.refuse(f"torch stops with an error after step {curves.steps} of {name}")
        rates = curves.rate if not parts else _entered(name, member, curves, parts, starts[index])
        _append(parts, rates, starts[index], length)
        _append(momenta, _momentum(found, index, momenta, starts[index]), starts[index], length)
    momentum = stages(*momenta) if any(curves.momentum for curves in found) else None
    bases = [curves.base for curves in found if curves.base is not None]
    sets = all(curves.changes == "sets" for curves in found[first:])
    return Curves(
        stages(*parts),
        max(bases, default=None) if base is None else base,
        "sets" if sets else "mixed",
        momentum,
    )


def _append(parts: list[Schedule], rates: Schedule, start: int, length: int | None) -> None:
    part = moved(rates if length is None else cut(rates, length), start)
    parts += part if isinstance(part, list) else [part]


def _first(
    member: Member, curves: Curves, run: Run, base: float | None, rate: float | None
) -> Curves:
    """The curves of the scheduler that begins: SequentialLR starts it at the rate that the
    optimizer has after all are built."""
    name, config = member
    taken = config.optional_number("lr", least=0)
    if rate == (base if taken is None else taken) or curves.changes == "sets":
        return curves
    if name == "CosineAnnealingLR":
        config.refuse("a scheduler after it in the list changes the rate that it starts from")
    return curves_of(name, config, run, rate)


def _entered(
    name: str, config: Config, curves: Curves, before: list[Schedule], start: int
) -> Schedule:
    """The rates of a scheduler that begins at a milestone. It is entered by a closed form, which
    is not always the usual one at step 0."""
    if name in ("LinearLR", "PolynomialLR", "ConstantLR") and config.data.get("total_iters") == 0:
        if name != "ConstantLR":
            why = f"torch divides by total_iters at step {start}, and it is 0"
            config.refuse(why, "total_iters")
        return constant(curves.base if curves.base is not None else 1)
    if name == "SWALR":
        # It goes from the last rate that the scheduler before it has set.
        return swa_rates(config, _value(before, start - 1))
    return curves.rate


def _momentum(found: list[Curves], index: int, before: list[Schedule], start: int) -> Schedule:
    """What the momentum is while the scheduler at `index` goes."""
    own = found[index].momentum
    if own is not None:
        return own
    if before:
        return constant(_value(before, start - 1))
    built = [curves.momentum for curves in found if curves.momentum is not None]
    return constant(_value([built[-1]], 0) if built else 0)


def _value(parts: list[Schedule], step: int) -> float:
    """The value of stages at a step."""
    schedule = stages(*parts)
    return from_dict({"lrspec": 1, "base": "absolute", "schedule": schedule}).bind()(step)


def _chained(config: Config, run: Run, base: float | None) -> Curves:
    """ChainedScheduler: each member changes the rate that those before it have left.

    Those that multiply by a factor make a product. One that sets the rate itself leaves nothing of
    those before it.
    """
    members = _members(config, run)
    found, _ = _built(members, run, base)
    if len(members) == 1:
        return found[0]
    for (name, member), curves in zip(members[:-1], found, strict=False):
        if curves.changes == "sets":
            why = f"{name} sets the rate in every step, and what follows it in a chain changes it"
            member.refuse(f"{why} for one step only")
    for (name, member), curves in zip(members, found, strict=True):
        if curves.changes == "mixed":
            why = "changes the rate that is there, and sets it at a milestone, which is no product"
            member.refuse(f"{name} in a chain {why}")
        if curves.changes == "affine":
            why = "makes a chain a recursion that is no product"
            member.refuse(f"{name} with a rate that it goes to {why}")
    last = found[-1]
    if members[-1][0] == "CyclicLR":
        members[-1][1].refuse(
            "torch starts a CyclicLR that follows in a chain at lr, not at base_lr"
        )
    if last.changes == "sets":
        run.say(f"{members[-1][0]} sets the rate in every step; those before it have no effect.")
        return last
    factors = [tidy(curves_of(name, member, run, 1.0).rate) for name, member in members[1:]]
    return Curves(
        product(*(_held(rates, run) for rates in (found[0].rate, *factors))), found[0].base
    )


def _held(rates: Schedule, run: Run) -> Schedule:
    """A cosine that stops at its end: there the rate is 0, and what torch makes of it afterwards
    is no product."""
    if not isinstance(rates, dict) or "cosine" not in rates:
        return rates
    body = dict(rates["cosine"])
    del body["after"]
    run.say(
        f"After step {body['length']} torch climbs back without the factors that have passed;"
        " the document stays at 0."
    )
    return {"cosine": body}
