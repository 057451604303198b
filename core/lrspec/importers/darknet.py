"""darknet: the `[net]` section of a .cfg file (get_current_rate in src/network.c).

With n = s + 1, the batches counted when update s is made, B `learning_rate` and b `burn_in`:
B·(n/b)^power while n < b, afterwards by `policy`: `constant` B; `step` B·scale^⌊n/step⌋; `steps` B
times every scale whose step is ≤ n; `exp` B·gamma^n; `poly` B·(1 − n/max_batches)^power; `sigmoid`
B/(1 + e^(gamma·(n − step))) from n = step on, and 0 before, where the unsigned difference wraps;
`sgdr` a cosine from B to m `learning_rate_min` over `sgdr_cycle` batches, and again over
`sgdr_mult` times as many, after each batch at which one ends.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import exp

from lrspec.importing.arguments import ignore_others
from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import (
    Schedule,
    advance,
    constant,
    cosine,
    exponential,
    piecewise_constant,
    polynomial,
    repeat,
)
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages
from lrspec.scalars import NotFiniteError, number
from lrspec.source import Json

_COMMENT = re.compile(r"([-+.0-9eE]*[0-9])[#;].*")
_POLICIES = ("constant", "step", "steps", "exp", "poly", "sigmoid", "sgdr", "random")
_KEYS = ("learning_rate", "policy", "burn_in", "power", "max_batches", "steps", "scales")
_MORE_KEYS = ("step", "scale", "gamma", "learning_rate_min", "sgdr_cycle", "sgdr_mult")


def parse_net(text: str) -> dict[str, dict[str, Json]]:
    """The first section of a .cfg file, which has the options of the training: `{"net": {…}}`.

    White space means nothing there, `#` and `;` start a line of comment, a list has commas.
    Raises ValueError where the first section is another one, or an option stands twice.
    """
    net: dict[str, Json] = {}
    begun = False
    for line in text.splitlines():
        line = "".join(line.split())
        if not line or line[0] in "#;\0":
            continue
        if line[0] == "[":
            if begun:
                break
            if line not in ("[net]", "[network]"):
                raise ValueError(f"its first section is {line}, not [net]")
            begun = True
            continue
        key, equals, value = line.partition("=")
        if not begun or not equals:
            raise ValueError(f"{line!r} is no option of a section [net]")
        if key in net:
            raise ValueError(f"the option {key!r} stands twice in [net]")
        numbers = [_number(part) for part in value.split(",")]
        net[key] = numbers[0] if len(numbers) == 1 else numbers
    return {"net": net}


def _number(text: str) -> Json:
    # darknet takes the digits at the beginning, whatever follows them.
    text = _COMMENT.sub(r"\1", text)
    try:
        found = number(text)
    except NotFiniteError:
        return text
    return text if found is None else found


@importer("darknet", text=parse_net)
def load(config: Config, run: Run) -> Imported:
    """The document of a darknet .cfg file, or of a mapping with the options of its [net]."""
    net = config.section("net") if "net" in config else config
    if net is not config:
        config.ignore_rest()
    ignore_others(net, _KEYS + _MORE_KEYS)
    policy = net.choice("policy", _POLICIES, "constant", what="policy")
    given = run.base(net, "learning_rate")
    if given is None:
        run.say("learning_rate is left out: darknet takes 0.001.")
        given = 0.001
    total = net.whole("max_batches", 0)
    steps = run.steps(net if total else None, "max_batches")
    burn_in = net.whole("burn_in", 0)
    power = net.number("power", 4.0, above=0)
    if burn_in and "power" not in net:
        run.say("power is left out: darknet takes 4 for the burn-in.")
    if policy not in ("constant", "steps") or burn_in:
        run.say("darknet counts the batch before its update: update 0 is at batch 1.")
    if policy == "sigmoid":
        after = _sigmoid(net, run, given, burn_in, power, steps)
        return run.document(after, origin="policy sigmoid", base=given, steps=steps)
    if policy == "sgdr":
        after = _sgdr(net, run, given, burn_in, power, steps)
    else:
        after = _policy(net, run, policy, given, burn_in, power, steps)
    at_end = policy in ("exp", "poly", "sgdr")
    if burn_in and policy != "sgdr":
        rise = polynomial(0, given, burn_in, power=power, origin="initial")
        # Where the policy begins with the full rate, reading at the end of an update says it best.
        at_end = policy == "constant" or (policy == "steps" and _first_step(after) >= burn_in)
        if not at_end:
            rise = polynomial(0, given, power=power, origin="initial")
            rise = advance(rise, by=1, length=burn_in - 1)
        after = stages(rise, after)
        policy = f"{policy} with burn_in"
    return run.document(
        after,
        origin=f"policy {policy}",
        base=given,
        steps=steps,
        sample="end" if at_end else "start",
    )


def _first_step(schedule: Schedule) -> float:
    """The first update at which a rate of `steps` changes."""
    assert isinstance(schedule, dict)
    first: float = schedule.get("piecewise_constant", {"boundaries": [0]})["boundaries"][0]
    return first


def _policy(
    net: Config, run: Run, policy: str, rate: float, burn_in: int, power: float, total: int | None
) -> Schedule:
    """What follows the burn-in."""
    match policy:
        case "constant":
            return constant(rate)
        case "step":
            every, scale = net.whole("step", 1, least=1), net.number("scale", 1.0, above=0)
            return advance(exponential(rate, scale, every, staircase=True), by=max(burn_in, 1))
        case "steps":
            return _steps(net, rate)
        case "exp":
            fall = exponential(rate, net.number("gamma", 1.0, above=0), 1)
            return advance(fall, by=burn_in) if burn_in else fall
        case "poly":
            if total is None:
                run.missing("steps", "max_batches", "the policy poly ends with the run")
            if burn_in >= total:
                net.fail("does-not-fit", f"burn_in {burn_in} leaves nothing of {total} batches")
            if burn_in:
                fall = polynomial(rate, 0, power=power)
                return advance(fall, by=burn_in, length=total - burn_in)
            return polynomial(rate, 0, total, power=power)
        case _:
            net.refuse("the policy random draws every rate by chance", "policy")


def _steps(net: Config, rate: float) -> Schedule:
    steps, scales = net.numbers("steps"), net.numbers("scales")
    if any(step != int(step) for step in steps):
        net.fail("wrong-type", "the steps are whole numbers", "steps")
    if any(later < step for step, later in pairwise(steps)):
        net.fail("boundaries-order", "the steps do not increase", "steps")
    if len(steps) != len(scales):
        message = f"there are {len(steps)} steps and {len(scales)} scales"
        net.fail("values-number", message, "scales")
    boundaries: list[int] = []
    values = [rate]
    for step, scale in zip(steps, scales, strict=True):
        # From batch `step` on, which is update `step` − 1.
        boundary = max(int(step) - 1, 0)
        value = values[-1] * scale
        if boundary == (boundaries[-1] if boundaries else 0):
            values[-1] = value
        else:
            boundaries.append(boundary)
            values.append(value)
    return piecewise_constant(boundaries, values)


def _sgdr(
    net: Config, run: Run, rate: float, burn_in: int, power: float, total: int | None
) -> Schedule:
    """The cosines, with the burn-in in place of their start."""
    cycle = net.optional_whole("sgdr_cycle", least=1) or total
    if cycle is None:
        run.missing("steps", "sgdr_cycle", "the first cosine of sgdr is as long as the run")
    if "learning_rate_min" not in net:
        run.say("learning_rate_min is left out: darknet takes 1e-05.")
    low = net.number("learning_rate_min", 1e-5, least=0)
    times = net.whole("sgdr_mult", 2, least=1)
    cycles: Schedule
    if total is not None and cycle >= total:
        cycles = cosine(rate, low, cycle)
    else:
        if "sgdr_mult" not in net:
            run.say("sgdr_mult is left out: darknet takes 2.")
        cycles = repeat(cosine(rate, low), period=cycle, stretch=times)
    if burn_in < 2:
        return cycles
    # At batch `burn_in` it is over.
    last = rate * ((burn_in - 1) / burn_in) ** power
    return stages(polynomial(0, last, burn_in - 1, power=power, origin="initial"), advance(cycles))


def _sigmoid(
    net: Config, run: Run, rate: float, burn_in: int, power: float, total: int | None
) -> Schedule:
    gamma, middle = net.number("gamma", 1.0), net.whole("step", 1)
    refusal = "no kind of the language has the form of a sigmoid"
    if total is None:
        if run.sample:
            run.missing("steps", "max_batches", "a sigmoid is sampled to the end of the run")
        total = 0

    def value(step: int) -> float:
        batch = step + 1
        if batch < burn_in:
            return float(rate * (batch / burn_in) ** power)
        if batch < middle:
            return 0.0
        return rate / (1 + exp(min(gamma * (batch - middle), 700.0)))

    return run.sampled(value, total, refusal=refusal, config=net, at="policy")
