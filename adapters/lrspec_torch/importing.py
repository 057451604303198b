"""A live scheduler of torch as a document: its class and attributes, read and not stepped."""

from __future__ import annotations

import copy
import warnings
from typing import Any, NoReturn

import torch
from torch.optim import Optimizer, lr_scheduler
from torch.optim.swa_utils import SWALR

from lrspec.document import Document
from lrspec.importers.torch import load
from lrspec.importing.run import Run
from lrspec.importing.sampled import sampled
from lrspec.problems import Problem, SpecError
from lrspec.source import Marks, Source
from lrspec_torch.scheduler import LRScheduler

# The attributes that are arguments of the class.
_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    lr_scheduler.StepLR: ("step_size", "gamma"),
    lr_scheduler.ConstantLR: ("factor", "total_iters"),
    lr_scheduler.LinearLR: ("start_factor", "end_factor", "total_iters"),
    lr_scheduler.ExponentialLR: ("gamma",),
    lr_scheduler.PolynomialLR: ("total_iters", "power"),
    lr_scheduler.CosineAnnealingLR: ("T_max", "eta_min"),
    lr_scheduler.CosineAnnealingWarmRestarts: ("T_0", "T_mult", "eta_min"),
}
_COMPOSED = (lr_scheduler.SequentialLR, lr_scheduler.ChainedScheduler)
_SAMPLE = "with sample=True and steps=… it is written as straight lines through its values"


def from_scheduler(scheduler: Any, *, sample: bool = False, steps: int | None = None) -> Document:
    """The document of a live scheduler, whatever step it is at: the whole curve from step 0.

    It is read and not stepped; neither it nor its optimizer is changed. A group's rate is the
    `initial_lr` that torch keeps. Where these differ between the groups the document gives
    multiples of each. A scheduler of lrspec gives the document that it has.

    Args:
        scheduler: An object of torch.optim.lr_scheduler, or `LRScheduler` of this package.
        sample: Write one that no document states (a lambda, a class of your own) as straight lines
            through its values, taken from a copy with an optimizer of its own. A copy that has
            members is stepped from where it is, so these have to be at step 0.
        steps: The length of the run; needed to sample.

    Raises:
        SpecError: No document states the schedule, and it may not be or cannot be sampled.
        TypeError: It is no scheduler.
    """
    if isinstance(scheduler, LRScheduler):
        own: Any = scheduler
        document: Document = own._scheduled[0].curve.document
        return document
    if not isinstance(scheduler, lr_scheduler.LRScheduler):
        raise TypeError(f"{type(scheduler).__name__} is no scheduler of torch")
    if sample and _is_opaque(scheduler):
        return _sampled(scheduler, steps)
    bases = _bases(scheduler)
    same = len(set(bases)) == 1
    config = _config(scheduler) | ({"lr": bases[0]} if same else {})
    try:
        return load(config, steps=steps)
    except SpecError as error:
        if same or error.problems[0].code != "missing-fact":
            raise
        reason = error.problems[0].message
    _refuse(f"the groups of the optimizer differ in lr, so there is no one curve: {reason}")


def _refuse(why: str, hint: str | None = None) -> NoReturn:
    problem = Problem("error", "not-importable", None, "", None, None, why, hint=hint)
    raise SpecError([problem])


def _bases(scheduler: Any) -> list[float]:
    """What each group had before any scheduler."""
    groups = scheduler.optimizer.param_groups
    return [float(group.get("initial_lr", group["lr"])) for group in groups]


def _is_opaque(scheduler: Any) -> bool:
    """Whether some part of it is code that cannot be read."""
    if type(scheduler) in _COMPOSED:
        return any(_is_opaque(member) for member in scheduler._schedulers)
    if type(scheduler) is lr_scheduler.CyclicLR:
        return getattr(scheduler, "_scale_fn_custom", None) is not None
    readable = (*_ATTRIBUTES, lr_scheduler.MultiStepLR, lr_scheduler.OneCycleLR, SWALR)
    return type(scheduler) not in (*readable, lr_scheduler.ReduceLROnPlateau)


