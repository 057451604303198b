"""What the schedules of NeMo have in common: what they are given, the warmup, the end, the minimum.

In what follows s is the step, w the warmup, T `max_steps`, B `lr` and m `min_lr`. The warmup is
B·(s + 1)/(w + 1) up to and with s = w, so that the first update is not at 0; after T the rate is m.
"""

from __future__ import annotations

from lrspec.importing.config import Config
from lrspec.importing.nodes import Node, Schedule, advance, clamp, constant, linear
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages


class Parts:
    """Reads what one schedule is given: `peak` is B, `steps` T, `end_of_run` where the run ends,
    both None where they are not known, `low` m."""

    def __init__(
        self,
        config: Config,
        run: Run,
        base: float | None,
        steps: int | None,
        end_of_run: int | None,
        name: str,
    ) -> None:
        self.config = config
        self.run = run
        self.peak = 1.0 if base is None else base
        self.is_peak_known = base is not None
        self.steps = steps
        self.end_of_run = end_of_run
        self.name = name
        self.warmup = self.default_warmup = 0
        self.low = 0.0

    def minimum(self) -> float:
        """M, a rate: without `lr` it is no multiple of anything."""
        default = 1e-5 if self.name == "SquareAnnealing" else 0.0
        low = self.config.number("min_lr", default, least=0)
        if low and not self.is_peak_known:
            self.run.missing("base", "lr", f"min_lr {low:g} is a rate, and lr is not known")
        return low

    def length(self, of: str) -> int | None:
        """The steps of `warmup`, `hold` or `constant`, as such or as a share of T, rounded down."""
        config = self.config
        steps = config.optional_whole(f"{of}_steps")
        ratio = config.optional_number(f"{of}_ratio", least=0, most=1)
        if ratio is None:
            return steps
        if steps is not None:
            config.conflict(f"{of}_steps", f"{of}_ratio")
        total = self.total(f"{of}_ratio is a share of max_steps")
        found = int(ratio * total)
        self.run.say(f"{of}_ratio {ratio:g} of {total} steps is {found}, rounded down.")
        return found

    def total(self, why: str) -> int:
        """T."""
        if self.steps is None:
            self.run.missing("steps", "max_steps", why)
        return self.steps

    def warm(self) -> Schedule | None:
        """B·(s + 1)/(w + 1) for s from 0 to w."""
        w = self.warmup
        if w == 0:
            return None
        self.run.say(f"The first update is at 1/{w + 1} of the rate, as NeMo warms up.")
        return linear(self.peak / (w + 1), self.peak, w)

    def until_the_end(self, body: Node, *, start: int | None = None) -> Schedule:
        """The warmup, B until `start`, `body` up to and with step T; and m after it, where the run
        is that long."""
        before = self.warmup if start is None else start
        # Up to and with step w it is the warmup, even where that is T or more.
        end = max((self.steps or 0) + 1, before, self.warmup + 1 if self.warmup else 0)
        if "constant" in body:
            before = self.warmup
        held = constant(self.peak, before - self.warmup)
        if self.steps is None or self.end_of_run is None or self.end_of_run <= end:
            if self.steps is not None:
                self.run.say(f"After step {end - 1} NeMo gives min_lr, {self.low:g}; this goes on.")
            return stages(self.warm(), held, body)
        self.run.say(f"After step {end - 1} the rate is min_lr, {self.low:g}.")
        ending = with_length(body, end - before)
        return stages(self.warm(), held, ending, constant(self.low))

    def to_the_end(self, start: int) -> int | None:
        """The length from `start` to T: none where the run ends there too."""
        total = self.total(f"{self.name} ends at max_steps")
        return None if total == self.end_of_run else total - start

    def is_only_warmup(self) -> bool:
        """Whether the warmup takes the whole run."""
        return 0 < self.warmup >= self.total(f"{self.name} ends at max_steps")

    def no_less(self, falling: Node) -> Node:
        """No less than m."""
        if not self.low:
            return falling
        self.run.say(f"min_lr {self.low:g} is a limit, and not the end of the curve.")
        return clamp(falling, minimum=self.low)

    def on_the_clock_of_the_run(self, curve: Schedule, end: str) -> Schedule:
        """The curve as if it had begun with the run, with the warmup in place of its start."""
        if not self.warmup:
            return curve
        self.run.say(
            f"The decay of {self.name} counts from step 0 and not from the end of the warmup: it"
            f" drops after step {self.warmup}, and ends at {end}."
        )
        return stages(self.warm(), constant(self.peak, 1), advance(curve))


def with_length(node: Node, length: int) -> Node:
    """The node with a length of its own."""
    ((kind, fields),) = node.items()
    return {kind: {**fields, "length": length}}