def _config(scheduler: Any) -> dict[str, Any]:
    """The class and its arguments, as `lrspec.importers.torch.load` takes them."""
    kind = type(scheduler)
    config: dict[str, Any] = {"cls": kind.__name__}
    groups = scheduler.optimizer.param_groups
    if kind in _ATTRIBUTES:
        return config | {name: getattr(scheduler, name) for name in _ATTRIBUTES[kind]}
    if kind in _COMPOSED:
        config["schedulers"] = [_member(member) for member in scheduler._schedulers]
        if kind is lr_scheduler.SequentialLR:
            config["milestones"] = scheduler._milestones
    elif kind is lr_scheduler.MultiStepLR:
        config |= {"milestones": sorted(scheduler.milestones.elements()), "gamma": scheduler.gamma}
    elif kind is lr_scheduler.CyclicLR:
        config |= _cyclic(scheduler)
    elif kind is lr_scheduler.OneCycleLR:
        config |= _one_cycle(scheduler, groups)
    elif kind is SWALR:
        config |= {
            "swa_lr": _floats([group["swa_lr"] for group in groups]),
            "anneal_epochs": scheduler.anneal_epochs,
            "anneal_strategy": scheduler._anneal_strategy,
        }
    elif kind.__module__ != "torch.optim.lr_scheduler":
        _refuse(f"{kind.__name__} is a class of the user's", _SAMPLE)
    return config


def _member(scheduler: Any) -> dict[str, Any]:
    """A member of a list, with the rate that it goes by where that is not the optimizer's."""
    config = _config(scheduler)
    taken = _floats(getattr(scheduler, "base_lrs", []))
    if type(scheduler) in (lr_scheduler.CyclicLR, lr_scheduler.OneCycleLR) or not taken:
        return config
    bases = _bases(scheduler)
    if taken == bases:
        return config
    if len(set(taken)) > 1:
        _refuse("the groups of the optimizer differ in lr, so there is no one curve")
    return config | {"lr": taken[0]}


def _cyclic(scheduler: Any) -> dict[str, Any]:
    if _is_opaque(scheduler):
        _refuse("the scale_fn of CyclicLR is a function of the user's", _SAMPLE)
    up = round(scheduler.total_size * scheduler.step_ratio, 9)
    config = {
        "base_lr": _floats(scheduler.base_lrs),
        "max_lr": _floats(scheduler.max_lrs),
        "step_size_up": up,
        "step_size_down": scheduler.total_size - up,
        "mode": scheduler.mode,
        "gamma": scheduler.gamma,
        "cycle_momentum": scheduler.cycle_momentum,
    }
    if scheduler.cycle_momentum:
        config["base_momentum"] = _floats(scheduler.base_momentums)
        config["max_momentum"] = _floats(scheduler.max_momentums)
    return config


def _one_cycle(scheduler: Any, groups: list[dict[str, Any]]) -> dict[str, Any]:
    phases, total = scheduler._schedule_phases, scheduler.total_steps
    first = groups[0]
    if not first["min_lr"]:
        _refuse("OneCycleLR with rates of 0 does not say what it was made of")
    config = {
        "max_lr": _floats([group["max_lr"] for group in groups]),
        "total_steps": total,
        "pct_start": round((phases[0]["end_step"] + 1) / total, 15),
        "anneal_strategy": scheduler._anneal_func_type,
        "div_factor": round(float(first["max_lr"]) / float(first["initial_lr"]), 12),
        "final_div_factor": round(float(first["initial_lr"]) / float(first["min_lr"]), 9),
        "three_phase": len(phases) == 3,
        "cycle_momentum": scheduler.cycle_momentum,
    }
    if scheduler.cycle_momentum:
        config["base_momentum"] = _floats([group["base_momentum"] for group in groups])
        config["max_momentum"] = _floats([group["max_momentum"] for group in groups])
    return config


def _floats(values: list[Any]) -> list[float]:
    return [float(value) for value in values]


def _sampled(scheduler: Any, steps: int | None) -> Document:
    name = type(scheduler).__name__
    run = Run("torch", Source({}, Marks()), {}, sample=True)
    if steps is None:
        run.missing("steps", "", f"to sample {name} takes the number of steps")
    curves, momenta = _values(scheduler, steps)
    bases = _bases(scheduler)
    same = len(set(bases)) == 1
    if not same:
        if 0 in bases:
            _refuse("the groups of the optimizer differ in lr, and there are no multiples of 0")
        shares = zip(curves, bases, strict=True)
        curves = [[value / base for value in curve] for curve, base in shares]
    first = _shared(curves, name)
    run.say(
        f"Sampled from a live {name}: its values at every step from 0 to {steps}, joined by"
        " straight lines; the last one stays."
    )
    others = None
    if any(value != column[0] for column in momenta for value in column):
        momentum = _shared(momenta, name)
        others = {"momentum": sampled(lambda step: momentum[step], steps)}
    return run.document(
        sampled(lambda step: first[step], steps),
        origin=name,
        base=bases[0] if same else None,
        steps=steps,
        others=others,
    )


def _shared(columns: list[list[float]], name: str) -> list[float]:
    """The values of the first group, which are those of all."""
    first = columns[0]
    far = 1e-12 * max(abs(value) for value in first)
    if any(abs(a - b) > far for column in columns for a, b in zip(column, first, strict=True)):
        _refuse(f"the groups of the optimizer differ in what {name} gives them")
    return first


def _values(scheduler: Any, steps: int) -> tuple[list[list[float]], list[list[float]]]:
    """The rates of each group at the steps 0 … steps, and the momenta, from a copy."""
    optimizer = _throwaway(scheduler.optimizer)
    twin: Any = copy.deepcopy(scheduler, {id(scheduler.optimizer): optimizer})
    groups = optimizer.param_groups
    if type(scheduler) in _COMPOSED:
        if _has_begun(scheduler):
            _refuse("a scheduler with members is sampled before its first step")
    else:
        for group in groups:
            group["lr"] = group.get("initial_lr", group["lr"])
        twin.last_epoch = -1
        twin._initial_step()
    rates: list[list[float]] = []
    momenta: list[list[float]] = []
    with warnings.catch_warnings():
        # There are no updates between its steps.
        warnings.simplefilter("ignore")
        while True:
            rates.append(_floats([group["lr"] for group in groups]))
            momenta.append(_floats([_momentum(group) for group in groups]))
            if len(rates) > steps:
                return _columns(rates), _columns(momenta)
            try:
                twin.step()
            except ValueError as error:
                # OneCycleLR does so after its last step.
                _refuse(f"torch stops with an error after step {len(rates) - 1}: {error}")


def _has_begun(scheduler: Any) -> bool:
    """Whether it, or a member of it, was stepped; a chain does not count."""
    members: list[Any] = getattr(scheduler, "_schedulers", [])
    return getattr(scheduler, "last_epoch", 0) > 0 or any(map(_has_begun, members))


def _momentum(group: dict[str, Any]) -> Any:
    return group["betas"][0] if "betas" in group else group.get("momentum", 0)


def _columns(rows: list[list[float]]) -> list[list[float]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _throwaway(optimizer: Optimizer) -> Optimizer:
    """An optimizer with groups like these, of one number each."""
    groups: list[dict[str, Any]] = []
    for group in optimizer.param_groups:
        rest = {key: value for key, value in group.items() if key != "params"}
        groups.append({"params": [torch.nn.Parameter(torch.zeros(1))], **copy.deepcopy(rest)})
    made = torch.optim.SGD(groups, lr=0.0)
    made.defaults = copy.deepcopy(optimizer.defaults)
    return made
